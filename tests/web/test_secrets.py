"""A sealed choice stays sealed on every route of the application, whoever asks without its seat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tablecoin import mat
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from web.access.gate import Gate
from web.access.roles import Role, least_role
from web.app import create_app

AMOUNT = 8642  # no other number of this test has these digits
ENDLESS = "/api/stream"  # tests/web/test_stream.py holds it to the same
PARTS = {"game": "goes-around", "name": "ring", "filename": "js/main.js"}  # of paths; all others are numbers


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    """A game that was left, with a sealed choice in it, and one under way: each of its seats has chosen in secret."""
    table = VirtualTable(mat.load("ring"), seed=1)
    made = LiveTable(VirtualCamera(table), Reader("ring"), Journal(tmp_path / "j.sqlite"), virtual=table)
    made.restore()
    made.look()
    for _ in range(2):
        made.command({"start": {"game": "goes-around", "options": {"players": 2, "start": 9999}}}, None)
        made.command({"act": {"do": "commit", "seat": "2", "action": "protect"}}, "2")
        steal = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": AMOUNT}
        assert made.command({"act": steal}, "1")[0]
    yield made
    made.stop()


def paths(app: Flask) -> list[str]:
    """Every path that can be got, with the numbers of the game under way and the one before it, and of rulings."""
    rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.rule != ENDLESS]
    named = [re.sub(r"<(?:\w+:)?(\w+)>", lambda found: PARTS.get(found[1], found[0]), rule) for rule in rules]
    return sorted({re.sub("<[^>]*>", number, rule) for rule in named for number in ("1", "2", "3", "6")})


def asked(app: Flask, path: str) -> tuple[int, bytes]:
    """Status and content of the answer to somebody on the network who holds no seat."""
    with app.test_client().get(path, environ_base={"REMOTE_ADDR": "192.168.1.7"}) as answer:
        return answer.status_code, answer.data


@pytest.mark.heavy  # asks every route, and draws every mat
def test_no_route_tells_a_sealed_choice(live: LiveTable, tmp_path: Path) -> None:
    gate = Gate.of(tmp_path, ())
    gate.house.open("rosebud 1941", trusted=False)
    app = create_app(live, gate=gate)
    told = {path: asked(app, path) for path in paths(app) if least_role("GET", path) is Role.WATCH}
    assert {"/api/state", "/api/record", "/api/history", "/api/history/players", "/api/evidence/3"} <= told.keys()
    assert json.loads(told["/api/history"][1])["games"][0]["rulings"] == 2
    assert [path for path, (_, content) in told.items() if str(AMOUNT).encode() in content] == []
    assert [path for path, (status, _) in told.items() if status >= 500] == []
