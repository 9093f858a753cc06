"""Draws scenes: a still picture once, then only the tiles that something changed in.

A picture is the mean of a few samples, each a little shifted (smooth edges) and taken at another moment of the
exposure (motion blur). The depth buffer guards what need not be drawn: it is set to "nearest" everywhere and to
"far away" in the tiles in which anything, or its shadow, moved, so that only those are shaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import Layout
from simulator.render.context import gl_context
from simulator.render.glsl import PLAIN_F, TILE_V, VERSION
from simulator.render.lamps import Lamps
from simulator.render.materials import Materials
from simulator.render.pieces import Builder, Piece
from simulator.render.stock import Stock
from simulator.scene import HandPose, Look, Scene

TILE: Final = 16
WHOLE: Final = ((-0.28, -0.14), (0.26, -0.30), (0.04, 0.32))
"""Where in a pixel each sample of a whole picture looks."""
AGAIN: Final = ((-0.25, -0.25), (0.25, 0.25))
"""The same where only parts are drawn again."""
Mask = NDArray[np.bool_]
Rect = tuple[int, int, int, int]


class Shooter:
    """Films the scenes of one look; aim it before drawing."""

    def __init__(self, look: Look, layout: Layout, values: tuple[int, ...]) -> None:
        self.context = gl_context()
        self.look, self.layout = look, layout
        self.builder = Builder(look, layout, values)
        self.stock = Stock(self.context, look, layout, values)
        self.materials = Materials(self.context, self.stock, layout)
        self.lamps = Lamps(self.context, look, layout)
        self.pieces: dict[str, Piece] = {}
        self._held: list[Any] = []
        self._wipe = self.context.program(vertex_shader=TILE_V, fragment_shader=VERSION + PLAIN_F)

    def aim(self, camera: Camera) -> None:
        """Film with a camera from now on; the first picture is drawn whole."""
        self.camera = camera
        size = (camera.lens.width, camera.lens.height)
        if not self._held or self._size != size:
            self._make_buffers(size)
        self.materials.aim(camera)
        self._shape = (-(-size[1] // TILE), -(-size[0] // TILE))
        for piece in self.pieces.values():
            piece.tiles = piece.shade = None
        self._fresh = True

    def _make_buffers(self, size: tuple[int, int]) -> None:
        for thing in self._held:
            thing.release()
        self._size = size
        make = self.context
        plain, near = make.renderbuffer(size, 4), make.depth_renderbuffer(size)
        self._colours = make.framebuffer([plain], near)
        ids, depth = make.texture(size, 1, dtype="u2"), make.depth_renderbuffer(size)
        self._numbers = make.framebuffer([ids], depth)
        self._held = [self._colours, self._numbers, plain, near, ids, depth]
        self.picture = np.zeros((size[1], size[0], 3), np.uint8)

    def draw(self, scene: Scene, moments: Sequence[Scene] = ()) -> Mask:
        """Bring the picture up to date; returns which tiles were drawn anew.

        `moments` are the scene at other moments of the exposure, one for each sample: what differs there is blurred.
        """
        dirty, changed = self._update(scene)
        others = [self._others(moment) for moment in moments]
        if self._fresh:
            dirty[:] = True
        if not dirty.any():
            return dirty
        self.lamps.cast(self.materials, list(self.pieces.values()), None if self._fresh else changed)
        self.materials.light(self.lamps)
        for rect, tiles in _parts(dirty):
            self._draw_part(rect, tiles, others)
        self._fresh = False
        return dirty

    def _draw_part(self, rect: Rect, tiles: Mask, others: Sequence[dict[str, Piece]]) -> None:
        """Draw the marked tiles of a rectangle (in tiles) and bring them into the picture."""
        (w, h), (tx, ty, tw, th) = self._size, rect
        x0, y0, x1, y1 = tx * TILE, ty * TILE, min(w, (tx + tw) * TILE), min(h, (ty + th) * TILE)
        self._colours.use()
        self.context.viewport = (0, 0, w, h)
        self._colours.scissor = (x0, y0, x1 - x0, y1 - y0)
        total = np.zeros((y1 - y0, x1 - x0, 3), np.uint16)
        shown = {
            n: p for n, p in self.pieces.items() if (self._cover(p)[ty : ty + th, tx : tx + tw] & tiles).any()
        }
        jitters = WHOLE if self._fresh else AGAIN
        for number, jitter in enumerate(jitters):
            self._guard(rect, tiles)
            self.materials.set("colour", {"jitter": jitter})
            self.context.enable_only(self.context.DEPTH_TEST)
            self.context.depth_func = "<"
            now = {**shown, **others[number % len(others)]} if others else shown
            self.materials.draw("colour", list(now.values()), background=True)
            raw = self._colours.read(viewport=(x0, y0, x1 - x0, y1 - y0), components=3, alignment=1)
            total += np.frombuffer(raw, np.uint8).reshape(total.shape)
        self._colours.scissor = None
        mean = cv2.convertScaleAbs(total, alpha=1 / len(jitters))
        goal = self.picture[y0:y1, x0:x1]
        wide = cv2.resize(tiles.astype(np.uint8), None, fx=TILE, fy=TILE, interpolation=cv2.INTER_NEAREST)
        cv2.copyTo(mean, wide[: y1 - y0, : x1 - x0], goal)

    def arrange(self, scene: Scene) -> None:
        """Take a scene without drawing it, for `ids` alone; the next picture is drawn whole."""
        self._fresh = True
        self._update(scene)

    def ids(self) -> NDArray[np.uint16]:
        """The number of the object at every pixel (H, W) of the scene drawn last."""
        self._numbers.use()
        self.context.viewport = (0, 0, *self._size)
        self._numbers.clear(0, 0, 0, 0, depth=1.0)
        self.context.enable_only(self.context.DEPTH_TEST)
        self.context.depth_func = "<"
        shown = [p for p in self.pieces.values() if self._cover(p).any()]
        self.materials.draw("id", shown, background=True)
        raw = self._numbers.read(components=1, dtype="u2", alignment=1)
        return np.frombuffer(raw, np.uint16).reshape(self._size[1], self._size[0])

    def release(self) -> None:
        """Free the graphics memory."""
        for thing in (*self._held, self.materials, self.stock, self.lamps, self._wipe):
            thing.release()
        self._held = []
        self.pieces.clear()

    def _update(self, scene: Scene) -> tuple[Mask, list[Piece]]:
        """Make the pieces of what changed; returns the tiles that this touches and what came and went."""
        dirty = np.zeros(self._shape, np.bool_)
        wanted = dict(self.builder.values_of(scene, dealer=self._sees_dealer()))
        changed = [self.pieces.pop(name) for name in [name for name in self.pieces if name not in wanted]]
        for name, value in wanted.items():
            old = self.pieces.get(name)
            if old is not None and (old.value is value or old.value == value):
                continue
            if old is not None:
                changed.append(old)
            self.pieces[name] = self.builder.build(name, value)
            changed.append(self.pieces[name])
        if not self._fresh:
            for piece in changed:
                dirty |= self._effect(piece)
        return dirty, changed

    def _sees_dealer(self) -> bool:
        """Whether the dealer's body may be drawn: not for a camera that looks over the dealer's shoulder."""
        _, y, z = self.camera.position
        return y > 0 or z > 1300

    def _others(self, moment: Scene) -> dict[str, Piece]:
        """The pieces of another moment of the exposure that differ from now.

        They stay within the tiles of now and of the frame before, which are drawn again anyway. A hand is shifted
        and not bent anew.
        """
        found: dict[str, Piece] = {}
        for thing in moment.objects():
            now = self.pieces.get(thing.id)
            if now is None or now.value == thing:
                continue
            if isinstance(thing, HandPose) and isinstance(now.value, HandPose) and now.solid is not None:
                mesh = now.solid.copy()
                mesh[:, :3] += (thing.x - now.value.x, thing.y - now.value.y, thing.z - now.value.z)
                found[thing.id] = Piece(thing, now.hulls, solid=mesh)
            else:
                found[thing.id] = self.builder.build(thing.id, thing)
        return found

    def _effect(self, piece: Piece) -> Mask:
        """The tiles in which a piece or its shadow shows."""
        if piece.shade is None:
            piece.shade = self._spans(piece, shadows=True)
        shade: Mask = piece.shade
        return shade

    def _cover(self, piece: Piece) -> Mask:
        """The tiles in which a piece itself shows."""
        if piece.tiles is None:
            piece.tiles = self._spans(piece, shadows=False)
        tiles: Mask = piece.tiles
        return tiles

    def _spans(self, piece: Piece, shadows: bool) -> Mask:
        """The tiles that the hulls of a piece lie in, grown by one."""
        mask = np.zeros(self._shape, np.uint8)
        for hull in piece.hulls:
            for points in [hull, *(self.lamps.shadows(hull) if shadows else ())]:
                px = self._on_picture(points) / TILE
                shape = cv2.convexHull(np.round(np.clip(px, -900, 900) * 16).astype(np.int32))
                cv2.fillConvexPoly(mask, shape, 1, cv2.LINE_8, 4)
        return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.bool_)

    def _on_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (N, 2) of table points; what lies behind the camera goes far off instead of turning round."""
        c = self.camera.to_camera(points)
        lens = self.camera.lens
        d = lens.distort(c[:, :2] / np.maximum(c[:, 2:], 60.0))
        return np.column_stack([d[:, 0] * lens.fx + lens.cx, d[:, 1] * lens.fy + lens.cy])

    def _guard(self, rect: Rect, tiles: Mask) -> None:
        """Let only the marked tiles of a rectangle be drawn."""
        if tiles.all():
            self._colours.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
            return
        self._colours.clear(0.0, 0.0, 0.0, 1.0, depth=0.0)
        rows, cols = np.nonzero(tiles)
        w, h = self._size
        x0, y0 = (cols + rect[0]) * TILE / w * 2 - 1, (rows + rect[1]) * TILE / h * 2 - 1
        x1, y1 = x0 + 2 * TILE / w, y0 + 2 * TILE / h
        corners = np.stack([x0, y0, x1, y0, x1, y1, x0, y0, x1, y1, x0, y1], axis=1).astype(np.float32)
        buffer = self.context.buffer(np.ascontiguousarray(corners))
        array = self.context.vertex_array(self._wipe, [(buffer, "2f", "in_pos")])
        self.context.enable_only(self.context.DEPTH_TEST)
        self.context.depth_func = "1"
        array.render()
        array.release()
        buffer.release()


def _parts(dirty: Mask) -> list[tuple[Rect, Mask]]:
    """The marked tiles as connected parts: a rectangle (x, y, width, height in tiles) and its own tiles."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(dirty.astype(np.uint8), connectivity=8)
    out = []
    for number in range(1, count):
        x, y, w, h = (int(v) for v in stats[number, :4])
        out.append(((x, y, w, h), np.asarray(labels[y : y + h, x : x + w] == number)))
    return out
