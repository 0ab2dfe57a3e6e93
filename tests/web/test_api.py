"""Every call of the contract, and every way to get it wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from lab.refereeing.told import read
from tablecoin import mat as mats
from tablecoin.coins import Heap
from tablecoin.live.hints import Hint
from tablecoin.referee.belief import Difference
from tablecoin.rules.rulebook import Message, texts
from tablecoin.storage import mapfiles
from tests.web.quiet import QuietTable
from web.app import create_app
from web.bodies import MAX_JSON_BYTES

STEAL = {"game": "steal", "options": {}, "seats": {"heads": "person", "tails": "computer"}}
TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def test_state_is_the_snapshot(client: FlaskClient, live: QuietTable) -> None:
    answer = client.get("/api/state")
    assert answer.status_code == 200
    assert answer.get_json() | {"age_s": 0} == json.loads(msgspec.json.encode(live.snapshot())) | {"age_s": 0}
    assert set(answer.get_json()) >= {"seq", "age_s", "game", "table", "prompt", "ruling", "undo", "health"}
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_game_is_started_and_played_by_hand(client: FlaskClient) -> None:
    started = client.post("/api/games", json=STEAL)
    assert (started.status_code, started.get_json()["ok"]) == (200, True)
    assert client.post("/api/act", json=TOSS).get_json()["ok"] is True
    refused = client.post("/api/act", json={"do": "place", "coin": "dime"})
    assert (refused.status_code, refused.get_json()["ok"]) == (200, False)  # an answer, not an error
    state = client.get("/api/state").get_json()
    assert state["ruling"]["accepted"] is False
    assert refused.get_json()["why"] == state["ruling"]["text"]
    assert refused.get_json()["texts"] == state["ruling"]["texts"]  # a page says it in its own language
    assert refused.get_json()["seq"] == state["seq"]


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        ("/api/games", STEAL, ("start", STEAL)),
        ("/api/press", {"button": "heads.done"}, ("press", "heads.done")),
        ("/api/answer", {"choice": 0}, ("answer", {"choice": 0})),
        ("/api/undo", {}, ("undo", True)),
    ],
)
def test_bodies_reach_the_live_table_as_they_are(
    client: FlaskClient,
    live: QuietTable,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, Any],
    command: tuple[Any, ...],
) -> None:
    asked = list[tuple[object, object]]()

    def noted(command: object, seat: str | None) -> tuple[bool, None]:
        asked.append((command, seat))
        return True, None

    monkeypatch.setattr(live, "command", noted)
    assert client.post(path, json=body).status_code == 200
    assert asked == [(dict([command]), None)]


def test_undo_needs_no_body(client: FlaskClient, live: QuietTable) -> None:
    client.post("/api/games", json=STEAL)
    client.post("/api/act", json=TOSS)
    client.post("/api/act", json={"do": "place", "coin": "penny"})
    live.commands.clear()
    assert client.post("/api/undo").status_code == 200
    assert live.commands == [("undo", True, None)]


def test_a_reading_is_corrected(client: FlaskClient, live: QuietTable) -> None:
    live.table.put_json({"coins": [{"denomination": "penny", "face": "heads", "x_mm": 60, "y_mm": 60, "angle_deg": 0}]})
    client.post("/api/games", json={"game": "steal"})
    live.see()
    assert (
        client.post("/api/correct", json={"coin": 0, "denomination": "dime", "face": "tails"}).get_json()["ok"] is True
    )
    coin = client.get("/api/state").get_json()["table"]["coins"][0]
    assert (coin["denomination"], coin["face"], coin["zone"]) == ("dime", "tails", "row.tails")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/games", b""),  # no body
        ("/api/games", b"{"),  # not JSON
        ("/api/virtual/toss", b"[Q\x17"),  # not JSON, and a list where an object must be
        ("/api/games", b"[" * 100_000),  # nested without end
        ("/api/games", b'"\xff"'),  # not UTF-8
        ("/api/games", b"[]"),  # not an object
        ("/api/games", b'{"game": "chess"}'),  # no such game
        ("/api/games", b'{"game": "steal", "color": 1}'),  # unknown field
        ("/api/games", b'{"game": "steal", "options": {"starter": 3}}'),  # wrong type of an option
        ("/api/games", b'{"game": "coin-age", "options": {"map": "/etc/hostname"}}'),  # a phone reads no files
        ("/api/games", b'{"game": "coin-age", "options": {"map": "../../own.toml"}}'),
        ("/api/games", b'{"game": "steal", "seats": {"heads": "dog"}}'),
        ("/api/act", b"3"),
        ("/api/act", b'{"do": "fly"}'),
        ("/api/act", b'{"do": "place", "coin": "euro"}'),
        ("/api/act", b'{"do": "done", "now": true}'),
        ("/api/press", b'{"button": "doorbell"}'),
        ("/api/press", b'{"button": 1}'),
        ("/api/answer", b'{"choice": "first"}'),
        ("/api/answer", b'{"choice": -1}'),
        ("/api/answer", b'{"choice": 7}'),
        ("/api/answer", b'{"choice": true}'),
        ("/api/correct", b'{"coin": 0, "denomination": "euro"}'),
        ("/api/correct", b"{}"),
        ("/api/undo", b'{"all": true}'),
        ("/api/virtual/toss", b'{"coins": {"euro": 1}}'),
        ("/api/virtual/toss", b'{"coins": {"penny": -1}}'),
        ("/api/virtual/toss", b'{"coins": {"penny": 1}, "zone": "nowhere"}'),
        ("/api/virtual/toss", b'{"coins": {"penny": 1}, "spin": 3}'),
    ],
)
def test_a_bad_body_is_400_with_a_sentence(client: FlaskClient, path: str, body: bytes) -> None:
    if path == "/api/act":
        client.post("/api/games", json=STEAL)
    answer = client.post(path, data=body, content_type="application/json")
    assert answer.status_code == 400
    assert set(answer.get_json()) == {"error", "texts"}
    assert len(answer.get_json()["error"]) > 10
    assert answer.get_json()["texts"]["en"] == answer.get_json()["error"]
    assert answer.get_json()["texts"]["zh"]


def test_another_seats_button_is_403(client: FlaskClient) -> None:
    answer = client.post("/api/press", json={"button": "tails.done"}, headers={"X-Seat": "heads"})
    assert answer.status_code == 403
    assert "error" in answer.get_json()


def test_what_is_not_there_is_404(client: FlaskClient, live: QuietTable) -> None:
    live.virtual = None
    for answer in (
        client.get("/api/virtual"),
        client.put("/api/virtual", json={}),
        client.post("/api/virtual/toss", json={"coins": {}}),
        client.post("/api/virtual/arrange", json={}),
        client.get("/api/nothing"),
    ):
        assert answer.status_code == 404
        assert "error" in answer.get_json()


def test_a_wrong_method_is_405(client: FlaskClient) -> None:
    answer = client.get("/api/undo")
    assert (answer.status_code, "error" in answer.get_json()) == (405, True)
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize(
    "path", ["/api/games", "/api/act", "/api/press", "/api/correct", "/api/undo", "/api/virtual/toss"]
)
def test_too_big_is_413(client: FlaskClient, path: str) -> None:
    answer = client.post(path, data=b" " * (MAX_JSON_BYTES + 1), content_type="application/json")
    assert answer.status_code == 413
    assert "40 MB" in answer.get_json()["error"]  # how big it may be
    assert "256 kB" in answer.get_json()["error"]


def test_a_photo_may_be_bigger_but_not_endless(
    client: FlaskClient, photo: io.BytesIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    padded = photo.getvalue() + bytes(MAX_JSON_BYTES)
    assert client.post("/api/score", data={"photo": (io.BytesIO(padded), "p.png")}).status_code == 200
    monkeypatch.setattr("web.bodies.MAX_PHOTO_BYTES", 1000)
    answer = client.post("/api/score", data={"photo": (io.BytesIO(padded), "p.png")})
    assert (answer.status_code, "error" in answer.get_json()) == (413, True)


def test_the_record_is_json_lines(client: FlaskClient) -> None:
    client.post("/api/games", json=STEAL)
    client.post("/api/act", json=TOSS)
    answer = client.get("/api/record")
    assert answer.status_code == 200
    begun, toss, *_ = (json.loads(line) for line in answer.text.splitlines())
    assert (begun["game"], toss["action"]) == ("steal", TOSS)


def test_before_the_first_game_there_is_no_record(client: FlaskClient) -> None:
    answer = client.get("/api/record")
    assert (answer.status_code, answer.get_json()["error"].partition(",")[0]) == (404, "no game has been started yet")


def test_a_photo_is_scored(client: FlaskClient, photo: io.BytesIO) -> None:
    answer = client.post("/api/score", data={"photo": (photo, "p.png"), "map": "classic"})
    assert (answer.status_code, answer.get_json()["winner"], answer.get_json()["map"]) == (200, "heads", "classic")


LAID = {"map": "classic", "spaces": {"M1": ["penny:heads"], "M2": []}, "banks": {"tails": {"dime": 2}}}


@pytest.mark.parametrize(
    ("change", "score"),
    [
        ({}, {"heads": 4, "tails": 2}),  # heads alone in that region: the penny's 2 count twice
        ({"spaces": {"M1": ["penny:tails"]}}, {"heads": 0, "tails": 6}),
        ({"banks": {}}, {"heads": 4, "tails": 0}),
    ],
)
def test_a_map_is_counted_again_after_an_answer(
    client: FlaskClient, change: dict[str, Any], score: dict[str, int]
) -> None:
    answer = client.post("/api/score/tally", json=LAID | change)
    assert (answer.status_code, answer.get_json()["score"]) == (200, score)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"map": "moon"}, "moon"),
        ({"map": "../classic.toml"}, "by its name"),
        ({"spaces": {"Z9": []}}, "Z9"),
        ({"spaces": {"M1": ["penny:heads", "dime:heads"]}}, "spaces"),
        ({"banks": {"heads": {"dime": -1}}}, "dime"),
    ],
)
def test_a_map_that_cannot_be_counted_is_400(client: FlaskClient, change: dict[str, Any], said: str) -> None:
    answer = client.post("/api/score/tally", json=LAID | change)
    assert answer.status_code == 400
    assert said in answer.get_json()["error"]


@pytest.mark.parametrize(
    "form",
    [{}, {"map": "classic"}, {"photo": (io.BytesIO(b""), "p.jpg")}, {"photo": (io.BytesIO(b"no picture"), "p.jpg")}],
    ids=["nothing", "no photo", "empty photo", "not a picture"],
)
def test_a_bad_photo_is_400(client: FlaskClient, form: dict[str, Any]) -> None:
    answer = client.post("/api/score", data=form, content_type="multipart/form-data")
    assert (answer.status_code, "error" in answer.get_json()) == (400, True)


def test_an_empty_file_is_said_to_be_one(client: FlaskClient) -> None:
    answer = client.post("/api/score", data={"photo": (io.BytesIO(b""), "p.jpg")}, content_type="multipart/form-data")
    assert answer.get_json()["texts"]["en"] == "This file is empty: choose another photo."
    none = client.post("/api/score", data={"photo": (io.BytesIO(b""), "")}, content_type="multipart/form-data")
    assert "`photo`" in none.get_json()["error"]


def test_an_unknown_form_field_is_400(client: FlaskClient, photo: io.BytesIO) -> None:
    answer = client.post("/api/score", data={"photo": (photo, "p.png"), "colour": "red"})
    assert answer.status_code == 400
    assert "colour" in answer.get_json()["error"]


def test_the_virtual_table_is_read_and_set(client: FlaskClient, live: QuietTable) -> None:
    coins = [{"denomination": "dime", "face": "tails", "x_mm": 100.0, "y_mm": 50.0, "angle_deg": 10.0}]
    put = client.put("/api/virtual", json={"coins": coins, "hand": True, "faults": {"dim_light": True}})
    assert put.status_code == 200
    assert client.get("/api/virtual").get_json() == put.get_json()
    (coin,) = put.get_json()["coins"]
    assert coin | coins[0] == coin
    assert (put.get_json()["hand"], put.get_json()["faults"]["dim_light"]) == (True, True)
    assert client.put("/api/virtual", json={"legs": 4}).status_code == 400


def test_a_toss_lands_in_the_tray(client: FlaskClient, live: QuietTable) -> None:
    answer = client.post("/api/virtual/toss", json={"coins": {"penny": 2, "dime": 1}})
    assert sorted(coin["denomination"] for coin in answer.get_json()["coins"]) == ["dime", "penny", "penny"]
    live.see(read(live.table))
    assert {coin["zone"] for coin in client.get("/api/state").get_json()["table"]["coins"]} == {"tray"}


def test_the_virtual_table_is_set_as_the_game_wants_it(client: FlaskClient, live: QuietTable) -> None:
    client.post("/api/games", json=STEAL | {"seats": {}})
    client.post("/api/act", json=TOSS)
    answer = client.post("/api/virtual/arrange", json={})
    assert (answer.status_code, answer.get_json()) == (200, client.get("/api/virtual").get_json())
    assert [live.table.find(f"row.{seat}") is not None for seat in ("heads", "tails")] == [True, True]
    live.table.put(())
    assert client.post("/api/virtual/arrange", json={"coins": []}).status_code == 400
    assert live.table.scene.coins == ()


def test_the_virtual_table_is_not_set_for_the_game_before(client: FlaskClient, live: QuietTable) -> None:
    """The next game's mat lies there already, while the pages show the game before."""
    client.post("/api/games", json=STEAL | {"seats": {}})
    live.table.lay(mats.load("ring"))
    answer = client.post("/api/virtual/arrange", json={})
    assert (answer.status_code, "another mat" in answer.get_json()["error"]) == (400, True)
    assert live.table.scene.coins == ()


