"""Arms and hands: a skinned hand bent into grips, set down where its fingers work, with a dressed arm behind it.

The mesh (data/hand.npz, MIT, see data/NOTICE.txt; converted by scripts/convert_hand.py) is a left hand in mm:
fingers along +y, palm down, thumb towards +x, origin at the wrist. A right hand is its mirror image.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from math import atan2, cos, hypot, radians, sin
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout, Point
from simulator.render.meshes import F32, solid, tube
from simulator.scene import Grip, HandPose, Person

Floats = NDArray[np.float64]
DATA: Final = Path(__file__).parent / "data" / "hand.npz"
FINGERS: Final = ("index-finger", "middle-finger", "ring-finger", "pinky-finger")
UPPER_ARM, FOREARM = 300.0, 262.0

# Bend (degrees) at knuckle, middle and end joint of index, middle, ring and little finger; thumb: swing under the
# palm, bend, bend; then how steeply the hand points down, and how far the fingers spread when fully open.
GRIPS: Final[dict[Grip, tuple[tuple[tuple[float, float, float], ...], float, float]]] = {
    "rest": (((16, 24, 14), (18, 26, 15), (21, 27, 15), (23, 28, 15), (8, 8, 8)), 12, 3),
    "flat": (((5, 8, 4), (5, 8, 4), (6, 9, 5), (7, 10, 5), (2, 4, 4)), 5, 6),
    "spread": (((4, 7, 4), (4, 7, 4), (5, 8, 4), (6, 9, 5), (-10, 2, 2)), 5, 13),
    "push": (((12, 20, 12), (12, 20, 12), (15, 22, 13), (18, 24, 13), (6, 8, 8)), 24, 4),
    "pinch": (((44, 40, 16), (46, 46, 22), (58, 60, 30), (64, 64, 32), (28, 26, 22)), 32, 2),
    "hold": (((38, 42, 22), (42, 46, 24), (46, 50, 26), (50, 52, 28), (30, 22, 18)), 34, 4),
    "point": (((6, 6, 4), (66, 80, 42), (70, 84, 44), (72, 84, 44), (28, 34, 30)), 20, 0),
    "fist": (((74, 88, 54), (76, 92, 56), (78, 92, 56), (80, 90, 54), (30, 36, 32)), 10, 0),
}  # fmt: skip


@lru_cache(maxsize=1)
def _model() -> tuple[Floats, NDArray[np.int64], Floats, dict[str, int], Floats]:
    """Vertices (V, 3), triangles (T, 3), weights (V, J), joint numbers by name, joint positions (J, 3)."""
    with np.load(DATA) as data:
        weights = data["weights"].astype(np.float64)
        return (
            data["vertices"].astype(np.float64),
            data["triangles"].astype(np.int64).reshape(-1, 3),
            weights / weights.sum(1, keepdims=True),
            {str(name): i for i, name in enumerate(data["names"])},
            data["joints"].astype(np.float64),
        )


def _turn(axis: Floats, degrees: float, about: Floats) -> Floats:
    """A 4 x 4 rotation about an axis through a point."""
    a = axis / np.linalg.norm(axis)
    c, s = cos(radians(degrees)), sin(radians(degrees))
    x, y, z = a
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = np.eye(4)
    out[:3, :3] = c * np.eye(3) + s * skew + (1 - c) * np.outer(a, a)
    out[:3, 3] = about - out[:3, :3] @ about
    return out


def _bend(grip: Grip, open_: float) -> Floats:
    """The transform (J, 4, 4) of every joint for a grip."""
    _, _, _, names, joints = _model()
    bends, _, fan = GRIPS[grip]
    ease = 1.2 - 0.4 * open_
    out = np.tile(np.eye(4), (len(joints), 1, 1))
    up = np.array([0.0, 0.0, 1.0])
    for i, (finger, angles) in enumerate(zip(FINGERS, bends, strict=False)):
        parts = [
            f"{finger}-{p}" for p in ("phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")
        ]
        at = [joints[names[p]] for p in parts]
        axis = np.cross(at[-1] - at[0], up)
        total = _turn(up, (1.2 - 0.8 * i) * fan * (open_ - 0.3), at[0])
        for part, where, angle in zip(parts, at, (*angles, 0.0), strict=True):
            total = total @ _turn(axis, -angle * ease, where)
            out[names[part]] = total
    parts = [f"thumb-{p}" for p in ("metacarpal", "phalanx-proximal", "phalanx-distal", "tip")]
    at = [joints[names[p]] for p in parts]
    swing, *rest = bends[4]
    along = at[-1] - at[0]
    total = _turn(np.array([0.0, 1.0, 0.0]), swing * ease, at[0]) @ _turn(up, swing * ease * 0.6, at[0])
    out[names[parts[0]]] = total
    axis = np.cross(along, np.array([-0.35, 0.2, 1.0]))
    for part, where, angle in zip(parts[1:], at[1:], (*rest, 0.0), strict=True):
        total = total @ _turn(axis, -angle * ease * 0.8, where)
        out[names[part]] = total
    return out


@lru_cache(maxsize=128)
def _posed(grip: Grip, tenths: int) -> tuple[Floats, Floats, Floats, float]:
    """Points (V, 3), normals (V, 3) of a left hand in a grip, the point it works at (3,), its pitch (degrees)."""
    vertices, triangles, weights, names, joints = _model()
    moves = _bend(grip, tenths / 10)
    blended = np.tensordot(weights, moves, axes=1)
    points = np.einsum("vij,vj->vi", blended[:, :3, :3], vertices) + blended[:, :3, 3]
    a, b, c = (points[triangles[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], flat)
    key = np.round(vertices, 3)
    _, same = np.unique(key, axis=0, return_inverse=True)
    merged = np.zeros((int(same.max()) + 1, 3))
    np.add.at(merged, same.ravel(), normals)
    normals = merged[same.ravel()]
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)

    def tip(finger: str) -> Floats:
        j = names[f"{finger}-tip"]
        return np.asarray((moves[j] @ np.append(joints[j], 1.0))[:3])

    pitch = GRIPS[grip][1]
    if grip in ("pinch", "hold"):
        work = (tip("index-finger") * 1.2 + tip("thumb") * 0.8) / 2
    elif grip == "point":
        work = tip("index-finger") + np.array([0.0, 8.0, -8.0])
    else:
        work = (tip("index-finger") + tip("middle-finger") + tip("ring-finger")) / 3 + np.array(
            [0.0, 0.0, -9.0]
        )
    return points, normals, np.asarray(work), pitch


def shoulder_of(hand: HandPose, layout: Layout) -> tuple[Floats, float]:
    """The owner's shoulder (3,) on the side of the hand, and the direction (radians) the owner faces."""
    place = None if hand.who == 0 else layout.seat(hand.who)
    facing = np.pi / 2 if place is None else place.direction
    body: Point = layout.dealer_body if place is None else place.body
    across = facing + (np.pi / 2 if hand.side == "left" else -np.pi / 2)
    if hand.who == 0:  # the dealer stands back and low enough that the bets camera looks over the shoulders
        return np.array([body[0] + 190 * cos(across), body[1] - 60.0, 215.0]), facing
    return np.array([body[0] + 175 * cos(across), body[1] + 175 * sin(across), 300.0]), facing


