"""The page of a lesson: a table that is busy at first, moves one after the other, and a tap into a full zone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.browsing import box_of
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

pytestmark = pytest.mark.browser

BUSY = {"error": "busy", "texts": {"en": "The table is busy.", "zh": "桌子正忙。"}}


@pytest.fixture
def learner(live: QuietTable, stage: Stage) -> Page:
    """A browser at the list of lessons."""
    stage.shows(create_app(live), live)
    return stage.open("/learn", calls_may_fail=True)


def at_rest(page: Page) -> None:
    page.locator("body[data-step]:not([data-asking=yes])").wait_for()


def lies(page: Page, zone: str) -> list[int]:
    """The numbers of the coins that lie in this zone."""
    area = box_of(page.locator(f'.zone[data-zone="{zone}"] .outline'))
    found = []
    for k in range(page.locator(".coin").count()):
        x, y = middle(page, k)
        if area["x"] < x < area["x"] + area["width"] and area["y"] < y < area["y"] + area["height"]:
            found.append(k)
    return found


def middle(page: Page, coin: int) -> tuple[float, float]:
    box = box_of(page.get_by_test_id(f"coin-{coin}"))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.heavy  # two pages, and a referee that reads the lesson's table in a picture
def test_a_lesson_that_could_not_begin_says_so_and_is_asked_for_again(learner: Page, stage: Stage) -> None:
    stage.answer("/api/learn/steal", BUSY, status=503, times=1)
    learner.get_by_test_id("learn-steal").click()
    learner.get_by_text("The lesson could not begin yet.").wait_for()
    assert "The table is busy." in learner.locator("#notice").inner_text()
    learner.get_by_test_id("way-next").wait_for()
    assert learner.locator("#notice").is_hidden()


@pytest.mark.long
def test_coins_moved_while_the_referee_looks_lie_where_they_were_put(learner: Page, stage: Stage) -> None:
    learner.get_by_test_id("learn-goes-around").click()
    learner.get_by_test_id("way-next").click()
    at_rest(learner)
    held = stage.hold("/api/learn/goes-around")
    assert len(lies(learner, "bank.1")) == 10
    for left in (9, 8, 7):  # each is dragged off the mat before the first was looked at
        x, y = middle(learner, lies(learner, "bank.1")[-1])
        learner.mouse.move(x, y)
        learner.mouse.down()
        learner.mouse.move(x, 5, steps=4)
        learner.mouse.up()
        assert len(lies(learner, "bank.1")) == left
    with learner.expect_response(lambda answer: len(held.bodies) == 2):
        held.let_go()
    at_rest(learner)
    assert len(lies(learner, "bank.1")) == 7
    put: list[list[Any]] = [json.loads(body)["coins"] for body in held.bodies]
    assert [len(coins) for coins in put] == [29, 27], "the first move, then all that was moved meanwhile"


@pytest.mark.long
def test_a_tap_on_a_coin_of_another_zone_puts_the_picked_coin_there(learner: Page) -> None:
    learner.get_by_test_id("learn-goes-around").click()
    learner.get_by_test_id("way-next").click()
    at_rest(learner)
    learner.mouse.click(*middle(learner, lies(learner, "bank.2")[0]))
    learner.mouse.click(*middle(learner, lies(learner, "bank.1")[0]))
    learner.get_by_test_id("refusal").wait_for()
    assert [len(lies(learner, zone)) for zone in ("bank.1", "bank.2")] == [11, 9]
    first, second = lies(learner, "bank.1")[:2]
    learner.mouse.click(*middle(learner, first))
    learner.mouse.click(*middle(learner, second))  # in the same zone the other coin is picked
    assert learner.locator(".coin.picked").get_attribute("data-testid") == f"coin-{second}"
