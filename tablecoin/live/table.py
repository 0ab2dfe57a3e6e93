"""The live table: everything that runs around one referee, and what pages, panel and wizard may ask of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from msgspec.structs import replace

from tablecoin.coins import Heap
from tablecoin.journal.ended import EndedGame
from tablecoin.journal.fairness import Summary
from tablecoin.journal.history import Games
from tablecoin.journal.journal import Journal
from tablecoin.journal.players import PlayerRecord
from tablecoin.live.acts import LegalAct, legal_acts
from tablecoin.live.archive import Archive, Exhibited
from tablecoin.live.bell import Bell
from tablecoin.live.board import Board
from tablecoin.live.clips import Clips
from tablecoin.live.eye import Errand, Eye, T
from tablecoin.live.forecast import Forecast
from tablecoin.live.hands import setting
from tablecoin.live.hints import Hint, HintDesk
from tablecoin.live.inbox import Answer, Inbox
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.live.referee_thread import NOBODY, RefereeThread, Watchers
from tablecoin.live.thinker import Thinker
from tablecoin.photos.counting import Score
from tablecoin.photos.score import ScoreError, enlarged, score
from tablecoin.referee.commands import CommandError, Seat, read_command
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.storage import structs
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError, VirtualTable
from tablecoin.vision.cameras.camera import Camera, CameraError, Focusing
from tablecoin.vision.cameras.sent import decode_sent
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.shown.close_up import close_up
from tablecoin.vision.shown.preview import Corners, Picture

# Coins that were not looked at for so long may be thrown again: something hides them. Longer than the 8 s after which
# a thing is no hand any more (vision/rest/settle.py) and the hand that throws, or each throw would start these anew.
_UNREAD_S = 12.0


class LiveTable:
    """A running table: the eye watches on one thread, the referee rules on another.

    `start`, use from any thread, `stop`. After `restore` instead of `start` it works without threads: each call rules
    on its own thread, and `look` sees a frame.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        journal: Journal,
        *,
        still_s: float = 0.6,
        virtual: VirtualTable | None = None,
        watchers: Watchers = NOBODY,
        kept: KeptCoins | None = None,
        clips: Clips | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`still_s`: how long the table must stand still before it is ruled on. `virtual`: the table that a virtual
        camera shows. `kept`: the coins it remembers; None: it learns none. `clips`: films it; None: nothing does.
        `clock`: seconds, by which it notices that no frame comes, and that a disk is full."""
        self.stopping = threading.Event()
        self.virtual = virtual
        self.kept = kept
        self._threadless, self._clock = False, clock
        self._inbox = Inbox(self._rule_at_once)
        self._eye = Eye(camera, reader, still_s, self._inbox.post, clips.see if clips else None, clock)
        self._journal, self._archive = journal, Archive(journal, clips)
        self._board = Board(journal, watchers.on_snapshot)
        self._thrown: dict[str, tuple[int, float]] = {}  # zone of a toss due -> sightings before it, when it was thrown
        self._thinker = Thinker()
        self._hints = HintDesk(self._thinker, self._inbox)
        forecast = Forecast(self._thinker.ask, self._thinker.number, self._inbox.post)
        self._referee = RefereeThread(
            self._inbox, self._eye, journal, self._board, watchers, virtual, kept, clips, forecast, clock
        )
        self._threads = [
            threading.Thread(target=self._eye.watch, args=[self.stopping], name="eye", daemon=True),
            threading.Thread(target=self._archive.count_history, args=[self.stopping], name="history", daemon=True),
            threading.Thread(target=self._referee.run, args=[self.stopping], name="referee", daemon=True),
        ]
        if clips:
            self._threads.append(threading.Thread(target=clips.run, args=[self.stopping], name="clips", daemon=True))

    def start(self) -> None:
        """Take up the newest game of the journal and begin to watch. Raises JournalError."""
        self._take_up()
        for thread in self._threads:
            thread.start()

    def restore(self) -> None:
        """Take up the newest game of the journal, and rule on each call from now on. Raises JournalError."""
        self._take_up()
        self._threadless = True
        self._rule_at_once()

    def _take_up(self) -> None:
        structs.make_known()
        self._referee.restore()
        if self.kept:
            self.kept.begin(self._eye.recall)

    def look(self) -> None:
        """Read one frame on the calling thread, and rule on it. For a table that was not started."""
        self._eye.look(self.stopping)

    def _rule_at_once(self) -> None:
        if self._threadless:  # else the referee's thread does it, also with what came before it was started
            self._referee.work_off()

    def stop(self) -> None:
        """End every thread and the thinking process, and release the camera. Every ruling is in the journal already."""
        self.stopping.set()
        self._eye.pictures.wake()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=3)
        self._thinker.stop()
        self._eye.close()
        if self.kept:
            self.kept.close()
        self._journal.close()

    # -- now ----------------------------------------------------------------------------------------------------------

    @property
    def frames(self) -> int:
        """How many frames were read since the start."""
        return self._eye.frames

    def snapshot(self, seat: Seat | None = None) -> Snapshot:
        """The newest snapshot, how old its picture is, and the clock as it stands now. RuntimeError before `start`.

        `seat`: the game as that seat may see it, its own sealed choice included. None: as everybody may see it.
        """
        shown, match = self._board.newest
        game = match.public(seat) if match and seat is not None else shown.game
        return replace(shown, game=game, age_s=round(self._eye.age_s, 2), clock=self._board.clock)

    @property
    def snapshots(self) -> Bell:
        """Rings when there is a newer snapshot."""
        return self._board.changed

    @property
    def pictures(self) -> Bell:
        """Rings when there is a newer picture."""
        return self._eye.pictured

    @property
    def picture_number(self) -> int:
        """The newest picture's number; -1 before the first."""
        return self._eye.pictures.number

    @property
    def changed_number(self) -> int:
        """The number of the newest picture that may show something new; -1 before the first."""
        return self._eye.pictures.changed

    def acts(self, seat: Seat | None) -> list[LegalAct]:
        """What `seat` (None: anybody at the table) may do now by hand."""
        _, match = self._board.newest
        return legal_acts(match, seat) if match else []

    def frame_jpeg(self, after: int, view: str) -> Picture | None:
        """The newest picture's number, above `after`, and its JPEG; None: none is newer. `view`: "camera" or "mat"."""
        return self._eye.pictures.jpeg(after, view, timeout_s=0.0)

    def changed_jpeg(self, after: int, view: str) -> Picture | None:
        """The same where something new was seen in a picture after number `after`; None: in none."""
        return self._eye.pictures.changed_jpeg(after, view)

    def corners(self) -> Corners | None:
        """Where the mat's corners lie in the camera's newest picture, as shares of its width and height."""
        return self._eye.pictures.corners()

    @property
    def focusing(self) -> Focusing:
        """How the camera's lens is focused. Unlike an errand, to ask disturbs no ruling."""
        return self._eye.focusing

    def coin_jpeg(self) -> bytes | None:
        """The coin that people are asked about, large, as a JPEG; None while no question is about one coin."""
        close = self._board.questioned
        return close_up(close.frame.image, close.coin.disc) if close else None

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame once its number is above `after`; None after `timeout_s`."""
        return self._eye.pictures.frame(after, timeout_s)

    @property
    def plane(self) -> Plane | None:
        """Where the mat lies in the picture; None while it is not seen."""
        return self._eye.plane

    # -- from the journal ---------------------------------------------------------------------------------------------

    def record(self) -> str:
        """The newest game's record, JSON lines. Raises NoGame."""
        return self._archive.record()

    def ended_game(self, number: int) -> EndedGame:
        """Game `number` of the journal, once it is over. Raises NoGame, JournalError."""
        return self._archive.ended_game(number)

    def evidence(self, number: int) -> Exhibited:
        """What was kept with ruling `number`. Raises NoEvidence."""
        return self._archive.evidence(number)

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        """The picture kept with ruling `number`. Raises NoEvidence."""
        return self._archive.evidence_jpeg(number, when)

    def clip(self, number: int) -> bytes:
        """The clip of ruling `number`, as journal/clip.py writes it. Raises NoEvidence."""
        return self._archive.clip(number)

    def flips(self) -> Summary:
        """Every toss in the journal, and how evenly the coins fell."""
        return self._archive.flips()

    def games(self) -> Games:
        """Every game in the journal."""
        return self._archive.games()

    def players(self) -> tuple[PlayerRecord, ...]:
        """What the journal tells of each person who gave a name."""
        return self._archive.players()

    @property
    def unread(self) -> tuple[Message, ...]:
        """Losses of the journal that its owner has not read yet."""
        return self._journal.unread

    def acknowledge(self, read: Collection[Message]) -> None:
        """Say these losses no longer. Raises JournalError."""
        self._journal.acknowledge(read)

    # -- what people ask for ------------------------------------------------------------------------------------------

    def command(self, command: Mapping[str, object], seat: Seat | None) -> Answer:
        """Do what a person asks, e.g. {"press": "heads.done"}; (accepted, why not).

        Raises CommandError, NotYourSeat, JournalError.
        """
        ((kind, body),) = command.items()
        return self._inbox.ask(read_command(kind, body), seat)

    def hint(self, seat: Seat | None) -> Hint:
        """What the computer would do for `seat` (None: for the only seat to act). It is recorded that it was asked.

        Raises CommandError, NotYourSeat, JournalError.
        """
        _, match = self._board.newest
        if match is None:
            raise CommandError(Message("command.no_game"))
        return self._hints.hint(match, seat)

    def press(self, button: str) -> None:
        """What a physical button does. Returns at once."""
        self._inbox.send(read_command("press", button))

    def game_seats(self) -> tuple[Seat, ...] | None:
        """The seats of the game under way; () where players bring names of their own; None without a game."""
        _, match = self._board.newest
        return match.game.seats(match.game.read_options(match.started.options)) if match else None

    def arrange(self) -> None:
        """Put the virtual coins where the game wants them; the referee still finds them in the picture.

        Raises CommandError without a virtual table or a game, when a zone has no room, and while a game on another mat
        begins.
        """
        _, match = self._board.newest
        if self.virtual is None:
            raise CommandError(Message("command.virtual_only"))
        if match is None:
            raise CommandError(Message("command.no_game"))
        try:
            with self.virtual.in_one_step(match.is_played_on):
                arrange(self.virtual, *setting(match, self.virtual))
        except TableError as error:
            raise CommandError(error.message) from None

    def toss(self, heap: Heap, zone: str) -> None:
        """Toss virtual coins. Raises CommandError without a virtual table, where the zone has no room, and until the
        coins due in this zone, once thrown, were looked at: nobody throws again because of how they fell."""
        _, match = self._board.newest
        if self.virtual is None:
            raise CommandError(Message("command.virtual_only"))
        due = match is not None and zone in match.game.tosses_due(match.state)
        thrown, now_s = self._thrown.get(zone), self._clock()
        if due and thrown and thrown[0] == self._referee.sightings and now_s - thrown[1] < _UNREAD_S:
            raise CommandError(Message("command.falling"))
        try:
            self.virtual.toss(heap, zone)
        except TableError as error:
            raise CommandError(error.message) from None
        if due:
            self._thrown[zone] = self._referee.sightings, now_s
        else:
            self._thrown.pop(zone, None)

    def run_errand(self, errand: Errand[T], timeout_s: float = 10.0) -> T:
        """Have the eye's thread, the only one that uses camera and reader, do something between two frames."""
        return self._eye.errand(errand, timeout_s)

    def score(self, image: bytes, map_name: str | None) -> Score:
        """The score of a photographed Coin Age map. Raises ScoreError."""
        try:
            identifier = Identifier(enrolled=self._eye.own_coins)  # the reader's own serves the eye's thread alone
            identifier.recall(self.kept.used if self.kept else None)
            picture = decode_sent(image, Message("picture.sent"))
        except CameraError as error:
            raise ScoreError(error.message) from None
        scored, _ = score(picture.image, map_name, identifier=identifier)
        return enlarged(scored, picture.shrunk)
