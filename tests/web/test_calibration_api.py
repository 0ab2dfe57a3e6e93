"""The wizard's calls, with a stand-in for the wizard: what is handed on, and which errors have which status."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tablecoin.coins import Face, Heap
from tablecoin.vision.coins.enrolment import Tray
from tests.web.quiet import QuietTable
from web.app import create_app
from web.words import say


class Busy(Exception):
    """A step is being run."""


def result(step: str) -> dict[str, Any]:
    """How a step went that found nothing to say."""
    return {"step": step, "ok": True, "more": False, "said": {}, "todo": {}, "figures": {}}


class FakeWizard:
    busy: type[Exception] = Busy

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []
        self.running = False
        self.restarts = 0

    def state(self) -> dict[str, Any]:
        tray = {"coins": {"penny": 3}, "face": "heads"}
        nothing = {"date": None, "left_aside": None, "said": "", "left_coins": None}
        nothing |= {"left_aside_texts": None, "left_coins_texts": None}
        lists: dict[str, Any] = {"steps": [], "asked": {}, "shown": [], "passes": []}
        return {"camera": "virtual table", "file": "calibration.json", "tray": tray} | nothing | lists

    def aim(self) -> dict[str, Any]:
        return result("aim")

    def run(self, name: str, tray: Any = None) -> dict[str, Any]:
        if self.running:
            raise Busy("A step is being run: wait for it.")
        self.ran.append((name, tray))
        return result(name)

    def picture(self, name: str) -> bytes | None:
        return {"aim": b"jpeg"}.get(name)

    def restart(self) -> None:
        self.restarts += 1


@pytest.fixture
def wizard() -> FakeWizard:
    return FakeWizard()


@pytest.fixture
def client(live: QuietTable, wizard: FakeWizard) -> FlaskClient:
    return create_app(live, wizard=wizard).test_client()


def test_the_wizards_state_is_answered(client: FlaskClient, wizard: FakeWizard) -> None:
    assert client.get("/api/calibrate").get_json() == wizard.state()
    assert client.get("/api/calibrate/aim").get_json() == wizard.aim()


def test_the_page_offers_the_mats_to_print(client: FlaskClient) -> None:
    assert "two-row" in client.get("/calibrate").text


def test_a_steps_picture_is_never_kept_by_the_browser(client: FlaskClient) -> None:
    picture = client.get("/api/calibrate/picture/aim.jpg")
    assert (picture.data, picture.mimetype) == (b"jpeg", "image/jpeg")
    assert picture.headers["Cache-Control"] == "no-store"
    assert client.get("/api/calibrate/picture/markers.jpg").status_code == 404


def test_a_step_is_run_with_the_tray_of_the_call(client: FlaskClient, wizard: FakeWizard) -> None:
    tray = {"coins": {"penny": 2}, "face": "heads"}
    told = client.post("/api/calibrate/run", json={"step": "enrol", "tray": tray})
    assert told.get_json() == {"result": result("enrol")}
    assert wizard.ran == [("enrol", Tray(Heap(penny=2), Face.HEADS))]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"step": "dance"}, 'not "dance"'),
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
    assert (told.status_code, told.get_json()["error"]) == (409, say("calibrate.busy")["en"])


def test_beginning_again_answers_the_new_state(client: FlaskClient, wizard: FakeWizard) -> None:
    assert client.post("/api/calibrate/restart", json={}).get_json() == wizard.state()
    assert client.post("/api/calibrate/restart", json={"why": "?"}).status_code == 400
    assert wizard.restarts == 1
