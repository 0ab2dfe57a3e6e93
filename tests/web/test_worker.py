"""Long work is done one piece at a time, everybody in turn, and little of it waits: what is too much gets a 503."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tablecoin.photos.counting import Score
from tests.web.everybody import OpenGate
from tests.web.failing_wizard import FailingWizard
from tests.web.quiet import QuietTable
from web.app import create_app
from web.worker import Full, Kind, Worker


class SlowWizard(FailingWizard):
    """Each look takes until the test lets it end."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.free = threading.Semaphore(0), threading.Semaphore(0)
        self.at_once, self.most_at_once = 0, 0

    def aim(self) -> dict[str, Any]:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.release()
        self.free.acquire(timeout=30)
        self.at_once -= 1
        return super().aim()

    def run(self, name: str, tray: object = None) -> dict[str, Any]:
        return self.aim()


@pytest.fixture
def wizard() -> Iterator[SlowWizard]:
    made = SlowWizard()
    yield made
    made.free.release(100)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(12) as made:
        yield made


def ask(client: FlaskClient, pool: ThreadPoolExecutor, *hosts: str) -> list[Future[TestResponse]]:
    """The answers that callers at these addresses get or wait for."""
    return [pool.submit(client.get, "/api/calibrate/aim", environ_base={"REMOTE_ADDR": host}) for host in hosts]


class Desk:
    """A worker that is held up by a first piece, and callers at addresses who ask it for more."""

    def __init__(self, app: Flask) -> None:
        self._app, self._worker = app, Worker(lambda: False)
        self._go, begun = threading.Event(), threading.Event()
        self.done: list[str] = []  # what was asked for, in the order in which it was done

        def first() -> None:
            begun.set()
            assert self._go.wait(60)

        self._pieces = [self.asks("analysis", "10.9.9.9", first)]
        assert begun.wait(60)

    def asks(self, kind: Kind, host: str, work: Callable[[], None] | None = None) -> Future[None] | None:
        """The piece that is begun for this address; None: it was refused at once."""
        with self._app.test_request_context(environ_base={"REMOTE_ADDR": host}):
            try:
                return self._worker.begin(kind, work or (lambda: self.done.append(f"{kind} of {host}")))
            except Full:
                return None

    def works(self, *pieces: Future[None] | None) -> list[str]:
        """Let it work until these are done; what it did since it was held up."""
        self._go.set()
        wait([each for each in pieces if each], 60)
        return self.done


@pytest.fixture
def desk(client: FlaskClient) -> Iterator[Desk]:
    made = Desk(client.application)
    yield made
    made.works()


@pytest.mark.parametrize(
    ("what", "asked", "refused"),
    [
        ("one device has two places", ["photo 1", "replay 1", "set-up 1", "photo 1"], [2, 3]),
        ("the network has four of each kind", [f"photo {k}" for k in range(1, 6)], [4]),
        ("but two of the set-up", ["set-up 1", "set-up 2", "set-up 3"], [2]),
        ("replays take no place of photos", [*(f"replay {k}" for k in (1, 1, 2, 2)), "photo 3", "lesson 3"], []),
        ("this machine has its own", [*(f"photo {k}" for k in range(1, 5)), "photo here"], []),
    ],
)
def test_who_is_refused_at_once(desk: Desk, what: str, asked: list[str], refused: list[int]) -> None:
    calls = [each.split() for each in asked]
    pieces = [desk.asks(kind, "127.0.0.1" if at == "here" else f"10.0.0.{at}") for kind, at in calls]  # type: ignore[arg-type]
    assert [k for k, piece in enumerate(pieces) if piece is None] == refused, what
    assert len(desk.works(*pieces)) == len(asked) - len(refused)


