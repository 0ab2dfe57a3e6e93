"""Whole games of random legal actions, for tests and for measuring."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tablecoin.coins import Coin, Face
from tablecoin.rules.game import TABLE, A, Game, O, S


class Endless(RuntimeError):
    """A game did not end within the number of actions it was given, or had no legal action left."""


def random_action(game: Game[S, A, O], state: S, dice: Random) -> A:
    """A legal action, each as likely as any other; when the table acts, fair coins are tossed.

    Where a player may act before a toss, they do so half of the time. Raises Endless when nothing is legal though the
    game goes on.
    """
    if due := game.tosses_due(state):
        if len(game.may_act(state)) > 1 and dice.random() < 0.5:
            early = [action for action in game.legal_actions(state) if game.actor(state, action) != TABLE]
            return dice.choice(early)
        seen = {zone: tuple(Coin.of(kind, dice.choice(list(Face))) for kind in heap) for zone, heap in due.items()}
        return game.toss_action(state, seen)
    actions = list(game.legal_actions(state))
    if not actions:
        raise Endless(f"{game.name} goes on in phase {game.phase(state)!r}, but no action is legal")
    return dice.choice(actions)


def random_game(
    game: Game[S, A, O], seed: int, limit: int = 100_000, start: S | None = None
) -> Iterator[tuple[A | None, S]]:
    """Every action of one random game and the state it led to, first (None, the start). Decided by the seed.

    Raises Endless when the game is not over after `limit` actions.
    """
    dice = Random(seed)
    state = game.start(game.read_options({})) if start is None else start
    yield None, state
    for _ in range(limit):
        if game.outcome(state) is not None:
            return
        action = random_action(game, state, dice)
        state = game.apply(state, action)
        yield action, state
    if game.outcome(state) is None:
        raise Endless(f"{game.name}, seed {seed}: not over after {limit} actions")
