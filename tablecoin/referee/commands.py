"""What a person asks for: a button press or a phone tap. Read from JSON, judged by the referee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec

from tablecoin.coins import Coin, Denomination, Face
from tablecoin.referee.events import BadCoin, BestOf, Colour, Hints, Level, OddsShown, Player, TakeBack, TimeControl
from tablecoin.rules.game import Action, Seat, State
from tablecoin.rules.names import Name
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Complaint, Message

__all__ = ["Command", "CommandError", "NotYourSeat", "Seat", "read_command"]

Button = Literal["heads.done", "heads.choose", "tails.done", "tails.choose", "referee", "referee.hold"]
BUTTONS: tuple[Button, ...] = get_args(Button)


class CommandError(Complaint, ValueError):
    """The command makes no sense now: what is wrong and what to do."""


class NotYourSeat(CommandError):
    """Somebody acted for a seat that is not theirs."""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="start"):
    """Begin a game. A game under way ends."""

    game: str
    options: Mapping[str, Any] = {}
    seats: Mapping[str, Player] = {}
    level: Level = "strong"  # how well computers play
    bad_coin: BadCoin = "alone"  # what is thrown again when a coin does not fall flat in the tray
    names: Mapping[str, Name] = {}  # seat -> who sits there; a seat may have none
    colours: Mapping[str, Colour] = {}  # seat -> the colour that its person chose
    best_of: BestOf = 1  # games of the series that it begins; 1: it stands alone
    odds: OddsShown = "after"  # when the chances of the seats are shown
    hints: Hints = "practice"  # in which games people may ask what the computer would do
    undo: TakeBack = "asked"  # free: among friends nobody is asked before something is taken back
    clock: TimeControl | None = None  # null: people take as long as they like


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """An action entered by hand, judged as any other."""

    action: Mapping[str, Any]


class Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="press"):
    """A button was pressed (`referee.hold`: held)."""

    button: Button


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="answer"):
    """The answer to the referee's question: the number of one of `prompt.choices`. With its `text`, an
    answer to choices that have changed in the meantime is refused."""

    choice: Annotated[int, msgspec.Meta(ge=0, le=100)]
    text: str | None = None


class Correct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="correct"):
    """A person overrules the reader on coin `coin` of the snapshot's table.

    A field left out stays as it was read. A null denomination means: not a US coin. With `center_mm`, the place where
    the person saw the coin, a correction is refused when another coin has that number by now.
    """

    coin: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    denomination: Denomination | msgspec.UnsetType | None = msgspec.UNSET
    face: Face | None = None
    center_mm: tuple[float, float] | None = None


class Reread(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="reread"):
    """A person overrules an earlier toss: what ruling number `ruling` showed was `coins`. They are given by zone where
    the toss has several zones."""

    ruling: Annotated[int, msgspec.Meta(ge=1)]
    coins: tuple[Coin, ...] | dict[str, tuple[Coin, ...]]


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Take back the last ruling. Where it is a toss or an act of others, they are asked first."""


class Dispute(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="dispute"):
    """Dispute ruling number `ruling` of this game; without it the last one."""

    ruling: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Pause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pause"):
    """Make a break: nothing is ruled on and no time runs until somebody goes on."""


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """`seat` gives the game up: the other one of two has won. A phone resigns for its own seat alone."""

    seat: Seat


class OfferDraw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    """Offer a draw: the game ends so if the others agree."""


class Replay(msgspec.Struct, frozen=True):
    """Play on from before ruling number `ruling`: it and all after it are taken back. Only a dispute leads here."""

    ruling: int


class Hint(msgspec.Struct, frozen=True):
    """A hint was worked out for `seat` and is to be recorded before anybody sees it. No JSON says this."""

    seat: Seat
    view: State  # the state that was thought about, as the seat saw it
    action: Action


Command = Start | Act | Press | Answer | Correct | Reread | Undo | Dispute | Pause | Resign | OfferDraw | Replay | Hint
_KINDS: Mapping[str, type[Command]] = {
    "start": Start, "act": Act, "press": Press, "answer": Answer, "correct": Correct, "reread": Reread, "undo": Undo,
    "dispute": Dispute, "pause": Pause, "resign": Resign, "draw": OfferDraw,
}  # fmt: skip


def read_command(kind: str, body: object) -> Command:
    """The command of that kind from its JSON: {"press": "heads.done"}, {"answer": {"choice": 0}}, {"undo": true}…

    A correction that names a `ruling` instead of a coin is a Reread.

    Raises CommandError: unknown or missing fields, wrong types.
    """
    if kind == "correct" and isinstance(body, Mapping) and "ruling" in body:
        kind = "reread"
    wrapped = {"act": {"action": body}, "press": {"button": body}, "undo": body if isinstance(body, Mapping) else {}}
    try:
        return msgspec.convert(wrapped.get(kind, body), _KINDS[kind])
    except msgspec.ValidationError as error:
        if kind == "press" and isinstance(body, str):
            raise CommandError(Message("command.no_button", {"button": body[:20], "buttons": BUTTONS})) from None
        problem = plain(error, wrapped.get(kind, body), _KINDS[kind])
        raise CommandError(Message("command.bad", {"kind": kind, "problem": problem})) from None
