"""The samples that the networks learn from, drawn from discs.

They need torch, which only `pip install --group train` brings: without it these tests are skipped.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch: pip install --group train")

from lab.training import augment, lighting, wear  # noqa: E402
from lab.training.cropset import LARGE_SIDE_PX, NONE, REACH, UNKNOWN, CropSet  # noqa: E402
from lab.training.large import FACES_FIRST  # noqa: E402
from lab.training.recipe import Fate, Light, Recipe, Wear  # noqa: E402

PLAIN = Light((1, 1), 0, 0, 0, 0, (0, 0), 0, (0, 0))
SMOOTH = Wear(worn=0, wearing=(0, 0), stained=0, staining=(0, 0), smooth=0.5)


def recipe(fate: Fate | None = None, wear: Wear | None = None) -> Recipe:
    """Of samples of which all have this fate."""
    fates = () if fate is None else ((1.0, fate),)
    return replace(FACES_FIRST, light=PLAIN, fates=fates, wear=wear, resolution=lambda chance: 999)


def coins(count: int = 4) -> CropSet:
    """Grey coins with a fine pattern, on black ground; every second one lies heads up."""
    side = LARGE_SIDE_PX
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    relief = 128 + 60 * np.sign(np.sin(x / 2.5)) * np.sign(np.sin(y / 2.5))
    coin = np.where(np.hypot(x, y) <= side / 2 / REACH, relief, 0).astype(np.uint8)
    pixels = np.broadcast_to(coin[None, ..., None], (count, side, side, 3)).copy()
    names = np.array(["ann"] * count)
    return CropSet(pixels, np.full(count, 2), np.arange(count) % 2, names, names, np.ones(count, bool))


def drawn(made: Recipe, size: int = 32) -> augment.Batch:
    return augment.Sampler(made, coins(), np.ones(4), seed=5).draw(size)


def test_the_same_seed_draws_the_same_samples() -> None:
    one, other = drawn(recipe()), drawn(recipe())
    assert torch.equal(one.pixels, other.pixels)
    assert one.pixels.shape == (32, 3, FACES_FIRST.crop_px, FACES_FIRST.crop_px)
    assert set(one.heads.tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("fate", [*Fate, None])
def test_what_is_no_coin_any_more_has_no_face(fate: Fate | None) -> None:
    batch = drawn(recipe(fate))
    gone = fate in (Fate.MISPLACED, Fate.COVERED, Fate.BARE)
    assert (batch.kind == (NONE if gone else 2)).all()
    assert ((batch.heads == UNKNOWN) == gone).all()
    assert torch.isfinite(batch.pixels).all()


def spread_inside(pixels: Any) -> Any:
    """(N,) standard deviation of the grey within half a radius, as a share of its mean."""
    side = pixels.shape[-1]
    line = torch.linspace(-1, 1, side) * FACES_FIRST.margin
    inside = (line[:, None] ** 2 + line**2) < 0.25
    grey = pixels.mean(1)[:, inside]
    return grey.std(1) / grey.mean(1)


def test_a_coin_without_relief_is_heads_as_likely_as_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augment, "lit", lambda x, *_: x)
    monkeypatch.setattr(augment, "_COMPRESSED", 0)
    batch = drawn(recipe(wear=SMOOTH))
    smooth = batch.heads == 0.5
    assert int(smooth.sum()) == 16, "half of the samples"
    spread = spread_inside(batch.pixels)
    assert spread[smooth].max() < 0.1 < 0.3 < spread[~smooth].min()
    assert (batch.kind == 2).all(), "it still has a colour, and a size"


def test_smoothing_leaves_the_rim_and_the_ground() -> None:
    pixels, far = torch.rand(2, 3, 96, 96), torch.full((2, 1, 96, 96), 0.97)
    assert torch.equal(wear.smooth(pixels, far, recipe(), torch.Generator().manual_seed(1)), pixels)


@pytest.mark.parametrize(("quality", "near"), [(30, 0.4), (50, 0.15), (75, 0.4)])
def test_samples_are_compressed_as_jpeg_does_it(quality: int, near: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 50 the tables of the standard are used as they are; at others libjpeg rounds them to whole numbers."""
    monkeypatch.setattr(lighting, "_QUALITY", (quality, quality))
    rng = np.random.default_rng(3)
    grey = cv2.resize(rng.integers(0, 256, (24, 24), np.uint8), (96, 96), interpolation=cv2.INTER_CUBIC)
    picture = np.dstack([grey, grey, grey])
    code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    expected = cv2.imdecode(code, cv2.IMREAD_COLOR)
    given = torch.from_numpy(picture).permute(2, 0, 1)[None].float() / 255
    ours = lighting.compressed(given, lighting.Dice(1, torch.Generator().manual_seed(1)))
    assert expected is not None
    apart = np.abs((ours[0] * 255).permute(1, 2, 0).numpy() - expected)
    lost = np.abs(picture.astype(float) - expected)
    assert apart.mean() < near * lost.mean()


def test_dice_give_each_sample_its_own_number() -> None:
    dice = lighting.Dice(2000, torch.Generator().manual_seed(1))
    assert dice.some(0.25).mean().item() == pytest.approx(0.25, abs=0.03)
    assert dice.uniform(2, 4).mean().item() == pytest.approx(3, abs=0.05)
    assert dice.normal().std().item() == pytest.approx(1, abs=0.05)
    assert not math.isnan(dice.normal(3, 4).sum().item())
