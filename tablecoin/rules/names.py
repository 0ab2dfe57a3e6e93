"""What a person may be called at the table: a name is text of strangers that pages show."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablecoin.rules.game import ANYONE, TABLE

LONGEST_NAME = 40  # letters

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]


def name_fault(name: str) -> str | None:
    """The key of what is wrong with a player's name, or None.

    A name is one line without control characters or marks that turn the writing around; it is not blank, and no word
    of the game.
    """
    if not name.strip() or name != name.strip() or not name.isprintable():
        return "options.name.line"
    if len(name) > LONGEST_NAME:
        return "options.name.long"
    return "options.name.taken" if name in (TABLE, ANYONE) else None
