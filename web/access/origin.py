"""Whether a call comes from our own pages: its Host, the site that sent it, and the type of its content.

A page on the open internet can make a phone's browser talk to a table on the phone's own network in two ways. *DNS
rebinding*: the page's own name is made to point here. Only the Host header shows it, so unknown names are refused. A
rebound request always carries a name, so an IP address in Host is safe to accept, also after the network hands out a
new one. *Cross-site calls*: the browser says so in Sec-Fetch-Site, which it leaves out over plain HTTP to a name of
the network, and in Origin, which it sends with every POST. A form on another page can send no JSON, and a script
there must ask before it does.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from web.access.call import SAFE, Call
from web.access.roles import FORMS
from web.words import Refused, say

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(:[0-9]{0,5})?", re.IGNORECASE)
_OURS = ("same-origin", "none")  # Sec-Fetch-Site: our own page; typed by the person
_DATA = ("/api/", "/frame.jpg", "/mat/")  # what pages fetch; other paths are pages, to which other sites may link


def check(call: Call, names: Collection[str]) -> None:
    """Raises Refused when the call does not come from our own page, or from a program that is no browser."""
    if not known_host(call.host, names):
        raise Refused(403, say("host"))
    if _from_elsewhere(call) and (call.method not in SAFE or call.path.startswith(_DATA)):
        raise Refused(403, say("site"))
    if call.method not in SAFE and not _typed(call):
        raise Refused(415, say("type.form") if call.path in FORMS else say("type.json"))


def own_names() -> frozenset[str]:
    """The names this machine answers to; addresses need no list (see above)."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    return frozenset({"localhost", host, short, f"{short}.local"})


def known_host(header: str, names: Collection[str]) -> bool:
    """Whether a Host header, with or without port, is an address or one of our names."""
    parts = _HOST.fullmatch(header)
    if parts is None:
        return False
    host = parts[1].lower()
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.rstrip(".") in names
    return True


def _from_elsewhere(call: Call) -> bool:
    site, origin = call.headers.get("sec-fetch-site"), call.headers.get("origin")
    if site is not None and site not in _OURS:
        return True
    return origin is not None and _netloc(origin) != call.host


def _netloc(origin: str) -> str | None:
    """The host and port of an origin; None for `null` and what is no origin."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _typed(call: Call) -> bool:
    """Whether the body has the type that this path takes. A body that is not there needs none."""
    kind = call.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind:
        return call.headers.get("content-length", "0") == "0" and "transfer-encoding" not in call.headers
    return kind == ("multipart/form-data" if call.path in FORMS else "application/json")
