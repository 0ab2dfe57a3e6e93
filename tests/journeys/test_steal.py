"""Steal on the virtual table: once with every coin dragged with the mouse, once on two phones beside the kiosk."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.rules import load as load_rules
from tablecoin.rules.dollar_prize.steal import Keep
from tests.journeys.begun import begin
from tests.journeys.evening import Desk, Evening, Visit
from tests.journeys.mouse import drag, on_page
from tests.journeys.running import Json, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

MAT = mats.load("two-row")
GAME = load_rules("steal")
GOAL = 40  # cents: enough for a conversion and a steal
RESTARTED_AFTER = 20  # steps of the game; tests/cli/test_serve.py kills a real process instead


class Players:
    """Two people with one mouse. They look only at the page and at the state that it shows."""

    def __init__(self, page: Page, served: Running) -> None:
        self.page, self.served = page, served
        self.questions = 0
        self.done: set[str] = set()  # what happened so far: "refused", "stolen", "converted", "restarted"

    def wait(self, wanted: Callable[[Json], bool], what: str) -> Json:
        """The first snapshot that is `wanted`. A question of the referee is answered truthfully meanwhile."""

        def look() -> Json | None:
            state = self.served.state()
            if wanted(state):
                return state
            if state["prompt"]["kind"] == "question":
                self.answer(state)
            return None

        state = self.served.until(look, lambda: f"{what}: {self.served.against_truth(self.served.state())}")
        self.shown(state)
        return state

    def shown(self, state: Json) -> None:
        """Wait until the page shows this state or a later one: until then, things on it may still move."""
        self.page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=state["seq"])

    def answer(self, state: Json) -> None:
        """The referee cannot tell what happened. The players can, and tap the true answer."""
        self.shown(state)
        self.page.get_by_test_id(f"choice-{self.served.true_choice(state)}").click()
        self.questions += 1
        self.wait(lambda s: s["prompt"]["kind"] != "question", "the answer to be taken")

    # -- hands --------------------------------------------------------------------------------------------------------

    def drag_in(self, kind: Denomination, zone: str) -> None:
        """Drag a coin from the box to a free spot of the zone."""
        coin = self.page.get_by_test_id(f"box-{kind}")
        coin.wait_for(state="visible")
        coin.scroll_into_view_if_needed()
        box = coin.bounding_box()
        assert box
        x, y = self._free_spot(zone)
        self._drag((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), self._on_page(x, y))

    def drag_out(self, kind: Denomination, zone: str) -> None:
        """Drag such a coin off the mat. Nothing happens when none lies in the zone any more."""
        here = (c for c in self._coins() if MAT.zone_at(c["x_mm"], c["y_mm"]) == zone and c["denomination"] == kind)
        if coin := next(here, None):
            left, top = self._on_page(0, 0)
            self._drag(self._on_page(coin["x_mm"], coin["y_mm"]), (left + 60, top - 25))

    def press(self, button: str) -> None:
        self.page.get_by_test_id(f"press-{button}").click()

    def set_the_table(self) -> None:
        """Move coins as the page says until the table matches."""
        for _ in range(12):
            state = self.wait(lambda s: s["prompt"]["kind"] != "arrange" or s["table"]["settled"], "a still table")
            if state["prompt"]["kind"] != "arrange":
                return
            for difference in state["table"]["differences"]:
                zone = difference["zone"]
                for kind in BY_VALUE:
                    for _ in range(difference["extra"].get(kind, 0)):
                        self.drag_out(kind, zone)
                    for _ in range(difference["missing"].get(kind, 0)):
                        self.drag_in(kind, zone)
            self._wait_for_a_look_after(state["seq"])
        raise AssertionError(f"the table never matched: {self.served.state()['prompt']['text']}")

    def _wait_for_a_look_after(self, seq: int) -> None:
        self.wait(
            lambda s: s["seq"] > seq and (s["prompt"]["kind"] != "arrange" or s["table"]["settled"]),
            "the table to be seen again",
        )

    def _coins(self) -> list[Json]:
        coins: list[Json] = self.served.get("api/virtual")["coins"]
        return coins

    def _drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        before = len(self._coins())
        drag(self.page, start, end)
        self.served.until(
            lambda: len(self._coins()) != before, lambda: f"the coin dragged from {start} to {end} to be moved"
        )

    def _on_page(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        return on_page(self.page, MAT, x_mm, y_mm)

    def _free_spot(self, zone: str) -> tuple[float, float]:
        """A place in the zone, in mm, at least 26 mm from every coin: the largest is 24.3 mm wide."""
        left, top, right, bottom = MAT.zone(zone).area.bounds_mm
        coins = self._coins()
        y = top + 14.0
        while y < bottom - 14:
            x = left + 14.0
            while x < right - 14:
                if all((c["x_mm"] - x) ** 2 + (c["y_mm"] - y) ** 2 > 26**2 for c in coins):
                    return x, y
                x += 3
            y += 3
        raise AssertionError(f"{zone} is full")

    # -- the game -----------------------------------------------------------------------------------------------------

    def step(self, state: Json) -> None:
        """Do what the page asks for."""
        match state["prompt"]["kind"]:
            case "arrange":
                self.set_the_table()
            case "flip":
                self.toss()
            case "turn" if "refused" not in self.done:
                self.place_too_high(state["game"]["to_act"][0])
            case "turn":
                self.act(state)

    def toss(self) -> None:
        button = self.page.get_by_test_id("toss")
        button.wait_for(state="visible")
        button.click()
        after = self.wait(lambda s: s["prompt"]["kind"] not in ("flip", "question"), "the toss to be read")
        if after["game"].get("steal") is not None:
            self.done.add("stolen")

    def place_too_high(self, seat: str) -> None:
        """Lay a quarter on a row of pennies: it is refused with its clause, and taken away again."""
        self.drag_in(Denomination.QUARTER, f"row.{seat}")
        refused = self.wait(lambda s: s["prompt"]["kind"] == "refused", "the refusal")
        assert refused["ruling"]["clause"] == "steal.place.limit"
        self.page.get_by_test_id("ruling-clause").get_by_text("rule 2.2").wait_for()
        self.drag_out(Denomination.QUARTER, f"row.{seat}")
        self.wait(lambda s: s["prompt"]["kind"] == "turn", "the turn to go on")
        self.done.add("refused")

    def act(self, state: Json) -> None:
        """Carry out one action and wait until the referee has ruled on it."""
        here = GAME.read_state(state["game"])
        action = greedy(here)
        written = GAME.write_action(action)
        self._carry_out(state["game"]["to_act"][0], written)
        rows = GAME.write_state(GAME.apply(here, action))["rows"]
        self.wait(lambda s: s["game"]["rows"] == rows and s["game"] != state["game"], f"{written}")
        if written["do"] == "convert":
            self.done.add("converted")

    def _carry_out(self, seat: str, action: Mapping[str, Any]) -> None:
        row = f"row.{seat}"
        match action["do"]:
            case "place":
                self.drag_in(Denomination(action["coin"]), row)
            case "convert":
                for kind in Heap(**action["give"]):
                    self.drag_out(kind, row)
                self.drag_in(Denomination(action["take"]), row)
            case "break":
                steal = self.served.state()["game"]["steal"]
                self.drag_out(Denomination(steal["coin"]), row)
                for kind in Heap(**action["into"]):
                    self.drag_in(kind, row)
            case "done" | "keep":
                self.press(f"{seat}.done")

    def go_on_with(self, served: Running, state: Json) -> None:
        """The appliance was started again: the game stands as it stood, and the snapshot's number grew."""
        self.served = served
        again = served.state()
        assert again["game"] == state["game"]
        assert again["seq"] > state["seq"]
        self.page.goto(served.url)
        self.wait(lambda s: s["table"]["settled"], "the table to be compared")
        self.done.add("restarted")


