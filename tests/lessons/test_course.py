"""What comes next in a lesson, by what the referee shows: a table of moments, without pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablecoin import rules
from tablecoin.lessons.course import Moment, Progress, after, following, going_on
from tablecoin.lessons.lesson import Lesson, Step

GAME = rules.load("steal")
TOSS = {"do": "flip", "coins": ("penny:heads",) * 3 + ("penny:tails",) * 2}
PENNY, DONE = {"do": "place", "coin": "penny"}, {"do": "done"}
SAID = {"en": "Do it.", "zh": "做吧。"}
LESSON = Lesson(
    "steal",
    "heads",
    {"starter": "heads"},
    (
        Step(texts=SAID, begin=(TOSS,), act=PENNY),
        Step(texts=SAID, act=DONE),
        Step(texts=SAID, mistake=("steal.place.limit",)),
        Step(texts=SAID, when={"phase": "steal"}),
        Step(texts=SAID, when={"phase": "turn", "totals.heads": 4}),
        Step(texts=SAID, begin=(), act={"do": "flip"}),
    ),
)


def moment(*acts: Mapping[str, Any], refused: str = "", number: int = 9, breaks: bool = False) -> Moment:
    state = GAME.start(GAME.read_options(LESSON.options))
    for act in (TOSS, *acts):
        state = GAME.apply(state, GAME.read_action(act))
    refusal = (number, refused) if refused else None
    return Moment(GAME, state, (TOSS, *acts), refusal, breaks=breaks, settled=not breaks)


PLACING, ENDING, ERRING = Progress(0, 1), Progress(1, 2), Progress(2, 1)
AFTER_EACH = {
    "nothing happened": (PLACING, moment(), Progress(0, 1)),
    "it was done": (PLACING, moment(PENNY), Progress(1, 2)),
    "it was done, and more": (PLACING, moment(PENNY, DONE), Progress(1, 3)),
    "something else that is lawful": (ENDING, moment(PENNY), Progress(1, 2)),
    "another rule was broken": (PLACING, moment(refused="turn", breaks=True), Progress(0, 1, "refused", heard=9)),
    "a refusal that was told before": (Progress(0, 1, heard=9), moment(refused="turn"), Progress(0, 1, heard=9)),
    "the mistake that was asked for": (
        ERRING,
        moment(refused="steal.place.limit", breaks=True),
        Progress(2, 1, "mistaken", mistaken=True, heard=9),
    ),
    "another mistake than was asked for": (
        ERRING,
        moment(refused="steal.place.first", breaks=True),
        Progress(2, 1, "refused", heard=9),
    ),
    "a lawful act instead of the mistake": (ERRING, moment(PENNY), Progress(2, 1, "other")),
    "the mistake was put back": (
        Progress(2, 1, "mistaken", mistaken=True, heard=9),
        moment(refused="steal.place.limit"),
        Progress(5, 0),
    ),
}


@pytest.mark.parametrize(("at", "now", "then"), AFTER_EACH.values(), ids=list(AFTER_EACH))
def test_what_comes_after(at: Progress, now: Moment, then: Progress) -> None:
    assert after(LESSON, at, now) == then


def test_a_step_whose_condition_does_not_hold_is_left_out() -> None:
    assert following(LESSON, Progress(2, 1), moment(PENNY)).step == 4
    assert following(LESSON, Progress(2, 1), moment()).step == 5


def test_going_on_leaves_out_what_cannot_be_done_any_more() -> None:
    assert going_on(LESSON, Progress(0, 1), moment(PENNY)).step == 1
    assert going_on(LESSON, Progress(0, 1), moment(PENNY, DONE)).step == 4, "it is the other's turn"


def test_after_the_last_step_the_lesson_is_over_and_stays_so() -> None:
    over = following(LESSON, Progress(5, 0), moment())
    assert over.step == len(LESSON.steps)
    assert after(LESSON, over, moment(PENNY)) == over
