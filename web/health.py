"""The health page: what the checks say of the running table. The checks belong to `tablecoin.checks`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from flask import Blueprint, Response, render_template

from tablecoin.rules.rulebook import Message, texts
from web.answers import Checked, HealthReport
from web.bodies import answer


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


def blueprint(health: Health) -> Blueprint:
    """Page and call over the checks of one table."""
    routes = Blueprint("health", __name__)

    @routes.get("/health")
    def page() -> str:
        return render_template("health.html")

    @routes.get("/api/health")
    def report() -> Response:
        return answer(HealthReport(tuple(_checked(finding) for finding in health.findings())))

    return routes


def _checked(finding: Finding) -> Checked:
    advice = texts(finding.advice) if finding.advice else None
    return Checked(finding.what, finding.status, texts(finding.title), texts(finding.message), advice)
