"""What interrupts play: people are asked to agree to something, a ruling is disputed, or people make a break.

Meanwhile nothing is ruled on and no time runs. An interlude lies over the prompt, which comes back after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tablecoin.referee.choices import Choice
from tablecoin.referee.commands import Command
from tablecoin.referee.events import Motion
from tablecoin.referee.prompt import Menu
from tablecoin.referee.snapshot import PromptKind
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message

ANSWER_S = 20.0  # how long people have to agree; after that the answer is no


@dataclass(frozen=True)
class Request:
    """The people of `missing` are asked whether they agree that `command` is carried out for `by`."""

    number: int  # no other request has it
    what: Motion
    why: Message  # what is asked for, as a sentence
    by: Seat | None  # None: somebody at the table
    command: Command
    missing: tuple[Seat, ...]
    beneath: Dispute | None = None  # what goes on where it is refused
    kind: ClassVar[PromptKind] = "consent"

    @property
    def said(self) -> Message:
        facts = {"why": self.why, "seats": [seat_name(seat) for seat in self.missing]}
        return (
            Message("consent.ask.by", facts | {"seat": seat_name(self.by)})
            if self.by
            else Message("consent.ask", facts)
        )

    @property
    def menu(self) -> Menu:
        agree = (Choice(Message("consent.agree", {"seat": seat_name(s)}), does="agree", seat=s) for s in self.missing)
        return Menu((*agree, Choice(Message("consent.refuse"), does="refuse")))


@dataclass(frozen=True)
class Dispute:
    """Ruling `number` is disputed. `standing`: it may be taken back, because it is an act that still stands."""

    number: int
    ruling: Message
    by: Seat | None
    standing: bool
    highlighted: int = 0
    kind: ClassVar[PromptKind] = "dispute"

    @property
    def said(self) -> Message:
        facts: dict[str, object] = {"ruling": self.ruling}
        return (
            Message("dispute.by", facts | {"seat": seat_name(self.by)}) if self.by else Message("dispute.open", facts)
        )

    @cached_property
    def menu(self) -> Menu:
        other = Choice(Message("dispute.replay"), does="replay") if self.standing else _LOOK
        return Menu((Choice(Message("dispute.stand"), does="stand"), other), self.highlighted)


@dataclass(frozen=True)
class Break:
    """People make a break: no time runs until somebody goes on."""

    kind: ClassVar[PromptKind] = "break"
    menu: ClassVar[Menu] = Menu((Choice(Message("break.go_on"), does="go on"),), highlighted=0)

    @property
    def said(self) -> Message:
        return Message("break.said")


_LOOK = Choice(Message("dispute.look"), does="look")

Interlude = Request | Dispute | Break
