"""The game that a club would like to be played here: shown at the table, begun with one tap, or declined.

It comes over the broker. Without one a club of this machine brings it with a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Response
from msgspec import to_builtins

from tablecoin import rules
from tablecoin.mqtt.messages import Assignment, Reply
from tablecoin.referee.events import TimeControl
from tablecoin.rules.rulebook import texts
from web.access.roles import Role
from web.answers import Assigned, AssignedGame, Brought, Told
from web.bodies import AssignedBody, BroughtBody, answer, body, read
from web.security import who
from web.source import LiveTable
from web.words import Refused, say


class Desk(Protocol):
    """Where assignments wait."""

    @property
    def assigned(self) -> Assignment | None:
        """What is on offer."""

    def decline(self, name: str) -> bool:
        """Decline the assignment of that id; whether it was on offer."""


class OpenDesk(Desk, Protocol):
    """One to which a club of this machine brings assignments."""

    @property
    def reply(self) -> Reply | None:
        """What became of the newest assignment."""

    @property
    def games(self) -> Mapping[int, str]:
        """Number of a game -> the assignment that it was played for."""

    def take(self, assignment: Assignment | None) -> None:
        """The club wants this to be played; None: nothing any more. The same again changes nothing."""


def blueprint(live: LiveTable, desk: Desk, brought: OpenDesk | None) -> Blueprint:
    """The calls over the assignments of one table. `brought`: where a club may bring them; None: it has a broker."""
    routes = Blueprint("assigned", __name__, url_prefix="/api/assigned")

    def on_offer() -> Assignment:
        """The assignment that the body names. Raises Refused where it is not on offer any more."""
        wanted, offered = read(body(), AssignedBody), desk.assigned
        if offered is None or offered.id != wanted.id:
            raise Refused(409, say("assigned.gone"))
        return offered

    @routes.get("")
    def assigned() -> Response:
        offered, now = desk.assigned, live.snapshot()
        free = now.game is None or now.prompt.kind == "over"
        mine = free and who().role >= Role.REFEREE
        return answer(Assigned(_shown(offered) if offered and mine else None))

    @routes.put("")
    def bring() -> Response:
        if brought is None:
            raise Refused(409, say("assigned.broker"))
        brought.take(read(body(), BroughtBody).assignment)
        return answer(Brought(brought.reply, brought.games))

    @routes.post("/begin")
    def begin() -> Response:
        offered = on_offer()
        accepted, why = live.command({"start": start_of(offered)}, None)
        seq = live.snapshot().seq
        if why is None:
            return answer(Told(accepted, None, seq))
        said = texts(why)
        return answer(Told(accepted, said["en"], seq, said))

    @routes.post("/decline")
    def decline() -> Response:
        return answer(Told(desk.decline(on_offer().id), None, live.snapshot().seq))

    return routes


def _shown(offered: Assignment) -> AssignedGame:
    title = rules.load(offered.game).title
    return AssignedGame(
        id=offered.id,
        event=offered.event,
        round=offered.round,
        game=offered.game,
        title=title,
        names=offered.names,
        best_of=offered.best_of,
        clock=_clock(offered),
    )


def _clock(offered: Assignment) -> TimeControl | None:
    return TimeControl(offered.clock_s, offered.increment_s, offered.at_zero) if offered.clock_s else None


def start_of(offered: Assignment) -> dict[str, Any]:
    """What begins the game of an assignment: the body of the command "start"."""
    return {
        "game": offered.game,
        "options": dict(offered.options),
        "names": dict(offered.names),
        "seats": dict.fromkeys(offered.names, "person"),
        "best_of": offered.best_of,
        "clock": to_builtins(_clock(offered)),
    }
