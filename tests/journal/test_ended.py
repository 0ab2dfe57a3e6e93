"""A game of the past by its number: only once it is over, and bad ones are told in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from tablecoin.journal.ended import StillPlayed, ended_game
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.export import NoGame
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Clocked, Ended, Event, Paused, Started
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game

STARTED = Started(1, "steal", {"starter": "heads"}, {"heads": "person"})
TOSS = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}, "table", "camera")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()


def whole(name: str, **options: int) -> list[Event]:
    """A game of `name` from its start to its end."""
    game = load(name)
    played = random_game(game, 3, start=game.start(game.read_options(options)))
    acts = [
        Acted(group, game.write_action(action), game.actor(before, action), "camera")
        for group, ((_, before), (action, _)) in enumerate(pairwise(played), 2)
        if action is not None
    ]
    return [Started(1, name, options, {}), *acts]


def test_a_game_that_is_over_is_read_alone(journal: Journal) -> None:
    first, second = whole("steal"), whole("exact")
    journal.append(first)
    journal.append(second)
    assert ended_game(journal, 1).record.game == "steal"
    ended = ended_game(journal, 2)
    assert (ended.number, ended.record.game, len(ended.record.entries)) == (2, "exact", len(second))
    assert set(ended.evidence) == {None}


def test_the_newest_game_is_not_told_before_its_end(journal: Journal) -> None:
    journal.append([STARTED, TOSS])
    with pytest.raises(StillPlayed, match="game 1 is still being played"):
        ended_game(journal, 1)
    journal.append([STARTED])
    assert len(ended_game(journal, 1).record.entries) == 2  # broken off for another: the toss, and where it stands


def test_a_sealed_choice_of_a_game_that_was_broken_off_stays_sealed(journal: Journal) -> None:
    chosen = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 4}
    journal.append([Started(1, "goes-around", {}, {}), Acted(2, chosen, "1", "phone")])
    journal.append([STARTED])
    assert [entry.action for entry in ended_game(journal, 1).record.entries] == [None]


@pytest.mark.parametrize("how", ["resigned", "draw", "time"])
def test_a_game_that_people_ended_while_a_choice_is_sealed_is_over(journal: Journal, how: str) -> None:
    """What was chosen stays sealed; what was told before it, and the end, keep their pictures."""
    pictured = Evidence(b"{}", None, b"a picture")
    chosen = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 4}
    journal.append([Started(1, "goes-around", {"players": 2}, {})])
    journal.append([Paused(2, "begun", None)], pictured)
    journal.append([Acted(3, chosen, "1", "phone")], pictured)
    journal.append([Clocked(4, {"1": 3.0}, None)])
    journal.append([Ended(4, how, "1", ("2",))], pictured)  # type: ignore[arg-type]
    game = ended_game(journal, 1)
    assert [entry.event for entry in game.record.entries] == ["pause", "ended", "end"]
    assert game.evidence == (2, 5)
    assert b'"amount"' not in msgspec.json.encode(game.record)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([STARTED, Acted(2, {"do": "done"}, "heads", "camera")], "game 1 cannot be shown, because it departs from"),
        ([Started(1, "whist", {}, {})], "game 1 cannot be shown, because it departs from the rules of this version"),
    ],
)
def test_a_game_of_another_version_is_named(journal: Journal, events: list[Event], problem: str) -> None:
    journal.append(events)
    journal.append([STARTED])
    with pytest.raises(NoGame, match=problem):
        ended_game(journal, 1)


@pytest.mark.parametrize("number", [0, 2, 2**53])
def test_an_unknown_number_is_named(journal: Journal, number: int) -> None:
    journal.append([STARTED])
    with pytest.raises(NoGame, match=f"there is no game {number} in the journal"):
        ended_game(journal, number)


def test_a_damaged_line_hides_its_own_game_alone(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.append(whole("steal"))
    journal.append(whole("exact"))
    read = journal.whole_game

    def damaged(number: int) -> object:
        (first, digest), *others = read(number)
        return ((first._replace(body='{"event": "of a later version"}'), digest), *others) if number == 1 else read(2)

    monkeypatch.setattr(journal, "whole_game", damaged)
    with pytest.raises(NoGame, match="game 1 cannot be shown, because a line of it is damaged"):
        ended_game(journal, 1)
    assert ended_game(journal, 2).record.game == "exact"
