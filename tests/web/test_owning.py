"""The owner's settings: kept beside tablecoin.toml, for the next start, each wrong value answered by one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tablecoin.checks.owning import Owning
from tablecoin.panel.tunes import SOUNDS
from tablecoin.settings import KEPT_FILE, Settings, TableSettings, at_start, keep, left_out, with_kept
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app


class Program(Owning):
    """A program that only notes what it is asked to do."""

    def __init__(self, folder: Path, supervised: bool = True) -> None:
        self.done: list[str] = []
        super().__init__(Settings(data=str(folder)), lambda: self.done.append("restart"), lambda: (), supervised)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def owner(live: QuietTable, program: Program) -> FlaskClient:
    return create_app(live, owner=program).test_client()


def test_what_is_kept_holds_at_the_next_start(owner: FlaskClient, tmp_path: Path) -> None:
    assert owner.get("/api/settings").get_json()["waits"] is False
    told = owner.post("/api/settings", json={"language": "zh", "mains_hz": 50}).get_json()
    assert (told["values"]["table"]["language"], told["values"]["camera"]["mains_hz"]) == ("zh", 50)
    assert told["waits"] is True
    started = at_start(None, data=str(tmp_path))
    assert (started.table.language, started.camera.mains_hz) == ("zh", 50)


def test_what_is_heard_is_chosen_event_by_event(owner: FlaskClient, tmp_path: Path) -> None:
    assert owner.get("/api/settings").get_json()["values"]["table"]["sounds"] == list(SOUNDS)
    owner.post("/api/settings", json={"sounds": ["turn", "refused"]})
    assert at_start(None, data=str(tmp_path)).table.sounds == ("turn", "refused")
    refused = owner.post("/api/settings", json={"sounds": ["applause"]})
    assert (refused.status_code, "table.sounds" in refused.get_json()["error"]) == (400, True)


def test_null_gives_a_key_back_to_the_file(tmp_path: Path) -> None:
    base = Settings(data=str(tmp_path), table=TableSettings(language="en"))
    assert keep(base, {"table": {"language": "zh", "clips": "off"}}).table.language == "zh"
    assert keep(base, {"table": {"language": None}}).table == TableSettings(language="en", clips="off")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"language": "fr"}, "table.language"),
        ({"still_s": 99}, "table.still_s"),
        ({"mains_hz": 7}, "camera.mains_hz"),
        ({"port": 80}, "port"),
        ({"source": "usb0"}, "There is no camera 'usb0'"),
        ({"source": "usb:" + 5000 * "9"}, "There is no camera 'usb:999"),
        ({"source": "file:/nowhere.jpg"}, "There is no file /nowhere.jpg"),
        ({"source": "file:/etc/passwd"}, "neither a picture nor a video"),
        ({"source": "file:/dev/zero"}, "it is a device, not a regular file"),
        ({"source": "file:/dev"}, "holds no pictures"),
        ({"source": "http://192.0.2.7/" + 100_000 * "a"}, "too long"),
        ({"sounds": 20_000 * ["turn"]}, "too long"),
    ],
)
def test_a_wrong_value_is_refused_by_one_sentence(
    owner: FlaskClient, tmp_path: Path, body: dict[str, object], says: str
) -> None:
    answer = owner.post("/api/settings", json=body)
    assert answer.status_code == 400
    assert says in answer.get_json()["error"]
    assert not (tmp_path / KEPT_FILE).exists()


def test_what_is_kept_is_for_the_owner_alone(owner: FlaskClient, tmp_path: Path) -> None:
    owner.post("/api/settings", json={"source": "http://ann:geheim@192.0.2.7/video"})
    assert (tmp_path / KEPT_FILE).stat().st_mode & 0o077 == 0


def test_a_pipe_is_no_camera(owner: FlaskClient, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.mp4")
    answer = owner.post("/api/settings", json={"source": f"file:{tmp_path / 'p.mp4'}"})
    assert (answer.status_code, "it is a pipe" in answer.get_json()["error"]) == (400, True)


STRANGE = {
    "a control character": "http://192.0.2.7/\x7f",
    "quotes": 'http://192.0.2.7/"\\\u2028😀',
}


@pytest.mark.parametrize("source", STRANGE.values(), ids=STRANGE)
def test_what_is_kept_can_be_read_again(owner: FlaskClient, tmp_path: Path, source: str) -> None:
    assert owner.post("/api/settings", json={"source": source}).status_code == 200
    assert at_start(None, data=str(tmp_path)).camera.source == source
    assert owner.get("/api/settings").status_code == 200


def test_a_camera_whose_file_is_gone_does_not_hold_up_the_other_settings(owner: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / KEPT_FILE).write_text('[camera]\nsource = "file:/nowhere.jpg"\n')
    assert owner.post("/api/settings", json={"language": "zh"}).status_code == 200
    answer = owner.post("/api/settings", json={"source": "file:/elsewhere.jpg"})
    assert (answer.status_code, "There is no file" in answer.get_json()["error"]) == (400, True)


def test_a_wrong_key_is_left_out_and_the_others_hold(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / KEPT_FILE).write_text('[lamp]\non = true\n[table]\nlanguage = "fr"\nclips = "off"\n')
    started = at_start(None, data=str(tmp_path))
    assert started.table == TableSettings(clips="off")
    assert left_out(started) == "lamp.on"
    assert caplog.messages[0].startswith("lamp.on is left out: settings.toml: there is no key lamp")
    keep(started, {"table": {"language": "zh"}})
    assert with_kept(started).table == TableSettings(language="zh", clips="off")
    assert left_out(started) is None, "what was wrong is not written again"


@pytest.mark.parametrize("content", ["[table", "\0", "[table]\nmat = 1979-05-27", None])
def test_a_file_that_cannot_be_read_is_left_out_and_replaced(tmp_path: Path, content: str | None) -> None:
    file, base = tmp_path / KEPT_FILE, Settings(data=str(tmp_path))
    if content is None:
        os.mkfifo(file)
    else:
        file.write_text(content)
    assert with_kept(base) == base
    assert left_out(base) == KEPT_FILE
    keep(base, {"table": {"language": "zh"}})
    assert (with_kept(base).table.language, left_out(base)) == ("zh", None)


def test_what_people_wrote_into_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / KEPT_FILE).write_text('[panel.pins]\nbuzzer = 22\n[camera]\ndriver = {"focus" = 35.0}\n')
    kept = keep(Settings(data=str(tmp_path)), {"camera": {"mains_hz": 50}})
    assert (kept.panel.pins.buzzer, kept.camera.driver, kept.camera.mains_hz) == (22, {"focus": 35.0}, 50)
    assert with_kept(Settings(data=str(tmp_path))) == kept


def test_it_starts_again_only_where_something_starts_it(owner: FlaskClient, program: Program) -> None:
    assert owner.post("/api/settings/restart", json={}).status_code == 200
    assert program.done == ["restart"]
    program.supervised = False
    assert owner.post("/api/settings/restart", json={}).status_code == 409
    assert program.done == ["restart"]


def test_the_report_is_a_zip_file(owner: FlaskClient) -> None:
    answer = owner.get("/api/settings/report.zip")
    assert (answer.mimetype, answer.data[:2]) == ("application/zip", b"PK")


def test_others_do_not_see_the_page(owner: FlaskClient) -> None:
    """A phone on the network, at a closed table."""
    for path in ("/settings", "/api/settings", "/api/settings/log"):
        assert owner.get(path, environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 403


EVERY = """window.looks = [];
window.setInterval = (look) => window.looks.push(look);"""  # the page looks when the test says so


@pytest.mark.browser
def test_the_page_follows_an_update_and_its_way_back(live: QuietTable, program: Program, stage: Stage) -> None:
    """What `/healthz` answers while the version is changed under an open page; None: the program is away."""
    told = [
        (None, "does not answer", "1.0"),
        ("1.0", "It is version 1.0, as before", "1.0"),
        (None, "does not answer", "1.0"),
        ("2.0", "version 2.0 runs now; before it was 1.0", "2.0"),
        (None, "does not answer", "2.0"),
        ("1.0", "Version 1.0 runs again: it went back from 2.0", "1.0"),
    ]
    program.version = "1.0"
    stage.shows(create_app(live, owner=program), live)
    page = stage.open("/settings", script=EVERY, calls_may_fail=True)
    page.get_by_test_id("version").get_by_text("1.0").wait_for()
    assert page.get_by_test_id("now").is_hidden()
    for running, said, version in told:
        page.context.set_offline(running is None)
        stage.answer("/healthz", {"version": running})
        page.evaluate("window.looks.forEach((look) => look())")
        expect(page.get_by_test_id("now")).to_contain_text(said)
        expect(page.get_by_test_id("version")).to_have_text(f"tablecoin {version}")
