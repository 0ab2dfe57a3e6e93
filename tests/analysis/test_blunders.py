"""A blunder on purpose in each game: the report names that action first, and what was better.

The records in `blunders/` were played by strong computers but for one action; the header names its line and better
actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tablecoin.analysis.analysis import Analysis, analyse
from tablecoin.analysis.line import line_of
from tablecoin.analysis.report import report
from tablecoin.journal.record import Record, read_record
from tablecoin.opponents import value
from tablecoin.rules import NAMES
from tablecoin.rules.rulebook import sentence

SAMPLES = 48  # imagined games a state: the standard error of a chance is 7 points, the blunders cost 30 and more
SAID = {
    "steal": "Line 43 cost Heads 31.3 points: “Heads converted 5 pennies into a nickel.” Better: “Heads is done.”",
    "exact": "Line 30 cost Heads 100.0 points: “Heads placed a penny",
    "goes-around": "“Seat 1 chose to steal 1 from seat 4.” Better: “Seat 1 chose to steal 24 from seat 4.”",
    "coin-age": "“Heads is done.” Better: “Heads places a penny on",
    "coin-wars": "“Bob sits out.” Better: “Bob takes it with Coolness.”",
}


def blundered(game: str) -> Record:
    with (Path(__file__).parent / "blunders" / f"{game}.jsonl").open("rb") as lines:
        return read_record(lines)


@pytest.mark.parametrize("game", NAMES)
def test_the_blunder_is_named_first_and_what_was_better(game: str) -> None:
    record = blundered(game)
    analysis = analyse(record, samples=SAMPLES)
    missed = {event.n: event.missed or 0.0 for event in analysis.events}
    assert max(missed, key=lambda n: missed[n]) == record.extra["blunder"]
    (blunder,) = (event for event in analysis.events if event.n == record.extra["blunder"])
    assert blunder.best in record.extra["better"]
    assert analysis.players[blunder.seat].worst[0] == blunder.n
    said = [sentence(message) for message in report(line_of(record), analysis)]
    assert any(SAID[game] in one for one in said)


def test_where_a_game_has_a_lead_it_is_told_before_the_first_action_and_after_each() -> None:
    record = blundered("coin-age")
    analysis, line = analyse(record), line_of(record)
    worth = value.load("coin-age")
    assert analysis.start_lead == worth(line.start, samples=1, seed=0).margin
    assert leads(analysis) == [worth(move.after, samples=1, seed=0).margin for move in line.moves]
    assert all(sum((lead or {"none": 1}).values()) == 0 for lead in leads(analysis))


def leads(analysis: Analysis) -> list[Mapping[str, float] | None]:
    return [event.lead for event in analysis.events]
