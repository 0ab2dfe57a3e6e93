"""The thinking process: it answers, gives way to newer questions, and may die. It values as thinking_stub does."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tablecoin.live.thinker import AGAIN_S, Thinker
from tablecoin.live.thinking import Advise, Answer, Chances, Course, Question
from tablecoin.rules import load
from tablecoin.rules.dollar_prize.steal import StealState
from tests.live.looking import Clock

GAME = load("steal")
PATIENCE_S = 60.0  # of the test; the process answers in milliseconds once it runs


@pytest.fixture(scope="module")
def thinker() -> Iterator[Thinker]:
    made = Thinker([sys.executable, "-m", "tests.live.thinking_stub"])
    yield made
    made.stop()


def state(heads: dict[str, int], tails: dict[str, int]) -> dict[str, Any]:
    """A turn of Heads with these rows."""
    start: StealState = GAME.start(GAME.read_options({"starter": "heads"}))
    tossed = GAME.apply(start, GAME.read_action({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}))
    return {**GAME.write_state(tossed), "rows": {"heads": heads, "tails": tails}}


def asked(thinker: Thinker, question: Question) -> Future[Answer]:
    done: Future[Answer] = Future()
    thinker.ask(question, done.set_result)
    return done


def chances(thinker: Thinker, written: dict[str, Any], about: str, until_s: float | None = None) -> Future[Answer]:
    limit_s = monotonic() + PATIENCE_S if until_s is None else until_s
    return asked(thinker, Chances(thinker.number(), about, "steal", limit_s, written))


def test_chances_of_a_state(thinker: Thinker) -> None:
    answer = chances(thinker, state({"penny": 3}, {"penny": 1}), "a").result(PATIENCE_S)
    assert answer.chances is not None
    assert answer.chances.chance["heads"] == pytest.approx(4 / 6)


def test_what_is_asked_too_late_is_not_worked_out(thinker: Thinker) -> None:
    answer = chances(thinker, state({"penny": 3}, {}), "a", until_s=monotonic() - 1).result(PATIENCE_S)
    assert answer.chances is None


def test_a_game_without_a_value_function_has_no_chances(thinker: Thinker) -> None:
    game = load("exact")
    written = game.write_state(game.start(game.read_options({})))
    question = Chances(thinker.number(), "b", "no such game", monotonic() + PATIENCE_S, written)
    assert asked(thinker, question).result(PATIENCE_S) == Answer(question.number)


def test_a_course_has_the_chances_of_each_state(thinker: Thinker) -> None:
    states = tuple(state({"penny": n}, {"penny": 1}) for n in (1, 3, 6))
    course = Course(thinker.number(), "c", "steal", monotonic() + PATIENCE_S, states)
    worths = asked(thinker, course).result(PATIENCE_S).course
    assert worths is not None
    assert [round(worth.chance["heads"], 3) for worth in worths] == [0.5, 0.667, 0.778]


def test_advice_names_an_act_and_the_next_best(thinker: Thinker) -> None:
    written = state({"penny": 5}, {"penny": 1})
    advise = Advise(thinker.number(), "d", "steal", monotonic() + PATIENCE_S, written, "heads")
    advised = asked(thinker, advise).result(PATIENCE_S).advised
    assert advised is not None
    legal = [GAME.write_action(each) for each in GAME.legal_actions(GAME.read_state(written))]
    assert advised.best.action in legal
    assert advised.other is not None
    assert advised.other.action in legal


def test_memory_of_the_process_is_small(thinker: Thinker) -> None:
    chances(thinker, state({"penny": 3}, {}), "e").result(PATIENCE_S)
    fields = Path(f"/proc/{thinker.pid}/status").read_text("utf-8").split()
    assert int(fields[fields.index("VmRSS:") + 1]) < 100_000  # kB: 20,000, and 45,000 for a table of a solved game


def test_another_game_has_another_process(thinker: Thinker) -> None:
    """Tables of a game are large: those of all games together would be too much."""
    chances(thinker, state({"penny": 3}, {}), "e").result(PATIENCE_S)
    before, game = thinker.pid, load("coin-wars")
    written = game.write_state(game.start(game.read_options({"players": ["Ann", "Bob"]})))
    other = Chances(thinker.number(), "f", "coin-wars", monotonic() + PATIENCE_S, written)
    assert asked(thinker, other).result(PATIENCE_S).number == other.number
    assert thinker.pid not in (None, before)


def test_its_priority_is_the_lowest(thinker: Thinker) -> None:
    chances(thinker, state({"penny": 3}, {}), "e").result(PATIENCE_S)
    assert thinker.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, thinker.pid) == 19


def test_when_the_process_dies_its_questions_are_answered_with_nothing() -> None:
    clock = Clock()
    thinker = Thinker([sys.executable, "-m", "tests.live.thinking_stub"], clock)
    chances(thinker, state({"penny": 3}, {}), "a").result(PATIENCE_S)
    pid = thinker.pid
    assert pid is not None
    open_one = chances(thinker, state({"quarter": 1}, {}), "b")  # never answered
    os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):  # the thinker waited for it already
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # its socket is closed before it has ended
    assert open_one.result(PATIENCE_S).chances is None
    soon = chances(thinker, state({"penny": 3}, {}), "c").result(PATIENCE_S)  # not started again at once
    assert soon.chances is None
    clock.now_s += AGAIN_S
    assert chances(thinker, state({"penny": 3}, {}), "d").result(PATIENCE_S).chances is not None
    thinker.stop()
