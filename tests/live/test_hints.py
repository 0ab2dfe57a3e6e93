"""A hint as people get it: the act, the sentence that says why, and the coins to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablecoin.coins import Heap
from tablecoin.live.hints import HintDesk
from tablecoin.live.thinker import Replied
from tablecoin.live.thinking import Act, Advise, Advised, Answer, Question
from tablecoin.referee import commands
from tablecoin.referee.belief import Difference
from tablecoin.referee.commands import Command, CommandError
from tablecoin.rules.rulebook import Message
from tests.referee.test_hinting import STEAL_FROM_2, ring, steal

DIME = {"do": "place", "coin": "dime"}
PENNY = {"do": "place", "coin": "penny"}


class Thinks:
    """Answers every question for advice at once."""

    def __init__(self, advised: Advised | None) -> None:
        self.advised = advised
        self.asked: list[Question] = []

    def number(self) -> int:
        return 7

    def ask(self, question: Question, replied: Replied) -> None:
        self.asked.append(question)
        replied(Answer(question.number, advised=self.advised))


class Records:
    """Keeps commands; accepts them, or says why not."""

    def __init__(self, refuses: str | None = None) -> None:
        self.refuses = refuses
        self.commands: list[Command] = []

    def ask(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        if self.refuses:
            raise CommandError(Message(self.refuses))
        self.commands.append(command)
        return True, None


def advised(best: Mapping[str, Any], chance: float, other: Mapping[str, Any] | None, then: float) -> Advised:
    return Advised(Act(best, chance), Act(other, then) if other else None, 0.02)


@pytest.mark.parametrize(
    ("found", "en", "zh"),
    [
        pytest.param(
            advised(PENNY, 0.63, {"do": "done"}, 0.48),
            "Best: place a penny. From here it wins 63 games in 100; the next best, end the turn, wins 48.",
            "最好：放一枚一分。这样一百局约赢63局；其次是结束回合，约赢48局。",
            id="clearly better",
        ),
        pytest.param(
            advised(PENNY, 0.63, {"do": "done"}, 0.62),
            "Best: place a penny. From here it wins 63 games in 100; end the turn is about as good.",
            "最好：放一枚一分。这样一百局约赢63局；结束回合也差不多。",
            id="within the error",
        ),
        pytest.param(
            advised(PENNY, 0.63, None, 0),
            "There is only one thing to do here: place a penny.",
            "这里只能放一枚一分。",
            id="the only one",
        ),
    ],
)
def test_one_sentence_says_why(found: Advised, en: str, zh: str) -> None:
    hint = HintDesk(Thinks(found), Records()).hint(steal("always", "person"), "heads")
    assert hint.texts == {"en": en, "zh": zh}


def test_the_hint_is_recorded_before_it_is_given() -> None:
    records, match = Records(), steal("always", "person")
    hint = HintDesk(Thinks(advised(PENNY, 0.6, None, 0)), records).hint(match, "heads")
    assert records.commands == [commands.Hint("heads", match.state, match.game.read_action(PENNY))]
    assert hint.moves == (Difference("row.heads", Heap(penny=1), Heap(), Heap()),)


def test_a_hint_that_was_not_recorded_is_not_given() -> None:
    desk = HintDesk(Thinks(advised(PENNY, 0.6, None, 0)), Records("hint.late"))
    with pytest.raises(CommandError, match="The game went on"):
        desk.hint(steal("always", "person"), "heads")


@pytest.mark.parametrize("found", [None, advised(DIME, 0.6, None, 0)])
def test_without_a_good_answer_there_is_no_hint(found: Advised | None) -> None:
    """There was no time, the process died, or it advised what is not legal."""
    records = Records()
    with pytest.raises(CommandError, match="could not work out a hint"):
        HintDesk(Thinks(found), records).hint(steal("always", "person"), "heads")
    assert records.commands == []


def test_a_sealed_choice_is_advised_without_the_choices_of_others() -> None:
    choice = {"do": "commit", "seat": "2", "action": "steal", "target": "3", "amount": 4}
    thinks, match = Thinks(advised(choice, 0.4, None, 0)), ring(STEAL_FROM_2)
    hint = HintDesk(thinks, Records()).hint(match, "2")
    (question,) = thinks.asked
    assert isinstance(question, Advise)
    assert match.game.read_state(question.state) == ring().state
    assert "steal 4 from seat 3" in hint.text
