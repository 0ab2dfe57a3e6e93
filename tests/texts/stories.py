"""Lessons, games in one minute and adventures: each of their sentences is there in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.texts.catalogues import Said, incomplete, untranslated
from tests.texts.check import ROOT, Check, Checks, text_of

FOLDERS = ("tablecoin/lessons/lessons", "tablecoin/lessons/primers", "tablecoin/rules/coin_wars/adventures")


def told() -> Iterator[Said]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.toml")):
            yield from said_in(path, tomllib.loads(text_of(path)))


def said_in(path: Path, value: object) -> Iterator[Said]:
    """Every table below `value` that holds a sentence, by the beginning of its English."""
    if isinstance(value, dict):
        if "en" in value:
            yield Said(path, str(value["en"])[:40].partition(",")[0], value)
        for inner in value.values():
            yield from said_in(path, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from said_in(path, inner)


CHECKS: Checks = (
    Check("sentences of lessons and adventures are there in each language with the same blanks", told, incomplete),
    Check("sentences of lessons and adventures are in Chinese", told, untranslated),
)
