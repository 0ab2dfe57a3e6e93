"""A whole game of Steal against the computer with the keyboard alone: from the first page to its end, and once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.journeys.running import Json, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

MOST_TABS = 40  # from the top of a page to anything that a person wants there
MOST_TURNS = 60  # tosses and acts of the person: a game to ten cents takes about ten
MOST_KEYS = 4.0  # a turn, on average


class Keyboard:
    """A person at the desk who touches keys alone, looks at the page, and counts every key."""

    def __init__(self, page: Page, served: Running) -> None:
        self.page, self.served = page, served
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def tab_to(self, testid: str) -> None:
        """Tab on until the focus is there."""
        for _ in range(MOST_TABS):
            if self.focused() == testid:
                return
            self.press("Tab")
        raise AssertionError(f"{MOST_TABS} tabs do not lead to {testid}, but to {self.focused()}")

    def focused(self) -> str | None:
        told: str | None = self.page.evaluate("document.activeElement?.dataset?.testid ?? null")
        return told

    def wait(self, wanted: Callable[[Json], object], what: str) -> Json:
        """The first snapshot that is `wanted`, once the page shows it or a later one."""

        def look() -> Json | None:
            state = self.served.state()
            return state if wanted(state) else None

        state = self.served.until(look, lambda: f"{what}: {self.served.against_truth(self.served.state())}")
        self.page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=state["seq"])
        return state


@pytest.fixture
def person(serve: Callable[..., Running], browsers: Browsers) -> Keyboard:
    served, page = serve(), browsers.page("ann", {"width": 1280, "height": 800})
    served.send("PUT", "api/virtual", {"sets_itself": True})  # as for everybody who opens the program
    page.goto(served.url)
    return Keyboard(page, served)


@pytest.mark.heavy  # a journey
def test_a_game_is_begun_and_a_turn_is_played(person: Keyboard) -> None:
    begin(person)
    for _ in range(3):  # a toss, a coin, and on
        do_what_is_asked(person, person.wait(waits_for_a_person, "the person to be asked"))
    assert person.served.state()["ruling"]["accepted"]


@pytest.mark.long
def test_a_game_from_the_first_page_to_its_end_and_once_more(person: Keyboard) -> None:
    begin(person)
    before = person.pressed
    turns = play(person)
    keys = (person.pressed - before) / turns
    print(f"{turns} tosses and turns of the person, {keys:.1f} keys each")
    assert keys <= MOST_KEYS

    person.page.get_by_test_id("over").wait_for()
    person.press("1")  # once more
    person.wait(lambda s: s["prompt"]["kind"] == "flip" and s["game"]["outcome"] is None, "the next game")


def begin(person: Keyboard) -> None:
    """Start a game to ten cents against the computer, from the first page on."""
    page = person.page
    page.get_by_test_id("road-start").wait_for()
    person.tab_to("skip")
    person.press("Enter")  # past the bar
    person.tab_to("road-start")
    person.press("Enter")
    page.get_by_test_id("start").wait_for()
    person.tab_to("house-rules")
    person.press("Enter")
    person.tab_to("option-goal")
    person.press("Control+A", "1", "0")
    person.tab_to("start")
    person.press("Enter")
    begun = person.wait(lambda s: s["game"] is not None, "the game to begin")
    page.locator('body[data-page="table"]').wait_for()  # its keys are those of the table
    assert begun["game"]["options"]["goal"] == 10
    assert begun["seats"] == {"heads": "person", "tails": "computer"}


def play(person: Keyboard) -> int:
    """Play until the game is over: toss, take the first act offered, end the turn. Returns the tosses and turns."""
    acts = 0
    for _ in range(MOST_TURNS):
        state = person.wait(waits_for_a_person, "the person to be asked")
        if state["prompt"]["kind"] == "over":
            return acts
        acts += state["prompt"]["kind"] != "question"
        do_what_is_asked(person, state)
    raise AssertionError(f"not over after {MOST_TURNS} acts: {state['game']}")


def waits_for_a_person(state: Json) -> bool:
    """Whether the referee waits for a person, on a table at rest."""
    kind, seat = state["prompt"]["kind"], state["prompt"]["seat"]
    if kind in ("over", "question"):
        return True
    return bool(state["table"]["settled"] and (kind == "flip" or (kind == "turn" and seat == "heads")))


def do_what_is_asked(person: Keyboard, state: Json) -> None:
    """One key for a toss, an answer, or an act that is offered; DONE where nothing but that is left to do."""
    before, seq = state["prompt"], state["seq"]
    match state["prompt"]["kind"]:
        case "flip":
            person.press("t")
        case "question":
            person.press(str(1 + person.served.true_choice(state)))
        case _ if state["prompt"]["choices"]:
            person.press("1")
        case _:
            person.press("d")
    person.wait(lambda s: s["seq"] > seq and s["prompt"] != before, "the key to do it")
