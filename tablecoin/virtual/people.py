"""People at the virtual table: they play whole games with coins, make mistakes, and check what the referee says.

They know the rules and keep the true state themselves; the referee is only shown the table. So every ruling can be held
against the truth. Used by tests, by measuring and by demonstrations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import dist
from random import Random
from typing import Any, Protocol

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.referee.commands import BUTTONS, Act, Answer, Correct, Press, Start
from tablecoin.referee.referee import Referee
from tablecoin.rules.coin_age_state import CoinAgeState
from tablecoin.rules.game import Action, Game, IllegalAction, Layout, State
from tablecoin.rules.random_play import random_action
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError, VirtualCoin, VirtualTable

AnyGame = Game[Any, Any, Any]
_MOST_STEPS = 5_000
_MOST_THROWS = 4
_MOST_HELP = 12  # answers and corrections people have the patience for after one act


class Stage(Protocol):
    """A virtual table under a referee's eyes."""

    referee: Referee
    table: VirtualTable

    def settle(self) -> None:
        """A hand passes over the table, goes away, and the referee sees what lies there."""


@dataclass
class Story:
    """What happened in one game."""

    game: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)  # actions, mistakes, questions, corrections, wrong, stuck…
    wrong: list[str] = field(default_factory=list)  # each wrong ruling in a sentence


