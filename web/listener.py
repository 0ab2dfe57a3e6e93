"""Where the pages are served: on this machine alone while the table is closed, on the network while it is open."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Callable

from flask import Flask

from web import server
from web.access.house import House
from web.source import Streamed
from web.words import say

log = logging.getLogger(__name__)

_LOOK_S = 0.3  # between two looks at how the house stands
EVERYWHERE = "0.0.0.0"


class Listener:
    """One server after another on the same port: opening or closing the table binds it anew."""

    def __init__(self, app: Flask, live: Streamed, house: House, host: str, port: int) -> None:
        """`host`: from the settings; one of the network stands whatever the house says. Raises CannotServe."""
        self._app, self._live, self._house, self._set = app, live, house, host
        self._refused: str | None = None  # where it could not listen
        self._server = self._bound(self._wanted(), port)

    @property
    def host(self) -> str:
        """Where it listens now."""
        return self._server.host

    @property
    def port(self) -> int:
        """The port, which stays the same."""
        return self._server.port

    @property
    def advice(self) -> str | None:
        """What its owner should know: others reach the table and may only watch. None: all is as it should be."""
        closed = self._house.now.mode == "closed" and not is_loopback(self.host)
        return say("access.only_watch")["en"] if closed else None

    def __enter__(self) -> Listener:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def follow(self, for_s: float, moved: Callable[[], None]) -> None:
        """Follow the house for so long, or until the live table stops. `moved`: called when it listens elsewhere."""
        until_s = time.monotonic() + for_s
        while time.monotonic() < until_s and not self._live.stopping.wait(_LOOK_S):
            if self._wanted() not in (self.host, self._refused):
                self._move(self._wanted())
                moved()

    def _wanted(self) -> str:
        return EVERYWHERE if is_loopback(self._set) and self._house.now.mode != "closed" else self._set

    def _move(self, host: str) -> None:
        here, port = self.host, self.port
        self._server.stop()
        try:
            self._server, self._refused = self._bound(host, port), None
        except server.CannotServe as error:
            log.error("%s", say("access.cannot_listen", why=str(error))["en"])
            self._server, self._refused = self._bound(here, port), host
        self._server.start()

    def _bound(self, host: str, port: int) -> server.Server:
        return server.Server(self._app, self._live, host, port)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
