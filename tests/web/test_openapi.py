"""The OpenAPI file: fresh, and every route of the application with nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast, get_args

from calibration.teach.teach import Teacher
from calibration.wizard import LiveEyes, Wizard
from tablecoin.checks.owning import Owning
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.settings import Settings
from tests.web.failing_wizard import FailingWizard
from tests.web.quiet import QuietTable
from tests.web.test_assigned import NoClub
from tests.web.test_health import Findings
from web.app import create_app
from web.bodies import StepName
from web.openapi import document, schemas
from web.typescript import declarations

ROOT = Path(__file__).parents[2]


def test_the_file_is_as_the_command_writes_it() -> None:
    assert json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8")) == document(), "run `make contract`"


def test_the_page_s_types_are_as_the_command_writes_them() -> None:
    assert (ROOT / "web" / "contract.d.ts").read_text("utf-8") == declarations(schemas()), "run `make contract`"


def test_every_reference_leads_to_a_schema() -> None:
    written = json.dumps(document())
    named = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', written))
    assert named <= schemas().keys()


def test_the_wizard_has_the_steps_that_the_file_names(live: QuietTable, tmp_path: Path) -> None:
    wizard = Wizard(LiveEyes(cast(Any, live)), tmp_path / "calibration.json")
    assert tuple(step.name for step in wizard.steps) == get_args(StepName)


def test_every_route_and_method_is_in_it_and_nothing_else(live: QuietTable, tmp_path: Path) -> None:
    app = create_app(
        live,
        wizard=FailingWizard(),
        teacher=Teacher(tmp_path),
        kept=KeptCoins(tmp_path, "ask", ""),
        health=Findings(),
        desk=NoClub(),
        owner=Owning(Settings(data=str(tmp_path)), lambda: None, lambda: (), supervised=False),
    )
    served = {
        (method, re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint != "static"
    }
    written = {(method.upper(), path) for path, calls in document()["paths"].items() for method in calls}
    assert written == served
