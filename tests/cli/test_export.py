"""`tablecoin export`: one file, or one sentence that says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.journal.record import write_record
from tests.replay.games import made_up_analysis, random_record

RECORD = random_record("steal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.jsonl").write_text("".join(write_record(RECORD)), "utf-8")
    (tmp_path / "analysis.json").write_text(json.dumps(made_up_analysis(RECORD)), "utf-8")
    (tmp_path / "exact.json").write_text(json.dumps(made_up_analysis(RECORD) | {"game": "exact"}), "utf-8")
    (tmp_path / "cut.jsonl").write_text('{"game": "steal"}\n{"action": {"do', "utf-8")
    (tmp_path / "list.jsonl").write_text("[]", "utf-8")
    return tmp_path


def export(folder: Path, *words: str) -> tuple[int, str]:
    told = [str(folder / word) if "." in word else word for word in words]
    result = CliRunner().invoke(main, ["export", *told])
    return result.exit_code, result.stderr


def test_a_record_becomes_a_file(folder: Path) -> None:
    assert export(folder, "game.jsonl", "-o", "plain.html") == (0, "")
    assert '"report":{"game":"steal"' in (folder / "plain.html").read_text("utf-8")


def test_an_analysis_that_is_given_goes_into_the_file(folder: Path) -> None:
    assert export(folder, "game.jsonl", "-o", "analysed.html", "--analysis", "analysis.json") == (0, "")
    assert '"turning_point":5' in (folder / "analysed.html").read_text("utf-8")


def test_an_adventure_that_was_never_drawn_has_no_chances(folder: Path) -> None:
    (folder / "undrawn.jsonl").write_text('{"game": "coin-wars"}', "utf-8")
    assert export(folder, "undrawn.jsonl", "-o", "undrawn.html") == (0, "")
    assert '"report":null' in (folder / "undrawn.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game.jsonl"], "Missing option '-o'"),
        (["none.jsonl", "-o", "game.html"], "cannot be read (No such file or directory)"),
        (["cut.jsonl", "-o", "game.html"], "line 2: not JSON"),
        (["list.jsonl", "-o", "game.html"], "line 1: a line of a record is a JSON object"),
        (["game.jsonl", "-o", "missing/game.html"], "cannot be written (No such file or directory)"),
        (["game.jsonl", "-o", "game.html", "--analysis", "none.json"], "give the file of its analysis"),
        (["game.jsonl", "-o", "game.html", "--analysis", "game.jsonl"], "this is no analysis of a game"),
        (["game.jsonl", "-o", "game.html", "--analysis", "exact.json"], "of a game of 'exact', not of this one"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder: Path, words: list[str], said: str) -> None:
    status, told = export(folder, *words)
    assert status == 2
    assert said in told
    assert told.count("\n") == 1
    assert not (folder / "game.html").exists()


@pytest.mark.parametrize("read", ["game.jsonl", "analysis.json"])
def test_what_is_read_is_not_overwritten(folder: Path, read: str) -> None:
    before = (folder / read).read_bytes()
    status, told = export(folder, "game.jsonl", "-o", read, "--analysis", "analysis.json")
    assert (status, (folder / read).read_bytes() == before) == (2, True)
    assert "is an input file and will not be overwritten: give another place with -o." in told
