"""The live stream and the pictures: the calls that hold a server thread while they wait.

Viewers cannot slow the referee or shut anybody out: each gets the latest snapshot and never a queue, a snapshot is
encoded once for all viewers, and the calls that wait share a fixed number of places, fewer than the server has threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import msgspec
from flask import Blueprint, Response, request

from tablecoin.referee.snapshot import Snapshot
from web import api
from web.bodies import refusal
from web.source import LiveTable
from web.words import say

HEARTBEAT_S = 5.0  # the contract promises one at least every 15 s
SLICE_S = 1.0  # a waiting stream looks at `stopping` at least this often
LEAST_GAP_S = 0.05  # at most 20 snapshots a second to one viewer
FRAME_WAIT_S = 1.0


class Places:
    """A fixed number of places for calls that wait."""

    def __init__(self, total: int) -> None:
        self._free = threading.BoundedSemaphore(total)

    def take(self) -> Callable[[], None] | None:
        """A function that gives the place back (calling it again does nothing), or None when all are taken."""
        if not self._free.acquire(blocking=False):
            return None
        held = threading.Lock()

        def give() -> None:
            if held.acquire(blocking=False):
                self._free.release()

        return give


def encode(snapshot: Snapshot) -> bytes:
    """A snapshot as one server-sent event; its `id` is the snapshot's number."""
    return b"id: %d\ndata: %b\n\n" % (snapshot.seq, msgspec.json.encode(snapshot))


class Encoder:
    """Encodes each new snapshot once for all viewers without a seat; a seat's snapshot may hold its own secrets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[int, bytes] = (-1, b"")  # its number, the event

    def event(self, snapshot: Snapshot) -> bytes:
        with self._lock:
            if self._made[0] != snapshot.seq:
                self._made = (snapshot.seq, encode(snapshot))
            return self._made[1]


def events(
    live: LiveTable, encoder: Encoder, clock: Callable[[], float] = time.monotonic, seat: str | None = None
) -> Iterator[bytes]:
    """The stream as `seat` may see it: a snapshot at once, then each newer one, and heartbeats, until the table stops.

    A browser that reconnects sends Last-Event-ID. It is ignored: the latest snapshot holds everything, and it is sent
    at once.
    """
    snapshot = live.snapshot(seat)
    yield b"retry: 1000\n" + encode(snapshot)  # not the shared one: `age_s` grows while a snapshot is unchanged
    sent_s = clock()
    while not live.stopping.is_set():
        newer = live.wait(snapshot.seq, SLICE_S, seat)
        if newer is not None:
            snapshot = newer
            yield encoder.event(snapshot) if seat is None else encode(snapshot)
            sent_s = clock()
            live.stopping.wait(LEAST_GAP_S)
        elif clock() - sent_s >= HEARTBEAT_S:
            yield b": beat\n\n"  # a write is also how a vanished client is noticed
            sent_s = clock()


def blueprint(live: LiveTable, places: Places) -> Blueprint:
    routes = Blueprint("stream", __name__)
    encoder = Encoder()

    @routes.get("/api/stream")
    def stream() -> Response:
        give = places.take()
        if give is None:
            return refusal(503, say("stream.full"), {"Retry-After": "5"})
        answer = Response(events(live, encoder, seat=api.seat()), mimetype="text/event-stream")
        answer.call_on_close(give)  # not in the generator: one that never started would not run its `finally`
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @routes.get("/api/coin.jpg")
    def coin() -> Response:
        jpeg = live.coin_jpeg()
        answer = Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=204)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @routes.get("/frame.jpg")
    def frame() -> Response:
        view = request.args.get("view", "camera")
        if view not in ("camera", "mat"):
            return refusal(400, say("frame.view"))
        try:
            after = int(request.args["after"]) if "after" in request.args else -1
        except ValueError:
            return refusal(400, say("frame.after"))
        give = places.take()  # without a place it does not wait for a newer picture
        try:
            got = live.frame_jpeg(after, view, FRAME_WAIT_S if give else 0.0)
        finally:
            if give:
                give()
        if got is None:
            return Response(status=204) if after >= 0 else refusal(503, say("frame.none"))
        number, jpeg = got
        answer = Response(jpeg, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Frame-Number"] = str(number)
        return answer

    return routes
