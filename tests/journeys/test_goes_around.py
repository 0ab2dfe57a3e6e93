"""What Goes Around: two phones choose in secret, the computer plays the third seat, the kiosk reveals."""

from __future__ import annotations

import json

import pytest

from tests.journeys.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


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
    over = e.wait(lambda s: s["game"]["outcome"], "the end")
    winner = over["game"]["outcome"]["winners"][0]
    e.kiosk.locator(f'[data-testid="seat-{winner}"].winner').wait_for()
    assert e.kiosk.get_by_test_id("what").inner_text() == over["prompt"]["text"]
