"""Mistakes that show on the table: the layout they leave, and the clauses they break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tablecoin.coins import Heap
from tablecoin.rules.game import Action, Game, IllegalAction, Layout, State
from tablecoin.rules.goes_around.game import GoesAroundState
from tablecoin.rules.goes_around.pennies import as_layout, paid_wrongly

AnyGame = Game[Any, Any, Any]
Blunder = tuple[str, Layout, set[str]]  # what it is, the layout it leaves, the clauses that such a layout may break


def visible_blunders(game: AnyGame, turn: Sequence[State]) -> Iterator[Blunder]:
    """Illegal actions in the last state of `turn`, the states of the current turn.

    Actions whose layout could come from legal actions are left out.
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
        yield str(action), layout, {clause for _, other, clause in found if other == layout}
    if isinstance(truth, GoesAroundState):
        yield from _strays(game.layout(truth))


def misdealt(before: GoesAroundState, after: GoesAroundState, game: AnyGame) -> Iterator[Blunder]:
    """Layouts after a reveal with one payment made wrongly."""
    was, due = game.layout(before), game.layout(after)
    tables = [
        (layout, broken)
        for counts, broken in paid_wrongly(was, [player.last for player in after.players])
        if (layout := as_layout(counts)) != due
    ]
    for layout, broken in tables:
        yield broken.why(), layout, {other.clause for same, other in tables if same == layout}


def _strays(layout: Layout) -> Iterator[Blunder]:
    """Pennies of the ring that move between two reveals: taken away, moved to another bank, or added to one."""
    piles = {zone: pile.heap for zone, pile in layout.items()}
    penny = Heap(penny=1)
    for zone, heap in piles.items():
        yield f"a penny too many in {zone}", _with(layout, {zone: heap + penny}), {"goes-around.pennies"}
        if len(heap):
            yield f"a penny gone from {zone}", _with(layout, {zone: heap - penny}), {"bank.taken"}
            for other in piles:
                if other != zone:
                    moved = {zone: heap - penny, other: piles[other] + penny}
                    yield f"a penny from {zone} in {other}", _with(layout, moved), {"goes-around.pennies"}


def _with(layout: Layout, heaps: dict[str, Heap]) -> Layout:
    return {**layout, **as_layout({zone: len(heap) for zone, heap in heaps.items()})}


def _within_reach(game: AnyGame, state: State) -> Iterator[Layout]:
    """The layouts after one or two legal actions: a mistake that looks like one of these is not visible."""
    seat = game.to_act(state)
    for action in game.legal_actions(state):
        first = game.apply(state, action)
        yield game.layout(first)
        if game.to_act(first) == seat and not game.tosses_due(first):
            for second in game.legal_actions(first):
                yield game.layout(game.apply(first, second))
