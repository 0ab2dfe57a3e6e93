"""The calls of *Teach me*: each wish reaches the classroom, and the classroom is closed when nobody learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from tablecoin.coins import Denomination, Face
from tablecoin.lessons.classroom import View
from tablecoin.virtual.table import VirtualCoin
from web import learning
from web.bodies import LessonBody
from web.learning import Lessons

LEARNER = "0123456789ab"
COIN = VirtualCoin(Denomination.DIME, Face.HEADS, 10.0, 20.0, 0.0)


class Room:
    """A classroom that keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.closed = 0

    def __getattr__(self, name: str) -> Callable[..., View]:
        def ask(*what: object) -> View:
            self.asked.append((name, *what))
            return cast(View, f"view {len(self.asked)}")

        return ask

    def close(self) -> None:
        self.closed += 1


class Timer:
    """A timer that rings when the test wants it to."""

    made: list[Timer]
    daemon = False

    def __init__(self, after_s: float, ring: Callable[[], None]) -> None:
        self.after_s, self.ring = after_s, ring
        self.running = False
        Timer.made.append(self)

    def start(self) -> None:
        self.running = True

    def cancel(self) -> None:
        self.running = False


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    made = Room()
    Timer.made = []
    monkeypatch.setattr(learning, "Classroom", lambda: made)
    monkeypatch.setattr("threading.Timer", Timer)
    return made


@pytest.mark.parametrize(
    ("wish", "asked"),
    [
        ({"do": "look"}, ("look",)),
        ({"do": "begin"}, ("begin",)),
        ({"do": "next"}, ("next",)),
        ({"do": "go-on"}, ("go_on",)),
        ({"do": "put-back"}, ("put_back",)),
        ({"do": "toss"}, ("toss",)),
        ({"do": "put", "coins": (COIN,)}, ("put", (COIN,))),
        ({"do": "press", "button": "heads.done"}, ("command", "press", "heads.done")),
        ({"do": "act", "action": {"do": "place"}}, ("command", "act", {"do": "place"})),
        ({"do": "answer", "choice": 2}, ("command", "answer", {"choice": 2})),
    ],
)
def test_each_wish_reaches_the_classroom(room: Room, wish: dict[str, Any], asked: tuple[object, ...]) -> None:
    view: object = Lessons().do("steal", LessonBody(LEARNER, **wish))
    assert view == "view 1"
    assert room.asked == [(asked[0], LEARNER, "steal", *asked[1:])]


def test_the_classroom_is_closed_after_three_minutes_without_a_wish(room: Room) -> None:
    lessons = Lessons()
    for _ in range(3):
        lessons.do("steal", LessonBody(LEARNER, "look"))
    assert [timer.running for timer in Timer.made] == [False, False, True], "each wish begins the wait again"
    newest = Timer.made[-1]
    assert (newest.after_s, newest.daemon, room.closed) == (180.0, True, 0)
    newest.ring()
    assert room.closed == 1


def test_a_game_without_a_lesson_is_not_found(client: FlaskClient) -> None:
    assert client.get("/learn/steal").status_code == 200
    assert client.get("/learn/chess").status_code == 404
    answer = client.post("/api/learn/chess", json={"learner": LEARNER, "do": "look"})
    assert (answer.status_code, "chess" in answer.get_json()["error"]) == (404, True)
