"""The appliance: what is built without threads, what entering starts, and that leaving stops all of it."""

from __future__ import annotations

import json
import os
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self, cast

import pytest
from msgspec.structs import replace

from tablecoin.appliance import Appliance, CannotStart
from tablecoin.journal.journal import Journal
from tablecoin.live import allocator
from tablecoin.live.table import LiveTable
from tablecoin.mqtt.options import MqttOptions
from tablecoin.settings import Settings, load, with_flags
from web.listener import Listener

PATIENCE_S = 10  # for a thread that ends

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


def new_threads(before: set[threading.Thread]) -> set[threading.Thread]:
    """The threads that began since and go on. One that is about to end is waited for."""
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
    return set(threading.enumerate()) - before


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
    assert new_threads(before) == set()
    with pytest.raises(RuntimeError, match="not entered"):
        _ = appliance.listener
    assert appliance.urls is None
    appliance.service.close()


@pytest.fixture
def unmasked() -> Iterator[None]:
    """No permission is taken away from new files."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("unmasked")
def test_whatever_is_written_into_the_data_folder_is_for_its_owner_alone(settings: Settings) -> None:
    appliance = Appliance(settings, seed=1)
    appliance.live.restore()
    owner = appliance.app.test_client()
    calls: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("PUT", "/api/virtual", {"coins": [], "hand": False}),
        ("PUT", "/api/lobby", {"game": "steal"}),
        ("POST", "/api/settings", {"language": "en"}),
        ("POST", "/api/known/learn", {"learn": "on"}),
        ("POST", "/api/known/forget", {}),
        ("POST", "/api/games", {"game": "steal"}),
        ("POST", "/api/access/open", {"pin": "rosebud 1941"}),
    )
    told = {path: owner.open(path, method=method, json=body).status_code for method, path, body in calls}
    made = [settings.data_dir, *settings.data_dir.rglob("*")]
    appliance.service.close()
    assert set(told.values()) == {200}, told
    assert {
        "virtual.json",
        "lobby.json",
        "settings.toml",
        "learn.txt",
        "known.npz",
        "access.json",
        "sessions.json",
    } <= {path.name for path in made}
    assert {path.name for path in made if path.exists() and path.stat().st_mode & 0o077} == set()


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
    assert new_threads(before) == set()


def test_it_serves_its_pages_says_where_and_stops(settings: Settings) -> None:
    before = set(threading.enumerate())
    said: list[str] = []
    with Appliance(settings, seed=1) as appliance:
        with urllib.request.urlopen(appliance.url + "healthz", timeout=30) as answer:
            assert answer.status == 200
        appliance.stop()
        appliance.run(said.append)
    assert said == [f"tablecoin: camera: virtual table; the page is at {appliance.url}"]
    assert new_threads(before) == set()


class Pages:
    """Stands in for the listener: where it would serve the pages."""

    def __init__(self, host: str = "127.0.0.1", advice: str | None = None) -> None:
        self.host, self.port, self.advice = host, 8000, advice

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Told:
    """Stands in for the publisher: what it was built with, and what it was told."""

    def __init__(self, options: MqttOptions, folder: Path, journal: Journal, source: object, url: Callable[[], str]):
        self.options, self.url = options, url
        self.heard: list[str] = []

    def __enter__(self) -> Self:
        self.heard.append("started")
        return self

    def __exit__(self, *_: object) -> None:
        self.heard.append("stopped")

    def pressed(self, button: str) -> None:
        self.heard.append(button)


def test_with_a_broker_a_publisher_runs_and_hears_of_every_press(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Told] = []

    def publisher(*given: Any) -> Told:
        made.append(Told(*given))
        return made[-1]

    monkeypatch.setattr("tablecoin.appliance.Publisher", publisher)
    monkeypatch.setattr("tablecoin.appliance.Listener", lambda *_: Pages("0.0.0.0"))
    monkeypatch.setattr("tablecoin.appliance.join_urls", lambda host, port: [f"http://10.0.0.9:{port}/", "http://b/"])
    monkeypatch.setattr(LiveTable, "start", lambda self: None)
    appliance = Appliance(replace(settings, mqtt=MqttOptions(broker="10.0.0.2", table="k7")), seed=1)
    (told,) = made
    assert (str(told.options.address), told.options.table) == ("10.0.0.2:1883", "k7")
    assert told.url() == "", "the pages are not served yet"
    with appliance:
        assert told.url() == "http://10.0.0.9:8000/"
        assert not appliance._took_press("heads.done"), "no phone waits for a seat"
        assert told.heard == ["started", "heads.done"]
    assert told.heard == ["started", "heads.done", "stopped"]


@pytest.mark.parametrize(
    ("urls", "advice", "said"),
    [
        (None, None, []),
        ([], None, ["tablecoin: there is no network yet; the page shows phones the way once there is."]),
        (
            ["http://10.0.0.9:8000/", "http://table.local:8000/"],
            "Others may only watch.",
            [
                "tablecoin: for phones: http://10.0.0.9:8000/",
                "tablecoin: for phones: http://table.local:8000/",
                "tablecoin: Others may only watch.",
            ],
        ),
    ],
)
def test_it_says_how_phones_find_the_pages(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, urls: list[str] | None, advice: str | None, said: list[str]
) -> None:
    monkeypatch.setattr("tablecoin.appliance.join_urls", lambda host, port: urls)
    appliance, heard = Appliance(settings, seed=1), list[str]()
    appliance._listener = cast(Listener, Pages("0.0.0.0", advice))
    appliance.stop()
    appliance.run(heard.append)
    assert heard == ["tablecoin: camera: virtual table; the page is at http://127.0.0.1:8000/", *said]
    appliance.service.close()


def test_it_says_which_calibration_it_uses(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A virtual table needs none, so of a missing one nothing is said there."""
    monkeypatch.setattr("tablecoin.appliance.is_there", lambda file: True)
    monkeypatch.setattr("tablecoin.appliance.join_urls", lambda host, port: None)
    appliance, heard = Appliance(settings, seed=1), list[str]()
    appliance.service.calibration_said = "The lens is known."
    appliance._listener = cast(Listener, Pages())
    appliance.stop()
    appliance.run(heard.append)
    assert heard[0] == "tablecoin: The lens is known."
    appliance.service.close()


def test_the_owner_is_followed_until_the_table_stops(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the table listens elsewhere, that is said again; memory is given back after each round."""
    rounds: list[float] = []
    trimmed: list[int] = []

    class Moving(Pages):
        def follow(self, for_s: float, moved: Callable[[], None]) -> None:
            rounds.append(for_s)
            self.port += 1
            moved()
            if len(rounds) == 2:
                appliance.stop()

    monkeypatch.setattr("tablecoin.appliance.join_urls", lambda host, port: None)
    monkeypatch.setattr(allocator, "trim", lambda: trimmed.append(len(rounds)))
    appliance, heard = Appliance(settings, seed=1), list[str]()
    appliance._listener = cast(Listener, Moving())
    appliance.run(heard.append)
    assert [line.rpartition(" ")[2] for line in heard] == [f"http://127.0.0.1:{port}/" for port in (8000, 8001, 8002)]
    assert (rounds, trimmed) == ([allocator.TRIM_EVERY_S] * 2, [1, 2])
    appliance.service.close()
