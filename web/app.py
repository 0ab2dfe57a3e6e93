"""The Flask application: pages and static files, with the API, the live stream and the protections joined on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import segno
from flask import Flask, Response, abort, render_template
from werkzeug.exceptions import HTTPException

from tablecoin.panel.tunes import TUNES
from tablecoin.referee.commands import CommandError, NotYourSeat
from tablecoin.referee.voice import texts
from web import api, bodies, calibration, evidence, games, mats, security, stream, teach, virtual
from web.source import LiveTable

THREADS = 32
SPARE_THREADS = 4  # always free for presses and answers, however many watch


def create_app(
    live: LiveTable,
    *,
    wizard: calibration.Wizard | None = None,
    teacher: teach.Teacher | None = None,
    extra_hosts: Iterable[str] = (),
    language: str = "auto",
    join_urls: Sequence[str] = (),
    threads: int = THREADS,
    rates: security.Rates | None = None,
    clock: security.Clock = time.monotonic,
) -> Flask:
    """The page over a running house.

    `wizard`: sets the table up, at /calibrate. `teacher`: learns players' own maps, at /teach.
    `extra_hosts`: names it answers to besides its own. `language`: a page's at first; `auto` is the browser's.
    `join_urls`: where phones on the network reach it, best first (empty when it serves this machine alone).
    `threads`: of the server that will run it; all but `SPARE_THREADS` may be held by streams.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = bodies.MAX_JSON_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = bodies.MAX_JSON_BYTES
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0  # always asked again, answered 304: a new version shows at once
    security.protect(app, extra_hosts=extra_hosts, rates=rates or security.Rates(), clock=clock)
    app.register_blueprint(api.blueprint(live))
    app.register_blueprint(evidence.blueprint(live))
    app.register_blueprint(virtual.blueprint(live))
    app.register_blueprint(mats.blueprint())
    app.register_blueprint(stream.blueprint(live, stream.Places(threads - SPARE_THREADS)))
    if wizard:
        app.register_blueprint(calibration.blueprint(wizard))
    if teacher:
        app.register_blueprint(teach.blueprint(teacher))
    join_code = qr_svg(join_urls[0]) if join_urls else None

    @app.context_processor
    def everywhere() -> dict[str, str]:
        return {"language": language}

    @app.get("/")
    def page() -> str:
        return render_template(
            "table.html", wizard=wizard is not None, join_urls=join_urls, join_code=join_code, tunes=TUNES
        )

    @app.get("/kiosk")
    def kiosk() -> str:
        return render_template("kiosk.html", join_urls=join_urls, join_code=join_code, tunes=TUNES)

    @app.get("/rules")
    @app.get("/rules/<game>")
    def rules_page(game: str = "") -> str:
        known = [each.name for each in games.available()]
        if game and game not in known:
            abort(404)
        return render_template("rules.html", games=known, chosen=game or known[0])

    @app.get("/score")
    def score_page() -> str:
        return render_template("score.html", maps=games.map_titles(), teacher=teacher)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        answer = security.refusal(error.code or 500, _SENTENCES.get(error.code or 500, error.description or error.name))
        if error.code == 405:
            answer.headers["Allow"] = ", ".join(getattr(error, "valid_methods", None) or [])
        return answer

    @app.errorhandler(CommandError)
    def bad_command(error: CommandError) -> Response:
        return security.refusal(403 if isinstance(error, NotYourSeat) else 400, str(error), texts(error.message))

    @app.errorhandler(bodies.BadRequest)
    def bad_request(error: Exception) -> Response:
        return security.refusal(400, str(error))

    return app


_SENTENCES = {
    404: "There is nothing here; the page is at / and the API under /api.",
    405: "This call is made with another method.",
    413: f"That is too big: a photo may have {bodies.MAX_PHOTO_BYTES >> 20} MB, anything else "
    f"{bodies.MAX_JSON_BYTES >> 10} kB.",
    500: "Something went wrong inside; the referee goes on. The log says more.",
}


def qr_svg(url: str) -> str:
    """A QR code of `url` as SVG to stand inside a page; its colours come from the style sheet."""
    code: str = segno.make(url, error="m").svg_inline(omitsize=True, svgclass="qr", lineclass="qr-dark", border=3)
    return code
