"""What the bar of chances costs is told for both rules, with counts."""

from __future__ import annotations

import sys

import pytest

from lab.siege.bar import Stretch, lines, stretches


def test_both_rules_are_told_apart() -> None:
    played = [
        Stretch("off", page_s=[0.100] * 19 + [0.300], asked_s=[0.010] * 20),
        Stretch("always", page_s=[0.110] * 10, asked_s=[0.012] * 10, chances_s=[0.060] * 8, late=2),
        Stretch("always", page_s=[0.120] * 10, asked_s=[0.012] * 10, chances_s=[0.070] * 10),
    ]
    assert list(lines(played)) == [
        "bar off, 1 stretches:",
        "  toss laid → ruling on the kiosk, less the time to rest: p50 100 ms, p95 300 ms, worst 300 ms (20)",
        "  the kiosk's page: p50 10 ms, p95 10 ms, worst 10 ms (20)",
        "bar always, 2 stretches:",
        "  toss laid → ruling on the kiosk, less the time to rest: p50 120 ms, p95 120 ms, worst 120 ms (20)",
        "  the kiosk's page: p50 12 ms, p95 12 ms, worst 12 ms (20)",
        "  ruling → its chances on the kiosk: p50 70 ms, p95 70 ms, worst 70 ms (18), 2 later than 1.5 s",
    ]


@pytest.mark.long
@pytest.mark.timeout(300)
def test_tosses_are_ruled_on_and_taken_back() -> None:
    (stretch,) = stretches(10, (sys.executable, "-m", "tablecoin"), ["always"])
    assert len(stretch.page_s) == len(stretch.asked_s) == len(stretch.chances_s) + stretch.late > 0
