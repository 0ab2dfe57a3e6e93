"""How strong computers play What Goes Around, learned from their games: a mixture of styles for each round.

Strong computers play whole games, and each of their choices is written down with what they saw. How likely a style
makes a choice has a formula: the chance of the act by its readiness, and of a steal's target and amount by its aim. So
for each round the likeliest readiness of a grid is taken, and the shares of many aims are found by expectation
maximisation: first over all steals, to find the few that count, then for each round with those shares as its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from lab.chances.selfplay import LEARNED_FROM, moves
from tablecoin.opponents import Level
from tablecoin.opponents.goes_around.odds import PASS, PROTECT, STEAL, STYLES, Bools, Floats
from tablecoin.opponents.goes_around.strong_play import FEW, FILE, READY, Mixture
from tablecoin.opponents.goes_around.value import everything
from tablecoin.rules import load
from tablecoin.rules.goes_around.game import Commit
from tablecoin.rules.goes_around.round import ACTS
from tablecoin.storage import arrays

OUT = Path(str(files("tablecoin.opponents.goes_around") / FILE))
GAMES = ((4, 170), (3, 25), (6, 30), (9, 4))  # players at the table, and how many games of so many are played
ROUNDS = 9
_EACH = 10_000  # numbers kept for games of one number of players
_NEW = 600  # aims drawn at random, beside those that the players think of
_KEPT = 24  # aims that count: what they leave unexplained is less than the noise of so many games
_HELD = 15  # choices that a round's beginning weighs as much as: late rounds have few
_STEPS = 300  # of expectation maximisation; it stands still by then
_ELSE = 0.03  # of the targets and amounts of a style are any: nobody keeps to a style exactly
_NARROWEST = 0.02  # of the parts a style tries for: amounts are whole


class Seen(msgspec.Struct, frozen=True):
    """One choice, and what its player saw: everybody's bank and uses left, and who is alive."""

    rounds: int  # left, this one included
    banks: list[int]
    left: list[list[float]]  # of each player: steals, protections, passes
    alive: list[bool]
    player: int
    act: int  # the place in ACTS
    target: int  # of a steal; else -1
    amount: int


class Watched(msgspec.Struct, frozen=True):
    """The choices of one game of strong computers."""

    number: int
    seen: list[Seen]


def numbers() -> Iterator[tuple[int, int]]:
    """(number of a game, how many play it) for all games that are learned from."""
    for place, (players, count) in enumerate(GAMES):
        first = LEARNED_FROM + _EACH * place
        yield from ((number, players) for number in range(first, first + count))


def watched(number: int, players: int) -> Watched:
    """Game `number`, played by strong computers."""
    game, options, seen = load("goes-around"), {"players": players}, list[Seen]()
    state = game.start(game.read_options(options))
    for action, after in moves("goes-around", number, Level.STRONG, options):
        if isinstance(action, Commit):
            table = everything(state)
            target = int(action.target) - 1 if action.target else -1
            seen.append(
                Seen(
                    table.rounds, table.banks.tolist(), table.left.tolist(), table.alive.tolist(),
                    int(action.seat) - 1, ACTS.index(action.action), target, action.amount or 0,
                )
            )  # fmt: skip
        state = after
    return Watched(number, seen)


def fitted(games: Sequence[Watched], seed: int = 0) -> Mixture:
    """The mixture that explains these games best."""
    choices = [one for game in games for one in game.seen]
    steals = [one for one in choices if one.act == STEAL]
    aims, aimed = _aims(steals, np.vstack([np.array(STYLES)[:, READY:], _drawn(np.random.default_rng(seed))]))
    return Mixture(_readiness(choices), aims, aimed)


def act_likelihood(one: Seen, readiness: Floats) -> Floats:
    """(R,) how likely each readiness, (R, 2), chooses this act: as `odds.imagine` draws it."""
    steals, protects, passes = one.left[one.player]
    others = [bank for k, bank in enumerate(one.banks) if k != one.player and one.alive[k]]
    steals *= any(others)  # where nobody has anything there is nothing to steal
    steal, protect = readiness.T
    ready = np.stack([steals * steal, protects * protect, passes + 0 * steal])
    chance: Floats = np.where(ready.sum(0) > 0, ready[one.act] / np.maximum(ready.sum(0), 1e-9), one.act == PASS)
    return chance


