"""The messages, as JSON. docs/mqtt.md shows them all, and docs/mqtt.schema.json is made from these structs.

`version` is "MAJOR.MINOR". A newer minor version only adds fields, which older readers leave out; another major version
is not read at all, and stands in topics of its own. Times are ISO 8601 in UTC, by the clock of who sent them: a table's
clock may be wrong, so order comes from numbers alone. Every sentence is there in every language. Nothing that is still
a seat's secret is in any message.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from tablecoin.mqtt import topics
from tablecoin.mqtt.topics import MAJOR, TableId
from tablecoin.rules.game import Seat
from tablecoin.rules.names import LONGEST_NAME
from tablecoin.rules.rulebook import Complaint
from tablecoin.rules.rulebook import Message as Sentence

VERSION = f"{MAJOR}.0"
LARGEST = 256 << 10  # bytes of a message: the longest, a result of Coin Wars with all its options, has some 10 kB
BRIGHTEST = 255  # the ring light at its full brightness: Home Assistant's own scale
MOST_ASKED = 1000  # events that one Ask may name; more are asked for in turn

Texts = Mapping[str, str]  # language -> the sentence in it
Player = Literal["person", "computer"]
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
# Kinds of rulings. "move" and "toss" were accepted; "game_over" ended the game. "dispute": people dispute a ruling;
# "settled": they agreed what becomes of it. Of "unreadable" and "missing" the journal holds no more than the number. A
# newer minor version may have more kinds.
RULINGS = (
    "start", "toss", "move", "undo", "refused", "correct", "hint", "dispute", "settled", "game_over", "unreadable",
    "missing", "other",
)  # fmt: skip


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    table: TableId  # as in the topic
    version: str = VERSION


class Seated(msgspec.Struct, frozen=True):
    """A seat of a game."""

    seat: Seat
    player: Player
    name: str = ""  # of the person, where one was given
    score: float | None = None  # by the game's own measure: cents, points, pennies, twelfths of experience
    left_s: float | None = None  # of a chess clock that stands; below zero where its time is over
    zero_at: str = ""  # of one that runs: when it reaches zero, by the table's clock

    def timed(self, left_s: Mapping[Seat, float], running: Collection[Seat], now: datetime) -> Seated:
        """The same with what its chess clock has left `now`, if it has one. `running`: whose clocks run."""
        left = left_s.get(self.seat)
        if left is None:
            return self
        if self.seat in running:
            zero_at = (now + timedelta(seconds=left)).isoformat(timespec="seconds")
            return msgspec.structs.replace(self, zero_at=zero_at)
        return msgspec.structs.replace(self, left_s=round(left, 1))


class Summary(_Message, frozen=True, kw_only=True):
    """Where a table stands now. Retained."""

    name: str  # for people
    device: str  # a random name of the table's data folder: another one under the same `table` is another table
    journal: str  # its journal's name: another one counts its events anew; "" before the first event
    newest: Number  # the number of its newest event; 0 before the first. Whoever has fewer asks for the others
    program: str  # tablecoin's version
    sent: str  # when, by the table's clock: compared with the reader's, it shows a clock that is wrong
    url: str = ""  # of the table's page; "" where the network cannot reach it
    game: str | None = None  # its name; null: none was played yet
    title: Texts = {}  # the game's name for people
    number: Number = 0  # the game's number in the journal; 0: none
    began: str = ""  # when the game began
    phase: str = ""  # of the game; "over" at its end
    prompt: str = ""  # what the referee waits for: its kind of prompt
    said: Texts = {}  # the prompt
    seats: tuple[Seated, ...] = ()
    turn: tuple[Seat, ...] = ()  # who is to act; "table": a toss is due
    since: str = ""  # when that became their turn
    winners: tuple[Seat, ...] | None = None  # null while the game goes on; () where nobody won
    ruling: Texts = {}  # the last ruling
    assignment: str = ""  # whose game this is, where a club assigned it


class Began(msgspec.Struct, frozen=True):
    """How a game was begun."""

    game: str
    options: Mapping[str, Any]  # its house rules, as they were given
    seats: Mapping[Seat, Player]
    names: Mapping[Seat, str]
    level: str  # how well computers play
    best_of: int  # games of its series; 1: it stands alone


class GameResult(_Message, frozen=True, kw_only=True):
    """A game that is over."""

    journal: str
    number: Number  # the game's, in the journal
    first: Number  # its first event
    last: Number  # the event that ended it
    digest: str  # SHA-256 over its events up to that one, as the journal keeps them: the same game has the same
    began: str
    ended: str
    how: Began
    winners: tuple[Seat, ...]  # several share; () where nobody won
    scores: Mapping[Seat, float]  # by the game's own measure, where it has one
    said: Texts  # how it ended
    assignment: str = ""  # the assignment that it was played for


class Ruling(_Message, frozen=True, kw_only=True):
    """One event of a table's journal. `number` grows by one from event to event, so that a reader sees what it lacks.

    The same event has the same message whenever it is sent; (table, journal, number) tells one from another.
    """

    journal: str
    number: Number
    game: Number  # the number of its game in the journal
    group: Number  # events of one ruling share it
    at: str  # when it was written down
    kind: str  # one of RULINGS; more may come: start, toss, move, refused, undo, dispute, settled, game_over...
    said: Texts
    seat: Seat | None = None  # whose act it was
    by: str = ""  # who told the referee: camera, button, phone, answer, computer, clock
    clause: str | None = None  # the rule that a refused act broke
    action: Mapping[str, Any] | None = None  # as everybody may see it
    began: Began | None = None  # with "start"
    result: GameResult | None = None  # while the game is over after this event: an undo takes the result away again


class Fault(msgspec.Struct, frozen=True):
    """Something wrong with the table. `code` is its key in the catalogue."""

    code: str
    said: Texts


class Health(_Message, frozen=True, kw_only=True):
    """Whether the table works. Retained."""

    sent: str
    faults: tuple[Fault, ...] = ()
    camera: str = ""
    fps: int = 0  # pictures read in a second
    late: Number = 0  # events that wait to be sent


class Press(_Message, frozen=True, kw_only=True):
    """A button of the panel was pressed. None is told while players choose in secret."""

    event_type: str  # heads_done, heads_choose, tails_done, tails_choose, referee, referee_hold
    at: str


class Ring(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ring light, in the words of Home Assistant's JSON lights."""

    state: Literal["ON", "OFF"]
    # Of one that can be dimmed. Null in a wish: as bright as the table was calibrated.
    brightness: Annotated[int, msgspec.Meta(ge=0, le=255)] | None = None

    @classmethod
    def of(cls, share: float, *, dims: bool) -> Ring:
        """The ring light that shines with this share of its full brightness, 0..1."""
        return cls("ON" if share else "OFF", round(BRIGHTEST * share) if dims and share else None)

    @property
    def share(self) -> float | None:
        """How bright it is wanted, 0..1; None: as usual."""
        if self.state == "OFF":
            return 0.0
        return None if self.brightness is None else self.brightness / BRIGHTEST


