"""What set-up says, in English and Chinese: what was found or is wrong, and what to do about it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from tablecoin.rules.rulebook import LANGUAGES, Complaint, Message, sentence

Said = Mapping[str, str]  # language -> one or two sentences

NOTHING: Said = dict.fromkeys(LANGUAGES, "")


def say(key: str, **facts: object) -> Said:
    """The sentences of `key` in every language. So is a fact that is Said, a Message or a Complaint."""
    return {
        language: words.format(**{name: _in(fact, language) for name, fact in facts.items()})
        for language, words in _catalogue()[key].items()
    }


def _in(fact: object, language: str) -> object:
    match fact:
        case Mapping():
            return fact[language]
        case Message():
            return sentence(fact, language)
        case Complaint():
            return sentence(fact.message, language)
        case _:
            return fact


def keys() -> frozenset[str]:
    """Every key of the catalogue."""
    return frozenset(_catalogue())


def word(name: str) -> Said:
    """A denomination or a face by its name."""
    return say(f"word.{name}")


def coins(names: Mapping[str, int]) -> Said:
    """Coins with their counts, e.g. {"penny:heads": 2}."""
    if not names:
        return say("coins.none")
    items = [say("coins.item", count=count, coin=coin(name)) for name, count in names.items()]
    return joined(items)


def joined(items: Sequence[Said]) -> Said:
    """A list of words as one phrase."""
    return {language: comma.join(item[language] for item in items) for language, comma in say("coins.between").items()}


def coin(name: str) -> Said:
    """A coin by its name: `penny`, or with its face `penny:heads`."""
    kind, _, face = name.partition(":")
    return say("coins.face", coin=word(kind), face=word(face)) if face else word(kind)


@cache
def _catalogue() -> Mapping[str, Said]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
