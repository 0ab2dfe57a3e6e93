"""The training of the small network: which coin a crop shows, or none, and which face."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from lab.training.cropset import NONE, SIDE_PX
from lab.training.net import Net
from lab.training.recipe import LITE0, Course, Fate, Light, Recipe
from tablecoin.vision.coins.crops import CROP_PX, MARGIN

_FACE_WEIGHT = 1.5  # of the face's loss beside the kind's


def _resolution(chance: torch.Generator) -> int:
    return int(torch.randint(22, 110, (1,), generator=chance))


def _loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    known = ((heads >= 0) & (kind != NONE)).float()
    target = heads.clamp(min=0) * (1 - softened) + softened / 2
    face = functional.binary_cross_entropy_with_logits(out[:, 5], target, known, reduction="sum")
    kinds = functional.cross_entropy(out[:, :5], kind, label_smoothing=softened)
    return kinds + _FACE_WEIGHT * face / known.sum().clamp(min=1)


class _Shown(nn.Module):
    """The network as it ships: features beside logits, so that enrolment can change the last layer."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.net.learned(self.net.given(pixels))
        return features, self.net.head(features)


SMALL = Recipe(
    stored_px=SIDE_PX,
    crop_px=CROP_PX,
    margin=MARGIN,
    rim=20,
    fates=(
        (0.07, Fate.MISPLACED),
        (0.12, Fate.COVERED),
        (0.18, Fate.BESIDE),
        (0.2, Fate.BARE),
        (0.34, Fate.UPON),
    ),
    shadow_px=(1, 4),
    resolution=_resolution,
    light=Light(
        saturation=(0.5, 1.4),
        grey=0.2,
        contrast=0.25,
        gamma=0.2,
        burnt=0.1,
        burning=(0.2, 0.8),
        glare=0.25,
        glaring=(0.1, 0.6),
    ),
    wear=None,
    shares={
        "euro": 4.0,
        "farthing": 1.5,
        "invented": 11.0,
        "background": 3.0,
        "breakingit32": 8.0,
        "drawn": 26.0,
        "printed": 3.0,
        "stranger": 9.0,
        "odd": 8.0,
        "stanleychen7": 9.0,  # slabs and catalogues count for less than photos of tables
        "FinleyZ_ucoin": 8.0,
    },
    kind_shares=(1, 1, 1, 1, 1),
    published=LITE0,
    blocks=7,
    features=192,
    outputs=6,  # logits of penny, nickel, dime, quarter, none; and of heads against tails
    dropped=0.2,
    shown=_Shown,
    answers=("features", "logits"),
    loss=_loss,
    batch=128,
    pool=16,
    decay=0.02,
    # Smoothed labels give the best readings of photographers never seen; hard labels then teach that some coins leave
    # no doubt. A third course ends at other weights; the mean of both ends reads unseen photographers better than
    # either (Wortsman et al., Model soups, 2022).
    courses=(Course(2500, 3e-3, 0.02), Course(1000, 1e-3, 0.0), Course(1500, 2e-3, 0.0)),
)
