"""The shapes of the API's answers that no other room has. With those of the snapshot they make the OpenAPI file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tablecoin.coins import Coin, Denomination, Face
from tablecoin.journal.played import PlayedGame
from tablecoin.journal.players import PlayerRecord
from tablecoin.live.acts import LegalAct
from tablecoin.live.kept_coins import Learn
from tablecoin.mat import Mat
from tablecoin.mqtt.messages import Reply
from tablecoin.referee.events import BadCoin, BestOf, Colour, Hints, Level, OddsShown, Player, TakeBack, TimeControl
from tablecoin.referee.snapshot import ActionJson, Snapshot, Texts
from tablecoin.replay.report import Report
from tablecoin.rules.coin_age.score import RegionTally
from tablecoin.rules.game import Seat
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.vision.calibrated import Pass
from tablecoin.vision.coins.enrolment import Tray
from tablecoin.vision.coins.remembered import Source


class Problem(msgspec.Struct, frozen=True):
    """Every answer above status 399. `error` is English; `texts` holds the same sentence in every language."""

    error: str
    texts: Texts


class Alive(msgspec.Struct, frozen=True):
    """What a running table answers to a program that asks whether it is well."""

    frames: int  # of the camera, since the start; they must grow
    version: str | msgspec.UnsetType = msgspec.UNSET  # told to this machine, to the screen at the table and the owner


class OwnerState(msgspec.Struct, frozen=True):
    """The owner's settings as they are at the next start, by section and key, and what may be done with the program."""

    values: Mapping[str, Mapping[str, Any]]
    waits: bool  # whether they hold only from the next start on
    version: str
    restarts: bool  # whether something starts the program again when it ends
    off: bool  # whether the program may switch the computer off


class LogLines(msgspec.Struct, frozen=True):
    """The newest lines of the service's log, oldest first; none where there is no such log."""

    lines: tuple[str, ...]


class MapScore(msgspec.Struct, frozen=True):
    """How a map counts; the fields are those of a photo's score."""

    regions: Mapping[str, RegionTally]
    score: Mapping[Face, int]
    winner: Face | None
    tie_break: str | None


class Told(msgspec.Struct, frozen=True):
    """What became of a command. What the rules refuse is an answer too: `ok` is false, and `why` says the reason."""

    ok: bool
    why: str | None
    seq: int  # of the newest snapshot
    texts: Texts | msgspec.UnsetType = msgspec.UNSET  # `why` in every language


class AssignedGame(msgspec.Struct, frozen=True):
    """A game that a club would like to be played here."""

    id: str
    event: str  # the tournament's name; may be empty
    round: int  # 0: none is told
    game: str
    title: Texts
    names: Mapping[str, str]  # who plays, by seat
    best_of: int
    clock: TimeControl | None  # null: without a chess clock


class Assigned(msgspec.Struct, frozen=True):
    """What a club assigned to this table, for who may begin a game here; null while none can be begun."""

    assigned: AssignedGame | None


class Brought(msgspec.Struct, frozen=True):
    """What became of the assignments that a club brought: of the newest one, and the games played for any."""

    reply: Reply | None
    games: Mapping[int, str]  # number of the game -> id of its assignment


