"""After a restart the snapshot shows the last ruling again, word for word, in every language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import asdict

from lab.refereeing.told import ToldStage
from tablecoin.referee.commands import Act, Start
from tablecoin.referee.events import Acted, Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Ruling
from tests.referee.table import Table
from tests.referee.test_games import GAMES, play


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.txt")), ids=lambda file: file.stem)
@pytest.mark.parametrize("most", [120, pytest.param(None, id="whole", marks=pytest.mark.long)])
def test_at_every_moment_of_a_game_a_new_referee_says_what_the_old_one_said(file: Path, most: int | None) -> None:
    """`most`: how many lines of the game are played."""
    first, *lines = file.read_text("utf-8").splitlines()[:most]
    stage = ToldStage(json.loads(first.removeprefix("mat ")), seed=0)
    events: list[Event] = []
    stage.referee = Referee(events.extend)
    rulings: dict[int, tuple[Ruling | None, Ruling | None]] = {}  # the old referee's and a new one's, by events so far
    for line in lines:
        what, _, rest = line.partition(" ")
        play(stage, what, rest)
        if events and len(events) not in rulings:
            again = Referee(lambda _: None)
            again.restore(events, len(events))
            rulings[len(events)] = stage.referee.snapshot().ruling, again.snapshot().ruling
    assert len(rulings) > 10
    for old, new in rulings.values():
        assert old
        assert new
        leaves_open = {"evidence"}  # the journal finds the pictures again
        if not old.accepted and old.action is None:
            leaves_open |= {"texts", "seat"}  # no act that could be refused again: only the English sentence was kept
        assert _without(old, leaves_open) == _without(new, leaves_open)


def test_a_ruling_of_two_acts_is_said_again() -> None:
    events: list[Event] = []
    referee = Referee(events.extend)
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 4 + ["penny:tails"]}), None)
    referee.see(Table().put("row.heads", "nickel").put("row.tails", "penny").look())  # a penny more, all five converted
    placed, converted = events[-2:]
    assert isinstance(placed, Acted)
    assert isinstance(converted, Acted)
    assert placed.group == converted.group
    again = Referee(lambda _: None)
    again.restore(events, len(events))
    old, new = referee.snapshot().ruling, again.snapshot().ruling
    assert old
    assert new
    assert _without(old, {"evidence"}) == _without(new, {"evidence"})


def test_before_any_game_there_is_no_ruling() -> None:
    referee = Referee(lambda _: None)
    referee.restore([], 0)
    assert referee.snapshot().ruling is None


def _without(ruling: Ruling, fields: set[str]) -> dict[str, object]:
    return {name: value for name, value in asdict(ruling).items() if name not in fields}
