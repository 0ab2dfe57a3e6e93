"""The club's calls: who may do what, a tournament from its making to its files, and what is refused."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from tablecoin.club.ratings import Rated
from tests.club.said import heard, result, ruling, summary
from tests.web.club.conftest import Club
from web.access.roles import Role
from web.club.export import players_csv
from web.club.roles import least_role

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.50"}
NEW = {"name": "Friday", "system": "swiss", "game": "steal", "players": ["Ann", "Bob", "Cat", "Dan"], "rounds": 2}


def made(client: FlaskClient, **more: object) -> str:
    """The address of a new tournament's calls."""
    answer = client.post("/api/tournaments", json={**NEW, **more})
    assert answer.status_code == 200, answer.text
    return f"/api/tournaments/{answer.json['number']}"  # type: ignore[index]


def act(client: FlaskClient, at: str, **what: object) -> dict[str, Any]:
    answer = client.post(f"{at}/act", json=what)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


def test_every_route_has_its_least_role_and_every_role_a_route(club: Club) -> None:
    rules = [(method, rule.rule) for rule in club.app.url_map.iter_rules() for method in rule.methods or ()]
    open_ones = [
        (method, rule) for method, rule in rules if least_role(method, re.sub("<[^>]*>", "7", rule)) is not None
    ]
    assert len([one for one in open_ones if one[0] in ("GET", "POST")]) == 21  # all of the table
    seats = [rule for _, rule in rules if "/api/access/seat" in rule or "/api/access/join" in rule]
    assert all(least_role("POST", rule) is None for rule in seats)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/tournaments"), ("POST", "/api/tournaments/1/act"), ("POST", "/api/players/join"),
        ("POST", "/api/seen"), ("POST", "/api/access/open"),
    ],
)  # fmt: skip
def test_watchers_change_nothing(client: FlaskClient, method: str, path: str) -> None:
    assert least_role(method, path) is Role.OWNER
    answer = client.open(path, method=method, json={}, environ_overrides=ELSEWHERE)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/players", "/organise", "/api/state", "/api/players", "/api/export/results.csv"]
)
def test_everybody_may_watch(client: FlaskClient, path: str) -> None:
    assert client.get(path, environ_overrides=ELSEWHERE).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_other_sites_are_kept_out(client: FlaskClient, headers: dict[str, str], status: int) -> None:
    typed = {"Content-Type": "application/json", **headers}
    assert client.post("/api/seen", data="{}", headers=typed).status_code == status


def test_a_phone_with_the_pin_organises(client: FlaskClient) -> None:
    assert client.post("/api/access/open", json={"pin": "481516"}).status_code == 200
    phone = client.application.test_client()
    signed = phone.post("/api/access/sign-in", json={"pin": "481516"}, environ_overrides=ELSEWHERE)
    assert signed.json is not None
    assert signed.json["role"] == "owner"
    assert phone.post("/api/tournaments", json=NEW, environ_overrides=ELSEWHERE).status_code == 200
    wrong = client.application.test_client().post(
        "/api/access/sign-in", json={"pin": "111111"}, environ_overrides=ELSEWHERE
    )
    assert wrong.status_code == 403


def test_a_tournament_from_its_making_to_its_end(client: FlaskClient) -> None:
    at = made(client)
    assert act(client, at, do="pair")["rounds"][0]["published"] is False
    act(client, at, do="publish", minutes=20)
    told = act(client, at, do="result", match="1-1", winners=["1"])
    assert told["rounds"][0]["matches"][0]["halves"] == [2, 0]
    act(client, at, do="result", match="1-1", winners=["3"])
    act(client, at, do="result", match="1-2", winners=["2", "4"])
    act(client, at, do="enter", name="Eve")
    act(client, at, do="withdraw", player="4")
    act(client, at, do="return", player="4")
    assert act(client, at, do="tables", tables=["kitchen", "attic"])["tables"] == ["kitchen", "attic"]
    told = act(client, at, do="pair")
    assert len(told["rounds"]) == 2
    act(client, at, do="unpair")
    told = act(client, at, do="close")
    assert told["over"]
    assert [(line["player"], line["halves"]) for line in told["standings"]] == [
        ("3", 2), ("2", 1), ("4", 1), ("1", 0), ("5", 0)
    ]  # fmt: skip


