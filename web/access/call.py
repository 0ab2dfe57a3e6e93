"""A call as the checks see it, whichever server took it in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote

from web.peers import HERE, peer_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


@dataclass(frozen=True)
class Call:
    """One request, without its body."""

    peer: str  # the address at the other end of the connection; "" where the server does not know it
    method: str  # in capitals
    path: str  # percent-decoded, without the query
    headers: Mapping[str, str]  # names in small letters
    query: str = ""  # after the question mark

    @property
    def host(self) -> str:
        """The Host header, in small letters."""
        return self.headers.get("host", "").lower()

    @property
    def here(self) -> bool:
        """Whether it comes from a program on this machine.

        A proxy on this machine carries calls from anywhere. It names itself in a header, and its calls count as
        somebody else's; what such headers claim is never believed.
        """
        return peer_of(self.peer) == HERE and not any(name in self.headers for name in _FORWARDED)

    @property
    def seat(self) -> str:
        """The seat that it says it speaks for; "" for none.

        A header holds ASCII only, so a player's name comes percent-encoded; an event stream, which cannot send
        headers, gives it as `?seat=`.
        """
        return unquote(self.headers.get("x-seat", "")) or parse_qs(self.query).get("seat", [""])[0]

    @property
    def cookie(self) -> str:
        """The value of our cookie; "" without one."""
        pairs = (pair.strip().partition("=") for pair in self.headers.get("cookie", "").split(";"))
        return next((value for name, _, value in pairs if name == self.cookie_name), "")

    @property
    def cookie_name(self) -> str:
        """Our cookie's name. A browser sends cookies to every port of a host, so the name carries ours."""
        _, colon, port = self.host.rpartition(":")
        return f"tablecoin-{port if colon and port.isdigit() else 80}"


def call_of(peer: str, method: str, path: str, headers: Iterable[tuple[str, str]], query: str = "") -> Call:
    """A call of headers as they came, whatever their capitals; of two with one name the first counts."""
    kept: dict[str, str] = {}
    for name, value in headers:
        kept.setdefault(name.lower(), value)
    return Call(peer, method.upper(), path, kept, query)
