"""Around every request: the gate, rate limits, response headers. And the names and addresses of this machine."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flask import Flask, Response, g, request
from flask.typing import ResponseReturnValue

from web.access.call import SAFE, Call, call_of
from web.access.gate import Gate, Who
from web.bodies import refusal
from web.peers import peer_of
from web.words import say

_CONTAINERS = ("docker", "veth", "br-", "virbr")  # beginnings of names of interfaces that no phone can reach
_SIOCGIFADDR = 0x8915  # Linux: the address of an interface

Clock = Callable[[], float]  # seconds, monotonic

_PHOTOS = frozenset({"/api/score", "/api/teach"})  # calls that take a whole photo
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        "manifest-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class TokenBuckets:
    """One bucket a client, of (calls a second, calls at once). At most `clients` of them are remembered."""

    def __init__(self, rate: tuple[float, float], clock: Clock = time.monotonic, clients: int = 1024) -> None:
        (self._per_s, self._burst), self._clock, self._clients = rate, clock, clients
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # client -> (tokens, at)
        self._lock = threading.Lock()

    def take(self, client: str) -> float:
        """0 when the call may go on, else the seconds after which it may."""
        now = self._clock()
        with self._lock:
            tokens, at = self._buckets.pop(client, (self._burst, now))
            tokens = min(self._burst, tokens + (now - at) * self._per_s)
            wait = 0.0 if tokens >= 1 else (1 - tokens) / self._per_s
            self._buckets[client] = (tokens if wait else tokens - 1, now)
            if len(self._buckets) > self._clients:
                self._buckets.popitem(last=False)
        return wait


@dataclass(frozen=True)
class Rates:
    """Calls a second and calls at once that one client may make, by kind of call."""

    look: tuple[float, float] = (60, 300)  # pages, pictures, state
    act: tuple[float, float] = (10, 60)  # every call that changes something, except the next two
    drag: tuple[float, float] = (40, 120)  # of the virtual table: coins that are moved, its hand and its faults
    score: tuple[float, float] = (0.5, 10)  # a whole photo is read


def own_addresses() -> list[str]:
    """This machine's addresses on its networks, likeliest first; empty without a network. Sends nothing.

    Without a way to the internet, as where it is the access point itself, these are the addresses of its interfaces.
    """
    found: list[str] = []
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))  # UDP: only asks the routing table which address would be used
                found.append(probe.getsockname()[0])
        except OSError:
            continue
    return _reachable(found) or _reachable(_interface_addresses())


def _reachable(addresses: Iterable[str]) -> list[str]:
    """Those that another device could reach."""
    known = [ipaddress.ip_address(each) for each in addresses]
    return [str(each) for each in known if not (each.is_loopback or each.is_unspecified or each.is_link_local)]


def _interface_addresses() -> list[str]:
    """The IPv4 address of each interface that is no bridge of containers; empty where the system does not tell."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            if name.startswith(_CONTAINERS):
                continue
            try:  # netdevice(7): a struct ifreq holds the name, and the address from byte 20 on
                told = fcntl.ioctl(asked, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an address, or no Linux
                continue
            found.append(socket.inet_ntoa(told[20:24]))
    return found


def protect(app: Flask, gate: Gate, *, rates: Rates, clock: Clock) -> None:
    """Put the gate and the rate limits before, and the headers after, every request of `app`."""
    buckets = {kind: TokenBuckets(getattr(rates, kind), clock) for kind in ("look", "act", "drag", "score")}

    @app.before_request
    def check() -> ResponseReturnValue | None:
        call = call_at_hand()
        gate.check(call)  # before the rates: a page elsewhere must not use up those of its visitor
        if wait := buckets[_kind()].take(peer_of(call.peer)):
            return refusal(429, say("rate"), {"Retry-After": str(int(wait) + 1)})
        if request.url_rule is not None:  # else it is a 404 or 405
            g.who = gate.known(call)  # also where it is refused now: the answer may be a page
            g.who = gate.who(call)
        return None

    @app.after_request
    def add_headers(answer: Response) -> Response:
        for name, value in _HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer


def call_at_hand() -> Call:
    """The request at hand."""
    query = request.query_string.decode("latin-1")
    return call_of(request.remote_addr or "", request.method, request.path, request.headers.items(), query)


def who() -> Who:
    """Who makes the request at hand."""
    known: Who = g.who
    return known


def _kind() -> str:
    if request.method in SAFE:
        return "look"
    if request.path in _PHOTOS:
        return "score"
    return "drag" if request.method in ("PUT", "PATCH") else "act"
