"""A running appliance in the process of the tests, and what a person at its virtual table can see."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.appliance import Appliance
from tablecoin.rules.game import RulesError
from tablecoin.settings import load, with_flags
from tests.pace import Pace
from web.security import Rates

T = TypeVar("T")
Json = dict[str, Any]

PATIENCE_S = 90  # the longest wait for anything, on a machine with other work
QUIET_S = 1.0  # without a snapshot or picture, after which is looked all the same: the camera may be frozen
SEEN = 2  # frames after which at least one was taken after the last change of the table
UNLIMITED = Rates(look=(1e6, 1e6), act=(1e6, 1e6), drag=(1e6, 1e6), score=(1e6, 1e6))


class Running:
    """An appliance over a virtual table whose hands are people, from its start to `stop`."""

    def __init__(self, data: Path, *, seed: int, port: int = 0) -> None:
        """`port` 0: any free one."""
        self.data = data
        settings = with_flags(load(None), camera="virtual", panel="screen", port=port, data=str(data))
        pace = Pace()
        self.appliance = Appliance(settings, seed=seed, simulation=pace.simulation, rates=UNLIMITED)
        self.live = self.appliance.live
        pace.follow(self.live)
        self._news = threading.Event()
        for bell in (self.live.snapshots, self.live.pictures):
            bell.listen(self._news.set)
        self._caller = self.appliance.app.test_client()
        self._running = ExitStack()
        self._running.enter_context(self.appliance)
        thread = threading.Thread(target=self.appliance.run, args=[lambda said: None], name="appliance", daemon=True)
        thread.start()
        self._running.callback(thread.join)
        self._running.callback(self.appliance.stop)
        self.send("PUT", "api/virtual", {"sets_itself": False})  # a journey's people set the table themselves
        self.until(lambda: self.live.frames, lambda: "the first frame")

    def stop(self) -> None:
        """Stop everything. A second call does nothing."""
        self._running.close()

    @property
    def url(self) -> str:
        return self.appliance.url

    @property
    def port(self) -> int:
        return self.appliance.listener.port

    def get(self, path: str) -> Any:
        answer = self._caller.get(f"/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json

    def state(self, seat: str = "") -> Json:
        """The newest snapshot, as `seat` may see it."""
        state: Json = self.get(f"api/state?seat={seat}")
        return state

    def frame_number(self) -> int:
        """The number of the newest camera frame that was read."""
        return self.live.picture_number

    def send(self, method: str, path: str, body: object) -> Any:
        answer = self._caller.open(f"/{path}", method=method, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json

    def ask(self, method: str, path: str, body: object) -> Json | None:
        """The same; None where it is refused."""
        answer = self._caller.open(f"/{path}", method=method, json=body)
        return answer.json if answer.status_code == 200 else None

    def until(self, look: Callable[[], T | None], what: Callable[[], str]) -> T:
        """The first true result of `look`, which is called after each snapshot and each frame.

        AssertionError after PATIENCE_S, with `what` was awaited.
        """
        if found := self.happens(look, PATIENCE_S):
            return found
        raise AssertionError(f"waited {PATIENCE_S} s for {what()}")

    def happens(self, look: Callable[[], T | None], within_s: float) -> T | None:
        """The same; None after `within_s`."""
        end = time.monotonic() + within_s
        while time.monotonic() < end:
            self._news.clear()
            if found := look():
                return found
            self._news.wait(QUIET_S)
        return None

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
