"""Hands: a skinned mesh bent into a few grips, set down where the fingers work, with a forearm behind it.

The mesh is the generic hand of `@webxr-input-profiles/assets` (MIT, see NOTICE), converted by
`scripts/make_hand.py`. Its own frame: fingers along -Y, back of the hand +X, the little finger's side +Z, metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, radians, sin
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from simulator.scene import Grip, HandPose

Floats = NDArray[np.float32]
FINGERS: Final = ("index-finger", "middle-finger", "ring-finger", "pinky-finger")
BENDS: Final[dict[Grip, tuple[tuple[float, float, float], ...]]] = {
    # degrees at the three joints of index, middle, ring, little finger, and of the thumb
    "rest": ((18, 28, 16), (20, 30, 18), (24, 32, 18), (26, 34, 18), (6, 12, 10)),
    "flat": ((4, 8, 4), (4, 8, 4), (5, 9, 5), (6, 10, 5), (0, 6, 4)),
    "spread": ((2, 6, 3), (2, 6, 3), (3, 7, 4), (4, 8, 4), (-8, 2, 2)),
    "push": ((14, 22, 12), (14, 22, 12), (18, 24, 14), (22, 26, 14), (4, 10, 8)),
    "pinch": ((38, 42, 18), (42, 46, 20), (58, 62, 30), (64, 66, 32), (16, 24, 22)),
    "hold": ((46, 50, 24), (50, 54, 26), (54, 58, 28), (58, 60, 30), (18, 26, 24)),
    "point": ((8, 6, 4), (66, 80, 42), (70, 84, 44), (72, 84, 44), (18, 34, 30)),
    "fist": ((74, 88, 54), (76, 92, 56), (78, 92, 56), (80, 90, 54), (20, 36, 32)),
}
PITCH: Final[dict[Grip, float]] = {
    "rest": 16, "flat": 8, "spread": 6, "push": 26, "pinch": 38, "hold": 34, "point": 24, "fist": 14,
}  # fmt: skip
WRIST_WIDTH, ELBOW_WIDTH = 27.0, 46.0
SEGMENTS: Final = 14


@dataclass(frozen=True, slots=True)
class Posed:
    """Triangles of one hand with its arm: points and normals (V, 3) in table mm, faces (T, 3), part (V,).

    Parts: 0 skin, 1 sleeve, 2 cuff.
    """

    points: Floats
    normals: Floats
    faces: NDArray[np.int32]
    parts: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class _Model:
    positions: Floats
    normals: Floats
    joints: NDArray[np.uint8]
    weights: Floats
    faces: NDArray[np.int32]
    names: tuple[str, ...]
    rest: Floats


@lru_cache(maxsize=1)
def _model() -> _Model:
    with np.load(Path(__file__).with_name("hand.npz")) as data:
        rest = np.stack([_matrix(t, q) for t, q in zip(data["translations"], data["rotations"], strict=True)])
        return _Model(
            data["positions"].astype(np.float32),
            data["normals"].astype(np.float32),
            data["joints"],
            data["weights"].astype(np.float32),
            data["indices"].astype(np.int32),
            tuple(str(name) for name in data["names"]),
            rest.astype(np.float32),
        )


def _matrix(translation: Floats, quaternion: Floats) -> Floats:
    x, y, z, w = (float(v) for v in quaternion)
    out = np.eye(4, dtype=np.float32)
    out[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    out[:3, 3] = translation
    return out


def _turn_x(angle: float) -> Floats:
    c, s = cos(radians(angle)), sin(radians(angle))
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]], np.float32)


@lru_cache(maxsize=256)
def _grip(grip: Grip, openness: int) -> tuple[Floats, Floats, Floats]:
    """Return points and normals (V, 3) of the bent hand in its own frame (mm), and the point it works at (3,)."""
    model = _model()
    ease = 1.25 - 0.5 * openness / 10
    posed = model.rest.copy()
    for finger, bends in zip((*FINGERS, "thumb"), BENDS[grip], strict=True):
        thumb = finger == "thumb"
        parts = ("metacarpal", "phalanx-proximal") if thumb else ("phalanx-proximal", "phalanx-intermediate")
        chain = [f"{finger}-{part}" for part in (*parts, "phalanx-distal", "tip")]
        bend = np.eye(4, dtype=np.float32)
        for name, angle in zip(chain, (*bends, 0.0), strict=True):
            index = model.names.index(name)
            rest = model.rest[index]
            local = rest @ _turn_x(-angle * ease) @ np.linalg.inv(rest)
            bend = (bend @ local).astype(np.float32)
            posed[index] = bend @ rest
    skin = posed @ np.linalg.inv(model.rest)
    blended = np.einsum("vk,vkij->vij", model.weights, skin[model.joints])
    points = np.einsum("vij,vj->vi", blended[:, :3, :3], model.positions) + blended[:, :3, 3]
    normals = np.einsum("vij,vj->vi", blended[:, :3, :3], model.normals)
    tips = {
        name: posed[model.names.index(f"{name}-tip"), :3, 3]
        for name in ("index-finger", "middle-finger", "thumb")
    }
    if grip in ("pinch", "hold"):
        work = (tips["index-finger"] + tips["thumb"]) / 2
    else:
        work = (tips["index-finger"] + tips["middle-finger"]) / 2 - np.array([0.007, 0, 0], np.float32)
    return points * 1000, normals, np.asarray(work * 1000, np.float32)


def forward_of(hand: HandPose, layout: Layout) -> float:
    """Return the direction (radians) in which the fingers point: as told, or away from the owner's body."""
    if hand.yaw is not None:
        return radians(hand.yaw)
    bx, by = body_of(hand, layout)
    return atan2(hand.y - by, hand.x - bx)


