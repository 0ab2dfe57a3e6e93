"""Whole games at the table: random people with mistakes, every ruling held against the truth.

Readings are perfect here; the same people play through pictures in tests/journeys.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from table import Table, seen

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.referee.referee import Referee
from tablecoin.virtual.people import People
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.frame import Disc, SeenCoin


class PerfectEyes:
    """A stage whose referee is told exactly what lies on the table: only the top coin of a stack, as a camera sees."""

    def __init__(self, mat: str, seed: int) -> None:
        self.table = VirtualTable(mats.load(mat), seed, clock=count().__next__)
        self.referee = Referee(lambda events: None)
        self._looks = Table()

    @property
    def restarts(self) -> int:
        return 0

    def settle(self) -> None:
        self._looks.coins = list(self._visible())
        self.referee.see(self._looks.hand())
        self.referee.see(self._looks.look())

    def _visible(self) -> list[SeenCoin]:
        tops = []
        coins = self.table.scene.coins
        for i, coin in enumerate(coins):
            over = [o for o in coins[i + 1 :] if (o.x_mm - coin.x_mm) ** 2 + (o.y_mm - coin.y_mm) ** 2 < 64]
            if not over:
                zone = self.table.mat.zone_at(coin.x_mm, coin.y_mm)
                disc = Disc(coin.x_mm, coin.y_mm, coin.denomination.diameter_mm / 2)
                read = seen(str(coin.coin), zone or "", 0.0)
                tops.append(replace(read, disc=disc, place_mm=(coin.x_mm, coin.y_mm), zone=zone))
        return tops


FEW = {"goes-around": {"players": 4, "start": 4}}  # so that one box holds all the pennies there are


@pytest.mark.parametrize("name", rules.NAMES)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_ruling_is_right(name: str, seed: int) -> None:
    game = rules.load(name)
    stage = PerfectEyes(game.mat(game.read_options({})), seed)
    story = People(game, stage, seed, mistakes=0.05, accidents=0.02).play(FEW.get(name))
    assert story.wrong == []
    assert story.stuck is None
    assert story.counts["actions"] > 5
