"""`python -m lab`: one help page for everything, wrong words in one sentence, torch for training alone."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from lab import photos
from lab.front import main

ROOT = Path(__file__).parents[2]


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """(words after `python -m lab`, command) for every command, those inside groups too."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_the_help_page_lists_every_command() -> None:
    page = CliRunner().invoke(main, ["--help"], terminal_width=120).stdout
    for words, command in commands(main):
        assert re.search(rf"^  {words}  +{re.escape(command.get_short_help_str(95))}$", page, re.MULTILINE), words


def test_every_command_has_a_help_page() -> None:
    for words, _ in commands(main):
        page = CliRunner().invoke(main, [*words.split(), "--help"])
        assert (page.exit_code, page.stderr) == (0, ""), words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dance"], "No such command 'dance'"),
        (["read", "tea-leaves"], "No such command 'tea-leaves'"),
        (["read", "tables", "--count", "0"], "0 is not in the range x>=1"),
        (["read", "tables", "--coins", "borrowed"], "'borrowed' is not one of"),
        (["read", "tables", "--coins", "mixed"], "There are no photos of real coins"),
        (["play", "steal", "--coins", "owner"], "There are no photos of real coins"),
        (["read", "sureness"], "name their folder, with scenes/labels.csv, by --photos or TABLECOIN_PHOTOS"),
        (["read", "cameras", "--mat", "rug"], "There is no mat 'rug'"),
        (["read", "phone", "--map", "atlantis"], "atlantis"),
        (["play", "chess"], "'chess' is not one of"),
        (["play", "steal", "--options", "3"], "'3' is no JSON object"),
        (["play", "steal", "--options", '{"gaol": 30}'], "gaol"),
        (["report", "nosuch.jsonl"], "nosuch.jsonl holds no games"),
        (["contest", "chess"], "'chess' is not one of"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(photos.VARIABLE, raising=False)
    monkeypatch.setattr(photos, "BESIDE", tmp_path / "none")
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert said in line


@pytest.mark.parametrize("command", ["small", "large", "held-out"])
def test_training_without_torch_is_one_sentence(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.training.commands.find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["train", command, "--photos", "."])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("tablecoin: training needs torch, onnx, ")
    assert line.endswith("run `pip install --group train`.")


@pytest.mark.long  # a process of its own
@pytest.mark.long  # starts Python; without torch installed, every test here shows it
def test_the_help_page_needs_neither_torch_nor_onnx() -> None:
    code = (
        "import sys; sys.modules.update(torch=None, onnx=None)\n"
        "from lab.front import main; main(['--help'], prog_name='python -m lab')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "read tables" in done.stdout


@pytest.mark.long
@pytest.mark.heavy  # reads two pictures without coins, which take the networks longest
def test_a_measure_prints_its_figures() -> None:
    result = CliRunner().invoke(main, ["read", "nothing", "--count", "2"])
    assert result.stdout.splitlines() == [
        "noise                      1 pictures  invented 0  sure 0",
        "text                       1 pictures  invented 0  sure 0",
    ]
    assert result.stderr == ""
