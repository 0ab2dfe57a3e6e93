"""The JSON calls: each reads its body strictly and asks the house. An error is {"error": "one sentence"}."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

import msgspec
from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from tablecoin.journal.export import NoGame
from tablecoin.journal.journal import JournalError
from tablecoin.referee.voice import texts
from tablecoin.rules.rulebook import LANGUAGES
from tablecoin.storage.mapfiles import OWN_NAME
from web import bodies, games
from web.bodies import BadRequest, Nothing, answer, body, read
from web.security import refusal
from web.source import LiveTable


class _Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    button: str


def blueprint(live: LiveTable) -> Blueprint:
    routes = Blueprint("api", __name__, url_prefix="/api")

    def ask(command: dict[str, object]) -> Response:
        """Pass a command on. Refused by the rules is an answer (ok: false and why), not an error."""
        accepted, why = live.command(command, seat())
        said = texts(why) if why else None
        told = {"texts": said} if said else {}
        return answer({"ok": accepted, "why": said and said["en"], "seq": live.snapshot().seq} | told)

    @routes.post("/games")
    def start() -> Response:
        wish = read(body(), object)
        _plain_map(wish.get("options") if isinstance(wish, dict) else None)
        return ask({"start": wish})

    @routes.post("/act")
    def act() -> Response:
        return ask({"act": read(body(), object)})

    @routes.post("/press")
    def press() -> Response:
        return ask({"press": read(body(), _Press).button})

    @routes.post("/answer")
    def answer_question() -> Response:
        return ask({"answer": read(body(), object)})

    @routes.post("/correct")
    def correct() -> Response:
        return ask({"correct": read(body(), object)})

    @routes.post("/undo")
    def undo() -> Response:
        read(body() or b"{}", Nothing)
        return ask({"undo": True})

    @routes.get("/state")
    def state() -> Response:
        return answer(live.snapshot(seat()))

    @routes.get("/acts")
    def acts() -> Response:
        return answer({"acts": live.acts(seat())})

    @routes.get("/rulebook/<game>")
    def rulebook(game: str) -> ResponseReturnValue:
        language = request.args.get("lang", "en")
        if language not in LANGUAGES:
            raise BadRequest(f"lang is one of {', '.join(LANGUAGES)}.")
        found = next((each for each in games.available() if each.name == game), None)
        if found is None:
            return {"error": f"There is no game {game[:40]!r}."}, 404
        return answer(games.rulebook(found, language))

    @routes.get("/games")
    def list_games() -> Response:
        return answer({"games": [games.describe(game) for game in games.available()]})

    @routes.get("/record")
    def record() -> Response:
        lines = Response(live.record(), mimetype="application/x-ndjson")
        lines.headers["Content-Disposition"] = 'attachment; filename="tablecoin.jsonl"'
        lines.headers["Cache-Control"] = "no-store"
        return lines

    @routes.errorhandler(JournalError)
    def nothing_written(error: JournalError) -> Response:
        return refusal(503, f"{error}.")

    @routes.errorhandler(NoGame)
    def no_record(error: NoGame) -> Response:
        return refusal(404, str(error))

    @routes.post("/score")
    def score() -> Response:
        request.max_content_length = bodies.MAX_PHOTO_BYTES
        photo = request.files.get("photo")
        unknown = sorted((set(request.form) | set(request.files)) - {"photo", "map"})
        if unknown:
            raise BadRequest(f"Unknown field {unknown[0][:40]!r}; a score needs photo, and map if you like.")
        _plain_map(request.form)
        image = photo.read() if photo else b""
        if not image:
            raise BadRequest("Send the picture as the form's file `photo`.")
        try:
            return answer(live.score(image, request.form.get("map") or None))
        except ValueError as error:
            raise BadRequest(str(error)) from None

    return routes


def _plain_map(options: object) -> None:
    """BadRequest when `map` is more than a name: a path is for the command line, lest a phone read files here."""
    wanted = options.get("map") if isinstance(options, Mapping) else None
    if isinstance(wanted, str) and wanted and not OWN_NAME.fullmatch(wanted):
        raise BadRequest("Give a map by its name, such as classic; a map's file is for the command line.")


def seat() -> str | None:
    """The seat this phone sits at, when its person chose one; without, it speaks for the whole table.

    A header cannot hold every player's name, so it comes percent-encoded; an event stream, which sends no headers,
    gives it as `?seat=`.
    """
    return unquote(request.headers.get("X-Seat", "")) or request.args.get("seat") or None
