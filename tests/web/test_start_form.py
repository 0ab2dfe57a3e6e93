"""The form that starts a game, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import box_of, open_form
from tests.web.quiet import QuietTable


@pytest.mark.browser
def test_the_start_form_keeps_what_was_set(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
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
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    ((kind, body, _),) = live.commands
    assert isinstance(body, dict)
    assert (kind, body["options"]) == ("start", {"players": 5, "rounds": 4, "stake_cap": True})
    assert body["seats"] == {"1": "person", "2": "person", "3": "computer", "4": "computer", "5": "computer"}


@pytest.mark.browser
def test_every_house_rule_can_be_chosen(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
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
    page.wait_for_function("() => document.body.dataset.page === 'table'")
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
def test_the_form_says_what_cannot_be_played(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
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
    page.wait_for_function("() => document.body.dataset.page === 'table'")


@pytest.mark.browser
def test_the_button_that_starts_is_in_sight(page: Page) -> None:
    see = page.get_by_test_id
    open_form(page)
    see("game-goes-around").click()  # nine seats make the longest form
    page.locator("details.rules > summary").click()
    for width, height in ((390, 844), (1280, 800), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        button = box_of(see("start"))
        assert button["y"] + button["height"] <= height, height
        see("start").click(trial=True)  # and nothing lies over it
        assert see("game-coin-age").locator("..").locator(".game-blurb").is_visible(), width
        assert not see("stage").is_visible()  # a page of its own


@pytest.mark.browser
def test_the_house_rules_stand_there_in_one_sentence(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    expect(see("rules-said")).to_have_text("House rules: none, all as in the rulebook.")
    page.locator("details.rules > summary").click()
    see("option-goal").fill("50")
    see("option-starter").select_option("tails")
    see("option-multi_convert").set_checked(False)
    see("option-level").select_option("easy")
    said = (
        "House rules: Goal: 50; Who begins a round: Tails; How well computers play: easy; all else as in the rulebook."
    )
    expect(see("rules-said")).to_have_text(said)
    page.locator('label:has([data-testid="who-tails-person"])').click()
    expect(see("rules-said")).not_to_contain_text("computers")


@pytest.mark.browser
def test_a_map_is_chosen_by_its_picture(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    see("game-coin-age").click()
    lagoon = page.locator('label:has([data-testid="map-lagoon"])')
    assert lagoon.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    lagoon.click()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    ((_, body, _),) = live.commands
    assert isinstance(body, dict)
    assert body["options"] == {"map": "lagoon"}


@pytest.mark.browser
def test_a_new_game_asks_before_it_ends_the_one_under_way(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    live.command({"start": {"game": "steal"}}, None)
    see("panel").wait_for()
    see("menu").click()
    see("new-game").click()
    see("game-exact").click()
    see("start").click()
    expect(see("ends")).to_contain_text("Dollar Prize: Steal: Heads 0¢, Tails 0¢")
    see("ends-no").click()
    assert live.playing == "steal"
    see("start").click()
    see("ends-yes").click()
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    assert live.playing == "exact"


@pytest.mark.browser
def test_a_menu_that_is_read_stays_open_while_the_table_comes(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    see("menu").click()
    live.command({"start": {"game": "steal"}}, None)
    page.evaluate("location.hash = '#table'")  # as when the answer to Start comes late
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    assert see("my-seat").is_visible()
    see("new-game").click()
    see("start").wait_for()
    assert not see("my-seat").is_visible()
    see("menu").click()
    see("my-seat").wait_for()
    page.locator("main").click(position={"x": 1, "y": 1})
    assert not see("my-seat").is_visible()


@pytest.mark.browser
def test_the_form_of_a_running_game_leads_back_to_it(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    live.command({"start": {"game": "steal"}}, None)
    see("panel").wait_for()
    page.goto(f"{page.url}#start")
    see("start-back").click()
    see("stage").wait_for()
    page.go_back()
    see("start").wait_for()
    assert not see("panel").is_visible()
