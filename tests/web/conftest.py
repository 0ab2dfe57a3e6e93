"""A live table, a client of its application, and its page in Chromium."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.quiet import QuietTable
from web.app import create_app
from web.source import LiveTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.stage import Stage


_compile, _compiled = Rule._compile_builder, dict[tuple[str, bool], Callable[..., tuple[str, str]]]()


def _compiled_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    key = rule.rule, append_unknown
    if key not in _compiled:
        _compiled[key] = _compile(rule, append_unknown)
    return _compiled[key]


@pytest.fixture(autouse=True)
def _cheaper_applications(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of some 450 applications would compile the same 150 functions, which build its addresses. A PIN is hashed at
    a low price; tests/saved signs in with one that an older version hashed at the full price."""
    monkeypatch.setattr(Rule, "_compile_builder", _compiled_once)
    monkeypatch.setattr("web.access.pin._COST", 2)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[QuietTable]:
    made = QuietTable(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def client(live: LiveTable) -> FlaskClient:
    return create_app(live).test_client()


@pytest.fixture(scope="session")
def the_stage(chromium: Browser) -> Iterator[Stage]:
    from tests.web.stage import Stage  # here, so that tests without a browser need no Playwright

    with Stage(chromium) as stage:
        yield stage


@pytest.fixture
def stage(the_stage: Stage) -> Iterator[Stage]:
    """The one server and browser, for one test. What its pages complain of fails the test."""
    yield the_stage
    assert the_stage.clear() == []


@pytest.fixture
def page(live: LiveTable, stage: Stage) -> Page:
    """The page of the table in Chromium; any error it logs fails the test."""
    stage.shows(create_app(live), live)
    return stage.open()


@pytest.fixture
def photo() -> io.BytesIO:
    import cv2  # here, because few tests need it
    import numpy as np

    return io.BytesIO(cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes())
