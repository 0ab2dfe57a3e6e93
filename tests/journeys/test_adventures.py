"""Adventures of Coin Wars as one person plays them: from the start form to the end, and with a computer beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Desk, Evening, Stage
from tests.journeys.running import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(900)]

MOST_STEPS = 150


LANDING = {"en": "The landing", "zh": "登岸"}  # the first scene's card


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_adventure_for_one_from_the_form_to_its_end(evening: Evening, language: str) -> None:
    e = evening
    e.begin("coin-wars", options={"players": "Ann", "adventure": "gull-rock"})
    e.ann.get_by_test_id("hero-0").click()
    e.wait(lambda s: "Ann" in s["game"]["characters"], "Ann to take the hero")
    e.ann.get_by_test_id("book-begin").click()
    e.wait(lambda s: s["game"]["scene"] == 0, "the adventure to begin")
    for page in (e.ann, e.kiosk):
        page.get_by_text(LANDING[language]).first.wait_for()
    over = _to_the_end(e, e.ann)
    assert len(over["game"]["story"]) >= 1
    assert over["game"]["story"][0]["text"] != ""  # the book's own line, where Ann wrote none
    e.shows_the_end(language)


def test_a_computer_plays_beside_somebody_at_a_desk_who_did_not_choose_an_adventure_before(
    desk: Desk, language: str
) -> None:
    e = desk
    e.ann.goto(e.served.url + "#start")
    e.ann.get_by_test_id("game-coin-wars").click()
    e.ann.get_by_test_id("add-companion").click()
    e.ann.get_by_test_id("start").click()
    e.wait(lambda s: s["game"] and "Companion" in s["game"]["characters"], "the companion to join")
    e.ann.get_by_test_id("book").wait_for()
    assert "[object" not in e.ann.get_by_test_id("act").inner_text()
    e.ann.get_by_test_id("wars-create").click()
    e.wait(lambda s: "Player" in s["game"]["characters"], "the person to join")
    e.ann.get_by_test_id("take-easy").click()
    made = e.wait(lambda s: s["game"]["adventure"].startswith("made-easy-2-"), "a new adventure")
    assert made["game"]["tale"]["difficulty"] == "easy"
    e.ann.get_by_test_id("book-begin").click()
    over = _to_the_end(e, e.ann)
    assert {each["name"] for each in over["game"]["story"]} == {"Companion", "Player"}
    e.shows_the_end(language)


def _to_the_end(e: Stage, page: Page) -> Json:
    """Play on with tosses through pictures until the adventure is over."""
    for _ in range(MOST_STEPS):
        state = e.ready()
        game = state["game"]
        if game["outcome"]:
            return state
        match game["phase"]:
            case "flip":
                e.toss(page)
            case "choice":
                e.click(page, f"choose-{game['choice_due']['options'][0]}", state)
                _until_it_goes_on(e, game)
            case "narrate":
                e.click(page, "narrate", state)
                _until_it_goes_on(e, game)
            case _:
                _until_it_goes_on(e, game)
    raise AssertionError(f"not over after {MOST_STEPS} steps: {e.state()['prompt']['text']}")


def _until_it_goes_on(e: Stage, game: Json) -> None:
    e.wait(lambda s: s["game"] != game, f"the game to go on from {game['phase']}")
