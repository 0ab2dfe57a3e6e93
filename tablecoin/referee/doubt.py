"""On which coin a ruling hangs: the one that the reader doubts and that tells two explanations apart.

People are asked about that coin alone, with one tap. A doubtful coin that changes nothing is never asked about. All of
it is pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablecoin.coins import BY_VALUE, Face, Heap
from tablecoin.referee.belief import TableBelief, face_doubted, weighed
from tablecoin.referee.events import Nature
from tablecoin.referee.explain import (
    DOUBTED,
    PRIOR_IMAGINED,
    Accepted,
    Ask,
    Refused,
    Unchanged,
    Unexplained,
    Unfinished,
    Verdict,
)
from tablecoin.referee.memory import chance, matched
from tablecoin.referee.toss import lacking
from tablecoin.rules.game import Layout, Pile
from tablecoin.vision.frame import SeenCoin

_WELL = 0.12  # probability from which a denomination is offered as an answer beside those that the ruling hangs on

Natures = dict[int, Nature]  # the number of a coin -> what it is


@dataclass(frozen=True)
class Doubt:
    """A coin to ask about, and what it may be: first as the likelier explanation has it."""

    coin: SeenCoin
    natures: tuple[Nature, ...]


def in_verdict(verdict: Verdict, newest: Layout, coins: Sequence[SeenCoin]) -> Doubt | None:
    """The coin on which the verdict on a table of these `coins` hangs; None where it hangs on none.

    `newest` is the layout of the newest state.
    """
    match verdict:
        case Unchanged(rivals):
            return _hangs(newest, [one.layout for one in rivals], coins)
        case Accepted(best, rivals) | Refused(best, rivals):
            return _hangs(best.layout, [one.layout for one in rivals], coins)
        case Unexplained(rivals):
            return _hangs(None, [one.layout for one in rivals], coins)
        case Ask(candidates):
            return _hangs_on_one([one.layout for one in candidates], coins)
        case Unfinished():
            return None


def in_arrangement(wanted: Layout, belief: TableBelief, coins: Sequence[SeenCoin], least: float) -> Doubt | None:
    """The coin to ask about where only doubtful coins keep the table from being `wanted`.

    `least`: how well the layout must fit once the doubts are left open, as TableBelief.ratio.
    """
    if not belief.doubtful or belief.indulgent().ratio(wanted) < least:
        return None
    return _hangs(None, [wanted], coins)


def in_wrong_toss(due: Mapping[str, Heap], belief: TableBelief, coins: Sequence[SeenCoin]) -> Doubt | None:
    """The coin to ask about where only doubtful coins make the toss one of other coins than those due."""
    if not belief.doubtful or lacking(due, belief.indulgent()):
        return None
    return _hangs(None, [{zone: Pile(heap) for zone, heap in due.items()}], coins)


def in_toss(due: Mapping[str, Heap], coins: Sequence[SeenCoin]) -> tuple[Doubt, ...]:
    """Every coin of a toss that may be another than it seems, and the two likeliest that it is.

    No rule helps here. A coin is taken for one of those due before it counts as another: people mostly toss the right
    coins, so other coins have the prior PRIOR_IMAGINED.
    """
    expected = matched({zone: Pile(heap) for zone, heap in due.items()}, coins)
    found = []
    for number, (kind, _) in expected.items():
        coin = weighed(coins[number])
        if coins[number].sure:
            continue
        weights = {Nature(kind, face): chance(coin, kind, face) for face in Face}
        weights |= {Nature(other): PRIOR_IMAGINED * chance(coin, other, None) for other in BY_VALUE if other != kind}
        first, second = sorted(weights, key=lambda nature: -weights[nature])[:2]
        if weights[second] >= DOUBTED * sum(weights.values()):
            if first.denomination != second.denomination and not face_doubted(coins[number], kind):
                first, second = Nature(first.denomination), Nature(second.denomination)
            found.append(Doubt(coins[number], (first, second)))
    return tuple(found)


def _hangs(best: Layout | None, rivals: Sequence[Layout], coins: Sequence[SeenCoin]) -> Doubt | None:
    """The coin that tells the first of `rivals` from `best`: of several, the most contested one.

    Without `best` the coins are what they read as. A rival that contradicts a coin the reader is sure of is left out.
    """
    for rival in rivals:
        first, second = _natures(best, coins), _natures(rival, coins)
        apart = _apart(first, second, coins)
        if apart and not any(coins[number].sure for number in apart):
            number = min(apart, key=lambda number: _contested(coins[number], first[number], second[number]))
            natures = [first[number], second[number]]
            if best is None:  # what it reads as leads to nothing, so that has the prior of a mistake
                natures.sort(key=lambda nature: -_weight(coins[number], nature, second[number]))
            return _doubt(coins[number], natures)
    return None


def _hangs_on_one(layouts: Sequence[Layout], coins: Sequence[SeenCoin]) -> Doubt | None:
    """The one coin that tells all the layouts apart; None where it takes several coins, or something else."""
    first, *others = [_natures(layout, coins) for layout in layouts]
    differences = [_apart(first, other, coins) for other in others]
    numbers = {number for apart in differences for number in apart}
    if len(numbers) != 1 or not all(differences):
        return None
    (number,) = numbers
    if coins[number].sure:
        return None
    return _doubt(coins[number], [first[number], *(other[number] for other in others)])


def _natures(layout: Layout | None, coins: Sequence[SeenCoin]) -> Natures:
    """What each coin is, by number, if the table shows `layout`; without one, what it reads as."""
    if layout is None:
        return {number: Nature(coin.denomination, coin.face) for number, coin in enumerate(coins)}
    known = matched(layout, coins)
    return {
        number: Nature(*known[number]) if number in known else Nature(None)
        for number, coin in enumerate(coins)
        if coin.zone in layout
    }


def _apart(one: Natures, other: Natures, coins: Sequence[SeenCoin]) -> list[int]:
    """The numbers of the coins that are not the same in both."""
    both = (number for number in range(len(coins)) if number in one and number in other)
    return [number for number in both if _differ(one[number], other[number])]


def _differ(one: Nature, other: Nature) -> bool:
    faces = {one.face, other.face} - {None}
    return one.denomination != other.denomination or len(faces) == 2


def _contested(coin: SeenCoin, one: Nature, other: Nature) -> float:
    """How far the likelier nature is ahead of the other."""
    seen = weighed(coin)
    low, high = sorted(chance(seen, nature.denomination, nature.face) for nature in (one, other))
    return high / max(low, 1e-9)


def _weight(coin: SeenCoin, nature: Nature, lawful: Nature) -> float:
    """How likely `nature` is; all but the `lawful` one have the prior of a mistake."""
    p = chance(weighed(coin), nature.denomination, nature.face)
    return p if nature == lawful else PRIOR_IMAGINED * p


def _doubt(coin: SeenCoin, natures: Sequence[Nature]) -> Doubt:
    """The question about `coin`. Faces are named only where they are what its natures differ in.

    Whatever else the coin may well be is offered too, so that a true answer is there.
    """
    different = tuple(dict.fromkeys(natures))
    kinds = {nature.denomination for nature in different}
    if len(kinds) == len(different):
        seen = weighed(coin)
        others = [kind for kind in (*BY_VALUE, None) if kind not in kinds and chance(seen, kind, None) >= _WELL]
        different = tuple(Nature(kind) for kind in (*(nature.denomination for nature in different), *others))
    return Doubt(coin, different)
