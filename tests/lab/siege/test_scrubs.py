"""A phone's photo is answered while other addresses ask for replays again and again."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lab.siege.scrubs import Answered, Noticed, scrubbed


def test_the_figures_have_their_counts() -> None:
    noticed = Noticed(Answered(Counter({200: 2, 503: 7}), [0.5, 1.5]))
    assert list(noticed.lines()) == [
        "photos: 2 answered 200, 7 answered 503; p50 1500 ms, p95 1500 ms, worst 1500 ms (2)",
        "replays: ; never",
    ]


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_photo_is_answered_within_five_seconds_while_four_addresses_scrub_replays(tmp_path: Path) -> None:
    program = (sys.executable, "-m", "tablecoin")
    with ThreadPoolExecutor(1) as thread:  # Playwright leaves a loop running on this one
        noticed = thread.submit(scrubbed, tmp_path, program, 30, addresses=4, windows=4).result()
    assert set(noticed.photos.statuses) == {200}
    assert len(noticed.photos.waits_s) >= 6
    assert max(noticed.photos.waits_s) < 5
    assert noticed.replays.statuses[503] > 100, "the addresses ask for more than they get"
