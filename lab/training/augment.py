"""Training samples from crops: turned, shifted, squeezed, worn, lit, blurred and covered as on real tables and phones.

Whole batches with torch, on any device. A sample is seen once, in its own pixels: each of them looks up where it lies
on the coin, on the coin laid over or under it, and on the ground.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lab.training.cropset import NONE, UNKNOWN, CropSet
from lab.training.lighting import Dice, compressed, lit
from lab.training.recipe import Fate, Recipe
from lab.training.wear import smooth, worn
from tablecoin.vision.coins.crops import MIDDLE, disc_mean

_FATES = (*Fate, None)  # a fate is its place here
_NO_COIN = (Fate.MISPLACED, Fate.COVERED, Fate.BARE)
_RIM = 1.03  # radius of what is cut out as a coin
_COMPRESSED = 0.25  # share of the samples
_MIRRORED = 0.15  # the same: selfie cameras mirror
_MOVED, _PLAIN = 0.4, 0.4  # share of the coins that lie on another ground, and of those on a plain one


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs and targets."""

    pixels: torch.Tensor  # (N, 3, side, side) float32, exposure evened
    kind: torch.Tensor  # (N,) int64
    heads: torch.Tensor  # (N,) float32; 1, 0, 0.5 where the relief is gone, or UNKNOWN


