"""Every error as one sentence in every language, whichever application meets it."""

from __future__ import annotations

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from web import bodies, words, worker
from web.bodies import refusal


def say_in_sentences(app: Flask) -> None:
    """Answer errors of HTTP, refused calls and a queue that is full with a Problem."""

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        code = error.code or 500
        key = f"http.{code}" if f"http.{code}" in words.catalogue() else "http.other"
        facts = {"name": error.name, "photo": bodies.MAX_PHOTO_BYTES >> 20, "json": bodies.MAX_JSON_BYTES >> 10}
        methods = getattr(error, "valid_methods", None) or []
        return refusal(code, words.say(key, **facts), {"Allow": ", ".join(methods)} if code == 405 else {})

    @app.errorhandler(words.Refused)
    def refused(error: words.Refused) -> Response:
        return refusal(error.status, error.texts, error.headers)

    @app.errorhandler(worker.Full)
    def full(error: worker.Full) -> Response:
        return refusal(503, words.say("worker.full"), {"Retry-After": "3"})
