"""The Flask application: pages and static files, with the API, the live stream and the protections joined on."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

import segno
from flask import Flask, Response, abort, g, render_template, request
from msgspec import UNSET

from tablecoin import __version__
from tablecoin.lessons.lesson import taught
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.panel.tunes import SOUNDS, TUNES, Sound
from tablecoin.referee.commands import CommandError, NotYourSeat
from tablecoin.rules import NAMES, load
from tablecoin.rules.rulebook import texts
from web import (
    api,
    assigned,
    bodies,
    calibration,
    error_page,
    errors,
    evidence,
    files,
    games,
    history,
    known,
    learning,
    manifest,
    mats,
    owning,
    primers,
    replays,
    security,
    stream,
    teach,
    virtual,
    words,
    worker,
)
from web import health as checks
from web import lobby as lobbies
from web.access import crossing, pages
from web.access.gate import Gate
from web.access.house import House
from web.access.joining import Joining
from web.access.origin import own_names
from web.access.roles import Role
from web.access.sessions import Sessions
from web.analyses import Analyses
from web.answers import Alive
from web.bodies import refusal
from web.source import LiveTable


def create_app(
    live: LiveTable,
    *,
    wizard: calibration.Wizard | None = None,
    teacher: teach.Teacher | None = None,
    kept: KeptCoins | None = None,
    health: checks.Health | None = None,
    owner: owning.Owning | None = None,
    analyses: Analyses | None = None,
    desk: assigned.Desk | None = None,
    brought: assigned.OpenDesk | None = None,
    gate: Gate | None = None,
    joining: Joining | None = None,
    lobby: lobbies.Lobby | None = None,
    language: str = "auto",
    sounds: Collection[Sound] = SOUNDS,
    join_urls: Callable[[], Sequence[str] | None] = lambda: None,
    rates: security.Rates | None = None,
    clock: security.Clock = time.monotonic,
) -> Flask:
    """The application over a live table.

    `wizard`: sets the table up, at /calibrate. `teacher`: learns players' own maps, at /teach.
    `owner`: the program in its owner's hands, at /settings.
    `kept`: the coins that the table remembers, shown at /calibrate. `health`: its checks, at /health.
    `analyses`: works out why a game of history was won; None: games are not analysed.
    `desk`: where a club's assignments wait; None: the table listens to no club.
    `brought`: the same, where a club of this machine may bring them; None: they come over a broker.
    `gate`: knows who may do what; None: a closed table, at which this machine may do all.
    `joining`: lets phones in and sit down. `lobby`: where games are laid out; None: one that is not kept.
    `language`: the pages' first language; `auto`: the browser's. `sounds`: what pages that play tones let people hear.
    `join_urls`: addresses for phones at this moment, best first; empty without a network, None when it serves this
    machine alone.
    """
    for name in NAMES:  # now, because threads must not meet at what is loaded later
        load(name)
    app = Flask(__name__, static_folder=None)
    files.serve(app, Path(__file__).with_name("static"))
    app.config["MAX_CONTENT_LENGTH"] = bodies.MAX_JSON_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = bodies.MAX_JSON_BYTES
    error_page.show(app)
    gate = gate or Gate(House(), Sessions(), own_names())
    security.protect(app, gate, rates=rates or security.Rates(), clock=clock)
    joining = joining or Joining(gate.sessions)
    crossing.follow(live, gate.sessions)
    long_work = worker.Worker(lambda: live.stopping.is_set())
    lobby = lobby or lobbies.Lobby()
    gate.plays = partial(lobbies.plays, live, lobby)
    app.register_blueprint(api.blueprint(live, lobby, joining, long_work))
    app.register_blueprint(lobbies.blueprint(live, lobby))
    app.register_blueprint(evidence.blueprint(live))
    app.register_blueprint(history.blueprint(live))
    app.register_blueprint(replays.blueprint(live, analyses, long_work))
    app.register_blueprint(virtual.blueprint(live))
    app.register_blueprint(mats.blueprint())
    app.register_blueprint(manifest.blueprint())
    app.register_blueprint(primers.blueprint())
    app.register_blueprint(learning.blueprint(long_work))
    app.register_blueprint(stream.blueprint(live, gate))
    if wizard:
        app.register_blueprint(calibration.blueprint(wizard, long_work))
    if teacher:
        app.register_blueprint(teach.blueprint(teacher, long_work))
    if desk:
        app.register_blueprint(assigned.blueprint(live, desk, brought))
    if kept:
        app.register_blueprint(known.blueprint(kept))
    if owner:
        app.register_blueprint(owning.blueprint(owner))
    if health:
        app.register_blueprint(checks.blueprint(health))

    tunes = {name: TUNES[name] for name in ("press", *sounds)}

    def phones() -> dict[str, object]:
        """How phones can join now: the network may have come or changed since the start."""
        urls, mode = join_urls(), gate.house.now.mode
        code = urls[0] if urls and mode != "open" else None
        if urls and mode == "open" and security.who().role >= Role.REFEREE:
            code = f"{urls[0]}join#{joining.code()}"  # after the #: it stays in the browser
        return {"mode": mode, "join_urls": urls, "join_code": qr_svg(code) if code else None}

    app.register_blueprint(
        pages.blueprint(
            partial(pages.check_seat, live, lobby),
            lambda: lobby.seats or live.game_seats(),
            gate,
            joining,
            phones,
            clock,
        )
    )

    @app.context_processor
    def everywhere() -> dict[str, object]:
        return {
            "language": language,
            "noscript": words.say("noscript"),
            "learns": kept is not None,
            "settable": owner is not None,
            "simulated": live.virtual is not None,
            "assignable": desk is not None,
            "checked": health is not None and "who" in g and security.who().role >= Role.REFEREE,
        }

    @app.get("/")
    def page() -> str:
        return render_template("table.html", wizard=wizard is not None, tunes=tunes, **phones())

    @app.get("/kiosk")
    def kiosk() -> str:
        return render_template("kiosk.html", tunes=tunes, **phones())

    @app.get("/overlay")
    def overlay() -> str:
        """Laid over a streaming program's picture. Its script reads the query: show, scale, lang, side."""
        return render_template("overlay.html")

    @app.get("/healthz")
    def alive() -> Response:
        """For install.sh and other programs that must know whether this one is well; no person reads it.

        Watchers are not told the version: it names the faults that are known of it.
        """
        me = security.who()
        told = me.here or me.role >= Role.REFEREE
        return bodies.answer(Alive(live.frames, __version__ if told else UNSET))

    @app.get("/rules")
    @app.get("/rules/<game>")
    def rules_page(game: str = "") -> str:
        known = [each.name for each in games.available()]
        if game and game not in known:
            abort(404)
        chosen = game or known[0]
        return render_template("rules.html", games=known, chosen=chosen, taught=taught(chosen))

    @app.get("/score")
    def score_page() -> str:
        return render_template("score.html", maps=games.map_titles(), teacher=teacher)

    errors.say_in_sentences(app)

    @app.errorhandler(words.Refused)
    def refused(error: words.Refused) -> Response | tuple[str, int]:
        if request.path in ("/calibrate", "/teach", "/health", "/settings") and "who" in g:  # then the PIN is asked
            return render_template("access.html", **phones()), error.status
        return refusal(error.status, error.texts, error.headers)

    @app.errorhandler(CommandError)
    def bad_command(error: CommandError) -> Response:
        return refusal(403 if isinstance(error, NotYourSeat) else 400, texts(error.message))

    return app


def qr_svg(url: str) -> str:
    """A QR code of `url` as SVG to stand inside a page; its colours come from the style sheet."""
    code: str = segno.make(url, error="m").svg_inline(omitsize=True, svgclass="qr", lineclass="qr-dark", border=3)
    return code