class Ask(_Message, frozen=True, kw_only=True):
    """A club lacks events `first` to `last` of `journal`. The table sends them to `again`, 1000 at most."""

    journal: str
    first: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    last: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]


class Assignment(_Message, frozen=True, kw_only=True):
    """A club would like a game to be played here; the owner may decline. Retained; an empty one takes it back."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]  # of the club's choice, never used twice
    event: Annotated[str, msgspec.Meta(max_length=100)] = ""  # the tournament's name
    round: Number = 0
    game: str
    options: Mapping[str, Any] = {}
    names: Mapping[Seat, Name]  # who plays, by seat
    best_of: Literal[1, 3, 5, 7] = 1
    clock_s: Annotated[int, msgspec.Meta(ge=0, le=86_400)] | None = None  # of each side, for the whole game; null: none
    increment_s: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 0  # more of it for each turn
    at_zero: Literal["said", "lost"] = "said"  # when it is over: the table is told, or the side has lost


class Reply(_Message, frozen=True, kw_only=True):
    """What became of an assignment at the table. Retained."""

    id: str
    answer: Literal["offered", "declined", "begun", "refused"]  # "refused": the table cannot play it, `said` why
    said: Texts = {}
    number: Number = 0  # of the game, once it is begun
    journal: str = ""  # that counts it


Message = Summary | GameResult | Ruling | Health | Press | Ring | Ask | Assignment | Reply
KINDS: Mapping[str, type[Message]] = {  # kind of topic -> its message
    topics.SUMMARY: Summary,
    topics.HEALTH: Health,
    topics.EVENT: Ruling,
    topics.AGAIN: Ruling,
    topics.RESULT: GameResult,
    topics.BUTTON: Press,
    topics.RING: Ring,
    topics.RING_SET: Ring,
    topics.ASKED: Ask,
    topics.ASSIGNED: Assignment,
    topics.REPLY: Reply,
}
M = TypeVar("M", bound=Message)


class Unreadable(Complaint, ValueError):
    """A message that is not one of ours, or of another version: what is wrong with it, and what to do."""


class _Versioned(msgspec.Struct):
    version: str = VERSION


def write(message: Message) -> bytes:
    """The message as JSON."""
    return msgspec.json.encode(message)


def read(kind: type[M], payload: bytes, table: str) -> M:
    """The message of `kind` that came on a topic of `table`. Fields that this tablecoin does not know are left out.

    Raises Unreadable: too long, no such message, of another major version, or sent in another table's name.
    """
    if len(payload) > LARGEST:
        raise Unreadable(Sentence("mqtt.long", {"table": table, "bytes": len(payload)}))
    try:
        version = msgspec.json.decode(payload, type=_Versioned).version
        if version.partition(".")[0] != str(MAJOR):
            raise Unreadable(Sentence("mqtt.version", {"table": table, "version": version[:20], "own": VERSION}))
        message = msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(Sentence("mqtt.garbage", {"table": table, "why": str(error)})) from None
    if getattr(message, "table", table) != table:
        raise Unreadable(Sentence("mqtt.other", {"table": table, "other": getattr(message, "table", "")}))
    return message
