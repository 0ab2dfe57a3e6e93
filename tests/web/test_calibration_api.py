"""The wizard's calls, with a stand-in for the wizard: what is handed on, and which errors have which status."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tablecoin.coins import Face, Heap
from tablecoin.vision.coins.enrolment import Tray
from web import calibration
from web.app import create_app


class Busy(Exception):
    """A step is being run."""


class FakeWizard:
    busy: type[Exception] = Busy

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []
        self.running = False
        self.restarts = 0

    def state(self) -> dict[str, Any]:
        return {"camera": "virtual table", "steps": []}

    def aim(self) -> dict[str, Any]:
        return {"ok": True}

    def run(self, name: str, tray: Any = None) -> dict[str, Any]:
        if self.running:
            raise Busy("A step is being run: wait for it.")
        if name != "enrol":
            raise KeyError(name)
        self.ran.append((name, tray))
        return {"step": name, "ok": True}

    def picture(self, name: str) -> bytes | None:
        return {"aim": b"jpeg"}.get(name)

    def restart(self) -> None:
        self.restarts += 1


@pytest.fixture
def wizard() -> FakeWizard:
    return FakeWizard()


@pytest.fixture
def client(live: Any, wizard: FakeWizard) -> FlaskClient:
    app = create_app(live)
    app.register_blueprint(calibration.blueprint(wizard))
    return app.test_client()


@pytest.mark.parametrize(
    ("path", "told"),
    [("/api/calibrate", {"camera": "virtual table", "steps": []}), ("/api/calibrate/aim", {"ok": True})],
)
def test_what_the_wizard_knows_is_told(client: FlaskClient, path: str, told: dict[str, Any]) -> None:
    assert client.get(path).json == told


def test_the_page_offers_the_mats_to_print(client: FlaskClient) -> None:
    assert "two-row" in client.get("/calibrate").text


def test_a_steps_picture_is_never_kept_by_the_browser(client: FlaskClient) -> None:
    picture = client.get("/api/calibrate/picture/aim.jpg")
    assert (picture.data, picture.mimetype) == (b"jpeg", "image/jpeg")
    assert picture.headers["Cache-Control"] == "no-store"
    assert client.get("/api/calibrate/picture/markers.jpg").status_code == 404


def test_a_step_is_run_with_the_tray_that_was_told(client: FlaskClient, wizard: FakeWizard) -> None:
    tray = {"coins": {"penny": 2}, "face": "heads"}
    told = client.post("/api/calibrate/run", json={"step": "enrol", "tray": tray})
    assert told.json == {"result": {"step": "enrol", "ok": True}}
    assert wizard.ran == [("enrol", Tray(Heap(penny=2), Face.HEADS))]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"step": "dance"}, "There is no step 'dance'."),
        ({}, "step"),
        ({"step": "enrol", "tray": {"coins": {"penny": -1}, "face": "heads"}}, "penny"),
        ({"step": "enrol", "moon": 1}, "moon"),
    ],
)
def test_a_wrong_call_is_400_with_a_sentence(
    client: FlaskClient, wizard: FakeWizard, body: dict[str, Any], said: str
) -> None:
    told = client.post("/api/calibrate/run", json=body)
    assert told.status_code == 400
    assert told.json is not None
    assert said in told.json["error"]
    assert wizard.ran == []


def test_while_a_step_is_run_another_is_409(client: FlaskClient, wizard: FakeWizard) -> None:
    wizard.running = True
    told = client.post("/api/calibrate/run", json={"step": "enrol"})
    assert (told.status_code, told.json) == (409, {"error": "A step is being run: wait for it."})


def test_beginning_again_answers_the_new_state(client: FlaskClient, wizard: FakeWizard) -> None:
    assert client.post("/api/calibrate/restart", json={}).json == wizard.state()
    assert client.post("/api/calibrate/restart", json={"why": "?"}).status_code == 400
    assert wizard.restarts == 1
