"""Long work is done one piece after the other, and little of it waits: what is too much is answered 503."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tablecoin.photos.counting import Score
from tests.web.everybody import OpenGate
from tests.web.failing_wizard import FailingWizard
from tests.web.quiet import QuietTable
from web.app import create_app
from web.worker import Worker


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


def refused(answers: list[Future[TestResponse]], most: int) -> list[TestResponse]:
    """The answers that come although no work ends, `most` at most."""
    came: set[Future[TestResponse]] = set()
    while len(came) < most and (more := wait(set(answers) - came, 5, "FIRST_COMPLETED").done):
        came |= more
    return [each.result() for each in came]


@pytest.mark.parametrize(
    ("what", "hosts", "too_many"),
    [
        ("one device has two places", ["10.0.0.1"] * 8, 6),
        ("the network has four", ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"], 1),
        ("this machine has its own", ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "127.0.0.1"], 0),
    ],
)
def test_who_is_refused(
    live: QuietTable, wizard: SlowWizard, pool: ThreadPoolExecutor, what: str, hosts: list[str], too_many: int
) -> None:
    client = create_app(live, wizard=wizard, gate=OpenGate()).test_client()
    answers = ask(client, pool, *hosts)
    told = refused(answers, too_many)
    assert [each.status_code for each in told] == [503] * too_many, what
    assert all("busy" in each.get_json()["error"] and int(each.headers["Retry-After"]) > 0 for each in told)
    wizard.free.release(100)
    assert sorted(each.result().status_code for each in answers) == [200] * (len(hosts) - too_many) + [503] * too_many
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
            worker.do(fail)
        assert worker.do(lambda: 7) == 7
