"""People who play by touching pages: two with a phone each beside the kiosk, or one at a desk against the computer."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import dist
from typing import TYPE_CHECKING

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.coins import Denomination
from tests.journeys.mouse import drag, on_page
from tests.journeys.running import PATIENCE_S, SEEN, Json, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

    from tests.journeys.browsers import Browsers

TOUCH_S = 5  # the longest wait for one click: the button may have gone meanwhile
TOUCHES = 3  # how often a button is touched at most: a page that moves may swallow a touch
TO_SET = ("arrange", "refused", "paused", "unfinished")  # prompts that wait for hands to set the table
MOST_STEPS = 200  # of a game: tosses and acts
HURRIED = ("convert", "place", "keep", "skip", "done")  # the acts of people in a hurry, first choice first
WINS = {"en": "wins", "zh": "获胜"}  # beside a seat that won
REST = 30  # frames after which hands that were about to set the table would have begun
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}
KIOSK: ViewportSize = {"width": 1920, "height": 1080}


class Stage:
    """A table and the pages on which people play at it.

    Nothing here waits for a fixed time. Everything waits for what a person would wait for, and a page is touched only
    when it shows the referee's newest sentence.
    """

    def __init__(self, served: Running, pages: Sequence[Page]) -> None:
        self.served, self.pages = served, pages
        self.ann, self.at_table = pages[0], pages[-1]  # who begins; the page that speaks for everybody

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

    def click(self, page: Page, testid: str, state: Mapping[str, object]) -> None:
        """Touch what `state` put on the page: before, one of the same name may stand there for something else."""
        self.shown(page, state)
        page.get_by_test_id(testid).click()

    # -- starting a game ------------------------------------------------------------------------------------------

    def begin(self, game: str, computers: Sequence[str] = (), options: Mapping[str, object] | None = None) -> None:
        """Ann starts a game, from the first page on: house rules from `options`, computers in the seats named."""
        self.ann.goto(self.served.url + "#home")
        self.ann.get_by_test_id("road-start").click()
        self.ann.get_by_test_id(f"game-{game}").click()
        for name, value in (options or {}).items():
            self._choose(name, value)
        for field in self.ann.locator('input[data-testid^="who-"][data-testid$="-person"]').all():
            name = field.get_attribute("name") or ""
            who = "computer" if name.removeprefix("seat.") in computers else "person"
            self.ann.locator(f'label:has([name="{name}"][value="{who}"])').click()
        self.ann.get_by_test_id("start").click()
        begun = self.wait(lambda s: s["game"] and s["game"]["game"] == game, f"{game} to begin")
        self.ann.locator('body[data-page="table"]').wait_for()
        for page in self.pages:
            self.shown(page, begun)

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
                self.touch(
                    self.at_table, f"choice-{self.served.true_choice(state)}", state
                )  # may answer for every seat
                answered: float = state["seq"]
            else:
                self.set_table(state)
                if self.served.truth() == before:  # every coin lies right and one is misread: move it a little
                    self.nudge(state)
                answered = math.inf  # only a new frame tells the result
            self._wait_for_answer(answered, frame)
        raise AssertionError(f"the table never matched: {state['prompt']['text']} {state['table']['differences']}")

    def set_table(self, state: Json) -> None:
        """Have the coins laid where the game wants them."""
        self.touch(self.ann, "arrange", state)

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
        ruled_on, asked = partial(_accepted_since, state["ruling"]["seq"]), state["prompt"]["text"]
        for _ in range(6):
            for zone in state["table"]["flips"]:
                lying = self.served.truth()
                fell = partial(self._lie_otherwise, lying)
                self.press(page, "toss-scene" if zone == "scene" else "toss", state, fell)
            tossed_at = self.served.frame_number()

            def read(s: Json, tossed_at: int = tossed_at) -> bool:
                if ruled_on(s) or s["prompt"]["kind"] == "question":
                    return True
                complaint = s["prompt"]["text"] != asked or s["prompt"]["kind"] != "flip"
                return complaint and s["table"]["settled"] and self.served.frame_number() > tossed_at + SEEN

            state = self.wait(read, "the toss to be read")
            if ruled_on(state) or state["prompt"]["kind"] == "question":
                return self.ready()
            if state["prompt"]["kind"] not in ("flip", "refused"):  # a refused toss is simply repeated
                state = self.ready()
        raise AssertionError(f"six tosses were not read: {state['prompt']['text']}")

    def press(self, page: Page, testid: str, state: Json, happened: Callable[[], object]) -> None:
        """Touch a button that `state` put on the page until something happened; a page that moves may swallow a touch.

        Where nothing happens after TOUCHES, what is waited for next says so.
        """
        for _ in range(TOUCHES):
            self.touch(page, testid, state)
            if self.served.happens(happened, TOUCH_S):
                return

    def place_all(self, page: Page) -> Json:
        """Place every coin that this turn of Coin Age allows, on other coins where possible, dimes last."""
        state = self.state()
        while places := _places(state):
            spaces = state["game"]["spaces"]
            state = self.tap(page, min(places, key=lambda act: (not spaces[act["space"]], act["coin"] == "dime")))
        return state

    def fill(self, page: Page, seat: str, state: Json) -> None:
        """A turn of Coin Age: place a coin on an empty space where that is allowed; the last one ends the game."""
        spaces = state["game"]["spaces"]
        empty = [act for act in _places(state) if not spaces[act["space"]]]
        if empty:
            self.place(page, empty[0], state)
        else:
            self.tap(page, {"do": "done"})

    def place(self, page: Page, act: Json, state: Json) -> None:
        """Place a coin of Coin Age."""
        self.tap(page, act)

    def tap(self, page: Page, action: Mapping[str, object]) -> Json:
        """Touch the button that carries out `action`, and set the table for it."""
        state = self.ready()
        game, offered = state["game"], [choice["action"] for choice in state["prompt"]["choices"]]
        went_on = partial(self._goes_on, game)
        if action in offered:
            self.press(page, f"choice-{offered.index(action)}", state, went_on)
        elif action["do"] == "done":
            self.press(page, f"press-{game['to_act'][0]}.done", state, went_on)
        else:  # more actions are legal than there are buttons
            self.served.send("POST", "api/act", action)
        self.wait(lambda s: s["game"] != game, f"{action} to be taken")
        return self.ready()

    def _lie_otherwise(self, lying: Sequence[Json]) -> bool:
        return self.served.truth() != lying

    def _goes_on(self, game: Json) -> bool:
        return bool(self.state()["game"] != game)

    # -- to the end ---------------------------------------------------------------------------------------------------

    def play_on(self, pages: Mapping[str, Page], turn: Callable[[Page, str, Json], object]) -> Json:
        """Play until the game is over: `turn(page, seat, state)` acts for each of `pages`. The others are computers."""
        for _ in range(MOST_STEPS):
            state = self.ready()
            game = state["game"]
            seat = next((seat for seat in game["to_act"] if seat in pages), None)
            if state["prompt"]["kind"] == "over":
                return state
            if state["prompt"]["kind"] == "flip":
                self.toss(self.ann)
            elif seat:
                turn(pages[seat], seat, state)
            elif game["to_act"] == ["table"]:
                self.press(self.at_table, "choice-0", state, partial(self._goes_on, game))
            else:
                self.wait(partial(_another, game), "the computer to act")
        raise AssertionError(f"not over after {MOST_STEPS} steps: {state['prompt']['text']}")

    def hurry(self, page: Page, seat: str, state: Json) -> None:
        """Tap what ends a game soon, of all that is offered: convert, else place the highest coin, else go on."""
        offered = [choice["action"] for choice in state["prompt"]["choices"]]
        soon = sorted((act for act in offered if act["do"] in HURRIED), key=haste)
        self.tap(page, next(iter(soon), {"do": "done"}))

    def shows_the_end(self, language: str) -> None:
        """Every page says in its language how the game ended, and names who won."""
        final = self.state()
        assert final["prompt"]["kind"] == "over", final["prompt"]["text"]
        said = [final["prompt"]["texts"][language]]
        winners = [f"seat-{seat}" for seat in final["game"]["outcome"]["winners"]]
        for page in self.pages:
            self.shown(page, final)
            assert page.get_by_test_id("what").all_inner_texts() == said
            won = page.locator(".seat.winner").all()
            assert [each.get_attribute("data-testid") for each in won] == winners
            assert all(WINS[language] in each.inner_text() for each in won)


def _places(state: Json) -> list[Json]:
    """The coins that may be placed now in Coin Age, each with its space."""
    game = rules.load("coin-age")
    if state["game"]["phase"] != "turn" or not state["game"]["allowed"]["place"]:
        return []
    legal = map(game.write_action, game.legal_actions(game.read_state(state["game"])))
    return [action for action in legal if action["do"] == "place"]


def _accepted_since(seq: int, state: Json) -> bool:
    """Whether a later ruling accepted something. The game may be the same after it: two tosses may fall alike."""
    return bool(state["ruling"]["seq"] > seq and state["ruling"]["accepted"])


def _another(game: Json, state: Json) -> bool:
    return bool(state["game"] != game)


def haste(action: Json) -> tuple[int, int]:
    """The lower, the sooner people in a hurry do it."""
    do = action["do"]
    return HURRIED.index(do) if do in HURRIED else len(HURRIED), -Denomination(action.get("coin", "penny")).cents


class Evening(Stage):
    """Ann and Bob with a phone each, and the kiosk. Nobody sets the table for them."""

    def __init__(self, served: Running, browsers: Browsers, language: str) -> None:
        sizes = {"ann": PHONE, "bob": PHONE, "kiosk": KIOSK}
        super().__init__(served, [browsers.page(who, size, language) for who, size in sizes.items()])
        self.ann, self.bob, self.kiosk = self.pages
        self.ann.goto(served.url)
        self.bob.goto(served.url)
        self.kiosk.goto(served.url + "kiosk")


class Visit(Stage):
    """Ann with a phone beside the kiosk, which speaks for the other seats. The cheapest stage with two pages."""

    def __init__(self, served: Running, browsers: Browsers, language: str) -> None:
        super().__init__(served, [browsers.page("ann", PHONE, language), browsers.page("kiosk", DESK, language)])
        self.kiosk = self.at_table
        self.ann.goto(served.url)
        self.kiosk.goto(served.url + "kiosk")


class Desk(Stage):
    """One person at a desk, whose page speaks for the whole table. The computer's hands set the table."""

    def __init__(self, served: Running, browsers: Browsers, language: str) -> None:
        super().__init__(served, [browsers.page("ann", DESK, language)])
        served.send("PUT", "api/virtual", {"sets_itself": True})
        self.ann.goto(served.url)

    def set_table(self, state: Json) -> None:
        """Wait until the hands laid every coin where the game wants it."""
        at_rest, since = self.served.truth(), self.served.frame_number()

        def done() -> bool:
            nonlocal at_rest, since
            if (lying := self.served.truth()) != at_rest:
                at_rest, since = lying, self.served.frame_number()
            return self.state()["prompt"]["kind"] not in TO_SET or self.served.frame_number() > since + REST

        self.served.until(done, lambda: "the computer's hands to set the table")

    def place(self, page: Page, act: Json, state: Json) -> None:
        """Drag the tossed coin from the tray to its space."""
        mat = mats.load(state["mat"]["name"])
        coins = [each for each in self.served.truth() if each["zone"] == "tray"]
        coin = next(each for each in coins if each["denomination"] == act["coin"])
        page.locator(f'[transform="translate({coin["x_mm"]:g} {coin["y_mm"]:g})"] .grip').wait_for(state="attached")
        start = on_page(page, mat, coin["x_mm"], coin["y_mm"])
        drag(page, start, on_page(page, mat, *mat.zone(f"space.{act['space']}").area.center_mm))
        self.wait(partial(_another, state["game"]), f"{act} to be seen")
