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
NAMES = ("overhead1", "overhead3")


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER.is_dir(), reason="The recorded sequences of hands are not beside the project.")
@pytest.mark.parametrize("fps", [10.0, 15.0])
def test_no_sighting_under_a_hand_and_few_still_frames_are_busy(fps: float) -> None:
    busy = still = 0
    for name in NAMES:
        facts = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        with_hand = {n for first, last in facts["hand"] for n in range(first, last + 1)}
        not_still = with_hand | set(facts["unclear"])
        settler = Settler(Reader("none").read)
        under = []
        for n in range(facts["first"], facts["last"] + 1):
            image = np.asarray(cv2.imread(str(FOLDER / name / f"{n:04d}.jpg")), np.uint8)
            look = settler.see(Frame(image, n, n / fps))
            if look.sighting and n in with_hand:
                under.append(n)
            if n > facts["first"] and not {n - 1, n} & not_still:  # motion shows between two pictures
                still += 1
                busy += look.moving or look.hand
        assert under == [], name
    assert still > 250
    assert busy <= 0.02 * still
