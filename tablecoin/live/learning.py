"""The table learns its own coins while people play: what was settled about doubtful or new coins is remembered.

What people said counts at once, what a ruling settled only after STANDS further acts that nobody took back. An undo
forgets what rested on the act; a correction forgets what contradicts it. `kept_coins.py` says what is kept, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Protocol

import cv2
import numpy as np

from tablecoin.coins import Denomination, Face
from tablecoin.referee.events import Acted, Corrected, Event, Started, TakenBack
from tablecoin.referee.settled import SettledCoin
from tablecoin.vision.coins.crops import cut
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import FAMILIAR, Remembered, RememberedCoin
from tablecoin.vision.frame import Disc, Image, Reading

STANDS = 3  # a ruling that so many later acts stand on was seen by everybody, and nobody took it back
AT_ONCE = 6  # coins looked at after one sighting, doubtful ones first: about 50 ms of the referee's thread
SAME_PLACE_MM = 4.0  # a correction is about the coin learned within this distance of it
PICTURE_PX = 56  # side of the small picture shown to people
_QUALITY = 70  # of its JPEG, which then has about 1.5 kB

Place = tuple[float, float]
Named = tuple[Denomination, Face | None]


@dataclass(frozen=True)
class _Learned:
    """A coin learned in the game under way: where it lay, and how many acts stood then."""

    coin: RememberedCoin
    place_mm: Place
    acts: int


class Settling(Protocol):
    """What the learner asks of a Referee."""

    @property
    def sighted(self) -> Reading | None: ...

    @property
    def settled_coins(self) -> tuple[SettledCoin, ...]: ...


class Learner:
    """Used by one thread at a time. `changed` is called with what was remembered before and now, when that differs."""

    def __init__(
        self,
        remembered: Remembered,
        network: Callable[[], Identifier],
        changed: Callable[[Remembered, Remembered], object],
    ) -> None:
        """`network` loads the network that looks at coins; it is called when the first coin is learned."""
        self._remembered, self._network, self._changed = remembered, network, changed
        self._count = 0  # events of the journal
        self._standing: list[int] = []  # the numbers of the acts of this game that stand
        self._waiting: list[_Learned] = []  # settled by rulings on which too few acts stand yet
        self._places: list[tuple[RememberedCoin, Place]] = []  # where coins lay that were learned in this game
        self._heeded: dict[Place, Named] = {}  # the coins on the table that were looked at
        self._seen: tuple[int, int] | None = None  # the frame and the event after which all coins were looked at

    @cached_property
    def _identifier(self) -> Identifier:
        return self._network()

    @property
    def remembered(self) -> Remembered:
        return self._remembered

    def restore(self, events: Sequence[Event], count: int) -> None:
        """Continue after `events`, those of the newest game; the journal holds `count` events of all games."""
        others = self._remembered.only(lambda number, coin: coin.event <= count)  # the rest: of another journal
        self._change(others)
        self._count = count - len(events)
        for event in events:
            self._follow(event)

    def recorded(self, events: Iterable[Event]) -> None:
        """These events were recorded: forget what rested on an act that was taken back or a reading corrected."""
        for event in events:
            self._follow(event)

    def heed(self, referee: Settling) -> None:
        """Learn from what is settled about the coins on the table now."""
        reading = referee.sighted
        if reading is None or (reading.frame.number, self._count) == self._seen:
            return
        settled = {one.seen.place_mm: one for one in referee.settled_coins if one.seen.place_mm}
        fresh = [one for place, one in settled.items() if self._heeded_as(place) != (one.kind, one.face)]
        fresh.sort(key=lambda one: not _doubtful(one))
        self._look_at(reading.frame.image, fresh[:AT_ONCE])
        heeded = {place: name for place, name in self._heeded.items() if _lies(place, reading)}
        self._heeded = heeded | {
            one.seen.place_mm: (one.kind, one.face) for one in fresh[:AT_ONCE] if one.seen.place_mm
        }
        if len(fresh) <= AT_ONCE:
            self._seen = reading.frame.number, self._count
        self._admit()

    def take(self, coins: Iterable[RememberedCoin]) -> None:
        """Remember these coins, which somebody else learned, as well."""
        remembered = self._remembered
        for coin in coins:
            remembered = remembered.with_coin(coin)
        self._change(remembered)

    def take_over(self, other: Learner) -> None:
        """Go on from where `other` is in the game under way, and remember what it learned as well."""
        self._waiting, self._places = [*other._waiting], [*other._places]
        self._heeded, self._seen = other._heeded, other._seen
        self.take(other.remembered.coins)

    def forget(self) -> None:
        """Forget every coin."""
        self._waiting, self._places, self._heeded = [], [], {}
        self._change(self._remembered.only(lambda number, coin: False))

    def _heeded_as(self, place: Place) -> Named | None:
        """What the coin that lies here was settled as when it was looked at. It is not looked at again, so what an undo
        made the table forget is not learned anew from the same coin."""
        return next((name for other, name in self._heeded.items() if dist(place, other) < SAME_PLACE_MM), None)

    def _look_at(self, image: Image, settled: Sequence[SettledCoin]) -> None:
        """Remember those of `settled` that are doubtful or new, or let them wait until enough acts stand on them."""
        if not settled:
            return
        discs = [one.seen.disc for one in settled]
        seen = self._identifier.described(image, discs, [one.kind for one in settled])
        for k, one in enumerate(settled):
            features, logits = (np.asarray(part[:, k], np.float32) for part in (seen.fine, seen.logits))
            settled_as = one.kind, one.face, one.by, self._count
            coin = RememberedCoin(features, logits, *settled_as, _picture(image, one.seen.disc), float(seen.relief[k]))
            if one.seen.place_mm and (_doubtful(one) or not self._familiar(coin)):
                self._waiting.append(_Learned(coin, one.seen.place_mm, len(self._standing)))

    def _familiar(self, coin: RememberedCoin) -> bool:
        """Whether much the same is remembered already."""
        known = Remembered(
            self._remembered.network, (*self._remembered.coins, *(waiting.coin for waiting in self._waiting))
        ).only(lambda number, other: (other.kind, other.face) == (coin.kind, coin.face))
        return len(known) > 0 and float(known.likeness(coin.features).max()) >= FAMILIAR

    def _admit(self, stands: int = STANDS) -> None:
        """Remember what people said, and what `stands` later acts stand on."""
        ready = [one for one in self._waiting if one.coin.by_people or len(self._standing) >= one.acts + stands]
        self._waiting = [one for one in self._waiting if one not in ready]
        remembered = self._remembered
        for one in ready:
            remembered = remembered.with_coin(one.coin)
            self._places.append((one.coin, one.place_mm))
        self._change(remembered)

    def _follow(self, event: Event) -> None:
        self._count += 1
        match event:
            case Started():
                self._admit(stands=0)  # the last rulings of the game before stand
                self._standing, self._waiting, self._places, self._heeded = [], [], [], {}
            case Acted():
                self._standing.append(self._count)
            case TakenBack() if self._standing:
                self._forget_since(self._standing.pop())
            case Corrected(place_mm=place, denomination=kind, face=face):
                self._forget_at(place, kind, face)
            case _:
                pass

    def _forget_since(self, act: int) -> None:
        """Forget what rulings and answers settled since event `act`, which was taken back. Corrections stay."""
        self._drop(lambda coin: coin.event >= act and coin.source in ("ruling", "answer"))

    def _forget_at(self, place_mm: Place, kind: Denomination | None, face: Face | None) -> None:
        """Forget what was learned in this game of the coin at `place_mm` and is not what a person says now."""
        here = [coin for coin, place in self._places if dist(place, place_mm) < SAME_PLACE_MM]
        here += [one.coin for one in self._waiting if dist(one.place_mm, place_mm) < SAME_PLACE_MM]
        wrong = [coin for coin in here if kind is None or coin.contradicts(kind, face)]
        self._drop(lambda coin: any(coin is one for one in wrong))

    def _drop(self, unwanted: Callable[[RememberedCoin], bool]) -> None:
        self._waiting = [one for one in self._waiting if not unwanted(one.coin)]
        self._places = [(coin, place) for coin, place in self._places if not unwanted(coin)]
        self._change(self._remembered.only(lambda number, coin: not unwanted(coin)))

    def _change(self, remembered: Remembered) -> None:
        if remembered is not self._remembered:
            before, self._remembered = self._remembered, remembered
            self._changed(before, remembered)


class GameLearner(Learner):
    """A Learner that forgets every coin when a new game starts."""

    def _follow(self, event: Event) -> None:
        if isinstance(event, Started):
            self.forget()
        super()._follow(event)


def _lies(place_mm: Place, reading: Reading) -> bool:
    """Whether a coin lies at this place."""
    return any(coin.place_mm and dist(coin.place_mm, place_mm) < SAME_PLACE_MM for coin in reading.coins)


def _doubtful(one: SettledCoin) -> bool:
    """Whether the reader was not sure of the coin, or wrong."""
    wrong = one.seen.denomination is not one.kind or (one.face is not None and one.seen.face is not one.face)
    return wrong or not one.seen.sure


def _picture(image: Image, disc: Disc) -> bytes:
    """A small JPEG of the coin."""
    (crop,) = cut(image, [disc], PICTURE_PX)
    return cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
