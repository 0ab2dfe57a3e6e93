"""No sentence that a page may show stands in code: errors, warnings and words of pages have theirs in a catalogue.

What only a terminal, a log or a printed picture shows may be English; EXCUSED says where and why. So may errors of a
programmer (ValueError, RuntimeError), which people never meet.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

from tests.texts.check import ROOT, Check, Checks, Problem, line_at, text_of, tree_of

TABLECOIN, WEB = ROOT / "tablecoin", ROOT / "web"
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
NOT_FOR_VISITORS = ("server.py", "openapi.py", "typescript.py")  # a terminal's sentences, and files for programmers
# Words that follow one another. In web/ a name such as "a lower case one" begins no sentence.
SENTENCE = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+|[a-z]+ [a-z]+[.?!]$|[\u4e00-\u9fff]")
SENTENCE_OF_WEB = re.compile(r"[A-Z][a-z]+ [a-z]+|[a-z]+ [a-z]+[.?!]$|[\u4e00-\u9fff]")
SQL = re.compile(r"\s*(select|insert|create|update|delete from) ")
PROGRAMMERS = ("ValueError", "RuntimeError", "TypeError", "LookupError", "KeyError", "IndexError")
SHOWN = ("CameraError", "CommandError", "JournalError", "PanelError", "ScoreError", "TableError", "InputError")
TODO = "move the sentence to a catalogue"


def texts_in(tree: ast.AST, is_apart: bool) -> Iterator[tuple[int, str]]:
    """Every text of a module with its line, docstrings apart; of an f-string its fixed parts.

    With `is_apart`, also without logs and errors of programmers.
    """
    skipped = _is_apart if is_apart else _is_docstring
    apart = {id(inner) for node in ast.walk(tree) if skipped(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_apart(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return True
        case ast.Call(func=ast.Name(id="Meta") | ast.Attribute(attr="Meta")):  # `games --json` prints descriptions
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name in PROGRAMMERS
    return _is_docstring(node)


def sentences(tree: ast.AST) -> list[tuple[int, str]]:
    return [(line, text) for line, text in texts_in(tree, True) if SENTENCE.search(text) and not SQL.match(text)]


def rooms() -> list[Path]:
    files = sorted(path for room in ROOMS for path in (TABLECOIN / room).rglob("*.py"))
    files += [TABLECOIN / "rules" / name for name in RULES]
    return [path for path in files if path.relative_to(TABLECOIN).as_posix() not in EXCUSED]


def spoken(path: Path) -> Iterator[Problem]:
    for line, text in sentences(tree_of(path)):
        yield Problem(path, line, f"the code holds the sentence “{text}”", TODO)


def unneeded(path: Path) -> Iterator[Problem]:
    if not sentences(tree_of(path)):
        yield Problem(path, 1, "it holds no sentence", "take it out of EXCUSED in tests/texts/code.py")


def errors() -> Iterator[tuple[Path, int, str, ast.expr | None]]:
    """(file, line, name, first argument) of each error that a page shows; without a line where nothing makes one."""
    made = [(path, *error) for path in sorted(TABLECOIN.rglob("*.py")) for error in raised(tree_of(path))]
    yield from made
    yield from ((TABLECOIN / "__init__.py", 1, name, None) for name in SHOWN if all(one[2] != name for one in made))


def raised(tree: ast.AST) -> Iterator[tuple[int, str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHOWN and node.args:
            yield node.lineno, node.func.id, node.args[0]


def untranslatable(thing: tuple[Path, int, str, ast.expr | None]) -> Iterator[Problem]:
    path, line, name, argument = thing
    if argument is None:
        yield Problem(path, line, f"nothing raises {name}", "take it out of SHOWN in tests/texts/code.py")
    elif isinstance(argument, ast.Constant | ast.JoinedStr):
        yield Problem(path, line, f"{name} is made of a text, which one language has", "make it of a Message")


# -- web/ -------------------------------------------------------------------------------------------------------------


def servers_code() -> list[Path]:
    return [path for path in sorted(WEB.rglob("*.py")) if path.name not in NOT_FOR_VISITORS]


def spoken_by_the_server(path: Path) -> Iterator[Problem]:
    for line, text in texts_in(tree_of(path), False):
        if SENTENCE_OF_WEB.search(text):
            yield Problem(path, line, f"the code holds the sentence “{text}”", TODO)


def scripts() -> list[Path]:
    return sorted((WEB / "static" / "js").rglob("*.js"))


def quoted_in(script: str) -> Iterator[tuple[int, str]]:
    """Every quoted text of a script, comments apart; of a template its fixed parts."""
    for text in re.finditer(r'//[^\n]*|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', script):
        yield line_at(script, text.start()), re.sub(r"\$\{[^}]*\}", " ", "".join(filter(None, text.groups())))


def spoken_by_a_script(path: Path) -> Iterator[Problem]:
    for line, text in quoted_in(text_of(path)):
        if SENTENCE_OF_WEB.search(text):
            yield Problem(path, line, f"the script holds the sentence “{text}”", TODO)


class Shown(HTMLParser):
    """Collects the texts of a template that have letters, each with the catalogue's key of the element it stands in."""

    EMPTY = ("input", "img", "link", "meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str | None, str]] = []
        self._open: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self._open.append(dict(attrs).get("data-i18n"))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if re.search(r"\w", data):
            self.found.append((self.getpos()[0], self._open[-1] if self._open else None, " ".join(data.split())))


def templates() -> Iterable[Path]:
    return sorted((WEB / "templates").glob("*.html"))


def unlike_the_catalogue(path: Path) -> Iterator[Problem]:
    """Texts of a template that are not the catalogue's English. The button `language` names the other language."""
    words = json.loads(text_of(WEB / "static" / "i18n" / "en.json"))
    shown = Shown()
    shown.feed(re.sub(r"\{[{%].*?[%}]\}", lambda jinja: "\n" * jinja[0].count("\n"), text_of(path), flags=re.DOTALL))
    apart = {(None, "tablecoin"), (None, "PDF")}  # a name, and a file type
    for line, key, text in shown.found:
        if (key, text) not in apart and key != "language" and words.get(key) != text:
            wrong = f"{key or 'a text without data-i18n'} is “{text}” here, and “{words.get(key)}” in en.json"
            yield Problem(path, line, wrong, "write the catalogue's English")


CHECKS: Checks = (
    Check("code of the rooms holds no sentence", rooms, spoken),
    Check("files excused for their sentences hold one", lambda: [TABLECOIN / name for name in EXCUSED], unneeded),
    Check("errors that a page shows are made of messages", errors, untranslatable),
    Check("code of the server holds no sentence", servers_code, spoken_by_the_server),
    Check("scripts of the page hold no sentence", scripts, spoken_by_a_script),
    Check("texts of templates are the catalogue's English", templates, unlike_the_catalogue),
)
