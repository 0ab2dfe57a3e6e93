"""Teaching a map from a photo in a real browser, then scoring a second photo of it with coins on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from lab.reading import drawn_card, phone
from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Coin, Face
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import tally
from tablecoin.storage import mapfiles
from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response, ViewportSize

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PHONE: ViewportSize = {"width": 420, "height": 900}


def is_guess_of_all(answer: Response) -> bool:
    """Whether this answers which of all ten spaces are neighbours."""
    sent = answer.request.post_data_json if answer.url.endswith("/api/teach/guess") else None
    return sent is not None and len(sent["spaces_px"]) == 10


def on_page(page: Page, at_px: tuple[float, float]) -> tuple[float, float]:
    """Where a pixel of the photo lies in the window, in CSS pixels."""
    width = page.get_by_test_id("teach-picture").evaluate("picture => picture.naturalWidth")
    box = page.get_by_test_id("teach-picture").bounding_box()
    assert box
    scale = box["width"] / width
    return box["x"] + at_px[0] * scale, box["y"] + at_px[1] * scale


@pytest.mark.long
def test_a_card_is_taught_and_scored(serve: Callable[..., Running], browsers: Browsers, tmp_path: Path) -> None:
    served = serve()
    photo, to_px = drawn_card.photo()
    lesson = drawn_card.lesson("x", to_px)
    cv2.imwrite(str(tmp_path / "card.jpg"), photo)
    page = browsers.page("ann", PHONE)
    page.goto(served.url + "score")
    page.get_by_test_id("to-teach").click()
    page.get_by_test_id("teach-photo").set_input_files(tmp_path / "card.jpg")
    page.get_by_test_id("corner-3").wait_for()

    page.get_by_test_id("teach-picture").scroll_into_view_if_needed()
    height, width = photo.shape[:2]
    handles = [(x * width, y * height) for x, y in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))]
    for handle, corner in zip(handles, lesson.corners_px, strict=True):
        page.mouse.move(*on_page(page, handle))
        page.mouse.down()
        page.mouse.move(*on_page(page, corner), steps=4)
        page.mouse.up()

    page.get_by_test_id("teach-spaces").click()
    with page.expect_response(is_guess_of_all) as guess:  # the paths are guessed anew with every space
        for number, region in enumerate(lesson.regions):
            if number:  # the first region is there already; a new one is the one that taps go to
                page.get_by_test_id("region-more").click()
            page.get_by_test_id(f"region-name-{number}").fill(str(region.name))
            page.get_by_test_id("teach-picture").scroll_into_view_if_needed()
            for space in lesson.spaces:
                if space.region == region.id:
                    page.mouse.click(*on_page(page, space.at_px))
    assert page.get_by_test_id("teach-taps").locator(".space").count() == 10

    page.get_by_test_id("teach-paths").click()
    before = len(guess.value.json()["neighbours"])
    page.get_by_test_id("teach-taps").locator(".path").nth(before - 1).wait_for(state="attached")
    page.get_by_test_id("space-0").click()
    page.get_by_test_id("space-1").click()  # separate two guessed neighbours …
    assert page.get_by_test_id("teach-taps").locator(".path").count() == before - 1
    page.get_by_test_id("space-0").click()
    page.get_by_test_id("space-1").click()  # … and join them again
    assert page.get_by_test_id("teach-taps").locator(".path").count() == before

    page.get_by_test_id("teach-name").fill("Classic")
    page.get_by_test_id("teach-width").fill("220")
    page.get_by_test_id("teach-height").fill("150")
    page.get_by_test_id("teach-go").click()
    page.get_by_text("comes with tablecoin").wait_for()
    page.get_by_test_id("teach-name").fill("Isle of Change")
    page.get_by_test_id("teach-go").click()
    page.get_by_test_id("teach-done").get_by_text("isle-of-change").wait_for(timeout=120_000)
    assert page.locator("#notice").is_hidden(), "the name that was refused is not told of beside the one that was taken"
    page.screenshot(path=str(tmp_path / "taught.png"), full_page=True)

    mapfiles.look_also_in(tmp_path / "data" / "maps")
    board, mat = maps.load("isle-of-change"), mats.load("coin-age:isle-of-change")
    assert [len(board.within(region.id)) for region in board.regions] == [4, 3, 3]
    tops = {"A1": Coin.QUARTER_HEADS, "A3": Coin.NICKEL_TAILS, "B1": Coin.PENNY_HEADS, "C2": Coin.NICKEL_HEADS}
    position = phone.Position({space.id: (tops[space.id],) if space.id in tops else () for space in board.spaces}, {})
    cv2.imwrite(str(tmp_path / "coins.png"), phone.photo(phone.lay(position, mat, 11), mat, 11))
    page.goto(served.url + "score")
    page.get_by_test_id("photo").set_input_files(tmp_path / "coins.png")
    page.get_by_test_id("map").select_option("isle-of-change")
    page.get_by_test_id("score-go").click()
    page.get_by_test_id("winner").wait_for(timeout=120_000)
    truth = tally(board, tops, dict.fromkeys(Face, EMPTY))
    assert {side: int(page.get_by_test_id(f"score-{side}").inner_text()) for side in Face} == dict(truth.score)
