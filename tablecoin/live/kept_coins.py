"""The coins this table remembers: the file on the disk, the owner's consent, and what the page may ask.

The consent is asked once on the page and lies in a file of its own; `table.learn` of tablecoin.toml overrules it. Until
the owner has answered, coins are learned in memory only, for the game under way, and shown to nobody.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Literal

from tablecoin.journal.unwritten import why_and_do
from tablecoin.live.learning import GameLearner, Learner, Settling
from tablecoin.referee.events import Event
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.storage import durable
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.remembered_file import FILE, RememberedError, load, packed, save, unpacked

log = logging.getLogger(__name__)

Learn = Literal["ask", "off", "on"]
CONSENT = "learn.txt"  # holds "on" or "off"
_LONGEST_CONSENT = 64  # bytes
_SAVED_EVERY_S = 30.0  # what was learned is written this often; what was forgotten, at once


class KeptCoins:
    """Its methods may be called from any thread."""

    def __init__(self, folder: Path, wish: Learn, network: str) -> None:
        """`wish` is the owner's setting, `network` the SHA-256 of the network that reads."""
        self._folder, self._wish, self._network = folder, wish, network
        self._answer = _answered(folder / CONSENT)
        self._lock = Lock()
        self._use: Callable[[Remembered | None], object] = lambda remembered: None
        self._saved_s = float("-inf")
        self._unsaved = False
        self.trouble: Message | None = None  # why the file could not be read or written
        remembered = Remembered(network)
        try:
            remembered = load(folder / FILE, network)
        except RememberedError as error:
            self.trouble = Message("remembered.unused", {"why": error.message})
            log.warning("%s", sentence(self.trouble))
        identifier = cache(Identifier)  # loaded once, when the first coin is learned
        self._learner = Learner(remembered, identifier, self._changed)  # of the coins that are kept
        self._game = GameLearner(Remembered(network), identifier, lambda before, now: self._tell())

    @property
    def fixed(self) -> bool:
        """Whether tablecoin.toml says it, so that the page cannot change it."""
        return self._wish != "ask"

    @property
    def learn(self) -> Learn:
        """Whether this table learns its coins; `ask` until the owner has answered."""
        return self._answer if self._wish == "ask" else self._wish

    @property
    def remembered(self) -> Remembered:
        """The coins that are kept."""
        return self._learner.remembered

    @property
    def used(self) -> Remembered | None:
        """The remembered coins that help to read: until the owner has answered, those of the game under way; None
        while learning is off."""
        return learner.remembered if (learner := self._learning) else None

    def begin(self, use: Callable[[Remembered | None], object]) -> None:
        """Have `use` called with the remembered coins now and whenever they change; with None while learning is off."""
        self._use = use
        self._tell()

    # -- the referee's thread -----------------------------------------------------------------------------------------

    def restore(self, events: Sequence[Event], count: int) -> None:
        """Continue after the newest game's `events`; the journal holds `count` events of all games."""
        with self._lock:
            for learner in (self._learner, self._game):
                learner.restore(events, count)

    def recorded(self, events: Sequence[Event]) -> None:
        """These events were recorded."""
        with self._lock:
            for learner in (self._learner, self._game):
                learner.recorded(events)

    def heed(self, referee: Settling) -> None:
        """Learn from the table as it lies, unless learning is off."""
        with self._lock:
            if learner := self._learning:
                learner.heed(referee)
                self._save_when_due()

    # -- what people ask for ------------------------------------------------------------------------------------------

    def choose(self, learn: Literal["on", "off"]) -> None:
        """Keep the owner's answer. With `on`, what the game under way taught is kept too. Raises OSError."""
        with self._lock:
            durable.replace(self._folder / CONSENT, learn.encode("ascii"))
            unanswered = self.learn == "ask"
            self._answer = learn
            if unanswered and learn == "on":
                self._learner.take_over(self._game)
            self._game.forget()
            self._tell()

    def forget(self) -> None:
        """Forget every coin, on the disk too."""
        with self._lock:
            self._game.forget()
            self._learner.forget()
            self._save()

    def packed(self) -> bytes:
        """The file, to be carried to another table."""
        return packed(self.remembered)

    def take(self, data: bytes) -> int:
        """Remember the coins of a file carried here beside those known, and return how many it held.

        A picture that is known already, because the file came from here or twice, counts once: as another coin it would
        vote for itself. Raises RememberedError.
        """
        carried = unpacked(data, self._network)
        with self._lock:
            known = {coin.picture for coin in self.remembered.coins}
            new = {coin.picture: replace(coin, event=0) for coin in carried.coins if coin.picture not in known}
            self._learner.take(new.values())
            self._save()
        return len(carried)

    def close(self) -> None:
        """Write what was learned since it was last written."""
        with self._lock:
            if self._unsaved:
                self._save()

    # -- inside -------------------------------------------------------------------------------------------------------

    @property
    def _learning(self) -> Learner | None:
        """Who learns now, if anybody."""
        return {"on": self._learner, "ask": self._game, "off": None}[self.learn]

    def _changed(self, before: Remembered, now: Remembered) -> None:
        self._unsaved = True
        self._tell()
        if len(now) < len(before):
            self._save()

    def _tell(self) -> None:
        self._use(self.used)

    def _save_when_due(self) -> None:
        if self._unsaved and time.monotonic() - self._saved_s >= _SAVED_EVERY_S:
            self._save()

    def _save(self) -> None:
        try:
            save(self.remembered, self._folder / FILE)
        except OSError as error:
            self.trouble = Message("remembered.unwritten", why_and_do(error))
            log.warning("%s", sentence(self.trouble))
        else:
            self._unsaved, self.trouble = False, None
        self._saved_s = time.monotonic()


def _answered(path: Path) -> Learn:
    """The owner's answer; `ask` where there is none, or none that can be read."""
    try:
        said = durable.read(path, _LONGEST_CONSENT).decode("ascii").strip()
    except FileNotFoundError:
        return "ask"
    except (OSError, ValueError) as error:
        log.warning("%s cannot be read (%s): the owner is asked again", path, error)
        return "ask"
    return "on" if said == "on" else "off" if said == "off" else "ask"
