"""Every language is whole: each catalogue has each sentence in each language, with the same blanks."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from calibration import words as set_up
from tablecoin import rules
from tablecoin.rules.rulebook import LANGUAGES, Message, sentence
from tests.texts.check import ROOT, Check, Checks, Problem, line_with, text_of, tree_of
from tests.texts.code import servers_code
from web import words as server

RULEBOOK = ROOT / "tablecoin" / "rules" / "rulebook"
SERVER, SET_UP = ROOT / "web" / "words.toml", ROOT / "calibration" / "words.toml"
PAGE, I18N = ROOT / "web" / "static" / "i18n", ROOT / "web" / "static" / "js" / "i18n.js"
BETWEEN = "list.sentences"  # what stands between two sentences: nothing in Chinese
BLANK = re.compile(r"\{(\w+)")
CHINESE = re.compile("[\u4e00-\u9fff]")


class Said(NamedTuple):
    """A sentence of a catalogue in every language."""

    file: Path
    key: str
    texts: Mapping[str, object]

    @property
    def line(self) -> int:
        return line_with(text_of(self.file), self.key.partition(",")[0])


def sentences() -> Iterator[Said]:
    """Those of the rulebooks, of the server and of set-up."""
    for path in sorted(RULEBOOK.glob("*.toml")):
        book = tomllib.loads(text_of(path))
        for key, texts in book.get("say", {}).items():
            yield Said(path, key, texts)
        for clause in book.get("clause", []):
            yield Said(path, f"{clause['id']}, the clause", clause)
            if "why" in clause:
                yield Said(path, f"{clause['id']}, its refusal", clause["why"])
        for chapter in book.get("chapter", []):
            yield Said(path, f'number = "{chapter["number"]}", the chapter', chapter)
    for path in sorted(ROOT.glob("*/words.toml")):
        for key, texts in tomllib.loads(text_of(path)).items():
            yield Said(path, key, texts)


def words_of_the_page() -> Iterator[Said]:
    catalogues = {language: json.loads(text_of(PAGE / f"{language}.json")) for language in LANGUAGES}
    for key in dict.fromkeys(key for catalogue in catalogues.values() for key in catalogue):
        texts = {language: catalogue[key] for language, catalogue in catalogues.items() if key in catalogue}
        lacking = next((language for language in LANGUAGES if language not in texts), LANGUAGES[0])
        yield Said(PAGE / f"{lacking}.json", f'"{key}"', texts)


def incomplete(said: Said) -> Iterator[Problem]:
    for language in LANGUAGES:
        text, english = said.texts.get(language), said.texts.get("en")
        if not isinstance(text, str) or not (text.strip() or said.key == BETWEEN):
            yield Problem(said.file, said.line, f"{said.key} lacks the language {language}", "translate it")
        elif isinstance(english, str) and set(BLANK.findall(text)) != set(BLANK.findall(english)):
            wrong = f"{said.key} has other blanks in {language} than in English"
            yield Problem(said.file, said.line, wrong, "use the same blanks")


def untranslated(said: Said) -> Iterator[Problem]:
    """A copied English sentence where Chinese belongs."""
    if not CHINESE.search(str(said.texts.get("zh", ""))):
        yield Problem(said.file, said.line, f"{said.key} has no Chinese characters", "translate it")


def of_people() -> Iterator[Said]:
    """Sentences that people read whole, as clauses and the server's errors are."""
    yield from (said for said in sentences() if said.file == SERVER or said.key.endswith("the clause"))


class Button(NamedTuple):
    """The button that changes the language, in one language of the page: its word, and what it must be."""

    language: str
    shown: str
    wanted: str


def buttons() -> Iterator[Button]:
    """It leads through all languages and back to English, in the order of the rulebook and of i18n.js."""
    names = [sentence(Message("language"), language) for language in LANGUAGES]
    for language, wanted in zip(LANGUAGES, [*names[1:], names[0]], strict=True):
        yield Button(language, json.loads(text_of(PAGE / f"{language}.json"))["language"], wanted)
    (tags,) = re.findall(r"const TAGS = \{ (.+) \};", text_of(I18N))
    for language, wanted in zip(re.findall(r"(\w+): ", tags), LANGUAGES, strict=False):
        yield Button("the tags of i18n.js", language, wanted)
    yield Button("the tags of i18n.js", str(tags.count(":")), str(len(LANGUAGES)))


def astray(button: Button) -> Iterator[Problem]:
    if button.shown != button.wanted:
        file = PAGE / f"{button.language}.json" if button.language in LANGUAGES else I18N
        wrong = f"{button.language} leads to {button.shown}, not to {button.wanted}"
        yield Problem(file, 1, wrong, f"write {button.wanted}")


def titles() -> list[Said]:
    return [Said(ROOT / "tablecoin" / "rules" / "__init__.py", name, rules.load(name).title) for name in rules.NAMES]


