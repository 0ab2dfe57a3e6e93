"""The product as a person meets it: `tablecoin serve` in a process of its own, and a real browser on its page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tablecoin import mat as mats

PATIENCE_S = 40
PHONE = {"width": 390, "height": 844}
KIOSK = {"width": 1920, "height": 1080}


class Served:
    """A running `tablecoin serve`."""

    def __init__(self, data: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "tablecoin.cli", "serve", "--port", "0", "--data", str(data), *arguments]
        data.mkdir(parents=True, exist_ok=True)
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

    def send(self, method: str, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """As a power cut would: no chance to say goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            os.kill(self._process.pid, how)
            self._process.wait(20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A journey waits for a browser, a camera and a still table on a machine with other work: it may try thrice."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))


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

    `truth` is the virtual table as it really is, which is what a person at the table would see.
    """

    def __init__(self, served: Served, browser: Any) -> None:
        self.served = served
        self._contexts = [browser.new_context(viewport=size) for size in (PHONE, PHONE, KIOSK)]
        self.ann, self.bob, self.kiosk = (context.new_page() for context in self._contexts)
        self.problems: list[str] = []
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
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            state = self.state()
            if wanted(state):
                return state
            time.sleep(0.05)
        lies = Counter((coin["zone"], coin["denomination"]) for coin in self.truth())
        said, wrong = state["prompt"]["text"], state["table"]["differences"]
        raise AssertionError(f"waited in vain for {what}: {said} {wrong}; there really lie {dict(lies)}")

    def shot(self, page: Any, name: str) -> None:
        if folder := os.environ.get("TABLECOIN_SHOTS"):
            page.screenshot(path=str(Path(folder) / f"{name}.jpg"), type="jpeg", quality=72)

    # -- doing ----------------------------------------------------------------------------------------------------

    def begin(self, game: str, computers: Sequence[str] = (), options: Mapping[str, object] | None = None) -> None:
        """Ann chooses a game on her phone; house rules are typed into their fields."""
        self.ann.get_by_test_id(f"game-{game}").click()
        for name, value in (options or {}).items():
            if name == "players" and isinstance(value, int):
                for _ in range(9 - value):
                    self.ann.get_by_test_id("players-less").click()
                continue
            if name != "players" and not self.ann.locator("details.rules").get_attribute("open"):
                self.ann.locator("details.rules").evaluate("each => each.open = true")
            field = self.ann.get_by_test_id(f"option-{name}")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(label=str(value))
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

    def ready(self) -> dict[str, Any]:
        """Set the table and answer the referee's questions truly, until the game goes on."""
        for _ in range(12):
            state = self.wait(lambda s: s["table"]["settled"] or s["prompt"]["kind"] == "over", "a still table")
            if state["prompt"]["kind"] in ("turn", "flip", "over", "lobby"):
                return state
            if state["prompt"]["kind"] == "question":
                self.answer_truly(state)
            else:
                self.ann.get_by_test_id("arrange").click()
            self.wait(lambda s, seq=state["seq"]: s["seq"] > seq, "the referee to look")
        raise AssertionError(f"the table never matched: {state['prompt']['text']} {state['table']['differences']}")

    def answer_truly(self, state: dict[str, Any]) -> None:
        """Of a flip, what really fell; else the likeliest, which comes first."""
        fell = {
            field: sorted(f"{c['denomination']}:{c['face']}" for c in self.truth() if c["zone"] == zone)
            for field, zone in (("coins", "tray"), ("character", "hero"), ("scene", "scene"))
        }
        actions = [choice["action"] or {} for choice in state["prompt"]["choices"]]
        true = (all(sorted(a.get(field, [])) == coins for field, coins in fell.items()) for a in actions)
        k = next((k for k, right in enumerate(true) if right and actions[k].get("do") == "flip"), 0)
        self.ann.get_by_test_id(f"choice-{k}").click()

    def truth(self) -> list[dict[str, Any]]:
        """The coins that really lie on the virtual table, each with its zone."""
        table = self.served.get("api/virtual")
        mat = mats.load(table["mat"])
        return [coin | {"zone": mat.zone_at(coin["x_mm"], coin["y_mm"])} for coin in table["coins"]]

    def put(self, denomination: str, face: str, zone: str) -> None:
        """One more coin, by hand, into the bottom right corner of a zone."""
        table = self.served.get("api/virtual")
        _, _, right, bottom = mats.load(table["mat"]).zone(zone).area.bounds_mm
        coin = {"denomination": denomination, "face": face, "x_mm": right - 18, "y_mm": bottom - 18}
        self.served.send("PUT", "api/virtual", {"coins": [*table["coins"], coin]})

    def toss(self, page: Any) -> dict[str, Any]:
        """Toss what is due, and see it read; a toss the referee cannot take is thrown again, as it says."""
        due = self.ready()["table"]["flips"]
        before = self.state()["game"]
        for _ in range(4):
            for at, zone in enumerate(due):
                page.get_by_test_id(f"toss-{zone}" if at else "toss").click()
            end = time.monotonic() + PATIENCE_S / 2
            while time.monotonic() < end:
                state = self.state()
                if state["game"] != before or state["prompt"]["kind"] == "question":
                    return self.ready()
                time.sleep(0.1)
        raise AssertionError(f"four tosses were not read: {state['prompt']['text']}")

    def tap(self, page: Any, action: Mapping[str, object]) -> dict[str, Any]:
        """Tap the button that offers `action`, and set the table as it says."""
        state = self.ready()
        offered = [choice["action"] for choice in state["prompt"]["choices"]]
        if action in offered:
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
