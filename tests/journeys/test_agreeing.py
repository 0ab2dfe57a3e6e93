"""What two people settle between them, on two phones: a coin corrected, a toss corrected in a dispute, play from before
a ruling, an undo that the other agrees to, and one that nobody answers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import TOUCH_S, TOUCHES, Evening
from tests.journeys.running import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PENNY = {"do": "place", "coin": "penny"}


@pytest.fixture
def tossed(evening: Evening) -> Evening:
    """Steal between Ann and Bob. Their five pennies were tossed, and lie in the tray as they fell."""
    e = evening
    e.begin("steal", options={"starter": "heads"})
    for seat, phone in (("heads", e.ann), ("tails", e.bob)):
        e.sit(phone, seat)
    state = e.wait(lambda s: s["prompt"]["kind"] == "flip" and s["table"]["settled"], "the first toss to be due")
    e.press(e.ann, "toss", state, e.served.truth)
    e.wait(lambda s: s["game"]["phase"] == "turn", "the toss to be read")
    return e


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_what_the_other_agrees_to_is_corrected_or_taken_back(tossed: Evening, language: str) -> None:
    e = tossed
    fell = e.state()["game"]["rows"]

    # Ann taps a penny in the tray that shows heads, and says that it shows tails. Bob agrees.
    state = e.wait(lambda s: s["table"]["settled"] and heads_in_tray(s), "the pennies in the tray")
    e.ann.get_by_test_id("view-drawn").click()
    e.ann.get_by_test_id("mode-read").click()
    e.shown(e.ann, state)
    e.ann.get_by_test_id(f"grip-{heads_in_tray(state)[0]}").press("Enter")
    e.ann.get_by_test_id("correct-penny-tails").click()
    says(e.bob, "agree")
    corrected = e.wait(lambda s: s["game"]["rows"] != fell, "the corrected toss")
    assert pennies(corrected) == (fell["heads"]["penny"] - 1, fell["tails"]["penny"] + 1)

    # Bob disputes that: in the list of the toss he turns the penny back. Ann agrees.
    disputes(e, e.bob, corrected)
    tails = corrected["ruling"]["action"]["coins"].index("penny:tails")
    e.bob.get_by_test_id(f"toss-coin-{tails}").click()
    e.bob.get_by_test_id("toss-correct").click()
    says(e.ann, "agree")
    e.wait(lambda s: s["game"]["rows"] == fell, "the toss as it fell")
    for page in e.pages:
        page.get_by_test_id("ruling-text").get_by_text("更正").wait_for()

    # Ann places a penny. Bob disputes that, and wants to play on from before it. Ann agrees.
    before = e.ready()["game"]
    disputes(e, e.bob, e.tap(e.ann, PENNY))
    e.bob.locator("#evidence .close").click()
    says(e.bob, "replay")
    says(e.ann, "agree")
    e.wait(lambda s: s["game"] == before, "the game from before the penny")

    # She places it again. Bob asks to undo, and she agrees.
    e.shown(e.bob, e.tap(e.ann, PENNY))
    asks_to_undo(e.bob, "请求悔棋")
    says(e.ann, "agree")
    e.wait(lambda s: s["game"] == before, "the undo")
    assert e.ready()["game"] == before


@pytest.mark.long
def test_what_nobody_answers_stays_after_twenty_seconds(tossed: Evening) -> None:
    e = tossed
    placed = e.tap(e.ann, PENNY)
    e.shown(e.bob, placed)
    asks_to_undo(e.bob, "Ask to undo")
    e.wait(lambda s: s["prompt"]["kind"] == "consent", "the question to Ann")
    e.ann.locator('[data-does="agree"]').wait_for()
    stays = e.wait(lambda s: s["prompt"]["kind"] != "consent", "the end of the twenty seconds")
    assert stays["game"] == placed["game"]
    for page in e.pages:
        page.get_by_test_id("ruling-text").get_by_text("Heads did not answer in time").wait_for()


def disputes(e: Evening, page: Page, state: Json) -> None:
    """Dispute the last ruling, which `state` shows, and look at what it rests on."""
    e.shown(page, state)
    page.get_by_test_id("dispute").click()
    page.locator("#evidence-body .verdict").wait_for()


def asks_to_undo(page: Page, words: str) -> None:
    page.get_by_test_id("undo").filter(has_text=words).click()


def says(page: Page, does: str) -> None:
    """Touch a choice until it is gone: there are only twenty seconds to agree, and a page may swallow a touch."""
    from playwright.sync_api import TimeoutError as NotYet

    choice = page.locator(f'[data-does="{does}"]')
    choice.wait_for()
    for _ in range(TOUCHES):
        with suppress(NotYet):
            choice.click(timeout=TOUCH_S * 1000)
            choice.wait_for(state="detached", timeout=TOUCH_S * 1000)
            return


def heads_in_tray(state: Json) -> list[int]:
    """The numbers of the coins in the tray that were read as heads."""
    coins = state["table"]["coins"]
    return [coin["i"] for coin in coins if coin["zone"] == "tray" and coin["face"] == "heads"]


def pennies(state: Json) -> tuple[int, int]:
    heads, tails = (state["game"]["rows"][seat].get("penny", 0) for seat in ("heads", "tails"))
    return heads, tails
