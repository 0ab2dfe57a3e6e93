"""The least role of every call of the club's pages. The owner of the club is the organiser; everybody may watch."""

from __future__ import annotations

from web.access.roles import Calls, Role

least_role = Calls(
    {
        Role.WATCH: (
            "GET /", "GET /players", "GET /organise", "GET /tournaments/{}", "GET /static/{...}",
            "GET /api/state", "GET /api/stream", "GET /api/tables/{}/picture.jpg",
            "GET /api/players", "GET /api/tournaments/{}",
            "GET /api/export/{}",
            "GET /api/access", "POST /api/access/sign-in", "POST /api/access/sign-out",
        ),
        Role.OWNER: (
            "POST /api/tournaments", "POST /api/tournaments/{}/act", "POST /api/players/join", "POST /api/seen",
            "POST /api/access/open", "POST /api/access/close", "POST /api/access/pin",
        ),
    }
).least_role  # fmt: skip
