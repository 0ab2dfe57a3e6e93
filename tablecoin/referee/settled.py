"""Which coins of the settled table are what beyond doubt, and who settled it: people, or a ruling.

It is what the table may learn its own coins from. The reader's own opinion settles nothing, with one exception: the
coins of a toss that was ruled on without a question, which the reader was sure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Face, Heap
from tablecoin.referee.desk import Desk, Expected
from tablecoin.referee.memory import BY_PEOPLE, Known, chance, settled
from tablecoin.referee.prompt import AboutCoin, Arrange, OnEdge, Paused, Question, Refused, Unfinished
from tablecoin.referee.toss import showing
from tablecoin.rules.game import Pile
from tablecoin.vision.frame import SeenCoin

By = Literal["ruling", "answer", "correction"]
_BEYOND_DOUBT = 20.0  # two coins of a zone that a layout names differently: so many times likelier this way round

# Prompts while table and state differ.
_AT_ODDS = AboutCoin | Question | Refused | Paused | OnEdge | Unfinished | Arrange


@dataclass(frozen=True)
class SettledCoin:
    """A coin of the newest sighting and what it is. `face` is None where only the denomination was settled."""

    seen: SeenCoin  # as the reader gave it
    kind: Denomination
    face: Face | None
    by: By


def settled_coins(desk: Desk) -> tuple[SettledCoin, ...]:
    """What is settled about the coins on the table now; () while it is not at rest.

    While table and state differ, only what people said of single coins is settled.
    """
    if not desk.settled:
        return ()
    coins = desk.read()
    corrected = {
        coin.place_mm: SettledCoin(coin, correction.denomination, correction.face, "correction")
        for coin in coins
        for correction in desk.memory.corrections
        if correction.denomination is not None and correction.is_about(coin)
    }
    agreed = desk.expected is Expected.FOLLOWING and not isinstance(desk.prompt, _AT_ODDS)
    known = [*_tossed(desk, coins), *(desk.memory.known if agreed else ())]
    found = {coin: one for coin in coins for one in reversed(known) if one.is_about(coin)}
    by_others = (
        SettledCoin(coin, one.denomination, one.face, "answer" if one.yields == BY_PEOPLE else "ruling")
        for coin, one in found.items()
        if coin.place_mm not in corrected and not any(_swapped(coin, one, *other) for other in found.items())
    )
    return (*corrected.values(), *by_others)


def _swapped(coin: SeenCoin, one: Known, other: SeenCoin, its: Known) -> bool:
    """Whether two coins of a zone may as well be the other way round: rules name what lies there, but not where."""
    names, its_names = (one.denomination, one.face), (its.denomination, its.face)
    if coin is other or coin.zone != other.zone or names == its_names:
        return False
    as_named = chance(coin, *names) * chance(other, *its_names)
    swapped = chance(coin, *its_names) * chance(other, *names)
    return as_named < _BEYOND_DOUBT * swapped


def _tossed(desk: Desk, coins: Sequence[SeenCoin]) -> tuple[Known, ...]:
    """The coins of the newest act, where that is a toss and all of them still lie there: those people named, or those
    the reader was sure of."""
    match = desk.match
    newest = match.plies[-1] if match and match.plies else None
    due = match.game.tosses_due(newest.before) if match and newest else {}
    if not match or not newest or not due or newest.by not in ("answer", "camera"):
        return ()
    lying = Counter(coin.zone for coin in coins)
    if desk.expected is Expected.RESTORING or any(lying[zone] != len(heap) for zone, heap in due.items()):
        return ()
    fallen = [[(zone, heap, heads) for heads in _parts(heap)] for zone, heap in due.items()]
    for result in product(*fallen):
        piles = {zone: Pile(heap, heads) for zone, heap, heads in result}
        shown = {zone: showing(pile.heap, pile.heads or EMPTY) for zone, pile in piles.items()}
        if match.game.toss_action(newest.before, shown) == newest.action:
            if newest.by == "answer":
                return settled(piles, coins, BY_PEOPLE)
            return settled(piles, [coin for coin in coins if coin.sure])
    return ()


def _parts(heap: Heap) -> Iterator[Heap]:
    """Every heap that `heap` holds: how many of its coins may show heads."""
    for counts in product(*(range(heap[kind] + 1) for kind in BY_VALUE)):
        yield Heap(**dict(zip(map(str, BY_VALUE), counts, strict=True)))
