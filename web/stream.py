"""The live stream and the pictures.

Viewers cannot slow the referee: each gets the newest snapshot and never a queue, and a snapshot is encoded once for all
who may see the same. Flask lets a watcher in and sends the first event; the front (front.py) sends the later ones from
a coroutine, so that a watcher holds no thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, NamedTuple

import msgspec
from flask import Blueprint, Response, request

from web import api
from web.access.gate import Gate
from web.access.roles import Role
from web.bodies import refusal
from web.security import call_at_hand, who
from web.source import LiveTable, Numbered, Streamed
from web.words import say

PATH = "/api/stream"
WATCHER = "tablecoin.watcher"  # the key of a request's environ under which a Watcher that was let in stands
_HEARTBEAT_S = 5.0  # the contract promises one at least every 15 s
_LEAST_GAP_S = 0.05  # at most 20 snapshots a second to one viewer
_BEAT = b": beat\n\n"  # a write is also how a vanished client is noticed


When = Literal["newer", "changed"]  # which picture a page waits for: any newer one, or one that shows something new


class Watcher(NamedTuple):
    """Who was let in to the stream."""

    seat: str | None  # that it sees the game as
    seq: int  # the number of the snapshot it has
    still: Callable[[], bool]  # whether it is still that: a seat can be taken back, or count in the next game alone


class _Pulse:
    """Wakes all coroutines that wait for it. For one loop."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def beat(self) -> None:
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, timeout_s: float) -> bool:
        """Wait for the next beat; False after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self._next.wait()
        except TimeoutError:
            return False


class Streams:
    """All streams of one server. Everything is called on its loop."""

    def __init__(self, live: Streamed, heartbeat_s: float = _HEARTBEAT_S) -> None:
        self._live, self._heartbeat_s = live, heartbeat_s
        self._snapshots = _Pulse()
        self._pictures: dict[When, _Pulse] = {"newer": _Pulse(), "changed": _Pulse()}
        self._changed = -1  # the newest picture that showed something new
        self._made: dict[str | None, tuple[int, bytes]] = {}  # seat -> number and event of the newest snapshot
        self._stop_listening: list[Callable[[], None]] = []
        self._ended = False

    def begin(self) -> None:
        """Listen to the live table."""
        loop = asyncio.get_running_loop()

        def on_the_loop(heard: Callable[[], None]) -> Callable[[], None]:
            def rung() -> None:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(heard)

            return rung

        self._stop_listening = [
            self._live.snapshots.listen(on_the_loop(self._news)),
            self._live.pictures.listen(on_the_loop(self._pictured)),
        ]

    def end(self) -> None:
        """End every stream."""
        self._ended = True
        for stop in self._stop_listening:
            stop()
        self._snapshots.beat()
        for pulse in self._pictures.values():
            pulse.beat()

    async def follow(self, watcher: Watcher, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send each newer snapshot as the watcher may see it, and heartbeats, until `end`.

        A browser that reconnects sends Last-Event-ID. It is ignored: the newest snapshot holds everything, and was sent
        first.
        """
        sent = watcher.seq
        while not self._ended:
            if not watcher.still():
                return
            number, event = self._newest(watcher.seat)
            if number != sent:
                await send(event)
                sent = number
                await asyncio.sleep(_LEAST_GAP_S)
            elif not await self._snapshots.wait(self._heartbeat_s):
                await send(_BEAT)

    async def picture(self, after: int, when: When, timeout_s: float) -> None:
        """Wait until there is a picture with a number above `after`, or for `timeout_s`. `when`: which one counts."""
        deadline_s = asyncio.get_running_loop().time() + timeout_s
        while not self._ended and self._number(when) <= after:
            left_s = deadline_s - asyncio.get_running_loop().time()
            if left_s <= 0 or not await self._pictures[when].wait(left_s):
                return

    def _number(self, when: When) -> int:
        return self._live.picture_number if when == "newer" else self._live.changed_number

    def _pictured(self) -> None:
        self._pictures["newer"].beat()
        if self._live.changed_number != self._changed:  # else those who wait for a change sleep on
            self._changed = self._live.changed_number
            self._pictures["changed"].beat()

    def _news(self) -> None:
        self._made.clear()
        self._snapshots.beat()

    def _newest(self, seat: str | None) -> tuple[int, bytes]:
        """The newest snapshot's number and event. A seat's snapshot may hold its own secrets."""
        if seat not in self._made:
            snapshot = self._live.snapshot(seat)
            self._made[seat] = snapshot.seq, encode(snapshot)
        return self._made[seat]


def encode(snapshot: Numbered) -> bytes:
    """A snapshot as one server-sent event; its `id` is the snapshot's number."""
    return b"id: %d\ndata: %b\n\n" % (snapshot.seq, msgspec.json.encode(snapshot))


def blueprint(live: LiveTable, gate: Gate) -> Blueprint:
    routes = Blueprint("stream", __name__)

    @routes.get(PATH)
    def stream() -> Response:
        seat = api.seat()
        snapshot = live.snapshot(seat)
        made, me = call_at_hand(), who()
        asks = seat is not None or me.role is Role.SEAT
        request.environ[WATCHER] = Watcher(seat, snapshot.seq, lambda: not asks or gate.still(made, me))
        answer = Response(b"retry: 1000\n" + encode(snapshot), mimetype="text/event-stream")
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
        """The newest picture. The front waited for one that is newer than `after`."""
        view = request.args.get("view", "camera")
        if view not in ("camera", "mat"):
            return refusal(400, say("frame.view"))
        try:
            after = int(request.args["after"]) if "after" in request.args else -1
        except ValueError:
            return refusal(400, say("frame.after"))
        when = request.args.get("when", "newer")
        if when not in ("newer", "changed"):
            return refusal(400, say("frame.when"))
        got = (live.changed_jpeg if when == "changed" else live.frame_jpeg)(after, view)
        if got is None:
            return Response(status=204) if after >= 0 else refusal(503, say("frame.none"))
        answer = Response(got.jpeg, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Frame-Number"] = str(got.number)
        if got.mat:
            answer.headers["X-Mat"] = got.mat
        if view == "camera" and (corners := live.corners()):
            answer.headers["X-Mat-Corners"] = " ".join(f"{x:.5f},{y:.5f}" for x, y in corners)
        return answer

    return routes
