"""The end of a game on the page: once more, another game by the same people and rules, and how it went."""

from __future__ import annotations

from itertools import groupby

import pytest
from playwright.sync_api import Page, expect

from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def over(live: QuietTable, stage: Stage) -> Page:
    """The page at the end of a game of Steal of Ann against an easy computer, played to 10 cents."""
    start = {
        "game": "steal",
        "options": {"goal": 10, "starter": "tails"},
        "seats": {"heads": "person", "tails": "computer"},
        "names": {"heads": "Ann"},
        "level": "easy",
        "odds": "always",
    }
    live.command({"start": start}, None)
    live.play_out(seed=6)
    stage.shows(create_app(live), live)
    page = stage.open("/#table")
    page.get_by_test_id("over-why").wait_for()
    return page


def test_it_is_played_once_more_with_the_seats_as_they_are_or_swapped(over: Page, stage: Stage) -> None:
    stage.answer("/api/answer", {"ok": True})
    for number, text in enumerate(("Dollar Prize: Steal once more", "Dollar Prize: Steal once more, seats swapped")):
        with over.expect_request("**/api/answer") as asked:
            over.get_by_test_id(f"choice-{number}").click()
        assert asked.value.post_data_json == {"choice": number, "text": text}


def test_every_other_game_opens_the_form_and_starts_nothing(over: Page, live: QuietTable) -> None:
    for name in ("steal", "exact", "goes-around", "coin-wars", "coin-age"):
        over.get_by_test_id(f"next-{name}").click()
        expect(over.get_by_test_id(f"game-{name}")).to_be_checked()
        over.get_by_test_id("start").wait_for()
        over.go_back()
    assert live.commands == []


def test_another_game_keeps_the_people_the_computer_and_the_house_rules(over: Page, live: QuietTable) -> None:
    over.get_by_test_id("next-exact").click()
    expect(over.get_by_test_id("name-heads")).to_have_value("Ann")
    expect(over.get_by_test_id("rules-said")).to_contain_text("Goal: 10; Who begins a round: Tails;")
    over.get_by_test_id("start").click()
    over.wait_for_function("() => document.body.dataset.page === 'table'")
    assert live.commands == [
        (
            "start",
            {
                "game": "exact",
                "options": {"goal": 10, "starter": "tails"},
                "seats": {"heads": "person", "tails": "computer"},
                "odds": "always",
                "level": "easy",
                "names": {"heads": "Ann"},
            },
            None,
        )
    ]


def test_it_shows_how_it_grew_and_how_the_coins_fell(over: Page, live: QuietTable) -> None:
    curves = over.locator("[data-testid=grew] polyline")
    assert curves.evaluate_all("all => all.map(each => getComputedStyle(each).fill)") == ["none", "none"]
    coins = [
        coin
        for entry in live.ended_game(1).record.entries
        if entry.action and entry.action["do"] == "flip"
        for coin in entry.action["coins"]
    ]
    up = [coin.endswith(":heads") for coin in coins]
    row = max(len(list(group)) for heads, group in groupby(up) if heads)
    said = f"{len(up)} coins were tossed, {sum(up)} fell heads. The longest row of heads: {row}."
    expect(over.get_by_test_id("fell")).to_have_text(said)
    assert over.get_by_test_id("over-why").get_attribute("href") == "/history/1"