def body_of(hand: HandPose, layout: Layout) -> tuple[float, float]:
    """Return the owner's shoulder on the side of the hand, in table mm."""
    if hand.who == 0:
        x, y = layout.dealer_body
        return x + (170.0 if hand.side == "right" else -170.0), y
    place = layout.seat(hand.who)
    x, y = place.body
    across = place.direction - np.pi / 2 if hand.side == "right" else place.direction + np.pi / 2
    return x + 170.0 * cos(across), y + 170.0 * sin(across)


def pose_hand(hand: HandPose, layout: Layout, sleeve_length: float, girth: float, cuff: bool) -> Posed:
    """Return the triangles of a hand with its arm."""
    points, normals, work = _grip(hand.grip, round(hand.open * 10))
    yaw, pitch, roll = forward_of(hand, layout), radians(PITCH[hand.grip]), radians(hand.turn)
    ahead = np.array([cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), -sin(pitch)])
    right = np.array([sin(yaw), -cos(yaw), 0.0])
    up = np.cross(right, ahead)
    right, up = right * cos(roll) + up * sin(roll), up * cos(roll) - right * sin(roll)
    mirror = -1.0 if hand.side == "left" else 1.0
    # Columns: where the mesh's X (back of the hand), Y (towards the wrist) and Z (little finger) go.
    frame = np.stack([up, -ahead, right * mirror], axis=1) * girth
    anchor = np.array([hand.x, hand.y, hand.z]) - frame @ work
    placed = (points @ frame.T + anchor).astype(np.float32)
    turned = (normals @ frame.T / girth).astype(np.float32)
    wrist = frame @ (np.array([0.034, 0.068, 0.009]) * 1000) + anchor
    faces = _model().faces if mirror > 0 else _model().faces[:, ::-1]
    arm = _arm(wrist, body_of(hand, layout), sleeve_length, girth, cuff)
    return Posed(
        np.concatenate([placed, arm.points]),
        np.concatenate([turned, arm.normals]),
        np.concatenate([faces, arm.faces + len(placed)]).astype(np.int32),
        np.concatenate([np.zeros(len(placed), np.int8), arm.parts]),
    )


def _arm(
    wrist: NDArray[np.float64], body: tuple[float, float], sleeve_length: float, girth: float, cuff: bool
) -> Posed:
    """Return a forearm and upper arm from the wrist to the shoulder, bare up to where the sleeve begins."""
    shoulder = np.array([body[0], body[1], 260.0])
    elbow = wrist * 0.42 + shoulder * 0.58
    elbow[2] = max(70.0, wrist[2] * 0.4 + 60.0)
    start = max(0.0, 1.0 - sleeve_length) * 0.85
    stations = sorted({0.0, 0.1, 0.3, 0.6, 1.0, *((start, start + 0.012) if start > 0 else (0.03,))})
    points, normals, parts = [], [], []
    angles = np.linspace(0, 2 * np.pi, SEGMENTS, endpoint=False)
    for t in stations:
        along = (
            wrist + (elbow - wrist) * min(t / 0.55, 1.0)
            if t <= 0.55
            else elbow + (shoulder - elbow) * (t - 0.55) / 0.45
        )
        axis = (elbow - wrist) if t <= 0.55 else (shoulder - elbow)
        axis = axis / np.linalg.norm(axis)
        side = np.cross(axis, [0.0, 0.0, 1.0])
        side /= max(float(np.linalg.norm(side)), 1e-6)
        over = np.cross(side, axis)
        dressed = t > start or start == 0.0
        width = (WRIST_WIDTH + (ELBOW_WIDTH - WRIST_WIDTH) * min(t / 0.5, 1.0)) * girth + (
            7.0 if dressed else 0.0
        )
        ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * over * 0.86
        points.append(along + ring * width)
        normals.append(ring)
        part = 2 if cuff and dressed and t < start + 0.06 else 1
        parts.append(np.full(SEGMENTS, part if dressed else 0, np.int8))
    faces = []
    for ring_index in range(len(stations) - 1):
        a = ring_index * SEGMENTS + np.arange(SEGMENTS)
        b = ring_index * SEGMENTS + (np.arange(SEGMENTS) + 1) % SEGMENTS
        faces += [np.stack([a, a + SEGMENTS, b], 1), np.stack([b, a + SEGMENTS, b + SEGMENTS], 1)]
    return Posed(
        np.concatenate(points).astype(np.float32),
        np.concatenate(normals).astype(np.float32),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(parts),
    )
