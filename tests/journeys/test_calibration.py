"""Setting up a table in a real browser, from the first start to the measured pass, with every failure on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

PATIENCE_MS = 120_000


class Newcomer:
    """A person with the wizard's page open and hands for the virtual table."""

    def __init__(self, page: Page, served: Running) -> None:
        self.page, self.served = page, served
        page.goto(f"{served.url}calibrate")
        self.at("cal-sharpness").wait_for(timeout=PATIENCE_MS)

    def at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def set(self, **change: object) -> None:
        """Change the virtual table, then wait until a frame shows it."""
        self.served.send("PUT", "api/virtual", change)
        self.served.wait_for_frames()

    def run(self) -> tuple[bool, str, str]:
        """Press the step's button: (whether it succeeded, what it found, what to do)."""
        self.at("cal-run").click()
        self.page.locator("#cal-run:not([disabled])").wait_for(timeout=PATIENCE_MS)
        result = self.page.locator("#cal-result:not([hidden])")
        result.wait_for(timeout=PATIENCE_MS)
        ok = result.get_attribute("data-ok") == "yes"
        return ok, self.at("cal-said").inner_text(), self.at("cal-todo").inner_text()

    def fails(self, said: str) -> None:
        ok, why, todo = self.run()
        assert not ok, why
        assert said in why
        assert len(todo) > 10, "a failure must say what to do"

    def succeeds(self) -> None:
        ok, why, todo = self.run()
        assert ok, f"{why} {todo}"
        self.page.locator("#cal-found:not([hidden])").wait_for(timeout=PATIENCE_MS)  # the picture of what it saw

    def asks_for_more(self, todo: str) -> None:
        """The step found nothing wrong and needs more."""
        _, why, what = self.run()
        assert self.page.locator("#cal-result").get_attribute("data-ok") == "more", why
        assert todo in what

    def next(self) -> None:
        self.at("cal-next").click()

    def lay_for_step(self) -> None:
        with self.page.expect_response("**/api/virtual"):
            self.at("cal-set").click()
        self.served.wait_for_frames()


@pytest.mark.heavy  # a journey
def test_the_first_steps_of_the_wizard(serve: Callable[..., Running], browsers: Browsers, tmp_path: Path) -> None:
    page = browsers.page("ann", {"width": 390, "height": 844})
    newcomer = Newcomer(page, serve(seed=3))
    newcomer.set(faults={"dim_light": True})
    newcomer.fails("Too dark")
    newcomer.set(faults={"dim_light": False})
    newcomer.succeeds()
    newcomer.next()
    newcomer.succeeds()  # the mat
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    kept = json.loads((tmp_path / "data" / "calibration.json").read_text("utf-8"))
    assert (kept["camera"], kept["plane"]["mat"]) == ("virtual table", "two-row")