def greedy(state: Any) -> Any:
    """What people in a hurry do: convert when possible, else place the highest coin; keep what was stolen."""
    legal = list(GAME.legal_actions(state))
    return next((a for a in legal if type(a).__name__ == "Convert"), None) or max(
        legal, key=lambda a: (type(a).__name__ == "Place", getattr(getattr(a, "coin", None), "cents", 0), a == Keep())
    )


@pytest.mark.long
def test_a_whole_game_of_steal(serve: Callable[..., Running], browsers: Browsers, tmp_path: Path) -> None:
    served = serve(seed=7)
    page = browsers.page("ann", {"width": 1440, "height": 900})
    page.goto(served.url)
    page.get_by_test_id("road-start").click()
    page.get_by_test_id("game-steal").click()
    for seat in ("heads", "tails"):
        page.locator(f'label:has([data-testid="who-{seat}-person"])').click()
    page.locator("details.rules summary").click()
    page.get_by_test_id("option-goal").fill(str(GOAL))
    page.get_by_test_id("option-starter").select_option("heads")
    page.get_by_test_id("start").click()
    players = Players(page, served)

    for step in range(400):
        state = players.wait(lambda s: s["prompt"]["kind"] in ("flip", "turn", "arrange", "over"), "something to do")
        kind = state["prompt"]["kind"]
        print(f"{step} {kind} {state['game']['totals']} {state['prompt']['text']}")  # shown when the journey fails
        if kind == "over":
            break
        if step > RESTARTED_AFTER and kind == "turn" and "restarted" not in players.done:
            players.served.stop()
            players.go_on_with(serve(seed=8), state)
        else:
            players.step(state)
    final = players.served.state()
    assert final["prompt"]["kind"] == "over", final["prompt"]
    assert final["game"]["outcome"]["winners"]
    assert players.done == {"refused", "stolen", "converted", "restarted"}
    assert players.questions <= 5
    page.get_by_text(final["prompt"]["text"]).first.wait_for()

    record = tmp_path / "game.jsonl"
    record.write_text(page.request.get(players.served.url + "api/record").text(), "utf-8")
    replayed = subprocess.run(
        [sys.executable, "-m", "tablecoin", "replay", str(record), "--json"], capture_output=True, text=True
    )
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout.splitlines()[-1])["state"] == final["game"]


