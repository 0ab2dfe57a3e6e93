"""The roles, and the least role of every call. A call that does not stand here is refused to everybody.

`tests/web/test_roles.py` walks all routes of the application, so that none is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum


class Role(IntEnum):
    """What somebody may do. Each may all that those before it may."""

    WATCH = 1  # anybody who reaches the table: look
    SEAT = 2  # came in by the code at the table: take a free seat, and act for it
    REFEREE = 3  # at the table itself: begin games, undo and correct anything, let in and send away
    OWNER = 4  # knows the PIN, or sits at a closed table's own machine: set up, open, close


_TABLE: dict[Role, tuple[str, ...]] = {
    Role.WATCH: (
        "GET /", "GET /kiosk", "GET /rules", "GET /rules/{}", "GET /score", "GET /join", "GET /access", "GET /healthz",
        "GET /learn", "GET /learn/{}",
        "GET /overlay", "GET /app.webmanifest",
        "GET /static/{...}",
        "GET /frame.jpg", "GET /mat/{}",
        "GET /api/state", "GET /api/stream", "GET /api/coin.jpg", "GET /api/acts", "GET /api/games",
        "GET /api/assigned",
        "GET /api/rulebook/{}", "GET /api/primer/{}", "GET /api/record", "GET /api/flips",
        "GET /history", "GET /api/history", "GET /api/history/players",
        "GET /api/evidence/{}", "GET /api/evidence/{}/before.jpg", "GET /api/evidence/{}/after.jpg",
        "GET /api/evidence/{}/clip",
        "GET /history/{}", "GET /api/history/{}", "GET /api/history/{}/record", "GET /api/history/{}/game.html",
        "GET /api/history/{}/picture.png", "GET /api/history/{}/analysis",
        "GET /api/virtual",
        "GET /api/lobby",
        "GET /api/access", "POST /api/access/join", "POST /api/access/sign-in", "POST /api/access/sign-out",
    ),
    Role.SEAT: (
        "POST /api/games", "POST /api/act", "POST /api/press", "POST /api/answer", "POST /api/undo",
        "POST /api/correct", "POST /api/dispute", "POST /api/pause",
        "POST /api/resign", "POST /api/draw",
        "POST /api/hint",
        "PUT /api/virtual", "PATCH /api/virtual", "POST /api/virtual/arrange", "POST /api/virtual/toss",
        "POST /api/score", "POST /api/score/tally", "POST /api/learn/{}",
        "POST /api/access/seat", "POST /api/access/leave",
        "PUT /api/lobby", "POST /api/lobby/me", "POST /api/lobby/begin", "POST /api/lobby/close",
    ),
    Role.REFEREE: (
        "PUT /api/assigned", "POST /api/assigned/begin", "POST /api/assigned/decline",
        "GET /health", "GET /api/health",  # they tell versions and addresses
        "GET /api/access/table", "POST /api/access/admit", "POST /api/access/free",
    ),
    Role.OWNER: (
        "GET /calibrate", "GET /teach", "GET /settings",
        "GET /api/settings", "POST /api/settings", "GET /api/settings/log", "GET /api/settings/report.zip",
        "POST /api/settings/restart", "POST /api/settings/off",
        "POST /api/health/read",
        "GET /api/calibrate", "GET /api/calibrate/aim", "GET /api/calibrate/picture/{}",
        "POST /api/calibrate/run", "POST /api/calibrate/restart",
        "GET /api/known", "GET /api/known/{}", "POST /api/known/learn", "POST /api/known/forget",
        "POST /api/known/coins",
        "POST /api/teach", "POST /api/teach/guess",
        "POST /api/access/open", "POST /api/access/close", "POST /api/access/trust", "POST /api/access/pin",
    ),
}  # fmt: skip

FORMS = frozenset({"/api/score", "/api/teach", "/api/known/coins"})  # calls that take a file, not JSON


class Calls:
    """Every call of one application with its least role."""

    def __init__(self, table: Mapping[Role, Sequence[str]]) -> None:
        """`table`: role -> "METHOD /path"; `{}` stands for one part of a path, `{...}` for all the rest."""
        calls = [(call, role) for role, each in table.items() for call in each]
        self._plain = {call: role for call, role in calls if "{" not in call}
        self._patterns = [(_pattern(call), role) for call, role in calls if "{" in call]

    def least_role(self, method: str, path: str) -> Role | None:
        """The least role that may make this call; None: nobody may, for it does not stand in the table.

        HEAD is a GET. OPTIONS tells the methods of a path and nothing of the table: anybody may ask.
        """
        if method == "OPTIONS":
            return Role.WATCH
        call = f"{'GET' if method == 'HEAD' else method} {path}"
        return self._plain.get(call) or next(
            (role for pattern, role in self._patterns if pattern.fullmatch(call)), None
        )


def _pattern(call: str) -> re.Pattern[str]:
    return re.compile(re.escape(call).replace(r"\{\.\.\.\}", ".+").replace(r"\{\}", "[^/]+"))


least_role = Calls(_TABLE).least_role  # of the table's own application
