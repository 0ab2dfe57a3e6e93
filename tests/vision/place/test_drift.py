"""Drift: the virtual camera is bumped and markers are covered; the plane is compared with the truth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tablecoin import mat
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.frame import Image
from tablecoin.vision.place.drift import Drift, follow
from tablecoin.vision.place.plane import Plane

TABLE = mat.load("two-row")
VIEW = View.over(TABLE)
RIGHT_SIDE_OUT = np.array([(0, 0), (1, -0.5), (1, 0.5), (0, 0)])  # of the mat's corners, clockwise from the top left


@cache
def empty() -> Renderer:
    return Renderer(TABLE, VIEW)


def seen(**faults: bool) -> Image:
    return empty().picture(Scene(faults=Faults(**faults)))


def shifted(by_mm: float, **faults: bool) -> tuple[Image, View]:
    x, y = VIEW.aim_mm
    view = replace(VIEW, aim_mm=(x + by_mm, y))
    return Renderer(TABLE, view).picture(Scene(faults=Faults(**faults))), view


def off_mm(plane: Plane, view: View) -> float:
    spots = np.array([(20, 20), (400, 20), (210, 150), (20, 270), (400, 270)], float)
    return float(np.linalg.norm(plane.to_mm(view.to_px(spots)) - spots, axis=1).max())


@pytest.fixture(scope="module")
def good() -> Plane:
    plane, drift = follow(seen(), [TABLE], None)
    assert plane is not None
    assert drift == Drift("steady")
    return plane


def test_while_nothing_moves_it_is_steady_and_the_very_same(good: Plane) -> None:
    plane, drift = follow(seen(), [TABLE], good)
    assert drift.state == "steady"
    assert drift.said is None
    assert plane is not None
    assert plane.homography == good.homography


def test_a_bumped_camera_is_followed_when_the_markers_are_seen(good: Plane) -> None:
    plane, drift = follow(seen(camera_bumped=True), [TABLE], good)
    assert drift.state == "followed"
    assert drift.off_mm > 4
    assert not drift.stops
    assert plane is not None
    assert off_mm(plane, VIEW.bumped()) < 0.8


@pytest.mark.parametrize("by_mm", [2.5, 4.0, 8.0])
def test_a_camera_that_turned_about_one_side_of_the_mat_is_followed(good: Plane, by_mm: float) -> None:
    """The markers of that side lie where they lay; the others did not vanish, they moved."""
    corners = np.array([(0, 0), (TABLE.width_mm, 0), (TABLE.width_mm, TABLE.height_mm), (0, TABLE.height_mm)], float)
    then, now = (VIEW.to_px(places).astype(np.float32) for places in (corners, corners + by_mm * RIGHT_SIDE_OUT))
    turn = cv2.getPerspectiveTransform(then, now)
    image = np.asarray(cv2.warpPerspective(seen(), turn, VIEW.size_px), np.uint8)
    plane, drift = follow(image, [TABLE], good)
    assert drift.state == "followed"
    assert plane is not None
    assert plane.warnings == ()
    spots = np.array([(30, 30), (390, 30), (210, 150), (390, 270)], float)
    shown = cv2.perspectiveTransform(VIEW.to_px(spots)[:, None], turn)[:, 0]
    assert np.linalg.norm(plane.to_mm(shown) - spots, axis=1).max() < 0.6


def test_one_marker_lost_for_good_does_not_stop_the_table(good: Plane) -> None:
    plane, drift = follow(seen(camera_bumped=True, marker_lost=True), [TABLE], good)
    assert drift.state == "followed"
    assert plane is not None
    assert off_mm(plane, VIEW.bumped()) < 1.0


def test_two_markers_are_enough_to_keep_the_last_good_plane(good: Plane) -> None:
    plane, drift = follow(seen(markers_covered=True), [TABLE], good)
    assert drift.state == "steady"
    assert plane is not None
    assert len(plane.marker_ids) == 2
    assert plane.homography == good.homography
    assert plane.warnings


@pytest.mark.parametrize(
    ("moved_mm", "state"), [(0.3, "steady"), (1.0, "steady"), (2.6, "off"), (3.2, "off"), (5.0, "astray")]
)
def test_with_few_markers_left_a_move_warns_and_then_stops(good: Plane, moved_mm: float, state: str) -> None:
    image, _ = shifted(moved_mm, markers_covered=True)
    plane, drift = follow(image, [TABLE], good)
    assert drift.state == state
    assert drift.stops == (state == "astray")
    assert (drift.said is None) == (state == "steady")
    assert plane is not None
    assert plane.homography == good.homography  # no plane is fitted to two markers


def test_when_the_markers_are_uncovered_it_is_found_again(good: Plane) -> None:
    image, view = shifted(5.0, markers_covered=True)
    kept, drift = follow(image, [TABLE], good)
    assert drift.stops
    image, _ = shifted(5.0)
    plane, drift = follow(image, [TABLE], kept)
    assert drift.state == "followed"
    assert plane is not None
    assert off_mm(plane, view) < 0.6


def test_no_marker_at_all_stops_ruling_and_keeps_the_plane(good: Plane) -> None:
    plane, drift = follow(np.full((960, 1280, 3), 128, np.uint8), [TABLE], good)
    assert drift.state == "lost"
    assert drift.stops
    assert plane is not None
    assert plane.homography == good.homography
    assert drift.said == Message("vision.mat.lost", {"off_mm": "0.0"})


def test_a_mirrored_picture_is_said_and_not_markers_that_nobody_covered(good: Plane) -> None:
    plane, drift = follow(seen()[:, ::-1].copy(), [TABLE], good)
    assert drift.stops
    assert drift.said == Message("vision.mat.mirrored", {"off_mm": "0.0"})
    assert plane is not None
    assert drift.said in plane.warnings


@pytest.mark.parametrize("brightness", [0.0, 0.03, 0.05])
def test_a_lamp_that_went_out_is_said_and_not_markers_that_nobody_covered(good: Plane, brightness: float) -> None:
    image = Renderer(TABLE, VIEW, Light(brightness=brightness)).picture(Scene())
    plane, drift = follow(image, [TABLE], good)
    assert drift.stops
    assert drift.said == Message("vision.mat.dark", {"off_mm": "0.0"})
    assert plane is not None
    assert drift.said in plane.warnings


def test_another_mat_laid_in_its_place_is_taken_at_once(good: Plane) -> None:
    ring = mat.load("ring")
    plane, drift = follow(Renderer(ring, View.over(ring)).picture(Scene()), None, good)
    assert drift.state == "steady"
    assert plane is not None
    assert plane.mat == ring


def test_without_a_mat_ever_seen_there_is_no_plane_and_no_drift() -> None:
    assert follow(np.full((480, 640, 3), 128, np.uint8), None, None) == (None, Drift("steady"))
