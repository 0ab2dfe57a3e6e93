"""The live stream and the pictures: at once, always the newest, encoded once, and no thread for those who wait."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.client import HTTPResponse
from typing import Any, TypeVar
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from tablecoin.referee.prompt import Close
from tablecoin.referee.snapshot import Snapshot
from tablecoin.vision.frame import Disc, Frame
from tablecoin.vision.shown.close_up import SIDE_PX
from tests.referee.table import seen
from tests.web.quiet import QuietTable
from web import front, stream
from web.app import create_app
from web.server import Server
from web.stream import Streams, Watcher

T = TypeVar("T")


@pytest.fixture
def served(live: QuietTable) -> Iterator[str]:
    """The address of a server over the table."""
    with Server(create_app(live), live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}"


def next_event(answer: HTTPResponse) -> tuple[int, dict[str, Any]]:
    """(id, data) of the next server-sent event."""
    fields: dict[str, str] = {}
    while "data" not in fields:
        name, _, value = answer.readline().decode().rstrip("\n").partition(": ")
        fields[name] = value
    return int(fields["id"]), json.loads(fields["data"])


def watch(served: str, **headers: str) -> HTTPResponse:
    answer: HTTPResponse = urlopen(Request(f"{served}/api/stream", headers=headers), timeout=10)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    return answer


def test_a_snapshot_comes_at_once_and_its_id_is_its_number(served: str, client: FlaskClient) -> None:
    with watch(served) as answer:
        number, data = next_event(answer)
    assert data | {"age_s": 0} == client.get("/api/state").get_json() | {"age_s": 0}
    assert number == data["seq"]


@pytest.mark.parametrize("last", ["0", "999999", "nonsense"])
def test_a_reconnecting_browser_gets_the_latest_at_once(served: str, live: QuietTable, last: str) -> None:
    """999999: the number is higher than any the table has given."""
    with watch(served, **{"Last-Event-ID": last}) as answer:
        assert next_event(answer)[0] == live.snapshot().seq


def test_more_than_a_hundred_watch_and_hold_no_thread(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter(range(1000))
    monkeypatch.setattr(front, "peer_of", lambda host: f"phone {next(numbers)}")
    monkeypatch.setattr("web.guard.peer_of", lambda host: f"phone {next(numbers)}")
    with Server(create_app(live), live, "127.0.0.1", 0) as server:
        before = threading.active_count()
        phones = [watch(f"http://127.0.0.1:{server.port}") for _ in range(110)]
        live.news()
        seen = [[next_event(phone)[0] for _ in range(2)] for phone in phones]
        threads = threading.active_count() - before
        for phone in phones:
            phone.close()
    assert seen == [[live.snapshot().seq - 1, live.snapshot().seq]] * 110
    assert threads <= front.THREADS


# -- the coroutine ----------------------------------------------------------------------------------------------------


def on_a_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it on a thread of its own: Playwright leaves a loop running on this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def sent_by(live: QuietTable, play: Callable[[Sent], Awaitable[None]]) -> list[bytes]:
    """What a watcher who has the newest snapshot is sent while `play` runs."""

    async def run() -> list[bytes]:
        streams, sent = Streams(live, heartbeat_s=0.02), Sent()
        streams.begin()
        following = asyncio.create_task(streams.follow(Watcher(None, live.snapshot().seq, lambda: True), sent.keep))
        await play(sent)
        streams.end()
        await asyncio.wait_for(following, 10)
        return sent

    return on_a_loop(run())


class Sent(list[bytes]):
    """What a watcher was sent."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    async def keep(self, event: bytes) -> None:
        self.append(event)
        self._more.set()

    async def come(self, number: int = 1) -> None:
        """Wait until so many events have come."""
        async with asyncio.timeout(10):
            while len(self) < number:
                self._more.clear()
                await self._more.wait()


def test_a_slow_reader_gets_the_newest_not_a_queue(live: QuietTable) -> None:
    async def play(sent: Sent) -> None:
        for _ in range(10):
            live.news()
        await sent.come()

    assert sent_by(live, play)[0].startswith(b"id: %d\n" % live.snapshot().seq)


def test_a_quiet_table_still_sends_heartbeats(live: QuietTable) -> None:
    async def play(sent: Sent) -> None:
        await sent.come(3)

    assert set(sent_by(live, play)) == {b": beat\n\n"}


def test_a_stream_ends_when_the_server_stops(live: QuietTable) -> None:
    async def play(sent: Sent) -> None:
        await asyncio.sleep(0)

    assert sent_by(live, play) == []  # and `follow` has returned


def test_a_stream_ends_before_the_next_event_when_its_seat_was_taken_back(live: QuietTable) -> None:
    async def run() -> list[bytes]:
        streams, sent, own = Streams(live), Sent(), [True]
        streams.begin()
        watcher = Watcher("heads", live.snapshot().seq, lambda: own[0])
        following = asyncio.create_task(streams.follow(watcher, sent.keep))
        live.news()
        await sent.come()
        own[0] = False
        live.news()
        await asyncio.wait_for(following, 10)
        return sent

    assert len(on_a_loop(run())) == 1


