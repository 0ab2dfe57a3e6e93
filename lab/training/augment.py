"""Training samples from crops: turned, shifted, squeezed, lit, blurred and covered as on real tables and phones.

Geometry is done crop by crop with OpenCV; colour and light are done on whole batches with torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lab.training.cropset import NONE, REACH, SIDE_PX, UNKNOWN, CropSet
from lab.training.net import even
from tablecoin.vision.coins.crops import CROP_PX, MARGIN

RADIUS_PX = SIDE_PX / 2 / REACH  # of the coin in a stored crop
STEP = 2 * MARGIN * RADIUS_PX / CROP_PX  # stored pixels per training pixel
_grid_y, _grid_x = np.mgrid[:SIDE_PX, :SIDE_PX].astype(np.float32) - (SIDE_PX - 1) / 2
# 1 on the coin, 0 off it, soft at the rim.
_FAR = np.hypot(_grid_x, _grid_y) / RADIUS_PX
_DISC = np.clip((1.03 - _FAR) * 20, 0, 1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs and targets."""

    pixels: torch.Tensor  # (N, 3, 64, 64) float32, exposure evened
    kind: torch.Tensor  # (N,) int64
    heads: torch.Tensor  # (N,) float32; 1, 0, or UNKNOWN


class Sampler:
    """Draws batches without end. `weights` (N,): how often to draw each of `crops`."""

    def __init__(self, crops: CropSet, weights: NDArray[np.float64], seed: int) -> None:
        self._crops = crops
        self._weights = weights / weights.sum()
        self._rng = np.random.default_rng(seed)
        self._torch = torch.Generator().manual_seed(seed)
        self._whole = np.flatnonzero(crops.coin)

    def draw(self, size: int) -> Batch:
        rng = self._rng
        rows = rng.choice(len(self._crops), size, p=self._weights)
        pixels = np.empty((size, CROP_PX, CROP_PX, 3), np.uint8)
        kind = self._crops.kind[rows].copy()
        heads = self._crops.heads[rows].copy()
        for i, row in enumerate(rows):
            crop = self._crops.pixels[row]
            if rng.random() < 0.15:  # selfie cameras mirror
                crop = np.ascontiguousarray(crop[:, ::-1])
            scale, shift = math.exp(rng.normal(0, 0.035)), abs(rng.normal(0, 0.035))
            if self._crops.coin[row]:
                crop = self._surround(crop)
                fate = rng.random()
                if fate < 0.07:  # a circle at a wrong place is no coin
                    scale, shift = _bad_circle(rng)
                    kind[i], heads[i] = NONE, UNKNOWN
                elif fate < 0.12:  # another coin lies on it: this circle is no coin, the one on top is
                    crop = self._paste(crop, rng.uniform(0.0, 0.45), rng.uniform(0.7, 0.9))
                    kind[i], heads[i] = NONE, UNKNOWN
                elif fate < 0.18:  # a neighbour covers a part of it
                    crop = self._paste(crop, rng.uniform(1.35, 1.9), rng.uniform(0.75, 1.3))
                elif fate < 0.2:  # bare ground
                    crop = self._ground()
                    kind[i], heads[i] = NONE, UNKNOWN
                elif fate < 0.34:  # it lies on a larger coin, which is its background
                    crop = self._upon(crop)
            _warp(crop, pixels[i], rng, scale, shift)
            if rng.random() < 0.25:
                quality = int(rng.integers(25, 80))
                pixels[i] = cv2.imdecode(cv2.imencode(".jpg", pixels[i], [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
        stack = torch.from_numpy(pixels).permute(0, 3, 1, 2).float().div_(255)
        return Batch(self._light(stack), torch.from_numpy(kind), torch.from_numpy(heads).float())

    def _surround(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The coin, often on another background, so that the network cannot use the table as a cue."""
        if self._rng.random() > 0.4:
            return crop
        other = self._crops.pixels[self._rng.integers(len(self._crops))]
        if self._rng.random() < 0.4:
            ground = self._ground()
        else:  # another crop, shifted so that its coin lies beside ours
            angle, far = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(2.0, 3.0) * RADIUS_PX
            move = np.array([[1, 0, far * math.cos(angle)], [0, 1, far * math.sin(angle)]])
            ground = cv2.warpAffine(other, move, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REFLECT)
        return cv2.blendLinear(crop, np.ascontiguousarray(ground), _DISC, 1 - _DISC)

    def _ground(self) -> NDArray[np.uint8]:
        """A plain colour."""
        return np.broadcast_to(self._rng.integers(0, 256, 3, np.uint8), (SIDE_PX, SIDE_PX, 3)).copy()

    def _upon(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The coin on a larger one, wholly on it or a little over its rim, with a shadow.

        US coins are 1.06 to 1.35 times as wide as the next ones down.
        """
        rng = self._rng
        size = rng.uniform(1.04, 1.42)
        below = self._paste(crop, rng.uniform(0, size - 0.97), size)
        way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.0, 0.08) * RADIUS_PX
        move = np.array([[1, 0, far * math.cos(way)], [0, 1, far * math.sin(way)]])
        shadow = cv2.GaussianBlur(cv2.warpAffine(_DISC, move, (SIDE_PX, SIDE_PX)), (0, 0), rng.uniform(1, 4))
        shaded = below * (1 - rng.uniform(0, 0.6) * shadow[..., None])
        top = np.clip((rng.uniform(0.97, 1.02) - _FAR) * 20, 0, 1).astype(np.float32)
        return cv2.blendLinear(crop, shaded.astype(np.uint8), top, 1 - top)

    def _paste(self, crop: NDArray[np.uint8], distance: float, size: float) -> NDArray[np.uint8]:
        """The crop with another coin on top, `size` times as large, its centre `distance` radii away."""
        top = self._crops.pixels[self._rng.choice(self._whole)]
        angle = self._rng.uniform(0, 2 * math.pi)
        middle = (SIDE_PX - 1) / 2
        x, y = (middle + distance * RADIUS_PX * f(angle) for f in (math.cos, math.sin))
        move = np.array([[size, 0, x - size * middle], [0, size, y - size * middle]])
        laid = cv2.warpAffine(top, move, (SIDE_PX, SIDE_PX))
        edge = cv2.warpAffine(_DISC, move, (SIDE_PX, SIDE_PX))
        return cv2.blendLinear(laid, crop, edge, 1 - edge)

    def _light(self, x: torch.Tensor) -> torch.Tensor:
        g, n = self._torch, len(x)

        def normal(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, generator=g)

        def uniform(low: float, high: float, *shape: int) -> torch.Tensor:
            return torch.rand(*shape, generator=g) * (high - low) + low

        def some(share: float) -> torch.Tensor:
            return (torch.rand(n, 1, 1, 1, generator=g) < share).float()

        # Resolution: each eighth of the batch is reduced to fewer pixels.
        parts = []
        for part in x.chunk(8):
            fewer = int(torch.randint(22, 110, (1,), generator=g))
            if fewer < CROP_PX:
                part = functional.interpolate(part, size=(fewer, fewer), mode="area")
                part = functional.interpolate(part, size=(CROP_PX, CROP_PX), mode="bilinear", align_corners=False)
            parts.append(part)
        x = torch.cat(parts)
        # Contrast and colour: exposure, gamma, white balance, saturation down to grey.
        grey = x.mean(1, keepdim=True)
        saturation = uniform(0.5, 1.4, n, 1, 1, 1) * (1 - some(0.2))  # the relief alone must tell a coin too
        x = grey + (x - grey) * saturation
        middle = x.mean((1, 2, 3), keepdim=True)
        x = middle + (x - middle) * torch.exp(0.25 * normal(n, 1, 1, 1))
        cast = 0.10 + 0.45 * some(0.3)  # in some so strong that only the relief tells a coin
        x = x.clamp(1e-3, 1) ** torch.exp(0.2 * normal(n, 1, 1, 1))
        x = x * torch.exp(cast * normal(n, 3, 1, 1))
        burnt = some(0.1) * uniform(0.2, 0.8, n, 1, 1, 1)  # so exposed that the brightest parts lose their colour
        x = (x * torch.exp(uniform(-0.4, 0.3, n, 1, 1, 1) + burnt)).clamp(max=1.0)
        # Light from one side, and a patch of glare.
        line = torch.linspace(-1, 1, CROP_PX)
        across, down = line.view(1, 1, 1, -1), line.view(1, 1, -1, 1)
        angle, strength = uniform(0, 2 * math.pi, n, 1, 1, 1), uniform(0, 0.45, n, 1, 1, 1)
        x = x * (1 + strength * (across * torch.cos(angle) + down * torch.sin(angle)))
        cx, cy, wide = uniform(-1, 1, n, 1, 1, 1), uniform(-1, 1, n, 1, 1, 1), uniform(0.15, 0.6, n, 1, 1, 1)
        spot = torch.exp(-((across - cx) ** 2 + (down - cy) ** 2) / (2 * wide**2))
        x = x + some(0.25) * uniform(0.1, 0.6, n, 1, 1, 1) * spot
        x = x + uniform(0, 0.2, n, 1, 1, 1) ** 2 * normal(*x.shape)
        return even(x.clamp(0, 1))


def _bad_circle(rng: np.random.Generator) -> tuple[float, float]:
    """(scale, shift) of a circle that is not the coin's: beside it, inside it or around it."""
    choice = rng.integers(3)
    if choice == 0:
        return math.exp(rng.normal(0, 0.15)), rng.uniform(0.3, 1.0)
    if choice == 1:
        return rng.uniform(0.3, 0.75), rng.uniform(0, 0.4)
    return rng.uniform(1.35, 1.9), rng.uniform(0, 0.4)


def _warp(
    crop: NDArray[np.uint8], out: NDArray[np.uint8], rng: np.random.Generator, scale: float, shift: float
) -> None:
    """Turn by any angle, squeeze along any axis (a tilted camera), scale and shift the circle (in radii)."""
    turn, axis, squeeze = rng.uniform(0, 2 * math.pi), rng.uniform(0, math.pi), math.exp(-abs(rng.normal(0, 0.06)))
    c, s, ca, sa = math.cos(turn), math.sin(turn), math.cos(axis), math.sin(axis)
    rotate, along = np.array([[c, -s], [s, c]]), np.array([[ca, -sa], [sa, ca]])
    linear = STEP * scale * along @ np.diag([1, 1 / squeeze]) @ along.T @ rotate
    way = rng.uniform(0, 2 * math.pi)
    centre = (SIDE_PX - 1) / 2 + shift * RADIUS_PX * np.array([math.cos(way), math.sin(way)])
    matrix = np.column_stack([linear, centre - linear @ np.full(2, (CROP_PX - 1) / 2)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cv2.warpAffine(crop, matrix, (CROP_PX, CROP_PX), out, flags=flags, borderMode=cv2.BORDER_REPLICATE)
