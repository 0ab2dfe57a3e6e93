"""What a command that makes no sense is answered with: one sentence, in the reader's language."""

from __future__ import annotations

import pickle
import re

import pytest

from tablecoin.coins import Coin
from tablecoin.referee.commands import (
    Act,
    Answer,
    Command,
    CommandError,
    Correct,
    NotYourSeat,
    Press,
    Reread,
    Start,
    Undo,
    read_command,
)
from tablecoin.referee.referee import Referee
from tablecoin.rules.rulebook import sentence
from tests.referee.table import NO_CAMERA

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
PLACE = {"do": "place", "coin": "penny"}
TAILS_ALONE = "您坐在反面方。"  # "You sit at Tails."


def playing() -> Referee:
    """Steal, a penny placed by Heads."""
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.lose_camera(NO_CAMERA)
    for act in (TOSS, PLACE):
        assert referee.command(Act(act), None) == (True, None)
    return referee


SENSELESS: list[tuple[Command, str, str]] = [
    (Start("steal", seats={"north": "person"}), "There is no seat north.", "没有座位north"),
    (Answer(99), "That choice is no longer offered.", "这个选项已经没有了"),
    (Answer(0, "What was offered before"), "That was answered or changed in the meantime.", "已经改变"),
    (Correct(7), "That coin does not lie there any more.", "那枚硬币已不在那里"),
    (Reread(99, (Coin.PENNY_HEADS,)), "No ruling of that number stands", "没有这个编号的裁定"),
    (Reread(3, (Coin.PENNY_HEADS,)), "That ruling was not a toss.", "那次裁定不是投掷"),
]

NOT_THEIRS: list[tuple[Command, str, str]] = [
    (Press("heads.done"), "You sit at Tails. This is the button of Heads.", "这是正面方的按钮"),
    (Act({"do": "done"}), "You sit at Tails. Only Heads may do this.", "这只能由正面方来做"),
    (Answer(0), "You sit at Tails. Only Heads may answer this.", "这只能由正面方来回答"),
]


@pytest.mark.parametrize(("command", "english", "chinese"), SENSELESS, ids=[english for _, english, _ in SENSELESS])
def test_a_command_that_makes_no_sense(command: Command, english: str, chinese: str) -> None:
    with pytest.raises(CommandError) as raised:
        playing().command(command, None)
    assert str(raised.value).startswith(english)
    assert chinese in sentence(raised.value.message, "zh")


@pytest.mark.parametrize(("command", "english", "chinese"), NOT_THEIRS, ids=[english for _, english, _ in NOT_THEIRS])
def test_a_command_for_another_seat(command: Command, english: str, chinese: str) -> None:
    with pytest.raises(NotYourSeat) as raised:
        playing().command(command, "tails")
    assert str(raised.value) == english
    said = sentence(raised.value.message, "zh")
    assert said.startswith(TAILS_ALONE)
    assert chinese in said
    assert not re.search("[A-Za-z]", said)


def test_without_a_game_there_is_nothing_to_undo() -> None:
    with pytest.raises(CommandError, match="No game is being played"):
        Referee(lambda events: None).command(Undo(), None)


def test_an_unknown_button_is_told_with_those_that_exist() -> None:
    with pytest.raises(CommandError, match=r"There is no button doorbell. The buttons are heads.done, heads.choose, "):
        read_command("press", "doorbell")


def test_of_a_long_button_the_first_twenty_letters_are_told() -> None:
    with pytest.raises(CommandError, match=f"There is no button {'x' * 20}. "):
        read_command("press", "x" * 30)


def test_an_error_goes_to_another_process_and_back() -> None:
    """The simulated people of the lab run a referee in a process of its own."""
    error = CommandError(NO_CAMERA)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.message, str(again)) == (CommandError, error.message, str(error))
