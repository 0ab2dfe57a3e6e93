"""Simulated people at the virtual table: they set it, answer the referee, correct its readings, and keep a story.

They know the true state; the referee only sees the table. So every ruling can be compared with the truth.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from lab.reading.causes import Cause
from lab.reading.doubts import Said, doubts, lying_at
from lab.reading.purses import Purse
from lab.refereeing.aside import Aside
from tablecoin.coins import Coin
from tablecoin.mat import Circle, Rectangle
from tablecoin.referee.commands import Answer, Command, Correct
from tablecoin.referee.events import Nature
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import Prompt, Snapshot
from tablecoin.rules.coin_age.state import CoinAgeState
from tablecoin.rules.game import Game, Pile, State
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError, VirtualCoin, VirtualTable
from tablecoin.vision.rest.clearness import BLURRED, DARK
from tablecoin.vision.rest.settle import Look

AnyGame = Game[Any, Any, Any]
_MOST_HELP = 12  # largest number of answers and corrections after one action
_NOT_UNDERSTOOD = ("refused", "paused", "unfinished", "arrange")  # prompts after which people look for a misread coin


class Ruler(Protocol):
    """A Referee, or something that stands in for one."""

    @property
    def match(self) -> Match | None: ...

    def see(self, look: Look) -> None: ...

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]: ...

    def snapshot(self) -> Snapshot: ...

    def answers(self) -> list[State]: ...


class Stage(Protocol):
    """A virtual table that a referee watches."""

    table: VirtualTable
    purse: Purse

    @property
    def referee(self) -> Ruler: ...

    @property
    def restarts(self) -> int:
        """How often the program was restarted."""

    def settle(self) -> None:
        """Let hands pass over the table; afterwards the referee sees what lies there."""


@dataclass
class Story:
    """What happened in one game."""

    game: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)  # turns, actions, mistakes, questions, corrections…
    wrong: list[str] = field(default_factory=list)  # one sentence for each wrong ruling
    causes: list[Cause] = field(default_factory=list)  # of wrong rulings, questions and corrections
    stuck: str | None = None  # why the game could not go on
    over: bool = False


class Seated:
    """People of one game on one stage."""

    def __init__(self, game: AnyGame, stage: Stage, seed: int) -> None:
        self._game, self._stage, self._dice = game, stage, Random(seed)
        self.story = Story(game.name, seed)
        self.sit_down(Aside(stage.purse.skin))
        self._restarts = 0  # of the program before the current action; an action lost in a restart is repeated

    def sit_down(self, aside: Aside) -> None:
        """Play without these coins, and put more with them when the referee asks about their sides."""
        self._aside, self._stage.table.put_aside = aside, aside.holds

    @property
    def _state(self) -> State | None:
        """The state of play according to the referee."""
        match = self._stage.referee.match
        return match.state if match else None

    @property
    def _unclear(self) -> str | None:
        """Why the referee does not rule on what it sees, as it says itself."""
        notices = self._stage.referee.snapshot().health.said
        return next((notice.texts["en"] for notice in notices if notice.code in (DARK.key, BLURRED.key)), None)

    # -- the table ----------------------------------------------------------------------------------------------------

    def _set(self, state: State) -> None:
        """Set the table for `state`, including the coins below the top ones on Coin Age's spaces.

        Raises TableError: a zone has no room.
        """
        stacks = None
        if isinstance(state, CoinAgeState):
            spaces = (f"space.{space.id}" for space in state.board.spaces)
            stacks = dict(zip(spaces, state.stacks, strict=True))
        table, layout = self._stage.table, self._game.layout(state)
        try:
            arrange(table, layout, stacks)
        except TableError:  # the coins lie too far apart: people lay all of them again
            table.put(())
            arrange(table, layout, stacks)

    def _lies_as(self, state: State) -> bool:
        """Whether every zone holds the coins of `state`; in a zone of stacks, whether the top coin is right."""
        lies: dict[str, list[Coin]] = {}
        for coin in self._stage.table.scene.coins:
            lies.setdefault(self._zone(coin) or "", []).append(coin.coin)
        for zone, pile in self._game.layout(state).items():
            coins = lies.get(zone, [])
            if isinstance(self._stage.table.mat.zone(zone).area, Circle):
                coins = coins[-1:]
            seen = Pile.of(coins)
            if seen.heap != pile.heap or (pile.heads is not None and seen.heads != pile.heads):
                return False
        return True

    def _zone(self, coin: VirtualCoin) -> str | None:
        return self._stage.table.mat.zone_at(coin.x_mm, coin.y_mm)

    # -- the referee --------------------------------------------------------------------------------------------------

    def _answer(self, before: State, after: State) -> None:
        """Help the referee from `before` to `after`, which is what happened: answer questions, correct readings.

        A ruling that leads to another state is wrong, and so is a refusal; both are written down.
        """
        for _ in range(_MOST_HELP):
            state, kind = self._state, self._stage.referee.snapshot().prompt.kind
            if self._unclear:
                return
            if self._stage.referee.snapshot().prompt.coin is not None:
                if not self._name_the_coin():
                    return
                continue
            answers = self._stage.referee.answers() if kind == "question" else []
            if state not in (before, after) and after not in answers:  # the referee may ask about coins put back
                self._wrong(f"ruled wrongly: {self._said()}")
                return
            lost = state == before != after and self._stage.restarts > self._restarts
            if kind == "refused" and not lost:
                self._wrong(f"refused, though lawful: {self._said()}")
            if kind == "question":
                self.story.counts["questions"] += 1
                self._because("question")
                if after in answers:
                    self._put_aside_unclear()
                    self._stage.referee.command(Answer(answers.index(after)), None)
                    continue
            elif state == after and kind not in _NOT_UNDERSTOOD:
                return
            if not self._correct():
                return

    def _put_aside_unclear(self) -> None:
        """Put the coins of a toss aside that are not sure, as the question how it fell advises."""
        shown = self._stage.referee.snapshot()
        for seen in shown.table.coins:
            lying = lying_at(self._stage.table.scene.coins, seen.center_mm)
            if lying and not seen.sure and seen.zone in shown.table.flips:
                self._aside.put(lying)

    def _name_the_coin(self) -> bool:
        """Answer what the coin is that the referee asks about; where no answer is true, correct it.

        Returns whether the referee was helped.
        """
        shown = self._stage.referee.snapshot()
        asked = shown.prompt.coin
        place = shown.table.coins[asked].center_mm if asked is not None else None
        lying = lying_at(self._stage.table.scene.coins, place)
        self.story.counts["questions"] += 1
        self.story.counts["questions about a coin"] += 1
        self._because("question about a coin", asked)
        for number, choice in enumerate(shown.prompt.choices):
            said = choice.coin
            if said and _is_true(said, lying):
                self._stage.referee.command(Answer(number), None)
                if lying and _is_about_side(shown.prompt):
                    self._aside.put(lying)
                return True
        return self._correct()

    def _correct(self) -> bool:
        """Correct one misread coin, as with two taps on the page, or lay a coin again that was not seen at all.

        Returns whether there was one.
        """
        read = self._stage.referee.snapshot().table.coins
        table = self._stage.table
        lies = table.scene.coins
        for seen in read:
            truth = lying_at(lies, seen.center_mm)
            side = truth and truth.face if self._side_matters(seen.zone) else seen.face
            if truth and (seen.denomination, seen.face) != (truth.denomination, side):
                self.story.counts["corrections"] += 1
                self._because("correction", seen.i)
                self._stage.referee.command(Correct(seen.i, truth.denomination, truth.face), None)
                return True
        shown = [lying_at(lies, seen.center_mm) for seen in read]
        for number, coin in enumerate(lies):
            zone = table.mat.zone_at(coin.x_mm, coin.y_mm)
            if (
                coin not in shown and zone and isinstance(table.mat.zone(zone).area, Rectangle)
            ):  # in a rectangle no coins are stacked
                self.story.counts["laid anew"] += 1
                self._because("laid anew")
                table.remove(number)
                table.place(coin.coin, zone)
                self._stage.settle()
                return True
        return False

    def _side_matters(self, zone: str | None) -> bool:
        """Whether it counts which side is up there. In a bank it does not, and nobody corrects it."""
        pile = self._game.layout(self._state).get(zone or "") if self._state is not None else None
        return pile is None or pile.heads is not None

    def _ruled(self) -> int | None:
        """The number of the last ruling. It tells whether a toss was counted that did not change the state."""
        ruling = self._stage.referee.snapshot().ruling
        return ruling.seq if ruling else None

    def _clause(self) -> str | None:
        """The clause by which the last ruling refused something."""
        ruling = self._stage.referee.snapshot().ruling
        return ruling.clause if ruling else None

    # -- what they write down -----------------------------------------------------------------------------------------

    def _said(self) -> str:
        ruling = self._stage.referee.snapshot().ruling
        return ruling.text if ruling else "nothing"

    def _wrong(self, what: str) -> None:
        self.story.counts["wrong"] += 1
        self._because("wrong ruling")
        self.story.wrong.append(what)

    def _because(self, what: str, only: int | None = None) -> None:
        """Note which coins are misread, not sure or not seen now; `only`: the coin of this number in the snapshot."""
        shown, table = self._stage.referee.snapshot(), self._stage.table
        answers = map(Said.by_referee, shown.table.coins)
        coins = doubts(table.scene.coins, answers, table.mat, self._stage.purse)
        chosen = tuple(coin for coin in coins if only is None or coin.i == only)
        self.story.causes.append(
            Cause(what, chosen, shown.prompt.text if what.startswith("question") else self._said())
        )


def _is_about_side(prompt: Prompt) -> bool:
    """Whether the question about a coin is which side of it is up, and so advises to play on without it."""
    natures = [choice.coin for choice in prompt.choices if choice.coin]
    return len({nature.denomination for nature in natures}) == 1 < len(natures)


def _is_true(said: Nature, lying: VirtualCoin | None) -> bool:
    """Whether the coin that lies there is what an answer says; with no coin there, whether it says so."""
    if lying is None:
        return said.denomination is None
    return said.denomination is lying.denomination and said.face in (None, lying.face)
