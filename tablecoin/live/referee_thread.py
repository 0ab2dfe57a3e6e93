"""The referee's thread: it takes what waits in the inbox, writes rulings down and puts the snapshot on the board."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.journal.evidence import evidence_of
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.live.board import Board
from tablecoin.live.clips import Clips, Shown
from tablecoin.live.eye import Astray, Away, Eye
from tablecoin.live.forecast import Forecast, Thought
from tablecoin.live.hands import Hands
from tablecoin.live.inbox import Asked, Inbox, Item
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.referee.clock import AnswerClock, ChessClock, ChoiceClock
from tablecoin.referee.commands import CommandError
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.showing import health
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.rest.settle import Look

log = logging.getLogger(__name__)

_LOW_BYTES = 200_000_000  # of free disk: some thousand pictures; people should know before they are lost
_MIND_S = 1.0  # between two looks at the journal's files
_UNMENDED_S = 10.0  # the same where they could not be mended
_SILENT_S = 3.0  # without a frame, after which people are told, whatever the camera's driver does meanwhile
_TICK_S = 0.5  # the time limit of a choice is looked at this often, even when nothing comes in


@dataclass(frozen=True)
class Watchers:
    """Who is told what happens. Each is called on the referee's thread."""

    on_snapshot: Callable[[Snapshot], None] = lambda snapshot: None  # a new snapshot
    on_progress: Callable[[], None] = lambda: None  # a frame went through
    on_camera_away: Callable[[str], None] = lambda why: None  # no frame came, and why
    panel_fault: Callable[[], Message | None] = lambda: None  # asked: what is wrong with the buttons


NOBODY = Watchers()


