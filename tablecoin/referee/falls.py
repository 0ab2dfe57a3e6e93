"""Trays that are tossed into one after the other: each counts as its coins first fell (ruling G1).

*Coin Wars* has two. Without this, a player could look at the hero's coins and throw them again while the scene's coins
are still in the hand. Each tray that is read is an event, so that a restart gives nobody a second throw either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablecoin.coins import BY_VALUE, Face, Heap
from tablecoin.mat import Mat
from tablecoin.referee import doubt
from tablecoin.referee.belief import ZoneBelief
from tablecoin.referee.events import Acted, Event, Fallen, Fell, Nature, Started, TakenBack
from tablecoin.referee.explain import FITS
from tablecoin.referee.match import Match
from tablecoin.referee.toss import fallen_badly, untouched
from tablecoin.rules.game import Pile
from tablecoin.vision.frame import Disc, SeenCoin, whichever

Toss = tuple[int, tuple[tuple[str, Heap], ...]]  # how many acts of chance came before it, and what is due where


@dataclass(frozen=True)
class Fall:
    """The coins of one tray when they were first read for sure."""

    read: tuple[SeenCoin, ...]  # as the reader gave them
    known: tuple[SeenCoin, ...]  # the same with what people said of them while they lay there
    lies: bool = True  # whether they still lie so


@dataclass(frozen=True)
class Falls:
    """The trays of one toss that were read. Immutable."""

    toss: Toss | None = None
    trays: Mapping[str, Fall] = field(default_factory=dict)
    ruled: bool = False  # whether the toss was ruled on: taken back, its coins are tossed anew

    def of(self, match: Match) -> Falls:
        """These falls if they belong to the toss that is due in `match`; else none."""
        toss = _toss_due(match)
        return self if self.toss == toss else Falls(toss)

    def after(self, match: Match) -> Falls:
        """These falls once the state moved to that of `match`."""
        return self if self.of(match) is self else replace(self, ruled=True)

    def left(self, match: Match) -> dict[str, Heap]:
        """What is still to be tossed, by zone."""
        read = self.of(match).trays
        return {zone: heap for zone, heap in match.game.tosses_due(match.state).items() if zone not in read}

    def seeing(
        self, read: Sequence[SeenCoin], known: Sequence[SeenCoin], untossed: Sequence[SeenCoin], mat: Mat
    ) -> Falls:
        """With the trays that are now read for sure. `known` are the coins `read` with what people said of them."""
        if self.toss is None or len(self.toss[1]) < 2:  # one tray alone is ruled on as soon as it is read
            return self
        trays = dict(self.trays)
        for zone, heap in self.toss[1]:
            here = tuple(coin for coin in read if coin.zone == zone)
            said = tuple(coin for coin in known if coin.zone == zone)
            before = trays.get(zone)
            if before is None:
                if _is_read(zone, heap, said, untossed, mat, known):
                    trays[zone] = Fall(here, said)
            elif len(here) == len(before.read) == len(untouched(here, before.read)):
                trays[zone] = Fall(before.read, said)
            else:
                trays[zone] = replace(before, lies=False)
        return replace(self, trays=trays)

    def counted(self, coins: Sequence[SeenCoin]) -> tuple[SeenCoin, ...]:
        """`coins` with those of the trays that were read as they fell, whatever lies there now."""
        others = tuple(coin for coin in coins if coin.zone not in self.trays)
        return (*others, *(coin for fall in self.trays.values() for coin in fall.known))

    def news(self, before: Falls, group: int) -> list[Fell]:
        """The events that lead from the trays of `before`, of the same toss, to these."""
        trays = dict.fromkeys((*before.trays, *self.trays))
        told = {zone: (_fallen(before.trays.get(zone)), _fallen(self.trays.get(zone))) for zone in trays}
        return [Fell(group, zone, now) for zone, (then, now) in told.items() if now != then]

    def told(self, event: Fell) -> Falls:
        """With the tray of `event` as it counts since then."""
        trays = {zone: fall for zone, fall in self.trays.items() if zone != event.zone}
        if event.coins:
            seen = [
                SeenCoin(Disc(*c.disc_px), c.read, whichever(c.heads), True, c.place_mm, event.zone)
                for c in event.coins
            ]
            known = [_known(coin, one.nature) for coin, one in zip(seen, event.coins, strict=True)]
            trays[event.zone] = Fall(tuple(seen), tuple(known))
        return replace(self, trays=trays)

    @property
    def touched(self) -> tuple[str, ...]:
        """The trays whose coins were moved since they were read."""
        return tuple(zone for zone, fall in self.trays.items() if not fall.lies)


def recalled(events: Iterable[Event]) -> Falls:
    """The falls after `events`, those of one game: what is found again after a restart."""
    match, falls = None, Falls()
    for event in events:
        match = Match.begin(event) if isinstance(event, Started) else match and match.take(event)
        if match is None:
            continue
        match event:
            case Fell():
                falls = falls.of(match).told(event)
            case Acted():
                falls = falls.after(match)
            case TakenBack():
                falls = Falls() if falls.ruled else falls.after(match)
            case _:
                pass
    return falls


def _fallen(fall: Fall | None) -> tuple[Fallen, ...]:
    if fall is None:
        return ()
    return tuple(
        Fallen(
            Nature(known.denomination, known.face),
            read.place_mm,
            (read.disc.x_px, read.disc.y_px, read.disc.r_px),
            read.denominations,
            round(read.heads, 6),
        )
        for read, known in zip(fall.read, fall.known, strict=True)
        if read.place_mm  # all coins of a tray have one
    )


def _known(coin: SeenCoin, nature: Nature) -> SeenCoin:
    """`coin` as it counts."""
    penny, nickel, dime, quarter = (float(kind is nature.denomination) for kind in BY_VALUE)
    heads = whichever(float(nature.face is Face.HEADS))
    return replace(coin, denominations=(penny, nickel, dime, quarter), heads_if=heads)


def _toss_due(match: Match) -> Toss:
    return sum(map(match.is_chance, match.plies)), tuple(match.game.tosses_due(match.state).items())


def _is_read(
    zone: str,
    heap: Heap,
    here: Sequence[SeenCoin],
    untossed: Sequence[SeenCoin],
    mat: Mat,
    every: Sequence[SeenCoin],
) -> bool:
    """Whether exactly the coins due lie in this tray, newly tossed, flat and beyond doubt."""
    due = {zone: heap}
    return (
        len(here) == len(heap)
        and ZoneBelief(here).ratio(Pile(heap)) >= FITS
        and not untouched(here, untossed)
        and fallen_badly(every, due, mat, "alone") is None
        and not doubt.in_toss(due, here)
    )
