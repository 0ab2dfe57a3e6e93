"""Training samples from crops: turned, shifted, squeezed, worn, lit, blurred and covered as on real tables and phones.

Geometry is done crop by crop with OpenCV; colour and light are done on whole batches with torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lab.training.cropset import NONE, UNKNOWN, CropSet
from lab.training.recipe import Fate, Recipe
from lab.training.wear import worn
from tablecoin.vision.coins.crops import MIDDLE, disc_mean


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs and targets."""

    pixels: torch.Tensor  # (N, 3, side, side) float32, exposure evened
    kind: torch.Tensor  # (N,) int64
    heads: torch.Tensor  # (N,) float32; 1, 0, or UNKNOWN


class Sampler:
    """Draws batches without end. `weights` (N,): how often to draw each of `crops`."""

    def __init__(self, recipe: Recipe, crops: CropSet, weights: NDArray[np.float64], seed: int) -> None:
        self._recipe = recipe
        side = recipe.stored_px
        y, x = np.mgrid[:side, :side].astype(np.float32) - (side - 1) / 2
        self._far = np.hypot(x, y) / recipe.radius_px  # of each pixel of a stored crop from its centre, in radii
        self._disc = self._cover(1.03)
        self._disc_mean = torch.from_numpy(disc_mean(recipe.crop_px, recipe.margin))
        self._crops = crops
        self._weights = weights / weights.sum()
        self._rng = np.random.default_rng(seed)
        self._torch = torch.Generator().manual_seed(seed)
        self._whole = np.flatnonzero(crops.coin)

    def draw(self, size: int) -> Batch:
        rng, recipe = self._rng, self._recipe
        rows = rng.choice(len(self._crops), size, p=self._weights)
        pixels = np.empty((size, recipe.crop_px, recipe.crop_px, 3), np.uint8)
        kind = self._crops.kind[rows].copy()
        heads = self._crops.heads[rows].copy()
        for i, row in enumerate(rows):
            crop = self._crops.pixels[row]
            if rng.random() < 0.15:  # selfie cameras mirror
                crop = np.ascontiguousarray(crop[:, ::-1])
            scale, shift = math.exp(rng.normal(0, 0.035)), abs(rng.normal(0, 0.035))
            if self._crops.coin[row]:
                crop = self._surround(crop)
                fate = self._fate()
                if fate is Fate.MISPLACED:
                    scale, shift = _bad_circle(rng)
                elif fate is Fate.COVERED:
                    crop = self._paste(crop, rng.uniform(0.0, 0.45), rng.uniform(0.7, 0.9))
                elif fate is Fate.BESIDE:
                    crop = self._paste(crop, rng.uniform(1.35, 1.9), rng.uniform(0.75, 1.3))
                elif fate is Fate.BARE:
                    crop = self._ground()
                elif fate is Fate.UPON:
                    crop = self._upon(crop)
                if fate in (Fate.MISPLACED, Fate.COVERED, Fate.BARE):
                    kind[i], heads[i] = NONE, UNKNOWN
            _warp(recipe, crop, pixels[i], rng, scale, shift)
            if rng.random() < 0.25:
                quality = int(rng.integers(25, 80))
                pixels[i] = cv2.imdecode(cv2.imencode(".jpg", pixels[i], [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
        stack = torch.from_numpy(pixels).permute(0, 3, 1, 2).float().div_(255)
        if recipe.wear:
            stack = worn(stack, recipe.wear, self._torch)
        return Batch(self._light(stack), torch.from_numpy(kind), torch.from_numpy(heads).float())

    def _cover(self, limit: float) -> NDArray[np.float32]:
        """(side, side): 1 on the disc up to `limit` radii, 0 off it, soft at its rim."""
        return np.clip((limit - self._far) * self._recipe.rim, 0, 1).astype(np.float32)

    def _fate(self) -> Fate | None:
        drawn = self._rng.random()
        return next((fate for limit, fate in self._recipe.fates if drawn < limit), None)

    def _surround(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The coin, often on another background, so that the network cannot use the table as a cue."""
        if self._rng.random() > 0.4:
            return crop
        other = self._another() if self._recipe.spare else None
        if self._rng.random() < 0.4:
            ground = self._ground()
        else:  # another crop, shifted so that its coin lies beside ours
            other = self._another() if other is None else other
            angle, far = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(2.0, 3.0)
            ground = self._shifted(other, angle, far, cv2.BORDER_REFLECT)
        return cv2.blendLinear(crop, np.ascontiguousarray(ground), self._disc, 1 - self._disc)

    def _another(self) -> NDArray[np.uint8]:
        return self._crops.pixels[self._rng.integers(len(self._crops))]

    def _shifted(
        self, picture: NDArray[Any], angle: float, distance: float, border: int = cv2.BORDER_CONSTANT
    ) -> NDArray[Any]:
        """A picture of a stored crop's size, moved `distance` radii towards `angle`."""
        far = distance * self._recipe.radius_px
        move = np.array([[1, 0, far * math.cos(angle)], [0, 1, far * math.sin(angle)]])
        return cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=border)

    def _ground(self) -> NDArray[np.uint8]:
        """A plain colour."""
        side = self._recipe.stored_px
        return np.broadcast_to(self._rng.integers(0, 256, 3, np.uint8), (side, side, 3)).copy()

    def _upon(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The coin on a larger one, wholly on it or a little over its rim, with a shadow.

        US coins are 1.06 to 1.35 times as wide as the next ones down.
        """
        rng = self._rng
        size = rng.uniform(1.04, 1.42)
        below = self._paste(crop, rng.uniform(0, size - 0.97), size)
        thrown = self._shifted(self._disc, rng.uniform(0, 2 * math.pi), rng.uniform(0.0, 0.08))
        shadow = cv2.GaussianBlur(thrown, (0, 0), rng.uniform(*self._recipe.shadow_px))
        shaded = below * (1 - rng.uniform(0, 0.6) * shadow[..., None])
        top = self._cover(rng.uniform(0.97, 1.02))
        return cv2.blendLinear(crop, shaded.astype(np.uint8), top, 1 - top)

    def _paste(self, crop: NDArray[np.uint8], distance: float, size: float) -> NDArray[np.uint8]:
        """The crop with another coin on top, `size` times as large, its centre `distance` radii away."""
        top = self._crops.pixels[self._rng.choice(self._whole)]
        angle = self._rng.uniform(0, 2 * math.pi)
        side = self._recipe.stored_px
        middle = (side - 1) / 2
        x, y = (middle + distance * self._recipe.radius_px * f(angle) for f in (math.cos, math.sin))
        move = np.array([[size, 0, x - size * middle], [0, size, y - size * middle]])
        laid = cv2.warpAffine(top, move, (side, side))
        edge = cv2.warpAffine(self._disc, move, (side, side))
        return cv2.blendLinear(laid, crop, edge, 1 - edge)

    def _light(self, x: torch.Tensor) -> torch.Tensor:
        g, n, side, light = self._torch, len(x), self._recipe.crop_px, self._recipe.light

        def normal(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, generator=g)

        def uniform(low: float, high: float, *shape: int) -> torch.Tensor:
            return torch.rand(*shape, generator=g) * (high - low) + low

        def some(share: float) -> torch.Tensor:
            return (torch.rand(n, 1, 1, 1, generator=g) < share).float()

        # Resolution: each eighth of the batch is reduced to fewer pixels.
        parts = []
        for part in x.chunk(8):
            fewer = self._recipe.resolution(g)
            if fewer < side:
                part = functional.interpolate(part, size=(fewer, fewer), mode="area")
                part = functional.interpolate(part, size=(side, side), mode="bilinear", align_corners=False)
            parts.append(part)
        x = torch.cat(parts)
        # Contrast and colour: exposure, gamma, white balance, saturation down to grey.
        grey = x.mean(1, keepdim=True)
        saturation = uniform(*light.saturation, n, 1, 1, 1) * (1 - some(light.grey))
        x = grey + (x - grey) * saturation
        middle = x.mean((1, 2, 3), keepdim=True)
        x = middle + (x - middle) * torch.exp(light.contrast * normal(n, 1, 1, 1))
        cast = 0.10 + 0.45 * some(0.3)  # in some so strong that only the relief tells a coin
        x = x.clamp(1e-3, 1) ** torch.exp(light.gamma * normal(n, 1, 1, 1))
        x = x * torch.exp(cast * normal(n, 3, 1, 1))
        burnt = some(light.burnt) * uniform(*light.burning, n, 1, 1, 1)
        x = (x * torch.exp(uniform(-0.4, 0.3, n, 1, 1, 1) + burnt)).clamp(max=1.0)
        # Light from one side, and a patch of glare.
        line = torch.linspace(-1, 1, side)
        across, down = line.view(1, 1, 1, -1), line.view(1, 1, -1, 1)
        angle, strength = uniform(0, 2 * math.pi, n, 1, 1, 1), uniform(0, 0.45, n, 1, 1, 1)
        x = x * (1 + strength * (across * torch.cos(angle) + down * torch.sin(angle)))
        cx, cy, wide = uniform(-1, 1, n, 1, 1, 1), uniform(-1, 1, n, 1, 1, 1), uniform(0.15, 0.6, n, 1, 1, 1)
        spot = torch.exp(-((across - cx) ** 2 + (down - cy) ** 2) / (2 * wide**2))
        x = x + some(light.glare) * uniform(*light.glaring, n, 1, 1, 1) * spot
        x = x + uniform(0, 0.2, n, 1, 1, 1) ** 2 * normal(*x.shape)
        return _even(x.clamp(0, 1), self._disc_mean)


def _even(pixels: torch.Tensor, disc: torch.Tensor) -> torch.Tensor:
    """`vision.coins.crops.evened` in torch: (N, 3, side, side) in 0..1, each disc brought to the same brightness."""
    level = (pixels * disc).sum((1, 2, 3), keepdim=True)
    return pixels * (MIDDLE / (level + 0.02))


def _bad_circle(rng: np.random.Generator) -> tuple[float, float]:
    """(scale, shift) of a circle that is not the coin's: beside it, inside it or around it."""
    choice = rng.integers(3)
    if choice == 0:
        return math.exp(rng.normal(0, 0.15)), rng.uniform(0.3, 1.0)
    if choice == 1:
        return rng.uniform(0.3, 0.75), rng.uniform(0, 0.4)
    return rng.uniform(1.35, 1.9), rng.uniform(0, 0.4)


def _warp(
    recipe: Recipe,
    crop: NDArray[np.uint8],
    out: NDArray[np.uint8],
    rng: np.random.Generator,
    scale: float,
    shift: float,
) -> None:
    """Turn by any angle, squeeze along any axis (a tilted camera), scale and shift the circle (in radii)."""
    turn, axis, squeeze = rng.uniform(0, 2 * math.pi), rng.uniform(0, math.pi), math.exp(-abs(rng.normal(0, 0.06)))
    c, s, ca, sa = math.cos(turn), math.sin(turn), math.cos(axis), math.sin(axis)
    rotate, along = np.array([[c, -s], [s, c]]), np.array([[ca, -sa], [sa, ca]])
    step = 2 * recipe.margin * recipe.radius_px / recipe.crop_px  # stored pixels per training pixel
    linear = step * scale * along @ np.diag([1, 1 / squeeze]) @ along.T @ rotate
    way = rng.uniform(0, 2 * math.pi)
    centre = (recipe.stored_px - 1) / 2 + shift * recipe.radius_px * np.array([math.cos(way), math.sin(way)])
    matrix = np.column_stack([linear, centre - linear @ np.full(2, (recipe.crop_px - 1) / 2)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cv2.warpAffine(crop, matrix, (recipe.crop_px, recipe.crop_px), out, flags=flags, borderMode=cv2.BORDER_REPLICATE)
