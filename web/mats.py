"""Mats to be printed, from the page: GET /mat/NAME.pdf?paper=a4, NAME as `tablecoin mat` takes it (coin-age:MAP)."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, request

from tablecoin import mat as mats
from tablecoin.mat.charuco import CHARUCO
from tablecoin.mat.pdf import pdf
from tablecoin.mat.tiles import PAPERS_MM
from web.bodies import BadRequest


def blueprint() -> Blueprint:
    routes = Blueprint("mats", __name__)

    @routes.get("/mat/<name>.pdf")
    def printed(name: str) -> Response:
        paper = request.args.get("paper", "a3")
        if name not in names():
            raise BadRequest(f"There is no mat {name[:40]!r} to print: say one of {', '.join(names())}.")
        if paper not in PAPERS_MM:
            raise BadRequest(f"There is no paper {paper[:40]!r}: say one of {', '.join(PAPERS_MM)}.")
        answer = Response(_document(name, paper), mimetype="application/pdf")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name.replace(":", "-")}-{paper}.pdf"'
        return answer

    return routes


def names() -> tuple[str, ...]:
    """Those that come with tablecoin: nothing is printed of a card that was photographed."""
    return *mats.names(), CHARUCO.name


@cache
def titles() -> dict[str, dict[str, str]]:
    """Each mat's name, and what it is called by language."""
    return {name: dict(mats.load(name).title) for name in names()}


@cache
def _document(name: str, paper: str) -> bytes:
    return pdf(mats.load(name), paper)
