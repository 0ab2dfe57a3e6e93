"""The tones of the page: off at first, only what the owner chose, and only in a browser where somebody touched it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tablecoin.panel.tunes import TUNES, Sound
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

pytestmark = pytest.mark.browser

HEARD: tuple[Sound, ...] = ("turn", "tossed")
LISTEN = """() => {
  window.heard = [];
  class Silent {
    currentTime = 0;
    destination = {};
    createGain() {
      return { gain: { setValueAtTime() {}, setTargetAtTime() {} }, connect: (to) => to };
    }
    createOscillator() {
      const frequency = { value: 0 };
      return { frequency, connect: (to) => to, start: () => window.heard.push(frequency.value), stop() {} };
    }
  }
  window.AudioContext = Silent;
}"""
TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


@pytest.fixture
def page(live: QuietTable, stage: Stage) -> Page:
    """A game of Steal in which a toss is due; every tone is noted by its frequency in `window.heard`."""
    live.command({"start": {"game": "steal", "options": {"starter": "tails"}}}, None)
    stage.shows(create_app(live, sounds=HEARD), live)
    tab = stage.open("/#table", script=f"({LISTEN})()")
    tab.get_by_test_id("toss").wait_for()
    return tab


def heard(page: Page) -> list[float]:
    told: list[float] = page.evaluate("window.heard")
    return told


def tones(sound: str) -> list[float]:
    return [beep.hz for beep in TUNES[sound] if beep.hz]


def shown(page: Page, live: QuietTable) -> None:
    page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=live.snapshot().seq)


def test_what_happened_is_heard_once_somebody_switched_it_on(page: Page, live: QuietTable) -> None:
    live.command({"act": TOSS}, None)
    shown(page, live)
    assert heard(page) == []

    page.get_by_test_id("menu").click()
    page.get_by_test_id("tones").check()
    assert heard(page) == tones("press")
    live.command({"act": {"do": "place", "coin": "dime"}}, "tails")  # refused: silenced by the owner
    shown(page, live)
    live.command({"act": {"do": "place", "coin": "penny"}}, "tails")
    live.command({"act": {"do": "done"}}, "tails")
    live.arrange()
    live.see()  # only a table at rest hands the turn on
    shown(page, live)
    page.wait_for_function("count => window.heard.length === count", arg=len(tones("press") + tones("turn")))
    assert heard(page) == tones("press") + tones("turn")


def test_a_page_that_nobody_touched_keeps_silent(page: Page, live: QuietTable, stage: Stage) -> None:
    untouched = "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })"
    stage.run_before(page, untouched)  # what Playwright asks of a page counts as a touch
    page.evaluate("localStorage.setItem('tones', 'yes')")
    page.reload()
    page.get_by_test_id("toss").wait_for()
    live.command({"act": TOSS}, None)
    shown(page, live)
    assert page.locator("#tones").is_checked()
    assert heard(page) == []
