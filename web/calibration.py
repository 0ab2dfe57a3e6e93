"""The wizard's page and its calls. The wizard itself belongs to `calibration` and is handed to `create_app`."""

from __future__ import annotations

import threading
from typing import Any, Protocol

import msgspec
from flask import Blueprint, Response, abort, render_template

from tablecoin.mat.tiles import PAPERS_MM
from tablecoin.vision.coins.enrolment import Tray
from web import mats
from web.answers import StepResult, StepRun, WizardState
from web.bodies import Nothing, StepBody, answer, body, passing, read, refusal
from web.words import say
from web.worker import Worker


class Wizard(Protocol):
    """What the page needs of the wizard. Every method may be called from any thread."""

    busy: type[Exception]  # raised by `run` and `restart` while a step is running

    def state(self) -> dict[str, Any]:
        """Everything the page shows: the fields of WizardState."""

    def aim(self) -> dict[str, Any]:
        """The first step on the newest picture: the fields of StepResult. Changes nothing."""

    def run(self, name: str, tray: Tray | None = None) -> dict[str, Any]:
        """Run a step: the fields of StepResult."""

    def picture(self, name: str) -> bytes | None:
        """What the step saw, as JPEG."""

    def restart(self) -> None:
        """Forget all steps and start over."""


def blueprint(wizard: Wizard, worker: Worker) -> Blueprint:
    """Page and calls over one wizard."""
    routes = Blueprint("calibration", __name__)
    stepping = threading.Lock()  # a step that would only wait for another is refused

    def shown() -> Response:
        return answer(msgspec.convert(wizard.state(), WizardState))

    @routes.get("/calibrate")
    def page() -> str:
        return render_template("calibration.html", mats=mats.titles(), papers=PAPERS_MM)

    @routes.get("/api/calibrate")
    def state() -> Response:
        return shown()

    @routes.get("/api/calibrate/aim")
    def aim() -> Response:
        return answer(msgspec.convert(worker.do("set-up", wizard.aim), StepResult))

    @routes.get("/api/calibrate/picture/<step>.jpg")
    def picture(step: str) -> Response:
        jpeg = wizard.picture(step)
        if jpeg is None:
            abort(404)
        return passing(jpeg, "image/jpeg")

    @routes.post("/api/calibrate/run")
    def run() -> Response:
        wish = read(body(), StepBody)
        if not stepping.acquire(blocking=False):
            raise wizard.busy
        try:
            ran = worker.do("set-up", lambda: wizard.run(wish.step, wish.tray))
        finally:
            stepping.release()
        return answer(StepRun(msgspec.convert(ran, StepResult)))

    @routes.post("/api/calibrate/restart")
    def restart() -> Response:
        read(body() or b"{}", Nothing)
        wizard.restart()
        return shown()

    @routes.errorhandler(wizard.busy)
    def busy(error: Exception) -> Response:
        return refusal(409, say("calibrate.busy"))

    return routes
