"""The snapshot: everything the outside may see of the running table, numbered. The JSON of GET /api/state is this file.

Every struct here is frozen and goes to JSON by its field names. `text` is English; `texts` holds the same sentence in
every language. Places are on the mat in millimetres, or in the camera's picture in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tablecoin.coins import Denomination, Face, Heap
from tablecoin.mat import Mat
from tablecoin.referee.belief import Difference
from tablecoin.referee.events import Colour, Nature, Player, TimeControl
from tablecoin.referee.series import Standing
from tablecoin.rules.game import Seat

GameState = Mapping[str, Any]  # a game's public state as JSON: game, phase, to_act, outcome and the game's own keys
ActionJson = Mapping[str, Any]  # an action as JSON: `do` and the action's own fields
Texts = Mapping[str, str]  # language -> the sentence in it

Does = Literal["agree", "refuse", "confirm", "next", "end", "look", "undo", "dispute", "stand", "go on"]
Doing = Literal["agree", "refuse", "stand", "look", "replay", "go on"]
PromptKind = Literal[
    "lobby", "turn", "flip", "arrange", "unfinished", "question", "refused", "paused", "over",
    "consent", "dispute", "break",
]  # fmt: skip


class Alternative(msgspec.Struct, frozen=True):
    """Something else that a coin may be. Both are null for: not a US coin."""

    denomination: Denomination | None
    face: Face | None
    confidence: float  # probability, 0..1


class CoinSeen(msgspec.Struct, frozen=True):
    """A coin on the table, as it was read, corrected by people, or known from an earlier ruling."""

    i: int  # its number in this snapshot; a correction names it
    center_px: tuple[float, float]
    radius_px: float
    center_mm: tuple[float, float] | None  # null while the mat's place is not known
    radius_mm: float | None  # by its denomination
    zone: str | None
    denomination: Denomination | None  # null: not a US coin
    face: Face | None
    denomination_confidence: float  # probability, 0..1
    face_confidence: float
    sure: bool  # the reader would stake a ruling on denomination and face
    alternatives: tuple[Alternative, ...]  # likeliest first


class Mark(msgspec.Struct, frozen=True):
    """One thing to do with one coin."""

    do: Literal["take", "put", "move", "turn"]
    coin: int | None  # its number in the table; null: a coin that does not lie on the mat yet, to be put
    denomination: Denomination | None  # null: not a US coin
    face: Face | None  # the side that must lie up then; null: either
    zone: str  # where it is to lie: of a coin that is taken away, where it lies now
    to_mm: tuple[float, float] | None = None  # where such a coin lay before; null: anywhere in the zone


class Table(msgspec.Struct, frozen=True):
    """What lies on the table, and what must lie there."""

    coins: tuple[CoinSeen, ...]
    hand: bool  # a hand, or another thing that is not a coin, is over the mat
    moving: bool
    settled: bool  # the picture is clear and nothing moves, so the table may be ruled on
    wanted: Mapping[str, Heap]  # zone -> the coins that must lie there; zones not named are not judged
    flips: Mapping[str, Heap]  # zone -> the coins to toss there now
    differences: tuple[Difference, ...]
    marks: tuple[Mark, ...]  # what hands have to do now, coin by coin
    lawful: tuple[str, ...] = ()  # the zones that a lawful act of the one person to act would change


class Choice(msgspec.Struct, frozen=True):
    """One thing that people may choose with one tap or with CHOOSE and DONE: an answer, an act, or a game to begin."""

    text: str
    texts: Texts
    action: ActionJson | None
    game: str | None  # the game it begins
    highlighted: bool  # DONE takes this one
    coin: Nature | None = None  # what it says of the coin asked about; null: look at it again, or something else
    does: Doing | None = None  # what it does while people agree, dispute or make a break
    seat: Seat | None = None  # whose word it is; null: anybody's


class Prompt(msgspec.Struct, frozen=True):
    """What people should do now."""

    seat: Seat | None  # who alone is to act; null for several seats, none, or nobody in particular
    kind: PromptKind
    text: str
    texts: Texts
    choices: tuple[Choice, ...]
    coin: int | None = None  # the coin asked about, by its number in the table; GET /api/coin.jpg shows it large
    disputed: int | None = None  # the number of the ruling that is disputed


class ButtonNow(msgspec.Struct, frozen=True):
    """What a button does now. `text` are the words to stand on it."""

    does: Does | None  # null: nothing, so it is to be grey
    text: str
    texts: Texts


class Ruling(msgspec.Struct, frozen=True):
    """The last ruling."""

    seq: int  # its number in the journal
    accepted: bool
    clause: str | None  # the clause a refused act broke
    seat: Seat | None
    action: ActionJson | None
    evidence: int | None  # the number to ask GET /api/evidence for; null where no pictures were kept
    text: str
    texts: Texts
    righted: bool = False  # it was refused, and the table was put right since: nothing is left to tell


class Odds(msgspec.Struct, frozen=True):
    """How likely each seat is to win, worked out beside the referee by the computer players' own value function."""

    seq: int  # of the last ruling that they take in; while `ruling.seq` is higher, newer ones are on their way
    chance: Mapping[Seat, float]  # 0..1; what nobody wins is missing from the sum
    error: float  # standard error of the least certain chance; 0: exact
    course: tuple[Mapping[Seat, float], ...]  # once the game is over: the chances at its start and after each act
    lead: Mapping[Seat, float] | None = None  # how far ahead each seat is expected to end; null where no game tells


