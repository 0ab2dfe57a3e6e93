"""The first run on a phone: the home leads to the lesson of Steal, which is left, taken up and ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

MOST = 60  # things to do; the lesson has sixteen steps


@pytest.fixture
def phone(serve: Callable[..., Running], browser: Browser) -> Iterator[Page]:
    served = serve()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-US")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(served.url)
    yield page
    context.close()
    assert problems == []


@pytest.mark.long
def test_the_lesson_of_steal_on_a_phone(phone: Page) -> None:
    first = phone.get_by_test_id("roads").locator("a").first
    phone.locator('[data-testid="roads"][data-first="yes"]').wait_for()
    assert first.get_attribute("data-testid") == "road-teach"  # at a simulated table where nobody has played
    first.tap()
    phone.get_by_test_id("learn-steal").tap()
    seen: list[str] = []
    for _ in range(MOST):
        phone.locator("body[data-step]:not([data-asking=yes])").wait_for()
        step = phone.locator("body").get_attribute("data-step") or ""
        if phone.get_by_test_id("way-play").count():
            break
        if step == "5" and step not in seen:  # left, and taken up where it stood
            phone.reload()
            phone.locator("body[data-step='5']").wait_for()
        seen.append(step)
        do_what_is_asked(phone)
    assert phone.get_by_test_id("way-play").get_attribute("href") == "/#start"
    assert seen.count("3") == 2, "the mistake was made, then put back"
    assert {"0", "1", "8", "15"} <= set(seen)
    phone.get_by_test_id("language").tap()
    phone.get_by_test_id("said").get_by_text("课程结束了").wait_for()
    phone.get_by_test_id("way-play").tap()
    phone.get_by_test_id("start").wait_for()


def do_what_is_asked(phone: Page) -> None:
    """The first of these that the page shows: put back, go on, toss, an act offered, a coin lit up, DONE."""
    for way in ("put-back", "next", "toss", "offer-0"):
        button = phone.get_by_test_id(f"way-{way}")
        if button.count():
            if way == "put-back":
                refusal = phone.get_by_test_id("refusal")
                clause = refusal.locator("a").get_attribute("href") or ""
                assert REFUSALS[clause] in refusal.inner_text()
            button.tap()
            return
    lit = phone.locator(".boxed.lit")
    if lit.count():
        lit.tap()
        phone.locator(".zone.lit .outline").tap()
    else:
        phone.get_by_test_id("way-done").tap()


# The toss decides which: a row with pennies, or, once in 32 tosses, an empty one.
REFUSALS = {
    "/rules/steal#steal.place.limit": "A nickel is too high",
    "/rules/steal#steal.place.first": "Your row is empty, so it begins with a penny, not a nickel.",
}
