"""CONTRIBUTING.md is true: its recipes are followed word by word in a copy of the code, and its commands run there.

`tests/texts/documents.py` checks at every `make check` that each recipe is short and ends with commands.

A block with a title is a file to write, or, as a diff, one to change. A console block holds commands, each with what
its output must contain.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.texts.check import ROOT
from tests.texts.documents import BLOCK, CONTRIBUTING, RECIPES, section

pytestmark = pytest.mark.long  # each runs several commands in a copy of the code


@dataclass(frozen=True)
class Block:
    """A fenced block: `kind` is its language, `title` the file it is about."""

    kind: str
    title: str | None
    text: str


def blocks(title: str) -> list[Block]:
    recipe = section(CONTRIBUTING.read_text("utf-8"), title)
    return [Block(m["kind"], m["title"], m["text"]) for m in BLOCK.finditer(recipe)]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the code and of the tests that the recipes run."""
    for folder in ("tablecoin", "calibration", "web", "lab", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "journeys")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def change(file: Path, diff: str) -> None:
    """Apply a diff: the text without its + lines must stand there once, and becomes the text without its - lines.

    A diff of one line may show a part of the line.
    """
    lines = diff.splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    text = file.read_text("utf-8")
    assert text.count(before) == 1, f"{file.name} has these lines {text.count(before)} times, not once:\n{before}"
    file.write_text(text.replace(before, after), "utf-8")


def run(command: str, folder: Path) -> str:
    """What `command` prints in `folder`, where `python` is this one; AssertionError when it fails."""
    environment = os.environ | {
        "PYTHONPATH": str(folder),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def follow(block: Block, folder: Path) -> None:
    """Do what one block says."""
    if block.kind == "console":
        for part in block.text.split("$ ")[1:]:
            command, _, expected = part.partition("\n")
            said = run(command, folder)
            for line in expected.splitlines():
                assert line in said, f"{command} did not say {line!r} but:\n{said}"
    elif block.title and block.kind == "diff":
        change(folder / block.title, block.text)
    elif block.title:
        (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.title).write_text(block.text, "utf-8")


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_works_word_by_word(recipe: str, copy: Path) -> None:
    for block in blocks(recipe):
        follow(block, copy)
