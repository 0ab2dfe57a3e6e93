"""The odds of What Goes Around: thousands of imagined games at once, all in arrays (games, players).

Everybody in them plays by a style. A computer that chooses knows nothing of the others, so theirs are drawn for each
game and player (`Imagined.strangers`); a state is valued for players who all play well (`strong_play`). The settlement
is the one of tablecoin.rules.goes_around.round, written for arrays; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablecoin.rules.goes_around.game import Commit, GoesAroundState
from tablecoin.rules.goes_around.round import ACTS, USES, GoesAroundOptions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)
STEAL, PROTECT, PASS = range(3)  # the order of ACTS


class Style(NamedTuple):
    """A way to play. Many of them are an array (games, players, 6) with these numbers in this order."""

    steal: float  # how readily it uses up a steal, where a pass is used up as readily as 1
    protect: float  # the same for protecting
    rich: float  # the chance of a target grows with its bank to this power...
    bare: float  # ...and with its chance not to protect, by its uses left, to this power
    least: float  # it tries for a part of the target's bank, from this...
    most: float  # ...to this


CARELESS = Style(1, 1, 1, 0, 0, 1)  # any action, anybody's money, any amount
PATIENT = Style(0.01, 0.1, 2, 4, 0.5, 0.5)  # keeps its steals for the end; of those tried it wins most among careless
# No style alone stands up to the best answer to it: that wins up to 0.7 of the games at nine. Against others who draw
# from these the best of 700 styles tried won 0.13, where 0.11 is fair. Found by fictitious play: each is the best
# answer to all before it (lab/log/2026-11-22-levels.md).
STYLES = (
    CARELESS,
    PATIENT,
    Style(15.35, 0.03, 3.42, 3.17, 0.89, 0.92),
    Style(0.43, 0.01, 2.14, 5.04, 0.96, 0.99),
    Style(0.03, 0.01, 3.93, 0.02, 0.54, 0.9),
    Style(0.22, 0.23, 3.33, 2.11, 0.91, 0.96),
    Style(0.84, 0.53, 0.73, 1.22, 0.97, 0.97),
    Style(0.06, 0.01, 0.71, 0.89, 0.98, 0.98),
    Style(1.13, 1.56, 3.36, 0.4, 0.89, 0.89),
    Style(0.04, 0.26, 0.71, 3.93, 0.92, 0.97),
    Style(0.05, 0.28, 1.06, 5.16, 0.89, 0.94),
    Style(0.29, 1.07, 1.27, 6.09, 0.94, 0.94),
    Style(0.01, 0.02, 3.04, 2.94, 0.88, 0.88),
    Style(0.43, 0.16, 2.57, 1.2, 0.89, 0.89),
    Style(0.85, 0.04, 3.4, 1.29, 0.86, 0.97),
    Style(0.32, 0.01, 0.41, 3.0, 0.97, 0.97),
)
PRIOR = np.array([0.7] + [0.3 / (len(STYLES) - 1)] * (len(STYLES) - 1))  # of each style, before anybody has played


@dataclass(frozen=True)
class Table:
    """The start of a round, as a player sees it. `left` (players, 3): uses left of steal, protect, pass."""

    banks: Ints
    left: Floats
    alive: Bools
    rounds: int  # still to play, this one included
    options: GoesAroundOptions

    @classmethod
    def of(cls, state: GoesAroundState, used: Sequence[Sequence[float]]) -> Table:
        """The round in which `state` stands. `used`: of each player, how often it stole, protected, passed."""
        return cls(
            banks=np.array([player.bank for player in state.players], np.int64),
            left=USES - np.array(used, np.float64),
            alive=np.array([player.alive for player in state.players], bool),
            rounds=state.options.rounds - state.round + 1,
            options=state.options,
        )


@dataclass(frozen=True)
class Chosen:
    """Everybody's choices, each (games, players): the act, and a steal's target and amount."""

    act: Ints
    target: Ints
    amount: Ints

    def put(self, player: int, commits: Sequence[Commit]) -> Chosen:
        """With `player`'s choice in each game."""
        act, target, amount = self.act.copy(), self.target.copy(), self.amount.copy()
        act[:, player] = [ACTS.index(commit.action) for commit in commits]
        target[:, player] = [int(commit.target or player + 1) - 1 for commit in commits]
        amount[:, player] = [commit.amount or 0 for commit in commits]
        return Chosen(act, target, amount)


class Imagined:
    """Many copies of a table, in which everybody plays on by a style: (games, players, 6), see Style."""

    def __init__(self, table: Table, games: int, styles: Floats) -> None:
        self.options, self.rounds, self.styles = table.options, table.rounds, styles
        self.banks, self.left, self.alive = (
            _spread(table.banks, games),
            _spread(table.left, games),
            _spread(table.alive, games),
        )

    @classmethod
    def strangers(cls, table: Table, games: int, dice: np.random.Generator) -> Imagined:
        """Everybody has a style of their own: the likelier, the better it explains what the player has used so far."""
        drawn = [dice.choice(len(STYLES), games, p=likely) for likely in likely_styles(table.left)]
        return cls(table, games, np.array(STYLES)[np.array(drawn).T])

    def repeated(self, times: int) -> Imagined:
        """The same games and styles, all of them `times` times one after the other."""
        again = copy(self)
        again.banks, again.left, again.alive = (
            np.tile(self.banks, (times, 1)),
            np.tile(self.left, (times, 1, 1)),
            np.tile(self.alive, (times, 1)),
        )
        again.styles = np.tile(self.styles, (times, 1, 1))
        return again

    def choices(self, dice: np.random.Generator) -> Chosen:
        """What everybody chooses this round."""
        return imagine(self.banks, self.left, self.alive, self.options, self.styles, dice)

    def settle(self, chosen: Chosen) -> None:
        """The round is played."""
        self.banks, self.alive = settle_all(self.banks, self.alive, chosen, self.options)
        self.left = np.maximum(self.left - (chosen.act[..., None] == np.arange(3)), 0)
        self.rounds -= 1

    def shares(self, dice: np.random.Generator) -> Floats:
        """(games, players) everybody's share of the win once all rounds are played."""
        while self.rounds > 0:
            self.settle(self.choices(dice))
        held = np.where(self.alive, self.banks, -1)
        best = (held == held.max(axis=1, keepdims=True)) & self.alive
        winners = best.sum(axis=1, keepdims=True)
        if self.options.tie == "nobody":
            best &= winners == 1
        won: Floats = best / np.maximum(winners, 1)
        return won


