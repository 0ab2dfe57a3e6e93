"""Teaching a map from a phone: the page at /teach, and the two calls it makes."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from flask import Blueprint, Response, render_template, request

from web import bodies
from web.answers import Guessed, Taught
from web.bodies import TapsBody, answer, body, read
from web.words import Refused, said_by, say
from web.worker import Worker


class Teacher(Protocol):
    """Learns maps. Both methods raise ValueError with one sentence."""

    def teach(self, photo: bytes, lesson: bytes) -> dict[str, Any]:
        """Learn a map from a picture file and a lesson in JSON: the fields of Taught."""

    def guess(self, body: bytes) -> dict[str, Any]:
        """From the corners and spaces tapped so far: the fields of Guessed."""


def blueprint(teacher: Teacher, worker: Worker) -> Blueprint:
    routes = Blueprint("teach", __name__)

    @routes.get("/teach")
    def page() -> str:
        return render_template("teach.html")

    @routes.post("/api/teach")
    def teach() -> Response:
        request.max_content_length = bodies.MAX_PHOTO_BYTES
        photo, lesson = request.files.get("photo"), request.form.get("lesson")
        if photo is None or lesson is None:
            raise Refused(400, say("teach.form"))
        try:
            learnt = worker.do("photo", lambda: teacher.teach(photo.read(), lesson.encode()))
        except ValueError as error:
            raise Refused(400, said_by(error, "teach.why")) from None
        return answer(msgspec.convert(learnt, Taught))

    @routes.post("/api/teach/guess")
    def guess() -> Response:
        taps = body()
        read(taps, TapsBody)
        try:
            guessed = worker.do("set-up", lambda: teacher.guess(taps))
        except ValueError as error:
            raise Refused(400, said_by(error, "teach.why")) from None
        return answer(msgspec.convert(guessed, Guessed))

    return routes
