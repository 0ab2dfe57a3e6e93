"""People who learn, each in a lesson of their own, at the one table to practise at.

A person who is not at the table is a small value: how far the lesson is, the events of its game, and where its coins
lie. Whoever does something next comes to the table with that. So a lesson may be left and taken up again, and many
people need no more memory than one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablecoin.coins import Coin
from tablecoin.lessons.course import Moment, Progress, after, can_be_done, following, going_on, wants
from tablecoin.lessons.lesson import Act, Lesson, Step, lesson
from tablecoin.lessons.primer import Texts
from tablecoin.lessons.table import PracticeTable
from tablecoin.referee.events import Event
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import texts
from tablecoin.virtual.table import VirtualCoin

MOST = 30  # people whose lessons are kept; of more, those who did nothing for longest begin anew


@dataclass(frozen=True)
class Pupil:
    """How far somebody is in a lesson."""

    lesson: Lesson
    at: Progress
    told: tuple[Texts, ...] = ()  # what the toss that led here came to, and what the other seats did then
    fell: tuple[Coin, ...] = ()  # the coins of that toss
    events: tuple[Event, ...] = ()
    coins: tuple[VirtualCoin, ...] = ()

    @property
    def step(self) -> Step | None:
        """The step; None once the lesson is over."""
        steps = self.lesson.steps
        return steps[self.at.step] if self.at.step < len(steps) else None


@dataclass(frozen=True)
class View:
    """What somebody who learns is shown."""

    pupil: Pupil
    snapshot: Snapshot
    offers: tuple[tuple[Act, Texts], ...]  # acts as buttons, with their words
    nexts: bool  # the step is over as soon as the person says so


class Classroom:
    """The lessons of everybody. Not thread-safe: one thread asks it for everything."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._table: PracticeTable | None = None
        self._pupils: OrderedDict[tuple[str, str], Pupil] = OrderedDict()
        self._seated: tuple[str, str] | None = None  # whose game lies on the table

    def look(self, learner: str, game: str) -> View:
        """Where `learner` stands in the lesson of `game`. Who was not here before begins it."""
        if (learner, game) not in self._pupils:
            return self.begin(learner, game)
        return self._shown(self._sit(learner, game))

    def begin(self, learner: str, game: str) -> View:
        """Begin the lesson from its first step."""
        self._seated = learner, game
        return self._enter(Pupil(lesson(game), Progress()))

    def next(self, learner: str, game: str) -> View:
        """The person has read the step."""
        pupil, now = self._sit(learner, game), self.table.moment
        if pupil.step is None:
            return self._shown(pupil)
        return self._enter(replace(pupil, at=following(pupil.lesson, pupil.at, now), told=(), fell=()))

    def go_on(self, learner: str, game: str) -> View:
        """The person did something else that is lawful, and goes on from there."""
        pupil, now = self._sit(learner, game), self.table.moment
        return self._enter(replace(pupil, at=going_on(pupil.lesson, pupil.at, now), told=(), fell=()))

    def put_back(self, learner: str, game: str) -> View:
        """Take back what was done in this step, and lay the coins as they lay."""
        pupil = self._sit(learner, game)
        self.table.take_back(pupil.at.acts)
        return self._changed(pupil)

    def put(self, learner: str, game: str, coins: Sequence[VirtualCoin]) -> View:
        """The person moved coins: they lie so now."""
        pupil = self._sit(learner, game)
        self.table.put(coins)
        return self._changed(pupil)

    def toss(self, learner: str, game: str) -> View:
        """The person tosses the coins that are due."""
        pupil = self._sit(learner, game)
        told, fell = self.table.toss()
        return self._changed(pupil, told, fell)

    def command(self, learner: str, game: str, kind: Literal["press", "act", "answer"], body: object) -> View:
        """The person presses a button, acts on the phone, or answers. Raises CommandError."""
        pupil = self._sit(learner, game)
        self.table.command(kind, body)
        return self._changed(pupil)

    @property
    def table(self) -> PracticeTable:
        """The table; made when somebody first needs it."""
        if self._table is None:
            self._table = PracticeTable(self._seed)
        return self._table

    def close(self) -> None:
        """Give the table's memory back until somebody comes again."""
        self._table = self._seated = None

    # -- inside -------------------------------------------------------------------------------------------------------

    def _sit(self, learner: str, game: str) -> Pupil:
        """Somebody comes to the table: their game is laid there, if it does not lie there still."""
        pupil = self._pupils.get((learner, game))
        if pupil is None:
            self.begin(learner, game)
            return self._pupils[learner, game]
        if self._seated != (learner, game):
            self.table.take_up(pupil.events, pupil.coins)
            self._seated = learner, game
        return pupil

    def _changed(self, pupil: Pupil, told: tuple[Texts, ...] = (), fell: tuple[Coin, ...] = ()) -> View:
        """The table or the state changed: does the lesson go on?"""
        at = after(pupil.lesson, pupil.at, self.table.moment)
        if at.step != pupil.at.step:
            return self._enter(replace(pupil, at=at, told=told, fell=fell))
        return self._shown(replace(pupil, at=at, told=(*pupil.told, *told), fell=fell or pupil.fell))

    def _enter(self, pupil: Pupil) -> View:
        """The pupil comes to a step: the game begins anew, or the other seats act, where the step says so."""
        step, you, told, fell = pupil.step, pupil.lesson.you, pupil.told, pupil.fell
        if step and step.begin is not None:
            self.table.begin(pupil.lesson.game, pupil.lesson.options, step.begin)
            told, fell = self.table.tossed(0)
        if step and (step.reply is not None or not can_be_done(step, you, self.table.moment)):
            told += self.table.reply(you, step.reply or ())
        at = replace(pupil.at, acts=len(self.table.match.plies))
        return self._shown(replace(pupil, at=at, told=told, fell=fell))

    def _shown(self, pupil: Pupil) -> View:
        """Keep the pupil and show where the lesson stands."""
        assert self._seated
        table = self.table
        kept = replace(pupil, events=tuple(table.events), coins=table.virtual.scene.coins)
        self._pupils[self._seated] = kept
        self._pupils.move_to_end(self._seated)
        while len(self._pupils) > MOST:
            self._pupils.popitem(last=False)
        step, now = pupil.step, table.moment
        offers = tuple(_offers(step, now)) if step else ()
        nexts = step is not None and (step.kind in ("read", "reply") or (pupil.at.mistaken and now.settled))
        return View(kept, table.snapshot, offers, nexts)


def _offers(step: Step, now: Moment) -> list[tuple[Act, Texts]]:
    """The acts of the step that may be done now, in the words of the rulebook."""
    game, state = now.game, now.state
    found: list[tuple[Act, Texts]] = []
    for wanted in step.offer:
        for action in game.legal_actions(state):
            written = game.write_action(action)
            if wants(wanted, written):
                found.append((written, texts(game.advise(state, action))))
                break
    return found