def win_shares(table: Table, mine: int, choices: Sequence[Commit], games: int, dice: np.random.Generator) -> Floats:
    """(choices,) the share of the win player `mine` gets on average after each choice, over `games` imagined games.

    Every choice meets the same first round of the others, so that luck weighs on all alike.
    """
    one = Imagined.strangers(table, games, dice)
    one.styles[:, mine] = PATIENT
    first = one.choices(dice)
    every = one.repeated(len(choices))
    chosen = Chosen(*(np.tile(part, (len(choices), 1)) for part in (first.act, first.target, first.amount)))
    every.settle(chosen.put(mine, [choice for choice in choices for _ in range(games)]))
    shares: Floats = every.shares(dice)[:, mine].reshape(len(choices), games).mean(axis=1)
    return shares


def likely_styles(left: Floats) -> Floats:
    """(players, styles) how likely each player has each style, by the uses left of steal, protect and pass."""
    used = np.clip(np.rint(USES - left), 0, USES).astype(int)
    chances = PRIOR * np.array([[_uses(style)[tuple(each)] for style in STYLES] for each in used])
    likely: Floats = chances / chances.sum(axis=1, keepdims=True)
    return likely


@cache
def _uses(style: Style) -> dict[tuple[int, ...], float]:
    """How likely a style has used steal, protect and pass so often after as many rounds; never quite 0."""
    chances = {(0, 0, 0): 1.0}
    for steals, protects, passes in product(range(USES + 1), repeat=3):
        readiness = style.steal * (USES - steals), style.protect * (USES - protects), 1.0 * (USES - passes)
        for k, each in enumerate(readiness):
            if each:
                after = (steals + (k == 0), protects + (k == 1), passes + (k == 2))
                more = chances[steals, protects, passes] * each / sum(readiness)
                chances[after] = chances.get(after, 0.0) + more
    return {used: chance + 1e-6 for used, chance in chances.items()}


def imagine(
    banks: Ints, left: Floats, alive: Bools, options: GoesAroundOptions, styles: Floats, dice: np.random.Generator
) -> Chosen:
    """Choices for everybody, by their styles (games, players, 6)."""
    steal, protect, rich, to_bare, least, upmost = np.moveaxis(styles, 2, 0)
    players = banks.shape[1]
    money = np.where(alive, banks, 0)
    bare = 1 - left[..., PROTECT] / np.maximum(left.sum(axis=2), 1)
    weigh = np.log(np.maximum(money, 1e-9)), np.log(np.maximum(bare, 1e-3))  # of the targets
    drawn_to = np.exp(rich[..., None] * weigh[0][:, None] + to_bare[..., None] * weigh[1][:, None])
    drawn_to *= (money > 0)[:, None]
    drawn_to[:, np.arange(players), np.arange(players)] = 0
    upto = drawn_to.cumsum(axis=2)
    point = dice.random(banks.shape) * upto[..., -1]
    target = np.minimum((point[..., None] >= upto).sum(axis=2), players - 1)
    most = np.where(upto[..., -1] > 0, np.take_along_axis(banks, target, axis=1), 0)
    if options.stake_cap:
        most = np.minimum(most, banks)
    weight = left * np.stack([steal, protect, np.ones(banks.shape)], axis=2)
    weight[..., STEAL] *= most > 0
    weight[..., PASS] += weight.sum(axis=2) == 0  # nothing else is left: a void pass
    point = dice.random(banks.shape) * weight.sum(axis=2)
    act = (point >= weight[..., 0]).astype(np.int64) + (point >= weight[..., 0] + weight[..., 1])
    part = least + dice.random(banks.shape) * (upmost - least)
    amount = np.maximum(np.ceil(part * most), 1).astype(np.int64)
    return Chosen(act, target, np.minimum(amount, most))


def settle_all(banks: Ints, alive: Bools, chosen: Chosen, options: GoesAroundOptions) -> tuple[Ints, Bools]:
    """Banks and who is alive after one round of every game."""
    rows = np.arange(len(banks))[:, None]
    steals = alive & (chosen.act == STEAL)
    stake = np.where(steals, chosen.amount, 0)
    wanted = np.zeros_like(banks)
    np.add.at(wanted, (rows, chosen.target), stake)
    open_ = (wanted <= banks) & ~(alive & (chosen.act == PROTECT))
    paid = np.where(open_, wanted, 0)
    success = steals & open_[rows, chosen.target]
    gained, owed = np.where(success, stake, 0), np.where(success, 0, stake)
    cash = banks - paid + gained
    wiped = (paid > 0) & (paid == banks) & ((gained == 0) | options.strict_wipeout)
    emptied = (owed > 0) & (cash == owed) & options.zero_is_out
    stays = alive & (owed <= cash) & ~wiped & ~emptied
    return np.where(stays, cash - owed, 0), stays


def _spread(one: NDArray[Kind], games: int) -> NDArray[Kind]:
    return np.repeat(one[None], games, axis=0)
