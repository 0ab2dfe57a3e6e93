"""What people should do now: one class for each kind of prompt, with what it carries. All are immutable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tablecoin.coins import Heap
from tablecoin.referee.belief import Difference
from tablecoin.referee.choices import Choice
from tablecoin.referee.snapshot import PromptKind
from tablecoin.referee.voice import steps, zone_name
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame, SeenCoin

Differences = tuple[Difference, ...]


@dataclass(frozen=True)
class Menu:
    """What may be chosen, with one tap or with CHOOSE and DONE."""

    choices: tuple[Choice, ...] = ()
    highlighted: int | None = None  # the choice that DONE takes; None: DONE ends the turn


NO_MENU = Menu()


@dataclass(frozen=True)
class Lobby:
    """No game is played: choose one."""

    menu: Menu
    kind: ClassVar[PromptKind] = "lobby"

    @property
    def said(self) -> Message:
        return Message("referee.lobby")


@dataclass(frozen=True)
class Turn:
    """Somebody is to act."""

    said: Message
    menu: Menu
    kind: ClassVar[PromptKind] = "turn"


@dataclass(frozen=True)
class TossDue:
    """Coins are to be tossed. `said` names what is wrong with the coins thrown so far, if anything is."""

    said: Message
    kind: ClassVar[PromptKind] = "flip"


@dataclass(frozen=True)
class Arrange:
    """The referee changed the state (a ruling by hand, a computer's act, an undo), and the table is to follow."""

    differences: Differences
    kind: ClassVar[PromptKind] = "arrange"

    @property
    def said(self) -> Message:
        return Message("referee.arrange", {"steps": steps(self.differences)})


@dataclass(frozen=True)
class Unfinished:
    """The table lies between two lawful positions. `differences`: what the next needs; `early`: what is too early."""

    differences: Differences
    early: Message | None = None
    kind: ClassVar[PromptKind] = "unfinished"

    @property
    def said(self) -> Message:
        if self.early:
            return Message("referee.unfinished.early", {"why": self.early})
        return Message("referee.unfinished", {"steps": steps(self.differences)})


@dataclass(frozen=True)
class Question:
    """The referee cannot tell what happened; the menu holds the answers, likeliest first."""

    said: Message
    menu: Menu
    kind: ClassVar[PromptKind] = "question"


@dataclass(frozen=True)
class Close:
    """A coin and the frame in which it was seen, so that people can be shown it large."""

    frame: Frame
    coin: SeenCoin


@dataclass(frozen=True)
class AboutCoin:
    """The ruling hangs on one coin that the reader doubts. The menu says what it may be, likelier first.

    `lamp`: people want it to be looked at again, so they are to change the light or lay the coin flatter.
    """

    said: Message
    menu: Menu
    close: Close
    lamp: Message
    kind: ClassVar[PromptKind] = "question"

    def looking_again(self) -> AboutCoin:
        """The same question while people change the light."""
        answers = tuple(choice for choice in self.menu.choices if choice.coin)
        return replace(self, said=self.lamp, menu=Menu(answers, highlighted=0))


@dataclass(frozen=True)
class Refused:
    """A rule was broken; `differences` are what to put back."""

    broken: IllegalAction
    differences: Differences
    kind: ClassVar[PromptKind] = "refused"

    @property
    def said(self) -> Message:
        """What to do; why it was refused is the ruling's to say, unless there is nothing to do."""
        put_back = steps(self.differences)
        return Message("referee.put_back", {"steps": put_back}) if put_back else self.broken.message


@dataclass(frozen=True)
class Paused:
    """The table shows nothing that the rules or people's usual mistakes lead to."""

    differences: Differences
    kind: ClassVar[PromptKind] = "paused"

    @property
    def said(self) -> Message:
        return Message("referee.paused", {"steps": steps(self.differences)})


@dataclass(frozen=True)
class OnEdge:
    """A coin lies across the edge of a zone, so nobody can say whether it is in or out."""

    coins: Heap
    zone: str
    kind: ClassVar[PromptKind] = "paused"

    @property
    def said(self) -> Message:
        return Message("referee.edge", {"coins": self.coins, "zone": zone_name(self.zone)})


@dataclass(frozen=True)
class Over:
    """The game has ended; the menu offers the next one."""

    said: Message
    menu: Menu
    kind: ClassVar[PromptKind] = "over"


Asking = Question | AboutCoin  # the prompts that wait for an answer
Choosing = Lobby | Turn | Asking | Over  # the prompts that have a menu
Prompt = Choosing | TossDue | Arrange | Unfinished | Refused | Paused | OnEdge


def menu_of(prompt: Prompt) -> Menu:
    """The prompt's menu; an empty one where it has none."""
    return prompt.menu if isinstance(prompt, Choosing) else NO_MENU


def highlight_next(prompt: Prompt) -> Prompt:
    """CHOOSE: the next choice is highlighted, from the last the first. A prompt without choices stays as it is."""
    if not isinstance(prompt, Choosing) or not prompt.menu.choices:
        return prompt
    before = prompt.menu.highlighted
    after = 0 if before is None else (before + 1) % len(prompt.menu.choices)
    return replace(prompt, menu=replace(prompt.menu, highlighted=after))


def keep_highlight(prompt: Prompt, before: Prompt) -> Prompt:
    """`prompt` with the choice that was highlighted `before`, if both offer the same: looking again changes nothing."""
    if not isinstance(prompt, Choosing) or not isinstance(before, Choosing):
        return prompt
    if prompt.kind != before.kind or prompt.menu.choices != before.menu.choices:
        return prompt
    return replace(prompt, menu=before.menu)
