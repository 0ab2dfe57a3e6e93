"""Fixtures of the journeys: `tablecoin serve` in a process of its own, and an evening of two people at its pages.

Every journey is the same at each run: the virtual table's chance (tosses, angles, free spots) comes from a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from tests.journeys.evening import Desk, Evening, Stage
from tests.journeys.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

S = TypeVar("S", bound=Stage)

SEED = 11


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`serve(seed=7)` starts a referee over a virtual table, with this test's own data folder."""
    running: list[Served] = []

    def start(*, seed: int = SEED, port: int = 0) -> Served:
        arguments = ("--camera", "virtual", "--panel", "screen", "--seed", str(seed))
        running.append(Served(tmp_path / "data", *arguments, port=port))
        running[-1].send("PUT", "api/virtual", {"sets_itself": False})  # a journey's people set the table themselves
        return running[-1]

    yield start
    for served in running:
        served.stop()


@pytest.fixture
def language() -> str:
    """The language of the pages. A test with a parameter of this name chooses another."""
    return "en"


@pytest.fixture
def evening(serve: Callable[..., Served], browser: Browser, language: str) -> Iterator[Evening]:
    with _played(Evening(serve(), browser, language)) as made:
        yield made


@pytest.fixture
def desk(serve: Callable[..., Served], browser: Browser, language: str) -> Iterator[Desk]:
    with _played(Desk(serve(), browser, language)) as made:
        yield made


@contextmanager
def _played(stage: S) -> Iterator[S]:
    yield stage
    stage.close()
    assert stage.problems == [], "a page ran into an error"
