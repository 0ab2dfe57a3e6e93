"""The wizard's page and its calls. The wizard itself is `calibration`'s; it is handed in by the front door.

GET  /calibrate                        the page
GET  /api/calibrate                    {"camera", "said", "steps": [{"name", "optional", "done", "result"}], ...}
GET  /api/calibrate/aim                how sharp and bright the newest picture is, for the live aid
GET  /api/calibrate/picture/STEP.jpg   what a step saw, with what it found drawn on it
POST /api/calibrate/run {"step": ...}  run a step on new pictures; {"result": ...}; with "tray": {"coins": heap, "face"}
                                       what lies there, where own coins are enrolled
POST /api/calibrate/restart {}         begin anew
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from flask import Blueprint, Response, abort, render_template

from tablecoin.mat.tiles import PAPERS_MM
from tablecoin.vision.coins.enrolment import Tray
from web import mats, security
from web.bodies import BadRequest, Nothing, answer, body, read


class Wizard(Protocol):
    """What the page needs of the wizard. Every method may be called from any thread; `busy` while a step is run."""

    busy: type[Exception]  # raised by `run` and `restart`: one sentence

    def state(self) -> dict[str, Any]:
        """Everything the page shows."""

    def aim(self) -> dict[str, Any]:
        """The first step on the newest picture; changes nothing."""

    def run(self, name: str, tray: Tray | None = None) -> dict[str, Any]:
        """Run a step: {"step", "ok", "more", "said", "todo", "figures"}. KeyError when there is no such step."""

    def picture(self, name: str) -> bytes | None:
        """What the step saw, as JPEG."""

    def restart(self) -> None:
        """Begin anew."""


class _Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: str
    tray: Tray | None = None


def blueprint(wizard: Wizard) -> Blueprint:
    """Pages and calls over one wizard."""
    routes = Blueprint("calibration", __name__)

    @routes.get("/calibrate")
    def page() -> str:
        return render_template("calibration.html", mats=mats.titles(), papers=PAPERS_MM)

    @routes.get("/api/calibrate")
    def state() -> Response:
        return answer(wizard.state())

    @routes.get("/api/calibrate/aim")
    def aim() -> Response:
        return answer(wizard.aim())

    @routes.get("/api/calibrate/picture/<step>.jpg")
    def picture(step: str) -> Response:
        jpeg = wizard.picture(step)
        if jpeg is None:
            abort(404)
        shown = Response(jpeg, mimetype="image/jpeg")
        shown.headers["Cache-Control"] = "no-store"
        return shown

    @routes.post("/api/calibrate/run")
    def run() -> Response:
        wish = read(body(), _Run)
        try:
            return answer({"result": wizard.run(wish.step, wish.tray)})
        except KeyError:
            raise BadRequest(f"There is no step {wish.step[:40]!r}.") from None

    @routes.post("/api/calibrate/restart")
    def restart() -> Response:
        read(body() or b"{}", Nothing)
        wizard.restart()
        return answer(wizard.state())

    @routes.errorhandler(wizard.busy)
    def busy(error: Exception) -> Response:
        return security.refusal(409, str(error))

    return routes
