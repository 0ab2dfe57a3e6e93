"""The training of the fine network: what the large one learns, by a deeper one that sees a coin larger."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from lab.training.large import FACES, FACES_FIRST, WORN_TOO
from lab.training.net import Net
from lab.training.recipe import LITE2, Course
from tablecoin.vision.coins.crops import FINE_MARGIN, FINE_PX

_BLOCKS, _FEATURES = 15, 320


class _Shown(nn.Module):
    """The fine network as it ships: faces, kinds, and the features by which a coin is recognised."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        features = self.net.learned(self.net.given(pixels))
        logits = self.net.head(features)
        return logits[:, :FACES], logits[:, FACES:], features


# Both know worn and stained coins from the start, and coins without any relief. The second has many coins of the
# virtual table too. Faces are learned more than three times as long as at first: that halved the wrong ones of people
# never met (lab/log, 26 November 2026).
_WEAR = replace(WORN_TOO.wear, smooth=0.04)
FINE_FACES = replace(
    FACES_FIRST,
    published=LITE2,
    blocks=_BLOCKS,
    features=_FEATURES,
    shown=_Shown,
    answers=("faces", "kinds", "features"),
    crop_px=FINE_PX,
    margin=FINE_MARGIN,
    wear=_WEAR,
    courses=(Course(3150, 2e-3, 0.02), Course(2100, 1.5e-3, 0.0)),
)
FINE = replace(
    WORN_TOO,
    published=LITE2,
    blocks=_BLOCKS,
    features=_FEATURES,
    shown=_Shown,
    answers=("faces", "kinds", "features"),
    crop_px=FINE_PX,
    margin=FINE_MARGIN,
    wear=_WEAR,
    courses=(Course(2500, 1.5e-3, 0.02), Course(700, 1.2e-3, 0.0), Course(350, 7e-4, 0.0)),
)
