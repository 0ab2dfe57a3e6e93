"""An analysis is read with care, and its better acts are put into words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablecoin.replay.report import ReportError, read_report
from tests.replay.games import made_up_analysis, random_record

RECORD = random_record("steal")
ANALYSIS = made_up_analysis(RECORD)


def test_a_better_act_is_told_in_words() -> None:
    report = read_report(json.dumps(ANALYSIS).encode(), RECORD)
    assert report.players["heads"].worst == (4,)
    assert report.better["4"]["en"] == "Tails is done."
    assert report.better["4"]["zh"] == "反面方完成了回合。"


@pytest.mark.parametrize("best", [{"do": "fly"}, {"do": "place", "coin": "doubloon"}, {}])
def test_an_act_that_is_none_has_no_words(best: dict[str, Any]) -> None:
    events = [event | {"best": best} if event["n"] == 4 else event for event in ANALYSIS["events"]]
    assert read_report(json.dumps(ANALYSIS | {"events": events}).encode(), RECORD).better == {}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "this is no analysis"),
        (b"[]", "this is no analysis"),
        (b"[" * 100_000, "this is no analysis"),
        (json.dumps(ANALYSIS | {"events": [{"n": "four"}]}).encode(), "this is no analysis"),
        (json.dumps(ANALYSIS | {"game": "exact"}).encode(), "a game of 'exact', not of this one"),
    ],
)
def test_what_is_no_analysis_of_this_game_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(ReportError, match=problem):
        read_report(data, RECORD)
