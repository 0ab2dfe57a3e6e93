"""Players without a plan: whole games of random legal actions, for tests, measuring and opponents to beat."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tablecoin.coins import Coin, Face
from tablecoin.rules.game import TABLE, Action, Game, State


class Endless(RuntimeError):
    """A game did not end within the number of actions it was given, or stood still with nothing to do."""


def random_action(game: Game[Any, Any, Any], state: State, dice: Random) -> Action:
    """A legal action, each as likely as any other; when the table acts, fair coins are tossed.

    Whoever may do something before the coins fly does so as often as not. Raises Endless when there is none though the
    game goes on.
    """
    if due := game.tosses_due(state):
        if len(game.may_act(state)) > 1 and dice.random() < 0.5:
            early = [action for action in game.legal_actions(state) if game.actor(state, action) != TABLE]
            before: Action = dice.choice(early)
            return before
        seen = {zone: tuple(Coin.of(kind, dice.choice(list(Face))) for kind in heap) for zone, heap in due.items()}
        tossed: Action = game.toss_action(state, seen)
        return tossed
    actions = list(game.legal_actions(state))
    if not actions:
        raise Endless(f"{game.name} goes on in phase {game.phase(state)!r}, but no action is legal")
    chosen: Action = dice.choice(actions)
    return chosen


def random_game(
    game: Game[Any, Any, Any], seed: int, limit: int = 100_000, start: State | None = None
) -> Iterator[tuple[Action | None, State]]:
    """Every action of one random game and the state it led to, first (None, the start). The seed decides it all.

    Raises Endless when the game is not over after `limit` actions.
    """
    dice = Random(seed)
    state: State = game.start(game.read_options({})) if start is None else start
    yield None, state
    for _ in range(limit):
        if game.outcome(state) is not None:
            return
        action = random_action(game, state, dice)
        state = game.apply(state, action)
        yield action, state
    if game.outcome(state) is None:
        raise Endless(f"{game.name}, seed {seed}: not over after {limit} actions")
