"""Fixtures of the journeys: `tablecoin serve` in a process of its own, and an evening of two people at its pages.

Every journey is the same at each run: the virtual table's chance (tosses, angles, free spots) comes from a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Evening
from tests.journeys.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEED = 11


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`serve(seed=7)` starts a referee over a virtual table, with this test's own data folder."""
    running: list[Served] = []

    def start(*, seed: int = SEED) -> Served:
        running.append(Served(tmp_path / "data", "--camera", "virtual", "--panel", "screen", "--seed", str(seed)))
        running[-1].send("PUT", "api/virtual", {"sets_itself": False})  # a journey's people set the table themselves
        return running[-1]

    yield start
    for served in running:
        served.stop()


@pytest.fixture
def evening(serve: Callable[..., Served], browser: Browser) -> Iterator[Evening]:
    made = Evening(serve(), browser)
    yield made
    made.close()
    assert made.problems == [], "a page ran into an error"
