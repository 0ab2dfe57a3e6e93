"""The gate: every call passes it, whichever server took it in. It tells who calls, or refuses in one sentence.

How a server calls it, for example the coroutine of a stream:

    call = call_of(peer, method, path, headers, query)      # headers: pairs of texts, names in any capitals
    try:
        who = gate.admit(call)                              # blocks on nothing but a look at a small file
    except Refused as refused:                              # refused.status, refused.texts (a sentence per language)
        ...
    snapshot = live.snapshot(who.seat)                      # who.seat's own secrets, and nobody else's

A seat can be taken back at the table while its stream is open. So a stream with `who.seat` asks `gate.still(call, who)`
before each event and ends when that is false; the page then asks anew. So does that of a phone whose seat does not
count now. Other streams hold no secret and need not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tablecoin.rules.game import Seat
from web.access import house, origin, sessions
from web.access.call import Call
from web.access.house import House
from web.access.roles import Role, least_role
from web.access.sessions import Sessions
from web.words import Refused, say

LeastRole = Callable[[str, str], Role | None]  # of a method and a path

AGAIN = {"Retry-After": "0"}  # the pages repeat a call that is refused with 403 and this header, once

_WANTED = {Role.SEAT: say("access.seat"), Role.REFEREE: say("access.referee"), Role.OWNER: say("access.owner")}


@dataclass(frozen=True)
class Who:
    """Somebody who calls."""

    role: Role
    seat: Seat | None  # the seat it speaks for, and whose secrets it sees; None: no seat's
    session: str | None  # None: it has none
    here: bool  # it calls from this machine
    chooses: bool  # its seat is a plain choice: nobody has to prove it


class Gate:
    """Knows the roles of everybody. May be used from any thread."""

    def __init__(
        self, house: House, sessions: Sessions, names: Iterable[str], least_role: LeastRole = least_role
    ) -> None:
        """`names`: of this table, besides its addresses, in small letters. `least_role`: of each call."""
        self._least_role = least_role
        self.house, self.sessions, self.names = house, sessions, frozenset(names)
        house.changed = lambda now: sessions.end_owners(now.mark, is_open=now.mode != "closed")
        self.plays: Callable[[Seat], bool] = lambda seat: True  # whether a person plays there now; create_app sets it

    @classmethod
    def of(cls, folder: Path, names: Iterable[str], least_role: LeastRole = least_role) -> Gate:
        """The gate of the table whose data lie in `folder`. `names`: besides those of this machine."""
        known = origin.own_names() | {name.lower() for name in names}
        return cls(House(folder / house.FILE), Sessions(folder / sessions.FILE), known, least_role)

    def admit(self, call: Call) -> Who:
        """Who calls, if it may make this call. Raises Refused."""
        self.check(call)
        return self.who(call)

    def check(self, call: Call) -> None:
        """The checks that need not know who calls. Raises Refused."""
        origin.check(call, self.names)

    def who(self, call: Call) -> Who:
        """Who calls; Refused when its role is not enough, or it speaks for a seat that is not its own."""
        least, who = self._least_role(call.method, call.path), self.known(call)
        if least is None:
            raise Refused(403, say("access.nobody"))
        if who.role < least:
            closed = self.house.now.mode == "closed"
            raise Refused(403, say("access.closed") if closed else _WANTED[least], _again(call, who))
        return (
            self._seated(call, who)
            if call.path.startswith("/api/") and not call.path.startswith("/api/access")
            else who
        )

    def still(self, call: Call, who: Who) -> bool:
        """Whether that call would be admitted as the same person now."""
        try:
            return self.who(call) == who
        except Refused:
            return False

    def known(self, call: Call) -> Who:
        """Who calls, whatever it may do; its seat is left out."""
        standing, name = self.house.now, self.sessions.named(call.cookie)
        mode, here = standing.mode, call.here
        chooses = (mode == "closed" and here) or mode == "trusted"
        if (mode == "closed" and here) or self.sessions.owns(name, standing.mark if mode != "closed" else ""):
            role = Role.OWNER
        elif mode == "trusted" or (mode == "open" and here):
            role = Role.REFEREE
        elif mode == "open" and self.sessions.came_in(name):
            role = Role.SEAT
        else:
            role = Role.WATCH
        return Who(role, None, name, here, chooses)

    def _seated(self, call: Call, who: Who) -> Who:
        """With the seat it speaks for: the one it names; else the one it holds, unless it may do all without one.

        A session keeps its seat for later games; in one where no person plays there it speaks for none.
        """
        session, wanted = self.sessions.get(who.session), call.seat
        held = session.seat if session and who.role >= Role.SEAT else None
        if wanted and not who.chooses and wanted != held:
            raise Refused(403, say("access.other", seat=wanted[:60]), _again(call, who))
        seat = wanted or (held if who.role is Role.SEAT else None)
        if seat and not who.chooses and not self.plays(seat):
            seat = None
        return Who(who.role, seat or None, who.session, who.here, who.chooses)


def _again(call: Call, who: Who) -> dict[str, str]:
    """Headers of a refusal. The page tries again where its token ended, because another tab may have a new one."""
    return AGAIN if call.cookie and who.session is None else {}
