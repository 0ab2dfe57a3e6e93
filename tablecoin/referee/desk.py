"""What lies before the referee at one moment: its working memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tablecoin.coins import Denomination, Face
from tablecoin.referee.belief import Difference
from tablecoin.referee.choices import Choice
from tablecoin.referee.commands import CommandError
from tablecoin.referee.match import Match
from tablecoin.referee.memory import BY_RULES, Known, Overruled, near, recognised, settled
from tablecoin.referee.snapshot import PromptKind
from tablecoin.referee.voice import steps
from tablecoin.rules.game import Action, Layout, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Reading, SeenCoin, Sighting
from tablecoin.vision.rest.settle import Look


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
    action: dict[str, Any] | None = None
    aside: Message | None = None
    evidence: bool = False  # whether pictures were kept with it


@dataclass
class Desk:
    """The referee's own working memory; nobody else changes it."""

    match: Match | None = None
    look: Look | None = None  # the newest
    sighting: Sighting | None = None  # the newest, for as long as nothing has moved since
    camera_problem: Message | None = None  # why no picture can be ruled on
    corrections: tuple[Overruled, ...] = ()
    agreed: Reading | None = None  # the last that showed the state as it stood
    shown: Layout | None = None  # what it showed; None: unknown since a start, or while no pictures came
    known: tuple[Known, ...] = ()  # what rulings settled about coins that still lie there
    kind: PromptKind = "lobby"
    said: Message = field(default_factory=lambda: Message("referee.lobby"))
    differences: tuple[Difference, ...] = ()
    choices: tuple[Choice, ...] = ()
    highlighted: int | None = None  # the choice DONE takes; None: DONE ends the turn
    ruling: Ruling | None = None
    arranging: bool = False  # the referee itself changed the state; the table is to follow
    strictly: bool = False  # taken back: nothing is ruled until the table shows the state exactly
    waiting: tuple[Seat, Action | None] | None = None  # who pressed DONE before the table was still
    stale: tuple[SeenCoin, ...] | None = None  # coins in the flip's zones that were not tossed; None: unknown

    @property
    def settled(self) -> bool:
        """Whether the table may be ruled on: it was sighted and nothing has moved since."""
        return self.sighting is not None

    @property
    def reading(self) -> Reading | None:
        """The newest reading: the settled one, else what was read last."""
        return self.sighting.reading if self.sighting else self.look.reading if self.look else None

    def playing(self) -> Match:
        """The game under way. Raises CommandError when there is none."""
        if not self.match:
            raise CommandError("no game is being played; start one first")
        return self.match

    def coins(self) -> tuple[SeenCoin, ...]:
        """The coins of the newest reading, people's corrections put in, and what is known of coins not touched."""
        return tuple(self._corrected(coin) for coin in self.reading.coins) if self.reading else ()

    def forget_moved_corrections(self) -> None:
        """A correction holds while its coin lies where it was made."""
        coins = self.reading.coins if self.reading else ()
        self.corrections = tuple(c for c in self.corrections if any(c.is_about(coin) for coin in coins))

    def overrule(self, number: int, denomination: Denomination | None, face: Face | None) -> None:
        """A person says that coin `number` of the newest reading is something else."""
        seen = self.reading.coins[number] if self.reading else None
        if seen and seen.place_mm:
            others = [c for c in self.corrections if not near(c.place_mm, seen.place_mm)]
            self.corrections = (*others, Overruled(seen.place_mm, denomination, face, seen))

    def _corrected(self, coin: SeenCoin) -> SeenCoin:
        for correction in self.corrections:
            if correction.is_about(coin):
                return correction.put_right(coin)
        return recognised(coin, self.known)

    def learn(self, layout: Layout, yields: float = BY_RULES) -> None:
        """The settled table shows `layout`: what each of its coins is, is known while it lies there."""
        coins = self.coins()
        lasting = [
            one
            for one in self.known
            if one.yields < yields and any(c.place_mm and near(c.place_mm, one.place_mm) for c in coins)
        ]
        self.known = (*lasting, *settled(layout, coins, yields))
        self.agreed, self.shown = self.reading, layout


def to_put_right(differences: Sequence[Difference]) -> dict[str, object]:
    return {"steps": steps(differences)}