def test_a_round_is_seen_once_it_is_published(client: FlaskClient) -> None:
    at = made(client, players=["Ann", "Bob", "Cat"])
    act(client, at, do="pair")
    seen = client.get(at, environ_overrides=ELSEWHERE).get_json()
    assert seen["rounds"] == []
    assert {line["halves"] for line in seen["standings"]} == {0}  # a bye would tell who has it
    act(client, at, do="publish")
    assert len(client.get(at, environ_overrides=ELSEWHERE).get_json()["rounds"]) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"no JSON", 400),
        (b'{"do": "dance"}', 400),
        (b'{"do": "pair", "extra": 1}', 400),
        (b'{"do": "publish", "minutes": -1}', 400),
        (b'{"do": "publish"}', 409),
        (b'{"do": "enter", "name": "table"}', 400),
        (b'{"do": "enter", "name": "ann"}', 409),
        (b'{"do": "result", "match": "9-9", "winners": []}', 409),
        (b'{"do": "withdraw", "player": "99"}', 409),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(client: FlaskClient, body: bytes, status: int) -> None:
    answer = client.post(f"{made(client)}/act", data=body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json is not None
    assert set(answer.json["texts"]) == {"en", "zh"}


@pytest.mark.parametrize("path", ["/tournaments/7", "/api/tournaments/7", "/api/export/tournament-7.csv"])
def test_there_is_no_such_tournament(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", ["results.exe", "results", "secrets.csv", "tournament-.csv", "tournament-x.json"])
def test_there_is_no_such_file(client: FlaskClient, name: str) -> None:
    assert client.get(f"/api/export/{name}").status_code == 404


def test_files_for_spreadsheets_and_programs(client: FlaskClient, club: Club) -> None:
    club.ledger.take([heard(ruling(9, kind="game_over", told=result()))])
    rows = list(csv.DictReader(io.StringIO(client.get("/api/export/results.csv").text.removeprefix("\ufeff"))))
    assert [(row["table"], row["players"], row["winners"]) for row in rows] == [("k7", "heads: Ann; tails: Bob", "Ann")]
    players = client.get("/api/export/players.json").get_json()
    assert [player["name"] for player in players] == ["Ann", "Bob"]
    at = made(client)
    act(client, at, do="pair")
    act(client, at, do="publish")
    act(client, at, do="result", match="1-1", winners=["1"])
    told = client.get(f"/api/export/tournament-{at.rpartition('/')[2]}.csv").text
    assert "1,Ann,1.0" in told
    assert "Cat 1" in told


def test_a_name_is_no_formula() -> None:
    told = players_csv([Rated("=HYPERLINK(1)", (), 1.0, 8.0, 1, 1, "")])
    assert "'=HYPERLINK(1)" in told


def test_names_are_joined_by_the_organiser(client: FlaskClient, club: Club) -> None:
    club.ledger.take([heard(ruling(9, kind="game_over", told=result(names={"heads": "Ann", "tails": "Anne"})))])
    told = client.post("/api/players/join", json={"name": "Anne", "person": "Ann"}).get_json()
    assert told == {"players": []}  # she would have played against herself: the game counts for nobody


def test_the_hall_shows_tables_and_what_is_wrong(client: FlaskClient, club: Club) -> None:
    club.ledger.take([heard(summary("k7", game="steal")), heard(summary("m2", device="d1"))])
    club.ledger.take([heard(replace(summary("m2"), device="d2"))])
    told = client.get("/api/state").get_json()
    assert [table["id"] for table in told["tables"]] == ["k7", "m2"]
    assert [notice["code"] for notice in told["notices"]] == ["club.twins"]
    assert client.post("/api/seen", json={"code": "club.twins", "table": "m2"}).get_json()["notices"] == []


def test_the_stream_begins_with_the_hall(client: FlaskClient) -> None:
    with client.get("/api/stream") as answer:
        assert answer.mimetype == "text/event-stream"
        assert b'"club":"Coin club"' in answer.data


def test_a_picture_is_there_once_a_table_sent_one(client: FlaskClient, club: Club) -> None:
    assert client.get("/api/tables/k7/picture.jpg").status_code == 404
    club.ledger.hall.shown("k7", b"\xff\xd8picture")
    assert client.get("/api/tables/k7/picture.jpg").data == b"\xff\xd8picture"


@pytest.mark.parametrize("path", ["/tournaments/7", "/nowhere"])
def test_a_browser_is_shown_a_page_where_there_is_none(client: FlaskClient, path: str) -> None:
    told = client.get(path, headers={"Accept": "text/html"})
    assert (told.status_code, told.mimetype) == (404, "text/html")
    assert 'data-zh="' in told.text
    assert 'data-i18n="club.hall"' in told.text


def test_a_tournament_keeps_names_as_tables_do(client: FlaskClient, club: Club) -> None:
    at = made(client, players=["Ann\u00a0B", "Bob\u200e"])
    assert act(client, at, do="enter", name="王\u3000伟")["players"] == {"1": "Ann B", "2": "Bob", "3": "王 伟"}
    assert client.post(f"{at}/act", json={"do": "enter", "name": "\u200b"}).status_code == 400


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"do": "nope"}, 'must be "enter", "withdraw", "return", "pair",'),
        ({"do": 5}, '"reopen" or "close", not 5'),
        ({}, '`do` is missing: give "enter", "withdraw",'),
    ],
)
def test_what_the_organiser_may_do_is_named(client: FlaskClient, what: dict[str, object], said: str) -> None:
    answer = client.post(f"{made(client)}/act", json=what)
    assert (answer.status_code, said in answer.get_json()["error"]) == (400, True)
