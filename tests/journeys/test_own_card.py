"""Coin Age on a player's own card without markers: taught, chosen in the form, played and scored live."""

from __future__ import annotations

from collections import Counter
from typing import Any

import cv2
import msgspec
import pytest

from lab.reading import drawn_card
from tablecoin.storage import mapfiles
from tests.journeys.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TURNS = 3
PATIENCE_MS = 90_000


@pytest.mark.long
def test_a_taught_card_is_played_and_scored_live(evening: Evening) -> None:
    e = evening
    _teach(e)
    e.ann.reload()
    e.begin("coin-age", options={"map": "The Isle of Small Change"})
    assert e.state()["game"]["map"] == "isle-of-change"
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, page in phones.items():
        e.sit(page, seat)

    for _ in range(TURNS):
        state = e.toss(e.ann)
        while state["game"]["phase"] == "flip":
            state = e.toss(e.ann)
        seat = state["game"]["to_act"][0]
        state = e.place_all(phones[seat])
        state = e.tap(phones[seat], {"do": "done"})
    score = state["game"]["score"]
    assert any(score.values())
    e.shown(e.kiosk, state)
    for seat in phones:
        assert e.kiosk.get_by_test_id(f"total-{seat}").inner_text() == str(score[seat])

    # All coins are swept off. The virtual hands set the table again and build each stack from the bottom up.
    lay = _on_the_card(e)
    assert lay == {space: Counter(stack) for space, stack in state["game"]["spaces"].items() if stack}
    e.served.send("PUT", "api/virtual", {"coins": []})
    e.wait(lambda s: s["prompt"]["kind"] not in ("turn", "flip"), "the empty table to be noticed")
    e.ann.get_by_test_id("arrange").click()
    e.ready()
    assert _on_the_card(e) == lay
    assert e.state()["game"]["spaces"] == state["game"]["spaces"]


def _teach(e: Evening) -> None:
    """Send what the page at /teach sends; tests/journeys/test_teach.py taps through that page."""
    photo, to_px = drawn_card.photo()
    lesson = msgspec.json.encode(drawn_card.lesson("isle-of-change", to_px)).decode()
    picture = {"name": "card.png", "mimeType": "image/png", "buffer": cv2.imencode(".png", photo)[1].tobytes()}
    form: dict[str, Any] = {"photo": picture, "lesson": lesson}
    taught = e.ann.request.post(e.served.url + "api/teach", multipart=form, timeout=PATIENCE_MS)
    assert taught.ok, taught.text()
    mapfiles.look_also_in(e.served.data / "maps")  # so that this process knows the map too


def _on_the_card(e: Evening) -> dict[str, Counter[str]]:
    """The coins that really lie on each space."""
    found: dict[str, Counter[str]] = {}
    for coin in e.served.truth():
        if (coin["zone"] or "").startswith("space."):
            space = found.setdefault(coin["zone"].removeprefix("space."), Counter())
            space[f"{coin['denomination']}:{coin['face']}"] += 1
    return found
