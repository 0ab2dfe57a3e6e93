"""The wizard's page: every sentence a step may fail with is seen on a phone, in both languages, with what to do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tablecoin import mat as mats
from tests.web.failing_wizard import FailingWizard, failures, filled, todo
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app


@pytest.fixture
def wizard() -> FailingWizard:
    return FailingWizard()


@pytest.fixture
def page(live: QuietTable, wizard: FailingWizard, stage: Stage) -> Page:
    live.virtual = None  # a real camera
    stage.shows(create_app(live, wizard=wizard), live)
    return stage.open("/calibrate", calls_may_fail=True)


@pytest.mark.browser
@pytest.mark.parametrize(
    "ways", [failures()[:: len(failures()) // 3], pytest.param(failures(), marks=pytest.mark.long)], ids=["some", "all"]
)
def test_every_way_to_fail_is_seen_with_what_to_do(
    page: Page, wizard: FailingWizard, ways: list[tuple[str, str]]
) -> None:
    see = page.get_by_test_id
    for step, key in ways:
        wizard.fails_with = key
        see(f"cal-step-{step}").click()
        see("cal-run").click()
        for language, other in (("en", "zh"), ("zh", "en")):
            see("cal-said").filter(has_text=filled(key)[language]).wait_for()
            see("cal-todo").filter(has_text=filled(todo(key))[language]).wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, (key, language)
            see("language").click()
            page.wait_for_function("lang => document.documentElement.lang.startsWith(lang)", arg=other)


@pytest.mark.browser
def test_who_has_no_mat_yet_prints_one(page: Page) -> None:
    see = page.get_by_test_id
    assert not see("cal-print").is_visible()
    see("cal-step-markers").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/two-row.pdf?paper=letter"  # the browser says en-US
    see("cal-mat").select_option("coin-age:forest")
    see("cal-paper").select_option("a4")
    with page.expect_download() as printed:
        see("cal-pdf").click()
    assert printed.value.suggested_filename == "coin-age-forest-a4.pdf"
    see("language").click()
    said = "title => document.querySelector('#cal-mat option:checked').textContent === title"
    page.wait_for_function(said, arg=mats.load("coin-age:forest").title["zh"])
    see("cal-step-lens").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/charuco.pdf?paper=a4"
    see("cal-step-markers").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/two-row.pdf?paper=a4"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_the_wizard_fits_the_smallest_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    for step in ("markers", "lens", "enrol"):
        page.get_by_test_id(f"cal-step-{step}").click()
        assert page.evaluate("document.documentElement.scrollWidth") == 320, step
    broken = """() => [...document.querySelectorAll(".steps button")].filter((each) => {
      each.style.overflowWrap = "normal"; // a word too long sticks out then
      return each.scrollWidth > each.clientWidth;
    }).map((each) => each.textContent)"""
    assert page.evaluate(broken) == []