def test_the_next_piece_is_of_the_caller_who_was_served_longest_ago(desk: Desk) -> None:
    first = [desk.asks("replay", host) for host in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2")]
    photo = desk.asks("photo", "10.0.0.3")
    assert desk.works(photo, *first) == [
        "replay of 10.0.0.1", "replay of 10.0.0.2", "photo of 10.0.0.3", "replay of 10.0.0.1", "replay of 10.0.0.2",
    ]  # fmt: skip


def test_who_has_most_or_was_just_served_gives_its_place_to_another(desk: Desk) -> None:
    """Two addresses that ask for replays again and again do not keep a third from history."""
    one, two, three, four = [desk.asks("replay", f"10.0.0.{k}") for k in (1, 1, 2, 2)]
    assert desk.asks("replay", "10.0.0.3"), "has none yet"
    assert four
    assert isinstance(four.exception(0), Full), "the newest of those that are the second of their caller"
    assert desk.asks("replay", "10.0.0.4")
    assert two
    assert isinstance(two.exception(0), Full)
    assert desk.asks("replay", "10.0.0.5") is None, "everybody has one, and nobody was served yet"
    desk.works(one, three)


def test_four_addresses_that_scrub_replays_do_not_refuse_a_photo(
    live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor
) -> None:
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    (step,) = ask(client, pool, "10.0.0.9")
    assert wizard.begun.acquire(timeout=10)
    scrubbing = [
        pool.submit(client.get, "/api/history/7/picture.png", environ_base={"REMOTE_ADDR": f"10.0.0.{k % 4}"})
        for k in range(9)
    ]
    assert next(as_completed(scrubbing, 10)).result().status_code == 503
    sent = {"photo": (io.BytesIO(b"no picture"), "p.jpg")}
    photo = pool.submit(client.post, "/api/score", data=sent, environ_base={"REMOTE_ADDR": "10.0.0.5"})
    wizard.free.release()
    assert (step.result().status_code, photo.result().status_code) == (200, 400)
    assert {each.result().status_code for each in scrubbing} == {404, 503}, "there is no game 7"


def test_a_refusal_says_when_to_try_again(live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor) -> None:
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    answers = ask(client, pool, *["10.0.0.1"] * 3)
    told = next(as_completed(answers, 10)).result()
    assert (told.status_code, "busy" in told.get_json()["error"], told.headers["Retry-After"]) == (503, True, "3")
    wizard.free.release(3)
    assert sorted(each.result().status_code for each in answers) == [200, 200, 503]
    assert wizard.most_at_once == 1


def test_a_second_step_of_the_set_up_is_refused_and_does_not_wait(
    live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor
) -> None:
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    first = pool.submit(client.post, "/api/calibrate/run", json={"step": "aim"})
    assert wizard.begun.acquire(timeout=10)
    assert client.post("/api/calibrate/run", json={"step": "aim"}).status_code == 409
    wizard.free.release()
    assert first.result().status_code == 200


def test_a_photo_that_waits_for_its_turn_is_not_in_memory(
    live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[int]()

    def score(image: bytes, name: str | None) -> Score:
        read.append(len(image))
        raise ValueError("This file is not a picture.")

    monkeypatch.setattr(live, "score", score)
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    (running,) = ask(client, pool, "10.0.0.1")
    assert wizard.begun.acquire(timeout=10)
    waiting = pool.submit(client.post, "/api/score", data={"photo": (io.BytesIO(b"no picture"), "p.jpg")})
    assert not wait([waiting], 0.3).done
    assert read == []
    wizard.free.release()
    assert (running.result().status_code, waiting.result().status_code) == (200, 400)
    assert read == [10]


def test_who_waits_while_the_program_ends_is_let_go(
    live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor
) -> None:
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    (answer,) = ask(client, pool, "10.0.0.1")
    live.stopping.set()
    assert answer.result(timeout=10).status_code == 503


def test_what_work_raises_reaches_its_caller_and_the_next_piece_is_done(client: FlaskClient) -> None:
    worker = Worker(lambda: False)

    def fail() -> int:
        raise ValueError("no picture")

    with client.application.test_request_context():
        with pytest.raises(ValueError, match="no picture"):
            worker.do("photo", fail)
        assert worker.do("photo", lambda: 7) == 7
