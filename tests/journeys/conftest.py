"""The product as a person meets it: `tablecoin serve` in a process of its own, and a real browser on its page."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import dist
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.rules.game import RulesError

T = TypeVar("T")

PATIENCE_S = 90  # for what must come, on a machine with other work
LOOK_S = 0.2  # between two looks at the state: the pages look too, and one address may ask 60 times a second
TOUCH_S = 5  # for a button that may be gone
SEEN = 2  # pictures after which one was surely taken later than what was done before
PHONE = {"width": 390, "height": 844}
KIOSK = {"width": 1920, "height": 1080}


class Served:
    """A running `tablecoin serve`."""

    def __init__(self, data: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "tablecoin.cli", "serve", "--port", "0", "--data", str(data), *arguments]
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.log = data / "serve.log"  # a file: a pipe nobody reads would fill up and stop the program
        with self.log.open("a") as log:
            before = log.tell()
            self._process = subprocess.Popen(command, stderr=log)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self._process.poll() is None:
            said = self.log.read_text("utf-8")[before:]
            if "the page is at " in said:
                self.url = said.partition("the page is at ")[2].split()[0]
                return
            time.sleep(0.05)
        raise AssertionError("tablecoin serve did not start: " + self.log.read_text("utf-8")[before:])

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def picture(self) -> int:
        """The number of the newest picture that was read."""
        with urllib.request.urlopen(self.url + "frame.jpg", timeout=PATIENCE_S) as answer:
            return int(answer.headers["X-Frame-Number"])

    def send(self, method: str, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def until(self, there: Callable[[], T | None], what: Callable[[], str]) -> T:
        """What `there` gives, once it gives something; `what` says what was waited for in vain."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := there():
                return found
            time.sleep(LOOK_S)
        raise AssertionError(f"waited in vain for {what()}")

    def wait_for_pictures(self) -> None:
        """Until so many more pictures were read that the newest was surely taken after what was done."""
        first = self.picture()
        self.until(lambda: self.picture() >= first + SEEN, lambda: "new pictures")

    # -- what a person sees who sits at the virtual table --------------------------------------------------------------

    def truth(self) -> list[dict[str, Any]]:
        """The coins that really lie on the virtual table, each with its zone."""
        table = self.get("api/virtual")
        mat = mats.load(table["mat"])
        return [coin | {"zone": mat.zone_at(coin["x_mm"], coin["y_mm"])} for coin in table["coins"]]

    def against_truth(self, state: Mapping[str, Any]) -> str:
        """What the referee says and sees, and what really lies there: for a journey that does not go on."""
        lies = Counter(f"{c['zone']} {c['denomination']} {c['face']}" for c in self.truth())
        seen = Counter(
            f"{c['zone']} {c['denomination']} {c['face']}{'' if c['sure'] else ' ?'}" for c in state["table"]["coins"]
        )
        still = {name: state["table"][name] for name in ("settled", "hand", "differences")} | {"age_s": state["age_s"]}
        return f"{state['prompt']['text']}; not seen {lies - seen}, not there {seen - lies}; {still} {state['health']}"

    def true_choice(self, state: Mapping[str, Any]) -> int:
        """Which of the referee's answers is true: what it leads to is what lies on the table."""
        game = rules.load(state["game"]["game"])
        here = game.read_state(state["game"])
        for k, choice in enumerate(state["prompt"]["choices"]):
            try:
                after = game.apply(here, game.read_action(choice["action"])) if choice["action"] else here
            except RulesError:
                continue
            if (choice["action"] or {}).get("do") == "flip":
                if self._fell(choice["action"]):
                    return k
            elif self._lies(game.layout(after)):
                return k
        return 0  # the likeliest comes first

    def _fell(self, flip: Mapping[str, Any]) -> bool:
        fell = {
            field: sorted(f"{c['denomination']}:{c['face']}" for c in self.truth() if c["zone"] == zone)
            for field, zone in (("coins", "tray"), ("character", "hero"), ("scene", "scene"))
        }
        return all(sorted(flip.get(field, [])) == coins for field, coins in fell.items())

    def _lies(self, layout: Mapping[str, Any]) -> bool:
        """Whether the coins of every zone are those of `layout`; on a round zone the one on top."""
        truth = self.truth()
        for zone, pile in layout.items():
            here = [coin for coin in truth if coin["zone"] == zone]
            here = here[-1:] if zone.startswith("space.") else here
            if Counter(coin["denomination"] for coin in here) != Counter(map(str, pile.heap)):
                return False
            up = Counter(coin["denomination"] for coin in here if coin["face"] == "heads")
            if pile.heads is not None and up != Counter(map(str, pile.heads)):
                return False
        return True

    # -- its end -------------------------------------------------------------------------------------------------------

    def kill(self) -> None:
        """As a power cut would: no chance to say goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            os.kill(self._process.pid, how)
            self._process.wait(20)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """`serve("--camera", "virtual")` starts a referee on this test's own data folder."""
    running: list[Served] = []

    def start(*arguments: str) -> Served:
        running.append(Served(tmp_path / "data", *arguments))
        return running[-1]

    yield start
    for served in running:
        served.stop()


