"""`tablecoin serve` in a process of its own, and what a person at its virtual table can see."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.rules.game import RulesError

T = TypeVar("T")
Json = dict[str, Any]

PATIENCE_S = 90  # the longest wait for anything, on a machine with other work
LOOK_S = 0.2  # between two requests for the state: the pages ask too, and an address may ask 60 times a second
SEEN = 2  # frames after which at least one was taken after the last change of the table


class Served:
    """A running `tablecoin serve`. Raises AssertionError with the program's own messages when it does not start."""

    def __init__(self, data: Path, *arguments: str, port: int = 0) -> None:
        """`port` 0: any free one."""
        serve = [sys.executable, "-m", "tablecoin", "serve", "--port", str(port), "--data", str(data)]
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.log = data / "serve.log"  # a file, because a pipe that nobody reads would fill up and block the program
        with self.log.open("a") as log:
            before = log.tell()
            self._process = subprocess.Popen([*serve, *arguments], stderr=log)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self._process.poll() is None:
            said = self.log.read_text("utf-8")[before:]
            if "the page is at " in said:
                self.url = said.partition("the page is at ")[2].split()[0]
                return
            time.sleep(0.05)
        raise AssertionError("tablecoin serve did not start: " + self.log.read_text("utf-8")[before:])

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1].strip("/"))

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def state(self, seat: str = "") -> Json:
        """The newest snapshot, as `seat` may see it."""
        state: Json = self.get(f"api/state?seat={seat}")
        return state

    def frame_number(self) -> int:
        """The number of the newest camera frame that was read."""
        with urllib.request.urlopen(self.url + "frame.jpg", timeout=PATIENCE_S) as answer:
            return int(answer.headers["X-Frame-Number"])

    def send(self, method: str, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def until(self, look: Callable[[], T | None], what: Callable[[], str]) -> T:
        """Repeat `look` until it returns something true. AssertionError after PATIENCE_S, with `what` was awaited."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := look():
                return found
            time.sleep(LOOK_S)
        raise AssertionError(f"waited {PATIENCE_S} s for {what()}")

    def wait_for_frames(self) -> None:
        """Wait until a frame was read that was taken after this call."""
        first = self.frame_number()
        self.until(lambda: self.frame_number() >= first + SEEN, lambda: "new frames")

    # -- what a person sees who sits at the virtual table --------------------------------------------------------------

    def truth(self) -> list[Json]:
        """The coins that really lie on the virtual table, each with its zone."""
        table = self.get("api/virtual")
        mat = mats.load(table["mat"])
        return [coin | {"zone": mat.zone_at(coin["x_mm"], coin["y_mm"])} for coin in table["coins"]]

    def against_truth(self, state: Mapping[str, Any]) -> str:
        """The referee's sentence, and how the coins it sees differ from those that lie there: for failure messages."""
        lies = Counter(f"{c['zone']} {c['denomination']} {c['face']}" for c in self.truth())
        seen = Counter(
            f"{c['zone']} {c['denomination']} {c['face']}{'' if c['sure'] else ' ?'}" for c in state["table"]["coins"]
        )
        still = {name: state["table"][name] for name in ("settled", "hand", "differences")} | {"age_s": state["age_s"]}
        return f"{state['prompt']['text']}; not seen {lies - seen}, not there {seen - lies}; {still} {state['health']}"

    def true_choice(self, state: Mapping[str, Any]) -> int:
        """The number of the answer that is true: it leads to what lies on the table. 0, the likeliest, if none is."""
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
        return 0

    def _fell(self, toss: Mapping[str, Any]) -> bool:
        """Whether the coins lie in the zones for tossing as this action says."""
        fell = {
            field: sorted(f"{c['denomination']}:{c['face']}" for c in self.truth() if c["zone"] == zone)
            for field, zone in (("coins", "tray"), ("character", "hero"), ("scene", "scene"))
        }
        return all(sorted(toss.get(field, [])) == coins for field, coins in fell.items())

    def _lies(self, layout: Mapping[str, Any]) -> bool:
        """Whether every zone holds the coins of `layout`; on a map's space only the top coin counts."""
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

    # -- stopping it ---------------------------------------------------------------------------------------------------

    def freeze(self) -> None:
        """It goes on existing and answers nobody, until `thaw`."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Stop it as a power cut would: it gets no chance to clean up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            os.kill(self._process.pid, how)
            self._process.wait(20)
