"""The lobby: a game laid out, people who sit down, say who they are and are ready, and whoever may begin it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablecoin.referee.commands import Start
from tests.rules.test_names import TYPED
from tests.web.browsing import module, open_form
from tests.web.quiet import QuietTable
from tests.web.test_access import PIN, Device, Table
from web.lobby import Guest, Lobby

WISH = {"game": "steal", "options": {"goal": 50}, "seats": {"heads": "person", "tails": "person"}, "level": "easy"}


@pytest.fixture
def table(live: QuietTable, tmp_path: Path) -> Table:
    """An open table without buttons: the code alone gives a seat."""
    made = Table(live, tmp_path, buttons=False)
    assert made.kiosk.post("/api/access/open", {"pin": PIN}).status_code == 200
    made.kiosk = made.device("127.0.0.1")
    return made


def lays(device: Device, wish: object = WISH, status: int = 200) -> dict[str, Any]:
    """What PUT /api/lobby answers to `device`."""
    answer = device._client.put("/api/lobby", json=wish, environ_base=device._from)
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


def seats(device: Device) -> list[tuple[str, str, str | None, bool]]:
    told = device.get("/api/lobby").get_json()["seats"]
    return [(each["seat"], each["name"], each["colour"], each["ready"]) for each in told]


def test_two_phones_sit_down_say_who_they_are_and_the_host_begins(table: Table) -> None:
    ann, bob = table.phone("192.168.1.7"), table.phone("192.168.1.8")
    assert lays(ann)["host"] is True
    assert bob.get("/api/lobby").get_json()["host"] is False
    for phone, seat in ((ann, "heads"), (bob, "tails")):
        assert phone.post("/api/access/seat", {"seat": seat}).get_json()["seat"] == seat
    ann.post("/api/lobby/me", {"name": " Ann ", "colour": "teal", "ready": True})
    bob.post("/api/lobby/me", {"name": "Bob", "ready": False})
    assert seats(table.kiosk) == [("heads", "Ann", "teal", True), ("tails", "Bob", None, False)]
    assert "laid the game out" in bob.refused("/api/lobby/begin")
    assert "laid the game out" in bob.refused("/api/games", WISH)
    assert ann.post("/api/lobby/begin").get_json()["ok"] is True
    ((kind, begun, _),) = table.live.commands
    assert isinstance(begun, dict)
    assert (kind, begun["game"], begun["options"], begun["level"]) == ("start", "steal", {"goal": 50}, "easy")
    assert (begun["names"], begun["colours"]) == ({"heads": "Ann", "tails": "Bob"}, {"heads": "teal"})
    assert ann.get("/api/lobby").get_json()["game"] is None
    assert ann.standing()["seat"] == "heads"  # nobody sits down twice


def test_what_cannot_be_in_a_lobby_is_said(table: Table) -> None:
    ann, bob, watcher = table.phone("192.168.1.7"), table.phone("192.168.1.8"), table.device("192.168.1.9")
    assert "No game is laid out" in ann.refused("/api/lobby/begin", status=409)
    lays(watcher, status=403)
    assert lays(ann, {"game": "steal", "options": {"goal": -1}}, 400)["texts"].keys() == {"en", "zh"}
    lays(ann, WISH | {"seats": {"heads": "person", "tails": "computer"}})
    lays(bob, status=403)  # another's lobby
    bob.refused("/api/access/seat", {"seat": "tails"}, status=409)  # the computer's
    bob.refused("/api/access/seat", {"seat": "9"}, status=400)
    bob.refused("/api/lobby/me", {"name": "Bob"})  # sits nowhere
    lays(ann)
    for phone, seat in ((ann, "heads"), (bob, "tails")):
        phone.post("/api/access/seat", {"seat": seat})
    ann.post("/api/lobby/me", {"name": "Ann", "colour": "rose"})
    assert "Somebody else is called ann" in bob.refused("/api/lobby/me", {"name": "ann"}, status=409)
    assert "colour" in bob.refused("/api/lobby/me", {"name": "Bob", "colour": "rose"}, status=409)
    table.kiosk.post("/api/lobby/close")
    assert seats(ann) == []
    table.kiosk.post("/api/games", WISH)
    assert "under way" in lays(table.kiosk, status=409)["error"]


def test_the_lobby_stands_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "lobby.json"
    lobby = Lobby(file)
    lobby.lay(Start("steal", {"goal": 50}), ("heads", "tails"), "the host's session")
    lobby.come("heads", Guest("Ann", "teal", ready=True))
    assert Lobby(file).laid == lobby.laid is not None
    lobby.clear()
    assert Lobby(file).laid is None


BROKEN = {
    "empty": b"",
    "a list": b"[]",
    "no game": b'{"wish": {"game": 5}}',
    "no UTF-8": b"\xff",
    "deep brackets": b'{"wish": ' + 500_000 * b"[",
    "deep options": b'{"wish": {"game": "steal", "options": {"goal": %b%b}}, "seats": [], "host": null, "guests": {}}'
    % (600 * b"[", 600 * b"]"),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_is_an_empty_lobby(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "lobby.json"
    file.write_bytes(content)
    assert Lobby(file).laid is None


def test_a_game_begun_elsewhere_ends_the_lobby(table: Table) -> None:
    """By a button, by a club, or just before the table was started again."""
    lays(table.kiosk)
    table.live.command({"start": {"game": "exact", "options": {}}}, None)
    assert table.kiosk.get("/api/lobby").get_json()["game"] is None


def test_people_come_to_coin_wars_by_their_own_names(table: Table) -> None:
    ann, bob, cy = (table.phone(f"192.168.1.{k}") for k in (7, 8, 9))
    assert lays(ann, {"game": "coin-wars"})["open"] is True
    bob.post("/api/access/seat", {"seat": "anyone"})
    bob.refused("/api/lobby/me", {"ready": True}, status=400)  # a word of the game is no name
    for phone, name in ((ann, "Ann"), (bob, "Bob"), (cy, "Cy")):
        phone.post("/api/access/seat", {"seat": name})
        phone.post("/api/lobby/me", {"ready": phone is not cy})
    assert [(seat, ready) for seat, _, _, ready in seats(ann)] == [("Ann", True), ("Bob", True), ("Cy", False)]
    assert ann.post("/api/lobby/begin").get_json()["ok"] is True
    ((_, begun, _),) = table.live.commands
    assert isinstance(begun, dict)
    assert begun["options"]["players"] == ("Ann", "Bob")
    assert begun["seats"] == {"Ann": "person", "Bob": "person"}


def test_where_the_names_are_given_nobody_else_sits_down(table: Table) -> None:
    ann, bob = table.phone("192.168.1.7"), table.phone("192.168.1.8")
    told = lays(ann, {"game": "coin-wars", "options": {"players": ["Ann", "Robot"]}, "seats": {"Robot": "computer"}})
    assert (told["named"], told["open"]) == (True, False)
    assert seats(ann) == [("Ann", "", None, False), ("Robot", "", None, False)]
    bob.refused("/api/access/seat", {"seat": "Bob"}, status=400)
    bob.refused("/api/access/seat", {"seat": "Robot"}, status=409)


@pytest.mark.browser
def test_a_phone_sits_down_at_coin_wars_by_a_name(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    see("game-coin-wars").click()
    see("invite").click()
    see("lobby-own-name").fill("Ann")
    see("lobby-come").click()
    expect(see("lobby-Ann")).to_contain_text("not ready yet")
    see("lobby-ready").click()
    expect(see("lobby-count")).to_have_text("1 of 1 are ready")
    see("lobby-begin").click()
    expect(see("lobby")).to_be_hidden()
    ((_, begun, _),) = live.commands
    assert isinstance(begun, dict)
    assert begun["options"]["players"] == ("Ann",)


def test_another_game_asks_those_who_sit_there_anew(table: Table) -> None:
    ann = table.phone()
    lays(ann)
    ann.post("/api/access/seat", {"seat": "heads"})
    ann.post("/api/lobby/me", {"name": "Ann", "colour": "gold", "ready": True})
    lays(table.kiosk, WISH | {"game": "exact"})  # the screen at the table may change it
    assert seats(ann) == [("heads", "Ann", "gold", False), ("tails", "", None, False)]


@pytest.mark.browser
def test_two_people_share_one_screen_and_type_their_names_once(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    page.locator('label:has([data-testid="who-tails-person"])').click()
    page.locator("details.rules > summary").click()
    see("option-goal").fill("50")
    see("invite").click()
    expect(see("lobby-rules")).to_have_text("House rules: Goal: 50; all else as in the rulebook.")
    for ready, (seat, name, colour) in enumerate((("heads", "Ann", "teal"), ("tails", "Bob", "rose")), 1):
        see(f"lobby-sit-{seat}").click()
        see("lobby-name").fill(name)
        page.locator(f'label:has([data-testid="colour-{colour}"])').click()
        expect(see(f"lobby-{seat}")).to_have_attribute("data-colour", colour)
        see("lobby-ready").click()
        expect(see("lobby-count")).to_have_text(f"{ready} of 2 are ready")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    see("lobby-begin").click()
    expect(see("seat-heads")).to_have_attribute("data-colour", "teal")
    expect(see("seat-heads")).to_contain_text("Ann")
    page.wait_for_function("() => document.getElementById('my-seat').value === ''")  # they speak for the whole table
    assert page.evaluate("JSON.parse(localStorage.getItem('me')).name") == "Bob"


@pytest.mark.browser
def test_a_name_being_typed_outlives_what_others_do(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    page.locator('label:has([data-testid="who-tails-person"])').click()
    see("invite").click()
    see("lobby-sit-heads").click()
    see("lobby-name").press_sequentially("Christ")
    bob = """fetch("/api/lobby/me", {method: "POST", headers: {"Content-Type": "application/json", "X-Seat": "tails"},
      body: JSON.stringify({name: "Bob", colour: "green"})}).then((reply) => reply.status)"""
    assert page.evaluate(bob) == 200
    expect(see("colour-green")).to_be_disabled()  # the form is another one now
    page.keyboard.type("opher")
    expect(see("lobby-name")).to_have_value("Christopher")
    see("lobby-ready").click()
    expect(see("lobby-heads")).to_contain_text("Christopher")
    expect(see("lobby-name")).to_have_value("Christopher")


def test_a_name_with_which_nobody_could_begin_is_refused_at_once(table: Table) -> None:
    ann = table.phone()
    lays(ann)
    ann.post("/api/access/seat", {"seat": "heads"})
    said = ann.refused("/api/lobby/me", {"name": "Ann\u202enna", "ready": True}, status=400)
    assert "must be one line of text" in said
    assert seats(ann)[0] == ("heads", "", None, False)
    ann.post("/api/lobby/me", {"name": "👩\u200d🚀\u00a0Eva\u200f", "ready": True})
    assert seats(ann)[0][1] == "👩\u200d🚀 Eva"
    assert ann.post("/api/lobby/begin").get_json()["ok"] is True


def test_names_are_kept_the_same_wherever_they_come_in(table: Table) -> None:
    ann = table.phone()
    lays(ann, {"game": "coin-wars"})
    assert ann.post("/api/access/seat", {"seat": "王\u3000伟"}).get_json()["seat"] == "王 伟"
    ann.post("/api/lobby/me", {"ready": True})
    assert ann.post("/api/lobby/begin").get_json()["ok"] is True
    assert table.live.game_seats() == ("王 伟",)
    table.kiosk.post("/api/games", WISH | {"names": {"heads": "Jo\u00a0Ann"}})
    assert table.live.snapshot().names == {"heads": "Jo Ann"}


@pytest.mark.browser
def test_the_page_keeps_names_as_the_table_does(page: Page) -> None:
    plain = f"async (typed) => (await import({module(page, 'seat')!r})).plainName(typed)"
    assert {typed: page.evaluate(plain, typed) for typed in TYPED} == TYPED
