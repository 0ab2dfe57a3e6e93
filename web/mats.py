"""Mats to be printed, from the page: GET /mat/NAME.pdf?paper=a4, NAME as `tablecoin mat` takes it (coin-age:MAP).

GET /mat/coin-age:MAP.svg is that map as a small drawing.
"""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, request

from tablecoin import mat as mats
from tablecoin.mat.charuco import CHARUCO
from tablecoin.mat.miniature import miniature
from tablecoin.mat.pdf import pdf
from tablecoin.mat.tiles import PAPERS_MM
from web import games
from web.words import Refused, quoted, say


def blueprint() -> Blueprint:
    routes = Blueprint("mats", __name__)

    @routes.get("/mat/<name>.pdf")
    def printed(name: str) -> Response:
        paper = request.args.get("paper", "a3")
        if name not in names():
            raise Refused(400, say("mat.name", name=quoted(name), choices=names()))
        if paper not in PAPERS_MM:
            raise Refused(400, say("mat.paper", paper=quoted(paper), choices=list(PAPERS_MM)))
        answer = Response(_document(name, paper), mimetype="application/pdf")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name.replace(":", "-")}-{paper}.pdf"'
        return answer

    @routes.get("/mat/coin-age:<name>.svg")
    def drawn(name: str) -> Response:
        known = games.map_titles()
        if name not in known:
            raise Refused(404, say("mat.name", name=quoted(name), choices=list(known)))
        return Response(miniature(mats.load(f"coin-age:{name}")), mimetype="image/svg+xml")

    return routes


def names() -> tuple[str, ...]:
    """The mats that come with tablecoin. A player's own map lies on a card that exists already: it has no mat."""
    return *mats.names(), CHARUCO.name


@cache
def titles() -> dict[str, dict[str, str]]:
    """Name -> language -> title of every mat."""
    return {name: dict(mats.load(name).title) for name in names()}


@cache
def _document(name: str, paper: str) -> bytes:
    return pdf(mats.load(name), paper)
