"""The rulebook: numbered clauses and every sentence the referee says, in our own words, in every language.

One TOML file a game, common.toml for all games, referee.toml, and words.toml for coins and lists, each read once. A
message is a key and facts; the sentence is the key's template in a language, filled with the facts' words. So the rules
hold no sentences, and no sentence lacks a translation.

    [[chapter]]
    number = "2"                         # a heading over the clauses 2.1, 2.2...
    en = "Placing a coin"
    zh = "..."

    [[clause]]
    id = "steal.place.limit"             # what IllegalAction names
    number = "2.2"
    en = "The coin you place is worth no more than the highest coin in your row; a penny when the row is empty."
    zh = "..."
    why.en = "A {coin} is too high: the highest coin in your row is a {highest}."
    why.zh = "..."
    refereeable = true                   # false: people must see to it themselves

    [say."steal.prompt.place"]
    en = "{seat}: place one coin in your row."
    zh = "..."
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal
from unicodedata import bidirectional

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap


class Message(msgspec.Struct, frozen=True):
    """Something to be said: a key of the rulebook and the facts that fill its sentence."""

    key: str
    facts: Mapping[str, object] = {}


class Complaint(Exception):
    """An error that people read: its sentence is in the rulebook, in every language. `str()` is the English one."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return sentence(self.message)

    @property
    def texts(self) -> Mapping[str, str]:
        """The sentence in every language."""
        return texts(self.message)


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule: language -> text. `why` is said when the clause is broken; absent where it cannot be."""

    id: str
    number: str
    texts: Mapping[str, str]
    why: Mapping[str, str] = {}
    refereeable: bool = True

    def text(self, language: str) -> str:
        """The clause in one of LANGUAGES. KeyError for any other."""
        return self.texts[language]


class Chapter(msgspec.Struct, frozen=True):
    """A heading over the clauses whose numbers begin with `number`."""

    number: str
    texts: Mapping[str, str]  # language -> heading


@cache
def chapters(game: str) -> tuple[Chapter, ...]:
    """The headings over the clauses of one game in reading order."""
    return tuple(Chapter(raw["number"], {each: raw[each] for each in LANGUAGES}) for raw in _book(game)["chapter"])


@cache
def clauses(game: str) -> tuple[Clause, ...]:
    """The clauses of one game in reading order; `common` holds those every game shares."""
    return tuple(_clause(raw) for raw in _book(game).get("clause", []))


def _clause(raw: Mapping[str, Any]) -> Clause:
    """A clause as its file has it, with a text in each language."""
    rest = {key: value for key, value in raw.items() if key not in LANGUAGES}
    return msgspec.convert({**rest, "texts": {language: raw[language] for language in LANGUAGES}}, Clause)


def clause_of(name: str) -> Clause | None:
    """The clause whose id is `name`, of any game; None when no rulebook has it."""
    return next((one for book in _books() for one in clauses(book) if one.id == name), None)


def sentence(message: Message, language: str = "en") -> str:
    """The message in words. Raises KeyError when the rulebook lacks the key; a test makes sure that none is lacking."""
    return fill(_templates()[message.key][language], message.facts, language)


def texts(message: Message) -> dict[str, str]:
    """The message in every language."""
    return {language: sentence(message, language) for language in LANGUAGES}


def fill(template: str, facts: Mapping[str, object], language: str) -> str:
    """A template of any catalogue with the words of its facts in `language`. KeyError when a fact is missing."""
    said = template.format_map({name: _word(fact, language) for name, fact in facts.items()})
    return _POSSESSIVE.sub("s'", said) if language == "en" else said


@cache
def _books() -> tuple[str, ...]:
    return tuple(sorted(f.name.removesuffix(".toml") for f in files(__package__).iterdir() if f.name.endswith(".toml")))


@cache
def _book(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


@cache
def _templates() -> dict[str, Mapping[str, str]]:
    templates: dict[str, Mapping[str, str]] = {}
    for name in _books():
        templates |= _book(name).get("say", {})
        templates |= {clause.id: clause.why for clause in clauses(name) if clause.why}
    return templates


LanguageChoice = Literal["auto", "en", "zh"]  # of pages; auto: the browser's
LANGUAGES: tuple[str, ...] = tuple(_book("words")["say"]["language"])  # those that words.toml names; English first
_POSSESSIVE = re.compile(r"s's\b")  # Heads' row, not Heads's row
_WORDS = frozenset(f"{word}" for word in (*Denomination, *Face))


def _word(fact: object, language: str) -> str:
    """A fact as people say it: coins, faces, heaps, lists and whole messages in the language; else its text."""
    match fact:
        case Heap():
            return _heap(fact, language)
        case Coin():
            return _say("coin", language, denomination=fact.denomination, face=fact.face)
        case Denomination() | Face():
            return _say(f"word.{fact}", language)
        case Message():
            return sentence(fact, language)
        case Mapping():  # a game's title, by language
            return str(fact.get(language, fact["en"]))
        case list() | tuple():
            words = [_word(item, language) for item in fact]
            whole_sentences = all(word.endswith((".", "!", "?", "。", "！", "？")) for word in words)
            return _say("list.sentences" if whole_sentences else "list.words", language).join(words)
        case "heads" | "tails":  # a seat
            return _say(f"side.{fact}", language)
        case str() if fact in _WORDS:
            return _say(f"word.{fact}", language)
        case str() if any(bidirectional(letter) in ("R", "AL") for letter in fact):
            return f"\u2068{fact}\u2069"  # a name written from right to left leaves the rest of the sentence in order
        case _:
            return str(fact)


def _heap(heap: Heap, language: str) -> str:
    """`2 dimes, 1 nickel`, most valuable first."""
    parts = [
        _say(f"heap.{'one' if heap[kind] == 1 else 'many'}.{kind}", language, count=heap[kind])
        for kind in reversed(BY_VALUE)
        if heap[kind]
    ]
    return _say("list.words", language).join(parts) or _say("heap.none", language)


def _say(key: str, language: str, **facts: object) -> str:
    """A word of words.toml, or a template of it filled with facts."""
    return fill(_templates()[key][language], facts, language)
