"""A refusal as a page, for people who opened an address in a browser. Programs and scripts get its JSON."""

from __future__ import annotations

import msgspec
from flask import Flask, Response, render_template, request

from web.answers import Problem

_FOR_PROGRAMS = ("/api/", "/static/", "/frame.jpg", "/healthz")
_KINDS = {403: "forbidden", 404: "nothing", 429: "later", 503: "later"}


def show(app: Flask) -> None:
    """Turn refused calls that open a page into pages that say the same."""

    @app.after_request
    def page(answer: Response) -> Response:
        if answer.status_code < 400 or answer.mimetype != "application/json" or not _opens_a_page():
            return answer
        problem = msgspec.json.decode(answer.get_data(), type=Problem)
        kind = _KINDS.get(answer.status_code, "inside" if answer.status_code >= 500 else "other")
        answer.set_data(render_template("error.html", kind=kind, status=answer.status_code, texts=problem.texts))
        answer.mimetype = "text/html"
        return answer


def _opens_a_page() -> bool:
    """Whether a browser asks for something to show in its window: it then says that it takes HTML."""
    return (
        request.method == "GET"
        and "text/html" in request.headers.get("Accept", "")
        and not request.path.startswith(_FOR_PROGRAMS)
    )