class People:
    """Random players of one game on one stage.

    `mistakes` is the share of acts that go wrong first, `accidents` of those before which a sleeve sweeps coins off.
    """

    def __init__(self, game: AnyGame, stage: Stage, seed: int, mistakes: float = 0.0, accidents: float = 0.0) -> None:
        self._game, self._stage, self._dice = game, stage, Random(seed)
        self._mistakes, self._accidents = mistakes, accidents
        self._turn: list[State] = []  # the states of the turn under way, which people may go back to
        self.story = Story(game.name, seed)

    def play(self, options: dict[str, Any] | None = None) -> Story:
        """One game from start to end, or to the first ruling that cannot be recovered from."""
        self._stage.referee.command(Start(self._game.name, options or {}), None)
        match = self._stage.referee.match
        assert match
        truth = match.state
        self._set(truth)
        self._stage.settle()
        for _ in range(_MOST_STEPS):
            if self._game.outcome(truth):
                break
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
            if not self._agrees(truth):
                return self.story
        return self.story

    # -- what they do -------------------------------------------------------------------------------------------------

    def _set(self, state: State) -> None:
        """Set the table as `state` wants it, with what lies beneath the top coins of Coin Age's spaces."""
        stacks = None
        if isinstance(state, CoinAgeState):
            spaces = (f"space.{space.id}" for space in state.board.spaces)
            stacks = dict(zip(spaces, state.stacks, strict=True))
        arrange(self._stage.table, self._game.layout(state), stacks)

    def _toss(self, truth: State) -> State:
        """Toss the coins due, again for as long as the referee wants them thrown again."""
        self._toss_badly(truth)
        after = truth
        for _ in range(_MOST_THROWS):
            seen = {zone: self._stage.table.toss(heap, zone) for zone, heap in self._game.flips_due(truth).items()}
            after = self._game.apply(truth, self._game.flip_action(truth, seen))
            self._stage.settle()
            self._answer(truth, after)
            match = self._stage.referee.match
            if not match or match.state != truth or self._stage.referee.snapshot()["prompt"]["kind"] != "flip":
                break
            self.story.counts["thrown again"] += 1
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
        match = self._stage.referee.match
        if match and match.state != truth:
            self.story.counts["wrong"] += 1
            self.story.wrong.append(f"the wrong coins were tossed, and it was ruled: {match.plies[-1].action}")

    def _act(self, truth: State, action: Action) -> State:
        after: State = self._game.apply(truth, action)
        wanted = self._game.layout(after)
        done = f"{self._game.actor(truth, action)}.done"
        if not action.__struct_fields__:
            command = Press(done) if done in BUTTONS else Act(self._game.write_action(action))  # type: ignore[arg-type]
            self._stage.referee.command(command, None)
            self._set(after)
        elif wanted == self._game.layout(truth):
            self._stage.referee.command(Act(self._game.write_action(action)), None)
        else:
            self._set(after)
        self._stage.settle()
        self._answer(truth, after)
        return after

    def _answer(self, before: State, after: State) -> None:
        """Get the referee from `before` to `after`, which is what happened: answer its questions, correct its reading.

        A ruling that leads anywhere else is wrong, and is written down as such.
        """
        for _ in range(_MOST_HELP):
            match, prompt = self._stage.referee.match, self._stage.referee.snapshot()["prompt"]
            if match and match.state not in (before, after):
                said = self._stage.referee.snapshot()["ruling"]["text"]
                self.story.counts["wrong"] += 1
                self.story.wrong.append(f"ruled wrongly: {said}")
                return
            if prompt["kind"] == "question":
                self.story.counts["questions"] += 1
                answers = self._stage.referee.answers()
                if after in answers:
                    self._stage.referee.command(Answer(answers.index(after)), None)
                    continue
            elif match and match.state == after:
                return
            if not self._correct():
                return

    def _correct(self) -> bool:
        """Put one coin right that was read wrongly, as one does with two taps on the page; whether there was one."""
        for seen in self._stage.referee.snapshot()["table"]["coins"]:
            truth = self._lying_at(seen["center_mm"])
            if truth and (seen["denomination"], seen["face"]) != (truth.denomination, truth.face):
                self.story.counts["corrections"] += 1
                self._stage.referee.command(Correct(seen["i"], truth.denomination, truth.face), None)
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
        lawful = [layout for state in self._turn for layout in (self._game.layout(state), *self._within_reach(state))]
        blunders = list(self._visible_blunders(truth, lawful))
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
        self._stage.settle()
        snapshot = self._stage.referee.snapshot()
        kind, ruling = snapshot["prompt"]["kind"], snapshot["ruling"]
        self.story.counts[kind] += 1
        if kind == "refused" and ruling["clause"] not in clauses:
            self.story.wrong.append(f"{action} was refused by {ruling['clause']}, not by one of {sorted(clauses)}")
        elif kind not in ("refused", "unfinished", "question", "paused"):
            self.story.wrong.append(f"{action} passed as {kind}: {ruling['text']}")
        self._stage.table.put(before.coins)
        self._stage.settle()
        self._answer(truth, truth)

    def _sweep(self, truth: State) -> None:
        """Now and then one to three coins fall to the floor and are put back where they lay."""
        before = self._stage.table.scene.coins
        if not self._accidents or not before or self._dice.random() >= self._accidents:
            return
        fallen = self._dice.sample(range(len(before)), min(len(before), self._dice.randint(1, 3)))
        self._stage.table.put(coin for k, coin in enumerate(before) if k not in fallen)
        self.story.counts["accidents"] += 1
        self._stage.settle()
        match, snapshot = self._stage.referee.match, self._stage.referee.snapshot()
        self.story.counts[snapshot["prompt"]["kind"]] += 1
        if match and match.state not in (truth, *self._turn):
            self.story.counts["wrong"] += 1
            self.story.wrong.append(f"coins fell to the floor, and it was ruled: {snapshot['ruling']['text']}")
        self._stage.table.put(before)
        self._stage.settle()
        self._answer(truth, truth)

    def _visible_blunders(self, truth: State, lawful: list[Layout]) -> Iterator[tuple[Action, Layout, set[str]]]:
        """Illegal acts that show: with the table they leave, and every clause an act of that look breaks."""
        found: list[tuple[Action, Layout, str]] = []
        for action in self._game.imaginable_actions(truth):
            try:
                self._game.apply(truth, action)
            except IllegalAction as broken:
                layout = self._game.imagined_layout(truth, action)
                if layout not in lawful:
                    found.append((action, layout, broken.clause))
        for action, layout, _ in found:
            yield action, layout, {clause for _, other, clause in found if other == layout}

    def _within_reach(self, truth: State) -> Iterator[Layout]:
        """Layouts one or two legal acts lead to: what looks like these is no visible mistake."""
        seat = self._game.to_act(truth)
        for action in self._game.legal_actions(truth):
            first = self._game.apply(truth, action)
            yield self._game.layout(first)
            if self._game.to_act(first) == seat and not self._game.flips_due(first):
                for second in self._game.legal_actions(first):
                    yield self._game.layout(self._game.apply(first, second))

    # -- what they check ----------------------------------------------------------------------------------------------

    def _agrees(self, truth: State) -> bool:
        match = self._stage.referee.match
        if match and match.state == truth:
            return True
        snapshot = self._stage.referee.snapshot()
        says, ruled = snapshot["prompt"]["text"], snapshot["ruling"]["text"]
        self.story.counts["stuck"] += 1
        self.story.wrong.append(f"the referee is in another state, saying {says!r} after {ruled!r}")
        return False
