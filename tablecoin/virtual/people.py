"""People at the virtual table: they play whole games with coins, make mistakes, and check what the referee says.

They know the rules and keep the true state themselves; the referee is only shown the table. So every ruling can be held
against the truth. Used by tests, by measuring and by demonstrations.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import dist
from random import Random
from typing import Any, Protocol

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.mat import Rectangle
from tablecoin.referee.commands import BUTTONS, Act, Answer, Command, Correct, Press, Start
from tablecoin.referee.match import Match
from tablecoin.rules.coin_age_state import CoinAgeState
from tablecoin.rules.game import Action, Game, State
from tablecoin.rules.random_play import random_action
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.blunders import visible_blunders
from tablecoin.virtual.table import TableError, VirtualCoin, VirtualTable
from tablecoin.vision.settle import Look

AnyGame = Game[Any, Any, Any]
_MOST_STEPS = 5_000
_MOST_THROWS = 6
_MOST_TRIES = 6  # at an act, when the program dies under it
_MOST_HELP = 12  # answers and corrections people have the patience for after one act
_NOT_UNDERSTOOD = ("refused", "paused", "unfinished", "arrange")  # prompts after which people look for a coin misread


class Ruler(Protocol):
    """Whoever rules: a Referee, or something that stands in for one."""

    @property
    def match(self) -> Match | None: ...

    def see(self, look: Look) -> None: ...

    def command(self, command: Command, seat: str | None) -> tuple[bool, str | None]: ...

    def snapshot(self) -> dict[str, Any]: ...

    def answers(self) -> list[State]: ...


class Stage(Protocol):
    """A virtual table under a referee's eyes."""

    table: VirtualTable

    @property
    def referee(self) -> Ruler: ...

    @property
    def restarts(self) -> int:
        """How often the program was started again."""

    def settle(self) -> None:
        """Hands pass over the table and go away, and the referee sees what lies there."""


@dataclass
class Story:
    """What happened in one game."""

    game: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)  # turns, actions, mistakes, questions, corrections…
    wrong: list[str] = field(default_factory=list)  # each wrong ruling in a sentence
    stuck: str | None = None  # why the game could not go on
    over: bool = False


