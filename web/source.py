"""What the web needs of the live table: everything it shows comes through these protocols, nothing else."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Literal, Protocol

from tablecoin.coins import Heap
from tablecoin.journal.ended import EndedGame
from tablecoin.journal.fairness import Summary
from tablecoin.journal.history import Games
from tablecoin.journal.players import PlayerRecord
from tablecoin.live.acts import LegalAct
from tablecoin.live.archive import Exhibited
from tablecoin.live.bell import Bell
from tablecoin.live.hints import Hint
from tablecoin.photos.counting import Score
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.table import Carry
from tablecoin.vision.shown.preview import Corners, Picture


class VirtualTable(Protocol):
    """The simulated table, as the page uses it. Places are in millimetres on the mat."""

    def to_json(self) -> dict[str, Any]:
        """{"coins": [{"denomination", "face", "x_mm", "y_mm", "angle_deg"}], "hand": bool, "faults": {...}}."""

    def put_json(self, raw: object) -> None:
        """Take over what `raw` has of coins, hand and faults. ValueError: one sentence saying what is wrong with it."""

    def make(self, move: Carry) -> None:
        """Move one coin, turn it over, lay it down or take it off. ValueError: it does not lie as `move` says."""

    def toss(self, heap: Heap, zone: str) -> object:
        """Toss these coins into a zone. ValueError when there is no such zone or no room."""


class Numbered(Protocol):
    """A msgspec struct that is streamed; its JSON goes to the browsers."""

    @property
    def seq(self) -> int:
        """Grows from one to the next."""


class Streamed(Protocol):
    """What the server needs of whatever it serves: news to stream, pictures to wait for, and when it ends."""

    @property
    def stopping(self) -> threading.Event:
        """Set once, when the program ends: open streams finish then."""

    @property
    def snapshots(self) -> Bell:
        """Rings when there is a newer snapshot."""

    @property
    def pictures(self) -> Bell:
        """Rings when there is a newer picture."""

    @property
    def picture_number(self) -> int:
        """The newest picture's number; -1 before the first."""

    @property
    def changed_number(self) -> int:
        """The number of the newest picture that showed something new; -1 before the first."""

    def snapshot(self, seat: str | None = None) -> Numbered:
        """The newest snapshot, as that seat may see it."""


class LiveTable(Streamed, Protocol):
    """The running referee, seen from outside. Every method may be called from any thread.

    `command` raises CommandError (of which NotYourSeat is one) and JournalError, `score` ValueError, each with one
    sentence.
    """

    @property
    def virtual(self) -> VirtualTable | None:
        """None with a real camera."""

    @property
    def frames(self) -> int:
        """How many frames of the camera were read since the start."""

    def snapshot(self, seat: str | None = None) -> Snapshot:
        """The newest snapshot. With a seat, `game` is as that seat may see it, its own sealed choice included."""

    def command(self, command: Mapping[str, object], seat: str | None) -> tuple[bool, Message | None]:
        """{kind: body}: do what a person asks; (accepted, why not). `seat` None: they speak for the whole table."""

    def acts(self, seat: str | None) -> list[LegalAct]:
        """What the seat (None: anybody) may do now by hand; no tosses."""

    def hint(self, seat: str | None) -> Hint:
        """What the computer would do for the seat (None: the only one to act). Raises CommandError."""

    def game_seats(self) -> tuple[str, ...] | None:
        """The seats of the game under way; () where players bring names of their own; None without a game."""

    def toss(self, heap: Heap, zone: str) -> None:
        """Toss virtual coins. Raises ValueError."""

    def arrange(self) -> None:
        """Set the virtual table as the game wants it. Raises CommandError."""

    def frame_jpeg(self, after: int, view: str) -> Picture | None:
        """The newest picture (above number `after`), encoded once for all; None: none is newer.

        `view` is "camera" or "mat".
        """

    def changed_jpeg(self, after: int, view: str) -> Picture | None:
        """The same where something new was seen in a picture after number `after`; None: in none."""

    def corners(self) -> Corners | None:
        """Where the mat's corners lie in the camera's newest picture, as shares of its width and height, clockwise from
        the mat's top left; None while no mat is found."""

    def coin_jpeg(self) -> bytes | None:
        """The coin that the prompt asks about, large, as a JPEG; None while it asks about none."""

    def record(self) -> str:
        """The game's record, JSON lines."""

    def ended_game(self, number: int) -> EndedGame:
        """Game `number` of the journal. NoGame: there is none, it is damaged, or it is still being played."""

    def evidence(self, number: int) -> Exhibited:
        """What was kept with ruling `number`, as GET /api/evidence answers it. NoEvidence: nothing was."""

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        """The picture kept with it. NoEvidence: there is none."""

    def clip(self, number: int) -> bytes:
        """The clip of the seconds before it, as tablecoin/journal/clip.py writes it. NoEvidence: there is none."""

    def flips(self) -> Summary:
        """Every toss, and how evenly the coins fell, as GET /api/flips answers it."""

    def games(self) -> Games:
        """Every game of the journal. Raises JournalError."""

    def players(self) -> tuple[PlayerRecord, ...]:
        """What the journal tells of each person who gave a name. Raises JournalError."""

    def score(self, image: bytes, map_name: str | None) -> Score:
        """The score of a photographed Coin Age map."""
