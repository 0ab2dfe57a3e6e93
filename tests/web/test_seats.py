"""What each seat may see: its own secrets in state and stream, and nobody else's anywhere."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app
from web.server import Server

GAME = {"game": "goes-around", "options": {"players": 3}, "seats": {}}
SECRET = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 7}


@pytest.fixture
def sealed(client: FlaskClient) -> FlaskClient:
    """A table at which seat 1 has sealed a theft of 7 from seat 2."""
    client.post("/api/games", json=GAME)
    assert client.post("/api/act", json=SECRET, headers={"X-Seat": "1"}).get_json()["ok"] is True
    return client


@pytest.mark.parametrize("how", [{"headers": {"X-Seat": "1"}}, {"query_string": {"seat": "1"}}])
def test_a_seat_sees_its_own_choice(sealed: FlaskClient, how: dict[str, Any]) -> None:
    game = sealed.get("/api/state", **how).get_json()["game"]
    assert game["yours"] == {"action": "steal", "target": "2", "amount": 7}
    assert game["committed"] == ["1"]


@pytest.mark.parametrize("seat", ["", "2", "3", "4", "table", "watch", "heads", "1 "])
def test_nobody_else_does(sealed: FlaskClient, seat: str) -> None:
    game = sealed.get("/api/state", query_string={"seat": seat}).get_json()["game"]
    assert game.get("yours") is None
    assert "7" not in json.dumps(game["last"]) + json.dumps(game["used"])
    assert game["committed"] == ["1"]


def test_the_stream_shows_a_seat_the_same_as_its_state(sealed: FlaskClient, live: QuietTable) -> None:
    """The first event, and those that follow, although all who watch share what is encoded."""
    with Server(create_app(live), live, "127.0.0.1", 0) as server, ExitStack() as opened:
        watching = {
            seat: opened.enter_context(urlopen(f"http://127.0.0.1:{server.port}/api/stream?seat={seat}", timeout=10))
            for seat in ("1", "2", "")
        }
        for _ in range(2):
            for seat, yours in (("1", SECRET["amount"]), ("2", None), ("", None)):
                lines = iter(watching[seat])
                data = next(line for line in lines if line.startswith(b"data: "))
                shown = json.loads(data.removeprefix(b"data: "))["game"]
                assert (shown.get("yours") or {}).get("amount") == yours
            live.news()


def test_sealed_acts_are_never_offered(sealed: FlaskClient) -> None:
    """They have a form of their own. The live table leaves them out of its list (tests/live/test_seats.py)."""
    assert sealed.get("/api/acts", query_string={"seat": "2"}).status_code == 200


def test_a_name_beyond_ascii_sits_too(client: FlaskClient, live: QuietTable) -> None:
    client.post("/api/games", json=GAME)
    client.post("/api/act", json={"do": "reveal"}, headers={"X-Seat": "%E5%AE%89"})
    assert live.commands[-1][2] == "安"


@pytest.mark.browser
@pytest.mark.parametrize("held", ["tails", pytest.param("7", marks=pytest.mark.long), None])
def test_a_phone_without_a_seat_that_counts_may_do_nothing(stage: Stage, live: QuietTable, held: str | None) -> None:
    standing = {"mode": "open", "role": "seat", "seat": held, "asked": None, "chooses": False, "here": False}
    live.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "computer"}}}, None)
    stage.shows(create_app(live), live)
    stage.answer("/api/access", standing)
    page = stage.open("/#table")
    see = page.get_by_test_id
    expect(see("sit-heads")).to_be_visible()  # it is asked where it sits
    expect(see("sit-tails")).to_have_count(0)
    expect(see("panel")).to_be_hidden()
    for button in ("resign", "offer-draw", "pause"):
        expect(page.locator(f"#{button}")).to_have_attribute("hidden", "")
    live.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)
    if held == "tails":
        expect(see("panel")).to_be_visible()
        expect(see("sit-heads")).to_have_count(0)