class Sampler:
    """Draws batches without end. `weights` (N,): how often to draw each of `crops`."""

    def __init__(
        self, recipe: Recipe, crops: CropSet, weights: NDArray[np.float64], seed: int, device: str = "cpu"
    ) -> None:
        self._recipe, self._device = recipe, device
        self._pixels = torch.from_numpy(crops.pixels).to(device)
        self._kind, self._coin = torch.from_numpy(crops.kind).to(device), torch.from_numpy(crops.coin).to(device)
        self._heads = torch.from_numpy(crops.heads).to(device).float()
        self._often = torch.from_numpy(weights / weights.sum()).to(device)
        self._whole = self._coin.nonzero()[:, 0]
        self._disc_mean = torch.from_numpy(disc_mean(recipe.crop_px, recipe.margin)).to(device)
        limits = dict.fromkeys(_FATES, 0.0) | {fate: limit for limit, fate in recipe.fates}
        self._fates = [(limits[fate], k) for k, fate in enumerate(_FATES) if limits[fate]]
        self._chance = torch.Generator(device).manual_seed(seed)
        self._once = torch.Generator().manual_seed(seed)  # for what is the same in many samples

    def draw(self, size: int) -> Batch:
        recipe, dice = self._recipe, Dice(size, self._chance)
        rows = torch.multinomial(self._often, size, replacement=True, generator=self._chance)
        coin = self._coin[rows]
        fate = torch.where(coin, self._drawn_fates(dice), _FATES.index(None))
        is_coin = ~_one_of(fate, *_NO_COIN)
        kind = torch.where(is_coin, self._kind[rows], NONE)
        heads = torch.where(is_coin, self._heads[rows], float(UNKNOWN))
        at = self._places(dice, fate)
        mirror = torch.stack([1 - 2 * dice.some(_MIRRORED), torch.ones(size, 1, 1, 1, device=self._device)], -1)
        x = self._seen(rows, at * mirror[:, 0])
        count = round(recipe.wear.smooth * size) if recipe.wear else 0
        if count:
            x[:count] = smooth(x[:count], _far(at[:count]), recipe, self._once)
            gone = (torch.arange(size, device=self._device) < count) & (heads >= 0)
            heads = torch.where(gone, 0.5, heads)
        x = self._laid(x, at, coin, fate, dice)
        count = round(_COMPRESSED * size)
        x[size - count :] = compressed(x[size - count :], Dice(count, self._chance))
        if recipe.wear:
            x = worn(x, recipe.wear, dice)
        return Batch(_even(lit(x, recipe, dice, self._once), self._disc_mean), kind, heads)

    def _drawn_fates(self, dice: Dice) -> torch.Tensor:
        """(N,) places in _FATES."""
        drawn = dice.uniform(0, 1, dice.n)
        result = torch.full_like(drawn, _FATES.index(None), dtype=torch.int64)
        for limit, k in sorted(self._fates, reverse=True):
            result = torch.where(drawn < limit, k, result)
        return result

    def _places(self, dice: Dice, fate: torch.Tensor) -> torch.Tensor:
        """(N, side, side, 2) where the pixels lie on the coin, in radii from its middle: turned by any angle, squeezed
        along any axis (a tilted camera), the circle scaled and shifted; far from the coin's where it is misplaced.
        """
        n, side = dice.n, self._recipe.crop_px
        scale, shift = torch.exp(0.035 * dice.normal(n)), 0.035 * dice.normal(n).abs()
        way = torch.randint(3, (n,), generator=self._chance, device=self._device)
        bad_scale = torch.stack(
            [torch.exp(0.15 * dice.normal(n)), dice.uniform(0.3, 0.75, n), dice.uniform(1.35, 1.9, n)]
        ).gather(0, way[None])[0]  # beside it, inside it or around it
        bad_shift = torch.where(way == 0, dice.uniform(0.3, 1.0, n), dice.uniform(0, 0.4, n))
        misplaced = _one_of(fate, Fate.MISPLACED)
        scale, shift = torch.where(misplaced, bad_scale, scale), torch.where(misplaced, bad_shift, shift)
        axis, squeeze = _turned(dice.uniform(0, math.pi, n)), torch.exp(-0.06 * dice.normal(n).abs())
        squeezed = torch.diag_embed(torch.stack([torch.ones_like(squeeze), 1 / squeeze], -1))
        linear = scale[:, None, None] * axis @ squeezed @ axis.mT @ _turned(dice.uniform(0, 2 * math.pi, n))
        line = (torch.arange(side, device=self._device) - (side - 1) / 2) * (2 * self._recipe.margin / side)
        pixels = torch.stack(torch.meshgrid(line, line, indexing="xy"), -1)
        return torch.einsum("nij,hwj->nhwi", linear, pixels) + self._away(dice, shift)

    def _away(self, dice: Dice, distance: torch.Tensor) -> torch.Tensor:
        """(N, 1, 1, 2) steps of these lengths, each in any direction."""
        angle = dice.uniform(0, 2 * math.pi, dice.n)
        return (distance[:, None] * torch.stack([torch.cos(angle), torch.sin(angle)], -1))[:, None, None]

    def _seen(self, rows: torch.Tensor, at: torch.Tensor, padding: str = "border") -> torch.Tensor:
        """(N, 3, side, side): the crops of `rows` at places in radii from their middle."""
        stored = self._pixels[rows].permute(0, 3, 1, 2).float() / 255
        grid = at * (self._recipe.radius_px / ((self._recipe.stored_px - 1) / 2))
        return functional.grid_sample(stored, grid, padding_mode=padding, align_corners=True)

    def _cover(self, at: torch.Tensor, limit: torch.Tensor | float = _RIM) -> torch.Tensor:
        """(N, 1, side, side): 1 up to `limit` radii, 0 beyond, soft at the rim."""
        return ((limit - _far(at)) * self._recipe.rim).clamp(0, 1)

    def _laid(
        self, coin: torch.Tensor, at: torch.Tensor, is_coin: torch.Tensor, fate: torch.Tensor, dice: Dice
    ) -> torch.Tensor:
        """The coins on another ground, beside, under or on another coin, as their fates have it."""
        n = dice.n
        # Often on another background, so that the network cannot use the table as a cue.
        moved = dice.some(_MOVED) * is_coin[:, None, None, None]
        anything = torch.randint(len(self._pixels), (n,), generator=self._chance, device=self._device)
        near = self._seen(anything, at - self._away(dice, dice.uniform(2.0, 3.0, n)), "reflection")
        ground = _blend(self._plain(dice), near, dice.some(_PLAIN))
        x = _blend(coin, ground, 1 - moved * (1 - self._cover(at)))
        # Another coin over it, beside it or under it. US coins are 1.06 to 1.35 times as wide as the next ones down.
        over, beside, upon = (_one_of(fate, one)[:, None, None, None] for one in (Fate.COVERED, Fate.BESIDE, Fate.UPON))
        wide = dice.uniform(1.04, 1.42)
        size = torch.where(over, dice.uniform(0.7, 0.9), torch.where(beside, dice.uniform(0.75, 1.3), wide))
        far = torch.where(over, dice.uniform(0, 0.45), dice.uniform(1.35, 1.9))
        far = torch.where(upon, dice.uniform(0, 1) * (wide - 0.97), far)
        other_at = (at - self._away(dice, far[:, 0, 0, 0])) / size
        which = torch.randint(len(self._whole), (n,), generator=self._chance, device=self._device)
        other, edge = self._seen(self._whole[which], other_at), self._cover(other_at)
        together = _blend(other, x, edge)
        thrown = _far(at - self._away(dice, dice.uniform(0, 0.08, n)))
        blur = dice.uniform(*self._recipe.shadow_px) / self._recipe.radius_px
        shadow = 0.5 * torch.erfc((thrown - _RIM) / (blur * math.sqrt(2)))
        shaded = together * (1 - dice.uniform(0, 0.6) * shadow)
        x = torch.where(upon, _blend(coin, shaded, self._cover(at, dice.uniform(0.97, 1.02))), x)
        x = torch.where(over | beside, together, x)
        return torch.where(_one_of(fate, Fate.BARE)[:, None, None, None], self._plain(dice), x)

    def _plain(self, dice: Dice) -> torch.Tensor:
        return dice.uniform(0, 1, dice.n, 3, 1, 1).expand(-1, -1, *(self._recipe.crop_px,) * 2)


def _one_of(fate: torch.Tensor, *fates: Fate) -> torch.Tensor:
    """(N,) whether each is one of `fates`."""
    return torch.stack([fate == _FATES.index(one) for one in fates]).any(0)


def _far(at: torch.Tensor) -> torch.Tensor:
    """(N, 1, side, side) distances from the coins' middles, in radii."""
    return at.norm(dim=-1)[:, None]


def _turned(angle: torch.Tensor) -> torch.Tensor:
    """(N, 2, 2) rotations."""
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)


def _blend(over: torch.Tensor, under: torch.Tensor, cover: torch.Tensor) -> torch.Tensor:
    return under + (over - under) * cover


def _even(pixels: torch.Tensor, disc: torch.Tensor) -> torch.Tensor:
    """`vision.coins.crops.evened` in torch: (N, 3, side, side) in 0..1, each disc brought to the same brightness."""
    level = (pixels * disc).sum((1, 2, 3), keepdim=True)
    return pixels * (MIDDLE / (level + 0.02))
