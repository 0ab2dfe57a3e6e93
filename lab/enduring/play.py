"""Four games, one after the other, played at the virtual table by computers and by one pair of hands."""

from __future__ import annotations

import time
from itertools import cycle

from lab.enduring.served import Json, Served

Started = tuple[str, dict[str, object], tuple[str, ...]]  # a game, its options and its seats

# Each lies on a mat of its own or follows one that does, so that the table changes from game to game.
GAMES: tuple[Started, ...] = (
    ("steal", {}, ("heads", "tails")),
    ("coin-age", {"map": "classic"}, ("heads", "tails")),
    ("exact", {}, ("heads", "tails")),
    ("goes-around", {"players": 3}, ("1", "2", "3")),
)
_LONGEST_S = 240.0  # of one game; then the next is begun
_STUCK_S = 4.0  # so long without anything new the hands try what else is offered


class Hands:
    """Call `act` again and again: each time the hands do what the referee's newest sentence asks for."""

    def __init__(self, served: Served) -> None:
        self._served, self._games = served, cycle(GAMES)
        self._since_s, self._shown = time.monotonic(), -1
        self._begun_s = -_LONGEST_S
        self.games = 0  # begun

    def act(self) -> Json:
        """One look at the state, and one act that it asks for. Returns that state. Raises OSError."""
        state: Json = self._served.get("api/state")
        prompt, now_s = state["prompt"], time.monotonic()
        ruled = state["ruling"]["seq"] if state["ruling"] else 0
        if ruled != self._shown:
            self._shown, self._since_s = ruled, now_s
        kind = prompt["kind"]
        if kind in ("lobby", "over") or now_s - self._begun_s > _LONGEST_S:
            self._begin(now_s)
        elif kind == "flip":
            for zone, coins in state["table"]["flips"].items():
                self._served.send("POST", "api/virtual/toss", {"zone": zone, "coins": coins})
            time.sleep(1.5)  # until the tossing hand has gone and the table was read
        elif kind == "question":
            self._served.send("POST", "api/answer", {"choice": 0})
        elif kind in ("arrange", "refused", "paused", "unfinished"):
            self._served.send("POST", "api/virtual/arrange", {})
            if now_s - self._since_s > 3 * _STUCK_S:  # what was ruled last cannot be laid: take it back
                self._served.send("POST", "api/undo", {})
                self._since_s = now_s
        elif now_s - self._since_s > _STUCK_S and prompt["choices"]:  # what is nobody's turn: the reveal
            action = prompt["choices"][0]["action"]
            self._served.send("POST", "api/act", action) if action else self._served.send(
                "POST", "api/answer", {"choice": 0}
            )
            self._since_s = now_s
        return state

    def _begin(self, now_s: float) -> None:
        name, options, seats = next(self._games)
        asked = {"game": name, "options": options, "seats": dict.fromkeys(seats, "computer")}
        if self._served.send("POST", "api/games", asked):
            self.games, self._begun_s = self.games + 1, now_s
            self._served.send("POST", "api/virtual/arrange", {})
