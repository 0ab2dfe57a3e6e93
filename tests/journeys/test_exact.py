"""Exact on two phones without buttons: every action is tapped, and the camera then sees the coins it moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.begun import begin
from tests.journeys.evening import Desk, Evening, Stage, Visit
from tests.journeys.running import Json, Running

if TYPE_CHECKING:
    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

GOAL = 10


@pytest.mark.heavy  # a journey
def test_the_last_turn_with_a_mistake_and_a_dispute(
    serve: Callable[..., Running], browsers: Browsers, tmp_path: Path
) -> None:
    begin(tmp_path / "data", "exact", _is_nearly_reached, {"goal": GOAL, "starter": "heads"})
    e = Visit(serve(), browsers, "en")
    e.sit(e.ann, "heads")
    e.ready()
    make_and_dispute_a_mistake(e)
    final = e.play_on({"heads": e.ann, "tails": e.kiosk}, e.hurry)
    assert final["game"]["totals"]["heads"] == GOAL
    e.shows_the_end("en")


def _is_nearly_reached(game: Json) -> bool:
    begins = game["phase"] == "turn" and game["to_act"] == ["heads"] and not game["turn"]["placed"]
    return bool(begins and game["rows"]["heads"].get("nickel") and game["totals"]["heads"] < GOAL)


@pytest.mark.long
def test_a_short_game_with_a_mistake_and_a_dispute(evening: Evening) -> None:
    e = evening
    e.begin("exact", options={"goal": GOAL, "starter": "heads"})
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, page in phones.items():
        e.sit(page, seat)
    state = e.toss(e.ann)
    assert sum(sum(row.values()) for row in state["game"]["rows"].values()) == 5
    make_and_dispute_a_mistake(e)
    final = e.play_on(phones, e.hurry)
    assert max(final["game"]["totals"].values()) == GOAL
    e.shows_the_end("en")


def make_and_dispute_a_mistake(e: Stage) -> None:
    """Ann lays a quarter on her row. It is refused with its clause; she disputes it and looks at the evidence."""
    e.put("quarter", "heads", "row.heads")
    refused = e.wait(lambda s: s["prompt"]["kind"] == "refused", "the refusal")
    assert refused["ruling"]["clause"] == "exact.place.limit"
    e.ann.get_by_test_id("ruling-clause").get_by_text("rule 2.2").wait_for()
    e.ann.get_by_test_id("dispute").click()
    e.ann.get_by_test_id("evidence-clause").wait_for()
    for when in ("before", "after"):  # the pictures kept with the ruling can be loaded
        e.ann.get_by_test_id(f"evidence-{when}").evaluate("image => image.decode()")
    e.ann.get_by_test_id("evidence").get_by_text("Close").click()
    # She lets the ruling stand, and the quarter is taken away again.
    e.ann.locator('[data-does="stand"]').click()
    e.ann.get_by_test_id("arrange").click()
    e.wait(lambda s: s["prompt"]["kind"] == "turn", "the turn to go on")


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_a_short_game_at_a_desk_against_the_computer(desk: Desk, language: str) -> None:
    desk.begin("exact", computers=["tails"], options={"goal": GOAL, "starter": "heads"})
    final = desk.play_on({"heads": desk.ann}, desk.hurry)
    assert max(final["game"]["totals"].values()) == GOAL
    desk.shows_the_end(language)
