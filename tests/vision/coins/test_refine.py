"""Circles that are a little off are moved onto the rim drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin import mat
from tablecoin.vision.coins.refine import fitted, refine
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

TRUTH = Disc(140.3, 118.8, 43.6)


def picture(truth: Disc, neighbour: bool = False) -> Image:
    rng = np.random.default_rng(5)
    image = np.full((240, 280, 3), 205, np.uint8)
    if neighbour:
        cv2.circle(image, (round(truth.x_px + 2 * truth.r_px), round(truth.y_px)), round(truth.r_px), (90, 90, 90), -1)
        cv2.line(image, (0, 90), (279, 110), (20, 20, 20), 3)
    sixteenths = [round(16 * value) for value in (truth.x_px, truth.y_px, truth.r_px - 0.5)]
    cv2.circle(image, (sixteenths[0], sixteenths[1]), sixteenths[2], (90, 110, 130), -1, cv2.LINE_AA, 4)
    # (OpenCV fills half a pixel more than the radius it is given.)
    noisy = cv2.GaussianBlur(image, (0, 0), 1.2) + rng.normal(0, 4, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@settings(max_examples=40, deadline=None)
@given(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06), st.floats(-0.07, 0.07))
def test_a_circle_a_few_percent_off_finds_the_rim(dx: float, dy: float, dr: float) -> None:
    r = TRUTH.r_px
    (disc,) = refine(picture(TRUTH), [Disc(TRUTH.x_px + dx * r, TRUTH.y_px + dy * r, r * (1 + dr))])
    assert (disc.x_px, disc.y_px) == pytest.approx((TRUTH.x_px, TRUTH.y_px), abs=0.5)
    assert disc.r_px == pytest.approx(r, rel=0.012)


def test_a_touching_neighbour_and_a_printed_line_do_not_pull_it_away() -> None:
    r = TRUTH.r_px
    (disc,) = refine(picture(TRUTH, neighbour=True), [Disc(TRUTH.x_px + 0.04 * r, TRUTH.y_px, 0.96 * r)])
    assert (disc.x_px, disc.y_px) == pytest.approx((TRUTH.x_px, TRUTH.y_px), abs=0.6)
    assert disc.r_px == pytest.approx(r, rel=0.015)


def test_without_a_rim_the_circle_stays_nearly_where_it_was() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (200, 200, 3)).astype(np.uint8)
    (disc,) = refine(noise, [Disc(100, 100, 40)])
    assert (disc.x_px, disc.y_px, disc.r_px) == pytest.approx((100, 100, 40), abs=4)
    flat = np.full((200, 200, 3), 80, np.uint8)
    assert refine(flat, [Disc(100, 100, 40)]) == [Disc(100, 100, 40)]
    assert refine(flat, []) == []


def shadowed(discs: list[Disc], aside: tuple[float, float]) -> Image:
    """Coins of several tones on white paper, their shadows cast `aside` pixels."""
    paper = np.full((480, 640), 230.0)
    y, x = np.mgrid[:480, :640]
    for disc in discs:
        away = disc.r_px - np.hypot(x - disc.x_px - aside[0], y - disc.y_px - aside[1])
        paper *= 1 - 0.43 * np.clip(away / 2 + 0.5, 0, 1)  # with a soft edge, because a lamp is not a point
    for disc, tone in zip(discs, np.linspace(50, 130, len(discs)), strict=True):
        inside = np.clip(disc.r_px - np.hypot(x - disc.x_px, y - disc.y_px) + 0.5, 0, 1)
        paper = paper * (1 - inside) + tone * inside
    noisy = cv2.GaussianBlur(paper, (0, 0), 0.9) + np.random.default_rng(1).normal(0, 2, paper.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("aside", [(0.0, 0.0), (2.2, 0.0), (1.6, 1.6), (-1.0, 2.0), (0.0, -2.5)])
def test_a_shadow_does_not_make_a_coin_wider(aside: tuple[float, float]) -> None:
    scale = 3.0  # pixels a millimetre
    plane = Plane(mat.load("two-row"), (1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1), None, (), (), 0.0)
    truth = [Disc(90.3 + 110 * k, 120.6 + 180 * row, r) for row in (0, 1) for k, r in enumerate((27, 29, 32, 36, 28))]
    start = [Disc(disc.x_px + aside[0] / 2, disc.y_px + aside[1] / 2, disc.r_px * 1.03) for disc in truth]
    found = refine(shadowed(truth, aside), start, plane)
    off_mm = [2 * (got.r_px - true.r_px) / scale for got, true in zip(found, truth, strict=True)]
    assert np.abs(off_mm).max() < 0.3
    assert abs(np.median(off_mm)) < 0.15


def test_discs_over_the_picture_edge_are_allowed() -> None:
    truth = Disc(20.0, 120.0, 43.0)
    (disc,) = refine(picture(truth), [Disc(21.5, 119.0, 41.5)])
    assert disc.x_px == pytest.approx(20.0, abs=0.8)
    assert disc.r_px == pytest.approx(43.0, rel=0.02)


def test_only_a_circle_on_a_rim_meets_it() -> None:
    assert fitted(picture(TRUTH), [TRUTH])[1][0] > 0.9
    assert fitted(np.full((240, 280, 3), 205, np.uint8), [TRUTH])[1][0] == 0


def test_a_thousand_circles_are_fitted_at_once() -> None:
    assert len(refine(picture(TRUTH), [TRUTH] * 1000)) == 1000
