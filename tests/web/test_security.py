"""Who may call, from where and how often."""

from __future__ import annotations

import socket
import sys

import pytest
from flask.testing import FlaskClient

from tests.web.quiet import QuietTable
from web import security
from web.access.gate import Gate
from web.access.house import House
from web.access.origin import known_host, own_names
from web.access.sessions import Sessions
from web.app import create_app
from web.security import Rates, TokenBuckets, own_addresses

STEAL = {"game": "steal"}
NAME = socket.gethostname().partition(".")[0].lower()


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("LOCALHOST:8000", True),
        ("127.0.0.1:8000", True),
        ("192.168.7.9:8000", True),  # an address cannot be rebound: browsers put the name they were given here
        ("[::1]:8000", True),
        ("[fe80::1]", True),
        (f"{NAME}.local:8000", True),
        (f"{NAME}.local.", True),
        (NAME, True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        (":8000", False),
        ("[::1", False),
    ],
)
def test_host(host: str, known: bool) -> None:
    assert known_host(host, own_names()) is known


def test_a_rebound_name_gets_nothing(client: FlaskClient, live: QuietTable) -> None:
    for path in ("/", "/api/state", "/api/stream", "/frame.jpg", "/static/0123456789abcdef/js/main.js"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert (answer.status_code, "error" in answer.get_json()) == (403, True)


def test_a_name_of_ones_own_can_be_added(live: QuietTable) -> None:
    client = create_app(live, gate=Gate(House(), Sessions(), ["coins.example"])).test_client()
    assert client.get("/api/state", headers={"Host": "coins.example:80"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # a script
        ({"Sec-Fetch-Site": "same-origin"}, 200),  # our page
        ({"Sec-Fetch-Site": "none"}, 200),  # typed by the person
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),  # another port of this machine
        ({"Origin": "http://localhost"}, 200),  # an older browser, our page
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:9999"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_other_sites_may_not_act(client: FlaskClient, live: QuietTable, headers: dict[str, str], status: int) -> None:
    assert client.post("/api/games", json=STEAL, headers=headers).status_code == status
    assert bool(live.commands) is (status == 200)
    assert client.put("/api/virtual", json={"hand": True}, headers=headers).status_code == status
    assert client.get("/rules", headers=headers).status_code == 200  # other sites may link to a page


def test_too_often_is_429_until_the_bucket_fills(live: QuietTable) -> None:
    now = [0.0]
    client = create_app(live, rates=Rates(act=(2, 5)), clock=lambda: now[0]).test_client()
    assert [client.post("/api/games", json=STEAL).status_code for _ in range(6)] == [200] * 5 + [429]
    refused = client.post("/api/games", json=STEAL)
    assert "error" in refused.get_json()
    assert int(refused.headers["Retry-After"]) >= 1
    assert client.get("/api/state").status_code == 200  # looking is counted apart
    now[0] += 0.5
    assert [client.post("/api/games", json=STEAL).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("path", ["/api/score", "/api/teach"])
def test_photos_are_counted_apart_for_each_is_long_work(live: QuietTable, path: str) -> None:
    client = create_app(live, rates=Rates(score=(0.1, 2), act=(100, 100))).test_client()
    assert [client.post(path).status_code == 429 for _ in range(3)] == [False, False, True]
    assert client.post("/api/games", json=STEAL).status_code == 200


def test_one_client_does_not_use_up_anothers_calls(live: QuietTable) -> None:
    client = create_app(live, rates=Rates(look=(0.1, 1))).test_client()

    def look(address: str) -> int:
        return client.get("/api/state", environ_base={"REMOTE_ADDR": address}).status_code

    assert [look("10.0.0.1"), look("10.0.0.1"), look("10.0.0.2")] == [200, 429, 200]
    assert [look("fd00::1"), look("fd00::2"), look("fd01::1")] == [200, 429, 200]  # one device has a whole /64


def test_only_so_many_clients_are_remembered() -> None:
    buckets = TokenBuckets((0.001, 1), clock=lambda: 0.0, clients=2)
    assert [buckets.take(name) > 0 for name in "aabbccb"] == [False, True, False, True, False, True, True]
    assert buckets.take("a") == 0  # forgotten, so it starts anew


def test_everything_comes_from_here(client: FlaskClient) -> None:
    headers = client.get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


class Probe:
    """A UDP socket that the routing table gives `address` for its family; None: there is no route."""

    def __init__(self, address: str | None) -> None:
        self.address = address

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, to: object) -> None:
        if self.address is None:
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.address or "", 0


@pytest.mark.parametrize(
    ("ipv4", "ipv6", "own"),
    [
        ("192.168.1.20", "fd00::20", ["192.168.1.20", "fd00::20"]),
        ("192.168.1.20", None, ["192.168.1.20"]),
        (None, None, []),
        ("127.0.0.1", "::1", []),  # only this machine reaches itself there
        ("0.0.0.0", "fe80::1", []),  # no address yet; an address that holds on one cable only
    ],
)
def test_own_addresses_are_those_of_a_network(
    ipv4: str | None, ipv6: str | None, own: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {socket.AF_INET: ipv4, socket.AF_INET6: ipv6}
    monkeypatch.setattr("web.security.socket.socket", lambda family, kind: Probe(addresses[family]))
    monkeypatch.setattr("web.security._interface_addresses", list)
    assert own_addresses() == own


@pytest.mark.parametrize(
    ("interfaces", "expected"),
    [
        (["127.0.0.1", "10.42.0.1"], ["10.42.0.1"]),  # it is the access point itself
        (["127.0.0.1", "169.254.7.7"], []),  # a cable that leads nowhere
        (["127.0.0.1"], []),
    ],
)
def test_without_a_way_to_the_internet_the_addresses_are_those_of_the_interfaces(
    monkeypatch: pytest.MonkeyPatch, interfaces: list[str], expected: list[str]
) -> None:
    monkeypatch.setattr("web.security.socket.socket", lambda family, kind: Probe(None))
    monkeypatch.setattr("web.security._interface_addresses", lambda: interfaces)
    assert security.own_addresses() == expected


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not tell their addresses this way")
def test_the_interfaces_tell_their_addresses() -> None:
    assert "127.0.0.1" in security._interface_addresses()
