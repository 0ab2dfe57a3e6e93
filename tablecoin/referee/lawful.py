"""Where a person may act now: the zones that a lawful act would change. A page lights them up."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from tablecoin.referee.match import Match
from tablecoin.rules.game import TABLE, Game, State

_MOST = 400  # acts that are tried: of more, each zone has had its turn (Coin Age knows some hundred)


def lawful_zones(match: Match) -> tuple[str, ...]:
    """The zones that a lawful act of the one person to act would change; () where it is not one person's turn."""
    seats = match.game.to_act(match.state)
    if len(seats) != 1 or seats[0] == TABLE or match.started.seats.get(seats[0]) == "computer":
        return ()
    return _changed_by(match.game, match.state)


@lru_cache(maxsize=2)
def _changed_by(game: Game[Any, Any, Any], state: State) -> tuple[str, ...]:
    before = game.layout(state)
    found: dict[str, None] = {}
    for action in islice(game.legal_actions(state), _MOST):
        after = game.layout(game.apply(state, action))
        found |= dict.fromkeys(zone for zone in after if after[zone] != before.get(zone))
    return tuple(sorted(found))
