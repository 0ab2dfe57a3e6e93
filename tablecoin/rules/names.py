"""What a person may be called at the table: a name is text of strangers that pages show."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from msgspec import Meta

from tablecoin.rules.game import ANYONE, TABLE
from tablecoin.rules.rulebook import Message

LONGEST_NAME = 40  # letters

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]

_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200e\u200f"))  # a space without width, marks of direction: keyboards add them
_JOINERS = "\u200c\u200d"  # Hindi and Persian are written with them, and joined emoji
_IDLE_JOINER = re.compile(rf"(^|[ -~])[{_JOINERS}]+|[{_JOINERS}]+(?=[ -~]|$)")  # unseen, so two names would look alike


def plain_name(name: str) -> str:
    """A name as it is kept and compared, from what somebody typed. static/js/seat.js does the same.

    Every kind of space is a plain one, none stands at the ends, and what nobody sees is gone. A name in which
    name_fault finds nothing may still change here, and one made here stays as it is.
    """
    spaced = "".join(" " if unicodedata.category(each) == "Zs" else each for each in name.translate(_UNSEEN))
    return _IDLE_JOINER.sub(r"\1", spaced).strip()


def name_fault(name: str) -> str | None:
    """The key of what is wrong with a player's name, or None.

    A name is one line without control characters or marks that turn the writing around; it is not blank, and no word
    of the game.
    """
    seen = name.translate(dict.fromkeys(map(ord, _JOINERS)))
    if not seen.strip() or name != name.strip() or not seen.isprintable():
        return "options.name.line"
    if len(name) > LONGEST_NAME:
        return "options.name.long"
    return "options.name.taken" if name in (TABLE, ANYONE) else None


def name_problem(name: str) -> Message | None:
    """The same as a message; it has no full stop, so that it may stand in another."""
    wrong = name_fault(name)
    return Message(wrong, {"name": repr(name), "most": LONGEST_NAME}) if wrong else None
