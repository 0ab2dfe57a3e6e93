"""Coins in doubt are found by holding answers against the coins that lie there; their causes are counted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from lab.reading.causes import Cause, table
from lab.reading.doubts import Doubt, Said, doubts
from lab.reading.purses import DRAWN
from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.table import VirtualCoin

MAT = mats.load("two-row")
PENNY = VirtualCoin(Denomination.PENNY, Face.HEADS, 100, 100)
ON_IT = VirtualCoin(Denomination.DIME, Face.TAILS, 101, 100)
DIME = VirtualCoin(Denomination.DIME, Face.TAILS, 200, 100)


def said(coin: VirtualCoin, read: str | None, sure: bool = True, dx_mm: float = 0.5) -> Said:
    return Said(7, (coin.x_mm + dx_mm, coin.y_mm), None, read, 0.9, 0.8, sure)


@pytest.mark.parametrize(
    ("lies", "answers", "briefs"),
    [
        ((PENNY, DIME), [said(PENNY, "penny:heads"), said(DIME, "dime:tails")], []),
        ((PENNY,), [said(PENNY, "penny:heads", sure=False)], ["penny:heads not sure"]),
        ((PENNY,), [said(PENNY, "penny:tails")], ["penny:heads read as penny:tails, sure"]),
        ((PENNY,), [said(PENNY, None, sure=False)], ["penny:heads read as no coin, not sure"]),
        ((PENNY, DIME), [said(DIME, "dime:tails")], ["penny:heads not seen"]),
        ((PENNY, ON_IT), [said(ON_IT, "dime:tails", dx_mm=0)], []),  # the coin below is covered
        ((), [said(PENNY, "penny:heads", sure=False)], ["nothing read as penny:heads, not sure"]),
        (
            (PENNY,),
            [said(PENNY, "penny:heads", dx_mm=5)],
            ["nothing read as penny:heads, sure", "penny:heads not seen"],
        ),
    ],
)
def test_doubts(lies: tuple[VirtualCoin, ...], answers: list[Said], briefs: list[str]) -> None:
    assert [doubt.brief for doubt in doubts(lies, answers, MAT, DRAWN)] == briefs


def doubt(read: str, picture: str | None = None) -> Doubt:
    return Doubt(1, "penny:heads", read, 0.61, 0.9, False, "row.heads", picture)


@dataclass(frozen=True)
class Played:
    name: str
    causes: tuple[Cause, ...]


def test_the_most_frequent_cause_comes_first_with_an_example() -> None:
    dime, sure_of_all = doubt("dime:heads", "penny_heads_somebody_0001"), Cause("question", (), "What was it?")
    wrong = Cause("wrong ruling", (doubt("penny:heads"), dime), "The toss: dime heads.")
    rows = table([Played("steal 1", (sure_of_all,)), Played("steal 2", (wrong, wrong))]).splitlines()[2:]
    assert rows == [
        "| 2 | wrong ruling | penny:heads read as dime:heads, not sure "
        "| steal 2: penny:heads read as dime:heads, not sure (0.61, 0.90) in row.heads, "
        "penny_heads_somebody_0001 | The toss: dime heads. |",
        "| 1 | question | every coin was read rightly and surely | steal 1: – | What was it? |",
    ]