class Clock(msgspec.Struct, frozen=True):
    """The chess clock of the game, as it stands when the snapshot is sent. What runs goes on down by itself."""

    control: TimeControl
    left_s: Mapping[Seat, float]  # of each seat with a clock; below zero where its time is over and play goes on
    running: tuple[Seat, ...]  # whose clocks run; () while all stand
    over: tuple[Seat, ...]  # whose time is over

    def after(self, seconds: float) -> Clock:
        """The same clock so much later."""
        left = {seat: s - seconds if seat in self.running else s for seat, s in self.left_s.items()}
        return msgspec.structs.replace(self, left_s={seat: round(s, 2) for seat, s in left.items()})


class Notice(msgspec.Struct, frozen=True):
    """A warning. `code` is its key in the catalogue, so that programs can tell warnings apart."""

    code: str
    texts: Texts


class Health(msgspec.Struct, frozen=True):
    """Whether the equipment works. The referee knows no camera: the live table fills in its name and speed."""

    warnings: tuple[str, ...]  # in English
    said: tuple[Notice, ...]  # the same in every language
    camera: str
    fps: int  # frames read in a second


class Snapshot(msgspec.Struct, frozen=True):
    """What everybody may see at one moment. The referee leaves `seq` and `age_s` at 0 and `odds` out; the
    live table sets them."""

    game: GameState | None
    seats: Mapping[Seat, Player]
    names: Mapping[Seat, str]  # of the people who gave theirs
    colours: Mapping[Seat, Colour]  # of the people who chose one
    series: Standing | None  # null: the game stands alone
    crossed: int | None  # the ruling that began this game with its two seats swapped; null: they were not
    table: Table
    prompt: Prompt
    ruling: Ruling | None
    undo: bool  # there is a ruling to take back
    undo_seat: Seat | None  # whose act it is; null: a toss, or a computer's
    undo_asks: tuple[Seat, ...]  # whose word it takes, less the seat that asks; at the table one alone is not asked
    buttons: Mapping[str, ButtonNow]  # `heads.done`, `heads.choose`, ... `referee`, `referee.hold`
    mat: Mat | None
    health: Health
    seq: int  # grows from one snapshot to the next, over restarts too
    age_s: float  # how old the newest picture is
    hint: bool  # whether a seat to act may ask for a hint
    odds: Odds | None  # null while the house rule hides them, and where they are not known
    clock: Clock | None  # null: the game is played without one
    began: int | None  # the ruling that began the game: it tells one game from the next; null without a game
