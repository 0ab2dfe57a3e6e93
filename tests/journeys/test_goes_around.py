"""What Goes Around: two phones choose in secret, the computer plays the third seat, the kiosk reveals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Desk, Evening, Visit
from tests.journeys.running import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.heavy  # a journey
def test_a_round_in_secret(visit: Visit) -> None:
    e = visit
    e.begin("goes-around", computers=["2", "3"], options={"players": 3, "rounds": 1, "start": 4})
    e.ann.get_by_test_id("sit-1").click()
    e.ready()
    e.ann.get_by_test_id("pick-steal").click()
    e.ann.get_by_test_id("target-2").click()
    e.ann.get_by_test_id("amount-more").click()
    e.ann.get_by_test_id("seal").click()
    e.wait(lambda s: s["game"]["phase"] == "reveal", "all choices")
    e.ann.get_by_test_id("peek").click()
    e.ann.get_by_test_id("yours").get_by_text("You steal 2 from seat 2.").wait_for()
    assert e.state("1")["game"]["yours"] == {"action": "steal", "target": "2", "amount": 2}
    for seat in ("", "2", "watch"):
        assert '"amount":2' not in json.dumps(e.state(seat), separators=(",", ":"))
    e.kiosk.get_by_test_id("chosen-1").get_by_text("1 has chosen").wait_for()
    assert "steal 2" not in e.kiosk.locator("main").inner_text().lower()
    assert '"do":"commit"' not in e.ann.request.get(e.served.url + "api/record").text()
    e.kiosk.get_by_test_id("choice-0").click()
    e.wait(lambda s: s["game"]["outcome"], "the end")
    e.shows_the_end("en")


@pytest.mark.long
def test_two_rounds_in_secret(evening: Evening) -> None:
    e = evening
    e.begin("goes-around", computers=["3"], options={"players": 3, "rounds": 2})
    e.ann.get_by_test_id("sit-1").click()
    e.bob.get_by_test_id("sit-2").click()
    e.ready()
    assert e.state()["game"]["banks"] == {"1": 10, "2": 10, "3": 10}

    e.ann.get_by_test_id("pick-steal").click()
    e.ann.get_by_test_id("target-2").click()
    for _ in range(3):
        e.ann.get_by_test_id("amount-more").click()
    e.ann.get_by_test_id("seal").click()
    e.wait(lambda s: "1" in s["game"]["committed"], "Ann's choice")

    # Ann's phone shows what she chose. No other page shows it, and no other seat's snapshot holds it.
    e.ann.get_by_test_id("peek").click()
    e.ann.get_by_test_id("yours").get_by_text("You steal 4 from seat 2.").wait_for()
    assert e.state("1")["game"]["yours"] == {"action": "steal", "target": "2", "amount": 4}
    for seat in ("", "2", "3", "watch"):
        assert '"amount":4' not in json.dumps(e.state(seat), separators=(",", ":"))
    e.kiosk.get_by_test_id("chosen-1").get_by_text("1 has chosen").wait_for()
    for page in (e.kiosk, e.bob):
        assert "steal 4" not in page.locator("main").inner_text().lower()
    assert '"do":"commit"' not in e.ann.request.get(e.served.url + "api/record").text()

    e.bob.get_by_test_id("pick-pass").click()
    e.bob.get_by_test_id("seal").click()
    e.wait(lambda s: s["game"]["phase"] == "reveal", "all choices")
    assert len(e.state()["game"]["committed"]) == 3
    e.kiosk.get_by_test_id("choice-0").click()
    e.wait(lambda s: s["game"]["round"] == 2, "the reveal")
    after = e.ready()["game"]  # the pennies are moved, and the camera has seen them
    assert sum(after["banks"].values()) + after["left_game"] == 30
    e.kiosk.get_by_test_id("deed-1").get_by_text("wanted 4" if after["last"]["1"]["penalty"] else "takes 4").wait_for()

    for page in (e.ann, e.bob):
        page.get_by_test_id("pick-protect").click()
        page.get_by_test_id("seal").click()
    e.wait(lambda s: s["game"]["phase"] == "reveal", "all choices again")
    e.kiosk.get_by_test_id("choice-0").click()
    e.wait(lambda s: s["game"]["outcome"], "the end")
    e.shows_the_end("en")


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_two_rounds_at_a_desk_against_two_computers(desk: Desk, language: str) -> None:
    d, see = desk, desk.ann.get_by_test_id

    def choose(page: Page, seat: str, state: Json) -> None:
        page.get_by_test_id("pick-pass" if state["game"]["round"] == 1 else "pick-protect").click()
        d.press(page, "seal", state, lambda: seat in d.state()["game"]["committed"] or d.state()["game"]["outcome"])
        see("peek").wait_for()

    d.begin("goes-around", computers=["2", "3"], options={"players": 3, "rounds": 2, "start": 4})
    see("sit-1").click()
    d.play_on({"1": d.ann}, choose)
    d.shows_the_end(language)
