"""What the server says over the web, in every language: the sentences of words.toml, filled with facts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Protocol, runtime_checkable

from tablecoin.referee.snapshot import Texts
from tablecoin.rules.rulebook import LANGUAGES, fill

_MOST_LETTERS = 60  # of a fact that came in with a call


class Refused(Exception):
    """A call that is not answered as asked: an HTTP status, one sentence in every language, and headers if any."""

    def __init__(self, status: int, texts: Texts, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(texts["en"])
        self.status, self.texts, self.headers = status, texts, headers or {}


@runtime_checkable
class Spoken(Protocol):
    """An error that has its sentence in every language: a Complaint, or one of set-up, which has its own catalogue."""

    @property
    def texts(self) -> Texts: ...


def say(key: str, **facts: object) -> Texts:
    """The sentence `key` in every language. KeyError where the catalogue lacks it: a test keeps that from users."""
    return {language: fill(catalogue()[key][language], facts, language) for language in LANGUAGES}


def said_by(error: Exception, key: str) -> Texts:
    """An error's own sentence in every language. An error with an English sentence only is wrapped by `key`."""
    return error.texts if isinstance(error, Spoken) else say(key, why=str(error))


def quoted(given: str) -> str:
    """What a caller gave, for a sentence: in quotation marks and not endless."""
    return repr(given[:_MOST_LETTERS])


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Key -> language -> template."""
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
