"""What a check of texts is: it takes things one by one, and yields a problem with its file and line for each fault."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


class Problem(NamedTuple):
    """What is wrong at a line of a file, and what to do about it."""

    file: Path
    line: int
    wrong: str
    todo: str

    def __str__(self) -> str:
        return f"{named(self.file)}:{self.line}: {self.wrong}; {self.todo}"


@dataclass(frozen=True)
class Check(Generic[T]):
    """`problems` is called with each of `things`, and yields nothing for a thing without a fault."""

    title: str
    things: Callable[[], Iterable[T]]
    problems: Callable[[T], Iterable[Problem]]

    def run(self) -> tuple[int, list[Problem]]:
        """How many things it looked at, and all problems. Having no things at all is a problem too."""
        things = list(self.things())
        found = [problem for thing in things for problem in self.problems(thing)]
        if not things:
            file = Path(self.problems.__code__.co_filename)
            found = [Problem(file, 1, f"“{self.title}” found nothing to look at", "correct where it looks")]
        return len(things), found


Checks = tuple[Check[Any], ...]


def named(path: Path) -> str:
    """A path as people write it: from the root of the repository, where it lies below."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def line_at(text: str, offset: int) -> int:
    """The number of the line of `text` in which the character at `offset` stands."""
    return text.count("\n", 0, offset) + 1


def line_with(text: str, words: str) -> int:
    """The number of the first line of `text` that holds `words`; 1 where none does."""
    return line_at(text, max(text.find(words), 0))
