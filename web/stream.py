"""The live stream and the pictures: what holds a server thread while it waits.

Viewers can never slow the referee or lock anybody out: each gets the latest snapshot, never a queue; a snapshot is
encoded once for all; and the calls that wait share a fixed number of places, fewer than the server has threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import msgspec
from flask import Blueprint, Response, request

from tablecoin.referee.snapshot import Snapshot
from web import api
from web.security import refusal
from web.source import LiveTable

HEARTBEAT_S = 5.0  # the contract promises one at least every 15 s
SLICE_S = 1.0  # nobody waits longer than this before looking at `stopping`
LEAST_GAP_S = 0.05  # 20 snapshots a second are live enough for any eye
FRAME_WAIT_S = 1.0


class Places:
    """A fixed number of places for calls that wait."""

    def __init__(self, total: int) -> None:
        self._free = threading.BoundedSemaphore(total)

    def take(self) -> Callable[[], None] | None:
        """What gives the place back (once, however often called), or None when all are taken."""
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
    """Encodes each new snapshot once for everybody who sits at no seat; what a seat sees is its own."""

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
    """The stream, as `seat` may see it: a snapshot at once, then each newer one, and heartbeats, until the house stops.

    A browser that reconnects sends Last-Event-ID. It is not needed: the latest snapshot is all there is to catch up
    with, and it is sent at once even when its number is lower, as after a restart.
    """
    snapshot = live.snapshot(seat)
    yield b"retry: 1000\n" + encode(snapshot)  # its own: the age of an unchanged snapshot grows
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
            answer = refusal(503, "Too many people are watching; try again in a moment.")
            answer.headers["Retry-After"] = "5"
            return answer
        answer = Response(events(live, encoder, seat=api.seat()), mimetype="text/event-stream")
        answer.call_on_close(give)  # not in the generator: one that never started would not run its `finally`
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @routes.get("/frame.jpg")
    def frame() -> Response:
        view = request.args.get("view", "camera")
        if view not in ("camera", "mat"):
            return refusal(400, "view is camera or mat.")
        try:
            after = int(request.args["after"]) if "after" in request.args else -1
        except ValueError:
            return refusal(400, "after is the number of the last picture you have.")
        give = places.take()  # without a place: what there is now, at once
        try:
            got = live.frame_jpeg(after, view, FRAME_WAIT_S if give else 0.0)
        finally:
            if give:
                give()
        if got is None:
            return Response(status=204) if after >= 0 else refusal(503, "There is no picture to show yet.")
        number, jpeg = got
        answer = Response(jpeg, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Frame-Number"] = str(number)
        return answer

    return routes
