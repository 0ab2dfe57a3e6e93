"""The chain of events: each stored event holds a hash over itself and the hash of the event before it.

So an event that was altered, left out or put in shows, unless somebody writes every later hash anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Annotated

import msgspec

from tablecoin.referee.events import read_event

Number = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]  # of an event; SQLite holds no larger one
GameNumber = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
START = ""  # stands for the link before the first event


class Row(msgspec.Struct, frozen=True):
    """An event as it is stored. `number` counts the events of all games from 1."""

    number: Number
    game: GameNumber  # games are numbered from 1 too
    at: str  # when it was written down: ISO 8601, UTC
    body: str  # the event as JSON
    evidence: str | None  # the digest of the pictures kept with it
    link: str  # SHA-256 over all of this and the link before, in hexadecimal


class Merged(msgspec.Struct, frozen=True):
    """What several damaged copies of a journal hold together."""

    rows: tuple[Row, ...]  # of each game the events from its first to the last before a gap
    apart: tuple[Row, ...]  # readable events behind a gap in their game: no referee can replay them
    lost: int  # events known to be lost
    lost_behind: int = 0  # those of them behind the last event that can be read
    unverified: frozenset[int] = frozenset()  # games whose first event nothing proves: it may have been altered


def linked(before: str, number: int, game: int, at: str, body: str, evidence: str | None) -> Row:
    """The event as a row that follows the link `before`."""
    told = msgspec.json.encode((before, number, game, at, body, evidence))
    return Row(number, game, at, body, evidence, hashlib.sha256(told).hexdigest())


def follows(row: Row, before: str) -> bool:
    """Whether the row is as it was written, after the link `before`."""
    return linked(before, row.number, row.game, row.at, row.body, row.evidence) == row


def begins(row: Row) -> bool:
    """Whether the row begins a game: its event is a Started, and `write_event` puts the tag first."""
    return row.body.startswith('{"event":"start"')


def _is_readable(row: Row) -> bool:
    """Whether the row holds an event of this tablecoin. An altered one may hold anything."""
    try:
        read_event(msgspec.json.decode(row.body))
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def whole(rows: Iterable[Row]) -> bool:
    """Whether the rows are one unbroken chain from its start."""
    before = START
    for row in rows:
        if not follows(row, before):
            return False
        before = row.link
    return True


def merge(*copies: Sequence[Row], summed: Collection[Row] = ()) -> Merged:
    """One chain from several copies, the most trusted first. A row that was altered is left out where that shows.

    `summed`: rows that their own sums prove. A row without a link, from a journal older than the chain, is taken as it
    is. Behind a gap a row that nothing proves is kept too, if it can be read; such rows get new links.
    """
    known: dict[int, list[Row]] = {}
    numbers: dict[str, int] = {}  # link -> the number it belongs to; 0 where rows of several numbers have it
    for held in chain(*copies):
        known.setdefault(held.number, []).append(held)
        numbers[held.link] = held.number if numbers.get(held.link, held.number) == held.number else 0
    chosen: list[Row] = []
    unproven: set[int] = set()  # numbers
    lost = last = 0
    for number in sorted(known):
        before = chosen[-1] if chosen else None
        gap = number - (before.number if before else 0) - 1
        fitting = [each for each in known[number] if not each.link or follows(each, before.link if before else START)]
        if fitting and not fitting[0].link:
            lost += gap
        if not fitting and gap:  # the row before it is lost, or was altered itself
            links = [earlier.link for earlier in known.get(number - 1, ())]
            fitting = [e for e in known[number] if e in summed or any(follows(e, link) for link in links)]
            if not fitting:
                fitting = [e for e in known[number] if numbers[e.link] == number and _is_readable(e)]
                unproven.update(each.number for each in fitting)
            lost += gap if fitting else 0
        chosen += fitting[:1]
        if any(not each.link or numbers[each.link] == number for each in known[number]):  # else its number was altered
            last = number
    behind = max(0, last - (chosen[-1].number if chosen else 0))
    standing, apart = _standing(chosen)
    unverified = frozenset(row.game for row in standing if row.number in unproven)
    return Merged(_relinked(standing), tuple(apart), lost + behind, behind, unverified)


def _standing(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """The rows of each game up to its first gap, and the rows behind one."""
    standing: list[Row] = []
    apart: list[Row] = []
    for row in rows:
        before = standing[-1] if standing else None
        goes_on = before and (before.game, before.number) == (row.game, row.number - 1)
        new = begins(row) and not (before and before.game >= row.game)
        (standing if new or goes_on else apart).append(row)
    return standing, apart


def _relinked(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows as one chain. Where nothing was lost, they come out as they were."""
    links: list[Row] = []
    for row in rows:
        before = links[-1].link if links else START
        links.append(linked(before, row.number, row.game, row.at, row.body, row.evidence))
    return tuple(links)
