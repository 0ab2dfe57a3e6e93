"""The club's Flask application: its pages, with the API, the protections and the files that a table's pages have."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Flask, Response, g, render_template

from tablecoin.club.database import DatabaseError
from tablecoin.club.ledger import Ledger
from tablecoin.club.tournaments import Refused as CannotBe
from tablecoin.rules import NAMES, load
from tablecoin.rules.game import Seat
from web import bodies, error_page, errors, files, security, words
from web.access import pages
from web.access.gate import Gate
from web.access.joining import Joining
from web.access.roles import Role
from web.app import qr_svg
from web.bodies import refusal
from web.club import api
from web.club.shown import ClubShown
from web.words import say

_WEB = Path(__file__).parents[1]


def create_app(
    ledger: Ledger,
    club: ClubShown,
    gate: Gate,
    *,
    name: str,
    language: str = "auto",
    join_urls: Callable[[], Sequence[str] | None] = lambda: None,
    rates: security.Rates | None = None,
    clock: security.Clock = time.monotonic,
) -> Flask:
    """The application over what the club knows. `gate`: with the roles of web.club.roles.

    `join_urls`: addresses for phones at this moment, best first; None when it serves this machine alone.
    """
    app = Flask(__name__, static_folder=None, template_folder=str(_WEB / "templates"))
    files.serve(app, _WEB / "static")
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = bodies.MAX_JSON_BYTES
    error_page.show(app)
    security.protect(app, gate, rates=rates or security.Rates(), clock=clock)
    errors.say_in_sentences(app)
    app.register_blueprint(api.blueprint(ledger, club))
    app.register_blueprint(pages.blueprint(_no_seat, lambda: None, gate, Joining(gate.sessions), dict, clock))

    @app.context_processor
    def everywhere() -> dict[str, object]:
        return {
            "language": language,
            "noscript": words.say("noscript"),
            "club": name,
            "organises": "who" in g and security.who().role >= Role.OWNER,
            "mode": gate.house.now.mode,
        }

    @app.get("/")
    def hall() -> str:
        urls = join_urls()
        return render_template("club/hall.html", url=urls[0] if urls else None, code=qr_svg(urls[0]) if urls else None)

    @app.get("/players")
    def players() -> str:
        return render_template("club/players.html")

    @app.get("/organise")
    def organise() -> str:
        titles = {each: dict(load(each).title) for each in NAMES if each != "coin-wars"}
        return render_template("club/organise.html", titles=titles)

    @app.get("/tournaments/<int:number>")
    def tournament(number: int) -> str:
        ledger.tournaments.get(number)
        return render_template("club/tournament.html", number=number)

    @app.errorhandler(CannotBe)
    def cannot_be(error: CannotBe) -> Response:
        return refusal(404 if error.message.key == "club.no_tournament" else 409, error.texts)

    @app.errorhandler(DatabaseError)
    def no_disk(error: DatabaseError) -> Response:
        return refusal(503, error.texts)

    return app


def _no_seat(seat: Seat) -> None:
    """Nobody sits at a club."""
    raise words.Refused(403, say("access.no_game"))
