"""The brokers that announce themselves in the local network, found by Avahi's own program."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from tablecoin.mqtt.options import PORTS
from tablecoin.rules.rulebook import Complaint, Message

SERVICES = {"_mqtt._tcp": "mqtt", "_secure-mqtt._tcp": "mqtts"}  # DNS-SD type -> scheme of a broker's address
_ANSWER_S = 15.0
_ESCAPED = re.compile(r"(\\\d{3}|\\.)")  # how avahi-browse writes a special letter: \032 is a space


class NoSearch(Complaint, OSError):
    """The network cannot be searched: why, and what to do."""


class Nearby(NamedTuple):
    """A broker: what it calls itself, and its address as the settings take it."""

    name: str
    broker: str


def nearby(program: str = "avahi-browse") -> list[Nearby]:
    """Each broker that answers, once. Raises NoSearch."""
    if shutil.which(program) is None:
        raise NoSearch(Message("mqtt.no_search", {"why": f"{program}: not found"}))
    found: dict[Nearby, None] = {}
    for service in SERVICES:
        command = [program, "--parsable", "--resolve", "--terminate", "--no-db-lookup", service]
        try:
            told = subprocess.run(command, capture_output=True, timeout=_ANSWER_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoSearch(Message("mqtt.no_search", {"why": str(error)})) from None
        if told.returncode:
            why = told.stderr.decode(errors="replace").strip() or str(told.returncode)
            raise NoSearch(Message("mqtt.no_search", {"why": why.splitlines()[-1]}))
        found |= dict.fromkeys(brokers(told.stdout.decode(errors="replace")))
    return list(found)


def brokers(told: str) -> Iterator[Nearby]:
    """The brokers in what `avahi-browse --parsable --resolve` prints.

    A line of it is `=;eth0;IPv4;NAME;TYPE;local;HOST;ADDRESS;PORT;"…"`.
    """
    for line in told.splitlines():
        fields = line.split(";")
        if len(fields) < 9 or fields[0] != "=" or fields[4] not in SERVICES or not fields[8].isdigit():
            continue
        scheme, host, port = SERVICES[fields[4]], fields[6], int(fields[8])
        is_usual = port == PORTS[scheme == "mqtts"]
        prefix = "mqtts://" if scheme == "mqtts" else ""
        yield Nearby(_plain(fields[3]), f"{prefix}{host}" if is_usual else f"{prefix}{host}:{port}")


def _plain(name: str) -> str:
    """A name without escapes, and without letters that would play tricks on a terminal."""
    raw = b"".join(map(_letter, _ESCAPED.split(name)))
    return "".join(letter for letter in raw.decode(errors="replace") if letter.isprintable())


def _letter(part: str) -> bytes:
    """A part of a name: plain letters, or one that is escaped."""
    escaped = part.removeprefix("\\")
    is_number = escaped != part and escaped.isdigit() and len(escaped) == 3 and int(escaped) < 256
    return bytes([int(escaped)]) if is_number else escaped.encode()
