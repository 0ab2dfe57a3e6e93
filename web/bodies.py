"""What comes in with a call, read strictly, and what goes out: shared by every part of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from flask import Response, request
from msgspec.structs import force_setattr

from tablecoin.coins import Coin, Face, Heap
from tablecoin.mqtt.messages import Assignment
from tablecoin.referee.events import Colour
from tablecoin.referee.snapshot import Texts
from tablecoin.rules.names import LONGEST_NAME, plain_name
from tablecoin.rules.plain import plain
from tablecoin.virtual.table import MOST_COINS, VirtualCoin
from tablecoin.vision.coins.enrolment import Tray
from web.answers import Problem
from web.words import Refused, say

MAX_JSON_BYTES = 256 * 1024
MAX_PHOTO_BYTES = 40 * 1024 * 1024
PHOTOS = frozenset({"/api/score", "/api/teach", "/api/known/coins"})  # calls whose body may be so big

T = TypeVar("T")
Q = TypeVar("Q", bound=msgspec.Struct)


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a call that takes none: {}, or no body at all."""


class PressBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A button of the panel, as the physical one is called: heads.done."""

    button: str


class AssignedBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which assignment of a club is meant."""

    id: str


class BroughtBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a club of this machine would like to be played; null: nothing any more."""

    assignment: Assignment | None


class TossBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Coins of the virtual table to be tossed into a zone."""

    coins: Heap
    zone: str = "tray"


class LessonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step in a lesson. `learner`: a text of one's own by which the table knows the lesson again."""

    learner: Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{8,40}$")]
    do: Literal["look", "begin", "next", "go-on", "put-back", "put", "toss", "press", "act", "answer"]
    coins: Annotated[tuple[VirtualCoin, ...], msgspec.Meta(max_length=MOST_COINS)] = ()  # put: the coins lie so now
    button: str = ""  # press: as in /api/press
    action: Mapping[str, Any] = {}  # act: as in /api/act
    choice: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0  # answer: as in /api/answer


class ScoredMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies on a Coin Age map: the coin on top of each space, and what is left in the banks."""

    map: str
    spaces: dict[str, Annotated[tuple[Coin, ...], msgspec.Meta(max_length=1)]]
    banks: dict[Face, Heap]


StepName = Literal["aim", "markers", "lens", "light", "sizes", "enrol", "pass"]


class StepBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the wizard to run; `tray` says what lies on the mat where own coins are enrolled."""

    step: StepName
    tray: Tray | None = None


class LearnBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The owner's answer: whether the table may learn its own coins."""

    learn: Literal["on", "off"]


class CodeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that was scanned at the table."""

    code: Annotated[str, msgspec.Meta(max_length=100)]


class SeatBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat: to sit at, to let somebody sit at, or to free."""

    seat: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]

    def __post_init__(self) -> None:
        force_setattr(self, "seat", plain_name(self.seat))  # a seat may be a person's name


class GuestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits at one's seat of the lobby."""

    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""
    colour: Colour | None = None
    ready: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "name", plain_name(self.name))


class PinBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The owner's PIN, or a new one."""

    pin: Annotated[str, msgspec.Meta(max_length=200)]


class SettingsBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings to be kept, each a key of tablecoin.toml; what is left out stays. null: as tablecoin.toml says again."""

    source: str | msgspec.UnsetType | None = msgspec.UNSET
    mains_hz: int | msgspec.UnsetType | None = msgspec.UNSET
    language: str | msgspec.UnsetType | None = msgspec.UNSET
    still_s: float | msgspec.UnsetType | None = msgspec.UNSET
    sounds: tuple[str, ...] | msgspec.UnsetType | None = msgspec.UNSET
    clips: str | msgspec.UnsetType | None = msgspec.UNSET
    learn: str | msgspec.UnsetType | None = msgspec.UNSET
    buzzer: str | msgspec.UnsetType | None = msgspec.UNSET
    shutdown: str | msgspec.UnsetType | None = msgspec.UNSET

    def by_section(self) -> dict[str, dict[str, object]]:
        """The settings that were sent, by the sections of tablecoin.toml."""
        sent = {key: value for key in self.__struct_fields__ if (value := getattr(self, key)) is not msgspec.UNSET}
        return {section: {key: sent[key] for key in keys if key in sent} for section, keys in _SECTIONS.items()}


_SECTIONS = {
    "camera": ("source", "mains_hz"),
    "table": ("language", "still_s", "clips", "learn", "sounds"),
    "panel": ("buzzer", "shutdown"),
}


class TrustBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether everybody here is trusted, so that playing needs no code."""

    trusted: bool


class OpenBody(PinBody, frozen=True, forbid_unknown_fields=True):
    """Opens the table to the network: the owner's PIN from now on, and whether everybody here is trusted."""

    trusted: bool = False


Side = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Pixel = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
Place = tuple[Pixel, Pixel]


class TapsBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was tapped on the photo of a card so far, in its pixels: four corners, and the middles of spaces."""

    size_px: tuple[Side, Side]
    corners_px: tuple[Place, Place, Place, Place]
    spaces_px: Annotated[tuple[Place, ...], msgspec.Meta(max_length=40)] = ()  # a map has no more


def body() -> bytes:
    """The request's body; one beyond MAX_JSON_BYTES is answered with 413."""
    request.max_content_length = MAX_JSON_BYTES
    return request.get_data(cache=False)


def read(raw: bytes, kind: type[T]) -> T:
    """The body as `kind`; Refused (400) for anything else, unknown fields and wrong types included."""
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(400, say("body.json")) from None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise Refused(400, say("body.why", why=plain(error, value, kind))) from None


def read_wish(raw: bytes) -> object:
    """The game that somebody wishes for, as the command "start" takes it: its names as they are kept."""
    wish = read(raw, object)
    if not isinstance(wish, dict):
        return wish
    for field in {"seats", "names", "colours"} & wish.keys():
        if isinstance(seats := wish[field], dict):
            wish[field] = {plain_name(seat): each for seat, each in seats.items()}
    if isinstance(names := wish.get("names"), dict):
        wish["names"] = {seat: plain_name(name) if isinstance(name, str) else name for seat, name in names.items()}
    return wish


def query(kind: type[Q]) -> Q:
    """What stands after the question mark, as `kind`; Refused (400) for wrong types.

    Fields left empty count as left out, as a form sends them; those that `kind` lacks belong to others.
    """
    known = {field.encode_name for field in msgspec.structs.fields(kind)}
    given = {name: text for name, text in request.args.items() if name in known and text}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(400, say("body.why", why=plain(error, given, kind))) from None


def passing(content: str | bytes, mimetype: str) -> Response:
    """An answer that nobody keeps: the next one may be another."""
    made = Response(content, mimetype=mimetype)
    made.headers["Cache-Control"] = "no-store"
    return made


def answer(value: object) -> Response:
    """`value` as JSON that nobody keeps."""
    return passing(msgspec.json.encode(value), "application/json")


def refusal(status: int, texts: Texts, headers: Mapping[str, str] | None = None) -> Response:
    """The one shape of every error: a Problem."""
    made = answer(Problem(texts["en"], texts))
    made.status_code = status
    made.headers.update(headers or {})
    return made
