"""The events of a game: one line of the journal each. An undo and a correction are events too; nothing is erased."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from tablecoin.coins import Denomination, Face
from tablecoin.rules.game import Seat

Player = Literal["person", "computer"]
Level = Literal["easy", "middle", "strong"]
BadCoin = Literal["alone", "all"]
BestOf = Literal[1, 3, 5, 7]
OddsShown = Literal["off", "after", "always"]  # when the chances of the seats are shown: after the game, or always
Colour = Literal[
    "copper", "blue", "green", "gold", "violet", "teal", "rose", "olive", "slate"
]  # a person's, on screens
Hints = Literal["never", "practice", "always"]  # who may ask for a hint; practice: in a game against a computer
TakeBack = Literal["asked", "free"]  # whether the others are asked before a toss or an act of theirs is taken back
Motion = Literal["undo", "reread", "correct", "replay", "draw"]  # what the others are asked to agree to


DisputeStep = Literal["opened", "stands", "looked", "replayed", "corrected"]


class Series(msgspec.Struct, frozen=True):
    """A game's place in a series: who first wins more than half of `best_of` games has won the series."""

    best_of: BestOf
    wins: Mapping[Seat, int] = {}  # of the earlier games, by the seats of this one; 0 is left out


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chess clock: how much time each side has to think, and what happens when it is used up.

    `each_s` for the whole game, and `increment_s` more for each turn that the side ends, both in seconds. At zero the
    table is told and play goes on (`said`), or the side has lost (`lost`); in a game of more than two sides the rules
    then choose for it, as they do for a seat that has not chosen in time.
    """

    each_s: Annotated[int, msgspec.Meta(ge=1, le=86_400)]
    increment_s: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 0
    at_zero: Literal["said", "lost"] = "said"


class Nature(msgspec.Struct, frozen=True):
    """What a coin is. Null denomination: not a US coin; null face: it does not matter, or is not said."""

    denomination: Denomination | None
    face: Face | None = None


class _Event(msgspec.Struct, frozen=True, tag_field="event"):
    """`group` is the number of the ruling an event belongs to. One undo takes back a whole group."""

    group: int


class Started(_Event, frozen=True, tag="start"):
    game: str
    options: Mapping[str, Any]
    seats: Mapping[Seat, Player]
    level: Level = "strong"
    bad_coin: BadCoin = "alone"  # what is thrown again when a coin leans, overlaps or leaves the tray: alone, or all
    names: Mapping[Seat, str] = {}  # of the people in the seats, where they gave them
    colours: Mapping[Seat, Colour] = {}  # that they chose, where they did
    series: Series = Series(1)
    odds: OddsShown = "after"
    hints: Hints = "practice"
    crossed: bool = False  # the people of the game before sit in each other's seats now
    undo: TakeBack = "asked"
    clock: TimeControl | None = None  # null: people take as long as they like


class Acted(_Event, frozen=True, tag="act"):
    action: Mapping[str, Any]
    seat: Seat
    by: str  # who told the referee: "camera", "button", "phone", "answer" (to its question), "computer", "clock"


class TakenBack(_Event, frozen=True, tag="undo"):
    """The newest act that still stands is taken back."""

    by: str


class Rejected(_Event, frozen=True, tag="refused"):
    clause: str
    why: str  # in English, as it was said
    by: str
    action: Mapping[str, Any] | None = None
    after: tuple[Mapping[str, Any], ...] = ()  # lawful acts seen with it; none of them stands


class Corrected(_Event, frozen=True, tag="correct"):
    """A person said what the coin lying at `place_mm` is: unasked, or as the answer to a question about it.

    The event labels a picture of the coin. Events written before the fields below existed lack them.
    """

    place_mm: tuple[float, float]
    denomination: Denomination | None  # null: not a US coin
    face: Face | None  # null: not said
    coin: int | None = None  # its number in the reading that was shown
    disc_px: tuple[float, float, float] | None = None  # its circle in that picture: centre (x, y) and radius
    read: tuple[float, float, float, float] | None = None  # how it was read: the probability of each denomination...
    heads: float | None = None  # ...and that it lies heads up
    asked: tuple[Nature, ...] = ()  # what the referee offered as answers, likelier first; empty: it did not ask


class Fallen(msgspec.Struct, frozen=True):
    """One coin of a tray as it fell. `nature` is what it counts as: read so, or said by people while it lay there."""

    nature: Nature
    place_mm: tuple[float, float]
    disc_px: tuple[float, float, float]  # its circle in the picture: centre (x, y) and radius
    read: tuple[float, float, float, float]  # the probability of each denomination...
    heads: float  # ...and that it lies heads up


class Fell(_Event, frozen=True, tag="fell"):
    """One of several trays of a toss was read: it counts so, whatever is done to its coins before the others fall.

    No coins: it counts no more, because all are tossed again.
    """

    zone: str
    coins: tuple[Fallen, ...]


class Hinted(_Event, frozen=True, tag="hint"):
    """A seat asked for a hint and got one; the game stays as it is. `action` was advised: of a sealed act its kind."""

    seat: Seat
    action: Mapping[str, Any]


class Consent(_Event, frozen=True, tag="consent"):
    """The others were asked to agree to something, or one of them answered; the game stays as it is.

    `lapsed`: nobody answered in time, which means no.
    """

    what: Motion
    step: Literal["asked", "agreed", "refused", "lapsed"]
    seat: Seat | None  # who asked or answered; null: somebody at the table, or nobody


class Disputed(_Event, frozen=True, tag="dispute"):
    """A ruling was disputed, or the dispute was settled; the game stays as it is. Acts it takes back follow as undo."""

    ruling: int  # its number in the journal
    step: DisputeStep
    seat: Seat | None  # who said so; null: somebody at the table


class Paused(_Event, frozen=True, tag="pause"):
    """People made a break, or went on."""

    step: Literal["begun", "ended"]
    seat: Seat | None


class Clocked(_Event, frozen=True, tag="clock"):
    """How long each side's clock has run in this game, in seconds. The events after it were recorded then.

    `over`: the side whose time is over now; null: nobody's just now.
    """

    used_s: Mapping[Seat, float]
    over: Seat | None = None


class Ended(_Event, frozen=True, tag="ended"):
    """The game ended before its rules said so: a seat resigned or lost by time, or people agreed on a draw."""

    how: Literal["resigned", "draw", "time"]
    seat: Seat | None  # who resigned, lost by time or offered the draw; null: somebody at the table
    winners: tuple[Seat, ...]


Event = (
    Started | Acted | TakenBack | Rejected | Corrected | Fell | Hinted | Consent | Disputed | Paused | Clocked | Ended
)
REMARKS = (Corrected, Fell, Hinted, Consent, Disputed, Paused, Clocked)  # events that are no rulings


def write_event(event: Event) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(event)
    return body


def read_event(body: object) -> Event:
    """The event from its JSON. Raises msgspec.ValidationError for anything else."""
    event: Event = msgspec.convert(body, Event)
    return event
