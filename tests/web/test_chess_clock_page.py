"""The chess clock on the page, in a real browser: it counts down by itself, and is asked for in one row of the form."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tablecoin.referee.events import TimeControl
from tablecoin.referee.snapshot import Clock
from tablecoin.rules.game import Seat
from tests.web.browsing import module, offences, open_form
from tests.web.quiet import QuietTable

pytestmark = pytest.mark.browser
CONTROL = TimeControl(600, 5, "said")


def play(live: QuietTable, left_s: dict[Seat, float], *running: Seat) -> None:
    """A game of Steal whose clocks show this."""
    live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)
    over = tuple(seat for seat, left in left_s.items() if left <= 0)
    live.shows(clock=Clock(CONTROL, left_s, running, over))


def test_it_counts_down_between_two_snapshots(page: Page, live: QuietTable) -> None:
    play(live, {"heads": 570.5, "tails": 600.0}, "heads")
    see = page.get_by_test_id
    see("clock-heads").get_by_text("9:30").wait_for()  # the snapshot alone says 9:31
    see("clock-heads").get_by_text("runs").wait_for()
    assert see("clock-tails").locator(".clock-time").inner_text() == "10:00"
    assert see("clock-tails").locator(".clock-word").inner_text() == "stands"
    live.shows(clock=None)
    see("clock").wait_for(state="hidden")


def test_the_last_minute_and_the_end_are_told_by_word_and_frame(page: Page, live: QuietTable) -> None:
    box = page.get_by_test_id("clock-heads")
    for left_s, state, word, frame in (
        (61.0, "plenty", "stands", "solid"),
        (60.0, "last", "last minute", "dashed"),
        (0.0, "over", "time is over", "double"),
    ):
        play(live, {"heads": left_s, "tails": 600.0})
        box.get_by_text(word).wait_for()
        assert box.get_attribute("data-state") == state
        assert box.evaluate("box => getComputedStyle(box).borderTopStyle") == frame


@pytest.mark.long
@pytest.mark.parametrize(("left_s", "word"), [(61.0, "stands"), (60.0, "last minute"), (0.0, "time is over")])
def test_axe_finds_nothing_wrong_with_a_clock(page: Page, live: QuietTable, left_s: float, word: str) -> None:
    play(live, {"heads": left_s, "tails": 600.0})
    box = page.get_by_test_id("clock-heads")
    box.get_by_text(word).wait_for()
    assert offences(page) == []


def test_times_in_words(page: Page) -> None:
    told = page.evaluate(
        "async ([address, times]) => { const clock = await import(address); return times.map(clock.timeText); }",
        [module(page, "clock"), [3909, 600, 59.2, 9.98, 0.04, 0, -0.5, -30.2]],
    )
    assert told == ["1:05:09", "10:00", "1:00", "0:09.9", "0:00.0", "0:00", "0:00", "−0:30"]


def test_it_is_a_house_rule_in_one_row_and_one_sentence(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    page.locator("details.rules > summary").click()
    assert not see("clock-minutes").is_visible()
    see("option-clock").select_option(label="at zero the side has lost")
    see("clock-minutes").fill("3")
    see("clock-seconds").fill("2")
    see("rules-said").get_by_text("Chess clock: 3 min + 2 s a turn, at zero the side has lost").wait_for()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    ((_, body, _),) = live.commands
    assert isinstance(body, dict)
    assert body["clock"] == {"each_s": 180, "increment_s": 2, "at_zero": "lost"}


def test_a_game_played_together_has_no_such_row(page: Page) -> None:
    open_form(page)
    page.get_by_test_id("game-coin-wars").click()
    page.locator("details.rules > summary").click()
    page.get_by_test_id("option-hints").wait_for()
    assert page.get_by_test_id("option-clock").count() == 0
