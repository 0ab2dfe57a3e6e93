"""Coin Wars on two phones: characters, a secret scene card, tosses, the story, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Evening, Stage, Visit
from tests.journeys.running import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOB = {"do": "create", "name": "Bob", "ratings": {"bodiness": 12}, "strong": "bodiness"}

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def _write_a_card(e: Evening | Visit) -> None:
    """Ann writes a scene card, which nobody else sees."""
    e.ann.get_by_test_id("card-title").fill("The locked gate")
    e.ann.get_by_test_id("card-text").fill("It has not been opened for a hundred years.")
    e.ann.get_by_test_id("card-write").click()
    e.wait(lambda s: s["game"]["scenes"], "the scene card")
    for seat in ("", "Bob"):
        assert "locked gate" not in str(e.state(seat))
    assert "locked gate" in str(e.state("Ann"))
    assert "locked gate" not in e.ann.request.get(e.served.url + "api/record").text()


@pytest.mark.heavy  # a journey
def test_a_secret_card_and_the_first_toss(visit: Visit) -> None:
    e = visit
    e.begin("coin-wars", options={"players": "Ann, Bob"})
    _create(e, e.ann, "Ann")
    e.served.send("POST", "api/act", BOB)
    _write_a_card(e)
    e.served.send("POST", "api/act", {"do": "ready", "name": "Bob"})
    e.ann.get_by_test_id("wars-ready").click()
    e.wait(lambda s: len(s["game"]["ready"]) == 2, "both to be ready")
    e.ann.get_by_test_id("wars-draw").click()
    e.wait(lambda s: s["game"]["scene"] == 0, "the draw")
    e.kiosk.get_by_text("The locked gate").first.wait_for()
    state = e.ready()
    e.toss(e.ann)
    assert e.state()["game"] != state["game"]


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_one_easy_scene(evening: Evening, language: str) -> None:
    e = evening
    e.begin("coin-wars", options={"players": "Ann, Bob"})
    _create(e, e.ann, "Ann")
    e.bob.get_by_test_id("join-new").click()
    _create(e, e.bob, "Bob", power="luck")

    _write_a_card(e)
    for page in (e.ann, e.bob):
        page.get_by_test_id("wars-ready").click()
    e.wait(lambda s: len(s["game"]["ready"]) == 2, "both to be ready")
    e.bob.get_by_test_id("wars-draw").click()
    e.wait(lambda s: s["game"]["scene"] == 0, "the draw")
    e.kiosk.get_by_text("The locked gate").first.wait_for()

    phones = {"Ann": e.ann, "Bob": e.bob}
    for _ in range(60):
        state = e.ready()
        if state["game"]["outcome"]:
            break
        _step(e, phones, state)
    assert e.state()["game"]["story"]
    e.shows_the_end(language)

    with e.ann.expect_download() as saved:
        e.ann.get_by_test_id("save-Ann").click()
    assert saved.value.suggested_filename == "Ann.coin-wars.json"


def _step(e: Evening, phones: Mapping[str, Page], state: Json) -> None:
    """Do the next thing that the game waits for."""
    game = state["game"]
    match game["phase"]:
        case "flip":
            e.toss(e.ann)
            return  # two tosses may fall alike and leave the game as it was
        case "powers":
            e.click(phones[game["last"]["name"]], "wars-accept", state)
        case "choice":
            due = game["choice_due"]
            e.click(phones[due["name"]], f"choose-{due['options'][0]}", state)
        case "narrate":
            name = game["to_act"][0]
            e.shown(phones[name], state)
            phones[name].get_by_test_id("narrate-text").fill("The hinges gave way.")
            phones[name].get_by_test_id("narrate").click()
    e.wait(lambda s: s["game"] != game, f"the game to go on from {game['phase']}")


def _create(e: Stage, page: Page, name: str, power: str | None = None) -> None:
    page.get_by_test_id("wars-name").select_option(value=name)
    page.get_by_test_id("rating-misc-less").click()
    page.get_by_test_id("rating-coolness-more").click()
    page.get_by_test_id("wars-misc").fill("Locks")
    if power:
        page.get_by_test_id("wars-gift").select_option(value="power")
        page.get_by_test_id("wars-power").select_option(value=power)
    page.get_by_test_id("wars-create").click()
    e.wait(lambda s: name in s["game"]["characters"], f"{name} to join")
