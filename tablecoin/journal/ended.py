"""A game of the past, by its number: its record, and where the pictures of its rulings are kept."""

from __future__ import annotations

from typing import NamedTuple

from tablecoin.journal.export import NoGame, exported
from tablecoin.journal.journal import BadLine, Journal
from tablecoin.journal.record import Record
from tablecoin.rules import load
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import Message


class EndedGame(NamedTuple):
    """A game that is over, or was broken off for another."""

    number: int
    record: Record
    evidence: tuple[int | None, ...]  # of each entry: the number of its ruling, where pictures were kept with it


class StillPlayed(NoGame):
    """The game is the newest and not over: what is still hidden in it must stay so."""


def ended_game(journal: Journal, number: int) -> EndedGame:
    """Game `number` of the journal. Reads no other game.

    Raises NoGame where there is none, or where it is damaged or departs from today's rules; StillPlayed while it is
    being played; JournalError.
    """
    rows = journal.whole_game(number)
    if not rows:
        raise NoGame(Message("game.unknown", {"number": number}))
    try:
        events, digests = [(line.at, line.event) for line, _ in rows], [digest for _, digest in rows]
        record, told = exported(events, digests, verified=number not in journal.unverified)
        over = _is_over(record)
    except BadLine as error:
        raise NoGame(Message("game.damaged", {"number": number, "why": error.message})) from None
    except RulesError as error:
        raise NoGame(Message("game.departs", {"number": number, "why": error.message})) from None
    except NoGame:
        raise NoGame(Message("game.damaged", {"number": number, "why": Message("game.no_start")})) from None
    if not over and number == journal.newest_number():
        raise StillPlayed(Message("game.running", {"number": number}))
    kept = [line.number if digest else None for line, digest in rows]
    return EndedGame(number, record, tuple(kept[event] for event in told))


def _is_over(record: Record) -> bool:
    """Whether the last state of the record has an outcome, or people ended the game."""
    if any(entry.event == "ended" for entry in record.entries):
        return True
    game = load(record.game)
    return game.outcome(game.read_state(record.entries[-1].state)) is not None
