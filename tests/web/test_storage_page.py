"""The pages in a browser that may keep nothing of them, as where a person blocks cookies and site data."""

from __future__ import annotations

import pytest

from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

pytestmark = pytest.mark.browser

FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}"""


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/", "road-start"),
        pytest.param("/history", "none", marks=pytest.mark.long),
        pytest.param("/learn/steal", "way-next", marks=pytest.mark.long),
    ],
)
def test_a_page_that_may_keep_nothing_works(live: QuietTable, stage: Stage, path: str, shown: str) -> None:
    stage.shows(create_app(live), live)
    stage.open(path, script=FORBIDDEN).get_by_test_id(shown).wait_for()


def test_the_language_holds_until_the_page_is_left(live: QuietTable, stage: Stage) -> None:
    stage.shows(create_app(live), live)
    forgetful = stage.open("/rules", script=FORBIDDEN)
    forgetful.get_by_text("Every rule by number").wait_for()
    forgetful.get_by_test_id("language").click()
    forgetful.locator("html[lang=zh-Hans]").wait_for()
