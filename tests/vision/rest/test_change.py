"""Known changes are told apart: a change of light is subtracted, a thing remains, a bump is measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.vision.frame import Image
from tablecoin.vision.rest.change import alignment, change, edges, glance, noise, shift, sway

RNG = np.random.default_rng(5)


def scene() -> Image:
    """Blobs of every size and some print, so that no two places look alike."""
    image = np.zeros((544, 728, 3), np.float32)
    for cells, weight in ((6, 40), (24, 30), (90, 25)):
        rough = RNG.normal(0, weight, (cells * 3 // 4, cells, 3)).astype(np.float32)
        image += cv2.resize(rough, (728, 544), interpolation=cv2.INTER_CUBIC)
    return (image + 140).clip(40, 220).astype(np.uint8)


SCENE = scene()
Y, X = np.mgrid[-1:1:544j, -1:1:728j]


def lit(field: np.ndarray) -> Image:
    return np.asarray((SCENE * field[..., None]).clip(0, 255), np.uint8)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("the same light", np.ones_like(X)),
        ("dimmer", np.full_like(X, 0.75)),
        ("a lamp to the left", 1 - 0.15 * X),
        ("a lamp in the middle", 1.05 - 0.15 * (X**2 + Y**2)),
        ("mains flicker in bands", 1 + 0.03 * np.sin(9 * Y)),
        ("a tube's deep bands, filmed with a wrong exposure", 1 + 0.11 * np.sin(10.4 * Y)),
    ],
)
def test_light_leaves_no_change(name: str, field: np.ndarray) -> None:
    left = change(glance(lit(field)).log, glance(SCENE).log)
    assert np.percentile(np.abs(left), 99) < 0.04, name


def test_a_thing_remains_when_the_light_is_subtracted() -> None:
    with_hand = lit(0.8 - 0.1 * X)
    with_hand[200:420, 400:] = (50, 60, 90)  # a third of the picture's width
    left = np.abs(change(glance(with_hand).log, glance(SCENE).log))
    inside, outside = left[105:205, 205:], np.delete(left, np.s_[95:215], axis=0)
    assert np.median(inside) > 0.2
    assert np.percentile(outside, 95) < 0.06


def test_noise_is_recovered() -> None:
    field = RNG.normal(0, 0.02, (272, 364)).astype(np.float32)
    field[50:90, 50:120] = 1.0  # a change does not count as noise
    assert noise(field) == pytest.approx(0.02, rel=0.1)


@pytest.mark.parametrize(("dx", "dy"), [(0.0, 0.0), (4.0, 0.0), (-6.0, 10.0), (13.0, -8.0)])
def test_a_bump_is_measured(dx: float, dy: float) -> None:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    moved = np.asarray(cv2.warpAffine(SCENE, move, (728, 544), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    now, then = glance(moved), glance(SCENE)
    assert shift(now.log, then.log) == pytest.approx((dx / 2, dy / 2), abs=0.3)


def test_a_turned_camera_is_aligned() -> None:
    turn = cv2.getRotationMatrix2D((364, 272), 1.5, 1.0)
    turned = np.asarray(cv2.warpAffine(SCENE, turn, (728, 544), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = alignment(glance(turned), glance(SCENE))
    assert found is not None
    motion, share = found
    assert share > 0.8
    assert np.degrees(np.arctan2(motion[0, 1], motion[0, 0])) == pytest.approx(1.5, abs=0.1)


def test_the_shift_leaves_its_pictures_as_they_were() -> None:
    """OpenCV 5.0 multiplies the pictures of a phase correlation by the window, in place."""
    now, then = glance(SCENE).log, glance(np.roll(SCENE, 4, axis=1)).log
    before = now.copy(), then.copy()
    shift(now, then)
    assert np.array_equal(now, before[0])
    assert np.array_equal(then, before[1])


@pytest.mark.parametrize("gain", [0.7, 0.85, 1.15])
def test_a_step_of_the_exposure_leaves_nothing_on_dark_places_either(gain: float) -> None:
    dark = SCENE.copy()
    dark[200:300, 300:400] //= 6
    stepped = np.asarray((dark * gain).clip(0, 255), np.uint8)
    left = change(glance(stepped).log, glance(dark).log)
    assert np.percentile(np.abs(left), 99) < 0.03


@pytest.mark.parametrize(("dx", "dy"), [(0.3, 0.0), (-0.5, 0.4)])
def test_a_sway_is_measured_and_explained(dx: float, dy: float) -> None:
    move = np.array([[1, 0, 2 * dx], [0, 1, 2 * dy]], np.float32)
    moved = np.asarray(cv2.warpAffine(SCENE, move, (728, 544), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    now, then = glance(moved).log, glance(SCENE).log
    difference = change(now, then)
    explained, px = sway(difference, now, then)
    assert px == pytest.approx(np.hypot(dx, dy), abs=0.05)
    assert np.std(difference - explained) < 0.35 * np.std(difference)


def test_edges_are_the_most_that_a_shift_by_one_pixel_changes() -> None:
    log = glance(SCENE).log
    allowed = edges(log)
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        moved = np.roll(log, step, axis)
        assert np.all(np.abs(moved - log)[2:-2, 2:-2] <= allowed[2:-2, 2:-2])
    assert not edges(np.full((20, 30), 4.0, np.float32)).any()