def aim_likelihood(one: Seen, aims: Floats) -> Floats:
    """(A,) how likely each aim, (A, 4), steals so: as `odds.imagine` draws target and amount, but for _ELSE."""
    rich, to_bare, least, upmost = aims.T
    left, money = np.array(one.left), np.where(one.alive, one.banks, 0)
    money[one.player] = 0
    bare = np.maximum(1 - left[:, PROTECT] / np.maximum(left.sum(1), 1), 1e-3)
    weigh = np.log(np.maximum(money, 1e-9)), np.log(bare)
    drawn_to = np.exp(rich[:, None] * weigh[0] + to_bare[:, None] * weigh[1]) * (money > 0)
    target = drawn_to[:, one.target] / drawn_to.sum(1)
    most = money[one.target]
    wide = np.maximum(upmost - least, _NARROWEST)
    low = np.minimum(least, 1 - _NARROWEST)
    begins, ends = (one.amount - 1) / most * (one.amount > 1), one.amount / most
    within = np.clip(np.minimum(ends, low + wide) - np.maximum(begins, low), 0, None) / wide
    chance: Floats = ((1 - _ELSE) * target + _ELSE / np.count_nonzero(money)) * ((1 - _ELSE) * within + _ELSE / most)
    return chance


def packed(mixture: Mixture) -> bytes:
    """The mixture's file."""
    return arrays.packed({name: getattr(mixture, name) for name in Mixture.__struct_fields__})


def _readiness(choices: Sequence[Seen]) -> Floats:
    """(2, 9, 2) the readiness that explains the acts best, among few and among many players alive, by round."""
    grid = np.array(list(product(10 ** np.linspace(-3, 2.5, 56), repeat=READY)))
    log = np.log(np.maximum([act_likelihood(one, grid) for one in choices], 1e-9))

    def best(which: Bools, held: Floats) -> tuple[Floats, Floats]:
        """The likeliest of the grid, and what one choice says of all of it. `held`: the same of more rounds."""
        told = log[which].sum(axis=0) + _HELD * held
        return grid[told.argmax()], told / (np.count_nonzero(which) + _HELD)

    by_round = [best(rounds == k + 1, log.mean(axis=0))[1] for rounds in [_rounds(choices)] for k in range(ROUNDS)]
    return np.array(
        [[best(_which(choices, crowd, k), by_round[k])[0] for k in range(ROUNDS)] for crowd in (False, True)]
    )


def _aims(steals: Sequence[Seen], aims: Floats) -> tuple[Floats, Floats]:
    """The few of `aims` that explain the steals, and (2, 9, A) their shares: among few and among many, by round."""
    likely = np.maximum([aim_likelihood(one, aims) for one in steals], 1e-12)
    shares = _shares(likely, np.full(len(aims), 1 / len(aims)), 0)
    kept = np.sort(np.argsort(-shares)[:_KEPT])
    aims, likely = aims[kept], likely[:, kept]
    shares = _shares(likely, shares[kept] / shares[kept].sum(), 0)
    by_round = [_shares(likely[_rounds(steals) == k + 1], shares, _HELD) for k in range(ROUNDS)]
    return aims, np.array(
        [
            [_shares(likely[_which(steals, crowd, k)], by_round[k], _HELD) for k in range(ROUNDS)]
            for crowd in (False, True)
        ]
    )


def _rounds(choices: Sequence[Seen]) -> NDArray[np.int64]:
    return np.array([one.rounds for one in choices])


def _which(choices: Sequence[Seen], crowd: bool, after: int) -> Bools:
    """The choices among few or among many players alive, with so many rounds left after theirs."""
    return np.array([(sum(one.alive) > FEW) == crowd and one.rounds == after + 1 for one in choices])


def _shares(likely: Floats, shares: Floats, held: float) -> Floats:
    """(A,) the share of each aim in some steals, by how likely each makes each, (steals, A), beginning with `shares`.

    `held`: how many steals the beginning weighs as much as.
    """
    begun = shares
    for _ in range(_STEPS if len(likely) else 0):
        whose = likely * shares
        whose /= whose.sum(axis=1, keepdims=True)
        shares = (whose.sum(axis=0) + held * begun) / (len(likely) + held)
    mixed: Floats = shares / shares.sum()
    return mixed


def _drawn(dice: np.random.Generator) -> Floats:
    """(_NEW, 4) aims over all that make a difference; half of them always try for the same part."""
    least, upmost = np.sort(dice.random((2, _NEW)), axis=0)
    least = np.where(dice.random(_NEW) < 0.5, upmost, least)
    return np.stack([dice.uniform(0, 4, _NEW), dice.uniform(0, 8, _NEW), least, upmost], axis=1)
