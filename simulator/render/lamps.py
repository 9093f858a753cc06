"""Light and shadow: a key lamp and an overhead panel, each with a map of how high things stand in its rays."""

from __future__ import annotations

from math import ceil
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from simulator.render.materials import Materials
from simulator.render.pieces import Piece
from simulator.scene import Look

Floats = NDArray[np.float64]
Rect = tuple[int, int, int, int]
REGION: Final = (-1320.0, -520.0, 1320.0, 1440.0)
PX_MM: Final = 4.0
KEEP: Final = 0.18
"""How much light leaks through a variance shadow and is taken off (the shaders use the same)."""
BLUR: Final = {"key": 2.2, "fill": 6.0}


def kelvin_rgb(kelvin: float) -> Floats:
    """The colour of a lamp (3,), linear, brightest part 1."""
    t = kelvin / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.12 if t <= 66 else 288.12 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else 138.52 * np.log(max(t - 10, 1.0)) - 305.04
    rgb = (np.clip([red, green, blue], 0, 255) / 255) ** 2.0
    balanced: Floats = rgb**0.35  # a camera balances most of it away
    balanced /= balanced.max()
    return balanced


class Lamps:
    """The lamps of a look; `cast` makes their shadows, `uniforms` is what shaders need."""

    def __init__(self, context: Any, look: Look, layout: Layout) -> None:
        self.context = context
        light = look.light
        self._dirs = {"key": _unit(light.key), "fill": _unit(light.fill)}
        self.shears = {name: (d[0] / d[2], d[1] / d[2]) for name, d in self._dirs.items()}
        x0, y0, x1, y1 = REGION
        self.region = (x0, y0, 1 / (x1 - x0), 1 / (y1 - y0))
        self._size = (round((x1 - x0) / PX_MM), round((y1 - y0) / PX_MM))
        self._held = []
        self._targets = {}
        for name in self._dirs:
            parts = (context.texture(self._size, 2, dtype="f4"), context.depth_renderbuffer(self._size))
            self._targets[name] = context.framebuffer([parts[0]], parts[1])
            self._held += [self._targets[name], *parts]
        self._heights = {name: np.zeros((*self._size[::-1], 2), np.float32) for name in self._dirs}
        self._maps = {name: context.texture(self._size, 2, dtype="f4") for name in self._dirs}
        for texture in self._maps.values():
            texture.filter = (context.LINEAR, context.LINEAR)
            texture.repeat_x = texture.repeat_y = False
        self._ground = context.texture(self._size, 2, alignment=1)
        self._ground.filter = (context.LINEAR, context.LINEAR)
        self._ground.repeat_x = self._ground.repeat_y = False
        self._light = np.zeros((*self._size[::-1], 2), np.uint8)
        pool = (0.0, 0.42 * layout.spec.depth, 1 / 1150.0, light.pool)
        self._spot = _spot(self._size, pool)
        warm = kelvin_rgb(light.kelvin)
        key, fill = 1.05 * light.strength * warm, light.fill_strength * kelvin_rgb(light.kelvin + 900)
        self.uniforms = {
            "region": self.region,
            "key_shear": self.shears["key"],
            "fill_shear": self.shears["fill"],
            "key_dir": tuple(self._dirs["key"]),
            "fill_dir": tuple(self._dirs["fill"]),
            "key_col": tuple(key),
            "fill_col": tuple(fill),
            "key_up": tuple(key * self._dirs["key"][2]),
            "fill_up": tuple(fill * self._dirs["fill"][2]),
            "amb_col": tuple(light.ambient * (0.7 * warm + 0.3)),
            "pool": pool,
            "exposure": 1.1,
            "dim": (0.0, 400.0, 1 / 1500.0, 0.55),
        }

    def use(self, key_unit: int, fill_unit: int, ground_unit: int) -> None:
        """Bind the maps."""
        self._ground.use(ground_unit)
        self._maps["key"].use(key_unit)
        self._maps["fill"].use(fill_unit)

    def cast(self, materials: Materials, pieces: list[Piece], changed: list[Piece] | None) -> None:
        """Bring the maps up to date, everywhere or only about what changed."""
        for name, texture in self._maps.items():
            rects = [(0, 0, *self._size)] if changed is None else self._rects(name, changed)
            for rect in rects:
                self._redraw(name, texture, rect, materials, pieces)

    def _redraw(self, name: str, texture: Any, rect: Rect, materials: Materials, pieces: list[Piece]) -> None:
        """Draw one rectangle (x0, y0, x1, y1) of a map."""
        x0, y0, x1, y1 = rect
        target = self._targets[name]
        target.use()
        self.context.viewport = (0, 0, *self._size)
        target.scissor = (x0, y0, x1 - x0, y1 - y0)
        target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        self.context.enable_only(self.context.DEPTH_TEST)
        self.context.depth_func = "<"
        materials.set("height", {"shear": self.shears[name], "region": self.region})
        near = [p for p in pieces if any(_overlap(r, rect) for r in self._spots(name, p))]
        materials.draw("height", near, background=False)
        raw = target.read(viewport=(x0, y0, x1 - x0, y1 - y0), components=2, dtype="f4", alignment=1)
        target.scissor = None
        heights = self._heights[name]
        heights[y0:y1, x0:x1] = np.frombuffer(raw, np.float32).reshape(y1 - y0, x1 - x0, 2)
        grow = ceil(3 * BLUR[name]) + 1
        a, b, c, d = _grown(rect, grow, self._size)
        e, f, g, h = _grown(rect, 2 * grow, self._size)
        soft = cv2.GaussianBlur(heights[f:h, e:g], (0, 0), BLUR[name])
        part = np.ascontiguousarray(soft[b - f : d - f, a - e : c - e], np.float32)
        texture.write(part, viewport=(a, b, c - a, d - b))
        self._shine(name, part, (a, b, c, d))

    def _shine(self, name: str, heights: NDArray[np.float32], rect: Rect) -> None:
        """Work out what of a lamp reaches the cloth, as the shaders do elsewhere."""
        x0, y0, x1, y1 = rect
        mean, square = heights[..., 0], heights[..., 1]
        over = np.maximum(mean - 0.007, 0.0)
        spread = np.maximum(square - mean * mean, 4e-5)
        lit = spread / (spread + over * over)
        if name == "key":
            lit = np.clip((lit - KEEP) / (1 - KEEP), 0, 1) * self._spot[y0:y1, x0:x1]
        self._light[y0:y1, x0:x1, 0 if name == "key" else 1] = lit * 255
        part = np.ascontiguousarray(self._light[y0:y1, x0:x1])
        self._ground.write(part, viewport=(x0, y0, x1 - x0, y1 - y0), alignment=1)

    def _spots(self, name: str, piece: Piece) -> list[Rect]:
        """The rectangles of a map in which a piece stands."""
        found: list[Rect] | None = piece.spots.get(name)
        if found is None:
            sx, sy = self.shears[name]
            found = []
            for hull in piece.hulls:
                at = (hull[:, :2] - hull[:, 2:] * (sx, sy) - self.region[:2]) / PX_MM
                low, high = np.floor(at.min(0)).astype(int) - 1, np.ceil(at.max(0)).astype(int) + 2
                x0, y0 = (int(max(0, v)) for v in low)
                x1, y1 = min(self._size[0], int(high[0])), min(self._size[1], int(high[1]))
                if x1 > x0 and y1 > y0:
                    found.append((x0, y0, x1, y1))
            piece.spots[name] = found
        return found

    def _rects(self, name: str, changed: list[Piece]) -> list[Rect]:
        """The rectangles of a map that change, joined where they meet."""
        left = [rect for piece in changed for rect in self._spots(name, piece)]
        out: list[Rect] = []
        while left:
            one = left.pop()
            meet = next((r for r in out if _overlap(r, one)), None)
            if meet is None:
                out.append(one)
            else:
                out.remove(meet)
                left.append(
                    (min(meet[0], one[0]), min(meet[1], one[1]), max(meet[2], one[2]), max(meet[3], one[3]))
                )
        return out

    def shadows(self, hull: Floats) -> list[Floats]:
        """Where the shadow of convex points may fall on the table: the points and their ends on the cloth."""
        out = []
        for name, (sx, sy) in self.shears.items():
            z = np.maximum(hull[:, 2:], 0.0)
            ground = np.column_stack([hull[:, :2] - z * (sx, sy), np.zeros(len(hull))])
            r = 3 * BLUR[name] * PX_MM * 0.7
            wide = [ground + (dx, dy, 0) for dx in (-r, r) for dy in (-r, r)]
            out.append(np.concatenate([hull, *wide]))
        return out

    def release(self) -> None:
        """Free the graphics memory."""
        for thing in (*self._held, *self._maps.values(), self._ground):
            thing.release()


def _spot(size: tuple[int, int], pool: tuple[float, ...]) -> NDArray[np.float32]:
    """How bright the key lamp's pool of light is over the map (H, W)."""
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32) * PX_MM
    far = ((x + REGION[0] - pool[0]) ** 2 + (y + REGION[1] - pool[1]) ** 2) * pool[2] ** 2
    return np.asarray(1 - pool[3] * np.minimum(1, far), np.float32)


def _overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _grown(rect: Rect, by: int, size: tuple[int, int]) -> Rect:
    x0, y0, x1, y1 = rect
    return max(0, x0 - by), max(0, y0 - by), min(size[0], x1 + by), min(size[1], y1 + by)


def _unit(v: tuple[float, float, float]) -> Floats:
    out: Floats = np.asarray(v, np.float64)
    return out / np.linalg.norm(out)