class RefereeThread:
    """One referee and its work. Call `restore` once, then `run` on a thread of its own."""

    def __init__(
        self,
        inbox: Inbox,
        eye: Eye,
        journal: Journal,
        board: Board,
        watchers: Watchers,
        virtual: VirtualTable | None,
        kept: KeptCoins | None,
        clips: Clips | None,
        forecast: Forecast,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept, self._clips, self._forecast = kept, clips, forecast
        self._inbox, self._eye, self._journal, self._board = inbox, eye, journal, board
        self._virtual, self._watchers, self._clock = virtual, watchers, clock
        self._hands = Hands(virtual) if virtual else None
        self._referee = Referee(self._store)
        self._chess = ChessClock(self._referee)
        self._clocks = ChoiceClock(self._referee), AnswerClock(self._referee)
        self._reply: Callable[[], None] | None = None  # to who asked, once the snapshot shows what came of it
        self._mind_at = 0.0  # when the journal's files are looked at next
        self._low: Message | None = None  # the disk is nearly full
        self._over = False  # the game was over then
        self.sightings = 0  # how often the table was seen at rest
        self._trouble: Message | None = None  # why the journal cannot be written; None where it can
        self._untaken: Message | None = None  # why the newest game was not taken up, until something is written
        self._working, self._works = threading.RLock(), False  # whether `work_off` is under way

    def restore(self) -> None:
        """Take up the newest game of the journal and publish it. Raises JournalError when it cannot even be counted.

        A game that today's rules do not play, or that cannot be read, stays as it is in the journal, and people are
        told.
        """
        try:
            events = [event for _, event in self._journal.newest_game()]
            self._referee.restore(events, self._journal.count(), lambda number: bool(self._journal.evidence(number)))
            if self._kept:
                self._kept.restore(events, self._journal.count())
        except (RulesError, JournalError) as error:
            self._untaken = Message("live.not_taken_up", {"error": error.message})
            log.warning("%s", sentence(self._untaken))
            self._referee.restore([], self._journal.count())
        self._lay_mat()
        self._publish()

    def run(self, stopping: threading.Event) -> None:
        """Rule on what comes in until `stopping` is set. No fault ends this thread."""
        while not stopping.is_set():
            item = self._inbox.next(_TICK_S)
            self._handle(item, self._chess.mind, partial(self._rule, item), self._mind_journal, self._mind_eye)

    def work_off(self) -> None:
        """Rule on everything that waits, on the calling thread. For a referee that does not `run`."""
        with self._working:
            if self._works:  # this thread is ruling, and takes what it leaves there next
                return
            self._works = True
            try:
                while item := self._inbox.next(0):
                    self._handle(item, self._chess.mind, partial(self._rule, item), self._mind_journal)
            finally:
                self._works = False

    def _handle(self, item: Item | None, *work: Callable[[], None]) -> None:
        """Do all of `work` for this item, then show, tell and learn what came of it. Raises nothing."""
        for each in work:
            try:
                each()
            except JournalError as error:
                if error.message != self._trouble:  # the same is tried again every second
                    log.error("%s", error)
                self._trouble = error.message
            except Exception:  # the state is as it was before
                log.exception("the referee could not handle %s", type(item).__name__)
        try:
            self._publish()
        except Exception:  # a broken lamp or page must not end the game either
            log.exception("the snapshot could not be shown")
        if self._reply:
            self._reply()
            self._reply = None
        self._learn()
        self._lend_hands()

    def _rule(self, item: Item | None) -> None:
        """Take what came in, and do what is due by now."""
        if item is not None:
            self._take(item)
        for clock in self._clocks:
            clock.mind()

    def _lend_hands(self) -> None:
        """Let the computer's hands set the virtual table, where they do that."""
        if self._hands:
            try:
                shown, match = self._board.newest
                self._hands.heed(shown.prompt.kind, match)
            except Exception:  # people can set it themselves
                log.exception("the computer's hands could not set the table")

    def _learn(self) -> None:
        """Let the table learn its own coins, after everybody has seen the ruling."""
        if self._kept:
            try:
                self._kept.heed(self._referee)
            except Exception:  # a game goes on without learning
                log.exception("nothing could be learned from the table")

    def _take(self, item: Item) -> None:
        match item:
            case Look():
                self._referee.see(item)
                self.sightings += item.sighting is not None
                self._watchers.on_progress()
            case Astray(why):
                self._referee.lose_camera(why)
                self._watchers.on_progress()
            case Away(why):
                self._referee.lose_camera(why)
                self._watchers.on_camera_away(sentence(why))
            case Thought():
                self._forecast.take(item)
            case Asked() if item.reply.set_running_or_notify_cancel():
                looks = self._referee.looks
                try:
                    answer = self._referee.command(item.command, item.seat)
                except Exception as error:
                    self._reply = partial(item.reply.set_exception, error)
                    if not isinstance(error, CommandError):
                        raise
                else:
                    if self._referee.looks != looks:
                        self._eye.look_again()
                    self._lay_mat()
                    self._reply = partial(item.reply.set_result, answer)

    def _store(self, events: Sequence[Event]) -> bool:
        """Write the events into the journal, with the pictures the ruling rests on; whether those were kept.

        Raises JournalError.
        """
        exhibit = self._referee.exhibit
        evidence = evidence_of(exhibit) if exhibit else None
        whole = self._journal.append(events, evidence)
        self._untaken = None
        self._recover()
        if self._clips:
            kept = Shown(evidence.digest, exhibit.after.frame.taken_s) if whole and exhibit and evidence else None
            self._clips.ruled(events, kept)
        if self._kept:
            self._kept.recorded(events)
        return whole

    def _mind_eye(self) -> None:
        """Notice that no frame comes though the eye said nothing: it waits for a driver that hangs, or works long."""
        if self._eye.age_s >= _SILENT_S and not self._referee.is_blind:
            self._referee.lose_camera(Message("camera.silent", {"seconds": f"{_SILENT_S:g}"}))

    def _mind_journal(self) -> None:
        """Notice now and then what others did to the journal's files; put a finished game into the main file."""
        now = self._clock()
        if now < self._mind_at:
            return
        self._mind_at = now + _MIND_S
        if self._trouble:
            self._journal.try_disk()
            self._mind_at = now + _UNMENDED_S  # mending may fail again, and costs time
        opened = self._journal.mend()
        self._mind_at = now + _MIND_S
        if opened:
            self.restore()
        if self._trouble:
            self._journal.try_write()
            self._recover()
        folder = self._journal.path.parent
        low = folder.exists() and shutil.disk_usage(folder).free < _LOW_BYTES
        self._low = Message("live.disk_low") if low else None
        over = self._referee.snapshot().prompt.kind == "over"
        if over and not self._over:
            self._journal.checkpoint()
        self._over = over

    def _recover(self) -> None:
        """The journal can be written. If it could not, look again: what lies on the table was not ruled on."""
        if self._trouble:
            self._trouble = None
            self._eye.look_again()

    def _lay_mat(self) -> None:
        """Change the virtual table to the mat of the game."""
        if self._virtual and self._referee.match:
            self._virtual.lay(mats.load(self._referee.match.mat))

    def _publish(self) -> None:
        """Put the snapshot on the board, with the equipment's health filled in."""
        unfilmed = self._clips.said if self._clips else None
        equipment = self._eye.camera_warning, self._eye.warning, unfilmed, self._watchers.panel_fault()
        kept = self._trouble, self._untaken, self._low, *self._journal.said
        warnings = (*self._referee.warnings, *equipment, *kept)
        told = health((said for said in warnings if said), self._eye.name, round(self._eye.fps))
        shown, match = self._referee.snapshot(), self._referee.match
        odds = self._forecast.odds(match, shown.ruling.seq if shown.ruling else 0)
        self._board.show(replace(shown, health=told, odds=odds), match, self._referee.questioned)
