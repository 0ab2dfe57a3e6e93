"""The stand-in live table, a client of its application, and its page in Chromium."""

from __future__ import annotations

import io
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from tests.web.stand_in import FakeLiveTable
from web.app import create_app
from web.server import Server


@pytest.fixture
def live() -> Iterator[FakeLiveTable]:
    made = FakeLiveTable()
    yield made
    made.stopping.set()
    made.publish()


@pytest.fixture
def client(live: FakeLiveTable) -> FlaskClient:
    return create_app(live).test_client()


@pytest.fixture
def page(live: FakeLiveTable, browser: Browser) -> Iterator[Page]:
    """The page of the stand-in table in Chromium; any error it logs fails the test."""
    with Server(create_app(live), live, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        tab.goto(f"http://127.0.0.1:{server.port}/")
        yield tab
        tab.close()
        assert errors == []


@pytest.fixture
def photo() -> io.BytesIO:
    return io.BytesIO(cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes())
