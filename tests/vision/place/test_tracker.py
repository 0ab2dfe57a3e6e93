"""The tracker: which mats are looked for, and what is remembered from picture to picture."""

from __future__ import annotations

from functools import cache

import pytest

from tablecoin import mat as mats
from tablecoin.mat import MatError
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.coins.find import greyed
from tablecoin.vision.frame import Image
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.place.tracker import MatTracker


@cache
def seen(name: str, **faults: bool) -> Image:
    mat = mats.load(name)
    return Renderer(mat, View.over(mat, size_px=(1100, 820))).picture(Scene(faults=Faults(**faults)))


def located(tracker: MatTracker, image: Image) -> Plane | None:
    return tracker.locate(image, greyed(image), None)


FOUND = {
    # (mat looked for, mat in the picture): mat found
    ("auto", "two-row"): "two-row",
    ("auto", "coin-age:classic"): "coin-age:classic",
    ("two-row", "two-row"): "two-row",
    ("two-row", "ring"): None,
    ("none", "two-row"): None,
}


@pytest.mark.parametrize(("wanted", "there"), FOUND)
def test_the_mats_asked_for_are_found(wanted: str, there: str) -> None:
    tracker = MatTracker(wanted)
    plane = located(tracker, seen(there))
    assert (plane.mat.name if plane else None) == FOUND[wanted, there]
    assert tracker.plane is plane
    assert tracker.drift.state == "steady"


def test_an_unknown_mat_is_named() -> None:
    with pytest.raises(MatError, match="no mat 'moon'"):
        MatTracker("moon")


def test_a_bumped_camera_is_followed_and_forgetting_starts_anew() -> None:
    tracker = MatTracker("auto")
    located(tracker, seen("two-row"))
    moved = seen("two-row", camera_bumped=True)
    followed = located(tracker, moved)
    states = [tracker.drift.state]
    assert located(tracker, moved) == followed
    states.append(tracker.drift.state)
    tracker.forget()
    assert tracker.plane is None
    assert located(tracker, moved) is not None
    states.append(tracker.drift.state)
    assert states == ["followed", "steady", "steady"]
