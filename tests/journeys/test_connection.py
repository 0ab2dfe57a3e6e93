"""Phones that lose the table and find it again: the network breaks down or falls silent, the program is started again.

Nobody touches a page to bring it back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.journeys.evening import Desk, Evening, Stage
from tests.journeys.network import Network
from tests.journeys.running import Json, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_a_page_that_lost_the_table_catches_up(desk: Desk, language: str) -> None:
    d = desk
    network = Network(d.served.port, "127.0.0.1")
    d.begin("steal", options={"starter": "heads"})
    d.ann.goto(network.url)
    due = d.wait(lambda s: s["prompt"]["kind"] == "flip" and s["table"]["settled"], "the first toss to be due")
    d.shown(d.ann, due)

    # The network breaks down while the pennies are tossed. When it is back, the page shows how they fell.
    network.close()
    stands(d.ann, "offline")
    d.ann.get_by_test_id("age").get_by_text("未连接").wait_for()
    d.served.send("POST", "api/virtual/toss", {"coins": due["table"]["flips"]["tray"], "zone": "tray"})
    turn = d.wait(lambda s: s["game"]["phase"] == "turn", "the toss to be read")
    assert int(d.ann.locator("body").get_attribute("data-seq") or 0) < turn["seq"]
    network.restore()
    stands(d.ann, "live")
    shows(d, turn, language)

    # The table falls silent, and answers again.
    network.fall_silent()
    stands(d.ann, "offline")
    network.speak()
    stands(d.ann, "live")
    network.close()


@pytest.mark.long
def test_a_game_goes_on_after_a_restart(evening: Evening, serve: Callable[..., Running], language: str) -> None:
    e = evening
    e.begin("steal", options={"starter": "heads"})
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, phone in phones.items():
        e.sit(phone, seat)
    turn = e.toss(e.ann)
    e.served.stop()
    for page in e.pages:
        stands(page, "offline")
    e.served = serve(seed=8)
    again = e.ready()
    assert again["game"] == turn["game"]
    assert again["seq"] > turn["seq"]
    shows(e, again, language)
    for seat, phone in phones.items():  # each still sits in its seat, and acts
        stands(phone, "live")
        assert e.state()["game"]["to_act"] == [seat]
        e.tap(phone, {"do": "place", "coin": "penny"})
        e.tap(phone, {"do": "done"})


def stands(page: Page, condition: str) -> None:
    """Wait until the page says so of its connection to the table."""
    page.locator(f'#age[data-condition="{condition}"]').wait_for()


def shows(stage: Stage, state: Json, language: str) -> None:
    """Wait until every page shows `state` or a later one, in the referee's words of now."""
    for page in stage.pages:
        stage.shown(page, state)
        stage.served.until(
            partial(_says_the_same, stage, page, language),
            lambda: "the page to say what the referee says",
        )


def _says_the_same(stage: Stage, page: Page, language: str) -> bool:
    said: str = stage.state()["prompt"]["texts"][language]
    return page.get_by_test_id("what").inner_text() == said
