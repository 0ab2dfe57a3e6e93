"""The guard over connections: so many for one address, and a deadline for everything that a client has to send.

The server calls no application before a request's head is whole, so a client that sends it byte by byte would hold its
connection for ever. The guard sees each connection open and close, and is told when a request begins and ends; while
none is running, a deadline does.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.peers import Places, peer_of

Client = tuple[str, int]  # address and port of the other end: names a connection

_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER with 0 s: what was not sent is thrown away when the socket is closed
_MOST = 640  # connections; 100 phones with a stream and a few pictures each need about 300
_OTHER_FILES = 256  # descriptors left for the journal, the camera, uploads and libraries
_FEWEST = 40  # connections, however few descriptors the system gives
_EACH = 16  # connections of one address: a browser opens six


@dataclass(frozen=True)
class Deadlines:
    """Seconds that a client has."""

    head_s: float = 10.0  # for its first request's head
    next_head_s: float = 15.0  # for the next one's; an idle connection is closed after 5 s anyway
    body_s: float = 60.0  # for a whole body: a photo of 40 MB at 0.7 MB/s
    send_s: float = 20.0  # to take the next 64 kB of an answer


def connection_places() -> Places:
    """As many as the system's limit of open files allows, a fifth of them for this machine."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if soft == resource.RLIM_INFINITY else max(_FEWEST, min(_MOST, soft - _OTHER_FILES))
    return Places(most - most // 5, _EACH, most // 5)


@dataclass
class _Connection:
    transport: asyncio.Transport
    give: Callable[[], None]
    deadline: asyncio.TimerHandle | None = None
    running: int = 0  # requests whose head is whole and that are not answered


class Guard:
    """Watches all connections of one server. Everything is called on the server's loop."""

    def __init__(self, places: Places, deadlines: Deadlines) -> None:
        self._places, self._deadlines = places, deadlines
        self._open: dict[Client, _Connection] = {}
        self._closing = False

    def __len__(self) -> int:
        """How many connections are open."""
        return len(self._open)

    @property
    def running(self) -> int:
        """How many requests are being answered."""
        return sum(each.running for each in self._open.values())

    def opened(self, transport: asyncio.Transport) -> None:
        """A connection was opened; it is cut at once where its address has too many."""
        client = _client(transport)
        give = None if client is None or self._closing else self._places.take(peer_of(client[0]))
        if client is None or give is None:
            _abort(transport)
            return
        self._open[client] = _Connection(transport, give)
        self._arm(client, self._deadlines.head_s)

    def closed(self, transport: asyncio.Transport) -> None:
        client = _client(transport)
        if client is not None and client in self._open and self._open[client].transport is transport:
            self._disarm(self._open[client])
            self._open.pop(client).give()

    def began(self, client: Client) -> None:
        """The head of a request is whole."""
        if client in self._open:
            self._open[client].running += 1
            self._disarm(self._open[client])

    def ended(self, client: Client) -> None:
        """A request was answered. Another one that came behind it may be running already."""
        if client in self._open:
            self._open[client].running -= 1
            if not self._open[client].running:
                self._arm(client, self._deadlines.next_head_s)

    def cut(self, client: Client) -> None:
        """Close a connection at once, whatever is still to be sent."""
        if client in self._open:
            _abort(self._open[client].transport)

    def close(self) -> None:
        """Cut every connection, and each that is opened from now on."""
        self._closing = True
        for client in tuple(self._open):
            self.cut(client)

    def protocol(self) -> type[asyncio.Protocol]:
        """The class of uvicorn's connections, watched by this guard."""
        guard = self

        class Guarded(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                guard.opened(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                guard.closed(self.transport)
                super().connection_lost(exc)

        return Guarded

    def _arm(self, client: Client, seconds: float) -> None:
        self._open[client].deadline = asyncio.get_running_loop().call_later(seconds, self.cut, client)

    def _disarm(self, connection: _Connection) -> None:
        if connection.deadline:
            connection.deadline.cancel()
            connection.deadline = None


def _client(transport: asyncio.BaseTransport) -> Client | None:
    """None: it left before it could be asked."""
    name = transport.get_extra_info("peername")
    return (str(name[0]), int(name[1])) if name else None


def _abort(transport: asyncio.Transport) -> None:
    connected = transport.get_extra_info("socket")
    if connected is not None:
        with suppress(OSError):  # it is closed already
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    transport.abort()
