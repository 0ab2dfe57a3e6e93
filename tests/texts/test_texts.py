"""Each check of texts can fail: it finds a planted fault, and looks at something."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import copytree
from typing import Any

import click
import pytest

from tests.texts import checks
from tests.texts.__main__ import main
from tests.texts.catalogues import Book, Button, Key, Said
from tests.texts.check import Check, Problem
from tests.texts.code import sentences
from tests.texts.conditions import functions_of, skipped
from tests.texts.documents import API, Named, Ruling
from tests.texts.hardware import Drawing, Figure, Pin, open_facts
from tests.texts.imports import Source, circle, upward
from tests.texts.static import Contrast
from tests.texts.units import FOLDER, facts

Planted = Callable[[Path], object]  # a thing with a fault, for a file that may be written


def file(text: str) -> Callable[[Path], Path]:
    """A file with this text."""

    def write(path: Path) -> Path:
        path.write_text(text, "utf-8")
        return path

    return write


def fact(change: Callable[[str], str], name: str) -> Planted:
    """The first fact that does not hold when a file of systemd/ is changed."""

    def write(path: Path) -> object:
        folder = copytree(FOLDER, path.with_name("systemd"))
        (folder / name).write_text(change((folder / name).read_text("utf-8")), "utf-8")
        return next(each for each in facts(folder) if not each.holds)

    return write


COMMAND = click.Command("serve", params=[click.Option(["--loudly"])])
CLAUSE = {"id": "coin-age.flip", "number": "2.1", "en": "Toss the coins."}
PLANTED: dict[str, Planted] = {
    "files import only from lower floors": lambda path: Source("tablecoin.rules.game", path, (("web.app", 3),)),
    "files import each other in no circle": lambda path: (Source("a", path, (("b", 1),)), ["a", "b", "a"]),
    "libraries that need care are imported in one place": lambda path: Source("web", path, (("torch", 1),)),
    "no check of a test stands under a condition": file("def test_it():\n    if a:\n        assert b\n"),
    "code of the rooms holds no sentence": file('raise ScoreError("count them again")'),
    "files excused for their sentences hold one": file('"""What a module is for."""'),
    "errors that a page shows are made of messages": lambda path: (path, 1, "ScoreError", ast.Constant("no")),
    "code of the server holds no sentence": file('raise Refused(400, "That is wrong.")'),
    "scripts of the page hold no sentence": file("h('p', null, `Not sure about ${what}`)"),
    "texts of templates are the catalogue's English": file("<p>Press DONE.</p>"),
    "sentences of catalogues are there in each language with the same blanks": lambda path: Said(
        file("[a]\n")(path), "a", {"en": "{coin} is there.", "zh": "有{coins}。"}
    ),
    "words of the page are there in each language with the same blanks": lambda path: Said(
        file("{}")(path), "a", {"en": "There."}
    ),
    "clauses and the server's sentences are in Chinese": lambda path: Said(
        file("[a]\n")(path), "a", {"en": "There.", "zh": "There."}
    ),
    "the page's language button leads through all languages": lambda path: Button("en", "Deutsch", "中文"),
    "games have a title in each language": lambda path: Said(file("")(path), "steal", {"en": "Steal"}),
    "clauses of a rulebook are in order, under headings": lambda path: Book(path, "coin-age.", [CLAUSE], ["3"]),
    "web/words.toml has exactly the sentences that the server says": lambda path: Key("a", (path, 1), False),
    "failures of set-up say what to do": lambda path: "lens.stolen",
    "sentences of lessons and adventures are there in each language with the same blanks": lambda path: Said(
        file("")(path), "a", {"en": "There."}
    ),
    "sentences of lessons and adventures are in Chinese": lambda path: Said(file("")(path), "a", {"zh": "There."}),
    "lines of the page's files have at most 120 letters": file("x" * 121),
    "files of the page fetch nothing from elsewhere": file("fetch('https://example.org/a.js')"),
    "modules that scripts import exist": file('import { a } from "./nothing.js";'),
    "words that the page asks for exist": file('t("no.such.word")'),
    "house rules have words of their own": lambda path: "option.no_such_rule",
    "colours of words can be read by day and by night": lambda path: Contrast(1, "a", "#777777", "#888888"),
    "page and rulebook of Coin Wars use the same words": lambda path: (
        file('{"wars.wits": "Wits"}')(path),
        "wars.wits",
        "Brains",
    ),
    "links and pictures of pages lead somewhere": file("# Here\n[a](#there) [b](nothing.md)"),
    "files that pages name exist": file("`tablecoin/nothing.py`"),
    "commands that pages name exist and have the options named": file(
        "`tablecoin dance` `tablecoin serve --loudly` `python -m nothing`"
    ),
    "docs/commands.md explains every option of a command": lambda path: ("serve", COMMAND),
    "commands of the lab that pages name exist": file("python -m lab dance quickly"),
    "lab/README.md explains every command of the lab": lambda path: ("dance", COMMAND),
    "actions that docs/commands.md shows are those of a game": lambda path: (1, {"do": "dance"}),
    "docs/openapi.json is valid OpenAPI": file('{"openapi": "3.1.0", "info": {}}'),
    "the changelog keeps its form": lambda path: (path, "## 0.0.1\n### Improved\n"),
    "recipes of CONTRIBUTING.md are short, proved and tested": lambda path: (
        file("\n## Add a coin\nText.\n")(path),
        "Add a coin",
        "Text.\n" * 30,
    ),
    "rulings of docs/rulings.md name clauses and house rules of their game": lambda path: Ruling(
        1, ["S1", "?", "No", "9.9", "`nothing`"], frozenset(), frozenset()
    ),
    "drawings of hardware.md are fresh and shown": lambda path: Drawing(path, "<svg/>"),
    "figures of hardware.md are right": lambda path: Figure(1, "the sum", 12.0, 13.0, 0.5),
    "pins of hardware.md are those of the code": lambda path: Pin(1, "buzzer", (5, 29), (12, 32)),
    "sentences that hardware.md quotes are those of the program": lambda path: (1, "Nobody says this."),
    "dependencies are locked in a version that is allowed": lambda path: "numpy>=99",
    "what is locked has hashes, and one version": file("numpy==2.4.6\n"),
    "lock files name no place to download from": lambda path: (path, "numpy==2.0\n--index-url there\n"),
    "packages in the wheel are typed": lambda path: "lab",
    "units and scripts of systemd/ agree with the program": fact(
        lambda text: text.replace("Type=notify", "Type=simple"), "tablecoin.service"
    ),
}
NAMED = {check.title for check in checks() if check.problems.__name__ == "different"}
PLANTED |= dict.fromkeys(NAMED, lambda path: Named(API, 2, frozenset({"a"}), frozenset({"b"}), "the call"))


@pytest.mark.parametrize("check", checks(), ids=lambda check: check.title)
def test_a_planted_fault_is_found(check: Check[Any], tmp_path: Path) -> None:
    found = list(check.problems(PLANTED[check.title](tmp_path / "planted")))
    assert found
    assert all(problem.line >= 1 and problem.wrong and problem.todo for problem in found)


def test_a_check_that_looks_at_nothing_is_a_problem() -> None:
    def never(thing: object) -> Iterable[Problem]:
        raise AssertionError

    looked_at, (problem,) = Check("nothing", list, never).run()
    assert looked_at == 0
    assert str(problem) == "tests/texts/test_texts.py:1: “nothing” found nothing to look at; correct where it looks"


def test_the_command_counts_what_it_checks_and_tells_each_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["packages"]) == 0
    assert "     3 packages in the wheel are typed\n0 problems\n" in capsys.readouterr().out
    monkeypatch.setattr("tests.texts.packages.INSTALLED", ("tablecoin", "web"))
    assert main(["packages"]) == 1
    told = "pyproject.toml:1: the wheel would hold calibration; it holds tablecoin, web\n1 problems\n"
    assert told in capsys.readouterr().out
    assert main(["poems"]) == 2


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("assert a", []),
        ("if a:\n  b()", []),
        ("while a:\n  if b:\n   break\n  assert c", []),
        ("while a:\n  if b:\n   continue\n  c()\n assert d", []),
        ("def f():\n  if a:\n   return 1\n  return 2\n assert f()", []),
        ("if a:\n  assert b", [3]),
        ("if a:\n  b()\n else:\n  assert c", [5]),
        ("if a:\n  for b in c:\n   assert b", [4]),
        ("if a:\n  with pytest.raises(E):\n   b()", [3]),
        ("if a:\n  return\n assert b", [3]),
        ("for a in b:\n  if a:\n   continue\n  assert a", [4]),
        ("match a:\n  case 1:\n   assert b", [4]),
        ("try:\n  a()\n except E:\n  assert b", [5]),
    ],
)
def test_a_check_under_a_condition_is_found(body: str, lines: list[int]) -> None:
    (test,) = functions_of(ast.parse(f"def test_it():\n {body}"))
    assert skipped(test) == lines


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
    assert [text for _, text in sentences(ast.parse(source))] == found


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("tablecoin.referee.board", ["tablecoin.vision.frame", "tablecoin.referee.desk", "numpy"], []),
        ("tablecoin.referee.board", ["tablecoin.vision.frame", "web.app"], ["referee imports web.app"]),
        ("tablecoin.live.board", ["tablecoin.replay.steps"], ["live imports tablecoin.replay.steps"]),
        ("tablecoin", ["tablecoin.coins"], ["tablecoin imports tablecoin.coins"]),
        ("tablecoin.attic.box", [], ["the room attic stands on no floor"]),
    ],
)
def test_an_import_up_the_floors_is_found(module: str, imported: list[str], wrong: list[str]) -> None:
    source = Source(module, Path("a.py"), tuple((name, 1) for name in imported))
    assert [problem.wrong.partition(", which")[0] for problem in upward(source)] == wrong


def test_a_circle_of_imports_is_found() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    assert circle({"a": {"b"}, "b": set()}) == []


@pytest.mark.parametrize(("template", "quoted"), [("It is {x} late.", "It is … late."), ("Run.", "Run.")])
def test_a_fact_is_quoted_as_dots(template: str, quoted: str) -> None:
    assert re.fullmatch(open_facts(template), quoted)
    assert not re.fullmatch(open_facts(template), quoted.replace("t", "d").replace("R", "F"))
