"""What axe-core finds wrong with the pages for people who see, hear or move with help: nothing, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from calibration.teach.teach import Teacher
from tablecoin.checks.owning import Owning
from tablecoin.coins import Heap
from tablecoin.settings import Settings
from tests.web.browsing import offences
from tests.web.failing_wizard import FailingWizard
from tests.web.stand_in import FakeLiveTable
from web.app import create_app
from web.server import Server

PAGES = ("score", "rules/steal", "history", "join", "access", "calibrate", "teach", "settings", "nowhere")


@pytest.fixture
def house(live: FakeLiveTable, tmp_path: Path) -> Iterator[str]:
    """The address of a table with all its pages."""
    owner = Owning(Settings(data=str(tmp_path)), lambda: None, lambda: (), supervised=True)
    app = create_app(live, wizard=FailingWizard(), teacher=Teacher(tmp_path), owner=owner)
    with Server(app, live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}/"


def context(browser: Browser, language: str) -> BrowserContext:
    return browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)


def home(live: FakeLiveTable, page: Page) -> None:
    page.locator("body[data-page=home]").wait_for()


def start(live: FakeLiveTable, page: Page) -> None:
    page.evaluate("location.hash = '#start'")
    page.get_by_test_id("start-screen").wait_for()


def toss(live: FakeLiveTable, page: Page) -> None:
    live.command({"start": {"game": "steal"}}, None)
    page.evaluate("location.hash = '#table'")
    page.locator("[data-testid=prompt][data-kind=flip]").wait_for()


def question(live: FakeLiveTable, page: Page) -> None:
    live.table.toss(Heap(penny=5, dime=1, quarter=2), "tray")
    live.question, live.asked = ["It shows heads", "It shows tails", "Look again"], 1
    live.unsure = {1}
    live.publish()
    page.get_by_test_id("choice-2").wait_for()


def refused(live: FakeLiveTable, page: Page) -> None:
    live.question, live.asked = [], None
    live.warnings = ["A marker is hidden."]
    live.command({"act": {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}}, None)
    live.command({"act": {"do": "done"}}, "heads")
    page.locator("[data-testid=ruling][data-accepted=false]").wait_for()


PLAY: tuple[Callable[[FakeLiveTable, Page], None], ...] = (toss, question, refused)


@pytest.mark.browser
@pytest.mark.parametrize(("path", "states"), [("", (home, start, *PLAY)), ("kiosk", PLAY)], ids=["page", "kiosk"])
def test_the_table_in_its_main_states(
    live: FakeLiveTable,
    browser: Browser,
    house: str,
    path: str,
    states: tuple[Callable[[FakeLiveTable, Page], None], ...],
) -> None:
    with context(browser, "en-US") as opened:
        page = opened.new_page()
        page.set_default_timeout(90_000)
        page.goto(house + path)
        found = {}
        for state in states:
            state(live, page)
            found[state.__name__] = offences(page)
        assert found == {state.__name__: [] for state in states}


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_every_other_page(browser: Browser, house: str, language: str) -> None:
    with context(browser, language) as opened:
        page = opened.new_page()
        page.set_default_timeout(90_000)
        found = {}
        for path in PAGES:
            page.goto(house + path)
            page.get_by_test_id("language").filter(has_text="中文" if language == "en-US" else "English").wait_for()
            found[path] = offences(page)
        assert found == {path: [] for path in PAGES}
