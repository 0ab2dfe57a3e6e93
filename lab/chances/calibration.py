"""Are the chances calibrated: is what is called 70 % won seven times in ten?

Positions of one game are not independent, so whole games are resampled for the interval of the Brier score, and the
Wilson interval of a bin counts each game in it once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from lab.chances.closing import MIRRORED
from lab.chances.selfplay import played
from tablecoin.analysis.line import from_the_draw, line_of
from tablecoin.analysis.worth import Worth
from tablecoin.opponents import Level, value
from tablecoin.rules.game import TABLE

BINS = 10
Z95 = 1.96  # standard errors that hold 95 % of a normal distribution
RESAMPLED = 1000  # draws of whole games for the interval of the Brier score

Floats = NDArray[np.float64]


class Told(msgspec.Struct, frozen=True):
    """One game: the chances of the seats that count in each state, and their share of the win in the end.

    With two seats the first counts, because the other's chance mirrors it; with more each does, against the rest.
    """

    game: str
    number: int
    samples: int
    level: str
    chances: list[list[float]]
    shares: list[float]
    cpu_s: float


def told(name: str, samples: int, level: str, number: int) -> Told:
    """Game `number`, played, and valued after each toss, each reveal and each end of a turn."""
    line = from_the_draw(line_of(played(name, number, Level(level))))
    worth = Worth(line, value.load(name), samples, number)
    began_s = time.thread_time()
    settled = [move.after for move in line.moves if move.seat == TABLE or move.action.ends_turn]
    valued = [worth.of(state).chance for state in (line.start, *settled, line.last)]
    cpu_s = time.thread_time() - began_s
    seats = list(valued[-1])[: 1 if name in MIRRORED else None]
    chances = [[each[seat] for seat in seats] for each in valued if each != valued[-1]]
    return Told(name, number, samples, level, chances, [valued[-1][seat] for seat in seats], cpu_s)


@dataclass(frozen=True)
class Bin:
    """The positions whose chance lies in one tenth: mean chance, share won, Wilson interval of it."""

    positions: int
    games: int
    chance: float
    won: float
    low: float
    high: float


@dataclass(frozen=True)
class Calibration:
    """The Brier score with its 95 % interval, its parts (reliability − resolution + uncertainty), and the bins."""

    games: int
    positions: int
    brier: float
    low: float
    high: float
    reliability: float
    resolution: float
    uncertainty: float
    bins: tuple[Bin | None, ...]


def calibration(games: Sequence[Told]) -> Calibration:
    """The calibration over some games. ValueError without any."""
    chance, share, game = _positions(games)
    brier = float(((chance - share) ** 2).mean())
    low, high = _resampled(chance, share, game)
    place = np.minimum((chance * BINS).astype(int), BINS - 1)
    bins = tuple(_bin(chance[place == k], share[place == k], game[place == k]) for k in range(BINS))
    base, full = share.mean(), [one for one in bins if one]
    count = len(chance)
    return Calibration(
        games=len(games),
        positions=count,
        brier=brier,
        low=low,
        high=high,
        reliability=sum(one.positions * (one.chance - one.won) ** 2 for one in full) / count,
        resolution=sum(one.positions * (one.won - base) ** 2 for one in full) / count,
        uncertainty=float(((share - base) ** 2).mean()),
        bins=bins,
    )


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share of `count` trials (Wilson, 1927). ValueError for no trial."""
    if count < 1:
        raise ValueError("no trial has no interval")
    middle = (share + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def table(name: str, found: Calibration) -> str:
    """The bins as a Markdown table under a line with the Brier score."""
    lines = [
        f"**{name}**: {found.games} games, {found.positions} positions. Brier {found.brier:.4f} "
        f"[{found.low:.4f}, {found.high:.4f}] = reliability {found.reliability:.4f} − resolution "
        f"{found.resolution:.4f} + uncertainty {found.uncertainty:.4f}.",
        "",
        "| said | won | Wilson 95 % | positions | games |",
        "|---|---|---|---|---|",
    ]
    for one in found.bins:
        if one:
            interval = f"{100 * one.low:.0f}–{100 * one.high:.0f} %"
            lines.append(
                f"| {100 * one.chance:.1f} % | {100 * one.won:.1f} % | {interval} | {one.positions} | {one.games} |"
            )
    return "\n".join(lines)


def _positions(games: Sequence[Told]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """(chance said, share won, game) of every position of every seat."""
    if not games:
        raise ValueError("no game was played")
    rows = [
        (chance, share, place)
        for place, one in enumerate(games)
        for chances in one.chances
        for chance, share in zip(chances, one.shares, strict=True)
    ]
    chance, share, game = zip(*rows, strict=True)
    return np.array(chance), np.array(share), np.array(game)


def _bin(chance: Floats, share: Floats, game: NDArray[np.int64]) -> Bin | None:
    if not len(chance):
        return None
    games, won = len(np.unique(game)), float(share.mean())
    return Bin(len(chance), games, float(chance.mean()), won, *wilson(won, games))


def _resampled(chance: Floats, share: Floats, game: NDArray[np.int64]) -> tuple[float, float]:
    """The 95 % interval of the Brier score when whole games are drawn again with replacement."""
    count = int(game.max()) + 1
    squares, positions = np.zeros(count), np.zeros(count)
    np.add.at(squares, game, (chance - share) ** 2)
    np.add.at(positions, game, 1)
    drawn = np.random.default_rng(0).integers(count, size=(RESAMPLED, count))
    scores = squares[drawn].sum(axis=1) / positions[drawn].sum(axis=1)
    low, high = np.quantile(scores, [0.025, 0.975])
    return float(low), float(high)
