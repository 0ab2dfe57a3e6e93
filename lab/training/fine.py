"""The training of the fine network: what the large one learns, by a deeper one that sees a coin larger."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from lab.training.large import FACES, FACES_FIRST, WORN_TOO
from lab.training.net import Net
from lab.training.recipe import LITE2, Course, Sensor
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


# Both know worn and stained coins from the start. The second has many coins of the virtual table too.
FINE_FACES = replace(
    FACES_FIRST,
    published=LITE2,
    blocks=_BLOCKS,
    features=_FEATURES,
    shown=_Shown,
    answers=("faces", "kinds", "features"),
    crop_px=FINE_PX,
    margin=FINE_MARGIN,
    wear=WORN_TOO.wear,
    courses=(Course(900, 2e-3, 0.02), Course(600, 1.5e-3, 0.0)),
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
    courses=(Course(1200, 1.5e-3, 0.02), Course(400, 6e-4, 0.0), Course(400, 8e-4, 0.0)),
)
# Then coins of few pixels, blurred and noisy, as a camera over a mat takes them; tails of quarters more often, for they
# have the most designs. A network trained on so and the one before are averaged.
NOISY_TOO = replace(
    FINE,
    sensor=Sensor(share=0.7, blur_px=(0.0, 0.8), noise=(0.0, 0.035), coarse=0.5),
    courses=(Course(500, 1.2e-3, 0.0), Course(250, 6e-4, 0.0)),
)
