"""The games played at this table: the page that lists them, and what it tells of each person."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import msgspec
from flask import Blueprint, Response, render_template

from tablecoin import rules
from tablecoin.journal.history import found
from tablecoin.journal.journal import JournalError
from tablecoin.rules.names import LONGEST_NAME
from web.answers import GamesPlayed, Players
from web.bodies import answer, query, refusal
from web.source import LiveTable
from web.words import Refused, quoted, say

PAGE = 20  # games on a page, unless more or fewer are asked for
MOST = 100
FARTHEST = 2**53 - 1  # the largest whole number that every reader of JSON keeps exact


class Wanted(msgspec.Struct, frozen=True):
    """Which games are asked for."""

    player: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""  # a name, or a part of one
    game: str = ""  # such as "steal"
    before: Annotated[int, msgspec.Meta(ge=1, le=FARTHEST)] = FARTHEST  # only games of lower numbers
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = PAGE


def blueprint(live: LiveTable) -> Blueprint:
    """Page and calls over the history of one table."""
    routes = Blueprint("history", __name__)

    @routes.get("/history")
    def page() -> str:
        return render_template("history.html")

    @routes.get("/api/history")
    def games() -> Response:
        wanted, told = _wanted(), live.games()
        older = (one for one in found(told.games, wanted.player, wanted.game) if one.number < wanted.before)
        shown = tuple(islice(older, wanted.limit))
        more = next(older, None) is not None
        newest = told.games[-1] if told.games else None
        return answer(
            GamesPlayed(
                games=shown,
                before=shown[-1].number if more else None,
                playing=newest.number if newest and newest.outcome is None else None,
                uncounted=told.uncounted,
            )
        )

    @routes.get("/api/history/players")
    def players() -> Response:
        return answer(Players(live.players()))

    @routes.errorhandler(JournalError)
    def unread(error: JournalError) -> Response:
        return refusal(503, say("journal.why", why=error.message))

    return routes


def _wanted() -> Wanted:
    """What the call asks for. Refused (400) for anything else."""
    wanted = query(Wanted)
    if wanted.game and wanted.game not in rules.NAMES:
        raise Refused(400, say("game", game=quoted(wanted.game), choices=list(rules.NAMES)))
    return wanted
