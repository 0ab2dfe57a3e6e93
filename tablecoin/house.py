"""The house: the rooms at work, on two threads.

The eye thread reads frames, settles them and posts looks. The referee thread takes looks and commands from one queue,
one after the other, and publishes snapshots. Everybody else (pages, lamps) reads the newest snapshot, or asks by
command.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Any, Literal, TypeVar

import msgspec

from tablecoin import mat as mats
from tablecoin.journal.evidence import Evidence, NoEvidence, evidence_of
from tablecoin.journal.export import record_of
from tablecoin.journal.flips import summary, tosses
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.record import write_record
from tablecoin.referee.clock import ChoiceClock
from tablecoin.referee.commands import Command, CommandError, Seat, read_command
from tablecoin.referee.events import Event, Rejected
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.voice import spoken
from tablecoin.rules.game import Action
from tablecoin.rules.rulebook import clause_of
from tablecoin.score import ScoreError, score
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError, VirtualTable
from tablecoin.vision.camera import Camera, CameraError
from tablecoin.vision.cameras.picture import decode_picture
from tablecoin.vision.drift import EVERY_S
from tablecoin.vision.frame import Frame
from tablecoin.vision.identify import Identifier
from tablecoin.vision.preview import Preview
from tablecoin.vision.reader import Reader
from tablecoin.vision.settle import Areas, Look, Settler

log = logging.getLogger(__name__)

_FRAME_TIMEOUT_S = 1.0
_BEAT_S = 1.0  # an unchanged look is passed on this often, so that the watchdog sees frames really go through
_COMMAND_TIMEOUT_S = 5.0
_TICK_S = 0.5  # the clock of a choice is looked at this often, also when nothing comes in
_SEQ_BLOCK = 1000
_MOST_ACTS = 200


@dataclass(frozen=True)
class _Asked:
    """A command waiting for the referee."""

    command: Command
    seat: Seat | None
    reply: Future[tuple[bool, str | None]]


@dataclass(frozen=True)
class _Astray:
    """The mat is not where it was and cannot be followed: nothing may be ruled on."""

    why: str


T = TypeVar("T")
Errand = Callable[[Camera, Reader], T]  # done by the eye thread between two frames


class House:
    """A running table. `start`, use from any thread, `stop`."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        journal: Journal,
        *,
        still_s: float = 0.6,
        virtual: VirtualTable | None = None,
        on_snapshot: Callable[[dict[str, Any]], None] = lambda snapshot: None,
        on_progress: Callable[[], None] = lambda: None,
        on_camera_away: Callable[[str], None] = lambda why: None,
    ) -> None:
        """`on_snapshot` is called on the referee thread for each new snapshot, `on_progress` when frames go
        through, `on_camera_away` with the reason for each wait in vain for one."""
        self.stopping = threading.Event()
        self.virtual = virtual
        self.pictures = Preview(lambda: reader.plane)
        self._camera, self._reader, self._journal = camera, reader, journal
        self._still_s = still_s
        self._settler = self._new_settler()
        self._checked_s = 0.0  # when the mat's markers were last looked at
        self._astray = False  # nothing is ruled on: the mat is not where it was
        self._errands: Queue[tuple[Errand[Any], Future[Any]]] = Queue()
        self._referee = Referee(self._store)
        self._choice_clock = ChoiceClock(self._referee)
        self._on_snapshot, self._on_progress, self._on_camera_away = on_snapshot, on_progress, on_camera_away
        self._inbox: Queue[Look | _Asked | _Astray | str] = Queue()
        self._changed = threading.Condition()
        self._snapshot: dict[str, Any] = {}
        self._shown: Match | None = None  # the match behind the snapshot
        self._seqs: Iterator[int] = iter(())
        self._trouble: str | None = None  # the journal's
        self._frame_s = time.monotonic()
        self._interval_s = 0.1  # between frames, a running mean
        self._threads = [
            threading.Thread(target=self._watch, name="eye", daemon=True),
            threading.Thread(target=self._rule, name="referee", daemon=True),
        ]

    def start(self) -> None:
        """Take up the newest game of the journal and begin to look."""
        self._referee.restore([event for _, event in self._journal.newest_game()], self._journal.count())
        self._lay_mat()
        self._publish()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both threads and let the camera go. What was ruled is in the journal already."""
        self.stopping.set()
        self.pictures.wake()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=3)
        self._camera.close()
        self._journal.close()

    # -- for everybody ------------------------------------------------------------------------------------------------

    def snapshot(self, seat: Seat | None = None) -> dict[str, Any]:
        """The newest snapshot, as the contract has it, and how old its picture is.

        `seat`: with what only that seat may see of the game (its own sealed choice); None shows what everybody may.
        """
        with self._changed:
            shown, match = self._snapshot, self._shown
        own = {"game": match.game.public(match.state, seat)} if match and seat is not None else {}
        return shown | own | {"age_s": round(time.monotonic() - self._frame_s, 2)}

    def wait(self, after_seq: int, timeout_s: float, seat: Seat | None = None) -> dict[str, Any] | None:
        """The newest snapshot once its `seq` is above `after_seq`; None after `timeout_s` or when stopping."""
        with self._changed:
            self._changed.wait_for(lambda: self.stopping.is_set() or self._snapshot["seq"] > after_seq, timeout_s)
            if self.stopping.is_set() or self._snapshot["seq"] <= after_seq:
                return None
        return self.snapshot(seat)

    def command(self, command: dict[str, Any], seat: Seat | None) -> tuple[bool, str | None]:
        """Do what a person asks, e.g. {"press": "heads.done"}. Raises CommandError, NotYourSeat."""
        ((kind, body),) = command.items()
        asked = _Asked(read_command(kind, body), seat, Future())
        self._inbox.put(asked)
        try:
            return asked.reply.result(_COMMAND_TIMEOUT_S)
        except FutureTimeout:
            raise CommandError("the referee did not answer in time; try again") from None

    def press(self, button: str) -> None:
        """What a physical button does; never waits."""
        self._inbox.put(_Asked(read_command("press", button), None, Future()))

    def acts(self, seat: Seat | None) -> list[dict[str, Any]]:
        """What `seat` (None: anybody at the table) may do now by hand: {"action", "seat", "text", "texts"}.

        Tosses are left out, for chance is nobody's choice; so are sealed acts, which have a form of their own.
        """
        with self._changed:
            match = self._shown
        if match is None:
            return []
        game, state, found = match.game, match.state, []
        for action in game.legal_actions(state):
            actor = game.actor(state, action)
            if game.seals(action) or _is_toss(action) or seat not in (None, actor):
                continue
            told = spoken(game.offer(state, action))
            found.append({"action": game.write_action(action), "seat": actor, **told})
            if len(found) == _MOST_ACTS:
                break
        return found

    def arrange(self) -> None:
        """Set the virtual table as the game wants it; the referee finds it so in the picture, as always.

        Raises CommandError without a virtual table or a game, or when there is no room.
        """
        with self._changed:
            match = self._shown
        if self.virtual is None:
            raise CommandError("only the virtual table can be set this way; put the coins down by hand")
        if match is None:
            raise CommandError("no game is being played; start one first")
        try:
            arrange(self.virtual, match.game.layout(match.state))
        except TableError as error:
            raise CommandError(str(error)) from None

    def frame_jpeg(self, after: int, view: str, timeout_s: float) -> tuple[int, bytes] | None:
        return self.pictures.jpeg(after, view, timeout_s)

    def record(self) -> str:
        """The newest game's record, JSON lines. Raises NoGame before the first."""
        return "".join(write_record(record_of(self._journal.newest_game(), self._journal.digests())))

    def evidence(self, number: int) -> dict[str, Any]:
        """What was kept with ruling `number`: {"number", "accepted", "said": {language: sentence}, "clause", "before",
        "after", "pictures", "digest"}.

        `clause` is the rule it went by with its text, or null; `before` and `after` are the coins read, as in the
        snapshot (`before` is null for the first ruling); `pictures` where the JPEGs are. Raises NoEvidence.
        """
        event, kept = self._evidence(number)
        clause = clause_of(event.clause) if isinstance(event, Rejected) else None
        files = {"before": kept.before, "after": kept.after}
        return {
            "number": number,
            "accepted": not isinstance(event, Rejected),
            "clause": clause and {"id": clause.id, "number": clause.number, "en": clause.en, "zh": clause.zh},
            **msgspec.json.decode(kept.body),
            "pictures": {name: f"/api/evidence/{number}/{name}.jpg" if file else None for name, file in files.items()},
            "digest": kept.digest,
        }

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        """The picture kept with ruling `number`, its coins marked. Raises NoEvidence when there is none."""
        _, kept = self._evidence(number)
        jpeg = kept.before if when == "before" else kept.after
        if jpeg is None:
            raise NoEvidence(f"There is no picture of the table before ruling {number}.")
        return jpeg

    def _evidence(self, number: int) -> tuple[Event, Evidence]:
        found = self._journal.evidence(number)
        if found is None:
            raise NoEvidence(f"No pictures were kept with ruling {number}: it was not made by the camera.")
        return found

    def flips(self) -> dict[str, Any]:
        """Every toss there ever was, and heads by player and coin with a test of fairness (tablecoin.journal.flips)."""
        return summary(tuple(tosses(self._journal.games())))

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame once its number is above `after`; None after `timeout_s`."""
        return self.pictures.frame(after, timeout_s)

    def run_errand(self, errand: Errand[T], timeout_s: float = 10.0) -> T:
        """Let the eye thread, which alone uses camera and reader, do something between two frames; what it gave."""
        reply: Future[T] = Future()
        self._errands.put((errand, reply))
        return reply.result(timeout_s)

    def score(self, image: bytes, map_name: str | None) -> dict[str, Any]:
        """The score of a photographed Coin Age map. Raises ValueError with one sentence."""
        try:
            identifier = Identifier(enrolled=self._reader.own_coins)  # the reader's own serves the eye thread alone
            result, _ = score(decode_picture(image, "the picture"), map_name, identifier=identifier)
        except CameraError as error:
            raise ScoreError(str(error)) from None
        answer: dict[str, Any] = msgspec.to_builtins(result)
        return answer

    # -- the eye thread -----------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        passed: Look | None = None
        passed_s = 0.0
        while not self.stopping.is_set():
            self._run_errands()
            try:
                frame = self._camera.read(_FRAME_TIMEOUT_S)
                look = self._settler.see(frame)
                why = self._minded(frame, look)
            except CameraError as error:
                self._inbox.put(str(error))
                self.stopping.wait(0.2)
                continue
            except Exception:  # one bad frame must not end the game
                log.exception("a frame could not be read")
                self.stopping.wait(0.2)
                continue
            self._count_frame(frame)
            if why:
                if passed is not None or frame.taken_s - passed_s >= _BEAT_S:
                    passed, passed_s = None, frame.taken_s
                    self._inbox.put(_Astray(why))
                continue
            if look.sighting or _differs(look, passed) or frame.taken_s - passed_s >= _BEAT_S:
                passed, passed_s = look, frame.taken_s
                self._inbox.put(look)

    def _minded(self, frame: Frame, look: Look) -> str | None:
        """Look after the mat (vision/drift.py): each second while the table is idle. Why nothing may be ruled, or None.

        When the mat was found again, or followed, the table is settled anew: its coins have other places now.
        """
        if not (look.moving or look.hand) and frame.taken_s - self._checked_s >= EVERY_S:
            self._checked_s = frame.taken_s
            before = self._reader.plane
            followed = self._reader.check(frame).state == "followed" and before is not None
            if followed and not self._astray:
                self._settler = self._new_settler()
        drift = self._reader.drift
        if self._astray and not drift.stops:
            self._settler = self._new_settler()
        self._astray = drift.stops
        return drift.said if drift.stops else None

    def _new_settler(self) -> Settler:
        return Settler(self._reader.read, still_s=self._still_s, areas=lambda _: Areas.over(self._reader.plane))

    def _run_errands(self) -> None:
        while not self._errands.empty():
            errand, reply = self._errands.get()
            try:
                reply.set_result(errand(self._camera, self._reader))
            except Exception as error:
                reply.set_exception(error)
            self._settler = self._new_settler()

    def _count_frame(self, frame: Frame) -> None:
        now = time.monotonic()
        self._interval_s += 0.1 * (now - self._frame_s - self._interval_s)
        self._frame_s = now
        self.pictures.put(frame)

    # -- the referee thread -------------------------------------------------------------------------------------------

    def _rule(self) -> None:
        while not self.stopping.is_set():
            item = self._incoming()
            try:
                if item is not None:
                    self._take(item)
                self._choice_clock.mind()
                self._trouble = None
            except JournalError as error:
                self._trouble = str(error)
                log.error("%s", error)
            except Exception:  # the referee must outlive a fault of ours; the state is as it was
                log.exception("the referee could not deal with %s", type(item).__name__)
            self._publish()

    def _incoming(self) -> Look | _Asked | _Astray | str | None:
        try:
            return self._inbox.get(timeout=_TICK_S)
        except Empty:
            return None

    def _take(self, item: Look | _Asked | _Astray | str) -> None:
        match item:
            case Look():
                self._referee.see(item)
                self._on_progress()
            case _Astray(why):
                self._referee.lose_camera(why)
                self._on_progress()
            case str():
                self._referee.lose_camera(item)
                self._on_camera_away(item)
            case _Asked():
                try:
                    reply = self._referee.command(item.command, item.seat)
                except Exception as error:
                    item.reply.set_exception(error)
                    if not isinstance(error, CommandError):
                        raise
                else:
                    self._lay_mat()
                    item.reply.set_result(reply)

    def _store(self, events: Sequence[Event]) -> None:
        """Keep events for good, with the pictures the ruling rests on."""
        exhibit = self._referee.exhibit
        self._journal.append(events, evidence_of(exhibit) if exhibit else None)

    def _lay_mat(self) -> None:
        """On the virtual table the game's mat is laid out by itself."""
        if self.virtual and self._referee.match:
            self.virtual.lay(mats.load(self._referee.match.mat))

    def _publish(self) -> None:
        fresh = self._referee.snapshot()
        health = fresh["health"] | {"camera": self._camera.name, "fps": round(1 / self._interval_s)}
        drift = self._reader.drift.said
        if drift and drift not in health["warnings"]:
            health["warnings"] = [*health["warnings"], drift]
        if self._trouble:
            health["warnings"] = [*health["warnings"], self._trouble]
        fresh["health"] = health
        if _content(fresh) == _content(self._snapshot):
            return
        with self._changed:
            self._snapshot = {"seq": self._next_seq()} | fresh
            self._shown = self._referee.match
            self._changed.notify_all()
        self._on_snapshot(self._snapshot)

    def _next_seq(self) -> int:
        """Numbers grow over restarts too: a block of them is reserved in the journal at a time."""
        number = next(self._seqs, None)
        if number is None:
            self._seqs = iter(self._journal.reserve("seq", _SEQ_BLOCK))
            number = next(self._seqs)
        return number


def _is_toss(action: Action) -> bool:
    return action.__struct_config__.tag == "flip"


def _content(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What makes a snapshot worth a new number: everything but the number and the frame rate."""
    health = {k: v for k, v in snapshot.get("health", {}).items() if k != "fps"}
    return {k: v for k, v in snapshot.items() if k != "seq"} | {"health": health}


def _differs(look: Look, before: Look | None) -> bool:
    """Whether people would see a difference."""
    return (
        before is None or (look.moving, look.hand) != (before.moving, before.hand) or look.reading is not before.reading
    )