class People:
    """Random players of one game on one stage.

    Shares of acts: `mistakes` that go wrong first, `accidents` before which a sleeve sweeps coins off, `pauses` in the
    midst of which the hands go away.
    """

    def __init__(
        self,
        game: AnyGame,
        stage: Stage,
        seed: int,
        mistakes: float = 0.0,
        accidents: float = 0.0,
        pauses: float = 0.0,
    ) -> None:
        self._game, self._stage, self._dice = game, stage, Random(seed)
        self._mistakes, self._accidents, self._pauses = mistakes, accidents, pauses
        self._turn: list[State] = []  # the states of the turn under way, which people may go back to
        self.story = Story(game.name, seed)

    def play(self, options: dict[str, Any] | None = None) -> Story:
        """One game from start to end, or to where it cannot go on."""
        truth = self._begin(options or {})
        for _ in range(_MOST_STEPS):
            if self._game.outcome(truth):
                self.story.over = True
                break
            before = truth
            if self._game.flips_due(truth):
                truth = self._toss(truth)
                self._set(truth)
                self._stage.settle()
                self._answer(truth, truth)
            else:
                self._blunder(truth)
                self._sweep(truth)
                try:
                    truth = self._act(truth, random_action(self._game, truth, self._dice))
                except TableError:  # the zone is full: they do something else
                    self._set(truth)
                    self.story.counts["full"] += 1
                    continue
            self.story.counts["actions"] += 1
            self.story.counts["turns"] += self._game.to_act(truth) != self._game.to_act(before)
            if self._state != truth:
                self._give_up()
                break
        return self.story

    def _begin(self, options: dict[str, Any]) -> State:
        while not self._stage.referee.match:  # a program that died at once is asked again
            self._stage.referee.command(Start(self._game.name, options), None)
        truth: State = self._stage.referee.match.state
        self._set(truth)
        self._stage.settle()
        return truth

    @property
    def _state(self) -> State | None:
        """What the referee takes for the state of play."""
        match = self._stage.referee.match
        return match.state if match else None

    # -- what they do -------------------------------------------------------------------------------------------------

    def _set(self, state: State) -> None:
        """Set the table as `state` wants it, with what lies beneath the top coins of Coin Age's spaces.

        Raises TableError when it cannot hold so much.
        """
        stacks = None
        if isinstance(state, CoinAgeState):
            spaces = (f"space.{space.id}" for space in state.board.spaces)
            stacks = dict(zip(spaces, state.stacks, strict=True))
        table, layout = self._stage.table, self._game.layout(state)
        try:
            arrange(table, layout, stacks)
        except TableError:  # the coins lie too far apart: people lay them all anew
            table.put(())
            arrange(table, layout, stacks)

    def _toss(self, truth: State) -> State:
        """Toss the coins due, again for as long as the referee wants them thrown again."""
        self._toss_badly(truth)
        after = truth
        for _ in range(_MOST_THROWS):
            ruled = self._ruled()
            seen = {zone: self._stage.table.toss(heap, zone) for zone, heap in self._game.flips_due(truth).items()}
            after = self._game.apply(truth, self._game.flip_action(truth, seen))
            self._stage.settle()
            self._answer(truth, after)
            prompt = self._stage.referee.snapshot()["prompt"]
            if self._state != truth or prompt["kind"] != "flip" or self._ruled() != ruled:
                break
            self.story.counts["thrown again"] += 1
            self.story.counts[f"thrown again: {prompt['text']}"] += 1
        return after

    def _toss_badly(self, truth: State) -> None:
        """Now and then a coin is left in the hand, or one too many is thrown: that must not count."""
        if self._dice.random() >= self._mistakes:
            return
        self.story.counts["bad tosses"] += 1
        for zone, heap in self._game.flips_due(truth).items():
            kinds = list(heap)
            if len(kinds) > 1 and self._dice.random() < 0.5:
                kinds.remove(self._dice.choice(kinds))
            else:
                kinds.append(self._dice.choice(BY_VALUE))
            self._stage.table.toss(Heap.of(kinds), zone)
        self._stage.settle()
        if self._state != truth:
            self._wrong(f"the wrong coins were tossed, and it was ruled: {self._said()}")

    def _act(self, truth: State, action: Action) -> State:
        """Do it; where the program died before it was taken, people see so on the page and do it again."""
        after: State = self._game.apply(truth, action)
        for _ in range(_MOST_TRIES):
            restarts = self._stage.restarts
            self._do(truth, after, action)
            self._answer(truth, after)
            if self._state != truth or after == truth or self._stage.restarts == restarts:
                break
            self.story.counts["done again"] += 1
            self._set(truth)
            self._stage.settle()
        return after

    def _do(self, truth: State, after: State, action: Action) -> None:
        done = f"{self._game.actor(truth, action)}.done"
        if not action.__struct_fields__:
            command = Press(done) if done in BUTTONS else Act(self._game.write_action(action))  # type: ignore[arg-type]
            self._stage.referee.command(command, None)
            self._set(after)
        elif self._game.layout(after) == self._game.layout(truth):
            self._stage.referee.command(Act(self._game.write_action(action)), None)
        else:
            self._pause(after)
        self._stage.settle()

    def _pause(self, after: State) -> None:
        """Set the table for `after`: take coins away, then put some down; now and then the hands go away in between."""
        table = self._stage.table
        before = table.scene.coins
        self._set(after)
        now = table.scene.coins
        lifted, laid = [c for c in before if c not in now], [c for c in now if c not in before]
        if len(lifted) + len(laid) < 2 or self._dice.random() >= self._pauses:
            return
        moves = self._dice.randint(1, len(lifted) + len(laid) - 1)
        still_there = self._dice.sample(lifted, max(0, len(lifted) - moves))
        there_already = laid[: max(0, moves - len(lifted))]
        table.put([*(c for c in before if c in now or c in still_there), *there_already])
        self.story.counts["pauses"] += 1
        self._stage.settle()
        self.story.counts[f"pause: {self._stage.referee.snapshot()['prompt']['kind']}"] += 1
        table.put(now)

    def _answer(self, before: State, after: State) -> None:
        """Get the referee from `before` to `after`, which is what happened: answer its questions, correct its reading.

        A ruling that leads anywhere else is wrong, as is a refusal; both are written down.
        """
        for _ in range(_MOST_HELP):
            state, kind = self._state, self._stage.referee.snapshot()["prompt"]["kind"]
            if state not in (before, after):
                self._wrong(f"ruled wrongly: {self._said()}")
                return
            if kind == "refused":
                self._wrong(f"refused, though lawful: {self._said()}")
            if kind == "question":
                self.story.counts["questions"] += 1
                answers = self._stage.referee.answers()
                if after in answers:
                    self._stage.referee.command(Answer(answers.index(after)), None)
                    continue
            elif state == after and kind not in _NOT_UNDERSTOOD:
                return
            if not self._correct():
                return

    def _correct(self) -> bool:
        """Put one coin right that was read wrongly, as one does with two taps on the page, or lay one anew that was not
        seen at all; whether there was one."""
        read = self._stage.referee.snapshot()["table"]["coins"]
        for seen in read:
            truth = self._lying_at(seen["center_mm"])
            if truth and (seen["denomination"], seen["face"]) != (truth.denomination, truth.face):
                self.story.counts["corrections"] += 1
                self._stage.referee.command(Correct(seen["i"], truth.denomination, truth.face), None)
                return True
        shown = [self._lying_at(seen["center_mm"]) for seen in read]
        table = self._stage.table
        for number, coin in enumerate(table.scene.coins):
            zone = table.mat.zone_at(coin.x_mm, coin.y_mm)
            if (
                coin not in shown and zone and isinstance(table.mat.zone(zone).area, Rectangle)
            ):  # there none lie stacked
                self.story.counts["laid anew"] += 1
                table.remove(number)
                table.place(coin.coin, zone)
                self._stage.settle()
                return True
        return False

    def _lying_at(self, place_mm: list[float] | None) -> VirtualCoin | None:
        """The topmost coin that lies there."""
        near = (c for c in reversed(self._stage.table.scene.coins) if place_mm and dist((c.x_mm, c.y_mm), place_mm) < 3)
        return next(near, None)

    def _blunder(self, truth: State) -> None:
        """Now and then do something against the rules, see it refused, and put it back."""
        if not self._turn or self._game.to_act(self._turn[-1]) != self._game.to_act(truth):
            self._turn = []
        self._turn.append(truth)
        if self._dice.random() >= self._mistakes:
            return
        blunders = list(visible_blunders(self._game, self._turn))
        if not blunders:
            return
        action, layout, clauses = self._dice.choice(blunders)
        before = self._stage.table.scene
        try:
            arrange(self._stage.table, layout)
        except TableError:
            self._stage.table.put(before.coins)
            return
        self.story.counts["mistakes"] += 1
        restarts = self._stage.restarts
        self._stage.settle()
        kind = self._stage.referee.snapshot()["prompt"]["kind"]
        done = f"{self._game.to_act(truth)[0]}.done"
        if kind == "unfinished" and done in BUTTONS:  # it may yet become something lawful, until they say done
            self._stage.referee.command(Press(done), None)  # type: ignore[arg-type]
        snapshot = self._stage.referee.snapshot()
        kind, ruling = snapshot["prompt"]["kind"], snapshot["ruling"]
        self.story.counts[f"mistake: {kind}"] += 1
        fair = {"refused", "unfinished", "question", "paused"}
        if self._stage.restarts > restarts:
            fair.add("arrange")  # after a restart the table is compared first
        if kind == "refused" and ruling["clause"] not in clauses:
            self._wrong(f"{action} was refused by {ruling['clause']}, not by one of {sorted(clauses)}")
        elif kind not in fair or self._state not in self._turn:
            self._wrong(f"{action} passed as {kind}: {self._said()}")
        self._stage.table.put(before.coins)
        self._stage.settle()
        self._answer(truth, truth)

    def _sweep(self, truth: State) -> None:
        """Now and then one to three coins fall to the floor and are put back where they lay.

        What is left may look like something lawful, done in this turn; then nobody can tell.
        """
        before = self._stage.table.scene.coins
        if not self._accidents or not before or self._dice.random() >= self._accidents:
            return
        fallen = self._dice.sample(range(len(before)), min(len(before), self._dice.randint(1, 3)))
        self._stage.table.put(coin for k, coin in enumerate(before) if k not in fallen)
        self.story.counts["accidents"] += 1
        self._stage.settle()
        self.story.counts[f"accident: {self._stage.referee.snapshot()['prompt']['kind']}"] += 1
        if self._state not in (truth, *self._turn) and self._stage.referee.snapshot()["table"]["differences"]:
            self._wrong(f"coins fell to the floor, and it was ruled: {self._said()}")
        self._stage.table.put(before)
        self._stage.settle()
        self._answer(truth, truth)

    def _ruled(self) -> int | None:
        """The number of the last ruling: a toss that changed nothing was counted all the same."""
        ruling = self._stage.referee.snapshot()["ruling"]
        return ruling["seq"] if ruling else None

    # -- what they write down -----------------------------------------------------------------------------------------

    def _said(self) -> str:
        ruling = self._stage.referee.snapshot()["ruling"]
        return str(ruling["text"]) if ruling else "nothing"

    def _wrong(self, what: str) -> None:
        self.story.counts["wrong"] += 1
        self.story.wrong.append(what)

    def _give_up(self) -> None:
        says = self._stage.referee.snapshot()["prompt"]["text"]
        self.story.stuck = f"the referee is in another state, saying {says!r} after {self._said()!r}"
