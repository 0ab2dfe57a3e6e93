"""The plane: random cameras over a mat, recovered from the picture alone."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin import mat
from tablecoin.coins import Denomination, Face
from tablecoin.mat.raster import raster
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.frame import Image
from tablecoin.vision.place.fit import TWICE, find_plane
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane

TWO_ROW = mat.load("two-row")


def seen(view: View, table: mat.Mat = TWO_ROW, scene: Scene | None = None, light: Light | None = None) -> Image:
    return Renderer(table, view, light).picture(scene or Scene())


def errors_mm(plane: Plane, view: View) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(0, plane.mat.width_mm, 9), np.linspace(0, plane.mat.height_mm, 7))
    spots = np.stack((x, y), axis=-1).reshape(-1, 2)
    return np.asarray(np.linalg.norm(plane.to_mm(view.to_px(spots)) - spots, axis=1))


def found(image: Image, **known: object) -> Plane:
    plane = find_plane(image, **known)  # type: ignore[arg-type]
    assert plane is not None
    return plane


@pytest.mark.parametrize("name", mat.names())
def test_a_mat_is_recognised_by_its_markers_and_measured(name: str) -> None:
    """As it is printed, on a white table."""
    table = mat.load(name)
    picture = cv2.copyMakeBorder(raster(table, 2.0), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    plane = found(np.asarray(picture, np.uint8))
    assert plane.mat.name == name
    assert len(plane.marker_ids) == len(table.markers)
    assert not plane.warnings
    spots = np.array([(0, 0), (table.width_mm, 0), (table.width_mm / 2, table.height_mm)])
    assert np.abs(plane.to_mm(30 + 2.0 * spots - 0.5) - spots).max() < 0.4


@pytest.mark.parametrize("name", ["two-row", "ring"])
def test_a_mat_seen_aslant_through_a_lens_is_measured(name: str) -> None:
    table = mat.load(name)
    view = View.over(table, size_px=(1456, 1088), distance_mm=550, tilt_deg=9, towards_deg=70, k1=-0.1)
    plane = found(seen(view, table))
    assert plane.mat.name == name
    assert not plane.warnings
    assert errors_mm(plane, view).max() < 0.8


def test_of_two_mats_of_one_kind_one_is_measured_and_people_are_told() -> None:
    """Their markers have the same ids: a plane through some of each would lie on neither."""
    views = [View.over(TWO_ROW, size_px=(1200, 900), distance_mm=distance) for distance in (500, 560)]
    plane = found(np.hstack([seen(view) for view in views]))
    assert TWICE in plane.warnings
    spots = np.array([(x, y) for x in (20, 200) for y in (20, 150)], float)
    left, right = (view.to_px(spots) + np.array([number * 1200, 0]) for number, view in enumerate(views))
    assert min(np.abs(plane.to_mm(pixels) - spots).max() for pixels in (left, right)) < 1.0


@pytest.mark.parametrize("cameras", [4, pytest.param(100, marks=pytest.mark.long)])
def test_random_cameras_are_recovered(cameras: int) -> None:
    chance = random.Random(cameras)
    medians, worst = [], []
    for _ in range(cameras):
        view = View.over(
            TWO_ROW,
            size_px=chance.choice(((1456, 1088), (1280, 960))),
            distance_mm=chance.uniform(400, 700),
            tilt_deg=chance.uniform(0, 25),
            towards_deg=chance.uniform(0, 360),
            roll_deg=chance.uniform(-5, 5),
            k1=chance.uniform(-0.25, 0.0),
        )
        light = Light(chance.uniform(0.4, 1), chance.uniform(0, 0.3), chance.uniform(-0.1, 0.1), 3.0, 1.0)
        off = errors_mm(found(seen(view, light=light)), view)
        medians.append(float(np.median(off)))
        worst.append(float(off.max()))
    assert np.median(medians) <= 0.3
    assert max(worst) <= 1.0


@pytest.mark.parametrize("k1", [-0.25, -0.22, -0.15, 0.0, 0.05])
def test_a_wide_lens_from_near_is_recovered(k1: float) -> None:
    """The focal length is not known: where it is assumed 1.7 times too long, the k1 fitted is three times as large."""
    size_px = (1280, 960)
    view = View.over(TWO_ROW, size_px=size_px, distance_mm=320, tilt_deg=17, towards_deg=300, roll_deg=4, k1=k1)
    plane = found(seen(view, light=Light(blur_px=0.9, noise=3)))
    assert errors_mm(plane, view).max() < 0.8


def test_a_known_lens_is_used_as_given() -> None:
    view = View.over(TWO_ROW, distance_mm=450, k1=-0.2)
    plane = found(seen(view), lens=view.lens)
    assert plane.lens == view.lens
    assert errors_mm(plane, view).max() < 0.4


def test_while_nothing_moves_the_very_same_plane_is_kept() -> None:
    view = View.over(TWO_ROW)
    renderer = Renderer(TWO_ROW, view)
    first = found(renderer.picture(Scene()))
    assert found(renderer.picture(Scene()), last=first) == first


def test_a_hand_over_markers_does_no_harm() -> None:
    view = View.over(TWO_ROW)
    first = found(seen(view))
    covered = seen(view, scene=Scene(hand=True, hand_at_mm=(380.0, 150.0)))
    plane = found(covered, last=first)
    assert 2 <= len(plane.marker_ids) < len(TWO_ROW.markers)
    assert plane.warnings
    assert plane.homography == first.homography


def test_a_bumped_camera_is_followed() -> None:
    view = View.over(TWO_ROW)
    first = found(seen(view))
    second = found(seen(view.bumped()), last=first)
    assert errors_mm(second, view.bumped()).max() < 0.8
    assert errors_mm(first, view.bumped()).max() > 4


def test_coins_lying_on_the_mat_do_not_matter() -> None:
    coins = tuple(VirtualCoin(Denomination.QUARTER, Face.TAILS, 60.0 + 30 * k, 50.0) for k in range(9))
    view = View.over(TWO_ROW, tilt_deg=10)
    assert errors_mm(found(seen(view, scene=Scene(coins))), view).max() < 0.8


@pytest.mark.parametrize("tone", [0, 128, 255])
def test_no_mat_is_no_plane(tone: int) -> None:
    assert find_plane(np.full((480, 640, 3), tone, np.uint8)) is None
    assert find_plane(np.full((480, 640, 3), tone, np.uint8), mats=[]) is None


def test_scale_and_rectified_picture_agree_with_the_mat() -> None:
    view = View.over(TWO_ROW, distance_mm=600, tilt_deg=12, k1=-0.1)
    image = seen(view)
    plane = found(image)
    middle = view.to_px([(210, 148.5)])[0]
    right = view.to_px([(211, 148.5)])[0]
    assert plane.mm_per_px_at(middle) == pytest.approx(1 / np.linalg.norm(right - middle), rel=0.05)
    flat = plane.rectify(image, 2)
    assert flat.shape == (594, 840, 3)
    again = found(flat, lens=Lens(840, 840, 419.5, 296.5))
    assert np.abs(again.to_mm([(0, 0), (839, 593)]) - ((0.25, 0.25), (419.75, 296.75))).max() < 0.8


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-0.25, 0.2), st.floats(-0.02, 0.02), st.floats(-0.002, 0.002), st.floats(-0.7, 0.7), st.floats(-0.5, 0.5)
)
def test_straighten_undoes_bend(k1: float, k2: float, p1: float, x: float, y: float) -> None:
    lens = Lens(1000, 1010, 640, 480, k1=k1, k2=k2, p1=p1, p2=-p1)
    pixel = [(640 + 1000 * x, 480 + 1010 * y)]
    assert np.abs(lens.straighten(lens.bend(pixel)) - pixel).max() < 0.05


def test_another_mat_with_markers_in_the_same_places_is_told_apart() -> None:
    other = mat.load("coin-age:classic")
    first = found(seen(View.over(TWO_ROW)))
    assert found(seen(View.over(other), other), last=first).mat == other


def test_markers_of_no_wanted_mat_are_no_plane() -> None:
    """Among no mats none is found, and neither is a mat whose markers are all other ones."""
    picture = raster(TWO_ROW, 2.5)
    assert find_plane(np.asarray(picture, np.uint8), []) is None
