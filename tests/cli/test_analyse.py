"""`tablecoin analyse`: bad records of every kind, and the JSON of the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.opponents import value
from tests.analysis.small_steal import solved

HEADER = '{"game": "steal", "options": {"starter": "heads", "goal": 12}}'
SETUP = '{"do": "flip", "coins": ["penny:heads", "penny:heads", "penny:heads", "penny:tails", "penny:tails"]}'
DONE = '{"do": "done"}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the record is empty: give the record of a game as the table wrote it."),
        ("a photo?", "not JSON"),
        (HEADER + "\n" + SETUP[:40], "not JSON"),
        ('{"game": "chess"}', "chess"),
        ('{"options": {}}', "a record begins with"),
        (HEADER + "\n" + DONE, "departs from the rules"),
        (HEADER + '\n{"event": "undo"}', "nothing to take back"),
    ],
    ids=["empty", "no JSON", "cut", "unknown game", "no header", "against the rules", "undo of nothing"],
)
def test_a_bad_record_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    result = CliRunner().invoke(main, ["analyse", str(path)])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_a_missing_record_is_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["analyse", str(tmp_path / "none.jsonl")])
    assert result.exit_code == 2
    assert "give the file of a game's record" in result.stderr


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of a game that is solved exactly."""
    monkeypatch.setattr(value, "load", lambda name: solved)
    path = tmp_path / "game.jsonl"
    path.write_text(HEADER + "\n" + SETUP + "\n", "utf-8")
    return path


def test_the_json_of_the_contract(record: Path) -> None:
    told = json.loads(CliRunner().invoke(main, ["analyse", str(record), "--json"]).stdout)
    assert {"game", "start", "end", "events", "players", "turning_point", "exact", "error"} <= told.keys()
    (toss,) = told["events"]
    assert {"n", "kind", "seat", "chance", "luck", "cost", "best"} <= toss.keys()
    assert (toss["n"], toss["kind"], toss["cost"], toss["best"]) == (2, "toss", None, None)
    assert {"luck", "lost", "decisions", "worst"} <= told["players"]["heads"].keys()
    assert told["turning_point"] == 2


@pytest.mark.parametrize(("language", "said"), [("en", "At the start: Heads"), ("zh", "开局时：正面方")])
def test_the_report_in_words(record: Path, language: str, said: str) -> None:
    assert CliRunner().invoke(main, ["analyse", str(record), "--lang", language]).stdout.startswith(said)
