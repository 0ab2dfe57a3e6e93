"""`tablecoin club`: which tables it shows, what it says, and that a stop ends all of it. Tables are stand-ins."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import pytest
from click.testing import CliRunner, Result

from tablecoin.cli import club as command
from tablecoin.cli import main
from tablecoin.club import listener, local, virtual
from tablecoin.club.ledger import Ledger
from tablecoin.club.local import Place
from tablecoin.mqtt.options import BrokerOptions
from web import listener as pages


def join_urls(host: str, port: int) -> list[str] | None:
    return [f"http://10.0.0.9:{port}/"] if host == "0.0.0.0" else None


class Tables:
    """Stands in for what shows tables, for what listens for stops, and for what serves the pages: what happened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.happened: list[str] = []
        self.places: Sequence[Place] = ()
        self.answering = False
        self.broken: OSError | None = None
        self.host = "127.0.0.1"
        stands = self

        class Local:
            def __init__(self, ledger: Ledger, places: Sequence[Place]) -> None:
                stands.places = places

            def start(self) -> None:
                stands.happened.append("asks")

            def stop(self) -> None:
                stands.happened.append("asks no more")

        class Heard(Local):
            def __init__(self, ledger: Ledger, mqtt: BrokerOptions, folder: Path) -> None:
                stands.happened.append(f"hears {mqtt.address}")

        class Own:
            def __init__(self, folder: Path, many: int) -> None:
                self.places = [Place(f"virtual-{i}", f"Virtual {i}", f"http://127.0.0.1:{i}") for i in range(many)]

            def start(self) -> None:
                if stands.broken:
                    raise stands.broken
                stands.happened.append("virtual tables")

            def stop(self) -> None:
                stands.happened.append("no virtual tables")

        class Pages:
            port = 8100

            def __init__(self, app: object, live: Any, house: object, host: str, port: int) -> None:
                self.host, self._live = stands.host, live

            def __enter__(self) -> Self:
                stands.happened.append("serves")
                return self

            def __exit__(self, *_: object) -> None:
                stands.happened.append("serves no more")

            def follow(self, for_s: float, moved: Callable[[], None]) -> None:
                stands.happened.append("follows")
                stands.stop()

        def listen(stop: Callable[[], None]) -> None:
            self.stop = stop

        monkeypatch.setattr(local, "LocalTables", Local)
        monkeypatch.setattr(listener, "Listener", Heard)
        monkeypatch.setattr(virtual, "VirtualTables", Own)
        monkeypatch.setattr(pages, "Listener", Pages)
        monkeypatch.setattr(command, "on_signal", listen)
        monkeypatch.setattr(Place, "answers", property(lambda _: self.answering))
        monkeypatch.setattr(
            "web.server.join_urls", lambda host, port: [f"http://10.0.0.9:{port}/"] * (host == "0.0.0.0")
        )

    def club(self, data: Path, *words: str) -> Result:
        return CliRunner().invoke(main, ["club", "--data", str(data), *words])


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Tables:
    return Tables(monkeypatch)


def urls(tables: Tables) -> list[str]:
    return [place.url for place in tables.places]


def test_computers_play_where_no_table_answers_and_a_stop_ends_all(tables: Tables, tmp_path: Path) -> None:
    told = tables.club(tmp_path)
    assert told.exit_code == 0, told.output
    assert tables.happened == [
        "serves", "virtual tables", "asks", "follows", "asks no more", "no virtual tables", "serves no more",
    ]  # fmt: skip
    assert urls(tables) == ["http://127.0.0.1:8000", "http://127.0.0.1:0", "http://127.0.0.1:1"]
    assert told.stderr.splitlines() == [
        "tablecoin: no broker is set: the club shows http://127.0.0.1:8000",
        "tablecoin: no table answers there: computers play at virtual tables instead",
        "tablecoin: the club's page is at http://127.0.0.1:8100/",
    ]
    Ledger(tmp_path, "Coin club").close()  # the command gave the file back


def test_a_table_that_answers_is_shown_alone(tables: Tables, tmp_path: Path) -> None:
    tables.answering = True
    assert tables.club(tmp_path).exit_code == 0
    assert tables.happened == ["serves", "asks", "follows", "asks no more", "serves no more"]
    assert urls(tables) == ["http://127.0.0.1:8000"]


def test_tables_of_the_settings_are_shown_without_virtual_ones(tables: Tables, tmp_path: Path) -> None:
    """Even where they do not answer yet: their owner named them."""
    config = tmp_path / "club.toml"
    config.write_text('tables = ["http://10.0.0.3:8000", "http://10.0.0.4:8000"]')
    told = tables.club(tmp_path, "--config", str(config))
    assert told.exit_code == 0, told.output
    assert urls(tables) == ["http://10.0.0.3:8000", "http://10.0.0.4:8000"]
    assert "the club shows http://10.0.0.3:8000, http://10.0.0.4:8000\n" in told.stderr
    assert "virtual tables" not in tables.happened


@pytest.mark.parametrize("many", [0, 3])
def test_there_are_as_many_virtual_tables_as_asked_for(tables: Tables, tmp_path: Path, many: int) -> None:
    assert tables.club(tmp_path, "--virtual", str(many)).exit_code == 0
    assert urls(tables) == ["http://127.0.0.1:8000", *(f"http://127.0.0.1:{i}" for i in range(many))]
    assert ("virtual tables" in tables.happened) == bool(many)


def test_virtual_tables_that_cannot_start_are_one_sentence_and_nothing_goes_on(tables: Tables, tmp_path: Path) -> None:
    tables.broken = OSError(errno.ENOSPC, "No space left on device")
    told = tables.club(tmp_path, "--virtual", "1")
    assert told.exit_code != 0
    assert f"The virtual tables cannot be started (No space left on device): check {tmp_path}." in told.stderr
    assert tables.happened == ["serves", "no virtual tables", "serves no more"]


def test_with_a_broker_the_tables_are_heard_over_it(tables: Tables, tmp_path: Path) -> None:
    config = tmp_path / "club.toml"
    config.write_text('[mqtt]\nbroker = "10.0.0.2"')
    tables.host = "0.0.0.0"
    told = tables.club(tmp_path, "--config", str(config))
    assert told.exit_code == 0, told.output
    assert tables.happened == ["serves", "hears 10.0.0.2:1883", "asks", "follows", "asks no more", "serves no more"]
    assert told.stderr.splitlines() == [
        "tablecoin: tables are heard over the broker 10.0.0.2:1883",
        "tablecoin: the club's page is at http://127.0.0.1:8100/",
        "tablecoin: for phones: http://10.0.0.9:8100/",
    ]


def test_virtual_tables_and_a_broker_exclude_each_other(tables: Tables, tmp_path: Path) -> None:
    config = tmp_path / "club.toml"
    config.write_text('[mqtt]\nbroker = "10.0.0.2"')
    told = tables.club(tmp_path, "--config", str(config), "--virtual", "2")
    assert told.exit_code != 0
    assert "--virtual is for a club without a broker" in told.stderr
    assert tables.happened == []


def test_settings_that_cannot_be_used_are_one_sentence(tables: Tables, tmp_path: Path) -> None:
    config = tmp_path / "club.toml"
    config.write_text("port = 1")
    told = tables.club(tmp_path, "--config", str(config))
    assert told.exit_code != 0
    assert str(config) in told.stderr
    assert "Traceback" not in told.output
    assert tables.happened == []
