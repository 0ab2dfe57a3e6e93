"""Why something went wrong at a table: the coins in doubt, and what was said. The most frequent cause comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

import msgspec

from lab.reading.doubts import Doubt

SHOWN = 2  # coins of a cause that are written out


class Cause(msgspec.Struct, frozen=True):
    """One thing that went wrong, and the coins in doubt at that moment."""

    what: str  # of a game: wrong ruling, question, correction, laid anew; of a photo: its verdict
    coins: tuple[Doubt, ...]
    said: str

    @property
    def kind(self) -> str:
        """The misread coins, or else those not sure, without their probabilities: what `table` counts."""
        misread = [coin for coin in self.coins if coin.misread]
        words = sorted(coin.brief for coin in misread or self.coins) or ["every coin was read rightly and surely"]
        more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
        return "; ".join(words[:SHOWN]) + more


class Tried(Protocol):
    """What the table needs of a game or of the photos of a map."""

    @property
    def name(self) -> str: ...
    @property
    def causes(self) -> Iterable[Cause]: ...


def table(tried: Iterable[Tried]) -> str:
    """The causes as a Markdown table, the most frequent first, each with an example."""
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[str, Cause]] = {}
    for one in tried:
        for cause in one.causes:
            times[cause.what, cause.kind] += 1
            first.setdefault((cause.what, cause.kind), (one.name, cause))
    lines = ["| times | what | coins | for example | said |", "|--:|---|---|---|---|"]
    for key, number in times.most_common():
        name, cause = first[key]
        misread = [coin for coin in cause.coins if coin.misread] or cause.coins
        example = "; ".join(coin.full for coin in misread[:SHOWN]) or "–"
        lines.append(f"| {number} | {' | '.join(key)} | {name}: {example} | {cause.said} |")
    return "\n".join(lines)
