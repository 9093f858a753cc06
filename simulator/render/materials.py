"""Programs, meshes and buffers of every material, and how a list of pieces is drawn with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from calibration.camera import Camera
from calibration.layout import Layout
from simulator.art.felts import MARGIN
from simulator.art.rooms import REPEAT_MM
from simulator.render.glsl import sources
from simulator.render.meshes import F32, card_mesh, chip_mesh, grid_triangles
from simulator.render.pieces import CARD_ROW, CHIP_ROW, Piece
from simulator.render.stock import Stock

Attributes = tuple[tuple[str, int], ...]
SHAPES: Final[dict[str, Attributes]] = {
    "solid": (("in_pos", 3), ("in_norm", 3), ("in_col", 4), ("in_more", 3)),
    "cloth": (("in_pos", 3), ("in_norm", 3), ("in_uv", 2)),
    "floor": (("in_pos", 3), ("in_norm", 3), ("in_uv", 2)),
    "card": (("in_shape", 3), ("in_norm", 3), ("in_side", 1)),
    "chip": (("in_shape", 3), ("in_norm", 3), ("in_uv", 3)),
}
INSTANCES: Final[dict[str, Attributes]] = {
    "card": (("i_pos", 3), ("i_x", 3), ("i_y", 3), ("i_z", 3), ("i_form", 4), ("i_art", 3)),
    "chip": (("i_pos", 3), ("i_x", 3), ("i_y", 3), ("i_z", 3), ("i_art", 3)),
}
PASSES: Final = ("colour", "id", "height")
UNITS: Final = {
    "art": 0,
    "tops": 1,
    "sides": 2,
    "cloth": 3,
    "floor": 4,
    "weave": 5,
    "key": 6,
    "fill": 7,
    "ground": 8,
}
FLOOR_Z: Final = -760.0


class Materials:
    """Draws pieces; one program for each material and pass."""

    def __init__(self, context: Any, stock: Stock, layout: Layout) -> None:
        self.context = context
        self._stock = stock
        self._programs = {
            (material, kind): _program(context, material, kind)
            for material in SHAPES
            for kind in PASSES
            if kind != "height" or material not in ("cloth", "floor")
        }
        self._rows = {"card": _Buffer(context, CARD_ROW), "chip": _Buffer(context, CHIP_ROW)}
        self._solid = _Buffer(context, 13)
        self._meshes = {
            "card": context.buffer(card_mesh()),
            "chip": context.buffer(chip_mesh(26)),
            "chip-low": context.buffer(chip_mesh(12)),
            "cloth": context.buffer(_cloth(layout)),
            "floor": context.buffer(_floor()),
        }
        self._arrays: dict[tuple[str, str], Any] = {}
        names = {"picture": None, **UNITS}
        for (material, _), program in self._programs.items():
            _set(
                program,
                {"art": 0, "tops": 1, "sides": 2, "weave": 5, "key_map": 6, "fill_map": 7, "ground": 8},
            )
            _set(program, {"picture": names.get(material)} if material in ("cloth", "floor") else {})

    def aim(self, camera: Camera) -> None:
        """Tell the programs about the camera."""
        lens = camera.lens
        values = {
            "cam_rot": tuple(camera.matrix.T.ravel()),
            "cam_pos": camera.position,
            "cam_f": (lens.fx, lens.fy, lens.cx, lens.cy),
            "cam_k": (lens.k1, lens.k2, lens.p1, lens.p2),
            "cam_k3": lens.k3,
            "cam_size": (float(lens.width), float(lens.height)),
            "eye": camera.position,
        }
        for kind in ("colour", "id"):
            self.set(kind, values)

    def set(self, kind: str, values: Mapping[str, Any]) -> None:
        """Set uniforms in every program of a pass that has them."""
        for (_, one), program in self._programs.items():
            if one == kind:
                _set(program, values)

    def light(self, lamps: Any) -> None:
        """Set the light of the colour pass and bind what it reads."""
        self.set("colour", lamps.uniforms)
        for name in ("art", "tops", "sides", "cloth", "floor", "weave"):
            self._stock.use(name, UNITS[name])
        lamps.use(UNITS["key"], UNITS["fill"], UNITS["ground"])

    def draw(self, kind: str, pieces: Sequence[Piece], background: bool) -> None:
        """Draw pieces in a pass: what is solid first, what is clear last."""
        self._instances(kind, "card", [p.cards for p in pieces if p.cards is not None])
        self._instances(kind, "chip", [p.chips for p in pieces if p.chips is not None])
        self._triangles(kind, [p.solid for p in pieces if p.solid is not None])
        if background:
            self._array("cloth", kind).render()
            if kind == "colour":
                self._array("floor", kind).render()
        clear = [p.glass for p in pieces if p.glass is not None]
        if kind == "colour" and clear:
            self.context.enable(self.context.BLEND)
            self.context.blend_func = self.context.SRC_ALPHA, self.context.ONE_MINUS_SRC_ALPHA
            self._triangles(kind, clear)
            self.context.disable(self.context.BLEND)

    def _instances(self, kind: str, material: str, rows: Sequence[F32]) -> None:
        if rows:
            count = self._rows[material].fill(rows)
            self._array(material, kind).render(instances=count)

    def _triangles(self, kind: str, meshes: Sequence[F32]) -> None:
        if meshes:
            count = self._solid.fill(meshes)
            self._array("solid", kind).render(vertices=count)

    def _array(self, material: str, kind: str) -> Any:
        """The vertex array of a material in a pass, made anew when a buffer had to grow."""
        grown = self._rows[material].take_grown() if material in self._rows else False
        if material == "solid":
            grown = self._solid.take_grown()
        if grown:
            for key in [key for key in self._arrays if key[0] == material]:
                self._arrays.pop(key).release()
        found = self._arrays.get((material, kind))
        if found is None:
            found = self._arrays[material, kind] = self._make(material, kind)
        return found

    def _make(self, material: str, kind: str) -> Any:
        program = self._programs[material, kind]
        if material == "solid":
            return self.context.vertex_array(
                program, [_content(program, self._solid.buffer, SHAPES["solid"])]
            )
        mesh = self._meshes["chip-low" if material == "chip" and kind == "height" else material]
        content = [_content(program, mesh, SHAPES[material])]
        if material in INSTANCES:
            content.append(_content(program, self._rows[material].buffer, INSTANCES[material], "/i"))
        return self.context.vertex_array(program, content)

    def release(self) -> None:
        """Free the graphics memory."""
        things: Iterable[Any] = (
            *self._arrays.values(), *self._meshes.values(), self._solid, *self._rows.values(), *self._programs.values(),
        )  # fmt: skip
        for thing in things:
            thing.release()
        self._arrays.clear()


class _Buffer:
    """A buffer of rows that grows when it must."""

    def __init__(self, context: Any, width: int) -> None:
        self._context, self._width = context, width
        self.buffer = context.buffer(reserve=width * 4 * 256, dynamic=True)
        self._grown = False

    def fill(self, parts: Sequence[F32]) -> int:
        data = np.concatenate(parts) if len(parts) > 1 else np.ascontiguousarray(parts[0])
        if data.nbytes > self.buffer.size:
            self.buffer.release()
            self.buffer = self._context.buffer(reserve=int(data.nbytes * 1.5), dynamic=True)
            self._grown = True
        else:
            self.buffer.orphan()
        self.buffer.write(data)
        return len(data)

    def take_grown(self) -> bool:
        grown, self._grown = self._grown, False
        return grown

    def release(self) -> None:
        self.buffer.release()


def _program(context: Any, material: str, kind: str) -> Any:
    vertex, fragment = sources(material, kind)
    return context.program(vertex_shader=vertex, fragment_shader=fragment)


def _set(program: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if name in program:
            program[name] = value


def _content(program: Any, buffer: Any, attributes: Attributes, rate: str = "") -> tuple[Any, ...]:
    """A buffer's layout, skipping what the compiler left out."""
    layout, names = [], []
    for name, size in attributes:
        if name in program:
            layout.append(f"{size}f")
            names.append(name)
        else:
            layout.append(f"{4 * size}x")
    return (buffer, " ".join(layout) + rate, *names)


def _cloth(layout: Layout) -> F32:
    """The cloth as a fan of small cells (N, 8)."""
    spec = layout.spec
    a = np.linspace(0, np.pi, 97)
    t = np.linspace(0, 1.004, 15)[:, None]
    x, y = t * spec.half_width * np.cos(a), t * spec.depth * np.sin(a)
    u = (x + spec.half_width + MARGIN) / (2 * spec.half_width + 2 * MARGIN)
    v = (spec.depth + MARGIN - y) / (spec.depth + 2 * MARGIN)
    return _sheet(x, y, 0.0, u, v)


def _floor() -> F32:
    x, y = np.meshgrid(np.linspace(-4200, 4200, 41), np.linspace(-3000, 6000, 41))
    return _sheet(x, y, FLOOR_Z, x / REPEAT_MM, y / REPEAT_MM)


def _sheet(x: Any, y: Any, z: float, u: Any, v: Any) -> F32:
    n = np.ones_like(x)
    points = np.stack([x, y, n * z, n * 0, n * 0, n, u, v], axis=-1)
    flat = points.reshape(-1, 8)[grid_triangles(*x.shape)]
    return np.ascontiguousarray(flat, np.float32)
