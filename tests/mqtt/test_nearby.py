"""Brokers found by mDNS: what avahi-browse prints is read with care, for anybody in the network may write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablecoin.mqtt.nearby import Nearby, NoSearch, brokers, nearby
from tablecoin.mqtt.options import BrokerOptions

PLAIN = '=;eth0;IPv4;Club\\032upstairs;_mqtt._tcp;local;club.local;10.0.0.7;1883;"v=1"'


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (PLAIN, [Nearby("Club upstairs", "club.local")]),
        ("=;eth0;IPv6;Caf\\195\\169;_mqtt._tcp;local;cafe.local;fe80::1;1884;", [Nearby("Café", "cafe.local:1884")]),
        ("=;lo;IPv4;Safe;_secure-mqtt._tcp;local;s.local;10.0.0.8;8883;", [Nearby("Safe", "mqtts://s.local")]),
        ("+;eth0;IPv4;Club;_mqtt._tcp;local", []),
        ("=;eth0;IPv4;Printer;_ipp._tcp;local;p.local;10.0.0.9;631;", []),
        ("=;eth0;IPv4;Odd;_mqtt._tcp;local;o.local;10.0.0.9;many;", []),
        ("=;eth0;IPv4;\\027[2Jtrick;_mqtt._tcp;local;t.local;10.0.0.9;1883;", [Nearby("[2Jtrick", "t.local")]),
        ("", []),
    ],
)
def test_a_line_is_a_broker_or_nothing(line: str, found: list[Nearby]) -> None:
    assert list(brokers(line)) == found
    assert all(BrokerOptions(broker=each.broker).address for each in found)


def test_each_is_listed_once(tmp_path: Path) -> None:
    program = tmp_path / "browse"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{PLAIN}\n{PLAIN}\nEND\n")
    program.chmod(0o755)
    assert nearby(str(program)) == [Nearby("Club upstairs", "club.local")]


@pytest.mark.parametrize("script", [None, "echo 'Daemon not running' >&2; exit 1"])
def test_a_search_that_fails_is_said(tmp_path: Path, script: str | None) -> None:
    program = tmp_path / "browse"
    if script:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    with pytest.raises(NoSearch) as told:
        nearby(str(program))
    assert "avahi-utils" in str(told.value)
