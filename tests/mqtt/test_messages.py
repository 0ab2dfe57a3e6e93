"""The messages go to JSON and back; what is newer is left out, what is foreign is said."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import KINDS, LARGEST, VERSION, Ask, Ring, Seated, Summary, Unreadable, read, write

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
SUMMARY = Summary(
    table="k7", name="Kitchen", device="d1", journal="j1", newest=7, program="0.9", sent="2026-11-23T10:00"
)


def test_a_message_comes_back_as_it_was_sent() -> None:
    assert read(Summary, write(SUMMARY), "k7") == SUMMARY


def test_fields_of_a_newer_minor_version_are_left_out() -> None:
    newer = msgspec.to_builtins(SUMMARY) | {"version": "1.9", "weather": "fine"}
    assert read(Summary, msgspec.json.encode(newer), "k7").newest == 7


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        (b'{"version": "2.0"}', "mqtt.version"),
        (b'{"version": "0.3", "table": "k7"}', "mqtt.version"),
        (b"", "mqtt.garbage"),
        (b"online", "mqtt.garbage"),
        (b"\xff\xfe", "mqtt.garbage"),
        (b"[" * 100_000, "mqtt.garbage"),
        (b'{"table": "k7", "journal": "j1", "first": -1, "last": 2}', "mqtt.garbage"),
        (b'{"table": "attic", "journal": "j1", "first": 1, "last": 2}', "mqtt.other"),
        (b" " * (LARGEST + 1), "mqtt.long"),
    ],
)
def test_what_is_no_message_is_said(payload: bytes, key: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(Ask, payload, "k7")
    assert caught.value.message.key == key
    assert all(caught.value.texts.values())


def test_a_ring_has_the_words_of_home_assistant_and_no_table() -> None:
    assert read(Ring, b'{"state": "ON", "brightness": 128, "transition": 2}', "k7") == Ring("ON", 128)


@pytest.mark.parametrize("kind", KINDS)
def test_a_topic_is_taken_apart_as_it_was_put_together(kind: str) -> None:
    assert topics.taken_apart(topics.topic("k7", kind)) == (topics.MAJOR, "k7", kind)


@pytest.mark.parametrize(
    "name", ["tablecoin/1/k7", "tablecoin/x/k7/up", "tablecoin/1/kitchen table/up", "other/1/k7/up"]
)
def test_other_topics_are_none_of_ours(name: str) -> None:
    assert topics.taken_apart(name) is None


def test_the_version_begins_with_the_major_of_the_topics() -> None:
    assert VERSION.startswith(f"{topics.MAJOR}.")


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        ("heads", (None, "2026-11-23T12:01:01+00:00")),  # it runs
        ("tails", (40.5, "")),  # it stands
        ("1", (None, "")),  # a seat without a clock
    ],
)
def test_a_seat_tells_what_its_clock_has_left(seat: str, told: tuple[float | None, str]) -> None:
    one = Seated(seat, "person").timed({"heads": 61.2, "tails": 40.52}, ("heads",), NOON)
    assert (one.left_s, one.zero_at) == told
