"""Real contacts bounce: tables of (time in ms, level) and the gestures that must come out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.panel.press import Contact, Gesture

Edges = list[tuple[int, int]]


def gestures(
    edges: Edges, hold_ms: int | None = None, until_ms: int = 5000, off_ms: int | None = None
) -> list[tuple[int, str]]:
    """Sample every 5 ms a contact whose level changes at `edges`; (ms, gesture) for each one reported."""
    contact = Contact(bounce_s=0.02, hold_s=hold_ms and hold_ms / 1000, off_s=off_ms and off_ms / 1000)
    found, level, waiting = list[tuple[int, str]](), 0, list(edges)
    for now_ms in range(0, until_ms, 5):
        while waiting and waiting[0][0] <= now_ms:
            level = waiting.pop(0)[1]
        gesture = contact.sample(now_ms / 1000, bool(level))
        if gesture:
            found.append((now_ms, str(gesture)))
    return found


@pytest.mark.parametrize(
    ("what", "edges", "hold_ms", "expected"),
    [
        ("untouched", [], None, []),
        ("a clean press", [(100, 1), (300, 0)], None, [(250, "press")]),
        ("bounces going down", [(100, 1), (105, 0), (110, 1), (120, 0), (125, 1), (400, 0)], None, [(275, "press")]),
        ("bounces coming up", [(100, 1), (300, 0), (305, 1), (315, 0)], None, [(250, "press")]),
        ("a spark on the line", [(100, 1), (115, 0)], None, []),
        ("two quick presses", [(100, 1), (150, 0), (200, 1), (250, 0)], None, [(400, "press"), (405, "press")]),
        ("held down: one press", [(100, 1), (4000, 0)], None, [(250, "press")]),
        ("button with a hold: a press is reported on release", [(100, 1), (300, 0)], 1000, [(450, "press")]),
        (
            "a hold is ripe at once and reported on release",
            [(100, 1), (3000, 0)],
            1000,
            [(1100, "ripe"), (3020, "hold")],
        ),
        ("released just before the hold time", [(100, 1), (1075, 0)], 1000, [(1225, "press")]),
        (
            "bounces do not shorten a hold",
            [(100, 1), (600, 0), (610, 1), (2000, 0)],
            1000,
            [(1100, "ripe"), (2020, "hold")],
        ),
        (
            "a hold, then a press",
            [(100, 1), (1600, 0), (2000, 1), (2100, 0)],
            1000,
            [(1100, "ripe"), (1620, "hold"), (2250, "press")],
        ),
        ("shorted in play: never held", [(100, 1)], 1000, [(1100, "ripe")]),
        ("down from the start: nothing", [(0, 1)], 1000, []),
        ("down from the start, then up: nothing either", [(0, 1), (2000, 0)], 1000, []),
        ("down from the start, then pressed anew", [(0, 1), (2000, 0), (3000, 1), (3100, 0)], None, [(3250, "press")]),
    ],
)
def test_edges_become_gestures(what: str, edges: Edges, hold_ms: int | None, expected: list[tuple[int, str]]) -> None:
    assert gestures(edges, hold_ms) == expected, what


COUNTED = [(1600, "ripe"), (3100, "count"), (4100, "count"), (5100, "count"), (6100, "counted")]


@pytest.mark.parametrize(
    ("what", "up_ms", "expected"),
    [
        ("let go at the beep: a hold", 2000, [*COUNTED[:1], (2020, "hold")]),
        ("let go while the seconds are counted", 4000, [*COUNTED[:2], (4020, "given up")]),
        ("let go after them: off", 6500, [*COUNTED, (6520, "off")]),
        ("never let go: shorted", 20_000, [*COUNTED, (15_100, "given up")]),
    ],
)
def test_a_long_hold_counts_to_off(what: str, up_ms: int, expected: list[tuple[int, str]]) -> None:
    assert gestures([(100, 1), (up_ms, 0)], 1500, 22_000, off_ms=6000) == expected, what


def test_a_short_that_ends_after_a_long_time_reports_nothing() -> None:
    assert gestures([(100, 1), (20_000, 0)], 1000, until_ms=22_000) == [(1100, "ripe")]


@pytest.mark.parametrize(
    ("what", "edges", "stuck"),
    [
        ("never opened", [(0, 1)], [3000, 4000, 20_000]),
        ("a finger lay on it at the start", [(0, 1), (2000, 0)], []),
        ("shorted in play", [(1000, 1)], [20_000]),
        ("pressed", [(1000, 1), (3500, 0)], []),
    ],
)
def test_a_shorted_button_is_told_from_a_pressed_one(what: str, edges: Edges, stuck: list[int]) -> None:
    contact, level, found = Contact(hold_s=1.5), 0, []
    waiting = list(edges)
    for now_ms in range(0, 20_001, 10):
        while waiting and waiting[0][0] <= now_ms:
            level = waiting.pop(0)[1]
        contact.sample(now_ms / 1000, bool(level))
        if now_ms in (1000, 2000, 3000, 4000, 20_000) and contact.stuck(now_ms / 1000):
            found.append(now_ms)
    assert found == stuck, what


@given(
    st.lists(st.integers(40, 900), min_size=1, max_size=8),
    st.lists(st.integers(1, 4), max_size=4),
    st.integers(40, 400),
)
def test_every_press_counts_once_despite_bounces(downs: list[int], bounces: list[int], pause: int) -> None:
    """Presses last 40 ms or more; each begins with up to four bounces of up to 15 ms.

    The more a contact bounces, the longer is the pause: samples that change in a third of a second count as chatter.
    """
    pause += 55 * len(bounces)
    edges: Edges = []
    now = 50
    for down in downs:
        for bounce in bounces:
            edges += [(now, 1), (now + 5, 0)]
            now += 5 + min(bounce, 3) * 5
        edges += [(now, 1), (now + down, 0)]
        now += down + pause
    reported = gestures(edges, until_ms=now + 200)
    assert len(reported) == len(downs)


@pytest.mark.parametrize(("read_again_s", "expected"), [(1.4, [Gesture.PRESS]), (1.6, [])])
def test_a_press_during_which_nothing_was_read_for_half_a_second_is_dropped(
    read_again_s: float, expected: list[Gesture]
) -> None:
    """A read that hangs, or a computer too busy to sample: nobody knows what the finger did meanwhile."""
    contact = Contact(hold_s=1.5)
    times = [k / 100 for k in range(300) if not 1.0 <= k / 100 < read_again_s]
    found = [contact.sample(now_s, 0.9 <= now_s < 2.0) for now_s in times]
    assert [each for each in found if each] == expected
