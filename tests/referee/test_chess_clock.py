"""The chess clock: when it runs, what it adds up to, and what happens at zero. The test sets the time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE
from tablecoin.journal.export import record_of
from tablecoin.journal.played import Counting
from tablecoin.journal.record import read_record, write_record
from tablecoin.journal.record import replay as played
from tablecoin.referee.clock import ChessClock
from tablecoin.referee.commands import (
    Act,
    Answer,
    Command,
    CommandError,
    Dispute,
    OfferDraw,
    Pause,
    Press,
    Resign,
    Start,
    Undo,
    read_command,
)
from tablecoin.referee.events import Acted, Clocked, Ended, Event, Player, Started, TimeControl, read_event, write_event
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Clock
from tablecoin.replay.steps import replay_of
from tablecoin.rules.game import Seat
from tests.referee.table import NO_CAMERA, Table, game_of, ruling_of, seen

EACH_S = 100
FIVE = ("penny:heads", "penny:heads", "penny:heads", "penny:tails", "penny:tails")
PLACE: dict[str, Any] = {"do": "place", "coin": "penny"}
DONE: dict[str, Any] = {"do": "done"}
TURNS = ("heads", "tails", "tails", "heads")  # whose turns two rounds are where the players begin them in turn
AtZero = Literal["said", "lost"]


class Steal:
    """Steal with a chess clock, at a table that is seen. The first toss was read, and it is Heads' turn."""

    def __init__(self, increment_s: int = 0, at_zero: AtZero = "said", tails: Player = "person") -> None:
        self.events: list[Event] = []
        self.now_s = 50.0
        self.ran_s = Counter[Seat]()  # how long each clock was seen to run
        self.referee = Referee(self.events.extend)
        self.clock = ChessClock(self.referee, lambda: self.now_s)
        control = TimeControl(EACH_S, increment_s, at_zero)
        seats: dict[Seat, Player] = {"heads": "person", "tails": tails}
        self.do(Start("steal", {"starter": "heads"}, seats, clock=control))
        self.table = Table()
        self.see()
        self.table.toss(*FIVE)
        self.see()
        self.lay()

    def see(self) -> None:
        """A hand comes and goes, and the table is seen as it lies."""
        self.referee.see(self.table.hand())
        self.referee.see(self.table.look())

    def lay(self) -> None:
        """Set the table as the state wants it, and see it."""
        wanted = self.referee.snapshot().table.wanted
        self.table = Table()
        for zone, heap in wanted.items():
            self.table.put(zone, *(kind for kind in BY_VALUE for _ in range(heap[kind])))
        self.see()

    def do(self, command: Command, seat: Seat | None = None) -> None:
        self.referee.command(command, seat)

    def act(self, action: dict[str, Any]) -> None:
        """An act entered by hand; the table is set after it."""
        self.do(Act(action))
        self.lay()

    def wait(self, seconds: float) -> None:
        """So much time passes, in steps as short as those of the live table."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            step_s = min(0.5, end_s - self.now_s)
            self.ran_s.update(dict.fromkeys(self.shown.running, step_s))
            self.now_s += step_s
            self.clock.mind()

    @property
    def shown(self) -> Clock:
        clock = self.referee.snapshot().clock
        assert clock is not None
        return clock

    @property
    def left(self) -> dict[Seat, float]:
        return {seat: round(left, 2) for seat, left in self.shown.left_s.items()}

    def restarted(self) -> Referee:
        """Another referee that takes the game up from what the journal holds."""
        again = Referee(lambda events: None)
        again.restore([read_event(json.loads(json.dumps(write_event(event)))) for event in self.events], 99)
        return again


def doubtful_nickel(game: Steal) -> None:
    game.table.coins.append(seen("nickel", "row.heads", 400.0, also={"quarter": 0.45}))
    game.see()


def quarter(game: Steal) -> None:
    game.table.put("row.heads", "quarter")
    game.see()


def two_pennies_gone(game: Steal) -> None:
    game.table.take("row.tails", "penny", "penny")
    game.see()


def heads_done(game: Steal) -> None:
    game.act(PLACE)
    game.act(DONE)


# what happens in Heads' turn -> whose clocks run then
STANDS: dict[str, tuple[Callable[[Steal], object], tuple[Seat, ...]]] = {
    "Heads think": (lambda game: None, ("heads",)),
    "a hand is over the mat": (lambda game: game.referee.see(game.table.hand()), ("heads",)),
    "a coin was refused": (quarter, ("heads",)),
    "the table shows no position": (two_pennies_gone, ("heads",)),
    "the turn is Tails'": (heads_done, ("tails",)),
    "the table is to be set": (lambda game: game.do(Act(PLACE)), ()),
    "people are asked about a coin": (doubtful_nickel, ()),
    "a draw is offered": (lambda game: game.do(OfferDraw(), "heads"), ()),
    "a ruling is disputed": (lambda game: game.do(Dispute()), ()),
    "a break": (lambda game: game.do(Pause()), ()),
    "no picture comes": (lambda game: game.referee.lose_camera(NO_CAMERA), ()),
    "somebody resigned": (lambda game: game.do(Resign("heads")), ()),
}


@pytest.mark.parametrize(("happens", "runs"), STANDS.values(), ids=STANDS)
def test_whose_clock_runs(happens: Callable[[Steal], object], runs: tuple[Seat, ...]) -> None:
    game = Steal()
    happens(game)
    assert game.shown.running == runs
    before = game.left
    game.wait(10)
    assert game.left == {seat: left - 10 * (seat in runs) for seat, left in before.items()}


def test_it_stands_until_the_first_turn() -> None:
    game = Steal()
    referee = Referee(lambda events: None)
    referee.command(Start("steal", clock=TimeControl(EACH_S)), None)
    referee.see(Table().look())
    assert referee.snapshot().prompt.kind == "flip"
    clock = referee.snapshot().clock
    assert clock is not None
    assert (clock.running, clock.left_s) == ((), game.shown.left_s)


def test_a_turn_that_is_ended_earns_the_increment_and_an_undo_takes_it_back() -> None:
    game = Steal(increment_s=5)
    game.wait(20)
    game.act(PLACE)
    game.wait(4)
    assert game.left == {"heads": 76, "tails": 100}
    game.act(DONE)
    assert game.left == {"heads": 81, "tails": 100}
    game.wait(30)
    game.do(Undo(), "heads")  # one's own act; the time that Tails thought stays used
    game.lay()
    assert game.left == {"heads": 76, "tails": 70}
    assert game.shown.running == ("heads",)


def test_who_ends_a_round_and_begins_the_next_earns_the_increment_of_both_turns() -> None:
    match = Match.begin(Started(1, "exact", {"starter": "heads", "round_order": "alternate"}, {}))
    for seat, act in (("table", {"do": "flip", "coins": list(FIVE)}), *((s, a) for s in TURNS for a in (PLACE, DONE))):
        match = match.take(Acted(2, act, seat, "button"))
    assert match.turns_ended == {"table": 1, "heads": 2, "tails": 2}


def test_after_a_break_it_runs_on() -> None:
    game = Steal()
    game.wait(7)
    game.do(Pause())
    game.wait(60)
    game.do(Answer(0))
    game.wait(3)
    assert game.left == {"heads": 90, "tails": 100}


def test_a_computer_has_no_clock() -> None:
    game = Steal(tails="computer")
    assert game.left == {"heads": 100}


def test_a_program_that_stood_still_costs_nobody_more_than_five_seconds() -> None:
    game = Steal()
    game.now_s += 3600
    game.clock.mind()
    assert game.left == {"heads": 95, "tails": 100}


def test_at_zero_the_table_is_told_once_and_play_goes_on() -> None:
    game = Steal()
    game.wait(130)
    assert game.shown.over == ("heads",)
    assert game.left == {"heads": -30, "tails": 100}
    assert [event.over for event in game.events if isinstance(event, Clocked) and event.over] == ["heads"]
    game.act(PLACE)
    game.act(DONE)
    assert game.shown.running == ("tails",)
    assert game.referee.snapshot().prompt.kind == "turn"


def test_at_zero_the_side_has_lost_where_the_house_rule_says_so() -> None:
    game = Steal(at_zero="lost")
    game.wait(99.5)
    assert game.referee.snapshot().prompt.kind == "turn"
    game.wait(0.5)
    shown = game.referee.snapshot()
    assert (shown.prompt.kind, game_of(shown)["outcome"]["winners"]) == ("over", ["tails"])
    assert ruling_of(shown).text == "Heads' time is over: Tails won."
    assert isinstance(game.events[-1], Ended)
    with pytest.raises(CommandError, match="game is over"):
        game.do(Act(PLACE), "heads")
    again = game.restarted().snapshot()
    assert (again.prompt.kind, ruling_of(again).text) == ("over", ruling_of(shown).text)


def test_of_several_sides_all_clocks_run_that_owe_a_choice_and_at_zero_the_rules_choose() -> None:
    events: list[Event] = []
    referee, now = Referee(events.extend), [0.0]
    clock = ChessClock(referee, lambda: now[0])
    options = {"players": 3, "timeout": 0}
    referee.command(Start("goes-around", options, clock=TimeControl(4, 0, "lost")), None)
    table = Table()
    for seat in "123":
        table.put(f"bank.{seat}", *["penny"] * game_of(referee.snapshot())["banks"][seat])
    referee.see(table.look())

    def passes(seconds: float) -> Clock:
        now[0] += seconds
        clock.mind()
        shown = referee.snapshot().clock
        assert shown is not None
        return shown

    assert passes(0).running == ("1", "2", "3")
    passes(1)
    referee.command(Act({"do": "commit", "seat": "2", "action": "protect"}), "2")
    assert passes(2).running == ("1", "3")
    shown = passes(1)
    assert dict(shown.left_s) == {"1": 0, "2": 3, "3": 0}
    assert shown.over == ("1", "3")
    chosen = [event for event in events if isinstance(event, Acted)]
    assert [(event.seat, event.action["action"], event.by) for event in chosen] == [
        ("2", "protect", "phone"),
        ("1", "pass", "clock"),
        ("3", "pass", "clock"),
    ]


def test_a_restart_costs_no_time() -> None:
    game = Steal(increment_s=5)
    game.wait(20)
    game.act(PLACE)
    game.act(DONE)
    game.wait(30)
    game.do(Pause())
    again = game.restarted().snapshot().clock
    assert again is not None
    assert (dict(again.left_s), again.running) == (game.left, ())


def test_the_record_tells_of_it_and_replays() -> None:
    game = Steal(at_zero="lost")
    game.wait(20)
    game.act(PLACE)
    game.wait(90)
    stamped = [("2026-11-23T04:00:00Z", event) for event in game.events]
    record = read_record(write_record(record_of(stamped)))
    assert record.extra["clock"] == {"each_s": EACH_S, "increment_s": 0, "at_zero": "lost"}
    assert all(step.ok for step in played(record))
    replay = replay_of(record)
    assert replay.clock == TimeControl(EACH_S, 0, "lost")
    assert replay.outcome is not None
    assert replay.outcome.said["en"] == "Heads' time is over: Tails won."
    assert [step.said["zh"] for step in replay.steps if step.kind == "note"] == ["正面方用完了时间：反面方获胜。"]
    counting = Counting(1)
    for at, event in stamped:
        counting.take(at, event)
    assert counting.counted.played is not None
    assert counting.counted.played.clock == replay.clock


def test_the_replay_tells_when_a_time_was_over() -> None:
    game = Steal()
    game.wait(110)
    game.act(PLACE)
    replay = replay_of(record_of(("2026-11-23T04:00:00Z", event) for event in game.events))
    assert [step.said["en"] for step in replay.steps if step.kind == "note"] == ["Heads' time is over."]


def test_a_game_of_before_has_no_clock() -> None:
    old = {"event": "start", "group": 1, "game": "steal", "options": {}, "seats": {}}
    referee = Referee(lambda events: None)
    referee.restore([read_event(old)], 1)
    assert referee.snapshot().clock is None


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"game": "coin-wars", "clock": {"each_s": 60}}, "Coin Wars is played together and has no chess clock"),
        ({"game": "steal", "clock": {"each_s": 0}}, "clock.each_s"),
        ({"game": "steal", "clock": {"each_s": 60, "increment": 5}}, "increment"),
        ({"game": "steal", "clock": {"each_s": 60, "at_zero": "draw"}}, "draw"),
    ],
)
def test_a_clock_that_cannot_be(body: dict[str, Any], why: str) -> None:
    referee = Referee(lambda events: None)
    with pytest.raises(CommandError, match=why):
        referee.command(read_command("start", body), None)


OPS: list[Callable[[Steal], object]] = [
    lambda game: game.act(PLACE),
    lambda game: game.act(DONE),
    lambda game: game.do(Act(PLACE)),
    lambda game: game.lay(),
    lambda game: game.do(Undo()),
    lambda game: game.do(Pause()),
    lambda game: game.do(OfferDraw(), "heads"),
    lambda game: game.do(Dispute()),
    lambda game: game.do(Answer(0)),
    lambda game: game.do(Press("tails.choose")),
    lambda game: game.referee.lose_camera(NO_CAMERA),
    quarter,
]


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.tuples(st.sampled_from(OPS), st.floats(0, 8)), max_size=8), st.sampled_from([0, 5]))
def test_no_side_is_charged_more_than_its_clock_ran(
    done: list[tuple[Callable[[Steal], object], float]], increment_s: int
) -> None:
    game = Steal(increment_s)
    for op, seconds in done:
        with suppress(CommandError):
            op(game)
        game.wait(seconds)
    match = game.referee.match
    assert match is not None
    written = [event.used_s for event in game.events if isinstance(event, Clocked)]
    kept = game.restarted().snapshot().clock
    assert kept is not None
    for seat in ("heads", "tails"):
        given_s = EACH_S + increment_s * match.turns_ended.get(seat, 0)
        used_s = given_s - game.shown.left_s[seat]
        assert used_s <= game.ran_s[seat] + 1e-6
        assert used_s == pytest.approx(game.ran_s[seat], abs=0.001 * (1 + len(written)))
        told = [one.get(seat, 0.0) for one in written]
        assert told == sorted(told)
        assert given_s - kept.left_s[seat] <= used_s + 1e-6
