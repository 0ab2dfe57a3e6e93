"""The running table, as everybody meets it: the referee's thread, and what pages, panel and wizard may ask."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from functools import partial
from queue import Empty, Queue
from typing import Literal

import msgspec
from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.journal.evidence import evidence_of
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.tosses import Summary
from tablecoin.live.archive import Archive, Exhibited
from tablecoin.live.board import Board
from tablecoin.live.eye import Astray, Away, Errand, Eye, T
from tablecoin.photos.score import Score, ScoreError, score
from tablecoin.referee.clock import ChoiceClock
from tablecoin.referee.commands import Command, CommandError, Seat, read_command
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import ActionJson, Health, Snapshot, Texts
from tablecoin.referee.voice import texts
from tablecoin.rules.game import Action, RulesError
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError, VirtualTable
from tablecoin.vision.cameras.camera import Camera, CameraError
from tablecoin.vision.cameras.picture import decode_picture
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.settle import Look

log = logging.getLogger(__name__)

_COMMAND_TIMEOUT_S = 5.0
_TICK_S = 0.5  # the clock of a choice is looked at this often, also when nothing comes in
_MOST_ACTS = 200


@dataclass(frozen=True)
class _Asked:
    """A command waiting for the referee."""

    command: Command
    seat: Seat | None
    reply: Future[tuple[bool, str | None]]


class LegalAct(msgspec.Struct, frozen=True):
    """An act that a seat may do now by hand. `text` is English, `texts` every language."""

    action: ActionJson
    seat: Seat
    text: str
    texts: Texts


class LiveTable:
    """A running table. `start`, use from any thread, `stop`."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        journal: Journal,
        *,
        still_s: float = 0.6,
        virtual: VirtualTable | None = None,
        on_snapshot: Callable[[Snapshot], None] = lambda snapshot: None,
        on_progress: Callable[[], None] = lambda: None,
        on_camera_away: Callable[[str], None] = lambda why: None,
        panel_fault: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`on_snapshot` is called on the referee thread for each new snapshot, `on_progress` when frames go
        through, `on_camera_away` with the reason for each wait in vain for one; `panel_fault` says what is wrong with
        the buttons, if anything is."""
        self.stopping = threading.Event()
        self.virtual = virtual
        self._inbox: Queue[Look | _Asked | Astray | Away] = Queue()
        self._eye = Eye(camera, reader, still_s, self._inbox.put)
        self._journal, self._archive, self._board = journal, Archive(journal), Board(journal, on_snapshot)
        self._referee = Referee(self._store)
        self._choice_clock = ChoiceClock(self._referee)
        self._on_progress, self._on_camera_away = on_progress, on_camera_away
        self._panel_fault = panel_fault
        self._reply: Callable[[], None] = _nothing  # to who asked, once the page shows what came of it
        self._trouble: str | None = None  # the journal's, until something is written again
        self._threads = [
            threading.Thread(target=self._eye.watch, args=[self.stopping], name="eye", daemon=True),
            threading.Thread(target=self._rule, name="referee", daemon=True),
        ]

    def start(self) -> None:
        """Take up the newest game of the journal and begin to look. Raises JournalError where that cannot be read.

        A game that today's rules do not play on, of an older version, is left as it stands, and people are told.
        """
        try:
            self._referee.restore([event for _, event in self._journal.newest_game()], self._journal.count())
        except (RulesError, JournalError) as error:
            self._trouble = f"the game under way cannot be taken up ({error}); begin a new one"
            log.warning("%s", self._trouble)
            self._referee.restore([], self._journal.count())
        self._lay_mat()
        self._publish()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both threads and let the camera go. What was ruled is in the journal already."""
        self.stopping.set()
        self._eye.pictures.wake()
        self._board.wake()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=3)
        self._eye.close()
        self._journal.close()

    # -- what stands --------------------------------------------------------------------------------------------------

    def snapshot(self, seat: Seat | None = None) -> Snapshot:
        """The newest snapshot and how old its picture is. Only after `start`.

        `seat`: the game as that seat may see it, its own sealed choice included; None: as everybody may see it.
        """
        shown, match = self._board.newest
        game = match.game.public(match.state, seat) if match and seat is not None else shown.game
        return replace(shown, game=game, age_s=round(self._eye.age_s, 2))

    def wait(self, after_seq: int, timeout_s: float, seat: Seat | None = None) -> Snapshot | None:
        """The newest snapshot once its `seq` is above `after_seq`; None after `timeout_s` or when stopping."""
        return self.snapshot(seat) if self._board.wait(after_seq, timeout_s, self.stopping) else None

    def acts(self, seat: Seat | None) -> list[LegalAct]:
        """What `seat` (None: anybody at the table) may do now by hand.

        Tosses are left out: chance is nobody's choice. So are sealed acts, which have a form of their own.
        """
        _, match = self._board.newest
        if match is None:
            return []
        game, state, found = match.game, match.state, list[LegalAct]()
        for action in game.legal_actions(state):
            actor = game.actor(state, action)
            if game.seals(action) or _is_toss(action) or seat not in (None, actor):
                continue
            told = texts(game.offer(state, action))
            found.append(LegalAct(game.write_action(action), actor, told["en"], told))
            if len(found) == _MOST_ACTS:
                break
        return found

    def frame_jpeg(self, after: int, view: str, timeout_s: float) -> tuple[int, bytes] | None:
        return self._eye.pictures.jpeg(after, view, timeout_s)

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame once its number is above `after`; None after `timeout_s`."""
        return self._eye.pictures.frame(after, timeout_s)

    # -- what was -----------------------------------------------------------------------------------------------------

    def record(self) -> str:
        return self._archive.record()

    def evidence(self, number: int) -> Exhibited:
        return self._archive.evidence(number)

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        return self._archive.evidence_jpeg(number, when)

    def flips(self) -> Summary:
        return self._archive.flips()

    # -- what people ask ----------------------------------------------------------------------------------------------

    def command(self, command: Mapping[str, object], seat: Seat | None) -> tuple[bool, str | None]:
        """Do what a person asks, e.g. {"press": "heads.done"}. Raises CommandError, NotYourSeat, JournalError."""
        ((kind, body),) = command.items()
        asked = _Asked(read_command(kind, body), seat, Future())
        self._inbox.put(asked)
        try:
            return asked.reply.result(_COMMAND_TIMEOUT_S)
        except FutureTimeout:
            if asked.reply.cancel():  # not begun, and so it never will be
                raise CommandError("the referee did not answer in time; try again") from None
            if asked.reply.done():
                return asked.reply.result()
            raise CommandError("the referee is still at it; look at the page before you try again") from None

    def press(self, button: str) -> None:
        """What a physical button does; never waits."""
        self._inbox.put(_Asked(read_command("press", button), None, Future()))

    def arrange(self) -> None:
        """Set the virtual table as the game wants it; the referee finds it so in the picture, as always.

        Raises CommandError without a virtual table or a game, or when there is no room.
        """
        _, match = self._board.newest
        if self.virtual is None:
            raise CommandError("only the virtual table can be set this way; put the coins down by hand")
        if match is None:
            raise CommandError("no game is being played; start one first")
        layout = match.game.layout(match.state)
        trays = [zone.name for zone in self.virtual.mat.zones if zone.name == "tray" and zone.name not in layout]
        try:
            arrange(self.virtual, layout, match.game.stacks(match.state), *trays)
        except TableError as error:
            raise CommandError(str(error)) from None

    def run_errand(self, errand: Errand[T], timeout_s: float = 10.0) -> T:
        """Let the eye thread, which alone uses camera and reader, do something between two frames; what it gave."""
        return self._eye.errand(errand, timeout_s)

    def score(self, image: bytes, map_name: str | None) -> Score:
        """The score of a photographed Coin Age map. Raises ValueError with one sentence."""
        try:
            identifier = Identifier(enrolled=self._eye.own_coins)  # the reader's own serves the eye thread alone
            scored, _ = score(decode_picture(image, "the picture"), map_name, identifier=identifier)
        except CameraError as error:
            raise ScoreError(str(error)) from None
        return scored

    # -- the referee thread -------------------------------------------------------------------------------------------

    def _rule(self) -> None:
        while not self.stopping.is_set():
            item = self._incoming()
            try:
                if item is not None:
                    self._take(item)
                self._choice_clock.mind()
            except JournalError as error:
                self._trouble = str(error)
                log.error("%s", error)
            except Exception:  # the referee must outlive a fault of ours; the state is as it was
                log.exception("the referee could not deal with %s", type(item).__name__)
            try:
                self._publish()
            except Exception:  # a lamp or a page must not end the game either
                log.exception("what stands could not be shown")
            self._reply()
            self._reply = _nothing

    def _incoming(self) -> Look | _Asked | Astray | Away | None:
        try:
            return self._inbox.get(timeout=_TICK_S)
        except Empty:
            return None

    def _take(self, item: Look | _Asked | Astray | Away) -> None:
        match item:
            case Look():
                self._referee.see(item)
                self._on_progress()
            case Astray(why):
                self._referee.lose_camera(why)
                self._on_progress()
            case Away(why):
                self._referee.lose_camera(why)
                self._on_camera_away(why)
            case _Asked() if item.reply.set_running_or_notify_cancel():
                try:
                    reply = self._referee.command(item.command, item.seat)
                except Exception as error:
                    self._reply = partial(item.reply.set_exception, error)
                    if not isinstance(error, CommandError):
                        raise
                else:
                    self._lay_mat()
                    self._reply = partial(item.reply.set_result, reply)

    def _store(self, events: Sequence[Event]) -> None:
        """Keep events for good, with the pictures the ruling rests on."""
        exhibit = self._referee.exhibit
        whole = self._journal.append(events, evidence_of(exhibit) if exhibit else None)
        self._trouble = None if whole else "the disk is full: rulings are kept without pictures; free some disk space"

    def _lay_mat(self) -> None:
        """On the virtual table the game's mat is laid out by itself."""
        if self.virtual and self._referee.match:
            self.virtual.lay(mats.load(self._referee.match.mat))

    def _publish(self) -> None:
        fresh = self._referee.snapshot()
        warnings = list(fresh.health.warnings)
        for said in (self._eye.warning, self._trouble, self._panel_fault()):
            if said and said not in warnings:
                warnings.append(said)
        health = Health(tuple(warnings), self._eye.name, round(self._eye.fps))
        self._board.show(replace(fresh, health=health), self._referee.match)


def _nothing() -> None:
    """Nobody asked."""


def _is_toss(action: Action) -> bool:
    return action.__struct_config__.tag == "flip"
