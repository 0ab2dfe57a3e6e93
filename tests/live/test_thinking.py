"""How the thinking process spends its time, on a clock of the test's own."""

from __future__ import annotations

from multiprocessing import Pipe
from types import SimpleNamespace

import msgspec
import pytest

from tablecoin.live import thinking
from tablecoin.live.thinking import Asker, Course
from tablecoin.opponents.value import Estimate
from tablecoin.rules import load

GAME_S = 0.01  # what one imagined game takes


def test_the_first_states_of_a_course_are_valued_with_as_many_games_as_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three equal seats that had chosen nothing were worth 0.25, 0 and 0.75 by four imagined games."""
    now_s, games = 0.0, list[int]()

    def value(state: object, *, samples: int, **terms: object) -> Estimate:
        nonlocal now_s
        now_s += samples * GAME_S
        games.append(samples)
        return Estimate({"1": 1.0})

    monkeypatch.setattr(thinking, "time", SimpleNamespace(monotonic=lambda: now_s))
    monkeypatch.setattr(thinking, "load", lambda game: value)
    ring = load("goes-around")
    written = ring.write_state(ring.start(ring.read_options({"players": 3})))
    here, there = Pipe()
    here.send_bytes(msgspec.json.encode(Course(1, "a", "goes-around", 4.0, (written,) * 4)))
    asker = Asker(there)
    answer = asker._answered(asker._receive())
    assert answer.course is not None
    assert len(answer.course) == 4
    first, *others = games  # the first one only tells how long it takes
    assert (first, len(others)) == (4, 4)
    assert min(others) > 75
    assert sum(games) * GAME_S <= 4.0
