"""Worn and stained coins, made of others: a network that never met a coin without relief is sure of its face.

Coins that lay in the ground or in pockets for years have lost their relief, all over or in parts, and have blotches
that look like relief. They keep their labels in training, so that the network learns how little it can know of them.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from lab.training.recipe import Wear

_BROAD = 7  # samples a side that keep the coin's shades but none of its relief
_BLOTCHY = 6  # samples a side of the random fields that say where a coin is worn or stained


def worn(pixels: torch.Tensor, wear: Wear, chance: torch.Generator) -> torch.Tensor:
    """Some coins of a batch (N, 3, side, side), in 0..1, worn and some stained."""
    n, _, side, _ = pixels.shape

    def uniform(low: float, high: float) -> torch.Tensor:
        return torch.rand(n, 1, 1, 1, generator=chance) * (high - low) + low

    def some(share: float) -> torch.Tensor:
        return (torch.rand(n, 1, 1, 1, generator=chance) < share).float()

    def field() -> torch.Tensor:
        return _widened(torch.randn(n, 1, _BLOTCHY, _BLOTCHY, generator=chance), side)

    flat = _widened(functional.interpolate(pixels, size=(_BROAD, _BROAD), mode="area"), side)
    where = torch.sigmoid(4 * (field() + uniform(-0.5, 1.5)))
    pixels = pixels + (flat - pixels) * some(wear.worn) * uniform(*wear.wearing) * where
    blotches = torch.sigmoid(5 * (field() - uniform(-0.3, 1.2)))
    depth = uniform(*wear.staining)
    tint = 1 + 0.35 * torch.randn(n, 3, 1, 1, generator=chance)  # brown or green
    depth = (depth * tint).clamp(0, 1.6)
    return pixels * torch.exp(-some(wear.stained) * depth * blotches)


def _widened(samples: torch.Tensor, side: int) -> torch.Tensor:
    return functional.interpolate(samples, size=(side, side), mode="bicubic", align_corners=False)
