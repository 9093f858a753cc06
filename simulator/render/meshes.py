"""Small meshes as numpy arrays: the card, the chip, and builders for everything solid.

A solid mesh is (N, 13) float32 triangles: position (3), normal (3), colour sRGB and alpha (4), gloss, glow,
and the number of its object in the id picture, which the renderer writes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.layout import CARD_HEIGHT, CARD_WIDTH, CHIP_DIAMETER, CHIP_HEIGHT
from simulator.art.decks import CORNER_MM

F32 = NDArray[np.float32]
Colour = Sequence[float]


def card_outline(steps: int = 4) -> NDArray[np.float64]:
    """The outline of a card (N, 2) mm about its middle, counter-clockwise, corners rounded."""
    points = []
    for cx, cy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for i in range(steps + 1):
            a = (start + 90 * i / steps) * pi / 180
            points.append(
                (
                    cx * (CARD_WIDTH / 2 - CORNER_MM) + CORNER_MM * cos(a),
                    cy * (CARD_HEIGHT / 2 - CORNER_MM) + CORNER_MM * sin(a),
                )
            )
    return np.array(points)


def _rows(steps: int = 4, middle: int = 7) -> list[tuple[float, float]]:
    """Half width of the card at falling heights, for strips that can bend."""
    right = [(x, y) for x, y in card_outline(steps)[: steps + 1]][::-1]
    inner = CARD_HEIGHT / 2 - CORNER_MM
    body = [(CARD_WIDTH / 2, float(y)) for y in np.linspace(inner, -inner, middle)[1:-1]]
    return right + body + [(x, -y) for x, y in right[::-1]]


def card_mesh() -> F32:
    """Triangles of a card: (N, 7) shape (x, y, -1|1), normal hint (3), side (0 face, 1 back, 2 edge)."""
    rows = _rows()
    out: list[tuple[float, ...]] = []
    for (xa, ya), (xb, yb) in itertools.pairwise(rows):
        a, b, c, d = (-xa, ya), (xa, ya), (xb, yb), (-xb, yb)
        for z, side in ((1.0, 0.0), (-1.0, 1.0)):
            out += [(x, y, z, 0.0, 0.0, z, side) for x, y in (a, b, c, a, c, d)]
        for s in (-1.0, 1.0):
            p, q = (s * xa, ya), (s * xb, yb)
            n = np.array([s * (ya - yb), xa - xb]) * np.array([1.0, -1.0])
            n = n / (np.linalg.norm(n) or 1.0)
            ring = ((p, 1.0), (p, -1.0), (q, -1.0), (p, 1.0), (q, -1.0), (q, 1.0))
            out += [(x, y, z, float(n[0]), float(n[1]), 0.0, 2.0) for (x, y), z in ring]
    top, bottom = rows[0], rows[-1]
    for (x, y), s in ((top, 1.0), (bottom, -1.0)):
        ring = (
            ((-x, y), 1.0),
            ((-x, y), -1.0),
            ((x, y), -1.0),
            ((-x, y), 1.0),
            ((x, y), -1.0),
            ((x, y), 1.0),
        )
        out += [(px, py, z, 0.0, s, 0.0, 2.0) for (px, py), z in ring]
    return np.array(out, np.float32)


def chip_mesh(steps: int = 36) -> F32:
    """Triangles of a chip: (N, 9) shape (3, bottom at z 0), normal (3), u, v, 1 on the rim."""
    r, h, bevel = CHIP_DIAMETER / 2, CHIP_HEIGHT, 0.35
    out: list[tuple[float, ...]] = []

    def disc(z: float, nz: float, mirror: float) -> None:
        for i in range(steps):
            for j in (None, i, i + 1):
                a = 0.0 if j is None else 2 * pi * j / steps
                k = 0.0 if j is None else 1.0
                x, y = cos(a) * k, sin(a) * k
                rr = r - bevel
                out.append((x * rr, y * rr, z, 0, 0, nz, 0.5 + 0.5 * x * mirror, 0.5 - 0.5 * y, 0))

    disc(h, 1.0, 1.0)
    disc(0.0, -1.0, -1.0)
    bands = (
        (r - bevel, 0.0, -0.7, 0.0), (r, bevel, 0.0, 0.1), (r, h - bevel, 0.0, 0.9), (r - bevel, h, 0.7, 1.0),
    )  # fmt: skip
    for (ra, za, na, va), (rb, zb, nb, vb) in itertools.pairwise(bands):
        for i in range(steps):
            for j, (rr, z, nz, v) in (
                (i, (ra, za, na, va)), (i + 1, (ra, za, na, va)), (i + 1, (rb, zb, nb, vb)),
                (i, (ra, za, na, va)), (i + 1, (rb, zb, nb, vb)), (i, (rb, zb, nb, vb)),
            ):  # fmt: skip
                a = 2 * pi * j / steps
                flat = (1 - nz * nz) ** 0.5
                out.append((cos(a) * rr, sin(a) * rr, z, cos(a) * flat, sin(a) * flat, nz, j / steps, v, 1))
    return np.array(out, np.float32)


def solid(
    positions: ArrayLike, normals: ArrayLike, colour: ArrayLike, gloss: float, alpha: float = 1.0
) -> F32:
    """A solid mesh from triangles (N, 3), normals (N, 3) and one colour or (N, 3) colours."""
    p = np.asarray(positions, np.float32).reshape(-1, 3)
    out = np.zeros((len(p), 13), np.float32)
    out[:, 0:3], out[:, 3:6] = p, np.asarray(normals, np.float32).reshape(-1, 3)
    out[:, 6:9], out[:, 9], out[:, 10] = np.asarray(colour, np.float32), alpha, gloss
    return out


def grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    """Indices (M,) of the triangles of a rows x columns lattice of points."""
    i = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1]
    return np.stack([a, b, c, a, c, d], axis=-1).ravel()


def surface(points: ArrayLike, colour: ArrayLike, gloss: float, alpha: float = 1.0) -> F32:
    """A smooth solid through a lattice of points (rows, columns, 3), normals from its neighbours."""
    p = np.asarray(points, np.float64)
    du, dv = np.gradient(p, axis=0), np.gradient(p, axis=1)
    if np.allclose(p[:, 0], p[:, -1]):
        dv[:, 0] = dv[:, -1] = (p[:, 1] - p[:, -2]) / 2
    n = np.cross(dv, du)
    n /= np.maximum(np.linalg.norm(n, axis=2, keepdims=True), 1e-9)
    tri = grid_triangles(p.shape[0], p.shape[1])
    c = np.asarray(colour, np.float32)
    if c.ndim == 3:
        c = c.reshape(-1, 3)[tri]
    return solid(p.reshape(-1, 3)[tri], n.reshape(-1, 3)[tri], c, gloss, alpha)


def box(
    centre: Colour, size: Colour, yaw: float, colour: Colour, gloss: float = 0.1, alpha: float = 1.0
) -> F32:
    """A box standing on z = centre[2], turned by `yaw` radians about the vertical."""
    w, d, h = size[0] / 2, size[1] / 2, size[2]
    corners = np.array([(x, y, z) for z in (0.0, h) for y in (-d, d) for x in (-w, w)])
    faces = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))
    normals = ((0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0))
    c, s = cos(yaw), sin(yaw)
    turn = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    points, norms = [], []
    for (a, b, e, f), n in zip(faces, normals, strict=True):
        points += [corners[i] for i in (a, b, e, a, e, f)]
        norms += [n] * 6
    place = np.asarray(points) @ turn.T + np.asarray(centre, np.float64)
    return solid(place, np.asarray(norms) @ turn.T, colour, gloss, alpha)


def lathe(
    centre: Colour, profile: Sequence[tuple[float, float]], colour: Colour, gloss: float, alpha: float = 1.0,
    steps: int = 28, squash: float = 1.0, yaw: float = 0.0,
) -> F32:  # fmt: skip
    """A round thing: `profile` of (radius, height) turned about the vertical through `centre`."""
    a = np.linspace(0, 2 * pi, steps + 1)
    r = np.array([p[0] for p in profile])[:, None]
    z = np.array([p[1] for p in profile])[:, None]
    x, y = r * np.cos(a), r * np.sin(a) * squash
    c, s = cos(yaw), sin(yaw)
    points = np.stack([x * c - y * s + centre[0], x * s + y * c + centre[1], z + 0 * a + centre[2]], axis=-1)
    return surface(points[::-1], colour, gloss, alpha)


def tube(
    path: ArrayLike, radii: ArrayLike, colour: ArrayLike, gloss: float, steps: int = 14, closed: bool = False
) -> F32:
    """A round tube along `path` (N, 3) with `radii` (N,) or (N, 2) across and along the vertical.

    `closed` draws its first ring together to a point.
    """
    p = np.asarray(path, np.float64)
    r = np.asarray(radii, np.float64)
    if closed:
        p, r = np.concatenate([p[:1], p]), np.concatenate([r[:1] * 0.02, r])
        p[0] += (p[1] - p[2]) * 0.05
    r = np.stack([r, r], 1) if r.ndim == 1 else r
    t = np.gradient(p, axis=0)
    t /= np.linalg.norm(t, axis=1, keepdims=True)
    side = np.cross(t, (0.0, 0.0, 1.0))
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-6)
    up = np.cross(side, t)
    a = np.linspace(0, 2 * pi, steps + 1)[None, :, None]
    ring = side[:, None] * np.cos(a) * r[:, :1, None] + up[:, None] * np.sin(a) * r[:, 1:, None]
    c = np.asarray(colour, np.float32)
    if c.ndim == 2:
        c = np.repeat(c[:, None], steps + 1, axis=1)
    return surface(p[:, None] + ring, c, gloss)
