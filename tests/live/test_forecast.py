"""The forecast: which state is valued, what is shown meanwhile, and what comes too late or would tell a secret."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablecoin.live.forecast import Forecast, Thought
from tablecoin.live.thinker import Replied
from tablecoin.live.thinking import Answer, Chances, Course, Question, Worth
from tablecoin.referee.events import Acted, OddsShown, Started, TakenBack
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import Odds

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
PLACE = {"do": "place", "coin": "penny"}


def steal(rule: OddsShown = "always", **options: object) -> Match:
    return Match.begin(Started(1, "steal", {"starter": "heads"} | options, {}, odds=rule))


def after(match: Match, *actions: dict[str, Any]) -> Match:
    for action in actions:
        group = match.plies[-1].group + 1 if match.plies else 2
        match = match.take(Acted(group, action, "heads", "camera"))
    return match


@dataclass
class Beside:
    """A thinker that is told when to answer, and a clock that is set."""

    now_s: float = 100.0
    asked: list[tuple[Question, Replied]] = field(default_factory=list)
    posted: list[Thought] = field(default_factory=list)

    def forecast(self) -> Forecast:
        numbers = iter(range(1, 100))
        return Forecast(self.ask, lambda: next(numbers), self.posted.append, lambda: self.now_s)

    def ask(self, question: Question, replied: Replied) -> None:
        self.asked.append((question, replied))

    def answer(self, forecast: Forecast, heads: float | None, error: float = 0.01) -> None:
        """The newest question about chances is answered; None: it was not worked out."""
        question, replied = next(one for one in reversed(self.asked) if isinstance(one[0], Chances))
        worth = Worth({"heads": heads, "tails": 1 - heads}, error) if heads is not None else None
        replied(Answer(question.number, chances=worth))
        forecast.take(self.posted.pop())


@pytest.fixture
def beside() -> Beside:
    return Beside()


def test_chances_are_shown_once_they_are_worked_out(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    assert forecast.odds(match, 1) is None  # the snapshot of the ruling waits for nothing
    beside.answer(forecast, 0.5)
    assert forecast.odds(match, 1) == Odds(1, {"heads": 0.5, "tails": 0.5}, 0.01, ())


def test_rough_chances_are_shown_and_then_made_finer_once(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.5, error=0.08)
    assert forecast.odds(match, 1) == Odds(1, {"heads": 0.5, "tails": 0.5}, 0.08, ())
    beside.now_s += 3.5
    beside.answer(forecast, 0.55, error=0.03)
    assert forecast.odds(match, 1) == Odds(1, {"heads": 0.55, "tails": 1 - 0.55}, 0.03, ())
    assert len(beside.asked) == 2


def test_the_same_state_is_asked_about_once(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    for _ in range(5):
        forecast.odds(match, 1)
    assert len(beside.asked) == 1


def test_the_last_chances_stay_with_their_number_while_newer_ones_are_on_their_way(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.5)
    shown = forecast.odds(after(match, TOSS), 2)
    assert shown is not None
    assert shown.seq == 1


@pytest.mark.parametrize(
    ("answer", "wait_s"),
    [
        pytest.param(0.6, 1.1, id="they come late"),
        pytest.param(None, 0.2, id="they could not be worked out, or the process died"),
    ],
)
def test_chances_vanish_rather_than_stand_for_another_state(
    beside: Beside, answer: float | None, wait_s: float
) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.5)
    tossed = after(match, TOSS)
    forecast.odds(tossed, 2)
    beside.now_s += wait_s
    beside.answer(forecast, answer)
    assert forecast.odds(tossed, 2) is None


def test_chances_vanish_a_second_after_a_ruling_also_without_any_answer(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.5)
    tossed = after(match, TOSS)
    forecast.odds(tossed, 2)
    beside.now_s += 1.01
    assert forecast.odds(tossed, 2) is None


def test_an_answer_about_a_state_that_has_passed_is_dropped(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    first = beside.asked[0]
    tossed = after(match, TOSS)
    forecast.odds(tossed, 2)
    first[1](Answer(first[0].number, chances=Worth({"heads": 0.9, "tails": 0.1}, 0.0)))
    forecast.take(beside.posted.pop())
    assert forecast.odds(tossed, 2) is None


def test_a_refusal_changes_no_chances_but_they_take_it_in(beside: Beside) -> None:
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.5)
    shown = forecast.odds(match, 2)
    assert shown is not None
    assert (shown.seq, len(beside.asked)) == (2, 1)


def test_an_undo_is_valued_again(beside: Beside) -> None:
    forecast, tossed = beside.forecast(), after(steal(), TOSS)
    forecast.odds(tossed, 2)
    forecast.odds(tossed.take(TakenBack(2, "phone")), 3)
    assert [question.about for question, _ in beside.asked] == ["1.2.1", "1.1.0"]


def test_chances_of_another_game_are_never_shown(beside: Beside) -> None:
    """Also where a computer has acted before the new game is seen for the first time."""
    forecast = beside.forecast()
    forecast.odds(steal(), 1)
    beside.answer(forecast, 0.5)
    assert forecast.odds(after(steal(goal=10), TOSS), 3) is None


def test_after_the_first_question_every_answer_has_a_second(beside: Beside) -> None:
    """Only for the first one the process has to be started."""
    forecast, match = beside.forecast(), steal()
    forecast.odds(match, 1)
    forecast.odds(after(match, TOSS), 2)
    limits_s = [question.until_s - beside.now_s for question, _ in beside.asked]
    assert limits_s == pytest.approx([5.0, 0.6])


@pytest.mark.parametrize("rule", ["off", "after"])
def test_a_game_under_way_is_not_valued_where_its_house_rule_hides_the_chances(beside: Beside, rule: OddsShown) -> None:
    forecast = beside.forecast()
    assert forecast.odds(after(steal(rule), TOSS), 2) is None
    assert beside.asked == []


def test_after_the_game_its_whole_course_is_shown(beside: Beside) -> None:
    forecast = beside.forecast()
    match, dice = steal("after", goal=10), random.Random(1)
    while not match.game.outcome(match.state):
        action = dice.choice(list(match.game.legal_actions(match.state)))
        match = after(match, match.game.write_action(action))
    forecast.odds(match, 2)
    beside.answer(forecast, 1.0)
    course, replied = next(one for one in beside.asked if isinstance(one[0], Course))
    assert isinstance(course, Course)
    assert [match.game.read_state(each) for each in course.states[-2:]] == [match.plies[-1].before, match.state]
    worths = tuple(Worth({"heads": p, "tails": 1 - p}, 0.0) for p in (0.5, 1.0))
    replied(Answer(course.number, course=worths))
    forecast.take(beside.posted.pop())
    shown = forecast.odds(match, 2)
    assert shown is not None
    assert [each["heads"] for each in shown.course] == [0.5, 1.0]


# -- secrets ----------------------------------------------------------------------------------------------------------

CHOICES: list[dict[str, Any]] = [
    {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 1},
    {"do": "commit", "seat": "2", "action": "protect"},
]


def ring(**options: object) -> Match:
    return Match.begin(Started(1, "goes-around", {"players": 3} | options, {}, odds="always"))


def test_a_sealed_choice_is_never_valued(beside: Beside) -> None:
    """While choices are sealed everybody knows as much as before, so the chances of before stay."""
    forecast, match = beside.forecast(), ring()
    forecast.odds(match, 1)
    beside.answer(forecast, 0.4)
    for k, choice in enumerate(CHOICES, 2):
        match = after(match, choice)
        shown = forecast.odds(match, k)
        assert shown is not None
        assert (shown.seq, shown.chance["heads"]) == (k, 0.4)
    assert len(beside.asked) == 1
    third = {"do": "commit", "seat": "3", "action": "pass"}
    forecast.odds(after(match, third, {"do": "reveal"}), 5)
    assert len(beside.asked) == 2


def test_where_the_past_is_hidden_nothing_is_valued_that_rests_on_it(beside: Beside) -> None:
    forecast = beside.forecast()
    third = {"do": "commit", "seat": "3", "action": "pass"}
    match = ring(hide_history=True)
    forecast.odds(match, 1)
    beside.answer(forecast, 0.4)
    beside.asked.clear()
    played = after(match, *CHOICES, third, {"do": "reveal"})
    forecast.odds(played, 5)
    assert forecast.odds(played, 5) is None  # the chances of the start are not those of now
    assert beside.asked == []


def test_where_the_past_is_hidden_the_end_is_shown(beside: Beside) -> None:
    forecast, match = beside.forecast(), ring(hide_history=True, rounds=1, start=10)
    forecast.odds(match, 1)
    beside.answer(forecast, 0.4)
    theft = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 10}
    waits = [{"do": "commit", "seat": seat, "action": "pass"} for seat in "23"]
    over = after(match, theft, *waits, {"do": "reveal"})
    assert over.outcome is not None
    forecast.odds(over, 5)
    asked = [question for question, _ in beside.asked[1:]]
    assert isinstance(asked[0], Chances)
    assert asked[0].state == match.game.write_state(over.state)
    assert isinstance(asked[1], Course)
