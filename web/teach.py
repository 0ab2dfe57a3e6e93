"""Teaching a map from a phone: the page at /teach, and the two calls it makes."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from flask import Blueprint, Response, render_template, request

from web.api import MAX_JSON_BYTES, MAX_PHOTO_BYTES, BadRequest


class Teacher(Protocol):
    """Who learns maps. Both raise ValueError with one sentence."""

    def teach(self, photo: bytes, lesson: bytes) -> dict[str, Any]:
        """Learn a map from a picture file and a lesson in JSON; what was learnt."""

    def guess(self, body: bytes) -> dict[str, Any]:
        """From the corners and spaces tapped so far: the card's shape, and which spaces are neighbours."""


def blueprint(teacher: Teacher) -> Blueprint:
    routes = Blueprint("teach", __name__)

    @routes.get("/teach")
    def page() -> str:
        return render_template("teach.html")

    @routes.post("/api/teach")
    def teach() -> Response:
        request.max_content_length = MAX_PHOTO_BYTES
        photo, lesson = request.files.get("photo"), request.form.get("lesson")
        if photo is None or lesson is None:
            raise BadRequest("Send the picture as the form's file `photo` and what was tapped as `lesson`.")
        return _told(teacher.teach, photo.read(), lesson.encode())

    @routes.post("/api/teach/guess")
    def guess() -> Response:
        request.max_content_length = MAX_JSON_BYTES
        return _told(teacher.guess, request.get_data(cache=False))

    return routes


def _told(ask: Any, *given: bytes) -> Response:
    try:
        answer = Response(msgspec.json.encode(ask(*given)), mimetype="application/json")
    except ValueError as error:
        raise BadRequest(str(error)) from None
    answer.headers["Cache-Control"] = "no-store"
    return answer
