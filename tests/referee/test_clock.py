"""A choice with a time limit, on a clock that the test sets."""

from __future__ import annotations

from tablecoin.referee.clock import ChoiceClock
from tablecoin.referee.commands import Act, Start, Undo
from tablecoin.referee.events import Acted, Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import GameState
from tests.referee.table import NO_CAMERA, game_of


class Round:
    """Three seats of What Goes Around and a clock."""

    def __init__(self, timeout: int) -> None:
        self.events: list[Event] = []
        self.now_s = 100.0
        self.referee = Referee(self.events.extend)
        self.clock = ChoiceClock(self.referee, lambda: self.now_s)
        self.clock.mind()  # nothing is played yet
        self.referee.command(Start("goes-around", {"players": 3, "timeout": timeout}), None)
        self.referee.lose_camera(NO_CAMERA)  # so that a reveal is not checked on the table

    def pass_time(self, seconds: float) -> None:
        self.clock.mind()
        self.now_s += seconds
        self.clock.mind()

    def commit(self, seat: str, action: str) -> None:
        self.referee.command(Act({"do": "commit", "seat": seat, "action": action}), None)

    @property
    def game(self) -> GameState:
        return game_of(self.referee.snapshot())


def test_a_seat_that_has_not_chosen_in_time_gets_the_choice_of_the_rules() -> None:
    table = Round(timeout=30)
    table.pass_time(20)
    table.commit("2", "protect")
    table.pass_time(9)
    assert table.game["committed"] == ["2"], "a choice of somebody else gives nobody more time"
    table.pass_time(2)
    assert table.game["committed"] == ["1", "2", "3"]
    chosen = [event for event in table.events if isinstance(event, Acted)]
    assert [(event.action["seat"], event.action["action"], event.by) for event in chosen] == [
        ("2", "protect", "phone"),
        ("1", "pass", "clock"),
        ("3", "pass", "clock"),
    ]


def test_every_round_has_its_own_time() -> None:
    table = Round(timeout=30)
    table.pass_time(31)
    table.referee.command(Act({"do": "reveal"}), None)
    assert table.game["round"] == 2
    table.pass_time(29)
    assert table.game["committed"] == []
    table.pass_time(2)
    assert table.game["committed"] == ["1", "2", "3"]
    table.referee.command(Undo(), None)  # taken back, the time begins anew
    assert len(table.game["committed"]) < 3
    table.pass_time(29)
    assert len(table.game["committed"]) < 3


def test_a_new_game_has_its_own_time_too() -> None:
    table = Round(timeout=30)
    table.pass_time(29)
    table.referee.command(Start("goes-around", {"players": 3, "timeout": 30}), None)
    table.pass_time(29)
    assert table.game["committed"] == []


def test_without_a_limit_the_clock_never_chooses() -> None:
    table = Round(timeout=0)
    table.pass_time(100_000)
    assert table.game["committed"] == []
