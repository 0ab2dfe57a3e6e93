"""What was settled about a coin is kept while it lies there, and people put the next coin where the last one lay."""

from __future__ import annotations

import pytest

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.referee.memory import BY_PEOPLE, BY_RULES, Known, recognised
from tests.referee.test_doubt import TAILS, read_as

PENNY, NICKEL, DIME, QUARTER = BY_VALUE


@pytest.mark.parametrize(
    ("yields", "penny", "dime", "is_that_dime"),
    [
        (BY_RULES, 0.45, 0.50, True),
        (BY_RULES, 0.56, 0.34, False),  # a penny in the place of a dime was refused as a dime (lab/log, 2026-11-26)
        (BY_RULES, 0.98, 0.01, False),
        (BY_PEOPLE, 0.56, 0.34, True),
        (BY_PEOPLE, 0.90, 0.05, False),
    ],
)
def test_a_settled_coin_is_another_one_when_that_reads_likelier(
    yields: float, penny: float, dime: float, is_that_dime: bool
) -> None:
    """What people answered yields only to a reading ten times as likely: the next light may be worse."""
    coin = read_as(TAILS, 100, penny=penny, dime=dime)
    assert coin.place_mm
    known = recognised(coin, [Known(coin.place_mm, DIME, None, yields)])
    assert known == coin if not is_that_dime else (known.sure and known.denomination is DIME)
    assert known.heads_if == coin.heads_if  # no face was settled, so the reading stands


@pytest.mark.parametrize(("heads", "is_tails"), [(0.4, True), (0.6, False)])
def test_so_it_is_with_the_other_face(heads: float, is_tails: bool) -> None:
    coin = read_as("tray", 100, heads=heads, penny=0.999)
    assert coin.place_mm
    known = recognised(coin, [Known(coin.place_mm, Denomination.PENNY, Face.TAILS, BY_RULES)])
    assert (known.face is Face.TAILS and known.sure) == is_tails
    assert known.heads == (0.0 if is_tails else coin.heads)
