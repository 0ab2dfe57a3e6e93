"""Trials with hands: a drawn hand is cut, dressed and laid over the table as asked, and is never ruled under."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from lab.reading.commands import read
from lab.reading.hands import ARM_PX, PALM_MM, SHADOW, Cutout, dressed, load, one_finger, over, trials
from tablecoin import mat as mats
from tablecoin.virtual.view import View

SHARED = Path(__file__).parents[4] / "shared/video/hands"
SKIN = (130, 160, 205)
MAT = mats.load("two-row")
VIEW = View.over(MAT, size_px=(960, 720))
PAPER = np.full((720, 960, 3), 230, np.uint8)


def drawn(fingers: int) -> Cutout:
    """A hand that reaches in from the right: a palm 80 pixels wide and `fingers` stretched fingers, well apart."""
    alpha = np.zeros((140, 220), np.uint8)
    cv2.rectangle(alpha, (120, 30), (219, 109), 255, cv2.FILLED)
    for n in range(fingers):
        y = 45 + 40 * n
        cv2.line(alpha, (12, y), (130, y), 255, 15)
    return np.dstack((np.full((*alpha.shape, 3), SKIN, np.uint8), alpha))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with drawn hands of one, two and three fingers."""
    for fingers in (1, 2, 3):
        cv2.imwrite(str(tmp_path / f"hand_{fingers}.png"), drawn(fingers))
    return tmp_path


def test_hands_are_scaled_to_a_palm_and_single_fingers_are_cut_from_those_that_stretch_two(folder: Path) -> None:
    whole, fingers = load(folder)
    assert len(whole) == 3
    assert len(fingers) == 1
    assert fingers[0].mm_per_px == pytest.approx(PALM_MM / 80, rel=0.05)
    assert fingers[0].tip_px == pytest.approx((5, 45), abs=3)


@pytest.mark.parametrize("fingers", [1, 3])
def test_a_hand_with_other_than_two_fingers_is_not_cut(fingers: int) -> None:
    assert one_finger(drawn(fingers)) is None


def test_the_cut_takes_the_lower_finger_off_and_leaves_the_palm() -> None:
    cut = one_finger(drawn(2))
    assert cut is not None
    assert cut[45, 50, 3] == 255, "the upper finger"
    assert cut[85, 50, 3] == 0, "the lower finger"
    assert cut[70, 180, 3] == 255, "the palm"


@pytest.mark.parametrize(("skin", "darker"), [("as filmed", False), ("dark", True)])
def test_a_hand_is_dressed(folder: Path, skin: str, darker: bool) -> None:
    hand = load(folder)[0][0]
    worn = dressed(hand, skin, "red")
    assert worn.cutout.shape[1] == hand.cutout.shape[1] + ARM_PX
    assert bool(worn.cutout[70, 180, 0] < SKIN[0]) is darker
    blue, _, red, alpha = worn.cutout[70, -10].astype(int)
    assert red > 2 * blue
    assert alpha == 255


@pytest.mark.parametrize("towards", [math.pi, math.pi / 2, -math.pi / 2])
def test_the_fingertip_lies_where_it_is_asked_for_with_the_arm_behind_it(folder: Path, towards: float) -> None:
    tip = np.array((200.0, 150.0))
    hand = dressed(load(folder)[0][0], "as filmed", "dark")
    image = over(PAPER, hand, VIEW, (float(tip[0]), float(tip[1])), towards)
    ahead = np.array((math.cos(towards), math.sin(towards)))
    inside, outside = (VIEW.to_px(tip + far * ahead)[0].round().astype(int) for far in (-5, 12))
    assert image[inside[1], inside[0]] == pytest.approx(SKIN, abs=25)
    assert image[outside[1], outside[0]].min() > 230 * (1 - SHADOW) - 5, "paper, at most in its shadow"


@pytest.mark.long
def test_a_drawn_finger_is_never_ruled_under_and_its_removals_are_seen(folder: Path) -> None:
    done = list(trials(folder, 5, seed=3))
    assert [trial.under for trial in done] == [0] * 5
    assert all(trial.seen for trial in done)


@pytest.mark.long
@pytest.mark.skipif(not SHARED.is_dir(), reason="The pictures of real hands are not beside the project.")
def test_real_hands_are_never_ruled_under() -> None:
    assert [trial.under for trial in trials(SHARED, 10, seed=11)] == [0] * 10


def test_a_folder_without_pictures_of_hands_is_refused_in_a_sentence(tmp_path: Path) -> None:
    refused = CliRunner().invoke(read, ["hands", "--hands", str(tmp_path)])
    assert refused.exit_code == 2
    assert "holds no pictures of hands" in refused.output
