"""The picture to share shows the table, the result and a curve for each seat."""

from __future__ import annotations

import json
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tablecoin.mat.drawing import Words
from tablecoin.replay.picture import HEIGHT_PX, WIDTH_PX, Image, axis, picture
from tablecoin.replay.report import read_report
from tablecoin.replay.steps import replay_of
from tablecoin.rules import NAMES
from tests.replay.games import made_up_analysis, random_record

HEADS_BGR, TAILS_BGR = (42, 84, 169), (134, 95, 45)
GRAPH = np.s_[300:580, 800:1165]


def drawn(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def coloured(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], bgr: tuple[int, int, int]) -> int:
    """How many pixels of the graph have about this colour."""
    return int((np.abs(image[GRAPH].astype(int) - bgr).max(axis=2) < 12).sum())


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_of_each_game(name: str) -> None:
    image = drawn(picture(replay_of(random_record(name)), None, "zh"))
    assert image.shape == (HEIGHT_PX, WIDTH_PX, 3)
    assert image[300:550, 100:700].std() > 10  # a mat, not bare paper


def test_both_curves_are_drawn_with_and_without_chances() -> None:
    record = random_record("steal")
    game, report = replay_of(record), read_report(json.dumps(made_up_analysis(record)).encode(), record)
    for png in (picture(game, None, "en"), picture(game, report, "en")):
        image = drawn(png)
        assert coloured(image, HEADS_BGR) > 300
        assert coloured(image, TAILS_BGR) > 300
    assert picture(game, report, "en") != picture(game, None, "en")


AXES = {1: (0, 1), 2: (0, 1, 2), 3: (0, 1, 3), 2.5: (0, 1, 2), 100: (0, 50, 100), 105: (0, 52, 105)}


@pytest.mark.parametrize(("most", "lines"), AXES.items())
def test_the_lines_of_the_graph_stand_at_the_whole_numbers_written_beside_them(
    most: float, lines: tuple[int, ...]
) -> None:
    assert axis(most) == lines


def test_the_numbers_beside_the_graph_are_those_of_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which nobody had more than three cents."""
    told: list[str] = []

    def noted(sheet: Image, words: Sequence[Words], _: float) -> Image:
        told.extend(each.text for each in words if each.align == "end")
        return sheet

    monkeypatch.setattr("tablecoin.replay.picture.write", noted)
    game = replay_of(random_record("steal"))
    steps = [replace(step, standing={"heads": 3.0, "tails": 0.0}) for step in game.steps]
    picture(replace(game, steps=tuple(steps)), None, "en")
    assert [each for each in told if each.isdecimal()] == ["0", "1", "3"]
