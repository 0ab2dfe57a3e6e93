"""For comparison: what a detector as large as YOLOv8n, the smallest usual one, costs in the same engine.

Its layers are those published (Ultralytics, yolov8.yaml, depth 1/3 and width 1/4): stages of "C2f" blocks, a spatial
pyramid, two passes through the feature pyramid, three heads; here for eight classes, one a coin and face. Its weights
are random: only its speed means something.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from tablecoin.checks.bench.timing import timed_ms
from tablecoin.vision.coins import engine

SIDE_PX = 640
CLASSES = 8
_BOX = 64  # channels of a box: four sides of sixteen bins


class Yardstick(msgspec.Struct, frozen=True):
    """The detector's milliseconds for one 640 px picture, and how many times those of our frame of 20 moved coins."""

    ms: float
    times_ours: float


def yardstick(ours_ms: float, seconds: float) -> Yardstick | None:
    """The detector's cost on this core. None where `onnx`, which writes the network, is not installed."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "nano.onnx")
        try:
            file.write_bytes(nano())
        except ImportError:
            return None
        network = engine.load(file)
    pixels = np.random.default_rng(1).random((1, 3, SIDE_PX, SIDE_PX), np.float32)

    def run(_: int) -> None:
        network(pixels)

    run(0)
    ms = median(timed_ms(run, seconds))
    return Yardstick(round(ms, 1), round(ms / ours_ms, 2))


class _Graph:
    """An ONNX graph as it grows. Tensors are (name, channels)."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self._rng = np.random.default_rng(1)
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def node(self, kind: str, inputs: list[str], **settings: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(kind, inputs, [name], **settings))
        return name

    def constant(self, values: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(self._onnx.numpy_helper.from_array(values, name))
        return name

    def plain(self, x: tuple[str, int], out: int, size: int = 1, stride: int = 1) -> tuple[str, int]:
        spread = (2 / (x[1] * size * size)) ** 0.5
        weights = self.constant((spread * self._rng.standard_normal((out, x[1], size, size))).astype(np.float32))
        offset = self.constant(np.zeros(out, np.float32))
        pads = [size // 2] * 4
        inputs = [x[0], weights, offset]
        return self.node("Conv", inputs, kernel_shape=[size] * 2, strides=[stride] * 2, pads=pads), out

    def conv(self, x: tuple[str, int], out: int, size: int = 1, stride: int = 1) -> tuple[str, int]:
        name = self.plain(x, out, size, stride)[0]
        return self.node("Mul", [name, self.node("Sigmoid", [name])]), out

    def join(self, *parts: tuple[str, int]) -> tuple[str, int]:
        return self.node("Concat", [name for name, _ in parts], axis=1), sum(channels for _, channels in parts)

    def c2f(self, x: tuple[str, int], out: int, depth: int, add: bool) -> tuple[str, int]:
        half = out // 2
        # One convolution cut in two halves is two convolutions: a split node less.
        parts = [self.conv(x, half), self.conv(x, half)]
        for _ in range(depth):
            bent = self.conv(self.conv(parts[-1], half, 3), half, 3)
            parts.append((self.node("Add", [parts[-1][0], bent[0]]), half) if add else bent)
        return self.conv(self.join(*parts), out)

    def pooled(self, x: tuple[str, int]) -> tuple[str, int]:
        parts = [self.conv(x, x[1] // 2)]
        for _ in range(3):
            name = self.node("MaxPool", [parts[-1][0]], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4)
            parts.append((name, x[1] // 2))
        return self.conv(self.join(*parts), x[1])

    def doubled(self, x: tuple[str, int]) -> tuple[str, int]:
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        return self.node("Resize", [x[0], "", scales], mode="nearest", coordinate_transformation_mode="asymmetric"), x[
            1
        ]


def nano() -> bytes:
    """The network as ONNX, input (1, 3, 640, 640). ImportError where `onnx` is not installed."""
    import onnx

    g = _Graph(onnx)
    x = g.conv(g.conv(("pixels", 3), 16, 3, 2), 32, 3, 2)
    eighth = g.c2f(g.conv(g.c2f(x, 32, 1, True), 64, 3, 2), 64, 2, True)
    sixteenth = g.c2f(g.conv(eighth, 128, 3, 2), 128, 2, True)
    deep = g.pooled(g.c2f(g.conv(sixteenth, 256, 3, 2), 256, 1, True))
    middle = g.c2f(g.join(g.doubled(deep), sixteenth), 128, 1, False)
    fine = g.c2f(g.join(g.doubled(middle), eighth), 64, 1, False)
    middle = g.c2f(g.join(g.conv(fine, 64, 3, 2), middle), 128, 1, False)
    coarse = g.c2f(g.join(g.conv(middle, 128, 3, 2), deep), 256, 1, False)
    heads = []
    for level in (fine, middle, coarse):
        box = g.plain(g.conv(g.conv(level, _BOX, 3), _BOX, 3), _BOX)
        kind = g.plain(g.conv(g.conv(level, 64, 3), 64, 3), CLASSES)
        flat = g.constant(np.array([1, _BOX + CLASSES, -1], np.int64))
        heads.append(g.node("Reshape", [g.join(box, kind)[0], flat]))
    out = g.node("Concat", heads, axis=2)
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    places = sum((SIDE_PX // stride) ** 2 for stride in (8, 16, 32))
    graph = helper.make_graph(
        g.nodes,
        "nano",
        [helper.make_tensor_value_info("pixels", number, [1, 3, SIDE_PX, SIDE_PX])],
        [helper.make_tensor_value_info(out, number, [1, _BOX + CLASSES, places])],
        g.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)  # those of one year
    return bytes(model.SerializeToString())
