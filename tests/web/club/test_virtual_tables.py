"""The club's own virtual tables: computers play there, until people do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tablecoin.club.virtual import Computers
from tests.web.quiet import QuietTable
from tests.web.test_assigned import Desk, NoClub
from web.app import create_app
from web.server import Server


@pytest.fixture
def table(live: QuietTable) -> Iterator[str]:
    with Server(create_app(live, desk=NoClub()), live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}"
        live.stopping.set()
        live.news()


def test_computers_begin_a_game_and_are_tossed_for(live: QuietTable, table: str) -> None:
    computers = Computers(table, 0)
    computers.act()
    ((kind, body, _),) = live.commands
    assert isinstance(body, dict)
    assert (kind, body["game"], set(body["seats"].values())) == ("start", "steal", {"computer"})
    computers.act()
    assert len(live.table.scene.coins) == 5  # the opening toss


def test_nothing_is_done_where_people_play(live: QuietTable, table: str) -> None:
    live.command({"start": {"game": "steal", "names": {"heads": "Ann"}, "seats": {"heads": "person"}}}, None)
    Computers(table, 0).act()
    assert len(live.commands) == 1
    assert live.table.scene.coins == ()


def test_a_game_that_is_assigned_is_left_to_people(live: QuietTable) -> None:
    with Server(create_app(live, desk=Desk()), live, "127.0.0.1", 0) as server:
        Computers(f"http://127.0.0.1:{server.port}", 0).act()
        assert live.commands == []
        live.stopping.set()
        live.news()


@pytest.mark.long
def test_one_command_shows_a_hall_with_a_game(tmp_path: Path) -> None:
    """On a machine without tables and without a broker."""
    data = tmp_path / "club"
    command = [sys.executable, "-m", "tablecoin", "club", "--port", "0", "--data", str(data), "--virtual", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert process.stderr
        url = next(line for line in process.stderr if "page is at " in line).partition("page is at ")[2].split()[0]
        with urlopen(f"{url}api/stream", timeout=60) as stream:  # a snapshot at each change
            halls = (json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: "))
            tables = (table for hall in halls for table in hall["tables"])
            assert any(table["game"] and table["newest"] > 1 for table in tables)
    finally:
        process.terminate()
        process.communicate(timeout=60)
