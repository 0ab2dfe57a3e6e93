"""Which parts of a text are Chinese and need another font."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is Chinese (ideographs and full-width signs, U+2E80 and above)."""
    for chinese, letters in groupby(text, key=lambda letter: ord(letter) >= 0x2E80):
        yield "".join(letters), chinese
