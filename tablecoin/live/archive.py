"""What everybody may read from the journal: the record, the evidence of a ruling, every game and every toss."""

from __future__ import annotations

import logging
import threading
import time
from typing import Literal

import msgspec

from tablecoin.journal.analyses import FOLDER, StoredAnalyses
from tablecoin.journal.ended import EndedGame, ended_game
from tablecoin.journal.evidence import Evidence, NoEvidence, Readings
from tablecoin.journal.evidence_folder import KeptClip
from tablecoin.journal.export import NoGame, record_of
from tablecoin.journal.fairness import Summary, summary
from tablecoin.journal.history import Games, History
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.players import PlayerRecord, players
from tablecoin.journal.record import write_record
from tablecoin.live.clips import Clips
from tablecoin.referee.events import Event, Rejected
from tablecoin.referee.snapshot import CoinSeen, Texts
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import Message, clause_of

log = logging.getLogger(__name__)

_AT_ONCE = 100  # events that are counted at a time: some 30 ms of a core
_IDLE_S = 1.0  # how often new events are looked for


class ClauseText(msgspec.Struct, frozen=True):
    """A clause of the rulebook with its text."""

    id: str
    number: str
    en: str
    zh: str


class Pictures(msgspec.Struct, frozen=True):
    """Where the JPEGs are. `before` is null for the first ruling."""

    before: str | None
    after: str | None


class Exhibited(msgspec.Struct, frozen=True):
    """What was kept with a ruling. `clause` is the rule that a refused act broke."""

    number: int
    accepted: bool
    clause: ClauseText | None
    said: Texts
    mat: str | None
    before: tuple[CoinSeen, ...] | None  # coins as in the snapshot; null for the first ruling
    after: tuple[CoinSeen, ...]
    pictures: Pictures
    clip: str | None  # where the clip of the seconds before it is (journal/clip.py); null where none was kept
    clip_checked: bool  # false: it comes from an older backup, in which damage does not show
    digest: str  # SHA-256 over words and pictures, as in the record


class Archive:
    """Reads a journal, from any thread."""

    def __init__(self, journal: Journal, clips: Clips | None = None) -> None:
        self._journal, self._clips = journal, clips
        self._history = History(journal)
        self._analyses = StoredAnalyses(journal.path.parent / FOLDER)

    def record(self) -> str:
        """The newest game's record, JSON lines. NoGame: there is none, or today's rules refuse it."""
        try:
            journal = self._journal
            verified = journal.newest_number() not in journal.unverified
            return "".join(write_record(record_of(journal.newest_game(), journal.digests(), verified)))
        except RulesError as error:
            raise NoGame(Message("record.departs", {"why": error.message})) from None

    def ended_game(self, number: int) -> EndedGame:
        """Game `number` of the journal, once it is over. Raises NoGame, JournalError."""
        return ended_game(self._journal, number)

    def evidence(self, number: int) -> Exhibited:
        """What was kept with ruling `number`. Raises NoEvidence."""
        event, kept = self._evidence(number)
        clause = clause_of(event.clause) if isinstance(event, Rejected) else None
        try:
            readings = msgspec.json.decode(kept.body, type=Readings)
        except (msgspec.DecodeError, RecursionError):
            raise NoEvidence(Message("evidence.version", {"number": number})) from None
        clip = self._clip(kept.digest)
        address, of = f"/api/evidence/{number}", f"?digest={kept.digest}"  # no other picture ever has this address
        return Exhibited(
            number=number,
            accepted=not isinstance(event, Rejected),
            clause=ClauseText(clause.id, clause.number, clause.text("en"), clause.text("zh")) if clause else None,
            said=readings.said,
            mat=readings.mat,
            before=readings.before,
            after=readings.after,
            pictures=Pictures(f"{address}/before.jpg{of}" if kept.before else None, f"{address}/after.jpg{of}"),
            clip=f"{address}/clip{of}" if clip else None,
            clip_checked=clip is None or clip.checked,
            digest=kept.digest,
        )

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        """The picture kept with ruling `number`, its coins marked. Raises NoEvidence when there is none."""
        _, kept = self._evidence(number)
        jpeg = kept.before if when == "before" else kept.after
        if jpeg is None:
            raise NoEvidence(Message("evidence.before", {"number": number}))
        return jpeg

    def clip(self, number: int) -> bytes:
        """The clip of ruling `number`, as journal/clip.py writes it. Raises NoEvidence when there is none."""
        digest = self._journal.digest(number)
        found = self._clip(digest) if digest else None
        if found is None:
            raise NoEvidence(Message("evidence.clip", {"number": number}))
        return found.clip

    def flips(self) -> Summary:
        """Every toss in the journal, and heads by player and coin, with a test of fairness."""
        self._history.count(_AT_ONCE)
        return summary(self._history.tossed())

    def games(self) -> Games:
        """Every game in the journal."""
        self._history.count(_AT_ONCE)
        return self._history.games()

    def players(self) -> tuple[PlayerRecord, ...]:
        """What the journal tells of each person."""
        return players(self.games(), self._analyses.newest())

    def count_history(self, stopping: threading.Event) -> None:
        """Count the journal's events until `stopping`, on a thread of its own, with a fifth of a core at most."""
        pause_s = 0.0
        while not stopping.wait(pause_s):
            began_s, left = time.thread_time(), 0
            try:
                left = self._history.count(_AT_ONCE)
            except JournalError as error:
                log.debug("the journal cannot be counted now: %s", error)  # the page says what is wrong with it
            pause_s = 4 * (time.thread_time() - began_s) if left else _IDLE_S

    def _clip(self, digest: str) -> KeptClip | None:
        """The clip of the ruling whose evidence has this digest. The last ruling has one even where it is not kept."""
        newest = self._clips.newest(digest) if self._clips else None
        return KeptClip(newest, b"", checked=True) if newest else self._journal.clip(digest)

    def _evidence(self, number: int) -> tuple[Event, Evidence]:
        found = self._journal.evidence(number)
        if found is None:
            raise NoEvidence(Message("evidence.none", {"number": number}))
        return found
