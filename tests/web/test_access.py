"""Coming in, sitting down, opening and closing: the calls of /api/access, from devices at different places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tablecoin import __version__
from tests.web.quiet import QuietTable
from tests.web.test_health import LOST, Findings
from web.access.gate import Gate
from web.access.house import House
from web.access.joining import ASKED_FOR_S, CODE_FOR_S, SHOWN_FOR_S, Joining
from web.access.pin import Waits, hashed, matches, too_easy
from web.access.sessions import OWNER_FOR_S, Sessions
from web.app import create_app
from web.stream import WATCHER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PIN = "rosebud 1941"
RING = {"game": "goes-around", "options": {"players": 3}, "seats": {"3": "computer"}}
SECRET = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 7}


class Device:
    """A browser at one address, with cookies of its own."""

    def __init__(self, app: Flask, address: str) -> None:
        self._client: FlaskClient = app.test_client()
        self._from = {"REMOTE_ADDR": address}

    def get(self, path: str, **query: str) -> TestResponse:
        return self._client.get(path, query_string=query, environ_base=self._from)

    def post(self, path: str, body: object = None, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client.post(path, json=body or {}, headers=named, environ_base=self._from)

    def standing(self) -> dict[str, Any]:
        told: dict[str, Any] = self.get("/api/access").get_json()
        return told

    def refused(self, path: str, body: object = None, status: int = 403, **headers: str) -> str:
        answer = self.post(path, body, **headers)
        assert answer.status_code == status, answer.text
        assert set(answer.get_json()["texts"]) == {"en", "zh"}
        told: str = answer.get_json()["error"]
        return told


class Table:
    """A table with its devices; its own are the kiosk's and its clock."""

    def __init__(self, live: QuietTable, folder: Path, buttons: bool) -> None:
        self.live, self.folder, self.now = live, folder, 0.0
        self.start(buttons)

    def start(self, buttons: bool = True) -> None:
        """Start the server, or start it again."""
        self.gate = Gate.of(self.folder, ())
        self.joining = Joining(self.gate.sessions, buttons=buttons, clock=lambda: self.now)
        self.app = create_app(self.live, gate=self.gate, joining=self.joining, clock=lambda: self.now,
                              join_urls=lambda: ["http://192.168.1.2:8000/"])  # fmt: skip
        self.kiosk = self.device("127.0.0.1")

    def device(self, address: str) -> Device:
        return Device(self.app, address)

    def again(self, device: Device) -> Device:
        """The same browser, with its cookie, at the server as it was started last."""
        cookie = device._client.get_cookie("tablecoin-80", "localhost")
        assert cookie
        back = self.device("192.168.1.7")
        back._client.set_cookie("tablecoin-80", cookie.value, domain="localhost")
        return back

    def phone(self, address: str = "192.168.1.7") -> Device:
        """A phone that scanned the code."""
        phone = self.device(address)
        assert phone.post("/api/access/join", {"code": self.joining.code()}).status_code == 200
        return phone


@pytest.fixture
def table(live: QuietTable, tmp_path: Path) -> Table:
    made = Table(live, tmp_path, buttons=True)
    assert made.kiosk.post("/api/access/open", {"pin": PIN}).status_code == 200
    made.kiosk = made.device("127.0.0.1")  # the browser of the screen, not that of the owner
    return made


# -- opening -----------------------------------------------------------------------------------------------------------