class Evening:
    """Two people with a phone each, and the kiosk beside the table. They act by touching pages and by nothing else.

    Nothing here waits for a time to pass: everything waits for what a person would wait for, and a page is touched only
    when it shows what the referee said last.
    """

    def __init__(self, served: Served, browser: Any) -> None:
        self.served = served
        self._contexts = [browser.new_context(viewport=size) for size in (PHONE, PHONE, KIOSK)]
        self.ann, self.bob, self.kiosk = (context.new_page() for context in self._contexts)
        self.problems: list[str] = []
        self.nudges = 0  # how often a coin that lay right had to be shoved to be read
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

    def state(self, seat: str = "") -> dict[str, Any]:
        state: dict[str, Any] = self.served.get(f"api/state?seat={seat}")
        return state

    def wait(self, wanted: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        state: dict[str, Any] = {}

        def there() -> dict[str, Any] | None:
            nonlocal state
            state = self.state()
            return state if wanted(state) else None

        return self.served.until(there, lambda: f"{what}: {self.served.against_truth(state)}")

    def shot(self, page: Any, name: str) -> None:
        self.shown(page, self.state())
        if folder := os.environ.get("TABLECOIN_SHOTS"):
            page.screenshot(path=str(Path(folder) / f"{name}.jpg"), type="jpeg", quality=72)

    def shown(self, page: Any, state: Mapping[str, Any]) -> None:
        """Wait until `page` shows `state` or a later one."""
        page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=state["seq"])

    # -- doing ----------------------------------------------------------------------------------------------------

    def begin(self, game: str, computers: Sequence[str] = (), options: Mapping[str, object] | None = None) -> None:
        """Ann chooses a game on her phone; house rules are typed into their fields."""
        self.ann.get_by_test_id(f"game-{game}").click()
        for name, value in (options or {}).items():
            if name == "players" and isinstance(value, int):
                for _ in range(9 - value):
                    self.ann.get_by_test_id("players-less").click()
                continue
            if name not in ("players", "map") and not self.ann.locator("details.rules").get_attribute("open"):
                self.ann.locator("details.rules").evaluate("each => each.open = true")
            field = self.ann.get_by_test_id(f"option-{name}")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                field.fill(str(value))
                field.blur()
        for field in self.ann.locator('input[data-testid^="who-"][data-testid$="-person"]').all():
            who = "computer" if field.get_attribute("name").removeprefix("seat.") in computers else "person"
            self.ann.locator(f'label:has([name="{field.get_attribute("name")}"][value="{who}"])').click()
        self.ann.get_by_test_id("start").click()
        self.wait(lambda s: s["game"] and s["game"]["game"] == game, f"{game} to begin")

    def sit(self, page: Any, seat: str) -> None:
        page.get_by_test_id("menu").click()
        page.get_by_test_id("my-seat").select_option(value=seat)
        page.get_by_test_id("menu").click()

    def touch(self, page: Any, testid: str, state: Mapping[str, Any]) -> None:
        """Touch what `state` put on the page; nothing when the page has gone on meanwhile and it is gone."""
        from playwright.sync_api import TimeoutError as NotYet

        self.shown(page, state)
        button, end = page.get_by_test_id(testid), time.monotonic() + PATIENCE_S
        while button.is_visible():
            assert time.monotonic() < end, f"{testid} cannot be touched"
            with suppress(NotYet):
                return button.click(timeout=TOUCH_S * 1000)
        return None

    def ready(self) -> dict[str, Any]:
        """Set the table and answer the referee's questions truly, until the game goes on."""
        for _ in range(12):
            state = self.wait(lambda s: s["table"]["settled"] or s["prompt"]["kind"] == "over", "a still table")
            if state["prompt"]["kind"] in ("turn", "flip", "over", "lobby"):
                return state
            before, picture = self.served.truth(), self.served.picture()
            if state["prompt"]["kind"] == "question":
                self.touch(self.kiosk, f"choice-{self.served.true_choice(state)}", state)  # it speaks for every seat
                answered = state["seq"]
            else:
                self.touch(self.ann, "arrange", state)
                if self.served.truth() == before:  # all lies as it should and is not read so: shove what is named
                    self.nudge(state)
                answered = math.inf  # only a picture tells what became of it
            self.wait(lambda s, q=answered, p=picture + SEEN: s["seq"] > q or self.served.picture() > p, "a look")
        raise AssertionError(f"the table never matched: {state['prompt']['text']} {state['table']['differences']}")

    def nudge(self, state: Mapping[str, Any]) -> None:
        """Shove the coins a little that lie right and are not read so, as a person would who looks at the page."""
        table, seen = self.served.get("api/virtual"), state["table"]["coins"]
        mat, zones = mats.load(table["mat"]), {each["zone"] for each in state["table"]["differences"]}
        for coin in table["coins"]:
            here = coin["x_mm"], coin["y_mm"]
            read = any(c["denomination"] == coin["denomination"] and dist(c["center_mm"], here) < 5 for c in seen)
            if (zone := mat.zone_at(*here) or "") in zones and not read:
                self.nudges += 1
                coin["angle_deg"] = (coin["angle_deg"] + 57) % 360
                far = 1.2 if zone.startswith("space.") else 4.0  # a bank has room; a coin on a space stays in its ring
                for down in (far, -far):
                    if mat.zone_at(here[0], here[1] + 3 * down) == zone:
                        coin["y_mm"] += down
                        break
        self.served.send("PUT", "api/virtual", {"coins": table["coins"]})

    def put(self, denomination: str, face: str, zone: str) -> None:
        """One more coin, by hand, into the bottom right corner of a zone."""
        table = self.served.get("api/virtual")
        _, _, right, bottom = mats.load(table["mat"]).zone(zone).area.bounds_mm
        coin = {"denomination": denomination, "face": face, "x_mm": right - 18, "y_mm": bottom - 18}
        self.served.send("PUT", "api/virtual", {"coins": [*table["coins"], coin]})

    def toss(self, page: Any) -> dict[str, Any]:
        """Toss what is due, and see it read; a toss the referee cannot take is thrown again, as it says."""
        state = self.ready()
        before, asked = state["game"], state["prompt"]["text"]
        for _ in range(6):
            for at, zone in enumerate(state["table"]["flips"]):
                self.touch(page, f"toss-{zone}" if at else "toss", state)
            thrown = self.served.picture()

            def read(s: dict[str, Any], thrown: int = thrown) -> bool:
                if s["game"] != before or s["prompt"]["kind"] == "question":
                    return True
                complaint = s["prompt"]["text"] != asked or s["prompt"]["kind"] != "flip"
                return complaint and s["table"]["settled"] and self.served.picture() > thrown + SEEN

            state = self.wait(read, "the toss to be read")
            if state["game"] != before or state["prompt"]["kind"] == "question":
                return self.ready()
            if state["prompt"]["kind"] not in ("flip", "refused"):  # wrong coins are refused, and tossed again
                state = self.ready()
        raise AssertionError(f"six tosses were not read: {state['prompt']['text']}")

    def place_what_may_be(self, page: Any) -> dict[str, Any]:
        """Place in Coin Age all that the turn allows, on other coins where that can be."""
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

    def tap(self, page: Any, action: Mapping[str, object]) -> dict[str, Any]:
        """Tap the button that offers `action`, and set the table as it says."""
        state = self.ready()
        offered = [choice["action"] for choice in state["prompt"]["choices"]]
        if action in offered:
            self.shown(page, state)
            page.get_by_test_id(f"choice-{offered.index(action)}").click()
        else:  # more is possible than there are buttons for
            self.served.send("POST", "api/act", action)
        self.wait(lambda s: s["game"] != state["game"], f"{action} to be taken")
        return self.ready()


@pytest.fixture
def evening(serve: Any, browser: Any) -> Iterator[Evening]:
    made = Evening(serve("--camera", "virtual", "--panel", "screen", "--seed", "11"), browser)
    yield made
    made.close()
    assert made.problems == [], "a page ran into an error"
