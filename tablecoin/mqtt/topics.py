"""The topics: `tablecoin/1/TABLE/KIND`. 1 is the messages' major version; TABLE is the table's name in topics.

A table writes every kind but ASKED, ASSIGNED and RING_SET, which a club or a home writes for it to read.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

import msgspec

ROOT = "tablecoin"
MAJOR = 1  # of the messages: one that reads another major version understands nothing of them

UP = "up"  # retained text, "online" or "offline": the broker writes "offline" when the table is gone (its last will)
SUMMARY = "summary"  # retained: Summary
HEALTH = "health"  # retained: Health
EVENT = "event"  # Ruling, as it is made
AGAIN = "again"  # Ruling, sent later than a minute after it was made, or again because a club asked
RESULT = "result"  # retained: GameResult of the newest game that is over; every one is in its Ruling too
PICTURE = "picture"  # retained JPEG, where the table's owner switched it on
BUTTON = "button"  # Press
RING = "ring"  # retained: Ring
RING_SET = "ring/set"  # Ring, from a home
ASKED = "ask"  # Ask, from a club
ASSIGNED = "assign"  # retained: Assignment, from a club; empty: taken back
REPLY = "reply"  # retained: Reply to the assignment

ONLINE, OFFLINE = "online", "offline"

TABLE_PATTERN = r"^[A-Za-z0-9_-]{1,40}$"  # what Home Assistant takes in its own topics too
TableId = Annotated[str, msgspec.Meta(pattern=TABLE_PATTERN)]

_TOPIC = re.compile(rf"{ROOT}/(\d{{1,4}})/([A-Za-z0-9_-]{{1,40}})/(.+)")


class Topic(NamedTuple):
    """A topic taken apart."""

    major: int
    table: str
    kind: str


def topic(table: str, kind: str) -> str:
    """`tablecoin/1/k7/summary`. `table` may be "+", to subscribe to the kind of every table."""
    return f"{ROOT}/{MAJOR}/{table}/{kind}"


def taken_apart(name: str) -> Topic | None:
    """The parts of a topic; None where it is not one of tablecoin's."""
    found = _TOPIC.fullmatch(name)
    return Topic(int(found[1]), found[2], found[3]) if found else None
