"""A scene at other moments of the exposure: what moves is carried a little back and forth along its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from simulator.scene import Scene, SceneObject

JUMP = 260.0
"""What moves further (mm) between two frames has been put there, and is not blurred."""


NAMES = ("x", "y", "z", "yaw", "flip", "tilt", "roll", "curl", "turn")


def moments(before: Scene, now: Scene, shares: Sequence[float]) -> list[Scene]:
    """The scene carried by each share of the way that things made since the frame before."""
    old = {thing.id: thing for thing in before.objects()}
    moving = [(t, old[t.id]) for t in now.objects() if t.id in old and old[t.id] != t]
    moving = [(t, was) for t, was in moving if type(t) is type(was) and _near(t, was)]
    return (
        [Scene(**_sorted([_carried(t, was, share) for t, was in moving])) for share in shares]
        if moving
        else []
    )


def _near(now: SceneObject, was: SceneObject) -> bool:
    return abs(now.x - was.x) + abs(now.y - was.y) < JUMP


def _carried(now: Any, was: Any, share: float) -> SceneObject:
    changes: dict[str, Any] = {}
    for name in NAMES:
        a, b = getattr(was, name, None), getattr(now, name, None)
        if a is not None and b is not None and a != b:
            changes[name] = b + (b - a) * share
    out: SceneObject = replace(now, **changes)
    return out


def _sorted(things: Sequence[SceneObject]) -> dict[str, Any]:
    """The things by the field of a scene that holds them."""
    names = {
        "CardPose": "cards", "ChipStack": "stacks", "HandPose": "hands", "DeckBlock": "blocks",
        "CutCard": "cut_cards", "Clutter": "clutter",
    }  # fmt: skip
    out: dict[str, list[SceneObject]] = {}
    for thing in things:
        out.setdefault(names[type(thing).__name__], []).append(thing)
    return {name: tuple(many) for name, many in out.items()}
