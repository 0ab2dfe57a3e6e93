"""The bar of chances and the hint on the page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from tablecoin.coins import Heap
from tablecoin.live.hints import Hint
from tablecoin.referee.belief import Difference
from tablecoin.referee.snapshot import Choice, Odds
from tablecoin.rules.rulebook import Message, texts
from tests.web.browsing import box_of
from tests.web.quiet import QuietTable

pytestmark = pytest.mark.browser

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def show(live: QuietTable, game: str, chance: Mapping[str, float], **options: object) -> None:
    """A game under way with these chances."""
    live.command({"start": {"game": game, "options": options}}, None)
    live.shows(odds=Odds(0, chance, 0.03, ()))


def test_two_seats_share_one_bar(page: Page, live: QuietTable) -> None:
    show(live, "steal", {"heads": 0.634, "tails": 0.366})
    page.get_by_test_id("odds-heads").get_by_text("Heads: 63 %").wait_for()
    heads, tails = (box_of(page.locator(f'.odds-bar [data-seat="{seat}"]')) for seat in ("heads", "tails"))
    assert heads["width"] / (heads["width"] + tails["width"]) == pytest.approx(0.634, abs=0.03)
    assert page.get_by_test_id("odds").get_by_text("± 3").is_visible()


def test_the_bar_tells_by_how_much_somebody_is_expected_to_win(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "coin-age", "options": {}}}, None)
    live.shows(odds=Odds(0, {"heads": 0.4, "tails": 0.6}, 0.08, (), {"heads": -11.6, "tails": 11.6}))
    bar = page.locator("#odds [role=img]")
    bar.wait_for()
    assert bar.get_attribute("title") == "Tails is expected to end 12 points ahead"
    assert bar.get_attribute("aria-label") == "Heads: 40 %, Tails: 60 %, Tails is expected to end 12 points ahead"


def test_many_seats_have_a_bar_each_and_who_plays_together_has_one_chance(page: Page, live: QuietTable) -> None:
    show(live, "goes-around", {"1": 0.5, "2": 0.3, "3": 0.2}, players=3)
    page.get_by_test_id("odds-1").wait_for()
    shown = page.locator(".odds-rows li").evaluate_all("rows => rows.map(row => row.dataset.percent)")
    assert shown == ["50", "30", "20"]
    show(live, "coin-wars", {"Ann": 0.3, "Bob": 0.25}, players=["Ann", "Bob"])
    page.get_by_test_id("odds-together").get_by_text("Won together: 55 %").wait_for()


def test_the_button_that_tosses_stays_where_it_is_while_chances_come_and_go(page: Page, live: QuietTable) -> None:
    """A finger is on it: the button that goes down must be the one that comes up."""
    live.command({"start": {"game": "steal", "options": {}}}, None)
    button = page.get_by_test_id("toss")
    button.scroll_into_view_if_needed()
    held, place = button.element_handle(), box_of(button)
    assert held is not None
    for odds in (Odds(0, {"heads": 0.5, "tails": 0.5}, 0.03, ()), Odds(0, {"heads": 1.0}, 0.0, ()), None):
        live.shows(odds=odds)
        page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=live.snapshot().seq)
        assert held.evaluate("each => each.isConnected")
        assert box_of(button) == place


def test_chances_of_the_ruling_before_are_dimmed(page: Page, live: QuietTable) -> None:
    show(live, "steal", {"heads": 0.5, "tails": 0.5}, starter="heads")
    before = live.snapshot().odds
    live.command({"act": TOSS}, None)
    live.shows(odds=before)
    page.locator('#odds[data-pending="yes"]').wait_for()
    ruling = live.snapshot().ruling
    assert before is not None
    assert ruling is not None
    live.shows(odds=replace(before, seq=ruling.seq))
    page.locator('#odds[data-pending="no"]').wait_for()


def test_without_chances_there_is_no_bar(page: Page, live: QuietTable) -> None:
    """Such as when the process that works them out has died: the table goes on."""
    show(live, "steal", {"heads": 0.5, "tails": 0.5})
    page.get_by_test_id("odds").wait_for(state="visible")
    live.shows(odds=None)
    page.get_by_test_id("odds").wait_for(state="hidden")


def test_a_finished_game_shows_how_its_chances_went(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "steal", "odds": "off"}}, None)
    live.command({"resign": {"seat": "tails"}}, None)
    course = tuple({"heads": p, "tails": 1 - p} for p in (0.5, 0.8, 0.3, 0.9, 1.0))
    live.shows(odds=Odds(live.snapshot().seq, course[-1], 0.0, course))
    said = "Heads, from 50 % to 100 %; lowest 30 %, highest 100 %"
    page.get_by_test_id("odds-course").get_by_text(said).wait_for()


def test_a_hint_is_asked_for_and_shown_on_the_table(
    page: Page, live: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    dime, penny = ({"do": "place", "coin": coin} for coin in ("dime", "penny"))
    place = "steal.advise.place"
    moves = {"move": Message(place, {"coin": "dime"}), "other": Message(place, {"coin": "penny"})}
    said = texts(Message("hint.better", {"chance": 63, "next": 58, **moves}))
    moved = Difference("row.heads", Heap(dime=1), Heap(), Heap())
    hint = Hint("heads", dime, said["en"], said, 0.63, 0.0, (moved,))
    monkeypatch.setattr(live, "hint", lambda seat: hint)  # a process of its own works one out
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}, "hints": "always"}}, None)
    live.command({"act": TOSS}, None)
    choices = tuple(Choice(act["coin"], {"en": act["coin"]}, act, None, False) for act in (dime, penny))
    live.shows(prompt=replace(live.snapshot().prompt, choices=choices))
    page.get_by_test_id("ask-hint").click()
    page.get_by_test_id("hint-text").get_by_text("Best: place a dime.").wait_for()
    assert page.get_by_test_id("advised-here").count() == 1
    assert page.locator(".choice.advised").evaluate_all("all => all.map(each => each.dataset.testid)") == ["choice-0"]
    live.command({"act": penny}, None)
    page.get_by_test_id("hint-text").wait_for(state="detached")  # it was about the state before
    assert page.get_by_test_id("advised-here").count() == 0


def test_where_the_house_rule_allows_none_no_hint_is_offered(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)
    live.command({"act": TOSS}, None)
    page.get_by_test_id("whose").get_by_text("Heads’ turn").wait_for()
    assert not page.get_by_test_id("ask-hint").is_visible()
