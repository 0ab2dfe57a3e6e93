"""Worn and stained coins, made of others: a network that never met a coin without relief is sure of its face.

Coins that lay in the ground or in pockets for years have lost their relief, all over or in parts, and have blotches
that look like relief. They keep their labels in training, so that the network learns how little it can know of them.
Where all relief is gone, either face is the right answer as often as not.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from lab.training.lighting import Dice
from lab.training.recipe import Recipe, Wear

_BROAD = 7  # samples a side that keep the coin's shades but none of its relief
_BLOTCHY = 6  # samples a side of the random fields that say where a coin is worn or stained
_SMOOTH = (0.13, 0.26)  # blur of what has lost all relief: standard deviation, in radii
_WITHIN = 0.94  # radius within which it is blurred: the rim stays


def worn(pixels: torch.Tensor, wear: Wear, dice: Dice) -> torch.Tensor:
    """Some coins of a batch (N, 3, side, side), in 0..1, worn and some stained."""
    side = pixels.shape[-1]

    def field() -> torch.Tensor:
        return _widened(dice.normal(dice.n, 1, _BLOTCHY, _BLOTCHY), side)

    flat = _widened(functional.interpolate(pixels, size=(_BROAD, _BROAD), mode="area"), side)
    where = torch.sigmoid(4 * (field() + dice.uniform(-0.5, 1.5)))
    pixels = pixels + (flat - pixels) * dice.some(wear.worn) * dice.uniform(*wear.wearing) * where
    blotches = torch.sigmoid(5 * (field() - dice.uniform(-0.3, 1.2)))
    tint = 1 + 0.35 * dice.normal(dice.n, 3, 1, 1)  # brown or green
    depth = (dice.uniform(*wear.staining) * tint).clamp(0, 1.6)
    return pixels * torch.exp(-dice.some(wear.stained) * depth * blotches)


def smooth(pixels: torch.Tensor, far: torch.Tensor, recipe: Recipe, once: torch.Generator) -> torch.Tensor:
    """Coins (N, 3, side, side) without any relief. `far` (N, 1, side, side): each pixel's distance from the middle."""
    low, high = _SMOOTH
    sigma = float(torch.rand(1, generator=once)) * (high - low) + low
    within = ((_WITHIN - far) * recipe.rim).clamp(0, 1)
    spread = sigma * recipe.crop_px / 2 / recipe.margin
    blurred = _blurred(pixels * within, spread) / _blurred(within, spread).clamp(min=1e-3)
    return pixels + (blurred - pixels) * within


def _blurred(pixels: torch.Tensor, sigma_px: float) -> torch.Tensor:
    reach = round(3 * sigma_px)
    steps = torch.arange(-reach, reach + 1, device=pixels.device)
    bell = torch.softmax(-(steps**2) / (2 * sigma_px**2), 0)
    planes = pixels.flatten(0, 1)[:, None]
    planes = functional.conv2d(planes, bell[None, None, None], padding=(0, reach))
    planes = functional.conv2d(planes, bell[None, None, :, None], padding=(reach, 0))
    return planes.reshape(pixels.shape)


def _widened(samples: torch.Tensor, side: int) -> torch.Tensor:
    return functional.interpolate(samples, size=(side, side), mode="bicubic", align_corners=False)
