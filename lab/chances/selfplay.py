"""Whole games of computers against each other, with fair tosses: the material on which chances are measured.

A game's number seeds its tosses and its players. Numbers from FIRST up to LEARNED_FROM were used to build nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tablecoin import opponents, rules
from tablecoin.coins import Coin, Face
from tablecoin.journal.record import Entry, Record
from tablecoin.opponents import Level
from tablecoin.rules.coin_wars.actions import Draw
from tablecoin.rules.coin_wars.adventures import NONE
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.game import ANYONE, TABLE, Action, Game, State

FIRST, LEARNED_FROM = 1_900_000, 2_500_000
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "steal": {},
    "exact": {},
    "goes-around": {"players": 4},
    "coin-age": {},
    "coin-wars": {"players": ["Ann", "Bob"]},
}


def played(name: str, number: int, level: Level = Level.STRONG) -> Record:
    """The record of one game that computers at `level` play in all seats."""
    game, options = rules.load(name), OPTIONS[name]
    entries = [Entry(action=game.write_action(action)) for action, _ in moves(name, number, level, options)]
    return Record(name, options, entries)


def moves(name: str, number: int, level: Level, options: Mapping[str, Any]) -> Iterator[tuple[Action, State]]:
    """Each act of one game that computers play in all seats, and the state after it, to the end of the game."""
    game, choose, dice = rules.load(name), opponents.load(name), Random(number)
    state: State = game.start(game.read_options(options))
    while game.outcome(state) is None:
        seats = game.to_act(state)
        if seats[0] == TABLE and (helper := _helper(game, state)):
            action: Action = choose(state, helper, level, dice.randrange(1 << 30))
        elif seats[0] == TABLE:
            action = _chance(game, state, dice)
        else:
            action = choose(state, seats[0], level, dice.randrange(1 << 30))
        state = game.apply(state, action)
        yield action, state


def _helper(game: Game[Any, Any, Any], state: State) -> str | None:
    """A player who may do something before the toss that is due."""
    able = (seat for seat in game.may_act(state) if seat not in (TABLE, ANYONE))
    return next(able, None) if game.tosses_due(state) else None


def _chance(game: Game[Any, Any, Any], state: State, dice: Random) -> Action:
    """What the table does: fair coins fall, cards are shuffled and all drawn, choices are revealed."""
    if due := game.tosses_due(state):
        faces = {zone: tuple(Coin.of(kind, dice.choice(list(Face))) for kind in heap) for zone, heap in due.items()}
        tossed: Action = game.toss_action(state, faces)
        return tossed
    if isinstance(state, CoinWarsState):
        cards = range(len(state.scenes))
        return Draw(tuple(cards if state.adventure != NONE else dice.sample(cards, len(cards))))
    only: Action = next(iter(game.legal_actions(state)))  # the reveal
    return only
