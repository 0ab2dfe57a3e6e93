"""How far long work has come: a bar on standard error, where that is a terminal; nothing where it is piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

T = TypeVar("T")
_CLEAR_LINE = "\r\x1b[2K"  # ANSI: to the line's beginning, then erase it


@contextmanager
def progress(items: Iterable[T], label: str, count: int | None = None) -> Iterator[Iterable[T]]:
    """`items`, to be gone through once, counted by a bar. `count`: how many they are, where they have no length.

    A single item gets no bar.
    """
    length = len(items) if count is None and isinstance(items, Sequence) else count
    if not _on_a_terminal() or length == 1:
        yield items
        return
    with click.progressbar(items, length, label, show_pos=True, file=sys.stderr) as bar:
        yield bar


@contextmanager
def stages(count: int) -> Iterator[Callable[[str], None]]:
    """A function to call with a name at the beginning of each of `count` stages; a bar shows the name."""
    if not _on_a_terminal():
        yield lambda name: None
        return
    begun = 0
    with click.progressbar(length=count, show_pos=True, show_eta=False, file=sys.stderr) as bar:

        def begin(name: str) -> None:
            nonlocal begun
            bar.label = name
            if begun:
                bar.update(1)
            bar.render_progress()
            begun += 1

        yield begin
        bar.update(1)


def clear_line() -> None:
    """Erase the bar before something else is printed; the next item draws it again."""
    if _on_a_terminal():
        click.echo(_CLEAR_LINE, nl=False, err=True)


def _on_a_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
