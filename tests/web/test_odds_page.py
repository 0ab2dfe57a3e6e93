"""The bar of chances and the hint on the page, over the stand-in table."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from tablecoin.coins import Heap
from tablecoin.referee.snapshot import Odds
from tests.web.browsing import box_of
from tests.web.stand_in import FakeLiveTable

pytestmark = pytest.mark.browser

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


@pytest.fixture
def live(stand_in: FakeLiveTable) -> FakeLiveTable:
    return stand_in


def show(live: FakeLiveTable, game: str, chance: Mapping[str, float], **options: object) -> None:
    """A game under way with these chances."""
    live.command({"start": {"game": game, "options": options}}, None)
    live.odds = Odds(0, chance, 0.03, ())
    live.publish()


def test_two_seats_share_one_bar(page: Page, live: FakeLiveTable) -> None:
    show(live, "steal", {"heads": 0.634, "tails": 0.366})
    page.get_by_test_id("odds-heads").get_by_text("Heads: 63 %").wait_for()
    heads, tails = (box_of(page.locator(f'.odds-bar [data-seat="{seat}"]')) for seat in ("heads", "tails"))
    assert heads["width"] / (heads["width"] + tails["width"]) == pytest.approx(0.634, abs=0.03)
    assert page.get_by_test_id("odds").get_by_text("± 3").is_visible()


def test_the_bar_tells_by_how_much_somebody_is_expected_to_win(page: Page, live: FakeLiveTable) -> None:
    live.command({"start": {"game": "coin-age", "options": {}}}, None)
    live.odds = Odds(0, {"heads": 0.4, "tails": 0.6}, 0.08, (), {"heads": -11.6, "tails": 11.6})
    live.publish()
    bar = page.locator("#odds [role=img]")
    bar.wait_for()
    assert bar.get_attribute("title") == "Tails is expected to end 12 points ahead"
    assert bar.get_attribute("aria-label") == "Heads: 40 %, Tails: 60 %, Tails is expected to end 12 points ahead"


def test_many_seats_have_a_bar_each_and_who_plays_together_has_one_chance(page: Page, live: FakeLiveTable) -> None:
    show(live, "goes-around", {"1": 0.5, "2": 0.3, "3": 0.2}, players=3)
    page.get_by_test_id("odds-1").wait_for()
    shown = page.locator(".odds-rows li").evaluate_all("rows => rows.map(row => row.dataset.percent)")
    assert shown == ["50", "30", "20"]
    show(live, "coin-wars", {"Ann": 0.3, "Bob": 0.25}, players=["Ann", "Bob"])
    page.get_by_test_id("odds-together").get_by_text("Won together: 55 %").wait_for()


def test_the_button_that_tosses_stays_where_it_is_while_chances_come_and_go(page: Page, live: FakeLiveTable) -> None:
    """A finger is on it: the button that goes down must be the one that comes up."""
    live.command({"start": {"game": "steal", "options": {}}}, None)
    button = page.get_by_test_id("toss")
    button.scroll_into_view_if_needed()
    held, place = button.element_handle(), box_of(button)
    assert held is not None
    for odds in (Odds(0, {"heads": 0.5, "tails": 0.5}, 0.03, ()), Odds(0, {"heads": 1.0}, 0.0, ()), None):
        live.odds = odds
        live.publish()
        page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=live.snapshot().seq)
        assert held.evaluate("each => each.isConnected")
        assert box_of(button) == place


def test_chances_of_the_ruling_before_are_dimmed(page: Page, live: FakeLiveTable) -> None:
    show(live, "steal", {"heads": 0.5, "tails": 0.5}, starter="heads")
    live.command({"act": TOSS}, None)
    page.locator('#odds[data-pending="yes"]').wait_for()
    assert live.odds is not None
    live.odds = replace(live.odds, seq=1000)
    live.publish()
    page.locator('#odds[data-pending="no"]').wait_for()


def test_without_chances_there_is_no_bar(page: Page, live: FakeLiveTable) -> None:
    """Such as when the process that works them out has died: the table goes on."""
    show(live, "steal", {"heads": 0.5, "tails": 0.5})
    page.get_by_test_id("odds").wait_for(state="visible")
    live.odds = None
    live.publish()
    page.get_by_test_id("odds").wait_for(state="hidden")


def test_a_finished_game_shows_how_its_chances_went(page: Page, live: FakeLiveTable) -> None:
    live.command({"start": {"game": "steal", "options": {"starter": "heads", "goal": 10}}}, None)
    rows = {"heads": Heap(dime=1), "tails": Heap(penny=4)}
    live.state = live.game.read_state({**live.game.write_state(live.state), "phase": "over", "rows": rows})
    course = tuple({"heads": p, "tails": 1 - p} for p in (0.5, 0.8, 0.3, 0.9, 1.0))
    live.odds = Odds(0, course[-1], 0.0, course)
    live.publish()
    said = "Heads, from 50 % to 100 %; lowest 30 %, highest 100 %"
    page.get_by_test_id("odds-course").get_by_text(said).wait_for()


def test_a_hint_is_asked_for_and_shown_on_the_table(page: Page, live: FakeLiveTable) -> None:
    live.hints = True
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)
    live.offered = [{"do": "place", "coin": "dime"}, {"do": "place", "coin": "penny"}]
    live.command({"act": TOSS}, None)
    page.get_by_test_id("ask-hint").click()
    page.get_by_test_id("hint-text").get_by_text("Best: place a dime.").wait_for()
    assert page.get_by_test_id("advised-here").count() == 1
    assert page.locator(".choice.advised").evaluate_all("all => all.map(each => each.dataset.testid)") == ["choice-0"]
    live.command({"act": {"do": "place", "coin": "penny"}}, None)
    page.get_by_test_id("hint-text").wait_for(state="detached")  # it was about the state before
    assert page.get_by_test_id("advised-here").count() == 0


def test_where_the_house_rule_allows_none_no_hint_is_offered(page: Page, live: FakeLiveTable) -> None:
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)
    live.command({"act": TOSS}, None)
    page.get_by_test_id("whose").get_by_text("Heads’ turn").wait_for()
    assert not page.get_by_test_id("ask-hint").is_visible()
