"""A toss on the virtual table: its clip plays in the dispute, slowly, and under the keys; the overlay shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.journeys.evening import Evening
from tests.web.browsing import box_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SHOWN = "canvas => [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data].reduce("
SHOWN += "(sum, value, k) => (sum * 31 + value * (k % 251)) % 1000003, 7)"


def picture(page: Page) -> int:
    """A number that changes with the picture that the clip shows."""
    shown: int = page.get_by_test_id("clip-picture").evaluate(SHOWN)
    return shown


@pytest.mark.long
def test_a_toss_is_seen_again_in_slow_motion_and_on_the_overlay(evening: Evening) -> None:
    evening.kiosk.goto(f"{evening.served.url}overlay?scale=2")
    evening.begin("steal")
    state = evening.wait(lambda s: s["prompt"]["kind"] == "flip", "the first toss to be due")
    evening.touch(evening.ann, "toss", state)
    state = evening.wait(lambda s: (s["ruling"]["action"] or {}).get("do") == "flip", "the toss to be ruled on")
    page, see = evening.ann, evening.ann.get_by_test_id
    number = state["ruling"]["evidence"]
    evening.served.until(lambda: evening.served.get(f"api/evidence/{number}")["clip"], lambda: "the clip to be kept")

    evening.shown(page, state)
    see("dispute").click()
    see("clip-picture").wait_for()
    last = int(see("clip-scrubber").get_attribute("max") or 0)
    assert last >= 3, "the hand over the tray is seen as it moves"
    assert "before" in see("clip-at").inner_text()
    first = picture(page)

    see("clip-scrubber").focus()
    page.keyboard.press("End")
    assert see("clip-scrubber").input_value() == str(last)
    assert see("clip-at").inner_text() == "0.0 s before"
    rest = picture(page)
    assert rest != first
    page.keyboard.press("ArrowLeft")
    assert see("clip-scrubber").input_value() == str(last - 1)
    assert picture(page) != rest, "a hand was over the tray"
    see("clip-picture").scroll_into_view_if_needed()

    see("clip-speed-0.25").click()
    assert see("clip-speed-0.25").get_attribute("aria-pressed") == "true"
    see("clip-scrubber").focus()
    page.keyboard.press("Home")
    see("clip-play").click()
    assert see("clip-play").inner_text() == "Pause"
    page.wait_for_function(
        "last => document.querySelector('[data-testid=clip-scrubber]').value === last", arg=str(last)
    )
    see("clip-play").filter(has_text="Play").wait_for()
    assert picture(page) == rest
    overlay_is_transparent(evening)


def overlay_is_transparent(evening: Evening) -> None:
    """The overlay shows the toss; beside and between its cards every pixel is that of the picture below."""
    page, colour = evening.kiosk, {"r": 30, "g": 90, "b": 160, "a": 1}
    page.get_by_test_id("tossed").nth(4).wait_for()
    assert page.get_by_test_id("tossed").count() == 5
    page.context.new_cdp_session(page).send("Emulation.setDefaultBackgroundColorOverride", {"color": colour})
    shown = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    first, second = (box_of(page.get_by_test_id(name)) for name in ("turn", "score"))
    between = round((first["y"] + first["height"] + second["y"]) / 2)
    below = (160, 90, 30)  # BGR
    assert (shown[:, 1000:] == below).all()
    assert (shown[between, 40:700] == below).all()
    assert not (shown[round(first["y"]) + 10, 40:700] == below).all(), "a card is seen"
