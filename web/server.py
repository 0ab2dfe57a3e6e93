"""The web server: uvicorn inside this process, on a thread of its own, started and stopped with the live table."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading

import uvicorn
from flask import Flask

from tablecoin.storage import structs
from web import security
from web.front import Front
from web.guard import Deadlines, Guard, connection_places
from web.source import Streamed

_CALLS_END_S = 3.0  # how long calls in progress may still take after `stop`
_STOP_WITHIN_S = 6.0
_DEADLINES = Deadlines()


class CannotServe(Exception):
    """The server could not start; `str()` is one sentence: what is wrong and what to do."""


class Server:
    """Serves `app` over the live table between `start` and `stop`, once. `port`: also when any free one was asked."""

    def __init__(self, app: Flask, live: Streamed, host: str, port: int, deadlines: Deadlines = _DEADLINES) -> None:
        self.host = host
        self._sockets = _listen(host, port)
        self.port = int(self._sockets[0].getsockname()[1])
        self._guard = Guard(connection_places(), deadlines)
        self._front = Front(app, live, self._guard, deadlines)
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # it warns of every call that it cannot read
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(
                self._front,
                http=self._guard.protocol(),
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # any client could give itself another address
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        structs.make_known()
        self._thread.start()
        self._runs.wait()

    def stop(self) -> None:
        """End open streams, let calls in progress finish, then close every connection. Safe to call twice."""
        if self._loop and self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop)
            self._thread.join(_STOP_WITHIN_S)
        for listening in self._sockets:
            listening.close()
        self._front.close()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._front.begin()
        self._runs.set()
        await self._uvicorn.serve(self._sockets)

    async def _end(self) -> None:
        self._front.end()
        until_s = asyncio.get_running_loop().time() + _CALLS_END_S
        while self._guard.running and asyncio.get_running_loop().time() < until_s:
            await asyncio.sleep(0.02)
        self._guard.close()
        self._uvicorn.should_exit = True

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def join_urls(host: str, port: int) -> list[str] | None:
    """Where phones on the network reach a server listening on `host` at this moment, best first.

    None when only this machine can; empty while it has no network. The address comes before the .local name: not every
    phone look such names up.
    """
    if host in ("127.0.0.1", "::1", "localhost"):
        return None
    if host not in ("0.0.0.0", "::", ""):
        return [_url(host, port)]
    name = socket.gethostname().partition(".")[0]
    addresses = security.own_addresses()
    return [_url(address, port) for address in addresses] + ([_url(f"{name}.local", port)] if addresses else [])


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}{'' if port == 80 else f':{port}'}/"


def _listen(host: str, port: int) -> list[socket.socket]:
    """A listening socket for each address that `host` means. Raises CannotServe."""
    if not 0 <= port <= 65535:  # the system would take it modulo 65536
        raise CannotServe(f"{port} is not a port; choose one from 1024 to 65535 with --port")
    listening: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(found):
            if listening and not port:  # the same free port at each address
                address = (address[0], listening[0].getsockname()[1], *address[2:])
            both = host == "::" and socket.has_dualstack_ipv6()
            listening.append(socket.create_server(address, family=family, backlog=1024, dualstack_ipv6=both))
    except (OSError, ValueError) as error:
        for each in listening:
            each.close()
        raise CannotServe(_why(error, host, port)) from None
    return listening


def _why(error: Exception, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"port {port} is already in use; stop the program that uses it or choose another with --port"
    if code == errno.EACCES:
        return f"port {port} needs more rights; choose one above 1023 with --port"
    return f"cannot listen on {host}; choose an address of this machine with --host, or 0.0.0.0 for all"
