"""Why the referee ruled wrongly, asked, or had to be corrected: the coins it misread, and what it said.

Every cause stands in the log of `play`; `table` counts them, the most frequent first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import dist
from typing import Protocol

import msgspec

from lab.reading.purses import Purse
from tablecoin.referee.snapshot import CoinSeen
from tablecoin.virtual.table import VirtualCoin

NEAR_MM = 3.0  # a coin read at most this far from a coin's centre is that coin
COVERED_MM = 8.0  # a coin is covered by a later one whose centre is nearer than this
SHOWN = 2  # coins of a cause that are written out


class Doubtful(msgspec.Struct, frozen=True):
    """A coin that was misread, not sure or not seen."""

    i: int | None  # its number in the snapshot; None: not seen
    truth: str | None  # such as penny:heads; None: nothing lies there
    read: str | None  # None: no coin
    denomination_confidence: float  # probabilities of what was read, 0..1
    face_confidence: float
    sure: bool
    zone: str | None
    picture: str | None  # the cut-out's file, which names its photographer; None: drawn


class Cause(msgspec.Struct, frozen=True):
    """One thing that went wrong, and the coins in doubt at that moment."""

    what: str  # wrong ruling, question, correction, laid anew
    coins: tuple[Doubtful, ...]
    said: str  # what the referee asked or ruled

    @property
    def kind(self) -> str:
        """The misread coins, or else those not sure, without their probabilities: what `table` counts."""
        misread = [coin for coin in self.coins if coin.read != coin.truth]
        words = sorted(map(_brief, misread or self.coins)) or ["every coin was read rightly and surely"]
        more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
        return "; ".join(words[:SHOWN]) + more


def lying_at(lies: Sequence[VirtualCoin], place_mm: tuple[float, float] | None) -> VirtualCoin | None:
    """The topmost coin at this place."""
    near = (coin for coin in reversed(lies) if place_mm and dist((coin.x_mm, coin.y_mm), place_mm) < NEAR_MM)
    return next(near, None)


def doubtful(lies: Sequence[VirtualCoin], seen: Sequence[CoinSeen], purse: Purse) -> Iterator[Doubtful]:
    """The coins read wrongly or not surely, and those that lie in sight and were not seen."""
    shown = []
    for one in seen:
        coin = lying_at(lies, one.center_mm)
        shown.append(coin)
        truth, read = str(coin.coin) if coin else None, _read(one)
        if truth != read or not one.sure:
            sides = one.denomination_confidence, one.face_confidence
            yield Doubtful(one.i, truth, read, *sides, one.sure, one.zone, _picture(coin, purse))
    for k, coin in enumerate(lies):
        covered = any(dist((over.x_mm, over.y_mm), (coin.x_mm, coin.y_mm)) < COVERED_MM for over in lies[k + 1 :])
        if coin not in shown and not covered:
            yield Doubtful(None, str(coin.coin), None, 0.0, 0.0, False, None, _picture(coin, purse))


class Played(Protocol):
    """What the table needs of a game in the log."""

    @property
    def game(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def causes(self) -> Sequence[Cause]: ...


def table(games: Iterable[Played]) -> str:
    """The causes in some games as a Markdown table, the most frequent first, each with an example."""
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[str, Cause]] = {}
    for one in games:
        for cause in one.causes:
            times[cause.what, cause.kind] += 1
            first.setdefault((cause.what, cause.kind), (f"{one.game} {one.seed}", cause))
    lines = ["| times | what | coins | for example | the referee said |", "|--:|---|---|---|---|"]
    for key, number in times.most_common():
        where, cause = first[key]
        example = "; ".join(map(_full, cause.coins[:SHOWN])) or "–"
        lines.append(f"| {number} | {' | '.join(key)} | {where}: {example} | {cause.said} |")
    return "\n".join(lines)


def _read(seen: CoinSeen) -> str | None:
    return f"{seen.denomination}:{seen.face}" if seen.denomination else None


def _picture(coin: VirtualCoin | None, purse: Purse) -> str | None:
    side = purse.side(coin) if coin else None
    return side.picture.stem if side else None


def _brief(coin: Doubtful) -> str:
    """Such as `penny:heads read as penny:tails, not sure`."""
    sure = "sure" if coin.sure else "not sure"
    if coin.i is None:
        return f"{coin.truth} not seen"
    if coin.truth == coin.read:
        return f"{coin.truth} {sure}"
    return f"{coin.truth or 'nothing'} read as {coin.read or 'no coin'}, {sure}"


def _full(coin: Doubtful) -> str:
    """The same with probabilities, zone and picture."""
    said = f" ({coin.denomination_confidence:.2f}, {coin.face_confidence:.2f})" if coin.i is not None else ""
    return f"{_brief(coin)}{said} in {coin.zone or 'no zone'}" + (f", {coin.picture}" if coin.picture else "")
