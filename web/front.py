"""The front of the server: the ASGI application that stands before Flask.

Flask answers every call, on a thread, but waits for nobody. The front waits in its place: for a body to be whole, for a
newer picture, for clients that read slowly, and for snapshots, once Flask has let a watcher in. A call that waits here
costs a coroutine and no thread, and each kind of waiting has a deadline or a number of places.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import parse_qs

from flask import Flask

from tablecoin.referee.snapshot import Texts
from web import bodies, stream, wsgi
from web.guard import Client, Deadlines, Guard
from web.peers import HERE, Places, peer_of
from web.source import Streamed
from web.words import say
from web.wsgi import Answer, Scope

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

THREADS, THREADS_HERE = 16, 4  # on which Flask answers the network, and this machine
_AT_ONCE = 4  # calls of one peer that have a thread at the same time
_PIECE = 65_536  # bytes of an answer that are sent at a time
_FRAME_WAIT_S = 1.0  # how long a call waits for a newer picture


class _Gone(Exception):
    """The client left, or was too slow."""


class Front:
    """Serves `app` and the live stream. `begin`, `end` and the calls run on the server's loop."""

    def __init__(self, app: Flask, live: Streamed, guard: Guard, deadlines: Deadlines) -> None:
        self._app, self._live, self._guard, self._deadlines = app, live, guard, deadlines
        self._streams = stream.Streams(live)
        self._watching = Places(total=128, each=4, here=32)
        self._sending = Places(total=8, each=2, here=2)  # photos on their way, of 40 MB at most
        self._turns = Turns(_AT_ONCE)
        self._threads = ThreadPoolExecutor(THREADS, "web")
        self._threads_here = ThreadPoolExecutor(THREADS_HERE, "web-here")

    def begin(self) -> None:
        """Follow the live table."""
        self._streams.begin()

    def end(self) -> None:
        """End every stream."""
        self._streams.end()

    def close(self) -> None:
        """Take no more calls. For any thread, once the loop has ended."""
        for threads in (self._threads, self._threads_here):
            threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client: Client = scope["client"]
        self._guard.began(client)
        try:
            await self._serve(scope, receive, partial(self._send, send))
        except _Gone:
            self._guard.cut(client)
            await asyncio.sleep(0)  # uvicorn learns that the connection is closed before it can miss an answer
        finally:
            self._guard.ended(client)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = peer_of(scope["client"][0])
        if scope["path"] == stream.PATH and scope["method"] == "GET":
            await self._watch(scope, receive, send, peer)
            return
        if scope["path"] == "/frame.jpg":
            await self._streams.picture(*_wanted(scope), _FRAME_WAIT_S)
        length = _declared(scope)
        if scope["path"] in bodies.PHOTOS and (length is None or length > bodies.MAX_JSON_BYTES):
            give, limit = self._sending.take(peer), bodies.MAX_PHOTO_BYTES
        else:
            give, limit = _nothing, bodies.MAX_JSON_BYTES
        if give is None:
            await _answer(send, _refusal(say("photos.full")))
            return
        try:
            with SpooledTemporaryFile(bodies.MAX_JSON_BYTES) as body:
                length = await self._read(receive, body, length, limit)
                answer = await self._call(peer, wsgi.environ_of(scope, body, length))
        finally:
            give()
        await _answer(send, answer)

    async def _watch(self, scope: Scope, receive: Receive, send: Send, peer: str) -> None:
        give = self._watching.take(peer)
        if give is None:
            await _answer(send, _refusal(say("stream.full")))
            return
        try:
            with SpooledTemporaryFile() as nothing:
                environ = wsgi.environ_of(scope, nothing, 0)
                first = await self._call(peer, environ)
            if stream.WATCHER not in environ:  # Flask did not let it in
                await _answer(send, first)
                return
            endless = [(name, value) for name, value in first.headers if name != b"content-length"]
            await send({"type": "http.response.start", "status": first.status, "headers": endless})
            await _more(send, first.body)
            following = self._streams.follow(environ[stream.WATCHER], partial(_more, send))
            await _until_left(receive, following)
            await send({"type": "http.response.body", "body": b""})
        finally:
            give()

    async def _read(self, receive: Receive, into: IO[bytes], declared: int | None, limit: int) -> int:
        """Read the whole body; its length. One beyond `limit` is not read to its end: Flask refuses it by its length.

        Raises _Gone.
        """
        if declared is not None and declared > limit:
            return declared
        length, more = 0, declared != 0
        try:
            async with asyncio.timeout(self._deadlines.body_s):
                while more and length <= limit:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    length += into.write(message["body"])
                    more = message["more_body"]
        except TimeoutError:
            raise _Gone from None
        into.seek(0)
        return length

    async def _call(self, peer: str, environ: dict[str, Any]) -> Answer:
        """Flask's answer."""
        threads = self._threads_here if peer == HERE else self._threads
        async with self._turns.of(peer):
            return await asyncio.get_running_loop().run_in_executor(threads, wsgi.call, self._app, environ)

    async def _send(self, send: Send, message: Message) -> None:
        """Send a part of an answer. Raises _Gone when the client does not take the parts before it in time."""
        try:
            async with asyncio.timeout(self._deadlines.send_s):
                await send(message)
        except TimeoutError:
            raise _Gone from None


class Turns:
    """Lets each peer do a few things at once; its others wait, and nobody else does."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._peers: dict[str, asyncio.Semaphore] = {}
        self._asking: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, peer: str) -> AsyncIterator[None]:
        turns = self._peers.setdefault(peer, asyncio.Semaphore(self._at_once))
        self._asking[peer] += 1
        try:
            async with turns:
                yield
        finally:
            self._asking[peer] -= 1
            if not self._asking[peer]:
                del self._asking[peer], self._peers[peer]


async def _until_left(receive: Receive, following: Awaitable[None]) -> None:
    """Await `following` while the client is there. Raises _Gone."""
    follows, leaves = asyncio.ensure_future(following), asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait((follows, leaves), return_when=asyncio.FIRST_COMPLETED)
        if leaves.done():
            raise _Gone
        await follows
    finally:
        follows.cancel()
        leaves.cancel()
        await asyncio.gather(follows, leaves, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, answer: Answer) -> None:
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    for start in range(0, len(answer.body), _PIECE):
        await _more(send, answer.body[start : start + _PIECE])
    await send({"type": "http.response.body", "body": b""})


async def _more(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _refusal(texts: Texts) -> Answer:
    return wsgi.answer_of(bodies.refusal(503, texts, {"Retry-After": "5"}))


def _declared(scope: Scope) -> int | None:
    """The length of the body as its head tells; None where it will show only at its end."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    return int(headers.get(b"content-length", b"0"))


def _wanted(scope: Scope) -> tuple[int, stream.When]:
    """(the number of the picture that the page has, or -1: none, or no number; what it waits for)."""
    asked = parse_qs(scope["query_string"].decode("latin-1"))
    try:
        after = int(asked["after"][0])
    except (KeyError, ValueError):
        after = -1
    return after, "changed" if asked.get("when") == ["changed"] else "newer"


def _nothing() -> None:
    """There is no place to be given back."""
