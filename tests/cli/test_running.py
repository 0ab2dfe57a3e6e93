"""`tablecoin bench` and `tablecoin brokers`: what they print. The measuring and the searching have their own tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from tablecoin import appliance, checks
from tablecoin.checks.bench import Bench
from tablecoin.checks.bench.timing import Spread
from tablecoin.cli import main
from tablecoin.cli.running import table_to_measure
from tablecoin.mqtt import nearby
from tablecoin.mqtt.nearby import Nearby, NoSearch
from tablecoin.rules.rulebook import Message
from tablecoin.settings import Settings

MEASURED = Bench((640, 480), (), None, 40.0, {"steal": 9.0}, {}, {}, Spread(1, 1.0, 2.0, 3.0, 4.0, 5.0))


def test_the_figures_are_printed_as_lines_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """As JSON they are all of standard output; the lines go to standard error then."""
    asked: list[tuple[object, float]] = []

    def measure(running: object, seconds: float, begin: Callable[[str], None]) -> Bench:
        asked.append((running, seconds))
        begin("random games")
        return MEASURED

    monkeypatch.setattr(checks.bench, "bench", measure)
    lines, as_json = (
        CliRunner().invoke(main, ["bench", "--seconds", "0.25", *options]) for options in ((), ("--json",))
    )
    assert (lines.exit_code, as_json.exit_code) == (0, 0), lines.output + as_json.output
    assert asked == [(table_to_measure, 0.25)] * 2
    for said in (lines.stdout, as_json.stderr):
        assert "random games a second, steal: 9\n" in said
        assert "frames a second on one core, 20 coins: 40\n" in said
    assert json.loads(as_json.stdout)["games_per_second"] == {"steal": 9.0}


def test_the_table_to_measure_is_virtual_and_leaves_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Settings] = []

    @contextmanager
    def stand_in(settings: Settings, **given: Any) -> Iterator[SimpleNamespace]:
        built.append(settings)
        assert given["simulation"].fps == 30.0
        (settings.data_dir / "journal").touch()
        yield SimpleNamespace(live="the table")

    monkeypatch.setattr(appliance, "Appliance", stand_in)
    with table_to_measure() as live:
        measured: object = live
        assert measured == "the table"
        (settings,) = built
        assert list(settings.data_dir.iterdir()) == [settings.data_dir / "journal"]
    assert (settings.camera.source, settings.panel.kind, settings.web.port) == ("virtual", "none", 0)
    assert not settings.data_dir.exists()


def test_each_broker_is_named_with_the_line_that_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        nearby, "nearby", lambda: [Nearby("Hall", "mqtt://10.0.0.2:1883"), Nearby("Bar", "mqtts://b:1")]
    )
    told = CliRunner().invoke(main, ["brokers"])
    assert (told.exit_code, told.stdout) == (
        0,
        'Hall: write broker = "mqtt://10.0.0.2:1883" under [mqtt] in tablecoin.toml\n'
        'Bar: write broker = "mqtts://b:1" under [mqtt] in tablecoin.toml\n',
    )


def test_no_broker_is_said_on_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearby, "nearby", list)
    told = CliRunner().invoke(main, ["brokers"])
    assert (told.exit_code, told.stdout) == (0, "")
    assert told.stderr.startswith("No broker announces itself")


def test_a_search_that_is_impossible_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def search() -> list[Nearby]:
        raise NoSearch(Message("mqtt.no_search", {"why": "avahi-browse: not found"}))

    monkeypatch.setattr(nearby, "nearby", search)
    told = CliRunner().invoke(main, ["brokers"])
    assert told.exit_code != 0
    assert "avahi-browse: not found" in told.stderr
    assert "Traceback" not in told.output
