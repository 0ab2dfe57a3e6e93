"""The overlay of a streaming program: transparent, readable over every picture, and it shows what it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tablecoin.referee.snapshot import Choice, Odds, Prompt
from tablecoin.vision.frame import Image
from tests.web.browsing import box_of
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}

pytestmark = pytest.mark.browser


@pytest.fixture
def overlay(live: QuietTable, stage: Stage) -> Callable[[str], Page]:
    """`overlay("?scale=2")` opens the page on a game of Steal in which Tails is to act, and waits until it shows it."""
    live.command({"start": {"game": "steal", "options": {"starter": "tails"}}}, None)
    stage.shows(create_app(live), live)
    tabs: list[Page] = []

    def opened(query: str = "") -> Page:
        if tabs:
            tabs[0].goto(f"/overlay{query}")
        else:
            tabs.append(stage.open(f"/overlay{query}", (640, 480)))
        tabs[0].locator("body[data-seq]").wait_for()
        return tabs[0]

    return opened


def over(page: Page, rgb: tuple[int, int, int]) -> Image:
    """The page as it looks over one colour, as (H, W, 3) uint8, BGR."""
    red, green, blue = rgb
    colour = {"r": red, "g": green, "b": blue, "a": 1}
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setDefaultBackgroundColorOverride", {"color": colour})
    shown = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    browser.send("Emulation.setDefaultBackgroundColorOverride")
    browser.detach()
    assert shown is not None
    return np.asarray(shown, np.uint8)


def test_letters_are_readable_over_a_bright_and_a_dark_picture(
    live: QuietTable, overlay: Callable[[str], Page]
) -> None:
    """The contrast of WCAG 2.2 (1.4.3) between the card's ground and its brightest letters is at least 7 to 1."""
    page = overlay("?show=ruling&scale=2")
    live.command({"act": TOSS}, None)
    page.get_by_test_id("ruling").filter(has_text="pennies").wait_for()
    box = box_of(page.get_by_test_id("ruling"))
    x, y, width, height = (round(box[side]) for side in ("x", "y", "width", "height"))
    for name, rgb in (("bright", (255, 255, 255)), ("dark", (0, 0, 0))):
        card = over(page, rgb)[y + 8 : y + height - 8, x + 24 : x + width - 8].reshape(-1, 3)
        light = np.sort(luminance(card))
        ground, letters = light[len(light) // 2], light[-20]
        assert (letters + 0.05) / (ground + 0.05) >= 7, name


def luminance(bgr: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    share = bgr / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.0722, 0.7152, 0.2126]))


SHOWN = {  # query -> the cards, from the top
    "": ["turn", "score", "toss", "ruling"],
    "?show=score": ["score"],
    "?show=ruling,turn": ["ruling", "turn"],
    "?show=chances": [],  # the snapshot has none
    "?show=nonsense,toString": ["turn", "score", "toss", "ruling"],
}


def test_the_query_says_what_is_shown_and_in_which_order(live: QuietTable, overlay: Callable[[str], Page]) -> None:
    live.command({"act": TOSS}, None)
    for query, names in SHOWN.items():
        cards = overlay(query).locator("section").all()
        assert [card.get_attribute("data-testid") for card in cards] == names, query


def test_size_side_and_language_come_from_the_query(live: QuietTable, overlay: Callable[[str], Page]) -> None:
    small = box_of(overlay("").get_by_test_id("turn"))
    page = overlay("?scale=1.5&side=right&lang=zh")
    large = box_of(page.get_by_test_id("turn"))
    assert large["height"] == pytest.approx(1.5 * small["height"], rel=0.02)
    assert large["x"] + large["width"] == pytest.approx(640 - 24, abs=1)
    assert page.get_by_test_id("turn").inner_text() == "掷硬币"
    for wrong in ("?scale=0", "?scale=x", "?scale=-3", "?lang=xx&side=up"):
        assert box_of(overlay(wrong).get_by_test_id("turn")) == small, wrong


def test_it_has_no_controls_and_no_link(live: QuietTable, overlay: Callable[[str], Page]) -> None:
    choices = [Choice(text, {"en": text, "zh": text}, None, None, False) for text in ("I placed a penny", "Nothing")]
    live.shows(prompt=Prompt("tails", "question", "What did you just do?", {}, tuple(choices)))
    assert overlay("").locator("button, input, select, a, [tabindex]").count() == 0


def test_the_chances_appear_when_the_snapshot_has_them(live: QuietTable, overlay: Callable[[str], Page]) -> None:
    page = overlay("?show=chances")
    assert page.locator("section").count() == 0
    live.shows(odds=Odds(1, {"heads": 0.375, "tails": 0.625}, 0.0, ()))
    page.get_by_test_id("chances").filter(has_text="63 %").wait_for()
    assert page.get_by_test_id("chances").locator("progress").first.get_attribute("value") == "0.375"


STREAM_FAILS = """(() => {
  const Stream = EventSource, every = setInterval, now = performance.now.bind(performance);
  window.EventSource = class {
    static CLOSED = 2;
    readyState = 2;
    constructor(address) {
      if (window.mended) return new Stream(address);
    }
    close() {}
  };
  window.setInterval = (act, ms) => every(act, ms / 20);
  performance.now = () => 20 * now();
})()"""  # and time runs faster: the page waits 2 s else


def test_while_the_stream_fails_the_page_asks_for_the_state(live: QuietTable, stage: Stage) -> None:
    live.command({"start": {"game": "steal", "options": {"starter": "tails"}}}, None)
    stage.shows(create_app(live), live)
    page = stage.open("/overlay?show=turn", script=STREAM_FAILS)
    turn = page.get_by_test_id("turn")
    expect(turn).to_have_text("Toss the coins")
    live.command({"act": TOSS}, None)
    expect(turn).to_have_text("Tails’ turn")
    with page.expect_request("**/api/stream*"):  # it is opened again and again
        page.evaluate("window.mended = true")
