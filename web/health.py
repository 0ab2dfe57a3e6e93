"""The health page: what the checks say of the running table. The checks belong to `tablecoin.checks`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from flask import Blueprint, Response, render_template

from tablecoin.journal.journal import JournalError
from tablecoin.rules.rulebook import Message, texts
from web import security
from web.access.roles import Role
from web.answers import Checked, HealthReport
from web.bodies import Nothing, answer, body, read, refusal
from web.words import say


class Finding(Protocol):
    """One line of the report."""

    @property
    def what(self) -> str: ...

    @property
    def status(self) -> Literal["ok", "warn", "fail"]: ...

    @property
    def title(self) -> Message:
        """What was looked at."""

    @property
    def message(self) -> Message:
        """What was found."""

    @property
    def advice(self) -> Message | None:
        """What to do about it."""


class Health(Protocol):
    """What the page needs of the checks."""

    def findings(self) -> Sequence[Finding]:
        """What was found lately. May be called from any thread, and does not raise."""

    def acknowledge(self) -> None:
        """The owner has read what was found of the journal. Raises JournalError."""


def blueprint(health: Health) -> Blueprint:
    """Page and call over the checks of one table."""
    routes = Blueprint("health", __name__)

    def reported() -> Response:
        found = health.findings()
        lost = any(finding.what == "journal" for finding in found)
        may_read = lost and security.who().role >= Role.OWNER
        return answer(HealthReport(tuple(_checked(finding) for finding in found), may_read))

    @routes.get("/health")
    def page() -> str:
        return render_template("health.html")

    @routes.get("/api/health")
    def report() -> Response:
        return reported()

    @routes.post("/api/health/read")
    def acknowledge() -> Response:
        read(body() or b"{}", Nothing)
        health.acknowledge()
        return reported()

    @routes.errorhandler(JournalError)
    def unwritten(error: JournalError) -> Response:
        return refusal(503, say("journal.why", why=error.message))

    return routes


def _checked(finding: Finding) -> Checked:
    advice = texts(finding.advice) if finding.advice else None
    return Checked(finding.what, finding.status, texts(finding.title), texts(finding.message), advice)
