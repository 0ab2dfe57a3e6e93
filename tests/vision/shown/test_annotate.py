"""A reading drawn over its picture: sure and doubtful coins look different, and the legend counts them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.shown.annotate import COLOURS_BGR, UNKNOWN_BGR, annotate

DIME = (0.0, 0.0, 0.9, 0.05)
STRANGE = (0.1, 0.1, 0.1, 0.1)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts drawn on pictures."""
    drawn: list[str] = []
    put = cv2.putText

    def noted(picture: Image, text: str, *more: object) -> object:
        drawn.append(text)
        return put(picture, text, *more)  # type: ignore[call-overload]

    monkeypatch.setattr(cv2, "putText", noted)
    return drawn


def reading(*coins: SeenCoin, mm_per_px: float | None = None, mat: str | None = None) -> Reading:
    return Reading(Frame(np.full((900, 900, 3), 120, np.uint8), 1, 0.0), coins, mm_per_px, mat)


def coin(likely: tuple[float, float, float, float] = DIME, *, sure: bool) -> SeenCoin:
    return SeenCoin(Disc(450, 450, 200), likely, whichever(0.9), sure=sure)


def ring(picture: Image, colour: tuple[int, int, int]) -> float:
    """The share of the circle round the coin of `coin` that has this colour."""
    turns = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    x, y = np.round(450 + 200 * np.cos(turns)).astype(int), np.round(450 + 200 * np.sin(turns)).astype(int)
    return float((np.abs(picture[y, x].astype(int) - colour).max(axis=1) < 8).mean())


def test_the_circle_of_a_sure_coin_is_whole_and_that_of_a_doubtful_one_is_dashed(words: list[str]) -> None:
    dime = COLOURS_BGR[coin(sure=True).denomination or pytest.fail("a dime")]
    assert ring(annotate(reading(coin(sure=True))), dime) > 0.85
    assert words == ["dime heads", "81.0 %", "10 cents: 1 dime"]
    words.clear()
    dashed = ring(annotate(reading(coin(sure=False))), dime)
    assert 0.35 < dashed < 0.7
    assert words == ["dime heads ?", "81.0 %", "10 cents: 1 dime   |   not sure of 1"]


def test_what_is_not_ours_counts_neither_as_money_nor_as_doubtful(words: list[str]) -> None:
    drawn = annotate(reading(coin(STRANGE, sure=False), coin(STRANGE, sure=True)))
    assert ring(drawn, UNKNOWN_BGR) > 0.85
    assert words[:4] == ["not ours", "60.0 %"] * 2
    assert "not sure" not in words[4]
    assert words[4].startswith("0 cents")


def test_the_legend_tells_scale_and_mat(words: list[str]) -> None:
    drawn = annotate(reading(mm_per_px=0.25, mat="ring"))
    assert words == [f"{words[0].split('   |   ')[0]}   |   0.250 mm a pixel   |   mat ring"]
    assert drawn.shape[0] > 900
    assert drawn.shape[1] == 900