@pytest.mark.long
def test_the_wizard_from_first_start_to_measured_pass(
    serve: Callable[..., Running], browsers: Browsers, tmp_path: Path
) -> None:
    served = serve(seed=3)
    page = browsers.page("ann", {"width": 390, "height": 844})
    newcomer = Newcomer(page, served)
    assert "not calibrated" in page.get_by_test_id("cal-file").inner_text()

    # focus and light
    for fault, said in (("dim_light", "Too dark"), ("blur", "not sharp"), ("glare", "reflects a lamp")):
        newcomer.set(faults={fault: True})
        newcomer.fails(said)
        newcomer.set(faults={fault: False})
    newcomer.succeeds()
    newcomer.next()

    # the mat
    newcomer.set(faults={"marker_lost": True})
    newcomer.fails("1 of the 8 markers")
    newcomer.set(faults={"marker_lost": False}, board=0)
    newcomer.fails("No marker")
    newcomer.set(board=None)
    newcomer.succeeds()
    newcomer.next()

    # the lens
    newcomer.fails("lens board is not seen")
    ok = False
    for _ in range(16):
        newcomer.lay_for_step()
        ok, why, _todo = newcomer.run()
        if ok:
            break
        assert "Picture" in why or "nearly the same" in why
    assert ok, why
    newcomer.next()

    # light and locks
    newcomer.set(board=None, hand=True)
    newcomer.fails("Something lies over the mat")
    newcomer.set(hand=False)
    coin = {"denomination": "dime", "face": "heads", "x_mm": 120.0, "y_mm": 50.0}
    newcomer.set(coins=[coin])
    newcomer.fails("Coins lie on the mat: 1")
    newcomer.lay_for_step()
    newcomer.succeeds()
    newcomer.next()

    # sizes
    newcomer.fails("No coin")
    newcomer.set(coins=[coin])
    newcomer.fails("one coin of each kind")
    newcomer.lay_for_step()
    newcomer.succeeds()
    newcomer.next()

    # this table's own coins, from both sides; the last failure is that nobody turned them over
    newcomer.set(coins=[])
    newcomer.fails("No coin")
    newcomer.lay_for_step()
    newcomer.at("tray-penny-more").click()
    newcomer.fails("There should be 13 coins; 12 are seen")
    newcomer.at("tray-penny-less").click()
    newcomer.asks_for_more("Now turn every coin over so that tails is up")
    newcomer.fails("of the 12 coins")
    newcomer.lay_for_step()
    newcomer.succeeds()
    newcomer.next()

    # the measured pass
    newcomer.set(coins=[])
    newcomer.fails("No coin")
    newcomer.lay_for_step()
    newcomer.succeeds()
    assert page.get_by_test_id("cal-play").is_visible()
    assert page.get_by_test_id("cal-passes").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    # Chinese, a step repeated, and what is on the disk
    page.get_by_test_id("language").click()
    page.locator("[data-testid=cal-said]", has_text="正确").wait_for(timeout=PATIENCE_MS)
    page.get_by_test_id("cal-step-markers").click()
    newcomer.set(coins=[])
    newcomer.succeeds()
    kept = json.loads((tmp_path / "data" / "calibration.json").read_text("utf-8"))
    assert kept["camera"] == "virtual table"
    assert kept["lens"]
    assert kept["light"]
    assert kept["plane"]["mat"] == "two-row"
    assert len(kept["sizes"]) == 4
    newest = kept["passes"][-1]
    assert newest["passed"]
    assert newest["date"]
    assert (newest["right"], newest["coins"]) == (40, 40)
    served.stop()

    # the next start uses the calibration; a broken file does not stop it
    again = serve()
    assert again.get("api/calibrate")["said"].startswith("Calibrated")
    again.stop()
    (tmp_path / "data" / "calibration.json").write_text("{ broken")
    third = serve()
    assert "left aside" in third.get("api/calibrate")["said"]
    assert third.get("api/state")["health"]["camera"] == "virtual table"


@pytest.mark.long
def test_a_frozen_camera_is_noticed_and_set_up_can_start_again(
    serve: Callable[..., Running], browsers: Browsers
) -> None:
    served = serve()
    page = browsers.page("ann", {"width": 1440, "height": 900})
    newcomer = Newcomer(page, served)
    newcomer.succeeds()
    served.send("PUT", "api/virtual", {"faults": {"camera_frozen": True}})
    served.until(lambda: "frozen" in str(served.get("api/state")["health"]), lambda: "the frozen camera to be noticed")
    newcomer.fails("no picture")
    page.get_by_test_id("cal-meters").get_by_text("The camera gives no picture.").wait_for(timeout=PATIENCE_MS)
    newcomer.set(faults={"camera_frozen": False})
    newcomer.succeeds()
    assert page.get_by_test_id("cal-step-aim").get_attribute("data-done") == "yes"
    page.get_by_test_id("cal-restart").click()
    page.locator('[data-testid="cal-step-aim"][data-done="no"]').wait_for(timeout=PATIENCE_MS)


@pytest.mark.long
def test_a_refused_file_of_coins_is_not_told_of_beside_one_that_was_taken(
    serve: Callable[..., Running], browsers: Browsers
) -> None:
    page = browsers.page("ann", {"width": 390, "height": 844})
    page.goto(f"{serve().url}calibrate")
    page.get_by_test_id("known-on").click()
    page.locator("#known-add").wait_for(timeout=PATIENCE_MS)
    page.get_by_test_id("known-file").set_input_files({"name": "a.npz", "mimeType": "", "buffer": b"nonsense"})
    page.locator("#notice", has_text="no file of remembered coins").wait_for(timeout=PATIENCE_MS)
    here = page.request.get(f"{page.url.removesuffix('calibrate')}api/known/coins.npz").body()
    page.get_by_test_id("known-file").set_input_files({"name": "b.npz", "mimeType": "", "buffer": here})
    page.locator("#notice").wait_for(state="hidden", timeout=PATIENCE_MS)