@pytest.mark.heavy  # a journey
def test_the_last_turn_on_a_phone_beside_the_kiosk(
    serve: Callable[..., Running], browsers: Browsers, tmp_path: Path
) -> None:
    near = begin(tmp_path / "data", "steal", _is_near_the_end, {"goal": 10, "starter": "heads"}, seed=3)
    e = Visit(serve(), browsers, "en")
    e.sit(e.ann, "heads")
    assert e.ready()["game"]["totals"] == near["totals"]
    final = e.play_on({"heads": e.ann, "tails": e.kiosk}, e.hurry)
    assert max(final["game"]["totals"].values()) >= 10
    e.shows_the_end("en")


def _is_near_the_end(game: Json) -> bool:
    return bool(game["phase"] == "turn" and game["to_act"] == ["heads"] and max(game["totals"].values()) >= 6)


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_a_short_game_on_two_phones_beside_the_kiosk(evening: Evening, language: str) -> None:
    e = evening
    e.begin("steal", options={"goal": 10, "starter": "heads"})
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, phone in phones.items():
        e.sit(phone, seat)
    final = e.play_on(phones, e.hurry)
    assert max(final["game"]["totals"].values()) >= 10
    e.shows_the_end(language)


@pytest.mark.long
def test_a_short_game_at_a_desk_against_the_computer(desk: Desk, language: str) -> None:
    turns = 0

    def turn(page: Page, seat: str, state: Json) -> None:
        nonlocal turns
        turns += 1
        for row in ("row.heads", "row.tails"):  # the computer's hands laid every coin
            lie = Counter(coin["denomination"] for coin in desk.served.truth() if coin["zone"] == row)
            assert lie == Counter(state["table"]["wanted"][row])
        desk.hurry(page, seat, state)

    desk.begin("steal", computers=["tails"], options={"goal": 10, "starter": "heads"})
    desk.play_on({"heads": desk.ann}, turn)
    assert turns >= 2
    desk.shows_the_end(language)
