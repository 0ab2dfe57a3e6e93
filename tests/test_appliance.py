"""The appliance: what is built without threads, what entering starts, and that leaving stops all of it."""

from __future__ import annotations

import json
import threading
import urllib.request
from pathlib import Path

import pytest

from tablecoin.appliance import Appliance, CannotStart
from tablecoin.settings import Settings, load, with_flags

CONFIG = """
[camera]
source = "virtual"
[panel]
kind = "screen"
[table]
language = "zh"
[web]
hosts = ["Coins.example"]
port = 0
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "tablecoin.toml").write_text(CONFIG)
    return with_flags(load(tmp_path / "tablecoin.toml"), data=str(tmp_path / "data"))


def test_it_is_built_and_used_without_threads_or_sockets(settings: Settings) -> None:
    before = set(threading.enumerate())
    appliance = Appliance(settings, seed=1)
    live, caller = appliance.live, appliance.app.test_client()
    live.restore()
    assert json.loads(caller.get("/api/state").text)["prompt"]["kind"] == "lobby"
    begun = caller.post("/api/games", json={"game": "steal"})
    assert begun.status_code == 200, begun.text
    assert live.snapshot().prompt.kind == "flip"
    live.look()
    assert live.frames == 1
    assert live.snapshot().health.camera == "virtual table"
    assert set(threading.enumerate()) == before
    with pytest.raises(RuntimeError, match="not entered"):
        _ = appliance.listener
    assert appliance.urls is None
    appliance.service.close()


def test_a_press_during_the_start_waits_until_the_game_is_taken_up(settings: Settings) -> None:
    appliance = Appliance(settings, seed=1)
    appliance.live.press("heads.done")
    with pytest.raises(RuntimeError):
        appliance.live.snapshot()
    appliance.live.restore()
    assert appliance.live.snapshot().prompt.kind == "flip"  # DONE began the game that the lobby offers
    appliance.service.close()


def test_language_and_hosts_of_the_settings_are_the_pages(settings: Settings) -> None:
    appliance = Appliance(settings)
    page = appliance.app.test_client().get("/rules", headers={"Host": "coins.example:8000"})
    assert (page.status_code, 'data-language="zh"' in page.text) == (200, True)
    assert appliance.app.test_client().get("/rules", headers={"Host": "dimes.example"}).status_code == 403
    appliance.service.close()


def test_a_port_in_use_is_one_sentence_and_leaves_nothing_running(settings: Settings, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with Appliance(settings) as first:
        config = f"[camera]\nsource = 'virtual'\n[web]\nport = {first.listener.port}\n"
        (tmp_path / "second.toml").write_text(config)
        second = Appliance(with_flags(load(tmp_path / "second.toml"), data=str(tmp_path / "second")))
        with pytest.raises(CannotStart, match="already in use"), second:
            pass
    assert set(threading.enumerate()) == before


def test_it_serves_its_pages_says_where_and_stops(settings: Settings) -> None:
    before = set(threading.enumerate())
    said: list[str] = []
    with Appliance(settings, seed=1) as appliance:
        with urllib.request.urlopen(appliance.url + "healthz", timeout=30) as answer:
            assert answer.status == 200
        appliance.stop()
        appliance.run(said.append)
    assert said == [f"tablecoin: camera: virtual table; the page is at {appliance.url}"]
    assert set(threading.enumerate()) == before