def test_the_games_tell_their_options_and_seats(client: FlaskClient) -> None:
    games = {game["game"]: game for game in client.get("/api/games").get_json()["games"]}
    assert {"steal", "exact", "goes-around", "coin-age"} <= set(games)
    assert games["steal"]["seats"] == ["heads", "tails"]
    assert set(games["steal"]["title"]) == {"en", "zh"}
    options = {option["name"]: option for option in games["steal"]["options"]}
    assert (options["starter"]["kind"], options["starter"]["default"]) == ("choice", "fewer")
    assert "heads" in options["starter"]["choices"]
    assert (options["goal"]["min"], options["goal"]["max"]) == (10, 1000)
    assert (options["starter"]["min"], options["starter"]["max"]) == (None, None)
    assert options["multi_convert"]["kind"] == "switch"
    assert all(option["description"] for game in games.values() for option in game["options"])


def test_a_map_is_chosen_among_those_that_are_known_now(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def options() -> dict[str, Any]:
        (game,) = (game for game in client.get("/api/games").get_json()["games"] if game["game"] == "coin-age")
        return next(option for option in game["options"] if option["name"] == "map")

    monkeypatch.setattr(mapfiles, "_folders", [tmp_path])
    shipped = options()
    assert shipped["choices"] == [*mapfiles.shipped(), "random"]
    assert (shipped["kind"], shipped["default"]) == ("choice", "classic")
    (tmp_path / "ours.toml").write_text(mapfiles.text("forest"))
    (tmp_path / "broken.toml").write_text("no map")
    assert options()["choices"] == ["ours", *mapfiles.shipped(), "random"]
    assert set(options()["titles"]["ours"]) == {"en", "zh"}


def test_each_game_starts_with_the_defaults_it_offers(client: FlaskClient) -> None:
    seated = [game for game in client.get("/api/games").get_json()["games"] if game["seats"]]
    assert seated
    for game in seated:
        defaults = {option["name"]: option["default"] for option in game["options"]}
        answer = client.post("/api/games", json={"game": game["game"], "options": defaults}).get_json()
        assert answer == {"ok": True, "why": None, "seq": client.get("/api/state").get_json()["seq"]}


def test_an_unforeseen_fault_is_a_500_with_a_sentence(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "record", lambda: 1 / 0)
    answer = create_app(live).test_client().get("/api/record")
    assert (answer.status_code, "error" in answer.get_json()) == (500, True)
    assert "ZeroDivision" not in answer.text


def test_a_hint_is_given_or_the_house_rule_said(
    client: FlaskClient, live: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/api/games", json=STEAL | {"hints": "never"})
    client.post("/api/act", json=TOSS)
    refused = client.post("/api/hint", json={})
    assert refused.status_code == 400
    assert "allow no hints" in refused.get_json()["error"]
    said = texts(Message("hint.rule"))
    moved = Difference("row.heads", Heap(dime=1), Heap(), Heap())
    hint = Hint("heads", {"do": "place", "coin": "dime"}, said["en"], said, 0.63, 0.0, (moved,))
    monkeypatch.setattr(live, "hint", lambda seat: hint)  # a process of its own works one out
    told = client.post("/api/hint", json={}).get_json()
    assert (told["seat"], told["action"]) == ("heads", {"do": "place", "coin": "dime"})
    assert [move["zone"] for move in told["moves"]] == ["row.heads"]
