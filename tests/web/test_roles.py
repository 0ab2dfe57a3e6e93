"""Every route of the application has its least role; a route that has none is refused to everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from calibration.teach.teach import Teacher
from tablecoin.checks.owning import Owning
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.settings import Settings
from tests.web.failing_wizard import FailingWizard
from tests.web.quiet import QuietTable
from tests.web.test_assigned import NoClub
from tests.web.test_health import Findings
from web.access.roles import Role, least_role
from web.app import create_app


@pytest.fixture
def app(live: QuietTable, tmp_path: Path) -> Flask:
    return create_app(
        live,
        wizard=FailingWizard(),
        teacher=Teacher(tmp_path),
        kept=KeptCoins(tmp_path, "ask", ""),
        health=Findings(),
        desk=NoClub(),
        owner=Owning(Settings(data=str(tmp_path)), lambda: None, lambda: (), supervised=False),
    )


def test_every_route_has_its_least_role(app: Flask) -> None:
    rules = [(method, rule.rule) for rule in app.url_map.iter_rules() for method in rule.methods or ()]
    assert len(rules) > 60
    missing = [(method, rule) for method, rule in rules if least_role(method, re.sub("<[^>]*>", "7", rule)) is None]
    assert missing == [], "give it a role in web/access/roles.py"


def test_a_route_without_a_role_is_refused_to_the_owner_too(live: QuietTable) -> None:
    app = create_app(live)
    app.add_url_rule("/api/forgotten", view_func=lambda: "secret")
    answer = app.test_client().get("/api/forgotten")
    assert answer.status_code == 403
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "least"),
    [
        ("GET", "/api/state", Role.WATCH),
        ("HEAD", "/api/state", Role.WATCH),
        ("OPTIONS", "/api/act", Role.WATCH),
        ("GET", "/static/0123456789abcdef/js/games/steal.js", Role.WATCH),
        ("GET", "/api/evidence/12/before.jpg", Role.WATCH),
        ("POST", "/api/act", Role.SEAT),
        ("POST", "/api/correct", Role.SEAT),
        ("POST", "/api/teach", Role.OWNER),
        ("POST", "/api/state", None),
        ("GET", "/api/state/", None),
        ("GET", "/api/evidence/1/2/before.jpg", None),
        ("GET", "/api/statex", None),
        ("GET", "", None),
    ],
)
def test_the_least_role_of_a_call(method: str, path: str, least: Role | None) -> None:
    assert least_role(method, path) is least
