"""An evening's second half: a game ends, the seats are swapped in one tap, and both games are found in the history."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.journeys.evening import Evening
from tests.journeys.running import Json

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def play(e: Evening, thief: str, robbed: str) -> Json:
    """One round, entered by hand: who steals has the bigger bank and wins."""
    e.ready()
    steal = {"do": "commit", "seat": thief, "action": "steal", "target": robbed, "amount": 1}
    for act in (steal, {"do": "commit", "seat": robbed, "action": "pass"}, {"do": "reveal"}):
        told = e.served.send("POST", "api/act", act)
        assert told["ok"], told
    over = e.wait(lambda s: s["prompt"]["kind"] == "over", "the end of the game")
    assert over["game"]["outcome"]["winners"] == [thief]
    return over


@pytest.mark.long
def test_a_game_once_more_and_both_in_the_history(evening: Evening) -> None:
    e, see = evening, evening.ann.get_by_test_id
    see("road-start").click()
    see("game-goes-around").click()
    for _ in range(7):
        see("players-less").click()
    e.ann.locator("details.rules").evaluate("each => each.open = true")
    see("option-rounds").fill("1")
    see("option-start").fill("3")
    see("option-best_of").select_option("3 games")
    e.ann.locator('label:has([data-testid="who-2-person"])').click()
    see("name-1").fill("Ann")
    see("name-2").fill("Bob")
    see("start").click()
    begun = e.wait(lambda s: s["game"], "the game to begin")
    assert begun["names"] == {"1": "Ann", "2": "Bob"}

    over = play(e, "1", "2")
    assert over["series"] == {"best_of": 3, "wins": {"1": 1}, "winner": None}
    e.shown(e.kiosk, over)
    expect(e.kiosk.get_by_test_id("series")).to_have_text("Best of 3: Seat 1 · Ann 1, Seat 2 · Bob 0")
    e.touch(e.ann, "choice-1", over)  # once more, seats swapped
    again = e.wait(lambda s: s["names"] == {"1": "Bob", "2": "Ann"}, "the swapped seats")
    assert again["series"]["wins"] == {"2": 1}

    over = play(e, "2", "1")
    assert over["series"]["winner"] == "2"
    e.shown(e.ann, over)
    see("over-history").click()
    expect(e.ann.locator("#games > li")).to_have_count(2)
    expect(see("game-2")).to_contain_text("Seat 2 · Ann")
    e.ann.get_by_test_id("player").fill("bob")
    expect(see("person")).to_contain_text("0 of 2 games won.")
    see("game").select_option("steal")
    expect(see("none")).to_be_visible()
    see("game").select_option("goes-around")
    expect(e.ann.locator("#games > li")).to_have_count(2)
    e.ann.goto(e.served.url)
    e.touch(e.ann, "choice-0", over)  # once more
    third = e.wait(lambda s: s["game"] and not s["game"]["outcome"], "the third game")
    assert (third["names"], third["series"]["wins"]) == ({"1": "Bob", "2": "Ann"}, {})  # a new series
    e.bob.goto(f"{e.served.url}history")
    expect(e.bob.get_by_test_id("game-3")).to_contain_text("being played now")
