"""What stands at every table: rail, dealer's board, tray, discard rack, shoe or shuffler, acceptor lights.

Static solids are built once; what changes (rack content, tray columns, lights) comes as pieces of its own.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from calibration.layout import Area, Layout
from simulator.render.meshes import F32, box, lathe, solid, surface
from simulator.scene import Look, ShoeKind

STEEL = (0.50, 0.50, 0.52)
DARK = (0.12, 0.12, 0.13)
RAIL_TOP = 34.0
RAIL_PARTS = 10


def rail_mesh(layout: Layout, look: Look, part: int) -> F32:
    """One of RAIL_PARTS of the padded rail around the players' side, with the wooden apron below it."""
    spec = layout.spec
    steps = 140 // RAIL_PARTS
    whole = np.linspace(-0.03, pi + 0.03, RAIL_PARTS * steps + 3)
    a = whole[part * steps : part * steps + steps + 3]
    ux, uy = np.cos(a), np.sin(a)
    normal = np.stack([ux / spec.half_width, uy / spec.depth], 1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    base = np.stack([spec.half_width * ux, spec.depth * uy], 1)
    w = spec.rail_width
    profile = [(0, -6), (1, 4), (6, 16), (16, 26), (32, 32), (0.5 * w, RAIL_TOP), (w - 32, 31), (w - 14, 22),
               (w - 3, 8), (w, -12), (w - 4, -40), (w - 18, -60), (w - 20, -150)]  # fmt: skip
    rows = [np.column_stack([base + normal * out, np.full(len(a), z)]) for out, z in profile]
    points = np.stack(rows, axis=1)
    colours = np.tile(np.array(look.rail, np.float32), (*points.shape[:2], 1))
    colours[:, -3:] = (0.20, 0.12, 0.07)
    return surface(points[::-1], colours, 0.32)


def board_mesh(layout: Layout) -> F32:
    """The dealer's board and what is under it."""
    wide = 2 * layout.spec.half_width + 2 * layout.spec.rail_width
    board = box((0, -17, -22), (wide * 0.93, 34, 25), 0, (0.30, 0.18, 0.10), 0.3)
    under = box((0, -22, -190), (wide * 0.93, 24, 168), 0, (0.16, 0.10, 0.06), 0.1)
    return np.concatenate([board, under])


def tray_mesh(layout: Layout, columns: int) -> F32:
    """The tray with a round trough for each column, seen from above."""
    tray = layout.tray
    cx, cy = tray.centre
    parts = [
        box((cx, cy, 0.2), (tray.width, tray.depth, 5), 0, DARK, 0.2),
        box((cx, cy - tray.depth / 2 + 2, 0), (tray.width + 8, 5, 19), 0, DARK, 0.3),
        box((cx, cy + tray.depth / 2 - 2, 0), (tray.width + 8, 5, 13), 0, DARK, 0.3),
    ]
    for i in range(columns + 1):
        x = cx - tray.width / 2 + tray.width * i / max(1, columns)
        parts.append(box((x, cy, 0), (3.5, tray.depth, 16), 0, (0.16, 0.16, 0.17), 0.3))
    return np.concatenate(parts)


def rack_mesh(layout: Layout) -> tuple[F32, F32]:
    """The discard rack: what is solid of it, and its clear red walls."""
    rack = layout.rack
    (cx, cy), w, d = rack.centre, rack.width, rack.depth
    base = box((cx, cy, 0), (w, d, 5), 0, (0.42, 0.07, 0.08), 0.4)
    red = (0.62, 0.08, 0.10)
    walls = [
        box((cx - w / 2 + 2, cy, 5), (4, d, 62), 0, red, 0.6, 0.55),
        box((cx + w / 2 - 2, cy, 5), (4, d, 62), 0, red, 0.6, 0.55),
        box((cx, cy - d / 2 + 2, 5), (w, 4, 62), 0, red, 0.6, 0.55),
    ]
    return base, np.concatenate(walls)


def _at(area: Area, along: float, across: float, z: float) -> tuple[float, float, float]:
    x, y = area.at(along, across)
    return (x, y, z)


def shoe_mesh(layout: Layout, kind: ShoeKind, light: bool) -> F32:
    """The shuffler with its screen, or a dealing shoe with its sloping top."""
    area = layout.shoe
    yaw = area.direction - pi / 2
    w, d = area.width, area.depth
    if kind == "shuffler":
        glow = (0.35, 0.95, 0.45) if light else (0.36, 0.62, 0.70)
        screen = box(_at(area, -0.1 * d, 0, 152), (70, 46, 2), yaw, glow, 0.2)
        screen[:, 11] = 0.35
        return np.concatenate(
            [
                box(_at(area, -0.06 * d, 0, 0), (w * 0.94, d * 0.86, 118), yaw, DARK, 0.25),
                box(_at(area, -0.10 * d, 0, 118), (w * 0.82, d * 0.66, 34), yaw, (0.19, 0.19, 0.20), 0.25),
                box(_at(area, 0.40 * d, 0, 0), (w * 0.5, d * 0.2, 10), yaw, (0.2, 0.2, 0.21), 0.3),
                screen,
            ]
        )
    c, s = cos(area.direction), sin(area.direction)
    shape = [(-0.5, 112), (-0.35, 116), (0.1, 92), (0.34, 36), (0.44, 12), (0.5, 9)]
    top = []
    for along, z in shape:
        x, y = area.at(along * d, 0)
        top.append([(x - t * w * 0.32 * -s, y - t * w * 0.32 * c, z) for t in (-1, 1)])
    points = np.array(top)
    parts = [surface(points, (0.13, 0.13, 0.14), 0.5)]
    for k in (0, 1):
        wall = np.stack([points[:, k], points[:, k] * (1, 1, 0)], axis=1)
        parts.append(surface(wall, (0.15, 0.15, 0.16), 0.4))
    back = np.stack([points[0], points[0] * (1, 1, 0)], axis=0)
    parts.append(surface(back, (0.12, 0.12, 0.13), 0.4))
    return np.concatenate(parts)


def light_mesh(area: Area, on: bool) -> F32:
    """The acceptor ring of a jackpot spot with its lamp beside it."""
    r = area.width / 2
    (x, y), lamp = area.centre, area.at(r + 9, 0)
    ring = lathe((x, y, 0), ((r + 3, 0.2), (r + 2, 1.6), (r - 1, 1.6), (r - 2, 0.2)), STEEL, 0.6, steps=32)
    colour = (1.0, 0.25, 0.16) if on else (0.30, 0.05, 0.05)
    bulb = lathe((*lamp, 0), ((5.5, 0.2), (5.0, 3.0), (3.0, 4.6), (0.01, 5.0)), colour, 0.6, steps=14)
    if on:
        bulb[:, 11] = 1.6
        halo = lathe((*lamp, 0.25), ((15.0, 0.0), (0.01, 0.1)), (0.9, 0.12, 0.08), 0.0, 0.35, steps=18)
        halo[:, 11] = 0.25
        return np.concatenate([ring, bulb, halo])
    return np.concatenate([ring, bulb])


def torso_mesh(x: float, y: float, facing: float, colour: tuple[float, float, float], dealer: bool) -> F32:
    """A seated (or standing) body behind the table's edge, up to the neck, with a head."""
    h = 520.0 if dealer else 330.0
    profile = (
        (150, -380),
        (165, -150),
        (158, 60),
        (172, 0.62 * h),
        (168, 0.86 * h),
        (120, h),
        (60, h + 45),
        (52, h + 70),
    )
    body = lathe((x, y, 0), profile, colour, 0.04, steps=26, squash=0.62, yaw=facing - pi / 2)
    skull = [(95 * sin(t) + 0.01, h + 170 - 120 * cos(t)) for t in np.linspace(0, pi, 12)]
    head = lathe((x, y, 0), skull, (0.24, 0.17, 0.13), 0.05, steps=20)
    return np.concatenate([body, head])


def flat_triangles(points: np.ndarray, z: float, colour: tuple[float, float, float], gloss: float) -> F32:
    """A flat convex polygon (N, 2) at a height, as a fan."""
    middle = points.mean(0)
    n = len(points)
    tri = np.array([(middle, points[i], points[(i + 1) % n]) for i in range(n)]).reshape(-1, 2)
    full = np.column_stack([tri, np.full(len(tri), z)])
    return solid(full, np.tile((0.0, 0.0, 1.0), (len(full), 1)), colour, gloss)
