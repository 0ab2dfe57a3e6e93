"""CONTRIBUTING.md is true: its recipes are followed word by word in a copy of the code, and its commands run there.

A block with a title is a file to write, or, as a diff, one to change. A console block holds commands, each with what
its output must contain.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
RECIPES = ("Add a game", "Add a map", "Add a camera", "Add a language")
LONGEST = 20  # lines of prose, commands and changes a recipe may have; a whole example file is not counted

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Block:
    """A fenced block: `kind` is its language, `title` the file it is about."""

    kind: str
    title: str | None
    text: str


def section(title: str) -> str:
    """The text below the heading `## title`."""
    return GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(title: str) -> list[Block]:
    return [Block(m["kind"], m["title"], m["text"]) for m in BLOCK.finditer(section(title))]


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


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_short_and_ends_with_a_proof(recipe: str) -> None:
    files = [block.text for block in blocks(recipe) if block.title and block.kind != "diff"]
    text = section(recipe)
    for file in files:
        text = text.replace(file, "")
    counted = [line for line in text.splitlines() if line.strip() and not line.startswith("```")]
    assert len(counted) <= LONGEST
    assert any(block.kind == "console" for block in blocks(recipe))


def test_every_recipe_is_followed() -> None:
    assert tuple(re.findall(r"^## (Add .+)$", GUIDE, re.MULTILINE)) == RECIPES
