"""Two people with a phone each and the kiosk beside the table. They play by touching pages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import dist
from typing import TYPE_CHECKING

from tablecoin import mat as mats
from tablecoin import rules
from tests.journeys.served import LOOK_S, PATIENCE_S, SEEN, Json, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

TOUCH_S = 5  # the longest wait for one click: the button may have gone meanwhile
PHONE: ViewportSize = {"width": 390, "height": 844}
KIOSK: ViewportSize = {"width": 1920, "height": 1080}


class Evening:
    """Ann and Bob with a phone each, and the kiosk.

    Nothing here waits for a fixed time. Everything waits for what a person would wait for, and a page is touched only
    when it shows the referee's newest sentence.
    """

    def __init__(self, served: Served, browser: Browser) -> None:
        self.served = served
        self._contexts = [browser.new_context(viewport=size) for size in (PHONE, PHONE, KIOSK)]
        self.ann, self.bob, self.kiosk = (context.new_page() for context in self._contexts)
        self.problems: list[str] = []  # what the pages' JavaScript threw
        for page in (self.ann, self.bob, self.kiosk):
            page.set_default_timeout(PATIENCE_S * 1000)
            page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.ann.goto(served.url)
        self.bob.goto(served.url)
        self.kiosk.goto(served.url + "kiosk")

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    # -- looking --------------------------------------------------------------------------------------------------

    def state(self, seat: str = "") -> Json:
        return self.served.state(seat)

    def wait(self, wanted: Callable[[Json], object], what: str) -> Json:
        """The first snapshot that is `wanted`."""
        state: Json = {}

        def look() -> Json | None:
            nonlocal state
            state = self.state()
            return state if wanted(state) else None

        return self.served.until(look, lambda: f"{what}: {self.served.against_truth(state)}")

    def shown(self, page: Page, state: Mapping[str, object]) -> None:
        """Wait until `page` shows `state` or a later one."""
        page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=state["seq"])

    # -- starting a game ------------------------------------------------------------------------------------------

    def begin(self, game: str, computers: Sequence[str] = (), options: Mapping[str, object] | None = None) -> None:
        """Ann starts a game on her phone: house rules from `options`, computers in the seats named."""
        self.ann.goto(self.served.url + "#start")
        self.ann.get_by_test_id(f"game-{game}").click()
        for name, value in (options or {}).items():
            self._choose(name, value)
        for field in self.ann.locator('input[data-testid^="who-"][data-testid$="-person"]').all():
            name = field.get_attribute("name") or ""
            who = "computer" if name.removeprefix("seat.") in computers else "person"
            self.ann.locator(f'label:has([name="{name}"][value="{who}"])').click()
        self.ann.get_by_test_id("start").click()
        self.wait(lambda s: s["game"] and s["game"]["game"] == game, f"{game} to begin")

    def _choose(self, name: str, value: object) -> None:
        """Set one option of the game in Ann's form."""
        if name == "players" and isinstance(value, int):
            for _ in range(9 - value):
                self.ann.get_by_test_id("players-less").click()
            return
        if name == "map":
            self.ann.locator(f'label:has([name="option.map"]):has-text("{value}")').click()
            return
        if name != "players":
            self.ann.locator("details.rules").evaluate("each => each.open = true")
        field = self.ann.get_by_test_id(f"option-{name}")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
            field.blur()

    def sit(self, page: Page, seat: str) -> None:
        page.get_by_test_id("menu").click()
        page.get_by_test_id("my-seat").select_option(value=seat)
        page.get_by_test_id("menu").click()

    # -- playing --------------------------------------------------------------------------------------------------

    def touch(self, page: Page, testid: str, state: Mapping[str, object]) -> None:
        """Touch a button that `state` put on the page. It may have gone since: then nothing is touched."""
        from playwright.sync_api import TimeoutError as NotYet

        self.shown(page, state)
        button, end = page.get_by_test_id(testid), time.monotonic() + PATIENCE_S
        while button.is_visible():
            assert time.monotonic() < end, f"{testid} cannot be touched"
            with suppress(NotYet):
                button.click(timeout=TOUCH_S * 1000)
                return

    def ready(self) -> Json:
        """Set the table and answer the referee's questions truthfully, until the game goes on."""
        for _ in range(12):
            state = self.wait(lambda s: s["table"]["settled"] or s["prompt"]["kind"] == "over", "a still table")
            if state["prompt"]["kind"] in ("turn", "flip", "over", "lobby"):
                return state
            before, frame = self.served.truth(), self.served.frame_number()
            if state["prompt"]["kind"] == "question":
                self.touch(self.kiosk, f"choice-{self.served.true_choice(state)}", state)  # may answer for every seat
                answered: float = state["seq"]
            else:
                self.touch(self.ann, "arrange", state)
                if self.served.truth() == before:  # every coin lies right and one is misread: move it a little
                    self.nudge(state)
                answered = math.inf  # only a new frame tells the result
            self._wait_for_answer(answered, frame)
        raise AssertionError(f"the table never matched: {state['prompt']['text']} {state['table']['differences']}")

    def _wait_for_answer(self, seq: float, frame: int) -> None:
        """Until a snapshot after `seq`, or a frame surely later than `frame`."""
        self.wait(lambda s: s["seq"] > seq or self.served.frame_number() > frame + SEEN, "the next snapshot or frame")

    def nudge(self, state: Json) -> None:
        """Turn and shift the coins that lie right and are misread, as a person would who looks at the page."""
        table, seen = self.served.get("api/virtual"), state["table"]["coins"]
        mat, zones = mats.load(table["mat"]), {each["zone"] for each in state["table"]["differences"]}
        for coin in table["coins"]:
            here = coin["x_mm"], coin["y_mm"]
            read = any(c["denomination"] == coin["denomination"] and dist(c["center_mm"], here) < 5 for c in seen)
            if (zone := mat.zone_at(*here) or "") in zones and not read:
                coin["angle_deg"] = (coin["angle_deg"] + 57) % 360
                shift_mm = 1.2 if zone.startswith("space.") else 4.0  # less on a space: the coin must stay in its ring
                for down_mm in (shift_mm, -shift_mm):
                    if mat.zone_at(here[0], here[1] + 3 * down_mm) == zone:
                        coin["y_mm"] += down_mm
                        break
        self.served.send("PUT", "api/virtual", {"coins": table["coins"]})

    def put(self, denomination: str, face: str, zone: str) -> None:
        """Lay one more coin by hand into the bottom right corner of a zone."""
        table = self.served.get("api/virtual")
        _, _, right, bottom = mats.load(table["mat"]).zone(zone).area.bounds_mm
        coin = {"denomination": denomination, "face": face, "x_mm": right - 18, "y_mm": bottom - 18}
        self.served.send("PUT", "api/virtual", {"coins": [*table["coins"], coin]})

    def toss(self, page: Page) -> Json:
        """Toss the coins due and wait until they are read. A toss that the referee does not accept is repeated."""
        state = self.ready()
        before, asked = state["game"], state["prompt"]["text"]
        for _ in range(6):
            for number, zone in enumerate(state["table"]["flips"]):
                self._throw(page, f"toss-{zone}" if number else "toss", state)
            tossed_at = self.served.frame_number()

            def read(s: Json, tossed_at: int = tossed_at) -> bool:
                if s["game"] != before or s["prompt"]["kind"] == "question":
                    return True
                complaint = s["prompt"]["text"] != asked or s["prompt"]["kind"] != "flip"
                return complaint and s["table"]["settled"] and self.served.frame_number() > tossed_at + SEEN

            state = self.wait(read, "the toss to be read")
            if state["game"] != before or state["prompt"]["kind"] == "question":
                return self.ready()
            if state["prompt"]["kind"] not in ("flip", "refused"):  # a refused toss is simply repeated
                state = self.ready()
        raise AssertionError(f"six tosses were not read: {state['prompt']['text']}")

    def _throw(self, page: Page, testid: str, state: Json) -> None:
        """Touch a button that tosses until coins fell, three times at most: a touch may miss on a page that moves."""
        before = self.served.truth()
        for _ in range(3):
            self.touch(page, testid, state)
            end = time.monotonic() + TOUCH_S
            while time.monotonic() < end:
                if self.served.truth() != before:
                    return
                time.sleep(LOOK_S)

    def place_all(self, page: Page) -> Json:
        """Place every coin that this turn of Coin Age allows, on other coins where possible, dimes last."""
        state = self.state()
        game = rules.load("coin-age")
        while state["game"]["phase"] == "turn" and state["game"]["allowed"]["place"]:
            here = game.read_state(state["game"])
            legal = [game.write_action(action) for action in game.legal_actions(here)]
            places = [action for action in legal if action["do"] == "place"]
            if not places:
                break
            spaces = state["game"]["spaces"]
            best = min(places, key=lambda action: (not spaces[action["space"]], action["coin"] == "dime"))
            state = self.tap(page, best)
        return state

    def tap(self, page: Page, action: Mapping[str, object]) -> Json:
        """Tap the button that offers `action`, and set the table for it."""
        state = self.ready()
        offered = [choice["action"] for choice in state["prompt"]["choices"]]
        if action in offered:
            self.shown(page, state)
            page.get_by_test_id(f"choice-{offered.index(action)}").click()
        else:  # more actions are legal than there are buttons
            self.served.send("POST", "api/act", action)
        self.wait(lambda s: s["game"] != state["game"], f"{action} to be taken")
        return self.ready()
