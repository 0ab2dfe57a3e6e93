"""Which addresses are one peer, and how places are shared among them."""

from __future__ import annotations

import pytest

from web.peers import HERE, Places, peer_of, plain_address


@pytest.mark.parametrize(
    ("host", "peer"),
    [
        ("127.0.0.1", HERE),
        ("::1", HERE),
        ("::ffff:127.0.0.1", HERE),  # IPv4 over a socket for both
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:192.168.1.20", "192.168.1.20"),
        ("fd00::20", "fd00::/64"),
        ("fd00::20:1", "fd00::/64"),  # one device has a whole /64
        ("fd00:0:0:1::20", "fd00:0:0:1::/64"),
        ("fe80::20%eth0", "fe80::/64"),
        ("127.0.0.2", "127.0.0.2"),  # no program on this machine calls from it by chance
    ],
)
def test_the_peer_of_an_address(host: str, peer: str) -> None:
    assert peer_of(host) == peer


@pytest.mark.parametrize(
    ("host", "plain"),
    [("::ffff:192.168.1.20", "192.168.1.20"), ("fe80::1%wlan0", "fe80::1"), ("FD00::0:20", "fd00::20"), ("kiosk",) * 2],
)
def test_an_address_as_people_write_it(host: str, plain: str) -> None:
    assert plain_address(host) == plain


@pytest.mark.parametrize(
    ("what", "asking", "given"),
    [
        ("one peer has its share", ["a", "a", "a"], [True, True, False]),
        ("another peer has its own", ["a", "a", "a", "b"], [True, True, False, True]),
        ("all peers share the places", ["a", "b", "c", "d"], [True, True, True, False]),
        ("this machine's are kept for it", ["a", "b", "c", "d", HERE, HERE], [True, True, True, False, True, False]),
        ("and it takes nobody else's", [HERE, HERE, "a", "b", "c"], [True, False, True, True, True]),
    ],
)
def test_who_gets_a_place(what: str, asking: list[str], given: list[bool]) -> None:
    places = Places(total=3, each=2, here=1)
    assert [places.take(peer) is not None for peer in asking] == given, what


def test_a_place_is_given_back_only_once() -> None:
    places = Places(total=2, each=1, here=0)
    give = places.take("a")
    assert give is not None
    give()
    give()
    assert [places.take(peer) is not None for peer in "abc"] == [True, True, False]
