"""Recorded sequences of bare hands over coins: nothing is ruled on under a hand, and a still table is not busy.

A webcam above a table, with automatic exposure; people labelled the frames with a hand in them. The sequences are no
part of the project: they are looked for beside it.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.settle import Settler

FOLDER = Path(__file__).parents[4] / "shared/video"
FPS = 10.0


@pytest.mark.skipif(not FOLDER.is_dir(), reason="The recorded sequences of hands are not beside the project.")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("overhead1", marks=pytest.mark.heavy),  # 167 pictures of a real table
        pytest.param("overhead3", marks=pytest.mark.long),
    ],
)
def test_no_sighting_under_a_hand_and_few_still_frames_are_busy(name: str) -> None:
    facts = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    with_hand = {n for first, last in facts["hand"] for n in range(first, last + 1)}
    not_still = with_hand | set(facts["unclear"])
    settler = Settler(Reader("none").read)
    under, busy = [], []
    for n in range(facts["first"], facts["last"] + 1):
        image = np.asarray(cv2.imread(str(FOLDER / name / f"{n:04d}.jpg")), np.uint8)
        look = settler.see(Frame(image, n, n / FPS))
        if look.sighting and n in with_hand:
            under.append(n)
        if n > facts["first"] and not {n - 1, n} & not_still:  # motion shows between two pictures
            busy.append(look.moving or look.hand)
    assert under == []
    assert len(busy) > 110
    assert sum(busy) <= 0.02 * len(busy)
