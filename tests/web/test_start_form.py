"""The form that starts a game, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.stand_in import FakeLiveTable


@pytest.mark.browser
def test_the_start_form_keeps_what_was_set(page: Page, live: FakeLiveTable) -> None:
    see = page.get_by_test_id
    see("game-goes-around").click()
    page.locator("details.rules > summary").click()
    see("option-rounds").fill("4")
    see("option-stake_cap").check()
    for _ in range(5):
        see("players-less").click()
    page.locator('label:has([data-testid="who-2-person"])').click()
    see("players-more").click()
    see("game-steal").click()
    see("game-goes-around").click()
    see("language").click()
    page.get_by_text("自定规则").wait_for()
    assert see("option-rounds").input_value() == "4"  # and the house rules are still open
    assert see("option-rounds").is_visible()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")
    ((kind, body, _),) = live.commands
    assert isinstance(body, dict)
    assert (kind, body["options"]) == ("start", {"players": 5, "rounds": 4, "stake_cap": True})
    assert body["seats"] == {"1": "person", "2": "person", "3": "computer", "4": "computer", "5": "computer"}


@pytest.mark.browser
def test_every_house_rule_can_be_chosen(page: Page, live: FakeLiveTable) -> None:
    see = page.get_by_test_id
    see("start").wait_for()
    page.locator("details.rules > summary").click()
    page.get_by_text("Who begins a round").wait_for()
    see("option-starter").select_option(label="Tails")
    see("option-tie_flips").select_option(label="none")
    see("option-bank").select_option(label="counted")
    see("option-bank_coins-dime").fill("9")
    see("option-bad_coin").select_option(label="all of them")
    see("option-level").select_option(label="easy")
    page.locator('label:has([data-testid="who-tails-person"])').click()
    assert not see("option-level").is_visible()  # no computer plays
    page.locator('label:has([data-testid="who-tails-computer"])').click()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")
    ((_, body, _),) = live.commands
    assert body == {
        "game": "steal",
        "options": {
            "starter": "tails",
            "tie_flips": 0,
            "bank": "counted",
            "bank_coins": {"penny": 20, "nickel": 10, "dime": 9, "quarter": 10},
        },
        "seats": {"heads": "person", "tails": "computer"},
        "bad_coin": "all",
        "level": "easy",
    }  # fmt: skip


@pytest.mark.browser
def test_the_form_says_what_cannot_be_played(page: Page, live: FakeLiveTable) -> None:
    see = page.get_by_test_id
    see("game-coin-wars").click()
    see("option-players").fill("Ann, " + "x" * 41)
    see("names-told").filter(has_text="A name has at most 40 letters.").wait_for()
    see("start").click()
    see("option-players").fill("Ann, Bob，Ann")
    see("names-told").filter(has_text="Ann is there twice").wait_for()
    see("start").click()
    see("game-goes-around").click()
    page.locator("details.rules > summary").click()
    see("option-start").fill("")
    see("start").click()
    see("option-start").fill("10")
    see("option-rounds").fill("99")
    page.locator("details.rules > summary").click()
    see("start").click()
    page.wait_for_function("() => document.querySelector('details.rules').open")  # where the fault is
    assert live.commands == []
    see("option-rounds").fill("9")
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")


@pytest.mark.browser
def test_a_new_game_is_started_while_one_is_on(page: Page, live: FakeLiveTable) -> None:
    see = page.get_by_test_id
    live.command({"start": {"game": "steal"}}, None)
    see("panel").wait_for()
    see("menu").click()
    see("new-game").click()
    page.locator("details.rules > summary").click()
    page.evaluate("scrollTo(0, 200)")
    top = "() => document.getElementById('start-form').querySelector('.go').matches(':hover')"
    see("start").hover(force=True)
    assert page.evaluate(top), "something lies over the button"
