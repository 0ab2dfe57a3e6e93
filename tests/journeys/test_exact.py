"""Exact on two phones without buttons: every action is tapped, and the camera then sees the coins it moved."""

from __future__ import annotations

import pytest

from tablecoin.opponents import Level, load
from tablecoin.rules import load as load_rules
from tests.journeys.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

GAME = load_rules("exact")
GOAL = 15


def test_a_short_game_with_a_mistake_and_a_dispute(evening: Evening) -> None:
    e = evening
    e.begin("exact", options={"goal": GOAL, "starter": "heads"})
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, page in phones.items():
        e.sit(page, seat)
    state = e.toss(e.ann)
    assert sum(sum(row.values()) for row in state["game"]["rows"].values()) == 5

    # Ann lays a quarter on her row. It is refused with its clause; she disputes it and looks at the evidence.
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

    choose = load("exact")
    for ply in range(80):
        state = e.ready()
        game = state["game"]
        if state["prompt"]["kind"] == "over":
            break
        seat = game["to_act"][0]
        action = GAME.write_action(choose(GAME.read_state(game), seat, Level.STRONG, ply))
        e.tap(phones[seat], action)
    final = e.state()
    assert final["game"]["outcome"]["winners"]
    assert max(final["game"]["totals"].values()) == GOAL
    e.kiosk.locator(".seat.winner").first.wait_for()
    assert e.kiosk.get_by_test_id("what").inner_text() == final["prompt"]["text"]
