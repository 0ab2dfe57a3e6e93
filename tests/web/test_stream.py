"""The live stream and the pictures: at once, always the latest, and never more waiting than there are places."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from copy import copy
from typing import Any, cast

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tablecoin.coins import Heap
from tablecoin.vision.shown.close_up import SIDE_PX
from tests.web.stand_in import FakeLiveTable
from web.app import SPARE_THREADS, create_app
from web.stream import HEARTBEAT_S, Encoder, Places, events


def event(chunk: bytes) -> tuple[int, dict[str, Any]]:
    """(id, data) of one server-sent event."""
    fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
    return int(fields["id"]), json.loads(fields["data"])


def stream(client: FlaskClient, **headers: str) -> tuple[Iterator[bytes], TestResponse]:
    answer = client.get("/api/stream", headers=headers, buffered=False)
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    return cast(Iterator[bytes], iter(answer.response)), answer


def test_a_snapshot_comes_at_once_and_its_id_is_its_number(client: FlaskClient, live: FakeLiveTable) -> None:
    chunks, answer = stream(client)
    number, data = event(next(chunks))
    assert data == client.get("/api/state").get_json()
    assert number == data["seq"]
    answer.close()


@pytest.mark.parametrize("last", ["0", "999999", "nonsense"])
def test_a_reconnecting_browser_gets_the_latest_at_once(client: FlaskClient, live: FakeLiveTable, last: str) -> None:
    """999999: the number is higher than any the table has given."""
    chunks, answer = stream(client, **{"Last-Event-ID": last})
    assert event(next(chunks))[0] == live.snapshot().seq
    answer.close()


def test_a_slow_reader_gets_the_newest_not_a_queue(client: FlaskClient, live: FakeLiveTable) -> None:
    chunks, answer = stream(client)
    first, _ = event(next(chunks))
    for _ in range(10):
        live.publish()
    assert event(next(chunks))[0] == first + 10
    answer.close()


def test_a_quiet_table_still_sends_heartbeats(live: FakeLiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def wait(after_seq: int, timeout_s: float, seat: str | None = None) -> None:
        now[0] += timeout_s

    monkeypatch.setattr(live, "wait", wait)
    chunks = events(live, Encoder(), clock=lambda: now[0])
    next(chunks)
    beat = next(chunks)
    assert beat.startswith(b":")
    assert now[0] <= 15
    assert HEARTBEAT_S < 15
    assert next(chunks).startswith(b":")


def test_a_stream_ends_when_the_table_stops(live: FakeLiveTable) -> None:
    chunks = events(live, Encoder())
    next(chunks)
    live.stopping.set()
    assert list(chunks) == []


def test_a_stream_without_a_free_place_is_refused_for_the_moment(live: FakeLiveTable) -> None:
    client = create_app(live, threads=SPARE_THREADS + 2).test_client()
    held = [client.get("/api/stream", buffered=False) for _ in range(2)]
    refused = client.get("/api/stream")
    assert (refused.status_code, "error" in refused.get_json()) == (503, True)
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/frame.jpg").status_code == 200  # pictures are still served, without waiting
    held.pop().close()  # never read: the place is given back all the same
    assert client.get("/api/stream", buffered=False).status_code == 200


def test_a_place_is_given_back_only_once() -> None:
    places = Places(1)
    give = places.take()
    assert give is not None
    assert places.take() is None
    give()
    give()
    assert places.take() is not None
    assert places.take() is None


def test_a_snapshot_is_encoded_once_for_all(live: FakeLiveTable) -> None:
    encoder = Encoder()
    snapshot = live.snapshot()
    assert encoder.event(snapshot) is encoder.event(copy(snapshot))
    live.publish()
    assert encoder.event(live.snapshot()) is not encoder.event(snapshot)


# -- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?view=camera", "?view=mat", "?after=0", "?after=-1&view=mat"])
def test_the_newest_picture(client: FlaskClient, live: FakeLiveTable, query: str) -> None:
    answer = client.get(f"/frame.jpg{query}")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.data.startswith(b"\xff\xd8")
    assert int(answer.headers["X-Frame-Number"]) == live.snapshot().seq


def test_after_waits_for_the_next_picture(client: FlaskClient, live: FakeLiveTable) -> None:
    number = client.get("/frame.jpg").headers["X-Frame-Number"]
    threading.Timer(0.05, live.publish).start()
    newer = client.get(f"/frame.jpg?after={number}")
    assert int(newer.headers["X-Frame-Number"]) == int(number) + 1


def test_no_newer_picture_is_204(client: FlaskClient, live: FakeLiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.stream.FRAME_WAIT_S", 0.01)
    started = time.monotonic()
    assert client.get("/frame.jpg?after=999999").status_code == 204
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("query", ["?view=side", "?after=now", "?after="])
def test_a_bad_question_is_400(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/frame.jpg{query}")
    assert (answer.status_code, "error" in answer.get_json()) == (400, True)


def test_without_a_camera_it_says_so(client: FlaskClient, live: FakeLiveTable) -> None:
    live.no_picture = True
    answer = client.get("/frame.jpg")
    assert (answer.status_code, "error" in answer.get_json()) == (503, True)


def test_the_coin_asked_about_is_shown_large_while_it_is_asked_about(client: FlaskClient, live: FakeLiveTable) -> None:
    assert client.get("/api/coin.jpg").status_code == 204
    live.table.toss(Heap(penny=2), "tray")
    live.asked = 1
    answer = client.get("/api/coin.jpg?of=7")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    picture = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)
    middle, corner = picture[SIDE_PX // 2, SIDE_PX // 2], picture[4, 4]
    assert middle[2] - int(middle[0]) > 60  # copper in the middle
    assert abs(int(corner[2]) - int(corner[0])) < 30  # the mat's grey around it
