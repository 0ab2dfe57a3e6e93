"""The network: plain 3×3 convolutions, 64×64 colour crop in, five kinds and a face out. About 240,000 weights."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from tablecoin.vision.crops import DISC_MEAN, MIDDLE


def _stage(inside: int, outside: int, stride: int = 1) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)]


def even(pixels: torch.Tensor) -> torch.Tensor:
    """`tablecoin.vision.crops.evened` in torch: (N, 3, 64, 64) in 0..1, each crop's disc brought to one brightness."""
    level = (pixels * torch.from_numpy(DISC_MEAN)).sum((1, 2, 3), keepdim=True)
    return pixels * (MIDDLE / (level + 0.02))


class CoinNet(nn.Module):
    """(N, 3, 64, 64) evened → (N, 6): logits of penny, nickel, dime, quarter, none; and of heads against tails."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_stage(3, 24, 2),
            *_stage(24, 32),
            nn.MaxPool2d(2),
            *_stage(32, 56),
            *_stage(56, 56),
            nn.MaxPool2d(2),
            *_stage(56, 80),
            *_stage(80, 80),
            nn.MaxPool2d(2),
            *_stage(80, 96),
            nn.AvgPool2d(4),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(96, 6)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.body((pixels - MIDDLE) / 0.3)))


def export(net: CoinNet, path: Path) -> None:
    """Write `net` as ONNX (input `crops`, any batch size; output `logits`)."""
    net = net.eval().float()
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, 64, 64),),
        str(path),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
