"""Steal against the computer with the chances shown: the bar moves with a toss, and a hint says and shows a move."""

from __future__ import annotations

import json
import math
import re
import urllib.request

import pytest

from tests.journeys.evening import Evening
from tests.journeys.running import PATIENCE_S, Json

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

GOAL = 10  # cents: Heads wins 48 of 100 games before the first toss, and after it 25, 38, 50, 53 or 69
TOSSES = 8  # on a busy machine some chances come too late to be shown
ASKED = 5  # times a hint is asked for, for the same reason


@pytest.mark.long
def test_the_bar_moves_with_a_toss_and_a_hint_shows_a_move(evening: Evening) -> None:
    e = evening
    e.begin("steal", computers=["tails"], options={"odds": "always", "starter": "heads", "goal": GOAL})
    shown = set[str]()

    def note(state: Json) -> None:
        if known := chances(e, state):
            shown.add(known)
            for page in (e.ann, e.kiosk):
                page.locator(f'[data-testid="odds-heads"][data-percent="{known}"]').wait_for()

    for _ in range(TOSSES):
        note(e.toss(e.ann))
        if len(shown) > 1:
            break
        e.touch(e.ann, "undo", e.state())
        note(e.wait(lambda s: s["game"]["phase"] == "setup", "the toss to be taken back"))
    assert len(shown) > 1, "the bar never moved"

    for _ in range(ASKED):
        e.ann.get_by_test_id("ask-hint").click()
        e.ann.locator('[data-testid="hint-text"], [data-testid="ask-hint"]:enabled').wait_for()
        if e.ann.get_by_test_id("hint-text").is_visible():
            break
    assert re.search("Best: |only one thing to do", e.ann.get_by_test_id("hint-text").inner_text())
    assert e.ann.locator(".choice.advised, [data-testid=advised-here]").count() > 0
    assert [line["seat"] for line in record(e) if line.get("event") == "hint"] == ["heads"]
    for page in (e.ann, e.kiosk):
        page.get_by_test_id("language").click()
    e.ann.get_by_test_id("hint-text").get_by_text(re.compile("最好：|这里只能")).wait_for()


def chances(e: Evening, ruled: Json) -> str:
    """The percent of Heads once this state is taken in; "" where they came too late, so that none are shown."""
    number = ruled["ruling"]["seq"]
    state = e.wait(lambda s: s["odds"] is None or s["odds"]["seq"] >= number, "the chances, or that there are none")
    return str(math.floor(100 * state["odds"]["chance"]["heads"] + 0.5)) if state["odds"] else ""


def record(e: Evening) -> list[Json]:
    with urllib.request.urlopen(e.served.url + "api/record", timeout=PATIENCE_S) as answer:
        return [json.loads(line) for line in answer]
