"""The training of the large network: heads or tails for each kind that the coin may be; then which coin it is, too."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional

from lab.training.cropset import LARGE_SIDE_PX, NONE, UNKNOWN
from lab.training.net import Net
from lab.training.recipe import LITE0, Course, Fate, Light, Recipe, Wear
from lab.training.small import SMALL
from tablecoin.coins import BY_VALUE
from tablecoin.vision.coins.crops import LARGE_MARGIN, LARGE_PX
from tablecoin.vision.coins.looks import KINDS

# So many first outputs are the face logits of penny, nickel, dime and quarter; the others tell the kind.
FACES = len(BY_VALUE)
_KIND_HELP = 0.2  # of the kind's loss beside the face's, where it only helps the features to form
_KIND_SOFTENED = 0.02  # label smoothing of the kinds there, in all courses
_FACE_WEIGHT = 1.5  # of the face's loss beside the kind's, where both are learned


def _resolution(chance: torch.Generator) -> int:
    """Drawn evenly on a logarithmic scale: 30 to 60 pixels as often as 60 to 120."""
    low, high = math.log(30), math.log(160)
    return int(torch.exp(torch.rand(1, generator=chance) * (high - low) + low))


def _faces_loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    kinds = functional.cross_entropy(out[:, FACES:], kind, label_smoothing=_KIND_SOFTENED)
    return _face_loss(out, kind, heads, softened) + _KIND_HELP * kinds


def _loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    face = _face_loss(out, kind, heads, softened)
    return functional.cross_entropy(out[:, FACES:], kind, label_smoothing=softened) + _FACE_WEIGHT * face


def _face_loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    """The mean over the samples whose face is known."""
    face = out.gather(1, kind.clamp(max=FACES - 1)[:, None])[:, 0]  # the logit of the kind that the coin is
    known = ((heads != UNKNOWN) & (kind != NONE)).float()
    target = heads.clamp(min=0) * (1 - softened) + softened / 2
    return functional.binary_cross_entropy_with_logits(face, target, known, reduction="sum") / known.sum().clamp(min=1)


class _Shown(nn.Module):
    """The large network as it ships: faces and kinds apart."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits = self.net(pixels)
        return logits[:, :FACES], logits[:, FACES:]


# Faces are learned first, from coins of photos alone: learned together with all else from the start they are told worse
# (lab/log, 23 November 2026).
FACES_FIRST = Recipe(
    stored_px=LARGE_SIDE_PX,
    crop_px=LARGE_PX,
    margin=LARGE_MARGIN,
    rim=28,
    fates=((0.08, Fate.BESIDE), (0.2, Fate.UPON)),
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
    wear=None,
    shares={"stanleychen7": 12.0},  # slabs and catalogues count for less than photos of tables
    kind_shares=(1.0, 1.3, 0.9, 1.6),  # the faces of nickels and quarters are the hard ones
    published=LITE0,
    blocks=11,
    features=256,
    outputs=FACES + KINDS,
    dropped=0.3,
    shown=_Shown,
    answers=("faces", "kinds"),
    loss=_faces_loss,
    batch=96,
    pool=12,
    decay=0.03,
    courses=(Course(1000, 2e-3, 0.02), Course(400, 8e-4, 0.0), Course(600, 1.5e-3, 0.0)),
)
LARGE = replace(
    FACES_FIRST,
    fates=(
        (0.07, Fate.MISPLACED),
        (0.11, Fate.COVERED),
        (0.18, Fate.BESIDE),
        (0.2, Fate.BARE),
        (0.34, Fate.UPON),
    ),
    shares={**SMALL.shares, "drawn": 12.0, "stanleychen7": 12.0},
    kind_shares=(1.0, 1.2, 1.0, 1.4, 1.0),
    loss=_loss,
    courses=(Course(800, 1.2e-3, 0.02), Course(300, 5e-4, 0.0), Course(400, 8e-4, 0.0)),
)
# Then many coins of the virtual table: without them those are read less surely.
DRAWN_TOO = replace(LARGE, shares={**LARGE.shares, "drawn": 40.0}, courses=(Course(300, 5e-4, 0.0),))
# Worn and stained coins last: the network is then sure of fewer faces that it cannot see (lab/log, 24 November 2026).
WORN_TOO = replace(
    LARGE,
    wear=Wear(worn=0.22, wearing=(0.3, 0.95), stained=0.25, staining=(0.1, 1.0), smooth=0.0),
    shares={**LARGE.shares, "drawn": 30.0},
    courses=(Course(500, 1.2e-3, 0.0), Course(250, 6e-4, 0.0), Course(250, 6e-4, 0.0)),
)
