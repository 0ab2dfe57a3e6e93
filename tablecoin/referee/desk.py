"""What lies before the referee at one moment: its working memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from tablecoin.coins import Denomination, Face
from tablecoin.referee.belief import Difference
from tablecoin.referee.choices import games
from tablecoin.referee.clocks import Clocks, clocked_seats
from tablecoin.referee.commands import CommandError
from tablecoin.referee.falls import Falls
from tablecoin.referee.interlude import Dispute, Interlude, Request
from tablecoin.referee.match import Match
from tablecoin.referee.memory import BY_RULES, Memory, near
from tablecoin.referee.prompt import AboutCoin, Lobby, Menu, Prompt, menu_of
from tablecoin.rules.game import Action, Layout, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Reading, SeenCoin, Sighting
from tablecoin.vision.rest.settle import Look

_THINKING = ("turn", "unfinished", "refused", "paused")  # kinds of prompts in which the referee waits for a side


class Expected(Enum):
    """What is expected of the table."""

    FOLLOWING = "people act, and the referee rules on what the table shows"
    ARRANGING = "the referee changed the state: the table is to be arranged so, and people may act meanwhile"
    RESTORING = "something was taken back: nothing is ruled on until the table shows the state exactly"


@dataclass(frozen=True)
class Watching:
    """Pictures come. `sighting` is the newest, for as long as nothing has moved since."""

    look: Look
    sighting: Sighting | None


@dataclass(frozen=True)
class Blind:
    """No picture comes that can be ruled on: play goes on by hand. `why` is None before the first picture."""

    why: Message | None


@dataclass(frozen=True)
class Done:
    """A DONE that cannot be carried out yet. `action` ends the turn; None: the one that is legal then."""

    seat: Seat
    action: Action | None


class DoneTooEarly(Done):
    """It was pressed before the table was still."""


class DoneDuringQuestion(Done):
    """It waits for the answer to the open question."""


@dataclass(frozen=True)
class Ruling:
    """The referee's word on what happened. `number` counts the events of the journal.

    `aside` is what only the person who asked is told, in place of `message`: why a sealed act was refused.
    """

    number: int
    accepted: bool
    message: Message
    seat: Seat | None
    clause: str | None = None
    action: Mapping[str, Any] | None = None
    aside: Message | None = None
    evidence: bool = False  # whether pictures were kept with it
    righted: bool = False  # it was refused, and the table was put right since


@dataclass
class Desk:
    """The referee's own working memory. Its parts are immutable values; nobody else replaces them."""

    match: Match | None = None
    ruling: Ruling | None = None  # the last
    prompt: Prompt = field(default_factory=lambda: Lobby(Menu(games(), highlighted=0)))
    interlude: Interlude | None = None  # lies over the prompt: meanwhile nothing is ruled on
    waiting: DoneTooEarly | DoneDuringQuestion | None = None
    view: Watching | Blind = Blind(None)
    expected: Expected = Expected.FOLLOWING
    clocks: Clocks = field(default_factory=Clocks)
    looks: int = 0  # how often people asked to have the table looked at again
    differences: tuple[Difference, ...] = ()  # between the settled table and the state
    memory: Memory = field(default_factory=Memory)
    agreed: Reading | None = None  # the last that showed the state as it stood
    shown: Layout | None = None  # what it showed; None: unknown since a start, or while no pictures came
    untossed: tuple[SeenCoin, ...] | None = None  # coins of the toss's zones that were not tossed; None: unknown
    falls: Falls = field(default_factory=Falls)  # the trays of the toss that were read, where there are several

    @property
    def sighting(self) -> Sighting | None:
        """The settled table, for as long as nothing has moved since."""
        return self.view.sighting if isinstance(self.view, Watching) else None

    @property
    def settled(self) -> bool:
        """Whether the table may be ruled on."""
        return self.sighting is not None

    @property
    def by_hand(self) -> bool:
        """Whether pictures came and no longer do, so that play goes on by buttons and phones."""
        return isinstance(self.view, Blind) and self.view.why is not None

    @property
    def reading(self) -> Reading | None:
        """The newest reading: the settled one, else what was read last."""
        if not isinstance(self.view, Watching):
            return None
        return self.view.sighting.reading if self.view.sighting else self.view.look.reading

    @property
    def said(self) -> Message:
        """What people are told to do now."""
        if self.interlude:
            return self.interlude.said
        return Message("referee.hold_still") if isinstance(self.waiting, DoneTooEarly) else self.prompt.said

    @property
    def menu(self) -> Menu:
        """What may be chosen now."""
        return self.interlude.menu if self.interlude else menu_of(self.prompt)

    @property
    def thrown(self) -> bool:
        """Whether one tray of the toss that is due was read, and another is still to be."""
        return self.match is not None and bool(self.falls.of(self.match).trays)

    @property
    def disputed(self) -> int | None:
        """The number of the ruling that is disputed; None: none is."""
        interlude = self.interlude.beneath if isinstance(self.interlude, Request) else self.interlude
        return interlude.number if isinstance(interlude, Dispute) else None

    @property
    def ruled(self) -> int:
        """The number of the last ruling; 0 before any."""
        return self.ruling.number if self.ruling else 0

    @property
    def thinking(self) -> tuple[Seat, ...]:
        """The seats whose clocks run; () in a game without a chess clock."""
        match = self.match
        if match is None or match.outcome or self.interlude or isinstance(self.view, Blind):
            return ()
        if self.prompt.kind not in _THINKING:
            return ()
        return tuple(seat for seat in match.game.to_act(match.state) if seat in clocked_seats(match))

    @property
    def refusal_stands(self) -> bool:
        """Whether the last ruling refused something by a clause, and that was not put right yet."""
        return self.ruling is not None and self.ruling.clause is not None and not self.ruling.righted

    def put_right(self) -> None:
        """The table shows the state: a refusal before that is settled."""
        if self.ruling and self.refusal_stands:
            self.ruling = replace(self.ruling, righted=True)

    def playing(self) -> Match:
        """The game under way. Raises CommandError when there is none."""
        if not self.match:
            raise CommandError(Message("command.no_game"))
        return self.match

    def read(self) -> tuple[SeenCoin, ...]:
        """The coins of the newest reading as the reader gave them."""
        return self.reading.coins if self.reading else ()

    def coins(self) -> tuple[SeenCoin, ...]:
        """The same with people's corrections, and with what is known of coins that were not touched."""
        return self.memory.applied(self.read())

    def asked_about(self) -> int | None:
        """The coin that people are asked about, by its number in the newest reading; None: none, or it is gone."""
        if not isinstance(self.prompt, AboutCoin) or not (place := self.prompt.close.coin.place_mm):
            return None
        lying = enumerate(self.read())
        return next((number for number, coin in lying if coin.place_mm and near(coin.place_mm, place)), None)

    def forget_moved_corrections(self) -> None:
        """A correction holds while its coin lies where it was made."""
        self.memory = self.memory.still_about(self.read())

    def overrule(self, number: int, denomination: Denomination | None, face: Face | None) -> None:
        """A person says that coin `number` of the newest reading is something else."""
        if number < len(self.read()):
            self.memory = self.memory.overruled(self.read()[number], denomination, face)

    def doubt(self, coin: SeenCoin) -> None:
        """People are asked about this coin: one look alone does not settle it any more."""
        self.memory = self.memory.doubting(coin)

    def learn(self, layout: Layout, yields: float = BY_RULES) -> None:
        """The settled table shows `layout`: what each of its coins is, is known while it lies there."""
        self.memory = self.memory.learnt(layout, self.coins(), yields)
        self.agreed, self.shown = self.reading, layout
