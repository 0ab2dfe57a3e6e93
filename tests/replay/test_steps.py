"""A record told step by step: what lay on the table, what people had, and what was said, in every language."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tablecoin.journal.record import RecordError, read_record
from tablecoin.replay.steps import replay_of
from tablecoin.rules import NAMES, load
from tablecoin.rules.rulebook import LANGUAGES
from tests.replay.games import random_record

LINES = (
    '{"game": "steal", "options": {"starter": "heads"}, "seats": {"heads": "person", "tails": 3}, "t": "2026-11-22"}',
    '{"action": {"do": "flip", "coins": ["penny:heads", "penny:heads", "penny:heads", "penny:heads", "penny:tails"]}}',
    '{"action": {"do": "place", "coin": "dime"}, "ok": false, "clause": "steal.place.limit"}',
    '{"action": {"do": "place", "coin": "penny"}, "seat": "heads", "by": "camera"}',
    '{"event": "correct", "place_mm": [10, 20], "denomination": "penny", "face": "heads"}',
    '{"event": "undo", "by": "phone"}',
    '{"event": "note", "why": "coffee"}',
    '{"event": "hint", "seat": "heads", "advised": {"do": "place", "coin": "penny"}}',
    '{"event": "hint", "seat": "heads", "advised": {"do": "commit"}}',
    '{"event": "fell", "zone": "hero", "coins": []}',  # no step: the toss tells it
)


def test_each_line_is_told() -> None:
    game = replay_of(read_record(LINES), [None, 7, 8])
    told = [(step.line, step.kind, step.seat, step.standing) for step in game.steps]
    assert told == [
        (1, "start", None, {"heads": 0, "tails": 0}),
        (2, "toss", "table", {"heads": 4, "tails": 1}),
        (3, "refused", "heads", {"heads": 4, "tails": 1}),
        (4, "act", "heads", {"heads": 5, "tails": 1}),
        (5, "correct", None, {"heads": 5, "tails": 1}),
        (6, "undo", None, {"heads": 4, "tails": 1}),
        (7, "note", None, {"heads": 4, "tails": 1}),
        (8, "hint", "heads", {"heads": 4, "tails": 1}),
        (9, "hint", "heads", {"heads": 4, "tails": 1}),
    ]
    refused, placed = game.steps[2:4]
    assert refused.said["en"] == "A dime is too high: the highest coin in your row is a penny."
    assert refused.clause
    assert game.clauses[refused.clause].number == "2.2"
    assert (placed.undone, placed.evidence, refused.evidence) == (True, 8, 7)
    assert game.steps[4].said["en"] == "Corrected by a person: this coin is penny heads."
    assert game.steps[6].said == {"en": "coffee", "zh": "coffee"}
    assert game.steps[7].said["en"].startswith("The computer's hint, when asked: Heads placed a penny")
    assert game.steps[8].said["en"] == "The computer was asked for a hint."
    assert game.seats == {"heads": "person"}  # what is no text is left out
    assert game.outcome is None


def test_a_table_that_comes_again_is_kept_once() -> None:
    game = replay_of(read_record(LINES))
    assert [step.table for step in game.steps] == [0, 1, 1, 2, 2, 1, 1, 1, 1]
    assert game.tables[1] == {"row.heads": ("penny:any",) * 4, "row.tails": ("penny:any",)}


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_of_each_kind(name: str) -> None:
    record = random_record(name)
    game = replay_of(record)
    assert game.outcome
    assert len(game.steps) == len(record.entries)  # the start for the last line, which only tells the end
    assert all(set(step.said) == set(LANGUAGES) for step in game.steps)
    zones = {zone.name for zone in game.mat.zones}
    assert all(zones >= set(table) for table in game.tables)
    assert all(len(game.places[zone]) >= len(coins) for table in game.tables for zone, coins in table.items())


def test_coins_of_a_stack_lie_from_the_bottom_to_the_top() -> None:
    record = random_record("coin-age")
    last: Any = replay_of(record).tables[-1]
    spaces = load("coin-age").write_state(_end(record))["spaces"]
    assert {space: list(last.get(f"space.{space}", ())) for space in spaces} == spaces
    assert max(Counter(map(len, spaces.values()))) > 1


def _end(record: Any) -> Any:
    return load(record.game).read_state(record.entries[-1].state)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ((*LINES[:1], '{"action": {"do": "done"}}'), "line 2: departs from the rules"),
        (('{"game": "chess"}',), "line 1: there is no game"),
        ((*LINES[:1], '{"event": "undo"}'), "nothing to take back"),
    ],
)
def test_a_record_that_departs_from_the_rules_is_named(lines: tuple[str, ...], problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        replay_of(read_record(lines))


@pytest.mark.parametrize("denomination", [None, "doubloon", 7])
def test_a_coin_that_is_none_is_told_as_none(denomination: object) -> None:
    line = json.dumps({"event": "correct", "place_mm": [1, 2], "denomination": denomination, "face": []})
    game = replay_of(read_record((*LINES[:2], line)))
    assert game.steps[-1].said["en"] == "Corrected by a person: this is not a US coin."
