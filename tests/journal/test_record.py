"""Records are written, read and replayed; where one departs from the rules, the line is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.journal.record import Entry, Record, RecordError, read_record, replay, write_record
from tablecoin.rules import NAMES, load
from tablecoin.rules.random_play import random_game

HEADER = '{"game": "steal", "options": {"starter": "heads"}, "seats": {"heads": "person"}}'
SETUP = (
    '{"action": {"do": "flip", "coins": ["penny:heads", "penny:heads", "penny:heads", "penny:heads", "penny:tails"]}}'
)
PLACE = (
    '{"seq": 2, "t": 4.5, "by": "camera", "action": {"do": "place", "coin": "penny"}, "ok": true, "evidence": [0.99]}'
)
TOO_HIGH = '{"action": {"do": "place", "coin": "dime"}, "ok": false, "clause": "steal.place.limit"}'
DONE = '{"action": {"do": "done"}}'
UNDO = '{"event": "undo", "by": "phone"}'


def totals(*lines: str) -> dict[str, int]:
    """The totals at the end of the record."""
    *_, last = replay(read_record(lines))
    told: dict[str, int] = load("steal").write_state(last.state)["totals"]
    return told


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_written_and_read_plays_to_the_same_end(name: str, seed: int) -> None:
    game = load(name)
    (_, start), *played = random_game(game, seed)
    entries = [Entry(action=game.write_action(action), extra={"seq": k}) for k, (action, _) in enumerate(played)]
    entries.append(Entry(event="end", state=game.write_state(played[-1][1])))
    text = list(write_record(Record(name, {}, entries)))
    assert all(line.endswith("\n") and json.loads(line) for line in text)
    steps = list(replay(read_record(text)))
    assert [step.state for step in steps] == [start, *(state for _, state in played), played[-1][1]]
    assert list(write_record(read_record(text))) == text


def test_unknown_keys_unknown_events_and_blank_lines_change_nothing() -> None:
    note = '{"event": "note", "text": "coffee"}'
    corrected = '{"event": "correct", "place_mm": [10, 20], "denomination": "penny", "face": null}'
    assert totals(HEADER, SETUP, "", note, PLACE, corrected) == {"heads": 5, "tails": 1}


def test_bare_actions_are_a_record_too() -> None:
    assert totals('{"game": "steal"}', json.dumps(json.loads(SETUP)["action"])) == {"heads": 4, "tails": 1}


def test_undo_takes_back_what_was_accepted() -> None:
    assert totals(HEADER, SETUP, PLACE, TOO_HIGH.replace("limit", "twice"), UNDO) == {"heads": 4, "tails": 1}
    assert totals(HEADER, SETUP, PLACE, UNDO, UNDO) == {"heads": 0, "tails": 0}
    assert totals(HEADER, SETUP, PLACE, UNDO, PLACE, DONE) == {"heads": 5, "tails": 1}


def test_a_refused_action_is_judged_after_the_lawful_acts_seen_with_it() -> None:
    """Two pennies are laid down at once: the second is refused, and neither stands."""
    penny = {"do": "place", "coin": "penny"}
    refused = {"action": penny, "ok": False, "clause": "steal.place.twice", "after": [penny]}
    assert totals(HEADER, SETUP, json.dumps(refused)) == {"heads": 4, "tails": 1}
    with pytest.raises(RecordError, match="allowed"):
        totals(HEADER, SETUP, json.dumps(refused | {"after": []}))


def test_a_record_may_end_in_the_middle_of_a_turn_of_coin_age() -> None:
    toss = '{"do": "flip", "coins": ["penny:heads", "nickel:heads", "dime:tails", "quarter:tails"]}'
    *_, last = replay(read_record(['{"game": "coin-age"}', toss]))
    end = {"event": "end", "state": load("coin-age").write_state(last.state)}
    *_, again = replay(read_record(['{"game": "coin-age"}', toss, json.dumps(end)]))
    assert again.state == last.state


def test_a_refusal_by_the_table_and_not_by_a_rule_is_not_checked() -> None:
    unfinished = (
        '{"action": {"do": "place", "coin": "penny"}, "ok": false, "clause": "unfinished", "why": "Half done."}'
    )
    *_, last = replay(read_record([HEADER, SETUP, unfinished]))
    assert (last.ok, last.clause, last.said) == (False, "unfinished", "Half done.")


@pytest.mark.parametrize(
    ("lines", "line", "word"),
    [
        ([HEADER, SETUP, TOO_HIGH.replace("false", "true")], 3, "steal.place.limit"),  # accepted against the rules
        ([HEADER, SETUP, TOO_HIGH.replace("limit", "twice")], 3, "steal.place.limit"),  # refused by another clause
        ([HEADER, SETUP, PLACE.replace("true", "false")], 3, "allowed"),  # refused, but legal
        ([HEADER, SETUP, "", PLACE, PLACE], 5, "steal.place.twice"),
        ([HEADER, UNDO], 2, "take back"),
        ([HEADER, SETUP, '{"event": "end", "state": {"totals": {"heads": 9, "tails": 1}}}'], 3, "totals"),
        ([HEADER, '{"action": {"do": "fly"}}'], 2, "place"),
        # not records at all
        ([], 1, "empty"),
        (["not json"], 1, "JSON"),
        (["[]"], 1, "object"),
        (["{}"], 1, "game"),
        (['{"game": "chess"}'], 1, "chess"),
        (['{"game": "steal", "options": {"goal": -1}}'], 1, "goal"),
        ([HEADER, "{}"], 2, "action"),
        ([HEADER, '{"action": {"do": "done"}, "event": "undo"}'], 2, "either"),
        ([HEADER, '{"action": 7}'], 2, "action"),
        ([HEADER, '{"action": {"do": "done"}, "ok": "perhaps"}'], 2, "ok"),
        ([HEADER, "[" * 100_000], 2, "JSON"),
    ],
)
def test_the_line_that_departs_from_the_rules_is_named(lines: list[str], line: int, word: str) -> None:
    with pytest.raises(RecordError, match=word) as departed:
        list(replay(read_record(lines)))
    assert departed.value.line == line
    assert f"line {line}:" in str(departed.value)


def test_replay_prints_what_happened(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([HEADER, SETUP, TOO_HIGH, PLACE, '{"event": "end"}']))
    shown = CliRunner().invoke(main, ["replay", str(path)])
    assert shown.exit_code == 0
    assert all(line.partition(": ")[2] for line in shown.stdout.splitlines())
    assert "3: refused: A dime is too high" in shown.stdout
    steps = [json.loads(line) for line in CliRunner().invoke(main, ["replay", str(path), "--json"]).stdout.splitlines()]
    assert [(step["line"], step["ok"]) for step in steps] == [(1, True), (2, True), (3, False), (4, True), (5, True)]
    assert steps[2]["clause"] == "steal.place.limit"
    assert steps[3]["state"]["totals"] == {"heads": 5, "tails": 1}


def test_replay_of_a_record_that_departs_exits_with_status_2(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([HEADER, SETUP, PLACE, PLACE]))
    result = CliRunner().invoke(main, ["replay", str(path), "--json"])
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 3
    assert "line 4: departs from the rules" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_reader_that_closes_the_pipe_gets_no_error(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([HEADER, SETUP, *[TOO_HIGH] * 2000]))  # more than a pipe holds
    command = [sys.executable, "-m", "tablecoin", "replay", "--json", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as replaying:
        assert replaying.stdout
        assert replaying.stderr
        replaying.stdout.readline()
        replaying.stdout.close()  # as `head -1` does
        assert replaying.stderr.read() == b""
