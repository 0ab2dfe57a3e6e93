"""Where a person stands in a lesson, and what comes next: a pure state machine over what the referee shows.

    read ──next──▶ act ──it is done──▶ reply ──the others acted──▶ ...

Another lawful act leaves the person in the step, with two ways out: put it back, or go on from there. Going on looks
for the next step that can still be done; a step that begins the game anew always can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tablecoin.lessons.lesson import Act, Lesson, Step
from tablecoin.rules.game import TABLE, Game, Seat, State

_TOSS: Act = {"do": "flip"}  # chance is nobody's choice: a toss is never something else than was asked for
Aside = Literal["other", "refused", "mistaken", "unsettled"]


@dataclass(frozen=True)
class Moment:
    """What the referee shows."""

    game: Game[Any, Any, Any]
    state: State
    acts: tuple[Act, ...]  # those that stand, since the game began
    refusal: tuple[int, str] | None  # the last ruling's number and the clause it named, if it was a refusal
    breaks: bool  # the table still shows what was refused
    settled: bool  # the table shows the state


@dataclass(frozen=True)
class Progress:
    """Where the person stands. `step` is the number of all steps once the lesson is over."""

    step: int = 0
    acts: int = 0  # that stood when the step began
    aside: Aside | None = None  # what else there is to say than the step itself
    mistaken: bool = False  # the step's mistake was made
    heard: int = 0  # the number of the last refusal that was told


def after(lesson: Lesson, at: Progress, now: Moment) -> Progress:
    """The progress after the table or the state changed."""
    if at.step == len(lesson.steps):
        return at
    step = lesson.steps[at.step]
    new = [act for act in now.acts[at.acts :] if not any(wants(each, act) for each in (_TOSS, *step.also))]
    done = any(wants(step.act, act) for act in now.acts[at.acts :])
    number, clause = now.refusal or (at.heard, "")
    refused = now.breaks or number > at.heard
    at = replace(at, heard=max(number, at.heard))
    if done:
        return following(lesson, at, now)
    if step.kind == "mistake" and refused and clause in step.mistake:
        return replace(at, aside="mistaken", mistaken=True)
    if refused:
        return replace(at, aside="refused")
    if step.kind == "mistake" and at.mistaken and now.settled and not new:
        return following(lesson, at, now)
    if new:
        return replace(at, aside="other")
    return replace(at, aside=None if now.settled else "unsettled")


def following(lesson: Lesson, at: Progress, now: Moment) -> Progress:
    """The next step whose condition holds."""
    return _first(lesson, at, now, lambda step: True)


def going_on(lesson: Lesson, at: Progress, now: Moment) -> Progress:
    """The next step that can still be done after another lawful act."""
    return _first(lesson, at, now, lambda step: can_be_done(step, lesson.you, now))


def _first(lesson: Lesson, at: Progress, now: Moment, fits: Callable[[Step], bool]) -> Progress:
    """The first step after `at` that begins the game anew, or whose condition holds and that `fits`."""
    for number, step in enumerate(lesson.steps[at.step + 1 :], at.step + 1):
        if step.begin is not None:
            return Progress(number, len(step.begin))
        if holds(step.when, now) and fits(step):
            return Progress(number, len(now.acts), heard=at.heard)
    return Progress(len(lesson.steps), len(now.acts))


def can_be_done(step: Step, you: Seat, now: Moment) -> bool:
    """Whether a step without a beginning of its own makes sense in this state."""
    acting = now.game.may_act(now.state)
    match step.kind:
        case "act":
            return any(wants(step.act, act) for act in legal(now))
        case "mistake":
            return you in acting
        case "reply":
            return any(seat not in (you, TABLE) for seat in acting)
    return True


def wants(pattern: Act | None, act: Act) -> bool:
    """Whether an action has every field of the pattern."""
    return pattern is not None and all(act.get(name) == value for name, value in pattern.items())


def holds(when: Act, now: Moment) -> bool:
    """Whether the public state has these values."""
    shown = now.game.public(now.state, None) if when else {}
    return all(_at(shown, path) == value for path, value in when.items())


def _at(shown: Any, path: str) -> Any:
    for name in path.split("."):
        shown = shown.get(name) if isinstance(shown, Mapping) else None
    return shown


def legal(now: Moment) -> Iterator[Act]:
    """The legal actions as JSON."""
    return (now.game.write_action(action) for action in now.game.legal_actions(now.state))
