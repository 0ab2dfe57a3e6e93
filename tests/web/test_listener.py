"""Where the pages are served: opening and closing the table binds the listener anew, on the same port."""

from __future__ import annotations

import http.client
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.web.quiet import QuietTable
from web.access.gate import Gate
from web.access.house import Standing
from web.access.pin import Hashed
from web.app import create_app
from web.listener import Listener, is_loopback

OPEN = Standing(open=True, pin=Hashed("", ""))
LOOPBACKS = ("127.0.0.1", "127.0.0.2")  # Linux answers at all of 127/8, and 0.0.0.0 is at both


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.listener._LOOK_S", 0.02)


def answers(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_it_listens_on_the_network_only_while_the_table_is_open(live: QuietTable, tmp_path: Path) -> None:
    gate, moved = Gate.of(tmp_path, ()), list[str]()
    with Listener(create_app(live, gate=gate), live, gate.house, "127.0.0.1", 0) as listener:
        port = listener.port
        reached = [[answers(address, port) for address in LOOPBACKS]]
        for standing in (OPEN, Standing()):
            gate.house.set(standing)
            listener.follow(0.2, lambda: moved.append(listener.host))
            reached.append([answers(address, port) for address in LOOPBACKS])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/access", timeout=10) as answer:
                assert answer.status == 200
    assert moved == ["0.0.0.0", "127.0.0.1"]
    assert reached == [[True, False], [True, True], [True, False]]
    assert listener.port == port


def test_an_address_of_the_network_that_was_asked_for_stands_and_its_owner_is_advised(
    live: QuietTable, tmp_path: Path
) -> None:
    gate = Gate.of(tmp_path, ())
    with Listener(create_app(live, gate=gate), live, gate.house, "0.0.0.0", 0) as listener:
        assert listener.advice
        assert "tablecoin access open --trusted" in listener.advice
        stranger = http.client.HTTPConnection("127.0.0.1", listener.port, 10, source_address=("127.0.0.2", 0))
        stranger.request("GET", "/api/access")
        assert b'"role":"watch"' in stranger.getresponse().read()
        stranger.close()
        gate.house.set(OPEN)
        assert listener.advice is None


def test_where_it_cannot_listen_it_stays_where_it_was(live: QuietTable, tmp_path: Path) -> None:
    gate, moved = Gate.of(tmp_path, ()), list[str]()
    with Listener(create_app(live, gate=gate), live, gate.house, "127.0.0.1", 0) as listener:
        with socket.create_server(("127.0.0.3", listener.port)):  # somebody else's: 0.0.0.0 cannot be had
            gate.house.set(OPEN)
            listener.follow(0.2, lambda: moved.append(listener.host))
        assert answers("127.0.0.1", listener.port)
    assert moved == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("table.local", False)],
)
def test_which_addresses_are_this_machine_alone(host: str, own: bool) -> None:
    assert is_loopback(host) is own
