"""The drawn table in Chromium: what is wrong is marked at the coins, and coins keep their metal in every view."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Locator, Page

from tablecoin.coins import Denomination
from tablecoin.referee.snapshot import Mark
from tablecoin.vision.place.plane import Plane, matrix_of
from tests.web.browsing import box_of
from tests.web.quiet import MAT, PX_PER_MM, QuietTable

pytestmark = pytest.mark.browser

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def row(zone_top_mm: float, *kinds: str) -> list[dict[str, object]]:
    """Coins in a line, heads up, 40 mm apart."""
    return [
        {"denomination": kind, "face": "heads", "x_mm": 70.0 + 40 * k, "y_mm": zone_top_mm, "angle_deg": 0.0}
        for k, kind in enumerate(kinds)
    ]


@pytest.fixture
def steal(live: QuietTable) -> QuietTable:
    """A toss was read: three pennies lie right in Heads' row and two in Tails'."""
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)
    live.command({"act": TOSS}, None)
    lay(live, row(250, *["penny"] * 3) + row(40, *["penny"] * 2))
    return live


def lay(live: QuietTable, coins: list[dict[str, object]], *marks: Mark) -> None:
    """Have the table seen with these coins on it, and say that hands have this to do."""
    live.table.put_json({"coins": coins})
    live.see()
    live.shows(table=replace(live.snapshot().table, marks=marks))


def shown(page: Page, live: QuietTable) -> None:
    """Wait until the page shows the newest snapshot."""
    page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=live.snapshot().seq)


def place_of(mark: Locator) -> tuple[float, float]:
    """Where a mark lies on the mat, mm."""
    x, y = mark.evaluate("each => { const {e, f} = each.transform.baseVal[0].matrix; return [e, f]; }")
    return x, y


@pytest.mark.parametrize("view", ["drawn", pytest.param("mat", marks=pytest.mark.long)])
def test_a_wrong_coin_is_crossed_out_and_an_arrow_shows_where_it_belongs(
    page: Page, steal: QuietTable, view: str
) -> None:
    see = page.get_by_test_id
    see(f"view-{view}").click()
    shown(page, steal)
    assert page.locator("#mat .mark").count() == 0
    coins = [*row(250, "penny", "penny"), *row(40, "penny", "penny"), *row(60, "dime", "penny", "quarter")[1:]]
    kinds = Denomination.PENNY, Denomination.QUARTER
    marks = (
        Mark("move", 4, kinds[0], None, "row.heads", (150.0, 250.0)),
        Mark("take", 5, kinds[1], None, "row.tails"),
    )
    lay(steal, coins, *marks)
    shown(page, steal)
    assert {what: place_of(see(f"mark-{what}")) for what in ("away", "leave", "here")} == {
        "away": (150, 60),
        "leave": (110, 60),
        "here": (150, 250),
    }
    assert see("mark-way").get_attribute("data-denomination") == "penny"
    assert see("mark-way").count() == 1  # where the quarter goes is not on the mat
    assert page.locator(".coin.marked").count() == 2
    colours = {
        what: page.locator(f".mark.{what} .line").first.evaluate("each => getComputedStyle(each).stroke")
        for what in ("away", "here")
    }
    assert colours["away"] != colours["here"]
    dashes = {
        what: page.locator(f".mark.{what} .line").first.evaluate("each => getComputedStyle(each).strokeDasharray")
        for what in ("away", "here")
    }
    assert dashes["away"] == "none" != dashes["here"]
    lay(steal, row(250, *["penny"] * 3) + row(40, *["penny"] * 2))
    page.locator("#mat .mark").first.wait_for(state="detached")


def test_drawn_coins_keep_their_metal_in_every_view(page: Page, steal: QuietTable) -> None:
    shown(page, steal)
    for view in ("drawn", "mat", "camera"):
        page.get_by_test_id(f"view-{view}").click()
        page.wait_for_function("view => document.body.dataset.view === view", arg=view)
        picture = page.locator(".boxed:has([data-testid=box-penny]) svg").screenshot()
        pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), dtype=int)
        red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
        copper = (red > green + 30) & (green > blue) & (red > 120)
        assert copper.mean() > 0.2, view  # the disc covers 0.39 of its picture, letter and value lie on it


def test_over_the_cameras_picture_marks_lie_where_the_mat_lies_in_it(page: Page, steal: QuietTable) -> None:
    """The camera looks from aside: the far edge of the mat is shorter. A tap still finds the coin under it."""
    width, height = MAT.width_mm, MAT.height_mm
    mat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    shares = np.array([(0.3, 0.2), (0.7, 0.2), (0.9, 0.8), (0.1, 0.8)], np.float32)  # from the far left, clockwise
    in_picture = shares * (width * PX_PER_MM, height * PX_PER_MM)
    plane = matrix_of(cv2.getPerspectiveTransform(in_picture.astype(np.float32), mat))
    steal.plane_seen = Plane(MAT, plane, None, (), (), 0.0)
    steal.film()
    coins = row(250, *["penny"] * 3) + row(40, *["penny"] * 2)
    lay(steal, coins, Mark("take", 4, Denomination.PENNY, None, "row.tails"))
    page.get_by_test_id("view-camera").click()
    page.locator('body[data-seen="yes"]').wait_for()
    shown(page, steal)
    picture = width / height
    stage = box_of(page.get_by_test_id("stage"))
    wide = min(stage["width"], stage["height"] * picture)
    left, top = stage["x"] + (stage["width"] - wide) / 2, stage["y"] + (stage["height"] - wide / picture) / 2
    corners = shares * (wide, wide / picture) + (left, top)
    seen = cv2.getPerspectiveTransform(mat, corners.astype(np.float32))
    mark = box_of(page.get_by_test_id("mark-away"))
    (((x, y),),) = cv2.perspectiveTransform(np.array([[(110.0, 40.0)]], np.float32), seen)
    assert (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2) == pytest.approx((x, y), abs=2)
    page.get_by_test_id("mode-read").click()
    page.mouse.click(float(x), float(y))
    page.get_by_test_id("correct").wait_for()
    steal.plane_seen = None  # the mat is not found any more
    steal.film()
    lay(steal, row(250, "penny"))
    page.locator('body[data-seen="no"]').wait_for()
    assert not page.get_by_test_id("mat").is_visible()
