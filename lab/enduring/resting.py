"""A toss lies at rest while nothing can be written: is it ruled on when the cause is gone, and how soon?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from lab.enduring.faults import UNWRITABLE, Fault
from lab.enduring.served import Json, Served

SOON_S = 5.0  # within which a toss should be ruled on
_PATIENCE_S = 30.0  # a toss that is not ruled on for so long after the fault is never ruled on
_TICK_S = 0.1  # between two looks at the state
_ASK_S = 1.0  # between two commands while the fault lasts
_NO_ACT = {"do": "place", "coin": "dime"}  # no player may place a coin before the toss
_COINS = {"penny": 5}


class Rested(msgspec.Struct, frozen=True, tag="rested"):
    """One toss that lay at rest during a fault."""

    name: str  # of the fault
    seen: tuple[str, ...]  # the warnings that people were shown while it lasted
    early: bool  # it was ruled on though nothing could be written
    ruled_after_s: float | None  # from the fault's end; None: not within _PATIENCE_S
    answered_s: float  # the longest that a command waited for its answer meanwhile
    left: str  # what the referee says at the end


def rested(data: Path, count: int, lasts_s: float = 10.0, faults: tuple[Fault, ...] = UNWRITABLE) -> Iterator[Rested]:
    """Each of the faults `count` times. Raises NotServed."""
    served = Served(data)
    try:
        for _ in range(count):
            for fault in faults:
                yield _rest(served, fault, lasts_s)
    finally:
        served.stop()


def _rest(served: Served, fault: Fault, lasts_s: float) -> Rested:
    served.send("POST", "api/games", {"game": "steal", "options": {"starter": "heads"}})
    served.send("PUT", "api/virtual", {"coins": [], "sets_itself": False})
    _until(served, _is_cleared)
    seen, answered_s, asked_s = set[str](), 0.0, 0.0
    fault.begin(served)
    begun_s = time.monotonic()
    while not served.send("POST", "api/virtual/toss", {"zone": "tray", "coins": _COINS}):
        time.sleep(_ASK_S)  # too many calls at once
    while (now_s := time.monotonic()) - begun_s < lasts_s:
        if now_s - asked_s >= _ASK_S:
            asked_s = now_s
            served.send("POST", "api/act", _NO_ACT)
            answered_s = max(answered_s, time.monotonic() - now_s)
        state = served.get("api/state")
        seen.update(state["health"]["warnings"])
        time.sleep(_TICK_S)
    early = _ruled(state)
    fault.end(served)
    after_s = _until(served, _ruled)
    left = served.get("api/state")["prompt"]["text"]
    return Rested(fault.name, tuple(sorted(seen)), early, after_s, answered_s, left)


def _is_cleared(state: Json) -> bool:
    """Whether a toss is due, and the table was seen at rest without the coins of the last one."""
    return bool(state["prompt"]["kind"] == "flip" and state["table"]["settled"] and not state["table"]["coins"])


def _ruled(state: Json) -> bool:
    return bool(state["game"]["phase"] != "setup")


def _until(served: Served, wanted: Callable[[Json], bool]) -> float | None:
    """How many seconds it takes until the state is as wanted; None: longer than _PATIENCE_S."""
    begun_s = time.monotonic()
    while time.monotonic() - begun_s < _PATIENCE_S:
        if wanted(served.get("api/state")):
            return time.monotonic() - begun_s
        time.sleep(_TICK_S)
    return None