# -- the rulebooks ----------------------------------------------------------------------------------------------------


class Book(NamedTuple):
    """A rulebook as its file has it."""

    file: Path
    prefix: str  # of its clauses
    clauses: list[dict[str, Any]]
    chapters: list[str]  # their numbers


def books() -> Iterator[Book]:
    for name in (*rules.NAMES, "common"):
        raw = tomllib.loads(text_of(RULEBOOK / f"{name}.toml"))
        prefix = "" if name == "common" else f"{name}."
        chapters = [each["number"] for each in raw.get("chapter", [])]
        yield Book(RULEBOOK / f"{name}.toml", prefix, raw.get("clause", []), chapters)


def disordered(book: Book) -> Iterator[Problem]:
    """Clauses that are out of order, of another game, twice there, or under no heading; and headings without one."""
    last, known, chapters = tuple[int, ...](), set[str](), set(book.chapters)
    text = text_of(book.file) if book.file.exists() else ""
    if not book.clauses:
        yield Problem(book.file, 1, "it has no clauses", "write them")
    if len(chapters) < len(book.chapters):
        yield Problem(book.file, 1, "two headings have one number", "number them from 1")
    for clause in book.clauses:
        line, number = line_with(text, clause["id"]), tuple(map(int, clause["number"].split(".")))
        if not clause["id"].startswith(book.prefix):
            yield Problem(book.file, line, f"{clause['id']} is not of this book", f"begin it with {book.prefix}")
        if clause["id"] in known:
            yield Problem(book.file, line, f"{clause['id']} is there twice", "give it a name of its own")
        if number <= last:
            yield Problem(book.file, line, f"clause {clause['number']} is out of order", "order clauses by number")
        if clause["number"].partition(".")[0] not in chapters:
            yield Problem(book.file, line, f"clause {clause['number']} has no heading", "add a [[chapter]]")
        if not str(clause["en"]).endswith("."):
            yield Problem(book.file, line, f"{clause['id']} does not end with a full stop", "add it")
        last, known = number, known | {clause["id"]}
    for chapter in sorted(chapters - {clause["number"].partition(".")[0] for clause in book.clauses}):
        yield Problem(book.file, line_with(text, f'"{chapter}"'), f"heading {chapter} has no clause", "delete it")


# -- the server and set-up --------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """A key of the server's catalogue: where the code says it (None: nowhere), and whether the catalogue has it."""

    name: str
    said: tuple[Path, int] | None
    is_written: bool


def asked_of_the_server() -> Mapping[str, tuple[Path, int]]:
    """Every key that web/ says, with where."""
    return {
        text.value: (path, text.lineno)
        for path in servers_code()
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in ("say", "said_by")
        for text in call.args
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


def keys_of_the_server() -> list[Key]:
    asked, written = asked_of_the_server(), server.catalogue()
    return [Key(name, asked.get(name), name in written) for name in sorted(asked.keys() | written.keys())]


def unused_or_missing(key: Key) -> Iterator[Problem]:
    if key.said and not key.is_written:
        yield Problem(*key.said, f"web/words.toml has no {key.name}", "write its sentence there")
    if not key.said and not key.name.startswith("http."):  # those are named by the status
        yield Problem(SERVER, line_with(text_of(SERVER), key.name), f"nothing says {key.name}", "delete it")


def failures() -> list[str]:
    """The keys of set-up that say what is wrong."""
    return [
        key
        for key in sorted(set_up.keys())
        if key.partition(".")[0] not in ("word", "coins", "teach", "busy")
        and not key.endswith((".do", ".ok", ".first", "held"))
        and key not in ("sizes.missing", "pass.others")  # these share another failure's advice
    ]


FACTS = ("asked", "coins", "do", "face", "limit_px", "wanted")


def without_advice(key: str) -> Iterator[Problem]:
    known, line = set_up.keys(), line_with(text_of(SET_UP), key)
    if f"{key}.do" not in known:
        yield Problem(SET_UP, line, f"{key} says no advice", f"write {key}.do")
    elif not set_up.say(f"{key}.do", **dict.fromkeys(FACTS, 0))["en"]:
        yield Problem(SET_UP, line, f"the advice of {key} is empty", f"write {key}.do")


CHECKS: Checks = (
    Check("sentences of catalogues are there in each language with the same blanks", sentences, incomplete),
    Check("words of the page are there in each language with the same blanks", words_of_the_page, incomplete),
    Check("clauses and the server's sentences are in Chinese", of_people, untranslated),
    Check("the page's language button leads through all languages", buttons, astray),
    Check("games have a title in each language", titles, incomplete),
    Check("clauses of a rulebook are in order, under headings", books, disordered),
    Check("web/words.toml has exactly the sentences that the server says", keys_of_the_server, unused_or_missing),
    Check("failures of set-up say what to do", failures, without_advice),
)
