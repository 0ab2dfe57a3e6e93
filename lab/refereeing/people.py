"""Simulated people play whole games with coins at the virtual table, make mistakes, and check every ruling."""

from __future__ import annotations

from typing import Any

from lab.refereeing.mishaps import Clumsy
from lab.refereeing.seated import AnyGame, Stage, Story
from tablecoin.referee.commands import BUTTONS, Act, Press, Start
from tablecoin.rules.game import TABLE, Action, State
from tablecoin.rules.goes_around.game import Reveal
from tablecoin.rules.random_play import random_action
from tablecoin.virtual.table import TableError

_MOST_STEPS = 5_000
_MOST_THROWS = 6
_HELPS = 0.3  # share of tosses before which somebody acts, where the game allows it
_MOST_TRIES = 6  # largest number of repeats of an action that restarts of the program lose


class People(Clumsy):
    """Random players of one game on one stage.

    Shares of actions: `mistakes` are done wrongly first, before `accidents` coins fall off the table, and in the middle
    of `pauses` the hands go away.
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
        super().__init__(game, stage, seed, mistakes, accidents)
        self._pauses = pauses

    def play(self, options: dict[str, Any] | None = None, most_steps: int = _MOST_STEPS) -> Story:
        """Play one game to its end, for so many steps, or until it cannot go on."""
        truth = self._begin(options or {})
        for _ in range(most_steps):
            if self._game.outcome(truth):
                self.story.over = True
                break
            if self._unclear:
                self.story.stuck = self._unclear
                self.story.counts["not refereed"] += 1
                break
            before = truth
            if self._game.tosses_due(truth):
                self._slip_before(truth)
                early = self._before_the_throw(truth)
                truth = self._act(truth, early) if early else self._toss(truth)
                self._set(truth)
                self._stage.settle()
                self._answer(truth, truth)
            else:
                self._blunder(truth)
                self._sweep(truth)
                try:
                    truth = self._act(truth, random_action(self._game, truth, self._dice))
                except TableError:  # a zone is full: they do something else
                    self._set(truth)
                    self.story.counts["full"] += 1
                    continue
            self.story.counts["actions"] += 1
            self.story.counts["turns"] += self._game.to_act(truth) != self._game.to_act(before)
            if self._state != truth and not self._unclear:
                self._give_up()
                break
        return self.story

    def _begin(self, options: dict[str, Any]) -> State:
        match = self._stage.referee.match
        # One that was laid out for them is played. A program that died at once is asked again.
        while match is None or match.plies or match.outcome:
            self._stage.referee.command(Start(self._game.name, options, undo="free"), None)
            match = self._stage.referee.match
        truth: State = match.state
        self._set(truth)
        self._stage.settle()
        return truth

    # -- what they do -------------------------------------------------------------------------------------------------

    def _before_the_throw(self, truth: State) -> Action | None:
        """An action that somebody takes before the toss, where the game allows it; mostly None."""
        if len(self._game.may_act(truth)) < 2 or self._dice.random() >= _HELPS:
            return None
        early: list[Action] = [a for a in self._game.legal_actions(truth) if self._game.actor(truth, a) != TABLE]
        return self._dice.choice(early)

    def _toss(self, truth: State) -> State:
        """Toss the coins due, and again as long as the referee asks for it: a tray that was read is left as it fell."""
        self._toss_badly(truth)
        after = truth
        for _ in range(_MOST_THROWS):
            ruled = self._ruled()
            self._thrown |= {
                zone: self._stage.table.toss(heap, zone)
                for zone, heap in self._stage.referee.snapshot().table.flips.items()
            }
            seen = {zone: self._thrown[zone] for zone in self._game.tosses_due(truth)}
            after = self._game.apply(truth, self._game.toss_action(truth, seen))
            self._stage.settle()
            self._answer(truth, after)
            prompt = self._stage.referee.snapshot().prompt
            if self._state != truth or prompt.kind != "flip" or self._ruled() != ruled:
                break
            self.story.counts["thrown again"] += 1
            self.story.counts[f"thrown again: {prompt.text}"] += 1
        return after

    def _act(self, truth: State, action: Action) -> State:
        """Do the action. Where a restart lost it, people see that on the page and do it again."""
        after: State = self._game.apply(truth, action)
        for _ in range(_MOST_TRIES):
            self._restarts = self._stage.restarts
            self._do(truth, after, action)
            self._answer(truth, after)
            if self._state != truth or after == truth or self._stage.restarts == self._restarts:
                break
            self.story.counts["done again"] += 1
            self._set(truth)
            self._stage.settle()
        return after

    def _do(self, truth: State, after: State, action: Action) -> None:
        done = f"{self._game.actor(truth, action)}.done"
        if action.ends_turn:
            command = Press(done) if done in BUTTONS else Act(self._game.write_action(action))
            if isinstance(action, Reveal):
                self._remember(truth)
            self._stage.referee.command(command, None)
            if self._pay(truth, after):
                self._set(after)
        elif self._game.layout(after) == self._game.layout(truth):
            self._stage.referee.command(Act(self._game.write_action(action)), None)
        else:
            self._pause(after)
        self._stage.settle()

    def _pause(self, after: State) -> None:
        """Set the table for `after`: take coins away, put others down; sometimes the hands go away in between."""
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
        self.story.counts[f"pause: {self._stage.referee.snapshot().prompt.kind}"] += 1
        table.put(now)

    def _give_up(self) -> None:
        says = self._stage.referee.snapshot().prompt.text
        self.story.stuck = f"the referee is in another state, saying {says!r} after {self._said()!r}"
