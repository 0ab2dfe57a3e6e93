"""The light, the colour and the camera of training samples: whole batches (N, 3, side, side), in 0..1, with torch."""

from __future__ import annotations

import math

import torch
from torch.nn import functional

from lab.training.recipe import Recipe

# The tables of quantisation of Annex K of the JPEG standard (ITU-T T.81), for brightness and for colour.
_LUMA = torch.tensor(
    [
        [16, 11, 10, 16, 24, 40, 51, 61],
        [12, 12, 14, 19, 26, 58, 60, 55],
        [14, 13, 16, 24, 40, 57, 69, 56],
        [14, 17, 22, 29, 51, 87, 80, 62],
        [18, 22, 37, 56, 68, 109, 103, 77],
        [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101],
        [72, 92, 95, 98, 112, 100, 103, 99],
    ]
)
_CHROMA = torch.full((8, 8), 99)
_CHROMA[:4, :4] = torch.tensor([[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]])
_BGR_TO_YCC = torch.tensor([[0.114, 0.587, 0.299], [0.5, -0.3313, -0.1687], [-0.0813, -0.4187, 0.5]])
_YCC_TO_BGR = torch.linalg.inv(_BGR_TO_YCC)
_QUALITY = (25, 80)  # of the compressed samples


class Dice:
    """Random numbers of one device, for `n` samples."""

    def __init__(self, n: int, chance: torch.Generator) -> None:
        self.n, self._chance = n, chance

    def normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*(shape or (self.n, 1, 1, 1)), generator=self._chance, device=self._chance.device)

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        drawn = torch.rand(*(shape or (self.n, 1, 1, 1)), generator=self._chance, device=self._chance.device)
        return drawn * (high - low) + low

    def some(self, share: float) -> torch.Tensor:
        """(N, 1, 1, 1): 1 for a `share` of the samples, 0 for the others."""
        return (self.uniform(0, 1) < share).float()


def compressed(pixels: torch.Tensor, dice: Dice) -> torch.Tensor:
    """As JPEG of a low quality leaves them; the side must be a multiple of 16."""
    low, high = _QUALITY
    quality = dice.uniform(low, high)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    ycc = torch.einsum("ij,njhw->nihw", _BGR_TO_YCC.to(pixels), pixels * 255 - 128)
    luma = _quantised(ycc[:, :1], _LUMA, scale)
    chroma = _quantised(functional.avg_pool2d(ycc[:, 1:], 2), _CHROMA, scale)
    seen = torch.cat([luma, functional.interpolate(chroma, scale_factor=2.0)], dim=1)
    return ((torch.einsum("ij,njhw->nihw", _YCC_TO_BGR.to(pixels), seen) + 128) / 255).clamp(0, 1)


def _quantised(planes: torch.Tensor, table: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """(N, C, h, w), whose blocks of 8 by 8 keep whole multiples of `table` times `scale` of each cosine."""
    n, c, h, w = planes.shape
    order = torch.arange(8, device=planes.device, dtype=planes.dtype)
    cosines = torch.cos((2 * order + 1) * order[:, None] * math.pi / 16) / 2
    cosines[0] /= math.sqrt(2)
    blocks = planes.reshape(n, c, h // 8, 8, w // 8, 8)
    steps = (table.to(planes) * scale).clamp(1, 255)[:, :, None, :, None, :]
    kept = torch.einsum("ui,ncaibj,vj->ncaubv", cosines, blocks, cosines)
    kept = (kept / steps).round() * steps
    return torch.einsum("ui,ncaubv,vj->ncaibj", cosines, kept, cosines).reshape(n, c, h, w)


def lit(x: torch.Tensor, recipe: Recipe, dice: Dice, once: torch.Generator) -> torch.Tensor:
    """In all the light that tables and phones have. `once` draws what is the same for many samples."""
    light, side = recipe.light, recipe.crop_px
    # Resolution: each eighth of the batch is reduced to fewer pixels.
    parts = []
    for part in x.chunk(8):
        fewer = recipe.resolution(once)
        if fewer < side:
            part = functional.interpolate(part, size=(fewer, fewer), mode="area")
            part = functional.interpolate(part, size=(side, side), mode="bilinear", align_corners=False)
        parts.append(part)
    x = torch.cat(parts)
    # Contrast and colour: exposure, gamma, white balance, saturation down to grey.
    grey = x.mean(1, keepdim=True)
    saturation = dice.uniform(*light.saturation) * (1 - dice.some(light.grey))
    x = grey + (x - grey) * saturation
    middle = x.mean((1, 2, 3), keepdim=True)
    x = middle + (x - middle) * torch.exp(light.contrast * dice.normal())
    cast = 0.10 + 0.45 * dice.some(0.3)  # in some so strong that only the relief tells a coin
    x = x.clamp(1e-3, 1) ** torch.exp(light.gamma * dice.normal())
    x = x * torch.exp(cast * dice.normal(dice.n, 3, 1, 1))
    burnt = dice.some(light.burnt) * dice.uniform(*light.burning)
    x = (x * torch.exp(dice.uniform(-0.4, 0.3) + burnt)).clamp(max=1.0)
    # Light from one side, and a patch of glare.
    line = torch.linspace(-1, 1, side, device=x.device)
    across, down = line.view(1, 1, 1, -1), line.view(1, 1, -1, 1)
    angle, strength = dice.uniform(0, 2 * math.pi), dice.uniform(0, 0.45)
    x = x * (1 + strength * (across * torch.cos(angle) + down * torch.sin(angle)))
    cx, cy, wide = dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(0.15, 0.6)
    spot = torch.exp(-((across - cx) ** 2 + (down - cy) ** 2) / (2 * wide**2))
    x = x + dice.some(light.glare) * dice.uniform(*light.glaring) * spot
    x = x + dice.uniform(0, 0.2) ** 2 * dice.normal(*x.shape)
    return x.clamp(0, 1)
