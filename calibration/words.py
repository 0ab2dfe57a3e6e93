"""What set-up says, in English and Chinese: what was found or is wrong, and what to do about it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

Said = Mapping[str, str]  # language -> one or two sentences

NOTHING: Said = {"en": "", "zh": ""}


def say(key: str, **facts: object) -> Said:
    """The sentences of `key` in every language. A fact that is itself Said is filled in in that language."""
    told = {}
    for language, words in _catalogue()[key].items():
        here = {name: fact[language] if isinstance(fact, Mapping) else fact for name, fact in facts.items()}
        told[language] = words.format(**here)
    return told


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
