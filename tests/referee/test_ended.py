"""Resigning and offering a draw: people end a game before its rules do."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.journal.export import record_of
from tablecoin.journal.played import Counting
from tablecoin.journal.record import read_record, write_record
from tablecoin.journal.record import replay as played
from tablecoin.referee.commands import (
    Act,
    Answer,
    Command,
    CommandError,
    NotYourSeat,
    OfferDraw,
    Press,
    Resign,
    Start,
    Undo,
)
from tablecoin.referee.events import Event, Player
from tablecoin.referee.referee import Referee
from tablecoin.replay.steps import replay_of
from tests.referee.table import NO_CAMERA, game_of, ruling_of

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def steal(tails: Player = "person") -> tuple[Referee, list[Event]]:
    """Steal by hand after the first toss; it is Heads' turn."""
    events: list[Event] = []
    referee = Referee(events.extend)
    referee.command(Start("steal", {"starter": "heads"}, {"heads": "person", "tails": tails}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act(TOSS), None)
    return referee, events


def over(referee: Referee) -> tuple[str, Any]:
    """The prompt's kind, and who won."""
    shown = referee.snapshot()
    outcome = game_of(shown)["outcome"]
    return shown.prompt.kind, outcome and outcome["winners"]


def test_who_resigns_has_lost_and_nothing_is_played_after_it() -> None:
    referee, _ = steal()
    assert referee.command(Resign("heads"), "heads") == (True, None)
    assert over(referee) == ("over", ["tails"])
    assert ruling_of(referee.snapshot()).text == "Heads resigned: Tails won."
    assert not referee.snapshot().undo
    for command in (Act({"do": "place", "coin": "penny"}), Undo(), OfferDraw(), Resign("tails")):
        with pytest.raises(CommandError, match="game is over"):
            referee.command(command, None)
    referee.command(Press("heads.done"), None)
    assert over(referee) == ("over", ["tails"])


def test_nobody_resigns_for_another() -> None:
    referee, _ = steal()
    with pytest.raises(NotYourSeat):
        referee.command(Resign("heads"), "tails")
    assert over(referee) == ("turn", None)


def test_a_draw_ends_the_game_once_the_other_agrees() -> None:
    referee, _ = steal()
    referee.command(OfferDraw(), "heads")
    assert over(referee) == ("consent", None)
    referee.command(Answer(1), "tails")
    assert over(referee) == ("turn", None)
    referee.command(OfferDraw(), "tails")
    referee.command(Press("heads.done"), None)
    assert over(referee) == ("over", ["heads", "tails"])


@pytest.mark.parametrize(
    ("game", "seats", "command", "why"),
    [
        ("steal", {"tails": "computer"}, OfferDraw(), "no other person"),
        ("goes-around", {}, OfferDraw(), "two sides"),
        ("goes-around", {}, Resign("1"), "two sides"),
        ("steal", {}, Resign("north"), "no seat north"),
    ],
)
def test_where_it_makes_no_sense(game: str, seats: dict[str, Player], command: Command, why: str) -> None:
    referee = Referee(lambda events: None)
    referee.command(Start(game, seats=seats), None)
    with pytest.raises(CommandError, match=why):
        referee.command(command, None)


def test_the_record_the_history_and_a_restart_tell_of_it() -> None:
    referee, events = steal()
    referee.command(Resign("heads"), "heads")
    record = read_record(write_record(record_of(("2026-11-23T04:00:00Z", event) for event in events)))
    assert [step.ok for step in played(record)] == [True] * 4
    outcome = replay_of(record).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.said["en"]) == (("tails",), "Heads resigned: Tails won.")
    counting = Counting(1)
    for event in events:
        counting.take("2026-11-23T04:00:00Z", event)
    game = counting.counted.played
    assert game is not None
    assert game.outcome is not None
    assert game.outcome.winners == ("tails",)
    assert game.ended == "2026-11-23T04:00:00Z"
    again = Referee(lambda events: None)
    again.restore(events, len(events))
    assert over(again) == ("over", ["tails"])
    assert ruling_of(again.snapshot()).text == "Heads resigned: Tails won."
