"""Does the sum close? Every self-played game is analysed: result − start = luck − lost + others + rest.

Exact values leave no rest. Sampled ones leave what their errors explain: the gap over its standard error should have a
mean of 0 and a spread of at most 1. With two seats the others' part is the other seat's, so the gap of the first seat,
result − start − luck + lost − the other's lost, is its own rest less the other's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from lab.chances.selfplay import played
from tablecoin.analysis.analysis import judge
from tablecoin.analysis.line import from_the_draw, line_of
from tablecoin.analysis.worth import Worth
from tablecoin.opponents import Level, value

MIRRORED = ("steal", "exact", "coin-age")  # two seats, and what one gains the other loses


class Closed(msgspec.Struct, frozen=True):
    """One analysed game. Lists have one entry a seat; `states` were valued in `cpu_s` seconds."""

    game: str
    number: int
    samples: int
    level: str
    exact: bool
    rest: list[float]
    error: list[float]
    luck: list[float]
    lost: list[float]
    adjusted: list[float]
    end: list[float]
    moves: int
    states: int
    cpu_s: float

    @property
    def gap(self) -> float:
        """What the first seat's identity leaves open."""
        return self.rest[0] - self.rest[1] if self.game in MIRRORED else self.rest[0]


def analysed(name: str, samples: int, level: str, number: int) -> Closed:
    """Game `number`, played and analysed."""
    line = from_the_draw(line_of(played(name, number, Level(level))))
    worth = Worth(line, value.load(name), samples, number)
    began_s = time.thread_time()
    found = judge(line, worth, number)
    cpu_s = time.thread_time() - began_s
    players = list(found.players.values())
    return Closed(
        name, number, samples, level, found.exact,
        [one.rest for one in players], [one.error for one in players], [one.luck for one in players],
        [one.lost for one in players], [one.adjusted for one in players], list(found.end.values()),
        len(line.moves), len(worth), cpu_s,
    )  # fmt: skip


def table(games: Sequence[Closed]) -> str:
    """A Markdown table, a row a game, level and number of samples."""
    groups: dict[tuple[str, str, int], list[Closed]] = {}
    for one in games:
        groups.setdefault((one.game, one.level, 0 if one.exact else one.samples), []).append(one)
    columns = (
        "game", "players", "samples", "games", "largest gap", "gap / error: mean, spread", "within 3 errors",
        "luck: mean ± error", "result: spread", "without luck: spread", "ms a state",
    )  # fmt: skip
    head = f"| {' | '.join(columns)} |"
    return "\n".join([head, "|---" * len(columns) + "|", *_rows(groups)])


def _rows(groups: dict[tuple[str, str, int], list[Closed]]) -> Iterator[str]:
    for (name, level, samples), games in groups.items():
        rest = np.array([one.gap for one in games])
        error = np.array([one.error[0] for one in games])
        luck = np.array([one.luck[0] for one in games])
        ends, adjusted = np.array([one.end[0] for one in games]), np.array([one.adjusted[0] for one in games])
        ratio = rest[error > 0] / error[error > 0]
        told = f"{ratio.mean():+.2f}, {ratio.std():.2f}" if len(ratio) else "–"
        within = int((np.abs(rest) <= np.maximum(3 * error, 1e-9)).sum())
        per_state_ms = 1000 * sum(one.cpu_s for one in games) / max(1, sum(one.states for one in games))
        yield (
            f"| {name} | {level} | {samples or 'exact'} | {len(games)} | {np.abs(rest).max():.2g} | {told} "
            f"| {within} of {len(games)} | {luck.mean():+.3f} ± {luck.std() / np.sqrt(len(games)):.3f} "
            f"| {ends.std():.3f} | {adjusted.std():.3f} | {per_state_ms:.2f} |"
        )
