"""A whole game of Steal on the virtual table: every coin dragged with the mouse, every ruling read from the picture."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.rules import load as load_rules
from tablecoin.rules.dollar_prize.steal import Keep

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

MAT = mats.load("two-row")
GAME = load_rules("steal")
PATIENCE_S = 90  # for what must come, on a machine with other work
LOOK_S = 0.2


class Players:
    """Two people with one mouse. They look at the page and at nothing else but the state it shows."""

    def __init__(self, page: Any, served: Any) -> None:
        self.page, self.served = page, served
        self.questions = 0

    def state(self) -> dict[str, Any]:
        return self.served.get("api/state")

    def wait(self, wanted: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Look until `wanted`; a question of the referee is answered by what a person would see on the table."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            state = self.state()
            if wanted(state):
                self.shown(state)
                return state
            if state["prompt"]["kind"] == "question":
                self.answer(state)
            time.sleep(LOOK_S)
        raise AssertionError(f"waited in vain for {what}: {self.served.against_truth(state)}")

    def shown(self, state: dict[str, Any]) -> None:
        """Wait until the page shows this state or a later one: what is measured before it may still be moved by it."""
        self.page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=state["seq"])

    def answer(self, state: dict[str, Any]) -> None:
        """The referee cannot tell; a person can, and taps the answer."""
        self.shown(state)
        self.page.get_by_test_id(f"choice-{self.served.true_choice(state)}").click()
        self.questions += 1
        self.wait(lambda s: s["prompt"]["kind"] != "question", "the answer to be taken")

    # -- hands --------------------------------------------------------------------------------------------------------

    def drag_in(self, kind: Denomination, zone: str) -> None:
        """From the box to a free spot of the zone."""
        coin = self.page.get_by_test_id(f"box-{kind}")
        coin.wait_for(state="visible")
        coin.scroll_into_view_if_needed()
        box = coin.bounding_box()
        x, y = self._free_spot(zone)
        self._drag((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), self._on_page(x, y))

    def drag_out(self, kind: Denomination, zone: str) -> None:
        """Off the mat; nothing when it is not there any more."""
        here = (c for c in self._coins() if MAT.zone_at(c["x_mm"], c["y_mm"]) == zone and c["denomination"] == kind)
        if coin := next(here, None):
            left, top = self._on_page(0, 0)
            self._drag(self._on_page(coin["x_mm"], coin["y_mm"]), (left + 60, top - 25))

    def press(self, button: str) -> None:
        self.page.get_by_test_id(f"press-{button}").click()

    def toss(self) -> None:
        button = self.page.get_by_test_id("toss")
        button.wait_for(state="visible")
        button.click()

    def set_the_table(self) -> None:
        """Do what the page says until the table matches."""
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
            seq = state["seq"]
            self.wait(
                lambda s, seq=seq: s["seq"] > seq and (s["prompt"]["kind"] != "arrange" or s["table"]["settled"]),
                "the table to be seen again",
            )
        raise AssertionError(f"the table never matched: {self.state()['prompt']['text']}")

    def _coins(self) -> list[dict[str, Any]]:
        coins: list[dict[str, Any]] = self.served.get("api/virtual")["coins"]
        return coins

    def _drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        before = len(self._coins())
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=2)
        mouse.move(*end, steps=2)
        mouse.up()
        deadline = time.monotonic() + PATIENCE_S
        while len(self._coins()) == before:
            assert time.monotonic() < deadline, f"the coin dragged from {start} to {end} was not moved"
            time.sleep(LOOK_S)

    def _on_page(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        box = self.page.get_by_test_id("mat").bounding_box()
        return box["x"] + x_mm * box["width"] / MAT.width_mm, box["y"] + y_mm * box["height"] / MAT.height_mm

    def _free_spot(self, zone: str) -> tuple[float, float]:
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


def test_a_whole_game_of_steal(serve: Any, browser: Any, tmp_path: Path) -> None:
    served = serve("--camera", "virtual", "--panel", "screen", "--seed", "7")
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(served.url)
    page.get_by_test_id("game-steal").click()
    for seat in ("heads", "tails"):
        page.locator(f'label:has([data-testid="who-{seat}-person"])').click()
    page.locator("details.rules summary").click()
    page.get_by_test_id("option-starter").select_option("heads")
    page.get_by_test_id("start").click()
    players = Players(page, served)
    seen = {"refused": False, "stolen": False, "converted": False, "killed": False}

    for step in range(400):
        state = players.wait(lambda s: s["prompt"]["kind"] in ("flip", "turn", "arrange", "over"), "something to do")
        kind, game = state["prompt"]["kind"], state["game"]
        print(f"{step} {kind} {game['totals']} {state['prompt']['text']}")  # shown when the journey fails
        if kind == "over":
            break
        if kind == "arrange":
            players.set_the_table()
        elif kind == "flip":
            players.toss()
            after = players.wait(lambda s: s["prompt"]["kind"] not in ("flip", "question"), "the toss to be read")
            seen["stolen"] |= after["game"].get("steal") is not None
        else:
            seat = game["to_act"][0]
            if not seen["refused"]:
                _place_too_high(players, page, seat)
                seen["refused"] = True
            if step > 40 and not seen["killed"]:
                served.kill()  # the power is cut in the middle of the game
                served = players.served = serve("--camera", "virtual", "--panel", "screen", "--seed", "8")
                again = served.get("api/state")
                assert again["game"] == game
                assert again["seq"] > state["seq"]
                page.goto(served.url)
                players.wait(lambda s: s["table"]["settled"], "the table to be compared")
                seen["killed"] = True
                continue
            rules_state = GAME.read_state(game)
            action = _greedily(rules_state)
            written = GAME.write_action(action)
            seen["converted"] |= written["do"] == "convert"
            _carry_out(players, seat, written)
            want = GAME.write_state(GAME.apply(rules_state, action))["rows"]
            players.wait(
                lambda s, want=want, old=state["game"]: s["game"]["rows"] == want and s["game"] != old, f"{written}"
            )
    final = players.state()
    assert final["prompt"]["kind"] == "over", final["prompt"]
    assert final["game"]["outcome"]["winners"]
    assert all(seen.values()), seen
    assert players.questions <= 5
    page.get_by_text(final["prompt"]["text"]).first.wait_for()
    if shots := os.environ.get("TABLECOIN_SHOTS"):
        page.screenshot(path=str(Path(shots) / "steal-over.png"))

    record = tmp_path / "game.jsonl"
    record.write_text(page.request.get(served.url + "api/record").text(), "utf-8")
    replayed = subprocess.run(
        [sys.executable, "-m", "tablecoin.cli", "replay", str(record), "--json"], capture_output=True, text=True
    )
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout.splitlines()[-1])["state"] == final["game"]


def _greedily(state: Any) -> Any:
    """What two people in a hurry do: convert whenever they can, place the highest coin, keep what they stole."""
    legal = list(GAME.legal_actions(state))
    return next((a for a in legal if type(a).__name__ == "Convert"), None) or max(
        legal, key=lambda a: (type(a).__name__ == "Place", getattr(getattr(a, "coin", None), "cents", 0), a == Keep())
    )


def _place_too_high(players: Players, page: Any, seat: str) -> None:
    """A quarter on a row of pennies: refused with its clause, and taken away again."""
    players.drag_in(Denomination.QUARTER, f"row.{seat}")
    refused = players.wait(lambda s: s["prompt"]["kind"] == "refused", "the refusal")
    assert refused["ruling"]["clause"] == "steal.place.limit"
    page.get_by_test_id("ruling-clause").get_by_text("steal.place.limit").wait_for()
    if shots := os.environ.get("TABLECOIN_SHOTS"):
        page.screenshot(path=str(Path(shots) / "steal-refused.png"))
    players.drag_out(Denomination.QUARTER, f"row.{seat}")
    players.wait(lambda s: s["prompt"]["kind"] == "turn", "the turn to go on")


def _carry_out(players: Players, seat: str, action: dict[str, Any]) -> None:
    row = f"row.{seat}"
    match action["do"]:
        case "place":
            players.drag_in(Denomination(action["coin"]), row)
        case "convert":
            give = Heap(**action["give"])
            for kind in give:
                players.drag_out(kind, row)
            players.drag_in(Denomination(action["take"]), row)
        case "break":
            steal = players.state()["game"]["steal"]
            players.drag_out(Denomination(steal["coin"]), row)
            for kind in Heap(**action["into"]):
                players.drag_in(kind, row)
        case "done" | "keep":
            players.press(f"{seat}.done")


def test_a_short_game_on_two_phones_beside_the_kiosk(evening: Any) -> None:
    e = evening
    e.begin("steal", options={"goal": 20, "starter": "heads"})
    phones = {"heads": e.ann, "tails": e.bob}
    for seat, phone in phones.items():
        e.sit(phone, seat)
    for step in range(120):
        state = e.ready()
        game, kind = state["game"], state["prompt"]["kind"]
        if kind == "over":
            break
        if kind == "flip":
            e.toss(e.ann)
            continue
        seat = game["to_act"][0]
        action = GAME.write_action(_greedily(GAME.read_state(game)))
        if action["do"] in ("done", "keep"):  # the seat's own button, on its own phone
            e.shown(phones[seat], state)
            phones[seat].get_by_test_id(f"press-{seat}.done").click()
            e.wait(lambda s, game=game: s["game"] != game, f"{seat}'s DONE to count")
        else:
            e.tap(phones[seat], action)
        if step == 6:
            e.shot(phones[seat], "steal-phone")
            e.shot(e.kiosk, "steal-kiosk")
    final = e.state()
    assert final["prompt"]["kind"] == "over", final["prompt"]["text"]
    assert max(final["game"]["totals"].values()) >= 20
    e.kiosk.locator(".seat.winner").first.wait_for()
    for page in (e.ann, e.bob, e.kiosk):
        e.shown(page, final)
        assert page.get_by_test_id("what").inner_text() == final["prompt"]["text"]
