"""What rulings rest on, for a dispute: pictures and clip, the coins read, the clause; and every toss."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import replace

from tablecoin.journal.evidence import NoEvidence
from web.bodies import answer, query, refusal
from web.source import LiveTable

_FOR_GOOD = "private, max-age=31536000, immutable"  # of an address that names the digest


class Wanted(msgspec.Struct, frozen=True):
    """How many tosses are asked for one by one, the newest; all are counted."""

    tosses: Annotated[int, msgspec.Meta(ge=0)] = sys.maxsize


def blueprint(live: LiveTable) -> Blueprint:
    routes = Blueprint("evidence", __name__, url_prefix="/api")

    @routes.get("/evidence/<int(max=9007199254740991):number>")
    def evidence(number: int) -> Response:
        return answer(live.evidence(number))

    @routes.get("/evidence/<int(max=9007199254740991):number>/before.jpg")
    def before(number: int) -> Response:
        return _jpeg(number, "before")

    @routes.get("/evidence/<int(max=9007199254740991):number>/after.jpg")
    def after(number: int) -> Response:
        return _jpeg(number, "after")

    @routes.get("/evidence/<int(max=9007199254740991):number>/clip")
    def clip(number: int) -> Response:
        return _kept(Response(live.clip(number), mimetype="application/octet-stream"))

    @routes.get("/flips")
    def flips() -> Response:
        told, most = live.flips(), query(Wanted).tosses
        newest = told.tosses[max(0, len(told.tosses) - most) :]
        return answer(replace(told, tosses=newest))

    @routes.errorhandler(NoEvidence)
    def nothing_kept(error: NoEvidence) -> Response:
        return refusal(404, error.texts)

    def _jpeg(number: int, when: Literal["before", "after"]) -> Response:
        return _kept(Response(live.evidence_jpeg(number, when), mimetype="image/jpeg"))

    def _kept(found: Response) -> Response:
        if "digest" in request.args:  # else another journal's ruling may have this number
            found.headers["Cache-Control"] = _FOR_GOOD
        return found

    return routes