def _elbow(shoulder: Floats, wrist: Floats, facing: float, side: str) -> tuple[Floats, Floats]:
    """Elbow (3,) of the arm from shoulder to wrist; the shoulder leans forward (3,) if the arm is too short."""
    reach = UPPER_ARM + FOREARM
    gap = wrist - shoulder
    far = float(np.linalg.norm(gap))
    if far > reach * 0.96:
        shoulder = wrist - gap / far * reach * 0.96
        gap, far = wrist - shoulder, reach * 0.96
    along = (far**2 + UPPER_ARM**2 - FOREARM**2) / (2 * far)
    off = max(0.0, UPPER_ARM**2 - along**2) ** 0.5
    away = facing + (np.pi / 2 if side == "left" else -np.pi / 2)
    hint = np.array([0.8 * cos(away), 0.8 * sin(away), -0.55])
    hint -= gap / far * float(np.dot(hint, gap / far))
    hint /= max(float(np.linalg.norm(hint)), 1e-6)
    elbow = shoulder + gap / far * along + hint * off
    elbow[2] = max(elbow[2], 62.0)
    return elbow, shoulder


def _arm(joints: list[Floats], person: Person) -> list[F32]:
    """Bare forearm as far as the sleeve leaves it, sleeve with cuff and folds, from wrist to body."""
    lengths = np.cumsum([0.0, *(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(joints))])
    along = np.linspace(0, lengths[-1], 26)
    knots = np.array(joints)
    path = np.stack([np.interp(along, lengths, knots[:, k]) for k in range(3)], 1)
    for _ in range(3):
        path[1:-1] = (path[:-2] + 2 * path[1:-1] + path[2:]) / 4
    t = along / (UPPER_ARM + FOREARM)
    girth = person.girth
    flesh = np.interp(t, (0, 0.05, 0.12, 0.3, 0.5, 1, 1.4), (22, 25, 29, 40, 44, 54, 85)) * girth
    parts = []
    start = min(0.9, max(0.035, (1 - person.sleeve_length) * 0.75))
    bare = t <= start + 0.08
    if bare.sum() > 1:
        radii = np.stack([flesh * 1.08, flesh * 0.82], 1)[bare]
        parts.append(tube(path[bare], radii, person.skin, 0.22, closed=True))
    cloth = np.unique(np.append(t[t > start], [start, start + 0.008]))
    where = np.stack([np.interp(cloth, t, path[:, k]) for k in range(3)], 1)
    wrinkle = 1.5 * np.sin(cloth * 70) + 1.2 * np.sin(cloth * 31 + 1)
    wide = np.interp(cloth, t, flesh) * 1.06 + 7 * girth + wrinkle
    wide[0] -= 5
    radii = np.stack([wide * 1.04, wide * 0.92], 1)
    colour = np.tile(np.array(person.sleeve, np.float32), (len(cloth), 1))
    if person.cuff is not None:
        colour[cloth < start + 0.055] = person.cuff
    parts.append(tube(where, radii, colour, 0.04))
    return parts