class Acts(msgspec.Struct, frozen=True):
    """What a seat may do now by hand."""

    acts: tuple[LegalAct, ...]


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of why a game was won. `problem`: it cannot be worked out, and why."""

    running: bool  # it is being worked out: ask again
    report: Report | None = None
    problem: Texts | None = None


# -- health -----------------------------------------------------------------------------------------------------------


class Checked(msgspec.Struct, frozen=True):
    """What one check found. `warn`: works, but should be corrected; `fail`: does not work."""

    what: str
    status: Literal["ok", "warn", "fail"]
    title: Texts
    said: Texts
    todo: Texts | None


class HealthReport(msgspec.Struct, frozen=True):
    """What the checks found lately."""

    findings: tuple[Checked, ...]
    may_read: bool  # the journal lost something, and the caller is the owner, who may say that it was read


# -- games ------------------------------------------------------------------------------------------------------------

OptionKind = Literal["switch", "number", "text", "choice", "names", "json"]


class GameOption(msgspec.Struct, frozen=True):
    """A house rule. `names` is a list of texts; `json` is anything deeper."""

    name: str
    kind: OptionKind
    choices: tuple[Any, ...] | None  # of a choice
    min: float | None  # of a number
    max: float | None
    default: Any
    description: str | None
    titles: Mapping[str, Texts] | msgspec.UnsetType = msgspec.UNSET  # of a map: choice -> its title


class GameOffered(msgspec.Struct, frozen=True):
    """A game one can start."""

    game: str
    title: Texts
    seats: tuple[Seat, ...]
    options: tuple[GameOption, ...]


class Games(msgspec.Struct, frozen=True):
    """Every game, in the order they are offered."""

    games: tuple[GameOffered, ...]


class RulebookClause(msgspec.Struct, frozen=True):
    """A numbered rule in one language."""

    id: str
    number: str
    text: str
    refereeable: bool  # false: the players must see to it themselves


class RulebookChapter(msgspec.Struct, frozen=True):
    """A heading over the clauses whose numbers begin with `number`, in one language."""

    number: str
    title: str


class Rulebook(msgspec.Struct, frozen=True):
    """The clauses of one game in one language, those that all games share last."""

    game: str
    title: str
    language: str
    clauses: tuple[RulebookClause, ...]
    chapters: tuple[RulebookChapter, ...]


class CoinDrawn(msgspec.Struct, frozen=True):
    """A coin of a drawn picture: its middle on the mat. A null face does not matter."""

    denomination: Denomination
    face: Face | None
    x_mm: float
    y_mm: float


class PrimerPicture(msgspec.Struct, frozen=True):
    """Coins on the mat, later ones on earlier ones, and the part of the mat to draw: left, top, width, height."""

    coins: tuple[CoinDrawn, ...]
    box_mm: tuple[float, float, float, float]
    lit: tuple[str, ...]  # zones to be marked
    caption: Texts  # empty: the sentence says it


class PrimerSentence(msgspec.Struct, frozen=True):
    """One thing to know of a game, and the picture that shows it."""

    texts: Texts
    picture: PrimerPicture | None


class PrimerShown(msgspec.Struct, frozen=True):
    """A game in one minute, and one example turn."""

    game: str
    mat: Mat
    minute: tuple[PrimerSentence, ...]
    example: tuple[PrimerSentence, ...]


class LessonOffer(msgspec.Struct, frozen=True):
    """An act that a lesson offers as a button."""

    action: ActionJson
    texts: Texts


class LessonShown(msgspec.Struct, frozen=True):
    """Where somebody stands in the lesson of a game, and the table they practise at."""

    game: str
    title: Texts
    you: Seat  # the seat of the person
    step: int  # from 0; `steps` once the lesson is over
    steps: int
    kind: Literal["read", "act", "mistake", "reply", "over"]
    texts: Texts  # what is said
    aside: Literal["other", "refused", "mistaken", "unsettled"] | None  # what else happened
    beside: Texts  # what is said about that; empty: nothing of its own
    lit: tuple[str, ...]  # zones to light up
    coins: tuple[Denomination, ...]  # coins of the box to light up
    act: str | None  # the kind of action that is asked for
    fell: tuple[Coin, ...]  # how the coins of the last toss fell
    told: tuple[Texts, ...]  # what the toss came to, and what the other seats did
    offers: tuple[LessonOffer, ...]
    nexts: bool  # "next" leads on
    lies: tuple[VirtualCoin, ...]  # the coins of the table; later ones lie on earlier ones
    snapshot: Snapshot


# -- history ----------------------------------------------------------------------------------------------------------


class GamesPlayed(msgspec.Struct, frozen=True):
    """A page of the games played at this table, newest first."""

    games: tuple[PlayedGame, ...]
    before: int | None  # ask for the games before this number next; null: there are no older ones
    playing: int | None  # the number of the game under way; null: none is
    uncounted: int  # events of the journal that are still to be counted, as after it was built anew


class Players(msgspec.Struct, frozen=True):
    """Everybody who gave a name at this table, who played last first."""

    players: tuple[PlayerRecord, ...]


# -- the virtual table ------------------------------------------------------------------------------------------------


class VirtualState(Scene, frozen=True, kw_only=True):
    """Everything on the virtual table, and the name of its mat."""

    mat: str


class VirtualChange(Scene, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What PUT /api/virtual sets. A key left out stays as it is; so does a fault left out of `faults`."""

    mat: str | msgspec.UnsetType = msgspec.UNSET  # only the mat that lies there: a game lays its own


