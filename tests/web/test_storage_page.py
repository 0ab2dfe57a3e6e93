"""The pages in a browser that may keep nothing of them, as where a person blocks cookies and site data."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.stage import Stage
from tests.web.stand_in import FakeLiveTable
from web.app import create_app

pytestmark = pytest.mark.browser

FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}"""


@pytest.fixture
def forgetful(live: FakeLiveTable, stage: Stage) -> Page:
    stage.shows(create_app(live), live)
    return stage.open("/rules", script=FORBIDDEN)


@pytest.mark.parametrize(("path", "shown"), [("/", "road-start"), ("/history", "none"), ("/learn/steal", "way-next")])
def test_a_page_that_may_keep_nothing_works(forgetful: Page, path: str, shown: str) -> None:
    forgetful.goto(forgetful.url.removesuffix("/rules") + path)
    forgetful.get_by_test_id(shown).wait_for()


def test_the_language_holds_until_the_page_is_left(forgetful: Page) -> None:
    forgetful.get_by_text("Every rule by number").wait_for()
    forgetful.get_by_test_id("language").click()
    forgetful.locator("html[lang=zh-Hans]").wait_for()
