"""Who may do what: the gate, called as a server calls it, with nothing of Flask."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from web.access.call import Call, call_of
from web.access.gate import Gate, Who
from web.access.house import House
from web.access.origin import known_host, own_names
from web.access.roles import Role
from web.access.sessions import Sessions
from web.words import Refused

PIN = "rosebud 1941"
HERE, PHONE = "127.0.0.1", "192.168.1.7"


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path / "access.json", clock=iter(range(10**9)).__next__)
    made.open(PIN, trusted=False)
    return made


@pytest.fixture
def gate(house: House) -> Gate:
    return Gate(house, Sessions(), own_names())


def asks(path: str, peer: str = HERE, method: str = "GET", query: str = "", **headers: str) -> Call:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return call_of(peer, method, path, ({"Host": "192.168.1.2:8000"} | named).items(), query)


def phone(gate: Gate, seat: str | None = None) -> str:
    """The cookie of a phone that came in by the code, and sits at `seat`."""
    name, token = gate.sessions.come_in()
    gate.sessions.sit(name, seat)
    return f"other=1; tablecoin-8000={token}"


def refused(gate: Gate, call: Call) -> str:
    """The key of the sentence is not told, so its English is."""
    with pytest.raises(Refused) as told:
        gate.admit(call)
    assert told.value.status == 403
    assert set(told.value.texts) == {"en", "zh"}
    return told.value.texts["en"]


# -- roles -------------------------------------------------------------------------------------------------------------


def test_a_closed_table_is_its_own_machines(house: House) -> None:
    house.close()
    gate = Gate(house, Sessions(), ())
    assert gate.admit(asks("/api/calibrate/run", method="POST")) == Who(Role.OWNER, None, None, True, True)
    assert gate.admit(asks("/api/state", query="seat=2")).seat == "2"
    assert gate.admit(asks("/api/act", method="POST", X_Seat="%E5%AE%89")).seat == "安"


def test_others_may_only_look_at_a_closed_table(house: House) -> None:
    cookie = phone(gate := Gate(house, Sessions(), ()), "heads")
    house.close()
    assert gate.admit(asks("/api/state", PHONE, Cookie=cookie)).role is Role.WATCH
    assert "closed" in refused(gate, asks("/api/act", PHONE, "POST", Cookie=cookie))
    assert "not your seat" in refused(gate, asks("/api/state", PHONE, query="seat=heads", Cookie=cookie))


@pytest.mark.parametrize(
    ("peer", "role"), [(HERE, Role.REFEREE), ("::1", Role.REFEREE), ("::ffff:127.0.0.1", Role.REFEREE),
                       (PHONE, Role.WATCH), ("fd00::7", Role.WATCH), ("", Role.WATCH), ("unix:", Role.WATCH)]
)  # fmt: skip
def test_an_open_table_knows_who_sits_at_it(gate: Gate, peer: str, role: Role) -> None:
    assert gate.admit(asks("/", peer)).role is role


@pytest.mark.parametrize("header", ["X_Forwarded_For", "Forwarded", "Via", "X_Real_IP"])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_proxy_on_this_machine_is_not_this_machine(gate: Gate, header: str, is_open: bool) -> None:
    gate.house.set(gate.house.now if is_open else gate.house.now.__class__())
    assert gate.admit(asks("/", HERE, **{header: "127.0.0.1"})).role is Role.WATCH


@pytest.mark.parametrize(
    ("method", "path", "sentence"),
    [
        ("POST", "/api/act", "scan the code"),
        ("POST", "/api/games", "scan the code"),
        ("PUT", "/api/virtual", "scan the code"),
        ("POST", "/api/score", "scan the code"),
        ("POST", "/api/correct", "screen at the table"),
        ("GET", "/api/access/table", "screen at the table"),
        ("GET", "/health", "screen at the table"),
        ("GET", "/api/health", "screen at the table"),
        ("POST", "/api/calibrate/run", "PIN"),
        ("GET", "/api/calibrate/aim", "PIN"),
        ("POST", "/api/teach", "PIN"),
        ("POST", "/api/known/forget", "PIN"),
        ("GET", "/api/known/coins.npz", "PIN"),
        ("POST", "/api/access/open", "PIN"),
        ("GET", "/api/nothing", "missing in the list"),
        ("DELETE", "/api/state", "missing in the list"),
    ],
)
def test_a_stranger_on_the_network_may_only_look(gate: Gate, method: str, path: str, sentence: str) -> None:
    assert sentence in refused(gate, asks(path, PHONE, method))


def test_a_phone_that_came_in_acts_for_its_seat_alone(gate: Gate) -> None:
    ann = phone(gate, "1")
    for call in (asks("/api/act", PHONE, "POST", Cookie=ann), asks("/api/act", PHONE, "POST", Cookie=ann, X_Seat="1")):
        assert (gate.admit(call).role, gate.admit(call).seat) == (Role.SEAT, "1")
    assert "2 is not your seat" in refused(gate, asks("/api/act", PHONE, "POST", Cookie=ann, X_Seat="2"))
    for path in ("/api/state", "/api/stream", "/api/acts"):
        assert "2 is not your seat" in refused(gate, asks(path, PHONE, query="seat=2", Cookie=ann))
        assert gate.admit(asks(path, PHONE, query="seat=1", Cookie=ann)).seat == "1"
        assert gate.admit(asks(path, PHONE)).seat is None
    assert "screen at the table" in refused(gate, asks("/api/access/admit", PHONE, "POST", Cookie=ann))


def test_not_even_the_kiosk_sees_a_seats_secret(gate: Gate) -> None:
    assert gate.admit(asks("/api/state")).seat is None
    assert "not your seat" in refused(gate, asks("/api/state", query="seat=1"))
    owner, token = gate.sessions.begin()
    gate.sessions.make_owner(owner, gate.house.now.mark)
    cookie = f"tablecoin-8000={token}"
    assert gate.admit(asks("/api/calibrate/run", PHONE, "POST", Cookie=cookie)).role is Role.OWNER
    assert "not your seat" in refused(gate, asks("/api/state", PHONE, query="seat=1", Cookie=cookie))


def test_among_trusted_people_a_seat_is_a_plain_choice_and_the_set_up_is_not(gate: Gate) -> None:
    gate.house.trust(True)
    assert gate.admit(asks("/api/act", PHONE, "POST", X_Seat="2")) == Who(Role.REFEREE, "2", None, False, True)
    assert gate.admit(asks("/api/correct", PHONE, "POST")).role is Role.REFEREE
    for peer in (HERE, PHONE):
        assert "PIN" in refused(gate, asks("/api/calibrate/run", peer, "POST"))


def test_an_owner_is_one_until_the_pin_changes_or_twelve_hours_passed(house: House) -> None:
    now = [1000.0]
    gate = Gate(house, Sessions(now=lambda: now[0]), ())
    name, token = gate.sessions.begin()
    call = asks("/api/access/trust", PHONE, "POST", Cookie=f"tablecoin-8000={token}")
    assert "PIN" in refused(gate, call)
    gate.sessions.make_owner(name, house.now.mark)
    assert gate.admit(call).role is Role.OWNER
    now[0] += 12 * 3600 + 1
    assert "PIN" in refused(gate, call)
    gate.sessions.make_owner(name, house.now.mark)
    house.open("another one", trusted=False)
    assert "PIN" in refused(gate, call)


def test_a_seat_that_was_taken_back_ends_its_stream(gate: Gate) -> None:
    call = asks("/api/stream", PHONE, query="seat=1", Cookie=phone(gate, "1"))
    who = gate.admit(call)
    assert gate.still(call, who)
    assert who.session
    gate.sessions.sit(who.session, None)
    assert not gate.still(call, who)


@pytest.mark.parametrize(
    "cookie",
    [
        "tablecoin-8000=",
        "tablecoin-8000=x",
        "tablecoin-8000=x.y",
        "tablecoin-8000={0}x",
        "tablecoin-80={0}",
        "=;;=",
        "é",
    ],
)
def test_a_made_up_token_is_a_strangers(gate: Gate, cookie: str) -> None:
    token = phone(gate, "1").rpartition("=")[2]
    call = asks("/", PHONE, Cookie=cookie.format(token))
    assert gate.admit(call).role is Role.WATCH
    assert gate.admit(asks("/", PHONE, Cookie=f"tablecoin-8000={token}")).role is Role.SEAT


# -- where a call comes from -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example@127.0.0.1", "127.0.0.1@evil.example", "a:b@127.0.0.1:8000", "127.0.0.1/x", "127.0.0.1?x",
     "127.0.0.1#x", "127.0.0.1:80:80", "127.0.0.1:x", " 127.0.0.1", "127.0.0.1 ", "[::1]x", "127.0.0.1\\x", "[]"],
)  # fmt: skip
def test_a_host_is_a_name_and_a_port_and_nothing_else(host: str) -> None:
    assert not known_host(host, own_names())


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({}, True),  # a program that is no browser
        ({"Origin": "http://192.168.1.2:8000"}, True),  # a browser over plain HTTP leaves Sec-Fetch-Site out
        ({"Origin": "http://192.168.1.2:8000", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://192.168.1.2:9000"}, False),  # another port of this machine
        ({"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, False),
        ({"Origin": "http://evil.example", "Sec-Fetch-Site": "none"}, False),
        ({"Origin": "http://[", "Sec-Fetch-Site": "same-origin"}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_both_origin_and_site_must_be_ours(gate: Gate, headers: dict[str, str], ours: bool) -> None:
    costly = [asks("/api/games", method="POST", **headers)]
    costly += [asks(path, **headers) for path in ("/api/flips", "/frame.jpg", "/mat/ring.pdf")]
    for call in costly:
        with nullcontext() if ours else pytest.raises(Refused, match="Another website"):
            gate.admit(call)
    assert gate.admit(asks("/rules", **headers))  # anybody may link to a page


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/games", {"Content-Type": "application/json", "Content-Length": "2"}),
        ("/api/games", {"Content-Type": "Application/JSON; charset=utf-8"}),
        ("/api/undo", {"Content-Length": "0"}),
        ("/api/undo", {}),
        ("/api/score", {"Content-Type": "multipart/form-data; boundary=x"}),
    ],
)
def test_a_body_of_the_type_that_is_asked_passes(gate: Gate, path: str, headers: dict[str, str]) -> None:
    assert gate.admit(asks(path, method="POST", **headers)).role is Role.REFEREE


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/games", {"Content-Type": "text/plain", "Content-Length": "2"}),  # what a foreign form can send
        ("/api/games", {"Content-Type": "application/x-www-form-urlencoded"}),
        ("/api/games", {"Content-Type": "multipart/form-data; boundary=x"}),
        ("/api/games", {"Content-Length": "2"}),
        ("/api/games", {"Transfer-Encoding": "chunked"}),
        ("/api/score", {"Content-Type": "application/json"}),
    ],
)
def test_a_body_of_another_type_is_refused(gate: Gate, path: str, headers: dict[str, str]) -> None:
    with pytest.raises(Refused, match="This call takes") as told:
        gate.admit(asks(path, method="POST", **headers))
    assert told.value.status == 415
