"""The pure games. `load(name)` gives one of the five behind the contract of `tablecoin.rules.game`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from tablecoin.rules.game import Game, InputError
from tablecoin.rules.rulebook import Message

# name -> where its `GAME` stands. Imported when first asked for.
_HOMES = {
    "steal": "tablecoin.rules.dollar_prize.steal",
    "exact": "tablecoin.rules.dollar_prize.exact",
    "goes-around": "tablecoin.rules.goes_around.game",
    "coin-wars": "tablecoin.rules.coin_wars",
    "coin-age": "tablecoin.rules.coin_age.game",
}
NAMES = tuple(_HOMES)


@cache
def load(name: str) -> Game[Any, Any, Any]:
    """The game of that name; InputError naming the five for any other."""
    if name not in _HOMES:
        raise InputError(Message("input.game", {"game": repr(name[:40]), "known": NAMES}))
    game: Game[Any, Any, Any] = import_module(_HOMES[name]).GAME
    return game
