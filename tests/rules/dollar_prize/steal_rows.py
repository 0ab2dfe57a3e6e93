"""Rows and turns of Steal in short words; the tests of its rules begin with these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tablecoin.coins import BY_VALUE, Coin, Face, Heap
from tablecoin.rules.dollar_prize.rows import Done, Side
from tablecoin.rules.dollar_prize.steal import GAME, StealState
from tablecoin.rules.game import IllegalAction

LETTERS = dict(zip("PNDQ", BY_VALUE, strict=True))
P, N, D, Q = BY_VALUE
HEADS, TAILS = Side.HEADS, Side.TAILS


def heap(text: str) -> Heap:
    """`5P 2D` -> five pennies, two dimes; an empty text is an empty heap."""
    return Heap.of(LETTERS[k] for n, k in re.findall(r"(\d+)([PNDQ])", text) for _ in range(int(n)))


def faces(text: str) -> tuple[Coin, ...]:
    """`Qt Dh` -> a quarter showing tails and a dime showing heads."""
    return tuple(
        Coin.of(LETTERS[k], Face.HEADS if f == "h" else Face.TAILS) for k, f in re.findall(r"([PNDQ])([ht])", text)
    )


def turn(mine: str, theirs: str = "1P", *, placed: bool = False, converted: bool = False, **options: Any) -> StealState:
    """Heads is to play the first turn of a round, with `mine` against `theirs`."""
    rows = {"heads": counts(mine), "tails": counts(theirs)}
    flags = {"placed": placed, "converted": converted}
    return GAME.read_state({"rows": rows, "to_act": ["heads"], "first": "heads", "turn": flags, "options": options})


def ending(heads: str, tails: str, **keys: Any) -> StealState:
    """The end of a round, with the steal's toss due."""
    rows = {"heads": counts(heads), "tails": counts(tails)}
    return GAME.read_state({"phase": "steal", "rows": rows, "first": "heads", "round": 5, **keys})


def counts(text: str) -> dict[str, int]:
    return {kind.value: heap(text)[kind] for kind in BY_VALUE}


def play(state: StealState, actions: Iterable[Any]) -> StealState:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def clause(state: StealState, action: Any) -> str | None:
    try:
        GAME.apply(state, action)
    except IllegalAction as refused:
        return refused.clause
    return None


def reach(state: StealState) -> set[Heap]:
    """The rows in which the mover's turn can end."""
    ends, waiting = set(), [state]
    for here in waiting:
        for action in GAME.legal_actions(here):
            if isinstance(action, Done):
                ends.add(here.rows.heads)
            else:
                waiting.append(GAME.apply(here, action))
    return ends