def test_a_snapshot_is_encoded_once_for_all_who_may_see_the_same(
    live: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = list[int]()

    def encode(snapshot: Snapshot) -> bytes:
        encoded.append(snapshot.seq)
        return b"id: %d\n" % snapshot.seq

    async def run() -> None:
        streams, got = Streams(live), Sent()
        streams.begin()
        seats = [None] * 20 + ["heads"] * 3
        watching = [
            asyncio.create_task(streams.follow(Watcher(seat, live.snapshot().seq, lambda: True), got.keep))
            for seat in seats
        ]
        live.news()
        await got.come(len(seats))
        streams.end()
        await asyncio.gather(*watching)

    monkeypatch.setattr(stream, "encode", encode)
    on_a_loop(run())
    assert encoded.count(live.snapshot().seq) == 2, "once for those without a seat, once for the seat"


# -- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?view=camera", "?view=mat", "?after=0", "?after=-1&view=mat"])
def test_the_newest_picture(client: FlaskClient, live: QuietTable, query: str) -> None:
    answer = client.get(f"/frame.jpg{query}")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.data.startswith(b"\xff\xd8")
    assert int(answer.headers["X-Frame-Number"]) == live.picture_number
    assert answer.headers.get("X-Mat") == ("two-row" if "view=mat" in query else None)


def film_while_it_waits(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next picture comes once somebody waits for it."""
    waits = stream._Pulse.wait

    async def begun(pulse: stream._Pulse, timeout_s: float) -> bool:
        asyncio.get_running_loop().call_soon(live.film)
        return await waits(pulse, timeout_s)

    monkeypatch.setattr(stream._Pulse, "wait", begun)


def test_after_waits_for_the_next_picture(served: str, live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    with urlopen(f"{served}/frame.jpg", timeout=10) as picture:
        number = int(picture.headers["X-Frame-Number"])
    film_while_it_waits(live, monkeypatch)
    with urlopen(f"{served}/frame.jpg?after={number}", timeout=10) as newer:
        assert int(newer.headers["X-Frame-Number"]) == number + 1


def test_no_newer_picture_is_204(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "_FRAME_WAIT_S", 0.01)
    with urlopen(f"{served}/frame.jpg?after=999999", timeout=10) as answer:
        assert answer.status == 204


def test_while_nothing_moves_a_page_gets_no_picture(
    served: str, live: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    with urlopen(f"{served}/frame.jpg?when=changed", timeout=10) as picture:
        number = int(picture.headers["X-Frame-Number"])
    live.film(stirs=False)  # the table has come to rest
    with urlopen(f"{served}/frame.jpg?when=changed", timeout=10) as picture:
        number = int(picture.headers["X-Frame-Number"])
    live.film(stirs=False)
    monkeypatch.setattr(front, "_FRAME_WAIT_S", 0.01)
    with urlopen(f"{served}/frame.jpg?when=changed&after={number}", timeout=10) as answer:
        assert answer.status == 204
    with urlopen(f"{served}/frame.jpg?after={number}", timeout=10) as answer:
        assert answer.status == 200  # who asks for any newer picture gets it


def test_a_page_that_waits_for_a_change_is_woken_by_it(
    served: str, live: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    with urlopen(f"{served}/frame.jpg?when=changed", timeout=10) as picture:
        number = int(picture.headers["X-Frame-Number"])
    film_while_it_waits(live, monkeypatch)
    with urlopen(f"{served}/frame.jpg?when=changed&after={number}", timeout=10) as newer:
        assert int(newer.headers["X-Frame-Number"]) == number + 1


@pytest.mark.parametrize("query", ["?view=side", "?after=now", "?after=", "?when=soon"])
def test_a_bad_question_is_400(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/frame.jpg{query}")
    assert (answer.status_code, "error" in answer.get_json()) == (400, True)


def test_without_a_camera_it_says_so(client: FlaskClient, live: QuietTable) -> None:
    live.blind()
    answer = client.get("/frame.jpg")
    assert (answer.status_code, "error" in answer.get_json()) == (503, True)


def test_the_coin_asked_about_is_shown_large_while_it_is_asked_about(client: FlaskClient, live: QuietTable) -> None:
    assert client.get("/api/coin.jpg").status_code == 204
    picture = np.full((300, 400, 3), 210, np.uint8)
    cv2.circle(picture, (200, 150), 19, (60, 105, 170), -1)
    coin = seen("penny", "tray", 200.0)
    live.shows(Close(Frame(picture, 1, 0.0), replace(coin, disc=Disc(200.0, 150.0, 19.0))))
    answer = client.get("/api/coin.jpg?of=7")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    large = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert large is not None
    assert large.shape == (SIDE_PX, SIDE_PX, 3)
    middle, corner = large[SIDE_PX // 2, SIDE_PX // 2], large[4, 4]
    assert middle[2] - int(middle[0]) > 60  # copper in the middle
    assert abs(int(corner[2]) - int(corner[0])) < 30  # the mat's grey around it
