"""The training of faces.onnx: heads or tails, for each kind that the coin may be."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional

from lab.training.cropset import FACE_SIDE_PX
from lab.training.net import Net
from lab.training.recipe import Course, Fate, Light, Recipe
from tablecoin.vision.coins.crops import FACE_MARGIN, FACE_PX

_KINDS = 4  # the first outputs are the face logits of penny, nickel, dime and quarter; the others tell the kind
_KIND_WEIGHT = 0.2  # of the kind's loss, which only helps the features to form, beside the face's
_KIND_SOFTENED = 0.02  # label smoothing of the kinds in all courses


def _resolution(chance: torch.Generator) -> int:
    """Drawn evenly on a logarithmic scale: 30 to 60 pixels as often as 60 to 120."""
    low, high = math.log(30), math.log(160)
    return int(torch.exp(torch.rand(1, generator=chance) * (high - low) + low))


def _loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    face = out.gather(1, kind[:, None])[:, 0]  # the logit of the kind that the coin is
    target = heads * (1 - softened) + softened / 2
    kinds = functional.cross_entropy(out[:, _KINDS:], kind, label_smoothing=_KIND_SOFTENED)
    return functional.binary_cross_entropy_with_logits(face, target) + _KIND_WEIGHT * kinds


class _Shown(nn.Module):
    """The network as it ships: the face logits alone."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.net(pixels)[:, :_KINDS]


FACES = Recipe(
    stored_px=FACE_SIDE_PX,
    crop_px=FACE_PX,
    margin=FACE_MARGIN,
    rim=28,
    fates=((0.08, Fate.BESIDE), (0.2, Fate.UPON)),
    spare=False,
    shadow_px=(1, 5),
    resolution=_resolution,
    light=Light(
        saturation=(0.3, 1.4),
        grey=0.25,
        contrast=0.3,
        gamma=0.25,
        burnt=0.2,
        burning=(0.2, 1.0),
        glare=0.3,
        glaring=(0.1, 0.7),
    ),
    shares={"stanleychen7": 12.0},  # slabs and catalogues count for less than photos of tables
    kind_shares=(1.0, 1.3, 0.9, 1.6),  # the faces of nickels and quarters are the hard ones
    blocks=11,
    features=256,
    outputs=2 * _KINDS,
    dropped=0.3,
    shown=_Shown,
    answers=("faces",),
    loss=_loss,
    batch=96,
    pool=12,
    decay=0.03,
    courses=(Course(1000, 2e-3, 0.02), Course(400, 8e-4, 0.0), Course(600, 1.5e-3, 0.0)),
)
# A last course teaches the coins of the virtual table beside those of the photos. Where drawn coins were among them
# from the start, faces of photos were told worse (lab/log, 23 November 2026).
DRAWN_TOO = replace(FACES, courses=(Course(300, 5e-4, 0.0),))
