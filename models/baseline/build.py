"""Build the stand-in for yolo26n at 640 of `pitwatch bench --models`: python -m models.baseline.build.

It has the layers of a nano detector of that family (stem, four stages, pooling pyramid, attention-free neck, three
heads; SiLU throughout) at 640 x 640 and so costs about the same, but it detects nothing: its weights are constants made
when it is loaded, the file holds only shapes. It was written from the layer widths, not exported from ultralytics,
whose AGPL licence stays out of the product. Whoever has ultralytics gives the real one: `--baseline yolo26n.onnx`.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.manifest import write_entry

HERE = Path(__file__).resolve().parent
SIDE = 640


class Graph:
    """Collects nodes; every method returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.flops = 0

    def _node(self, kind: str, inputs: list[str], **more: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **more))
        return name

    def _shape(self, *values: int) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def conv(
        self, x: str, cin: int, cout: int, side: int, k: int = 3, s: int = 1, g: int = 1, act: bool = True
    ) -> str:
        """A convolution with SiLU; `side` is that of its output."""
        value = helper.make_tensor("v", TensorProto.FLOAT, [1], [0.01])
        w = self._node("ConstantOfShape", [self._shape(cout, cin // g, k, k)], value=value)
        b = self._node("ConstantOfShape", [self._shape(cout)], value=value)
        y = self._node("Conv", [x, w, b], kernel_shape=[k, k], strides=[s, s], pads=[k // 2] * 4, group=g)
        self.flops += 2 * side * side * cout * cin // g * k * k
        return self._node("Mul", [y, self._node("Sigmoid", [y])]) if act else y

    def block(self, x: str, cin: int, cout: int, side: int, inner: int, deep: bool = False) -> str:
        """A cross-stage block: a 1x1 convolution, a bottleneck on half of it, all joined by another 1x1."""
        whole = self.conv(x, cin, 2 * inner, side, 1)
        half = self.conv(whole, 2 * inner, inner, side, 1)
        y = half
        for _ in range(2 if deep else 1):
            z = self.conv(self.conv(y, inner, inner // 2, side), inner // 2, inner, side)
            y = self._node("Add", [y, z])
        return self.conv(self._node("Concat", [whole, y], axis=1), 3 * inner, cout, side, 1)

    def pool(self, x: str) -> str:
        return self._node("MaxPool", [x], kernel_shape=[5, 5], strides=[1, 1], pads=[2, 2, 2, 2])

    def grow(self, x: str) -> str:
        scales = f"s{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), scales))
        return self._node("Resize", [x, "", scales], mode="nearest")

    def join(self, *names: str) -> str:
        return self._node("Concat", list(names), axis=1)


def build() -> tuple[onnx.ModelProto, int]:
    """Return the graph and its floating-point operations."""
    g = Graph()
    x = g.conv("images", 3, 16, 320, s=2)
    x = g.block(g.conv(x, 16, 32, 160, s=2), 32, 64, 160, 16)
    p3 = g.block(g.conv(x, 64, 64, 80, s=2), 64, 128, 80, 32)
    p4 = g.block(g.conv(p3, 128, 128, 40, s=2), 128, 128, 40, 64, deep=True)
    x = g.block(g.conv(p4, 128, 256, 20, s=2), 256, 256, 20, 128, deep=True)
    y = g.conv(x, 256, 128, 20, 1)
    a = g.pool(y)
    b = g.pool(a)
    x = g.conv(g.join(y, a, b, g.pool(b)), 512, 256, 20, 1)
    p5 = g.block(x, 256, 256, 20, 64, deep=True)
    n4 = g.block(g.join(g.grow(p5), p4), 384, 128, 40, 32)
    n3 = g.block(g.join(g.grow(n4), p3), 256, 64, 80, 16)
    m4 = g.block(g.join(g.conv(n3, 64, 64, 40, s=2), n4), 192, 128, 40, 32)
    m5 = g.block(g.join(g.conv(m4, 128, 128, 20, s=2), p5), 384, 256, 20, 64, deep=True)
    outputs = []
    for level, cin, side in ((n3, 64, 80), (m4, 128, 40), (m5, 256, 20)):
        box = g.conv(g.conv(level, cin, 16, side), 16, 16, side)
        cls = g.conv(g.conv(level, cin, cin, side, g=cin), cin, 80, side, 1)
        cls = g.conv(g.conv(cls, 80, 80, side, g=80), 80, 80, side, 1)
        outputs.append((g.conv(box, 16, 4, side, 1, act=False), [1, 4, side, side]))
        outputs.append((g.conv(cls, 80, 80, side, 1, act=False), [1, 80, side, side]))
    graph = helper.make_graph(
        g.nodes, "baseline",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs],
        g.constants,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model, g.flops


def main() -> None:
    """Write the file and its entry in the manifest."""
    model, flops = build()
    path = HERE / "baseline.onnx"
    onnx.save(model, path)
    print(f"{path.name}: {flops / 1e9:.2f} GFLOP, {path.stat().st_size} bytes")
    write_entry("baseline", path)


if __name__ == "__main__":
    main()
