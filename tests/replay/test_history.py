"""A game of every kind as history tells it: from the journal's own events, which were never read from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin.analysis.analysis import analyse
from tablecoin.journal.ended import EndedGame, ended_game
from tablecoin.journal.journal import Journal
from tablecoin.journal.record import read_record, write_record
from tablecoin.referee.events import Acted, Ended, Event, Started
from tablecoin.referee.match import Match
from tablecoin.replay.steps import replay_of
from tablecoin.rules import NAMES
from tests.journal.test_ended import whole

WITH_SIDES = [name for name in NAMES if Match.begin(Started(1, name, {}, {})).sides()]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()


def kept(journal: Journal, name: str, events: list[Event], **options: int) -> EndedGame:
    journal.append([Started(1, name, options, {}), *events])
    return ended_game(journal, 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_can_be_shown(journal: Journal, name: str) -> None:
    _, *acts = whole(name)
    game = kept(journal, name, acts)
    told = replay_of(game.record, game.evidence)
    assert told.outcome
    assert len(told.steps) == 1 + len(acts)
    again = read_record(write_record(game.record))  # as its file has it
    assert replay_of(again).steps == told.steps


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("steal", {"goal": 15}),
        ("exact", {"goal": 15}),
        ("goes-around", {"players": 2, "rounds": 3}),
        *(pytest.param(name, {}, marks=pytest.mark.long) for name in NAMES),
    ],
)
def test_a_whole_game_can_be_analysed(journal: Journal, name: str, options: dict[str, int]) -> None:
    _, *acts = whole(name, **options)
    assert analyse(kept(journal, name, acts, **options).record, samples=2).events


@pytest.mark.parametrize("name", WITH_SIDES)
def test_a_game_that_was_resigned_can_be_shown_and_analysed(journal: Journal, name: str) -> None:
    acts = whole(name)[1:13]
    sides = Match.begin(Started(1, name, {}, {})).sides()
    game = kept(journal, name, [*acts, Ended(99, "resigned", sides[0], sides[1:])])
    told = replay_of(game.record, game.evidence)
    assert told.outcome
    assert told.outcome.winners == sides[1:]
    assert told.steps[-1].said["en"]
    assert analyse(game.record, samples=2).events


def test_a_game_that_was_resigned_while_a_choice_is_sealed_can_be_shown(journal: Journal) -> None:
    chosen = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 4}
    game = kept(journal, "goes-around", [Acted(2, chosen, "1", "phone"), Ended(3, "resigned", "2", ("1",))], players=2)
    told = replay_of(game.record, game.evidence)
    assert told.outcome
    assert told.outcome.winners == ("1",)
    assert [step.kind for step in told.steps] == ["start", "note"]
    assert told.steps[-1].said == told.outcome.said
