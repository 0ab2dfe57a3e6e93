"""Coin Age on two phones: tosses and what they allow, a coin laid on another, the stack remembered, an undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.begun import begin
from tests.journeys.evening import Desk, Evening, Visit
from tests.journeys.running import Json, Running

if TYPE_CHECKING:
    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TURNS = 4


@pytest.mark.heavy  # a journey
def test_a_turn_that_builds_a_stack_and_an_undo(
    serve: Callable[..., Running], browsers: Browsers, tmp_path: Path
) -> None:
    before = begin(tmp_path / "data", "coin-age", _has_a_coin_on_the_map, {})
    e = Visit(serve(), browsers, "en")
    e.sit(e.ann, before["mover"])
    e.ready()
    e.kiosk.locator(".zone.due").wait_for(state="attached")  # the page shows where to toss
    assert e.kiosk.locator(".zone.wrong").count() == 0  # and marks no zone as wrong
    e.toss(e.ann)
    state = e.place_all(e.ann)
    spaces = state["game"]["spaces"]
    assert sum(map(len, spaces.values())) > sum(map(len, before["spaces"].values()))
    for space in (space for space, stack in spaces.items() if len(stack) > 1):
        e.kiosk.get_by_test_id(f"stack-{space}").wait_for()
    score = state["game"]["score"]
    e.shown(e.kiosk, state)
    for seat in score:
        assert e.kiosk.get_by_test_id(f"total-{seat}").inner_text() == str(score[seat])
    e.ann.get_by_test_id("undo").click()
    undone = e.wait(lambda s: s["ruling"]["text"].startswith("Taken back"), "the undo")
    assert undone["game"]["spaces"] != spaces


def _has_a_coin_on_the_map(game: Json) -> bool:
    return bool(game["phase"] == "flip" and any(game["spaces"].values()))


@pytest.mark.long
def test_the_first_turns_with_a_stack(evening: Evening) -> None:
    e = evening
    e.begin("coin-age")
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, page in phones.items():
        e.sit(page, seat)

    e.ready()
    e.kiosk.locator(".zone.due").wait_for(state="attached")  # the page shows where to toss
    assert e.kiosk.locator(".zone.wrong").count() == 0  # and marks no zone as wrong
    e.ann.get_by_test_id("view-drawn").click()
    e.ann.locator('[data-testid="zone-space.M1"] .id', has_text="M1").wait_for()  # the name that the prompts use
    assert not e.ann.locator('[data-testid="zone-space.M1"] .title').is_visible()  # a phone has no room for them
    e.ann.set_viewport_size({"width": 1920, "height": 1080})
    e.ann.locator('[data-testid="zone-space.M1"] .title').wait_for()
    e.ann.set_viewport_size({"width": 390, "height": 844})

    for _ in range(TURNS):
        state = e.toss(e.ann)
        while state["prompt"]["kind"] == "flip" and state["game"]["phase"] == "flip":
            state = e.toss(e.ann)
        seat = state["game"]["to_act"][0]
        e.kiosk.get_by_test_id("may-place").get_by_text(f"place {state['game']['allowed']['place']}").wait_for()
        state = e.place_all(phones[seat])
        state = e.tap(phones[seat], {"do": "done"})

    for page in e.pages:
        e.shown(page, state)
    spaces = e.state()["game"]["spaces"]
    high = [space for space, stack in spaces.items() if len(stack) > 1]
    for space in high:
        for page in (e.ann, e.kiosk):
            page.get_by_test_id(f"stack-{space}").wait_for()
    assert sum(len(stack) for stack in spaces.values()) >= 3
    score = e.state()["game"]["score"]
    for seat in phones:
        assert e.kiosk.get_by_test_id(f"total-{seat}").inner_text() == str(score[seat])

    phones[seat].get_by_test_id("undo").click()
    undone = e.wait(lambda s: s["ruling"]["text"].startswith("Taken back"), "the undo")
    assert undone["game"]["spaces"] == spaces
    assert e.ready()["game"]["phase"] == "turn"


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_a_whole_game_on_two_phones(evening: Evening, language: str) -> None:
    e = evening
    e.begin("coin-age")
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, page in phones.items():
        e.sit(page, seat)
    e.play_on(phones, e.fill)
    e.shows_the_end(language)


@pytest.mark.long
def test_a_whole_game_at_a_desk_against_the_computer(desk: Desk, language: str) -> None:
    desk.begin("coin-age", computers=["tails"])
    desk.play_on({"heads": desk.ann}, desk.fill)
    desk.shows_the_end(language)