def test_the_owner_opens_with_a_pin_and_stays_the_owner(live: QuietTable, tmp_path: Path) -> None:
    table = Table(live, tmp_path, buttons=True)
    here, phone = table.kiosk, table.device("192.168.1.7")
    assert (here.standing()["mode"], here.standing()["role"]) == ("closed", "owner")
    assert "closed" in phone.refused("/api/access/open", {"pin": PIN})
    opened = here.post("/api/access/open", {"pin": PIN})
    assert opened.get_json() == {
        "mode": "open", "role": "owner", "seat": None, "asked": None, "chooses": False, "here": True
    }  # fmt: skip
    cookie = opened.headers["Set-Cookie"]
    assert cookie.startswith("tablecoin-80=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert here.standing()["role"] == "owner"
    assert table.device("127.0.0.1").standing()["role"] == "referee"
    assert "PIN" in table.device("127.0.0.1").refused("/api/access/close")
    assert here.post("/api/access/close").get_json()["mode"] == "closed"


@pytest.mark.parametrize("pin", ["12345", "", "123456", "987654321", "000000", "aaaaaaaa", "x" * 201])
def test_an_easy_pin_opens_nothing(live: QuietTable, tmp_path: Path, pin: str) -> None:
    table = Table(live, tmp_path, buttons=True)
    assert table.kiosk.post("/api/access/open", {"pin": pin}).status_code == 400
    assert table.kiosk.standing()["mode"] == "closed"


@pytest.mark.parametrize("pin", ["102030", "rosebud", "六个汉字密码", "112233"])
def test_a_pin_is_known_again(pin: str) -> None:
    assert not too_easy(pin)
    kept = hashed(pin)
    assert matches(pin, kept)
    assert not matches(pin + " ", kept)
    assert pin not in json.dumps(kept.salt + kept.hash)


def test_what_is_kept_is_the_owners_alone_to_read(table: Table) -> None:
    table.phone()
    for name in ("access.json", "sessions.json"):
        assert (table.folder / name).stat().st_mode & 0o777 == 0o600
    assert PIN not in (table.folder / "access.json").read_text()


def test_the_owner_signs_in_from_a_phone(table: Table) -> None:
    phone = table.device("192.168.1.7")
    assert phone.post("/api/access/sign-in", {"pin": PIN}).get_json()["role"] == "owner"
    assert phone.post("/api/access/trust", {"trusted": True}).get_json()["mode"] == "trusted"
    assert phone.post("/api/access/sign-out").get_json()["role"] == "referee"  # as everybody there
    assert "PIN" in phone.refused("/api/access/trust", {"trusted": False})


def test_a_new_pin_signs_the_others_out(table: Table) -> None:
    one, other = table.device("192.168.1.7"), table.device("192.168.1.8")
    for each in (one, other):
        each.post("/api/access/sign-in", {"pin": PIN})
    assert one.post("/api/access/pin", {"pin": "another one"}).get_json()["role"] == "owner"
    assert other.standing()["role"] == "watch"
    assert "not the PIN" in other.refused("/api/access/sign-in", {"pin": PIN})


def test_wrong_pins_make_an_address_wait_and_never_the_table_itself(table: Table) -> None:
    phone, owner = table.device("192.168.1.66"), table.device("192.168.1.7")
    for _ in range(3):
        assert "not the PIN" in phone.refused("/api/access/sign-in", {"pin": "guess"})
    assert "try again in 1 s" in phone.refused("/api/access/sign-in", {"pin": PIN}, 429).replace("2 s", "1 s")
    assert phone.post("/api/access/sign-in", {"pin": PIN}).headers["Retry-After"] in ("1", "2")
    assert owner.post("/api/access/sign-in", {"pin": PIN}).status_code == 200
    assert table.kiosk.post("/api/access/sign-in", {"pin": PIN}).status_code == 200
    table.now += 3
    assert phone.post("/api/access/sign-in", {"pin": PIN}).status_code == 200


def test_the_wait_doubles_and_is_bounded_here() -> None:
    now = [0.0]
    waits = Waits(lambda: now[0])
    grown = []
    for _ in range(14):
        waits.wrong("a", here=False)
        grown.append(waits.left_s("a", here=False))
        now[0] += grown[-1]
    assert grown == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    for _ in range(40):
        waits.wrong("here", here=True)
    assert waits.left_s("here", here=True) == 5
    for n in range(40):  # a guess from each of many addresses
        waits.wrong(f"10.0.0.{n}", here=False)
    assert waits.left_s("10.0.1.1", here=False) == 30
    assert waits.left_s("127.0.0.1", here=True) == 5
    now[0] += 3601
    assert waits.left_s("a", here=False) == waits.left_s("here", here=True) == 0


# -- codes -------------------------------------------------------------------------------------------------------------


def test_a_code_lets_one_phone_in_once(table: Table) -> None:
    code = table.joining.code()
    first, second = table.device("192.168.1.7"), table.device("192.168.1.8")
    assert first.post("/api/access/join", {"code": code}).get_json()["role"] == "seat"
    assert "has been used" in second.refused("/api/access/join", {"code": code})
    assert table.joining.code() != code
    assert second.standing()["role"] == "watch"


def test_a_code_is_renewed_and_grows_old(table: Table) -> None:
    first = table.joining.code()
    table.now += SHOWN_FOR_S - 1
    assert table.joining.code() == first
    table.now += 1
    assert table.joining.code() != first
    assert table.joining.come_in(first)  # somebody had just read it
    old = table.joining.code()
    table.now += CODE_FOR_S
    assert table.joining.come_in(old) is None
    for wrong in ("", "x", "é", old + "x"):
        assert table.joining.come_in(wrong) is None


def test_only_the_screen_at_the_table_shows_the_code(table: Table) -> None:
    drawn = 'class="qr"'
    assert drawn in table.kiosk.get("/kiosk").text
    for path in ("/kiosk", "/", "/access"):
        assert drawn not in table.device("192.168.1.66").get(path).text
        assert drawn not in table.phone().get(path).text


# -- seats -------------------------------------------------------------------------------------------------------------


def test_done_at_the_table_confirms_a_seat(table: Table) -> None:
    table.kiosk.post("/api/games", {"game": "steal"})
    ann = table.phone()
    assert ann.post("/api/access/seat", {"seat": "heads"}).get_json()["asked"] == "heads"
    assert "no seat yet" in ann.refused("/api/press", {"button": "heads.done"})  # its own screen is not the table
    assert table.live.commands[1:] == []
    assert table.kiosk.post("/api/press", {"button": "heads.done"}).get_json()["ok"]
    assert ann.standing()["seat"] == "heads"
    assert table.live.commands[1:] == []  # this press meant nothing else
    table.kiosk.post("/api/press", {"button": "heads.done"})
    assert table.live.commands[1:] == [("press", "heads.done", None)]


@pytest.mark.parametrize("seat", ["heads", "3"])
def test_a_seat_of_another_game_or_of_the_computer_speaks_for_nobody(
    table: Table, monkeypatch: pytest.MonkeyPatch, seat: str
) -> None:
    """It is kept for a later game in which a person plays there."""
    table.kiosk.post("/api/games", {"game": "steal"} if seat == "heads" else RING | {"seats": {}})
    ann = table.phone()
    ann.post("/api/access/seat", {"seat": seat})
    table.kiosk.post("/api/press", {"button": f"{seat}.done"})
    assert ann.standing()["seat"] == seat
    table.live.command({"start": {"game": "steal", "seats": {"heads": "computer", "tails": "person"}}}, None)
    before = list(table.live.commands)
    for path, body in (
        ("/api/dispute", {}),
        ("/api/press", {"button": "referee"}),
        ("/api/draw", {}),
        ("/api/pause", {}),
        ("/api/resign", {"seat": "heads"}),
    ):
        assert "no seat yet" in ann.refused(path, body), path
        assert "no seat yet" in ann.refused(path, body, X_Seat=seat), path
    assert table.live.commands == before
    assert ann.standing()["seat"] == seat
    environs: list[WSGIEnvironment] = []
    inner = table.app.wsgi_app

    def noted(environ: WSGIEnvironment, go: StartResponse) -> Iterable[bytes]:
        environs.append(environ)
        return inner(environ, go)

    monkeypatch.setattr(table.app, "wsgi_app", noted)
    ann.get("/api/stream")
    watcher = environs[0][WATCHER]
    assert (watcher.seat, watcher.still()) == (None, True)
    later = {"game": "steal"} if seat == "heads" else RING
    table.live.command({"start": later | {"seats": {seat: "person"}}}, None)
    assert not watcher.still()  # its page asks anew, and sees the game as the seat does
    assert ann.post("/api/dispute").get_json()["ok"] is True
    assert table.live.commands[-1] == ("dispute", {}, seat)


def test_a_real_button_confirms_only_what_was_just_asked(table: Table) -> None:
    table.kiosk.post("/api/games", {"game": "steal"})
    ann = table.phone()
    ann.post("/api/access/seat", {"seat": "heads"})
    assert [table.joining.pressed(each) for each in ("tails.done", "heads.choose", "referee")] == [False] * 3
    table.now += ASKED_FOR_S
    assert not table.joining.pressed("heads.done")
    assert ann.standing() == ann.standing() | {"asked": None, "seat": None}
    ann.post("/api/access/seat", {"seat": "heads"})
    assert table.joining.pressed("heads.done")


def test_without_a_panel_the_code_alone_is_enough(live: QuietTable, tmp_path: Path) -> None:
    table = Table(live, tmp_path, buttons=False)
    table.kiosk.post("/api/access/open", {"pin": PIN})
    table.kiosk.post("/api/games", {"game": "steal"})
    assert table.phone().post("/api/access/seat", {"seat": "heads"}).get_json()["seat"] == "heads"


@pytest.fixture
def ring(table: Table) -> tuple[Table, Device, Device]:
    """A game in the ring: Ann at seat 1, Bob at seat 2, the computer at 3."""
    table.kiosk.post("/api/games", RING)
    ann, bob = table.phone("192.168.1.7"), table.phone("192.168.1.8")
    assert ann.post("/api/access/seat", {"seat": "1"}).get_json()["seat"] == "1"
    assert bob.post("/api/access/seat", {"seat": "2"}).get_json()["seat"] == "2"
    return table, ann, bob


@pytest.mark.parametrize(
    ("seat", "status", "why"),
    [("1", 409, "Somebody else sits at 1"), ("3", 409, "computer"), ("4", 400, "no seat 4"), ("heads", 400, "no seat")],
)
def test_a_seat_that_cannot_be_had(ring: tuple[Table, Device, Device], seat: str, status: int, why: str) -> None:
    table, ann, _ = ring
    carl = table.phone("192.168.1.9")
    assert why in carl.refused("/api/access/seat", {"seat": seat}, status)
    assert ann.standing()["seat"] == "1"


def test_where_no_names_are_expected_a_phone_brings_its_own(table: Table) -> None:
    """Coin Wars: the phone sits at its name first; the character of that name, which it may then make, comes after."""
    table.kiosk.post("/api/games", {"game": "coin-wars"})
    ann, carl = table.phone("192.168.1.7"), table.phone("192.168.1.8")
    made = {"do": "create", "name": "安", "strong": "bodiness",
            "ratings": {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}}  # fmt: skip
    assert "no seat yet" in ann.refused("/api/act", made)
    assert ann.post("/api/access/seat", {"seat": "安"}).get_json()["seat"] == "安"
    assert "Somebody else sits at 安" in carl.refused("/api/access/seat", {"seat": "安"}, 409)
    assert "is not your seat" in carl.refused("/api/act", made, X_Seat="%E5%AE%89")
    assert ann.post("/api/act", made, X_Seat="%E5%AE%89").get_json()["ok"] is True
    assert table.live.commands[-1] == ("act", made, "安")
    assert "no seat" in carl.refused("/api/access/seat", {"seat": 41 * "x"}, 400)


def test_versions_and_addresses_are_not_told_to_watchers(table: Table) -> None:
    watcher, seated = table.device("192.168.1.66"), table.phone("192.168.1.7")
    assert watcher.get("/healthz").get_json() == seated.get("/healthz").get_json() == {"frames": 0}
    assert table.kiosk.get("/healthz").get_json() == {"frames": 0, "version": __version__}
    checked = create_app(table.live, gate=table.gate, health=Findings())
    stranger, kiosk = Device(checked, "192.168.1.66"), Device(checked, "127.0.0.1")
    assert [one.get("/api/health").status_code for one in (stranger, kiosk)] == [403, 200]
    assert [one.get("/health").status_code for one in (stranger, kiosk)] == [403, 200]
    assert ['href="/health"' in one.get("/").text for one in (stranger, kiosk)] == [False, True]


def test_only_the_owner_acknowledges_what_the_journal_lost(table: Table) -> None:
    health = Findings()
    health.found.append(LOST)
    app = create_app(table.live, gate=table.gate, health=health)
    kiosk, owner = Device(app, "127.0.0.1"), Device(app, "192.168.1.5")
    assert kiosk.get("/api/health").get_json()["may_read"] is False
    assert "PIN" in kiosk.refused("/api/health/read")
    owner.post("/api/access/sign-in", {"pin": PIN})
    assert owner.get("/api/health").get_json()["may_read"] is True
    left = owner.post("/api/health/read").get_json()
    assert (left["may_read"], [each["what"] for each in left["findings"]].count("journal")) == (False, 0)


def test_a_third_phone_gets_nowhere_with_anothers_seat(ring: tuple[Table, Device, Device]) -> None:
    table, ann, bob = ring
    assert ann.post("/api/act", SECRET, X_Seat="1").get_json()["ok"] is True
    carl, stranger = table.phone("192.168.1.9"), table.device("192.168.1.66")
    for other in (bob, carl, stranger, table.kiosk):
        for path in ("/api/state", "/api/stream", "/api/acts"):
            assert other.get(path, seat="1").status_code == 403
        assert other.get("/api/state").get_json()["game"].get("yours") is None
    for other in (bob, carl, stranger):
        before = list(table.live.commands)
        other.refused("/api/act", SECRET | {"amount": 1}, X_Seat="1")
        other.refused("/api/undo", X_Seat="1")
        other.refused("/api/press", {"button": "1.done"}, X_Seat="1")
        other.refused("/api/correct", {"coin": 0}, X_Seat="1")
        other.refused("/api/games", RING)
        assert table.live.commands == before
    assert ann.get("/api/state", seat="1").get_json()["game"]["yours"]["amount"] == 7
    assert ann.get("/api/state").get_json()["game"]["yours"]["amount"] == 7


def test_a_seat_acts_as_itself_whatever_it_leaves_out(ring: tuple[Table, Device, Device]) -> None:
    table, ann, _ = ring
    ann.post("/api/act", SECRET)
    assert table.live.commands[-1][2] == "1"
    ann.post("/api/undo")
    ann.post("/api/press", {"button": "referee.hold"})
    assert table.live.commands[-2:] == [("undo", True, "1"), ("press", "referee.hold", "1")]
    assert "camera" in ann.refused("/api/act", {"do": "flip", "coins": ["penny:heads"]})
    assert "under way" in ann.refused("/api/games", RING)


def test_a_phone_without_a_seat_begins_a_game_only_where_none_is_on(table: Table) -> None:
    ann = table.phone()
    assert "Begin one" in ann.refused("/api/access/seat", {"seat": "1"}, 409)
    assert ann.post("/api/games", RING).get_json()["ok"]
    assert "under way" in ann.refused("/api/games", RING)
    for path, body in (("/api/act", SECRET), ("/api/undo", {}), ("/api/answer", {"choice": 0})):
        assert "no seat yet" in ann.refused(path, body)


def test_phones_swap_with_the_people(table: Table) -> None:
    table.kiosk.post("/api/games", {"game": "steal"})
    ann, bob = table.phone(), table.phone("192.168.1.8")
    for phone, seat in ((ann, "heads"), (bob, "tails")):
        phone.post("/api/access/seat", {"seat": seat})
        table.kiosk.post("/api/access/admit", {"seat": seat})
    for _ in range(2):  # every snapshot of the game tells it; it counts once
        table.live.shows(crossed=40)
        table.live.news()
        assert (ann.standing()["seat"], bob.standing()["seat"]) == ("tails", "heads")
    table.start()
    table.live.news()
    assert table.again(ann).standing()["seat"] == "tails", "nor again after a restart"
    table.live.shows(crossed=60)
    assert table.again(ann).standing()["seat"] == "heads"


@pytest.mark.parametrize("broken", ["{", '{"sessions": ' + 500_000 * "["], ids=["cut off", "deep"])
def test_a_seat_outlives_the_server(ring: tuple[Table, Device, Device], broken: str) -> None:
    table, ann, _ = ring
    table.start()
    again = table.again(ann)
    assert again.standing()["seat"] == "1"
    (table.folder / "sessions.json").write_text(broken)
    table.start()
    assert again.get("/api/state").status_code == 200  # the old server; the new one knows nobody
    assert table.device("192.168.1.7").standing()["role"] == "watch"


def test_a_lost_seat_is_freed_at_the_table_and_taken_again(ring: tuple[Table, Device, Device]) -> None:
    table, ann, bob = ring
    new = table.phone("192.168.1.70")  # Ann's other phone: the first one lost its battery
    assert "can free the seat" in new.refused("/api/access/seat", {"seat": "1"}, 409)
    assert "screen at the table" in bob.refused("/api/access/free", {"seat": "1"})
    seats = table.kiosk.post("/api/access/free", {"seat": "1"}).get_json()["seats"]
    assert [each["seat"] for each in seats if each["taken"]] == ["2"]
    assert new.post("/api/access/seat", {"seat": "1"}).get_json()["seat"] == "1"
    assert ann.standing() == ann.standing() | {"role": "watch", "seat": None}
    assert ann.get("/api/state", seat="1").status_code == 403


def test_the_screen_can_let_a_phone_sit_without_a_button(table: Table) -> None:
    table.kiosk.post("/api/games", {"game": "steal"})
    ann = table.phone()
    ann.post("/api/access/seat", {"seat": "tails"})
    asked = [each["seat"] for each in table.kiosk.get("/api/access/table").get_json()["seats"] if each["asked"]]
    assert asked == ["tails"]
    table.kiosk.post("/api/access/admit", {"seat": "tails"})
    assert ann.standing()["seat"] == "tails"
    assert "Nobody is waiting" in table.kiosk.refused("/api/access/admit", {"seat": "tails"}, 409)
    assert ann.post("/api/access/leave").get_json()["seat"] is None


def test_people_who_are_all_trusted_need_nothing(table: Table) -> None:
    table.gate.house.trust(True)
    phone = table.device("192.168.1.7")
    assert phone.standing() == phone.standing() | {"mode": "trusted", "role": "referee", "chooses": True}
    phone.post("/api/games", RING)
    assert phone.post("/api/act", SECRET, X_Seat="1").get_json()["ok"]
    assert phone.get("/api/state", seat="1").get_json()["game"]["yours"]["amount"] == 7
    assert phone.post("/api/undo").status_code == 200
    assert "PIN" in phone.refused("/api/access/close")


# -- files -------------------------------------------------------------------------------------------------------------

BROKEN: list[Callable[[bytes], bytes]] = [
    lambda whole: whole[: len(whole) // 2],
    lambda whole: b"",
    lambda whole: b"[]",
    lambda whole: whole.replace(b'"open": true', b'"open": 3'),
    lambda whole: b'{"open": ' + 5_000 * b"[",
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_damaged_file_closes_the_table(tmp_path: Path, broken: Callable[[bytes], bytes]) -> None:
    House(tmp_path / "access.json").open(PIN, trusted=True)
    whole = (tmp_path / "access.json").read_bytes()
    assert House(tmp_path / "access.json").now.mode == "trusted"
    (tmp_path / "access.json").write_bytes(broken(whole))
    assert House(tmp_path / "access.json").now.mode == "closed"


def test_a_running_table_follows_the_command_line(tmp_path: Path) -> None:
    now = [0.0]
    running, command = House(tmp_path / "access.json", clock=lambda: now[0]), House(tmp_path / "access.json")
    modes = [running.now.mode]
    command.open(PIN, trusted=False)
    now[0] += 1
    modes.append(running.now.mode)
    (tmp_path / "access.json").unlink()
    now[0] += 1
    modes.append(running.now.mode)
    assert modes == ["closed", "open", "closed"]


def test_only_so_many_sessions_are_kept_and_seats_stay(tmp_path: Path) -> None:
    now = [0.0]
    sessions = Sessions(tmp_path / "sessions.json", now=lambda: now[0], clock=lambda: now[0])
    ann, token = sessions.begin()
    sessions.sit(ann, "heads")
    for _ in range(300):
        now[0] += 1
        sessions.begin()
    assert len(json.loads((tmp_path / "sessions.json").read_text())["sessions"]) == 200
    assert sessions.named(token) == ann
    now[0] += 31 * 86400
    assert sessions.named(token) is None


DAY_S = 86400.0


def test_a_phone_that_comes_every_day_is_never_thrown_out_and_is_written_once_a_day(tmp_path: Path) -> None:
    now = [1.7e9]
    sessions = Sessions(tmp_path / "sessions.json", now=lambda: now[0], clock=lambda: 0.0)
    name, token = sessions.come_in()
    renewed = 0
    for _ in range(24 * 40):  # forty days, with a call an hour
        now[0] += 3600
        assert sessions.named(token) == name
        renewed += sessions.renewed(name)
    assert 35 <= renewed <= 40
    kept = json.loads((tmp_path / "sessions.json").read_text())["sessions"][name]
    assert now[0] - kept["came"] <= DAY_S + 3600


def test_a_session_that_ended_holds_no_seat(tmp_path: Path) -> None:
    now = [1.7e9]
    sessions = Sessions(now=lambda: now[0], clock=lambda: now[0])
    joining = Joining(sessions)
    ann, token = sessions.come_in()
    assert joining.ask(ann, "heads", at_table=False) == "seated"
    assert (sessions.holder("heads"), set(sessions.seated())) == (ann, {"heads"})
    now[0] += 31 * DAY_S
    assert sessions.named(token) is None
    assert (sessions.holder("heads"), sessions.seated()) == (None, {})
    again, _ = sessions.come_in()
    assert joining.ask(again, "heads", at_table=False) == "seated"


def test_a_clock_that_jumps_when_a_network_tells_the_time_ends_no_session_of_a_phone_that_is_here(
    tmp_path: Path,
) -> None:
    wall, steady = [1.7e9], [50.0]

    def start() -> Sessions:
        return Sessions(tmp_path / "sessions.json", now=lambda: wall[0], clock=lambda: steady[0])

    sessions = start()
    _, gone = sessions.come_in()  # on an evening before
    sessions = start()
    ann, token = sessions.come_in()
    sessions.sit(ann, "tails")
    wall[0] += 60 + 31 * DAY_S
    steady[0] += 60
    assert (sessions.named(token), sessions.holder("tails")) == (ann, ann)
    assert sessions.named(gone) is None, "it was away for so long indeed"
    assert sessions.renewed(ann)
    sessions = start()
    assert (sessions.named(token), sessions.holder("tails")) == (ann, ann)
    wall[0] -= 400 * DAY_S  # and back
    assert sessions.named(token) == ann
    assert sessions.renewed(ann)


class Clocks:
    """A steady clock and a time of day that may be set; sessions that are kept over restarts."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "sessions.json"
        self.wall, self.steady = 1.7e9, 50.0

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def start(self) -> Sessions:
        return Sessions(self.file, now=lambda: self.wall, clock=lambda: self.steady)


@pytest.mark.parametrize("restarts", [False, True])
def test_a_session_dated_by_a_clock_that_was_ahead_lasts_for_thirty_days(tmp_path: Path, restarts: bool) -> None:
    clocks = Clocks(tmp_path)
    clocks.wall += 365 * DAY_S
    sessions = clocks.start()
    ann, token = sessions.come_in()
    sessions.sit(ann, "heads")
    clocks.wall -= 365 * DAY_S
    sessions = clocks.start() if restarts else sessions
    clocks.wait(29 * DAY_S)
    assert sessions.holder("heads") == ann
    clocks.wait(2 * DAY_S)
    assert (sessions.holder("heads"), sessions.named(token)) == (None, None)


def test_after_the_clock_was_ahead_the_sessions_that_called_last_are_kept(tmp_path: Path) -> None:
    clocks = Clocks(tmp_path)
    sessions = clocks.start()
    clocks.wall += 365 * DAY_S
    old = [sessions.begin()[1] for _ in range(150)]
    clocks.wall -= 365 * DAY_S
    new = []
    for _ in range(150):
        clocks.wait(1)
        new.append(sessions.begin()[1])
    assert all(sessions.named(token) for token in new)
    assert sum(sessions.named(token) is not None for token in old) == 50


@pytest.mark.parametrize("ahead_s", [600.0, DAY_S, 365 * DAY_S])
def test_an_owner_who_signed_in_while_the_clock_was_ahead_is_one_for_twelve_hours(
    tmp_path: Path, ahead_s: float
) -> None:
    clocks = Clocks(tmp_path)
    clocks.wall += ahead_s
    sessions = clocks.start()
    name, _ = sessions.begin()
    sessions.make_owner(name, "mark")
    clocks.wall -= ahead_s
    clocks.wait(OWNER_FOR_S - 1)
    assert sessions.owns(name, "mark")
    again = clocks.start()
    assert again.owns(name, "mark"), "the time of day told how long"
    clocks.wait(2)
    assert not sessions.owns(name, "mark")
    assert not again.owns(name, "mark")
    clocks.wall += ahead_s - OWNER_FOR_S  # the time at which they signed in comes again
    assert not clocks.start().owns(name, "mark")


def test_after_a_restart_nobody_owns_who_signed_in_in_the_future(tmp_path: Path) -> None:
    clocks = Clocks(tmp_path)
    sessions = clocks.start()
    name, _ = sessions.begin()
    sessions.make_owner(name, "mark")
    clocks.wall -= DAY_S
    sessions = clocks.start()
    assert not sessions.owns(name, "mark")
    clocks.wall += DAY_S
    assert not sessions.owns(name, "mark")


@pytest.mark.long
def test_sixty_clocks_that_are_set_give_nobody_a_longer_right(tmp_path: Path) -> None:
    """The owner's page calls every ten minutes; the program is started again now and then."""
    random, clocks, longest_s = Random(46), Clocks(tmp_path), []
    sessions = clocks.start()
    for _ in range(60):
        name, _ = sessions.begin()
        sessions.make_owner(name, "mark")
        signed_in_s = last_s = clocks.steady
        for _ in range(6 * 30):
            if random.random() < 0.1:
                clocks.wall += random.choice([-1, 1]) * random.choice([30, 3600, 5 * 3600, DAY_S, 400 * DAY_S])
                last_s = clocks.steady if sessions.owns(name, "mark") else last_s
            if random.random() < 0.05:
                sessions = clocks.start()
            clocks.wait(600)
            last_s = clocks.steady if sessions.owns(name, "mark") else last_s
        longest_s.append(last_s - signed_in_s)
    assert max(longest_s) <= OWNER_FOR_S + 600


def test_the_cookie_of_a_phone_that_comes_again_is_renewed_with_its_session(table: Table) -> None:
    now = [1.7e9]
    table.gate.sessions._now = lambda: now[0]
    phone = table.phone()
    assert "Set-Cookie" not in phone.get("/api/access").headers
    now[0] += 2 * DAY_S
    assert "Set-Cookie" not in phone.get("/join").headers, "a page may lie in a cache"
    answer = phone.get("/api/access")
    assert {f"Max-Age={30 * 86400}", "HttpOnly", "SameSite=Strict"} <= set(answer.headers["Set-Cookie"].split("; "))
    assert phone.standing()["role"] == "seat"
    assert "Set-Cookie" not in phone.get("/api/access").headers


def test_a_phone_that_comes_in_again_is_another_device(table: Table) -> None:
    """What it was before ends, also its wish for a seat."""
    phone = table.phone()
    before = phone.standing()
    again = phone.post("/api/access/join", {"code": table.joining.code()})
    assert (again.status_code, again.get_json()["role"]) == (200, "seat")
    assert "Set-Cookie" in again.headers
    assert phone.standing()["role"] == before["role"] == "seat"
