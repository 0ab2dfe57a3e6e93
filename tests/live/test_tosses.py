"""Tossing virtual coins: nobody throws again because of how they fell; each zone is thrown by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin import mat
from tablecoin.coins import Heap
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.referee.commands import CommandError
from tablecoin.virtual.table import VirtualTable
from tests.live.looking import Clock, table_over
from tests.rules.coin_wars.coin_wars_acts import DUEL

pytestmark = pytest.mark.usefixtures("loaded")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def duel(tmp_path: Path, clock: Clock) -> Iterator[LiveTable]:
    """A toss in two zones is due, and nobody looks at the table."""
    made = table_over(VirtualTable(mat.load("coin-wars"), seed=1), Journal(tmp_path / "j.sqlite"), clock)
    made.command({"start": {"game": "coin-wars"}}, None)
    for act in DUEL:
        assert made.command({"act": act}, None)[0]
    yield made
    made.stop()


def test_both_trays_can_be_thrown_at_once_and_neither_again_before_it_was_looked_at(
    duel: LiveTable, clock: Clock
) -> None:
    duel.toss(Heap(nickel=3), "hero")
    duel.toss(Heap(penny=4), "scene")
    assert duel.virtual is not None
    fell = duel.virtual.scene.coins
    assert len(fell) == 7
    for coins, zone in ((Heap(nickel=3), "hero"), (Heap(penny=4), "scene")):
        with pytest.raises(CommandError, match="not been read yet"):
            duel.toss(coins, zone)
    assert duel.virtual.scene.coins == fell
    clock.now_s += 12.5  # something hides the coins
    duel.toss(Heap(nickel=3), "hero")
