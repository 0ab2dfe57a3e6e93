"""Coins of a toss that are not used go back to the bank before DONE or after it, as people like."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.referee.commands import Act, Press, Start
from tablecoin.referee.referee import Referee
from tablecoin.rules import load
from tests.referee.table import Table, game_of

GAME = load("coin-age")
TOSS: dict[str, Any] = {"do": "flip", "coins": ["penny:heads", "nickel:tails", "dime:heads", "quarter:tails"]}
PLACES: tuple[dict[str, Any], ...] = (
    {"do": "place", "coin": "dime", "space": "M1"},
    {"do": "place", "coin": "penny", "space": "M2"},
)


class Turn:
    """Heads tossed and may place a dime and a penny; `acts` of it were done."""

    def __init__(self, acts: int) -> None:
        self.referee, self.table = Referee(lambda _: None), Table()
        self.referee.command(Start("coin-age", undo="free"), None)
        for act in (TOSS, *PLACES[:acts]):
            self.referee.command(Act(act), None)
        state = GAME.read_state(self.referee.snapshot().game)
        for zone, pile in GAME.layout(state).items():
            self.table.put(zone, *pile.listed())
        self.look()

    def look(self) -> str:
        """What the referee waits for when the table is at rest."""
        self.referee.see(self.table.look())
        return self.referee.snapshot().prompt.kind


@pytest.mark.parametrize("acts", [0, 1, 2])
def test_done_is_taken_when_the_tray_was_cleared_before_it(acts: int) -> None:
    """coin-age.turn.return: the prompt says "take the tossed coins back and press DONE"."""
    turn = Turn(acts)
    for kind in [coin.denomination for coin in turn.table.coins if coin.zone == "tray" and coin.denomination]:
        turn.table.take("tray", kind)
        assert turn.look() == "turn", f"the {kind} is in a hand"
        turn.table.put("bank.heads", kind)
        assert turn.look() == "turn", f"the {kind} is in the bank"
        assert not turn.referee.snapshot().table.differences
    turn.referee.command(Press("heads.done"), None)
    after = game_of(turn.referee.snapshot())
    assert (after["phase"], after["mover"]) == ("flip", "tails")
    assert after["spaces"]["M2"] == (["penny:heads"] if acts == 2 else [])


def test_a_coin_that_goes_elsewhere_is_not_taken_back() -> None:
    turn = Turn(2)
    turn.table.take("tray", "nickel").put("bank.tails", "nickel")
    assert turn.look() in ("paused", "refused")
    turn.referee.command(Press("heads.done"), None)
    assert game_of(turn.referee.snapshot())["phase"] == "turn"


def test_a_coin_that_the_bank_should_not_have_is_not_taken_back() -> None:
    turn = Turn(2)
    turn.table.take("space.M2", "penny").put("bank.heads", "penny").take("tray", "nickel").put("bank.heads", "nickel")
    assert turn.look() == "paused"
