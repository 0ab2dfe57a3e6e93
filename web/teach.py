"""Teaching a map from a phone: the page at /teach, and the two calls it makes."""

from __future__ import annotations

from typing import Any, Protocol

from flask import Blueprint, Response, render_template, request

from web import bodies
from web.bodies import BadRequest, answer, body


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
        request.max_content_length = bodies.MAX_PHOTO_BYTES
        photo, lesson = request.files.get("photo"), request.form.get("lesson")
        if photo is None or lesson is None:
            raise BadRequest("Send the picture as the form's file `photo` and what was tapped as `lesson`.")
        return _told(teacher.teach, photo.read(), lesson.encode())

    @routes.post("/api/teach/guess")
    def guess() -> Response:
        return _told(teacher.guess, body())

    return routes


def _told(ask: Any, *given: bytes) -> Response:
    try:
        return answer(ask(*given))
    except ValueError as error:
        raise BadRequest(str(error)) from None
