"""The rulebook: numbered clauses and every sentence the referee says, in our own words, English and Chinese.

One TOML file a game (and common.toml), read once. A message is a key and facts; the sentence is the key's template
in a language, filled with the facts' words. So the rules hold no sentences, and no sentence lacks a translation.

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
from typing import Any
from unicodedata import bidirectional

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap

LANGUAGES = ("en", "zh")


class Message(msgspec.Struct, frozen=True):
    """Something to be said: a key of the rulebook and the facts that fill its sentence."""

    key: str
    facts: Mapping[str, object] = {}


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule. `why` is said when the clause is broken; absent where it cannot be."""

    id: str
    number: str
    en: str
    zh: str
    why: Mapping[str, str] = {}
    refereeable: bool = True

    def text(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


@cache
def clauses(game: str) -> tuple[Clause, ...]:
    """The clauses of one game in reading order; `common` holds those every game shares."""
    return tuple(msgspec.convert(_book(game).get("clause", []), list[Clause]))


def clause_of(name: str) -> Clause | None:
    """The clause whose id is `name`, of any game; None when no rulebook has it."""
    return next((one for book in _books() for one in clauses(book) if one.id == name), None)


def sentence(message: Message, language: str = "en") -> str:
    """The message in words. KeyError when the rulebook lacks the key: a fault of ours, kept from users by a test."""
    template = _templates()[message.key][language]
    said = template.format_map({name: _word(fact, language) for name, fact in message.facts.items()})
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


_POSSESSIVE = re.compile(r"s's\b")  # Heads' row and James' bank, as Heads is said everywhere
_ZH = {"penny": "一分", "nickel": "五分", "dime": "一角", "quarter": "二角五分", "heads": "正面", "tails": "反面"}


def _word(fact: object, language: str) -> str:
    """A fact as people say it: coins, faces, heaps, lists and whole messages in the language; else its text."""
    match fact:
        case Heap():
            return _heap(fact, language)
        case Coin():
            face, kind = _word(fact.face, language), _word(fact.denomination, language)
            return f"{kind}{face}" if language == "zh" else f"{kind} {face}"
        case Denomination() | Face():
            return _ZH[fact] if language == "zh" else str(fact)
        case Message():
            return sentence(fact, language)
        case Mapping():  # a game's title, by language
            return str(fact[language])
        case list() | tuple():
            words = [_word(item, language) for item in fact]
            whole_sentences = all(word.endswith((".", "!", "?", "。", "！", "？")) for word in words)
            between = (" ", "") if whole_sentences else (", ", "、")
            return between[language == "zh"].join(words)
        case str() if fact in _ZH and language == "zh":
            return _ZH[fact]
        case str() if fact in ("heads", "tails"):
            return fact.capitalize()
        case str() if any(bidirectional(letter) in ("R", "AL") for letter in fact):
            return f"\u2068{fact}\u2069"  # a name written from right to left leaves the rest of the sentence in order
        case _:
            return str(fact)


def _heap(heap: Heap, language: str) -> str:
    if language != "zh":
        return str(heap)
    return "、".join(f"{heap[kind]}枚{_ZH[kind]}" for kind in reversed(BY_VALUE) if heap[kind]) or "无"
