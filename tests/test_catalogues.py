"""No sentence that a page may show stands in code: errors and warnings of these rooms have theirs in a catalogue.

What only a terminal, a log or a printed picture shows may be English; EXCUSED says where and why. So may errors of a
programmer (ValueError, RuntimeError), which people never meet. `tests/web/test_words.py` does the same for web/.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "tablecoin"
ROOMS = ("analysis", "live", "referee", "journal", "panel", "photos", "vision", "opponents")
RULES = ("plain.py", "game.py", "__init__.py", "coin_wars/options.py", "coin_age/maps/__init__.py")
EXCUSED = {  # file: why it may hold English
    "live/watchdog.py": "systemd reads it",
    "live/service.py": "a script is named on the command line",
    "referee/desk.py": "the values of an Enum explain its names to programmers",
    "journal/record.py": "`replay` prints it",
    "panel/screen.py": "the terminal names the panel",
    "photos/look.py": "`look` prints it",
    "photos/score.py": "`score` prints its one-line summary",
    "photos/score_picture.py": "it is drawn on a picture, in a font without Chinese",
    "vision/shown/annotate.py": "it is drawn on a picture, in a font without Chinese",
    "vision/calibrated.py": "the summary is printed by the terminal",
    "vision/cameras/opening.py": "the choices of --camera",
    "rules/plain.py": "the patterns of msgspec's own errors",
    "vision/place/taught.py": "MatError: the page offers only maps that are there",
}
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")) + [
    ROOT / "rules" / name for name in RULES
]
SENTENCE = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+|[a-z]+ [a-z]+[.?!]$|[\u4e00-\u9fff]")  # words that follow one another
SQL = re.compile(r"\s*(select|insert|create|update) ")
PROGRAMMERS = ("ValueError", "RuntimeError", "TypeError", "LookupError", "KeyError", "IndexError")


def sentences(source: str) -> list[str]:
    """Every text of a module that reads like a sentence; docstrings, logs, SQL and errors of programmers apart."""
    tree = ast.parse(source)
    apart = {id(inner) for node in ast.walk(tree) if _is_apart(node) for inner in ast.walk(node)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    found = [text.value for text in texts if id(text) not in apart and isinstance(text.value, str)]
    return [text for text in found if SENTENCE.search(text) and not SQL.match(text)]


def _is_apart(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return True
        case ast.Call(func=ast.Name(id="Meta") | ast.Attribute(attr="Meta")):  # `games --json` prints descriptions
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name in PROGRAMMERS
    return False


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [path for path in FILES if named(path) not in EXCUSED], ids=named)
def test_no_sentence_stands_in_code(path: Path) -> None:
    assert sentences(path.read_text("utf-8")) == []


@pytest.mark.parametrize("name", EXCUSED)
def test_each_excuse_is_needed(name: str) -> None:
    assert sentences((ROOT / name).read_text("utf-8")) != []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise ScoreError("count them again")', ["count them again"]),
        ('raise ScoreError(f"{held} are in the banks")', [" are in the banks"]),
        ('warnings.append("请重新清点")', ["请重新清点"]),
        ('raise ScoreError(Message("score.banks", {"held": held}))', []),
        ('raise ValueError("a game starts only once")', []),
        ('log.warning("the disk is full")', []),
        ('"""What a module is for."""', []),
    ],
)
def test_the_search_finds_a_sentence(source: str, found: list[str]) -> None:
    assert sentences(source) == found


def raised(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """The name and the first argument of each error that a module makes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id.endswith("Error")
            and node.args
        ):
            yield node.func.id, node.args[0]


@pytest.mark.parametrize(
    "name", ["CameraError", "CommandError", "JournalError", "PanelError", "ScoreError", "TableError", "InputError"]
)
def test_an_error_that_a_page_shows_is_made_of_a_message(name: str) -> None:
    made = [argument for path in sorted(ROOT.rglob("*.py")) for error, argument in raised(path) if error == name]
    assert made != []
    assert [ast.unparse(argument) for argument in made if isinstance(argument, ast.Constant | ast.JoinedStr)] == []
