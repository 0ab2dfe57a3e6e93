"""Phones that lose the table and find it again: the network breaks down, the table falls silent, its power is cut.

Nobody touches a page to bring it back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Evening
from tests.journeys.network import Network
from tests.journeys.served import Json, Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_game_goes_on_after_each(evening: Evening, serve: Callable[..., Served]) -> None:
    e = evening
    network = Network(e.served.port, "127.0.0.1")
    e.bob.goto(network.url)
    e.begin("steal", options={"starter": "heads"})
    for seat, phone in (("heads", e.ann), ("tails", e.bob)):
        e.sit(phone, seat)

    # Bob's network breaks down while the pennies are tossed. When it is back he sees how they fell.
    due = e.ready()
    e.shown(e.bob, due)
    network.close()
    stands(e.bob, "offline")
    turn = e.toss(e.ann)
    assert int(e.bob.locator("body").get_attribute("data-seq") or 0) < turn["seq"]
    network.restore()
    stands(e.bob, "live")
    shows(e, turn)

    # The table falls silent, and answers again.
    e.served.freeze()
    for page in e.pages:
        stands(page, "offline")
        page.get_by_test_id("age").get_by_text("no connection").wait_for()
    e.served.thaw()
    for page in e.pages:
        stands(page, "live")

    # The power is cut. The table comes back with the same game, and each phone acts.
    e.served.kill()
    for page in e.pages:
        stands(page, "offline")
    e.served = serve(seed=8, port=e.served.port)
    again = e.ready()
    assert again["game"] == turn["game"]
    assert again["seq"] > turn["seq"]
    shows(e, again)
    for phone in (e.ann, e.bob):
        stands(phone, "live")
        seat = e.state()["game"]["to_act"][0]
        e.tap(phone, {"do": "place", "coin": "penny"})
        assert e.tap(phone, {"do": "done"})["game"]["to_act"] != [seat]
    network.close()


def stands(page: Page, condition: str) -> None:
    """Wait until the page says so of its connection to the table."""
    page.locator(f'#age[data-condition="{condition}"]').wait_for()


def shows(e: Evening, state: Json) -> None:
    """Every page shows `state`, in the referee's words."""
    for page in e.pages:
        e.shown(page, state)
        page.get_by_test_id("what").get_by_text(state["prompt"]["text"], exact=True).wait_for()
