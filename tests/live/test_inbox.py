"""The inbox: first come, first served; who asks is answered, or told that nothing was done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import pytest

from tablecoin.live import inbox as room
from tablecoin.live.inbox import Answer, Asked, Inbox
from tablecoin.referee.commands import CommandError, Press, Undo
from tablecoin.rules.rulebook import Message


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def taken(inbox: Inbox) -> Asked:
    """The oldest command in the inbox."""
    item = inbox.next(5)
    assert isinstance(item, Asked)
    return item


def served(serve: Callable[[Asked], object]) -> Inbox:
    """An inbox of which `serve` deals with each command as soon as it is there."""

    def deal() -> None:
        serve(taken(made))

    made = Inbox(deal)
    return made


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks gives up at once."""
    monkeypatch.setattr(room, "_ANSWER_TIMEOUT_S", 0.0)


def test_items_come_out_in_the_order_they_went_in(inbox: Inbox) -> None:
    inbox.send(Press("heads.done"))
    inbox.send(Undo())
    assert [taken(inbox).command, taken(inbox).command] == [Press("heads.done"), Undo()]


def test_an_empty_inbox_gives_nothing(inbox: Inbox) -> None:
    assert inbox.next(0.0) is None


@pytest.mark.parametrize("answer", [(True, None), (False, "A dime is too high.")])
def test_who_asks_is_answered(answer: Answer) -> None:
    assert served(lambda asked: asked.reply.set_result(answer)).ask(Undo(), "heads") == answer


def test_who_asks_gets_the_referees_error() -> None:
    inbox = served(lambda asked: asked.reply.set_exception(CommandError(Message("command.no_game"))))
    with pytest.raises(CommandError, match="No game is being played"):
        inbox.ask(Undo(), None)


@pytest.mark.usefixtures("impatient")
def test_a_command_that_was_given_up_is_never_carried_out(inbox: Inbox) -> None:
    with pytest.raises(CommandError, match="did not answer in time"):
        inbox.ask(Undo(), None)
    assert not taken(inbox).reply.set_running_or_notify_cancel()


@pytest.mark.usefixtures("impatient")
def test_a_command_that_is_being_carried_out_is_not_reported_as_failed() -> None:
    inbox = served(lambda asked: asked.reply.set_running_or_notify_cancel())
    with pytest.raises(CommandError, match="still working"):
        inbox.ask(Undo(), None)


def test_an_answer_that_comes_just_as_the_time_is_up_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    late: Answer = (True, None)

    class Late(Future[Answer]):
        """Its result is there as soon as nobody waits any more."""

        def result(self, timeout: float | None = None) -> Answer:
            if timeout is None:
                return super().result()
            self.set_running_or_notify_cancel()
            self.set_result(late)
            raise TimeoutError

    monkeypatch.setattr(room, "Future", Late)
    assert Inbox().ask(Undo(), "heads") == late
