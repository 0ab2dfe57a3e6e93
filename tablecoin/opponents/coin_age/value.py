"""The value of Coin Age: won this turn where that can be searched, else many games imagined to their end."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from tablecoin.coins import Face
from tablecoin.opponents.coin_age.bare import bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.playouts import LONGEST, Field, Games, Turns, games_of, play_on, turns_after, turns_of
from tablecoin.opponents.coin_age.search import Board
from tablecoin.opponents.value import Estimate, decided, standard_error
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import CoinAgeState
from tablecoin.rules.game import Seat

SEATS: tuple[Seat, Seat] = ("heads", "tails")


def value(state: CoinAgeState, *, samples: int, seed: int) -> Estimate:
    """Each side's chance to win, a draw counted half, and its expected margin in points. See opponents.value.Valuer."""
    if outcome := GAME.outcome(state):
        points = state.tally.score
        margin = points[Face.HEADS] - points[Face.TAILS]
        return decided(outcome, SEATS, {"heads": margin, "tails": -margin})
    field, node, side = _field(bare_board(state.board)), bare_node(state), side_of(state)
    faces = tosses(samples, seed)
    games = _repeat(games_of([node], side), samples)
    if state.flip is None:
        stratify(faces, games)
        turns = turns_after(games, faces[0])
    else:
        turns = _again(turns_of([node]), samples)
    share, margins = play_on(field, games, turns, faces)
    error = standard_error(float(share.sum()), float((share**2).sum()), samples)
    chance, expected = float(share.mean()), float(margins.mean())
    mover = state.mover.value
    other = state.mover.other.value
    return Estimate({mover: chance, other: 1 - chance}, error, {mover: expected, other: -expected})


def tosses(samples: int, seed: int) -> np.typing.NDArray[np.bool_]:
    """(LONGEST, samples, 4) which coins show the mover's side, turn by turn."""
    faces: np.typing.NDArray[np.bool_] = np.random.default_rng(seed).random((LONGEST, samples, 4)) < 0.5
    return faces


def stratify(faces: np.typing.NDArray[np.bool_], games: Games) -> None:
    """Every result of the first toss comes up as often as any other, as far as the samples go."""
    every = np.array(list(product((False, True), repeat=4)))
    whole = len(games) - len(games) % 16
    faces[0, :whole] = np.tile(every, (whole // 16, 1))


def _repeat(games: Games, count: int) -> Games:
    return Games(*(np.repeat(part, count, axis=0) for part in (games.codes, games.own, games.other)))


def _again(turns: Turns, count: int) -> Turns:
    parts = (turns.ready, turns.place, turns.move, turns.capture)
    return Turns(*(np.repeat(part, count, axis=0) for part in parts))  # type: ignore[arg-type]


@cache
def _field(board: Board) -> Field:
    return Field(board)
