"""A photo of a map is scored on the page, and a person says what lies where the photo leaves a doubt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from lab.reading.phone import Position, lay
from tablecoin import mat as mats
from tablecoin.coins import Coin, Face, Heap
from tablecoin.rules.coin_age import maps
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.view import View
from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def page(serve: Callable[..., Running], browsers: Browsers) -> Page:
    """The page at /score of a running tablecoin, on a phone."""
    page = browsers.page("ann", {"width": 390, "height": 844})
    page.goto(serve().url + "score")
    return page


@pytest.mark.heavy  # a journey
def test_a_thing_on_a_space_is_shown_and_its_answer_counts(page: Page) -> None:
    """A key lies on F1, and nothing says which coin is below it."""
    see = page.get_by_test_id
    see("photo").set_input_files(_photo())
    see("score-go").click()
    see("doubt-0").get_by_role("heading", name="F1").wait_for()
    assert (see("score-heads").inner_text(), see("score-tails").inner_text()) == ("9", "1")
    see("doubt-0").get_by_test_id("answer-other").select_option(label="quarter, tails")
    see("doubt-0").wait_for(state="detached")
    assert (see("score-heads").inner_text(), see("score-tails").inner_text()) == (
        "9",
        "9",
    )  # twice 4, and 1 in the bank
    see("change-0").click()
    see("doubt-0").get_by_role("button", name="empty").click()
    see("doubt-0").wait_for(state="detached")
    assert see("score-tails").inner_text() == "1"


@pytest.mark.long
def test_a_coin_that_was_misread_is_put_right_on_the_photo_and_the_picture_is_shared(page: Page) -> None:
    see = page.get_by_test_id
    see("camera").set_input_files(_photo())  # a photo just taken is read at once
    see("winner").filter(has_text="Heads wins").wait_for()
    see("space-M1").press("Enter")
    see("fix-dime-tails").click()
    see("winner").filter(has_text="Tails wins").wait_for()
    with page.expect_download() as shared:
        see("share").click()
    picture = cv2.imread(str(shared.value.path()))
    assert picture is not None
    assert picture.shape[1] == 1800
    see("unfix-M1").click()
    see("winner").filter(has_text="Heads wins").wait_for()


def _photo() -> FilePayload:
    """The classic map with a quarter on M1, a coin in each bank, and a key on F1."""
    table = mats.load("coin-age:classic")
    stacks: dict[str, tuple[Coin, ...]] = {space.id: () for space in maps.load("classic").spaces}
    laid = Position(stacks | {"M1": (Coin.QUARTER_HEADS,)}, {Face.HEADS: Heap(penny=1), Face.TAILS: Heap(nickel=1)})
    view = View.over(table, size_px=(2016, 1512), distance_mm=600, tilt_deg=15)
    image = Renderer(table, view, Light(noise=2)).picture(lay(laid, table, 5))
    x, y = table.zone("space.F1").area.center_mm
    key = view.to_px([(x - 4, y - 9), (x + 4, y - 9), (x + 4, y + 9), (x - 4, y + 9)])
    cv2.fillPoly(image, [key.round().astype(np.int32)], (60, 70, 75), cv2.LINE_AA)
    return {"name": "map.jpg", "mimeType": "image/jpeg", "buffer": cv2.imencode(".jpg", image)[1].tobytes()}