# -- who may do what --------------------------------------------------------------------------------------------------


RoleName = Literal["watch", "seat", "referee", "owner"]


class AccessState(msgspec.Struct, frozen=True):
    """How the table stands, and how the caller does."""

    mode: Literal["closed", "open", "trusted"]
    role: RoleName
    seat: Seat | None  # that the caller holds
    asked: Seat | None  # that it waits for: somebody at the table must confirm it
    chooses: bool  # a seat is a plain choice (X-Seat, ?seat=) and need not be held
    here: bool  # the call comes from the table's own machine


class SeatTaken(msgspec.Struct, frozen=True):
    """A seat, whether a phone sits there, and whether one waits to."""

    seat: Seat
    taken: bool
    asked: bool


class AccessTable(msgspec.Struct, frozen=True):
    """Who sits where."""

    seats: tuple[SeatTaken, ...]


# -- the lobby --------------------------------------------------------------------------------------------------------


class LobbySeat(msgspec.Struct, frozen=True):
    """A seat of the game that is laid out, and who said to sit there."""

    seat: Seat
    player: Player
    name: str  # "" where none was given
    colour: Colour | None
    ready: bool


class LobbyState(msgspec.Struct, frozen=True):
    """The game that is laid out, to begin when its people are ready. `game` null: none is."""

    game: str | None
    options: Mapping[str, Any]  # those that differ from the rulebook
    level: Level
    bad_coin: BadCoin
    odds: OddsShown
    hints: Hints
    undo: TakeBack
    clock: TimeControl | None  # the chess clock; null: none
    best_of: BestOf
    seats: tuple[LobbySeat, ...]
    host: bool  # the caller may change and begin it
    named: bool = False  # its seats are called by the people's own names
    open: bool = False  # anybody may sit down by a name


# -- setting up -------------------------------------------------------------------------------------------------------


class StepResult(msgspec.Struct, frozen=True):
    """How a step of the wizard went: what it found and what to do about it."""

    step: str
    ok: bool
    more: bool  # not done yet, and nothing is wrong: it wants another picture
    said: Texts
    todo: Texts
    figures: Mapping[str, float | None]


class StepRun(msgspec.Struct, frozen=True):
    """The answer to a run of a step."""

    result: StepResult


class WizardStep(msgspec.Struct, frozen=True):
    """A step of the wizard as it stands; `result` is of its newest run."""

    name: str
    optional: bool
    done: bool
    result: StepResult | None


class WizardState(msgspec.Struct, frozen=True):
    """Everything the wizard's page shows."""

    camera: str
    file: str
    date: str | None  # when the file was begun, ISO 8601
    left_aside: str | None  # why a calibration that is there is not used
    left_aside_texts: Texts | None
    said: str
    steps: tuple[WizardStep, ...]
    asked: Mapping[Coin, int]  # what a measured pass wants on the mat
    tray: Tray  # what people say lies there, for own coins
    shown: tuple[Face, ...]  # sides of own coins taken already
    left_coins: str | None  # why own coins that are there are not used
    left_coins_texts: Texts | None
    passes: tuple[Pass, ...]


class KnownCoin(msgspec.Struct, frozen=True):
    """One face of a coin that the table remembers, and who said what it is."""

    denomination: Denomination
    face: Face | None  # null: only the denomination is known
    source: Source
    picture: str  # the address of a small JPEG


class KnownCoins(msgspec.Struct, frozen=True):
    """What the table remembers of its own coins, and whether it learns."""

    learn: Learn  # ask: the owner has not answered yet
    fixed: bool  # tablecoin.toml says it, so the page cannot
    coins: tuple[KnownCoin, ...]
    trouble: str | None  # why the file could not be read or written
    trouble_texts: Texts | None


class Taught(msgspec.Struct, frozen=True):
    """A map that was learnt."""

    map: str
    path: str  # the name of its file
    spaces: int
    points: int  # that its card is recognized by


class Guessed(msgspec.Struct, frozen=True):
    """What a card's taps tell: its width over its height, and which spaces are neighbours (pairs of indices)."""

    aspect: float
    neighbours: tuple[tuple[int, int], ...]
