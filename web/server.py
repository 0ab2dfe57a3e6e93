"""The web server: one waitress inside this process, started and stopped with the live table."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from web import bodies, security
from web.app import THREADS

STOP_WITHIN_S = 5


class CannotServe(Exception):
    """The server could not start; `str()` is one sentence: what is wrong and what to do."""


class Server:
    """Serves `app` from its own threads between `start` and `stop`.

    `stopping` is the live table's event, at which open streams end; `stop` sets it first.
    """

    def __init__(self, app: Flask, stopping: threading.Event, host: str, port: int) -> None:
        self.host, self.stopping = host, stopping
        logging.getLogger("waitress").setLevel(logging.WARNING)  # it warns of every phone that leaves
        self._sockets: dict[int, Any] = {}  # waitress's own map: file descriptor -> dispatcher
        if not 0 <= port <= 65535:  # the system would take it modulo 65536
            raise CannotServe(f"{port} is not a port; choose one from 1024 to 65535 with --port")
        try:
            self._server = create_server(
                app,
                map=self._sockets,
                host=host,
                port=port,
                threads=THREADS,
                connection_limit=200,
                outbuf_high_watermark=131_072,  # a client that never reads costs 128 kB, not all its snapshots
                max_request_body_size=2 * bodies.MAX_PHOTO_BYTES,  # above Flask's own limit, whose 413 is a sentence
                ident=None,
            )
        except (OSError, ValueError) as error:
            wasyncore.close_all(self._sockets, ignore_all=True)
            raise CannotServe(_why(error, host, port)) from None
        listening: Any = self._server
        if hasattr(listening, "effective_listen"):  # a name that means several addresses
            self.port = int(listening.effective_listen[0][1])
        else:
            self.port = int(listening.effective_port)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End open streams, let calls in progress finish, then close every connection. Safe to call twice."""
        self.stopping.set()
        self._server.task_dispatcher.shutdown(timeout=STOP_WITHIN_S)
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN_S)

    def _run(self) -> None:
        """Serves until `_closing` is set. The loop of waitress itself would end only after every client has hung up."""
        while not self._closing.is_set():
            wasyncore.loop(timeout=0.25, map=self._sockets, count=1)
        wasyncore.close_all(self._sockets, ignore_all=True)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def join_urls(host: str, port: int) -> list[str] | None:
    """Where phones on the network reach a server listening on `host` at this moment, best first.

    None when only this machine can; empty while it has no network. The address comes before the .local name: not every
    phone looks such names up.
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


def _why(error: Exception, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"port {port} is already in use; stop the program that uses it or choose another with --port"
    if code == errno.EACCES:
        return f"port {port} needs more rights; choose one above 1023 with --port"
    return f"cannot listen on {host}; choose an address of this machine with --host, or 0.0.0.0 for all"
