"""Games in a row: the same once more, the seats swapped or not, or another one by the same people and house rules; and
who leads the series they belong to.

Each start holds the wins of the games before it, so the newest game alone tells how the series stands.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from tablecoin import rules
from tablecoin.referee.events import BestOf, Series, Started
from tablecoin.referee.match import Match
from tablecoin.rules.game import RulesError, Seat


class Standing(msgspec.Struct, frozen=True):
    """How a series of several games stands, the game under way or just over included."""

    best_of: BestOf
    wins: Mapping[Seat, int]  # by the seats of this game; 0 is left out
    winner: Seat | None  # who has won the series


def standing_of(match: Match) -> Standing | None:
    """How the match's series stands; None for a game that stands alone.

    A game that several win, or nobody, counts for nobody: it is played again.
    """
    series = match.started.series
    if series.best_of == 1:
        return None
    wins, outcome = dict(series.wins), match.outcome
    if outcome and len(outcome.winners) == 1:
        (winner,) = outcome.winners
        wins[winner] = wins.get(winner, 0) + 1
    return Standing(series.best_of, wins, next((seat for seat, won in wins.items() if 2 * won > series.best_of), None))


def once_more(match: Match, group: int) -> Started:
    """The start of the same game again. It goes on with the series; after a series that is won it begins a new one."""
    standing = standing_of(match)
    goes_on = standing is not None and standing.winner is None
    wins = standing.wins if standing and goes_on else {}
    return replace(match.started, group=group, crossed=False, series=replace(match.started.series, wins=wins))


def another(match: Match, name: str, group: int) -> Started:
    """The start of the game `name` by those who played `match`: who was first sits first, and the house rules that
    this game has too stay. House rules that it cannot be played by are left out."""
    before, game = match.started, rules.load(name)
    known = {field.encode_name for field in msgspec.structs.fields(game.options_type)} - {"players"}
    try:
        options = game.read_options({rule: value for rule, value in before.options.items() if rule in known})
    except RulesError:
        options = game.read_options({})
    across = dict(zip(_seats(match) or tuple(before.seats), game.seats(options), strict=False))
    return replace(
        before,
        group=group,
        game=name,
        options=to_builtins(options),
        seats={across[seat]: player for seat, player in before.seats.items() if seat in across},
        names={across[seat]: called for seat, called in before.names.items() if seat in across},
        colours={across[seat]: colour for seat, colour in before.colours.items() if seat in across},
        crossed=False,
        clock=None if game.together else before.clock,
        series=Series(before.series.best_of),
    )


def can_swap(match: Match) -> bool:
    """Whether two people, or a person and a computer, can swap their seats; where people play together, nobody can."""
    return len(_seats(match)) == 2 and not match.game.together


def swapped(match: Match, started: Started) -> Started:
    """`started` with who sits where swapped; the house rules, which name sides, stay."""
    one, other = _seats(match)
    across = {one: other, other: one}
    return replace(
        started,
        crossed=True,
        seats={across[seat]: player for seat, player in started.seats.items()},
        names={across[seat]: name for seat, name in started.names.items()},
        colours={across[seat]: colour for seat, colour in started.colours.items()},
        series=replace(started.series, wins={across[seat]: won for seat, won in started.series.wins.items()}),
    )


def _seats(match: Match) -> tuple[Seat, ...]:
    return match.game.seats(match.game.read_options(match.started.options))
