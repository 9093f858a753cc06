"""Drinks, phones, money and other things that lie about."""

from __future__ import annotations

from math import radians

import numpy as np

from simulator.render.meshes import F32, Colour, box, lathe
from simulator.scene import Clutter

_DRINKS = ((0.55, 0.28, 0.08), (0.70, 0.55, 0.20), (0.25, 0.10, 0.06), (0.78, 0.74, 0.66), (0.45, 0.08, 0.12))
_NOTES = ((0.36, 0.50, 0.36), (0.62, 0.44, 0.34), (0.36, 0.42, 0.60), (0.58, 0.56, 0.40))
_CASES = ((0.06, 0.06, 0.07), (0.12, 0.13, 0.18), (0.55, 0.12, 0.16), (0.75, 0.75, 0.76))


def clutter_mesh(thing: Clutter) -> tuple[F32 | None, F32 | None]:
    """What is solid of a thing, and what of it is clear."""
    rng = np.random.Generator(np.random.PCG64(thing.seed))
    at = (thing.x, thing.y, thing.z)
    yaw, s = radians(thing.yaw), thing.size
    if thing.kind == "glass":
        return _glass(at, s, _DRINKS[int(rng.integers(len(_DRINKS)))])
    if thing.kind == "cup":
        return _cup(at, s, tuple(rng.uniform(0.55, 0.95, 3))), None
    if thing.kind == "phone":
        return _phone(at, yaw, s, _CASES[int(rng.integers(len(_CASES)))]), None
    if thing.kind == "cash":
        return _cash(at, yaw, s, rng), None
    if thing.kind == "coaster":
        colour = tuple(rng.uniform(0.25, 0.8, 3))
        return lathe(at, ((47 * s, 0.2), (47 * s, 3), (0.01, 3)), colour, 0.05), None
    if thing.kind == "button":
        return lathe(at, ((30 * s, 0.2), (31 * s, 3), (29 * s, 6), (0.01, 6.4)), (0.9, 0.9, 0.88), 0.4), None
    size = (140 * s, 60 * s, 0.5) if thing.kind == "coupon" else (75 * s, 48 * s, 4)
    colour = (0.92, 0.88, 0.70) if thing.kind == "coupon" else tuple(rng.uniform(0.3, 0.8, 3))
    band = box(
        (at[0], at[1], at[2] + size[2]), (size[0] * 0.8, size[1] * 0.3, 0.15), yaw, (0.35, 0.2, 0.5), 0.1
    )
    return np.concatenate([box(at, size, yaw, colour, 0.2), band]), None


def _glass(at: Colour, s: float, drink: Colour) -> tuple[F32, F32]:
    r, h = 34 * s, 118 * s
    fill = lathe(at, ((r * 0.72, 6), (r * 0.86, h * 0.62), (0.01, h * 0.62)), drink, 0.5)
    base = lathe(at, ((r * 0.8, 0.3), (r * 0.8, 6), (0.01, 6)), (0.75, 0.78, 0.8), 0.8)
    wall = lathe(at, ((r * 0.8, 4), (r * 0.95, h * 0.7), (r, h)), (0.82, 0.86, 0.88), 0.9, 0.28)
    return np.concatenate([fill, base]), wall


def _cup(at: Colour, s: float, colour: Colour) -> F32:
    r, h = 41 * s, 92 * s
    wall = lathe(
        at, ((r * 0.7, 0.3), (r * 0.95, h - 2), (r, h), (r * 0.94, h), (r * 0.86, h * 0.8)), colour, 0.3
    )
    drink = lathe(at, ((r * 0.87, h * 0.8), (0.01, h * 0.8)), (0.16, 0.09, 0.05), 0.6)
    return np.concatenate([wall, drink])


def _phone(at: Colour, yaw: float, s: float, colour: Colour) -> F32:
    case = box(at, (73 * s, 150 * s, 8), yaw, colour, 0.4)
    screen = box((at[0], at[1], at[2] + 8), (67 * s, 142 * s, 0.3), yaw, (0.03, 0.03, 0.05), 0.9)
    return np.concatenate([case, screen])


def _cash(at: Colour, yaw: float, s: float, rng: np.random.Generator) -> F32:
    parts = []
    for i in range(int(rng.integers(2, 5))):
        note = _NOTES[int(rng.integers(len(_NOTES)))]
        turn = yaw + float(rng.normal(0, 0.12))
        x, y, z = at[0] + float(rng.normal(0, 6)), at[1] + float(rng.normal(0, 6)), at[2] + 0.3 + 0.7 * i
        parts.append(box((x, y, z), (154 * s, 66 * s, 0.4), turn, note, 0.05))
        pale = tuple(min(1.0, c * 1.35) for c in note)
        parts.append(box((x, y, z + 0.4), (142 * s, 54 * s, 0.1), turn, pale, 0.05))
        parts.append(box((x, y, z + 0.5), (40 * s, 44 * s, 0.1), turn, tuple(c * 0.8 for c in note), 0.05))
    return np.concatenate(parts)
