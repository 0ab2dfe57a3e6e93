"""The computer's hands: on the virtual table nobody sets anything for a choice or for the computer's own move."""

from __future__ import annotations

import time

import pytest

from tests.journeys.evening import Evening
from tests.journeys.served import Json

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

AGAIN_S = 10.0  # after which a person touches again: a page that moves may swallow a touch


def test_coins_go_where_a_choice_and_the_computer_want_them(evening: Evening) -> None:
    e = evening
    e.begin("steal", computers=["tails"])
    e.ann.get_by_test_id("helped").click()  # the journeys begin without these hands
    played: set[str] = set()
    state = e.wait(asks_people, "the first toss to be due")
    while state["game"]["round"] < 2:
        kind, seat = state["prompt"]["kind"], state["prompt"]["seat"]
        if kind == "flip":
            e.touch(e.ann, "toss", state)
        elif kind == "question":
            e.touch(e.ann, f"choice-{e.served.true_choice(state)}", state)
        elif kind == "turn" and seat == "heads":
            played.add(state["prompt"]["choices"][0]["action"]["do"])
            e.touch(e.ann, "choice-0", state)
        state = asked_next(e, state)
    e.ann.get_by_test_id("view-drawn").click()
    e.shot(e.ann, "hands-phone")
    assert "place" in played
    wanted = state["table"]["wanted"]
    lying = e.served.truth()
    for seat in ("heads", "tails"):
        row = [coin["denomination"] for coin in lying if coin["zone"] == f"row.{seat}"]
        assert sorted(row) == sorted(kind for kind, n in wanted[f"row.{seat}"].items() for _ in range(n))


def asked_next(e: Evening, state: Json) -> Json:
    """The next snapshot in which people are asked. Where nothing came of a touch it is `state` again, to touch anew."""
    touched_s = time.monotonic()

    def asked(s: Json) -> bool:
        nothing_came = s["seq"] == state["seq"] and time.monotonic() > touched_s + AGAIN_S
        return nothing_came or asks_people(s, after=state["seq"])

    return e.wait(asked, "people to be asked again")


def asks_people(state: Json, after: int = -1) -> bool:
    """Whether the table is at rest and waits for a person to toss, to choose or to answer, after that snapshot."""
    if not state["table"]["settled"] or state["seq"] <= after:
        return False
    prompt = state["prompt"]
    return prompt["kind"] in ("flip", "question") or (prompt["kind"] == "turn" and prompt["seat"] == "heads")
