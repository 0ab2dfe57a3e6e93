"""Adventures of Coin Wars as people ask for them: by name, or a new one that is easy, fair or hard."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from tablecoin.opponents.coin_wars.balance import balanced
from tablecoin.referee.snapshot import Texts
from tablecoin.rules.coin_wars import adventures
from tablecoin.rules.coin_wars.adventures import CHANCES, Adventure
from web.words import say


def titles() -> dict[str, Texts]:
    """Name -> language -> title of every adventure in the book, with its number of players; those for few first."""
    return {name: _titled(adventures.load(name)) for name in adventures.shipped()}


def _titled(adventure: Adventure) -> Texts:
    if adventure.players == 1:
        return say("adventure.one", title=adventure.title)
    return say("adventure.many", title=adventure.title, n=adventure.players)


def drawn(wish: object, players: int) -> object:
    """The wish with a new adventure's name where it asks for one that is easy, fair or hard, for so many players.

    `wish` is an act or options, as they came; what is no object, or asks for none, is given back as it is.
    """
    asked = wish.get("adventure") if isinstance(wish, Mapping) else None
    difficulty = next((each for each in CHANCES if each == asked), None)
    if not isinstance(wish, Mapping) or difficulty is None:
        return wish
    most = adventures.MOST_MADE_PLAYERS
    name = balanced(difficulty, min(max(1, players), most), secrets.randbelow(1_000_000_000))
    return {**wish, "adventure": name}