def hand_mesh(hand: HandPose, layout: Layout, person: Person) -> tuple[F32, list[Floats]]:
    """Triangles (N, 13) of a hand with its arm in table mm, and convex pieces that enclose them."""
    points, normals, work, pitch = _posed(hand.grip, round(hand.open * 10))
    shoulder, facing = shoulder_of(hand, layout)
    yaw = radians(hand.yaw) if hand.yaw is not None else atan2(hand.y - shoulder[1], hand.x - shoulder[0])
    down = radians(pitch)
    ahead = np.array([cos(yaw) * cos(down), sin(yaw) * cos(down), -sin(down)])
    right = np.array([sin(yaw), -cos(yaw), 0.0])
    up = np.cross(right, ahead)
    roll = radians(hand.turn) * (1 if hand.side == "left" else -1)
    right, up = right * cos(roll) - up * sin(roll), up * cos(roll) + right * sin(roll)
    mirror = 1.0 if hand.side == "left" else -1.0
    size = 0.93 + 0.07 * person.girth
    frame = np.stack([right * mirror, ahead, up], axis=1) * size
    anchor = np.array([hand.x, hand.y, hand.z]) - frame @ work
    placed = points @ frame.T + anchor
    lowest = float(placed[:, 2].min())
    if lowest < 0.3 and hand.z >= 0 and hypot(hand.x, hand.y) < 1400:
        rise = np.array([0.0, 0.0, 0.3 - lowest])
        anchor, placed = anchor + rise, placed + rise
    turned = normals @ frame.T / size
    triangles = _model()[1].ravel()
    tone = np.array(person.skin, np.float32)
    tips = np.clip((points[:, 1] - 120) / 80, 0, 1)[:, None] * np.array([0.03, -0.035, -0.03])
    colours = np.clip(tone + tips, 0, 1).astype(np.float32)
    mesh = [solid(placed[triangles], turned[triangles], colours[triangles], 0.25)]
    wrist, inner = anchor + frame @ np.array([2.0, -8.0, -6.0]), anchor + frame @ np.array([2.0, 14.0, -7.0])
    body = shoulder
    elbow, shoulder = _elbow(body, wrist, facing, hand.side)
    leans = [body] if float(np.linalg.norm(body - shoulder)) > 30.0 else []
    leans.append(body - (120 * cos(facing), 120 * sin(facing), 190.0))
    mesh += _arm([inner, wrist, elbow, shoulder, *leans], person)
    thin, fat, wide = (r * person.girth for r in (62.0, 72.0, 104.0))
    hull = [
        _corners(placed.min(0), placed.max(0)),
        _capsule(wrist, elbow, thin),
        _capsule(elbow, shoulder, fat),
        *(_capsule(a, b, wide) for a, b in itertools.pairwise([shoulder, *leans])),
    ]
    return np.concatenate(mesh), hull


def _corners(low: Floats, high: Floats) -> Floats:
    return np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )


def _capsule(a: Floats, b: Floats, r: float) -> Floats:
    """Points whose hull encloses a limb from a to b."""
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
    side = np.cross(along, (0, 0, 1.0))
    side /= max(float(np.linalg.norm(side)), 1e-6)
    over = np.cross(side, along)
    ends = (a - along * 12, b + along * 20)
    return np.array([e + side * r * i + over * r * j for e in ends for i in (-1, 1) for j in (-1, 1)])
