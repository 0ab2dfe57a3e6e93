"""The club's results, players and tournaments as files: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import msgspec

from tablecoin.club.ratings import Rated
from tablecoin.mqtt.messages import GameResult
from web.club.answers import TournamentShown

_BOM = "\ufeff"  # by it spreadsheets know the file as UTF-8
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # beginnings that spreadsheets would compute

Row = Sequence[object]


def results_csv(results: Iterable[GameResult]) -> str:
    """A line a game: when, where, what, who, who won."""
    rows = (
        (
            each.began, each.ended, each.table, each.how.game, each.number,
            "; ".join(f"{seat}: {each.how.names.get(seat, '')}" for seat in each.how.seats),
            "; ".join(each.how.names.get(seat) or seat for seat in each.winners),
        )
        for each in results
    )  # fmt: skip
    return _csv(("began", "ended", "table", "game", "number", "players", "winners"), rows)


def players_csv(players: Iterable[Rated]) -> str:
    """A line a person."""
    rows = ((n, each.name, each.rating, each.sigma, each.games, each.wins) for n, each in enumerate(players, 1))
    return _csv(("place", "name", "rating", "sigma", "games", "wins"), rows)


def tournament_csv(told: TournamentShown) -> str:
    """A line a player: place, name, points, tie-breaks, and each round's opponents and points."""
    rounds = [f"round {each.number}" for each in told.rounds]
    head = ("place", "name", "points", "buchholz", "sonneborn-berger", "wins", *rounds)
    rows = (
        (
            line.place, told.players[line.player], line.halves / 2, line.buchholz / 2, line.sonneborn / 4, line.wins,
            *(_round(told, number, line.player) for number in range(len(rounds))),
        )
        for line in told.standings
    )  # fmt: skip
    return _csv(head, rows)


def as_json(value: object) -> bytes:
    """Indented, for people who look at it."""
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def _round(told: TournamentShown, number: int, player: str) -> str:
    for match in told.rounds[number].matches:
        if player in match.players:
            others = ", ".join(told.players[each] for each in match.players if each != player) or "bye"
            points = "" if match.halves is None else f" {match.halves[match.players.index(player)] / 2:g}"
            return f"{others}{points}"
    return ""


def _csv(head: Row, rows: Iterable[Row]) -> str:
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(head)
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return _BOM + made.getvalue()


def _plain(cell: object) -> object:
    """A name that begins like a formula gets an apostrophe: no spreadsheet computes it (OWASP, CSV injection)."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
