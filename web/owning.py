"""The owner's page of the settings, and its calls. What they do belongs to `tablecoin.checks.owning`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Response, render_template

from tablecoin.rules.rulebook import Message, texts
from tablecoin.settings import SettingsError
from web.answers import LogLines, OwnerState
from web.bodies import Nothing, SettingsBody, answer, body, read
from web.words import Refused, say


class Owning(Protocol):
    """What the page needs of the running program. Every method may be called from any thread."""

    version: str
    supervised: bool

    def values(self) -> dict[str, Any]: ...

    @property
    def waits(self) -> bool: ...

    def keep(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Raises SettingsError with one sentence, and OSError."""

    def log(self) -> list[str]: ...

    def report(self) -> bytes:
        """Raises OSError."""

    def may_switch_off(self) -> bool: ...

    def restart(self) -> None: ...

    def switch_off(self) -> Message | None: ...


def blueprint(owning: Owning) -> Blueprint:
    routes = Blueprint("owning", __name__)

    def shown() -> Response:
        values = owning.values()
        kept = {section: values[section] for section in ("camera", "table", "panel")}
        return answer(OwnerState(kept, owning.waits, owning.version, owning.supervised, owning.may_switch_off()))

    @routes.get("/settings")
    def page() -> str:
        return render_template("settings.html")

    @routes.get("/api/settings")
    def state() -> Response:
        return shown()

    @routes.post("/api/settings")
    def keep() -> Response:
        wanted = read(body(), SettingsBody)
        changes = {section: values for section, values in wanted.by_section().items() if values}
        try:
            owning.keep(changes)
        except SettingsError as error:
            raise Refused(400, say("settings.wrong", why=str(error))) from None
        except OSError as error:
            raise Refused(503, say("access.disk", why=error.strerror or "?")) from None
        return shown()

    @routes.get("/api/settings/log")
    def log() -> Response:
        return answer(LogLines(tuple(owning.log())))

    @routes.get("/api/settings/report.zip")
    def report() -> Response:
        try:
            made = owning.report()
        except OSError as error:
            raise Refused(503, say("access.disk", why=error.strerror or "?")) from None
        told = Response(made, mimetype="application/zip")
        told.headers["Content-Disposition"] = "attachment; filename=tablecoin-report.zip"
        told.headers["Cache-Control"] = "no-store"
        return told

    @routes.post("/api/settings/restart")
    def restart() -> Response:
        read(body() or b"{}", Nothing)
        if not owning.supervised:
            raise Refused(409, say("settings.by_hand"))
        owning.restart()
        return shown()

    @routes.post("/api/settings/off")
    def off() -> Response:
        read(body() or b"{}", Nothing)
        if why_not := owning.switch_off():
            raise Refused(409, texts(why_not))
        return shown()

    return routes
