"""A coin as white as paper: the fit takes a ring of its relief for its rim, and a coin's true size finds the rim."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, Denomination
from tablecoin.vision.coins import lost_rims
from tablecoin.vision.coins.candidates import diameters_mm
from tablecoin.vision.coins.refine import fitted
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

PX_PER_MM = 5.0
PLANE = Plane(mats.load("two-row"), (1 / PX_PER_MM, 0, 0, 0, 1 / PX_PER_MM, 0, 0, 0, 1), None, (), (), 0.0)
PAPER, COIN, RELIEF, SHADOW = 225, 244, 220, 200  # grey levels
NICKEL_MM = Denomination.NICKEL.diameter_mm
RING_MM = 19.6  # of the relief, which touches the rim where the shadow is; no coin is as large
SMALL_RING_MM = 16.5  # a nickel was found as this
MIDDLE_PX = 250.0
STRAIGHT = 0.0, 0.0  # shadows make no rim bulge
POOR = 0.5  # share of a rim that a circle meets: any other circle may meet more


def disc(diameter_mm: float, right_px: float = 0.0) -> Disc:
    return Disc(MIDDLE_PX + right_px, MIDDLE_PX, diameter_mm / 2 * PX_PER_MM)


TRUTH, RING, SMALL_RING = (
    disc(NICKEL_MM),
    *(disc(size_mm, (NICKEL_MM - size_mm) / 2 * PX_PER_MM) for size_mm in (RING_MM, SMALL_RING_MM)),
)


def burnt_out(ring: Disc = RING) -> Image:
    """Paper with a nickel hardly brighter than it: a shadow at its right, strokes of its relief at its left."""
    image = np.full((500, 500, 3), PAPER, np.uint8)
    filled(image, Disc(TRUTH.x_px + 2, TRUTH.y_px, TRUTH.r_px), SHADOW)
    filled(image, TRUTH, COIN)
    middle, radius = (round(ring.x_px), round(ring.y_px)), (round(ring.r_px),) * 2
    for start in range(100, 260, 20):
        cv2.ellipse(image, middle, radius, 0, start, start + 12, (RELIEF,) * 3, 2, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


def filled(image: Image, at: Disc, grey: int) -> None:
    middle = round(at.x_px * 16), round(at.y_px * 16)
    cv2.circle(image, middle, round(at.r_px * 16), (grey,) * 3, -1, cv2.LINE_AA, 4)


@pytest.mark.parametrize("ring", [RING, SMALL_RING])
def test_a_ring_of_the_relief_leads_to_the_coin_s_own_rim(ring: Disc) -> None:
    image = burnt_out(ring)
    (fit,), (ring_held,), _ = fitted(image, [ring], PLANE, STRAIGHT)
    (size_mm,) = diameters_mm(PLANE, [fit])
    assert abs(math.log(size_mm / NICKEL_MM)) > 0.05, "the fit holds to the ring"
    found = lost_rims.of_true_size(image, {fit: ring_held}, PLANE, STRAIGHT)
    ((rim, held),) = found.items()
    assert held >= max(lost_rims.RIMMED, ring_held)
    assert math.hypot(rim.x_px - TRUTH.x_px, rim.y_px - TRUTH.y_px) < 0.3 * PX_PER_MM
    assert diameters_mm(PLANE, [rim])[0] == pytest.approx(NICKEL_MM, rel=0.015)


@pytest.mark.parametrize(("ring", "leads"), [(RING, True), (SMALL_RING, False)])
def test_a_true_size_that_meets_less_of_a_rim_must_be_near(ring: Disc, leads: bool) -> None:
    """A nickel measured as 20.4 mm met 0.96 of its rim; the quarter of its shadow met 0.88, and was taken for it.

    A quarter's ring of 22 mm met 0.98 of its rim and the quarter's own 0.85: so near ones are tried all the same.
    """
    image = burnt_out()
    (fit,), _, _ = fitted(image, [ring], PLANE, STRAIGHT)
    assert (lost_rims.of_true_size(image, {fit: 1.0}, PLANE, STRAIGHT) != {}) == leads


@pytest.mark.parametrize("kind", BY_SIZE)
def test_a_circle_of_a_coin_s_size_leads_nowhere(kind: Denomination) -> None:
    assert lost_rims.of_true_size(burnt_out(), {disc(1.01 * kind.diameter_mm): POOR}, PLANE, STRAIGHT) == {}


def test_a_ring_within_a_coin_s_rim_that_was_found_leads_nowhere() -> None:
    assert lost_rims.of_true_size(burnt_out(), {RING: POOR, TRUTH: POOR}, PLANE, STRAIGHT) == {}


def test_bare_paper_has_no_rim_of_any_size() -> None:
    paper = np.full((500, 500, 3), PAPER, np.uint8)
    assert lost_rims.of_true_size(paper, {RING: POOR}, PLANE, STRAIGHT) == {}


def test_clutter_leads_nowhere() -> None:
    clutter = [disc(RING_MM, 200.0 * k) for k in range(1, lost_rims.MOST + 1)]
    assert lost_rims.of_true_size(burnt_out(), dict.fromkeys([RING, *clutter], POOR), PLANE, STRAIGHT) == {}


def test_no_circles_have_no_lost_rims() -> None:
    assert lost_rims.of_true_size(burnt_out(), {}, PLANE, STRAIGHT) == {}
