"""Who calls, as far as an address tells, and how many places each may take.

One device has one IPv4 address, but as many IPv6 addresses as it likes in its network's half (/64), so those count as
one peer. IPv4 addresses also come written as IPv6 ("::ffff:192.168.1.20", RFC 4291 section 2.5.5.2). The kiosk and
everything else on this machine have places of their own, which nobody outside can take.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Callable

HERE = "here"  # the peer of 127.0.0.1 and ::1
_HERE = frozenset({"127.0.0.1", "::1"})


def plain_address(host: str) -> str:
    """An address as people write it: without an interface's name, and IPv4 as IPv4. What is no address stays."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    return str(getattr(address, "ipv4_mapped", None) or address)


def peer_of(host: str) -> str:
    """The peer that an address belongs to: HERE, an IPv4 address, or an IPv6 network. What is no address stays."""
    plain = plain_address(host)
    if plain in _HERE:
        return HERE
    try:
        return str(ipaddress.ip_network((plain, 64), strict=False)) if ":" in plain else plain
    except ValueError:
        return plain


class Places:
    """A fixed number of places, at most `each` of them for one peer. This machine has `here` places of its own.

    Safe to use from several threads.
    """

    def __init__(self, total: int, each: int, here: int) -> None:
        self._total, self._each, self._here = total, each, here
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, peer: str) -> Callable[[], None] | None:
        """A function that gives the place back (calling it again does nothing), or None when there is none."""
        with self._lock:
            if not self._is_free(peer):
                return None
            self._taken[peer] += 1
        held = threading.Lock()

        def give() -> None:
            if held.acquire(blocking=False):
                with self._lock:
                    self._taken[peer] -= 1
                    self._taken += Counter()  # forgets peers that hold none

        return give

    def _is_free(self, peer: str) -> bool:
        if peer == HERE:
            return self._taken[HERE] < self._here
        others = self._taken.total() - self._taken[HERE]
        return others < self._total and self._taken[peer] < self._each
