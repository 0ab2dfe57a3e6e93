"""Clips: the last seconds before a ruling are filmed, and kept where people may want to look again.

The film is made and written on a thread of its own, from frames that the eye has read. It films only while something
moves, so a table at rest costs nothing; and neither the eye nor a ruling waits for a picture or for the disk.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from tablecoin.journal.clip import clip_of
from tablecoin.journal.journal import Journal
from tablecoin.journal.unwritten import unwritten
from tablecoin.referee.events import Acted, Corrected, Event, Rejected, Started, TakenBack
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.settle import Look
from tablecoin.vision.shown.film import Film, Still

log = logging.getLogger(__name__)

TOSSES = frozenset({"flip"})  # acts, by their `do`
STEALS = frozenset({"break", "keep", "swap", "capture", "reveal"})  # acts that take coins from another player
_LEAST_GAP_S = 0.115  # between two stills: eight a second
_WAITING = 2  # frames that wait to be filmed at most; while the disk is slow the older ones are left out
_PEOPLE = frozenset({"phone", "button"})  # who disputes a ruling by taking it back
_WAKE_S = 0.5  # the thread looks this often whether to end, and tries again to keep a clip


class Shown(NamedTuple):
    """What a ruling rests on."""

    digest: str  # of its evidence
    taken_s: float  # when the picture was taken


class _Ruled(NamedTuple):
    events: tuple[Event, ...]
    shown: Shown | None


class _Cut(NamedTuple):
    shown: Shown
    stills: tuple[Still, ...]

    @property
    def clip(self) -> bytes:
        return clip_of(self.stills, self.shown.taken_s)


class Clips:
    """The eye's thread calls `see`, the referee's `ruled`, a thread of its own `run`, any thread the rest."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._film = Film()
        self._frames: deque[Frame] = deque(maxlen=_WAITING)
        self._rulings: deque[_Ruled] = deque()
        self._work = threading.Event()
        self._filmed_s = -_LEAST_GAP_S
        self._newest: _Cut | None = None  # of the last ruling; None where it has no pictures
        self._kept: str | None = None  # the digest of the last clip that was kept
        self._unkept: tuple[_Cut, Message] | None = None  # the last clip, where it could not be kept, and why

    @property
    def said(self) -> Message | None:
        """Why the last clip could not be kept; None where it was."""
        return self._unkept[1] if self._unkept else None

    def see(self, frame: Frame, look: Look) -> None:
        """Film the frame if something moves in it, and the one that may be ruled on. Returns at once."""
        if look.sighting:
            self._frames.append(look.sighting.reading.frame)
        elif look.moving and not 0 <= frame.taken_s - self._filmed_s < _LEAST_GAP_S:
            self._filmed_s = frame.taken_s
            self._frames.append(frame)
        else:
            return
        self._work.set()

    def ruled(self, events: Sequence[Event], shown: Shown | None) -> None:
        """These events were recorded. `shown`: what they rest on; None: no pictures were kept. Returns at once."""
        self._rulings.append(_Ruled(tuple(events), shown))
        self._work.set()

    def newest(self, digest: str) -> bytes | None:
        """The clip of the last ruling, if its evidence has this digest; it may not have been kept."""
        cut = self._newest
        return cut.clip if cut and cut.stills and cut.shown.digest == digest else None

    def run(self, stopping: threading.Event) -> None:
        """Film and keep until `stopping` is set, and what waits then. No fault ends this thread."""
        while not stopping.is_set():
            woken = self._work.wait(_WAKE_S)
            self._work.clear()
            try:
                self.catch_up()
                if self._unkept and not woken:
                    self._keep(self._unkept[0])
            except Exception:  # a game goes on without clips
                log.exception("a clip could not be made")

    def catch_up(self) -> None:
        """Film every frame that waits, then cut: a frame is posted before anything is ruled on it."""
        while self._frames:
            self._film.add(self._frames.popleft())
        while self._rulings:
            self._consider(*self._rulings.popleft())

    def _consider(self, events: tuple[Event, ...], shown: Shown | None) -> None:
        if any(map(_disputes, events)):
            self._keep(self._newest)
        if shown:
            self._newest = _Cut(shown, self._film.cut(shown.taken_s))
        elif any(isinstance(event, Acted | Rejected | Started) for event in events):
            self._newest = None
        if any(map(_deserves, events)):
            self._keep(self._newest)

    def _keep(self, cut: _Cut | None) -> None:
        """Keep the clip of a ruling, unless it is kept already."""
        if cut is None or not cut.stills or cut.shown.digest == self._kept:
            return
        try:
            self._journal.keep_clip(cut.shown.digest, cut.clip)
        except OSError as error:
            if not self._unkept:
                log.warning("the clip of a ruling cannot be kept: %s", error)
            self._unkept = cut, unwritten("live.clip_unkept", error, self._journal.path.parent)
        else:
            self._unkept, self._kept = None, cut.shown.digest


def _deserves(event: Event) -> bool:
    """Whether people may want to see again what led to this: tosses, steals and refusals."""
    if isinstance(event, Acted):
        return event.action.get("do") in TOSSES | STEALS
    return isinstance(event, Rejected)


def _disputes(event: Event) -> bool:
    """Whether people contradict the ruling before: they take it back, or correct a coin without being asked."""
    if isinstance(event, TakenBack):
        return event.by in _PEOPLE
    return isinstance(event, Corrected) and not event.asked
