"""Fixtures of the journeys: an appliance in this process, new for each test, and people at its pages.

Every journey is the same at each run: the virtual table's chance (tosses, angles, free spots) comes from a fixed seed.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.browsers import Browsers
from tests.journeys.evening import Desk, Evening, Visit
from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEED = 11


@pytest.fixture(scope="session")
def kept_browsers(chromium: Browser) -> Browsers:
    return Browsers(chromium)


@pytest.fixture
def browsers(kept_browsers: Browsers) -> Iterator[Browsers]:
    """People's browsers, which remember nothing of another test."""
    kept_browsers.problems.clear()
    yield kept_browsers
    kept_browsers.close()
    assert kept_browsers.problems == [], "a page ran into an error"


@pytest.fixture(scope="session")
def ports() -> tuple[int, int]:
    """The ports of every appliance of this process, and of the network before it: what a browser caches stays good."""
    with socket.create_server(("127.0.0.1", 0)) as table, socket.create_server(("127.0.0.1", 0)) as network:
        return table.getsockname()[1], network.getsockname()[1]


@pytest.fixture
def serve(tmp_path: Path, ports: tuple[int, int]) -> Iterator[Callable[..., Running]]:
    """`serve(seed=7)` starts an appliance over a virtual table, with this test's own data folder; one at a time."""
    running: list[Running] = []

    def start(*, seed: int = SEED) -> Running:
        running.append(Running(tmp_path / "data", seed=seed, port=ports[0]))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def language() -> str:
    """The language of the pages. A test with a parameter of this name chooses another."""
    return "en"


@pytest.fixture
def evening(serve: Callable[..., Running], browsers: Browsers, language: str) -> Evening:
    return Evening(serve(), browsers, language)


@pytest.fixture
def desk(serve: Callable[..., Running], browsers: Browsers, language: str) -> Desk:
    return Desk(serve(), browsers, language)


@pytest.fixture
def visit(serve: Callable[..., Running], browsers: Browsers, language: str) -> Visit:
    return Visit(serve(), browsers, language)
