"""The mistakes people make that show on the table: with what they leave there, and the clauses they break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tablecoin.rules.game import Action, Game, IllegalAction, Layout, State

AnyGame = Game[Any, Any, Any]


def visible_blunders(game: AnyGame, turn: Sequence[State]) -> Iterator[tuple[Action, Layout, set[str]]]:
    """Acts against the rules in the newest of `turn`, the states of the turn under way, that look like nothing lawful.

    With the table each leaves, and every clause an act of that look breaks.
    """
    truth = turn[-1]
    lawful = [layout for state in turn for layout in (game.layout(state), *_within_reach(game, state))]
    found: list[tuple[Action, Layout, str]] = []
    for action in game.imaginable_actions(truth):
        try:
            game.apply(truth, action)
        except IllegalAction as broken:
            layout = game.imagined_layout(truth, action)
            if layout not in lawful:
                found.append((action, layout, broken.clause))
    for action, layout, _ in found:
        yield action, layout, {clause for _, other, clause in found if other == layout}


def _within_reach(game: AnyGame, state: State) -> Iterator[Layout]:
    """Layouts one or two legal acts lead to: what looks like these is no visible mistake."""
    seat = game.to_act(state)
    for action in game.legal_actions(state):
        first = game.apply(state, action)
        yield game.layout(first)
        if game.to_act(first) == seat and not game.flips_due(first):
            for second in game.legal_actions(first):
                yield game.layout(game.apply(first, second))
