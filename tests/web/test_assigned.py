"""A club's assignment at the table: offered to who may begin games, begun with one tap, or declined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tablecoin.mqtt.messages import Assignment, Reply, write
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

CUP = Assignment(
    table="k7", id="a1", event="Autumn Cup", round=2, game="steal", options={"goal": 50}, best_of=3,
    names={"heads": "Ann", "tails": "Ben"}, clock_s=300, increment_s=3, at_zero="lost",
)  # fmt: skip


class NoClub:
    """No club ever assigns anything."""

    assigned: Assignment | None = None

    def decline(self, name: str) -> bool:
        return False


class Desk(NoClub):
    """One assignment is on offer."""

    def __init__(self) -> None:
        self.assigned = CUP
        self.declined: list[str] = []

    def decline(self, name: str) -> bool:
        self.declined.append(name)
        self.assigned = None
        return True


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def table(live: QuietTable, desk: Desk) -> FlaskClient:
    return create_app(live, desk=desk).test_client()


def sent(client: FlaskClient, what: str, name: str) -> tuple[int, Any]:
    answer = client.post(f"/api/assigned/{what}", json={"id": name})
    return answer.status_code, answer.json


def test_it_is_offered_with_who_plays(live: QuietTable, table: FlaskClient) -> None:
    told = table.get("/api/assigned").json
    assert told is not None
    assert told["assigned"]["names"] == {"heads": "Ann", "tails": "Ben"}
    assert (told["assigned"]["event"], told["assigned"]["round"]) == ("Autumn Cup", 2)


def test_it_begins_as_the_club_said(live: QuietTable, table: FlaskClient) -> None:
    assert sent(table, "begin", "a1")[0] == 200
    assert dict([live.commands[-1][:2]]) == {
        "start": {
            "game": "steal",
            "options": {"goal": 50},
            "names": {"heads": "Ann", "tails": "Ben"},
            "seats": {"heads": "person", "tails": "person"},
            "best_of": 3,
            "clock": {"each_s": 300, "increment_s": 3, "at_zero": "lost"},
        }
    }


def test_the_owner_may_decline(table: FlaskClient, desk: Desk) -> None:
    assert sent(table, "decline", "a1")[0] == 200
    assert desk.declined == ["a1"]
    assert table.get("/api/assigned").json == {"assigned": None}


@pytest.mark.parametrize("what", ["begin", "decline"])
def test_one_that_was_taken_back_is_said(live: QuietTable, table: FlaskClient, what: str) -> None:
    status, told = sent(table, what, "a0")
    assert (status, "not on offer" in told["error"]) == (409, True)
    assert live.commands == []


class OpenDesk(Desk):
    """A club of this machine may bring assignments."""

    reply: Reply | None = None
    games: Mapping[int, str] = {7: "a0"}  # never changed

    def take(self, assignment: Assignment | None) -> None:
        self.assigned = assignment
        self.reply = Reply(table="k7", id=assignment.id, answer="offered") if assignment else None


def test_a_club_of_this_machine_brings_it_and_hears_what_became_of_it(live: QuietTable) -> None:
    desk = OpenDesk()
    table = create_app(live, desk=desk, brought=desk).test_client()
    body = b'{"assignment": %s}' % write(CUP)
    told = table.put("/api/assigned", data=body, content_type="application/json").json
    assert told is not None
    assert (told["reply"]["answer"], told["games"]) == ("offered", {"7": "a0"})
    assert table.put("/api/assigned", json={"assignment": None}).json == {"reply": None, "games": {"7": "a0"}}
    assert table.get("/api/assigned").json == {"assigned": None}


def test_nobody_on_the_network_brings_one(live: QuietTable) -> None:
    desk = OpenDesk()
    table = create_app(live, desk=desk, brought=desk).test_client()
    told = table.put("/api/assigned", json={"assignment": None}, environ_overrides={"REMOTE_ADDR": "192.168.1.77"})
    assert told.status_code == 403


def test_a_table_with_a_broker_says_that_its_club_is_there(table: FlaskClient) -> None:
    told = table.put("/api/assigned", json={"assignment": None})
    assert told.status_code == 409
    assert told.json is not None
    assert "broker" in told.json["error"]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "title", "who", "clock"),
    [
        (
            "en-US",
            "The club has a game for this table: Dollar Prize: Steal",
            "Ann (Heads) – Ben (Tails)",
            "5 min + 3 s a turn",
        ),
        pytest.param(
            "zh-CN",
            "俱乐部为本桌安排了一局",
            "Ann (正面方) – Ben (反面方)",
            "5 分钟，每回合加 3 秒",
            marks=pytest.mark.long,
        ),
    ],
)
def test_the_card_is_there_until_it_is_declined(
    live: QuietTable, desk: Desk, stage: Stage, language: str, title: str, who: str, clock: str
) -> None:
    stage.shows(create_app(live, desk=desk), live)
    page = stage.open(locale=language)
    card = page.get_by_test_id("assigned")
    expect(card).to_contain_text(title)
    expect(page.get_by_test_id("assigned-who")).to_have_text(who)
    expect(card).to_contain_text(clock)
    page.get_by_test_id("assigned-decline").click()
    expect(card).to_be_hidden()
    assert desk.declined == ["a1"]
