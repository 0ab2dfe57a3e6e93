"""Records to analyse: random games, and games written down action by action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablecoin.journal.record import Entry, Record
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game


def random_record(name: str, seed: int, options: Mapping[str, Any]) -> Record:
    """A whole game of random actions."""
    game = load(name)
    played = random_game(game, seed, start=game.start(game.read_options(options)))
    return written(name, options, [game.write_action(action) for action, _ in played if action is not None])


def written(name: str, options: Mapping[str, Any], actions: list[dict[str, Any]]) -> Record:
    """A record of actions that were all accepted."""
    return Record(name, options, [Entry(action=action) for action in actions])
