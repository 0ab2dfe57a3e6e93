"""A wizard whose steps fail as a test tells them to, with every sentence that the real one may say."""

from __future__ import annotations

import string
from typing import Any

import cv2
import numpy as np

from calibration import words
from calibration.words import Said, coins, say, word

STEPS = ("aim", "markers", "lens", "light", "sizes", "enrol", "pass")
TRAY = coins({"quarter": 3, "dime": 3, "nickel": 3, "penny": 3})
SAID: dict[str, Said] = {  # facts that are words themselves; all others are numbers
    "asked": coins(
        {f"{kind}:{face}": 1 for kind in ("penny", "nickel", "dime", "quarter") for face in ("heads", "tails")}
    ),
    "coins": TRAY,
    "seen": coins({"penny:heads": 3, "dime:tails": 2}),
    "coin": word("quarter"),
    "small": word("dime"),
    "large": word("penny"),
    "face": word("tails"),
    "mat": {"en": "coin-age:classic", "zh": "coin-age:classic"},
    "why": {"en": "No space left on device", "zh": "No space left on device"},
}


def filled(key: str) -> Said:
    """The sentences of `key` with facts as they may be."""
    told = words._catalogue()[key]["en"]
    fields = [(name, form) for _, name, form, _ in string.Formatter().parse(told) if name]
    numbers = {"coins": 2} if key.startswith(("light.", "pass.bad")) else {"seen": 3} if key != "pass.others" else {}
    numbers = {**numbers, **({"asked": 12} if key == "enrol.count" else {})}
    if key == "sizes.missing":
        numbers = {}
    facts = {name: 12.3 if form else numbers.get(name, SAID.get(name, 12)) for name, form in fields}
    return say(key, **facts)


def failures() -> list[tuple[str, str]]:
    """Every way a step may fail: (step, key)."""
    every = sorted(words.keys())
    known = [(key.partition(".")[0], key) for key in every if todo(key) in every]
    return [(step if step in STEPS else "light", key) for step, key in known]


def todo(key: str) -> str:
    """The key of the sentence that says what to do about it."""
    shared = {"sizes.missing": "sizes.none.do", "pass.others": "pass.none.do"}
    return shared.get(key, f"{key}.do")


class FailingWizard:
    """A stand-in for the wizard: each step fails as `fails_with` says."""

    busy: type[Exception] = InterruptedError

    def __init__(self) -> None:
        self.fails_with = "aim.dark"
        self._results: dict[str, dict[str, Any]] = {}

    def state(self) -> dict[str, Any]:
        steps = [
            {"name": name, "optional": name in ("lens", "enrol"), "done": False, "result": self._results.get(name)}
            for name in STEPS
        ]
        tray = {"coins": {"penny": 3, "nickel": 3, "dime": 3, "quarter": 3}, "face": "heads"}
        known = {"camera": "usb:0", "file": "calibration.json", "date": None, "left_aside": None, "left_coins": None}
        known |= {"left_aside_texts": None, "left_coins_texts": None}
        return {
            **known,
            "said": "",
            "steps": steps,
            "asked": {"penny:heads": 1},
            "tray": tray,
            "shown": [],
            "passes": [],
        }

    def aim(self) -> dict[str, Any]:
        return {
            "step": "aim",
            "ok": True,
            "more": False,
            "said": {},
            "todo": {},
            "figures": {"edge_px": 2.0, "white": 200},
        }

    def run(self, name: str, tray: object = None) -> dict[str, Any]:
        key = self.fails_with
        more = key in ("lens.view", "enrol.half")
        said, what = dict(filled(key)), dict(filled(todo(key)))
        self._results[name] = {"step": name, "ok": False, "more": more, "said": said, "todo": what, "figures": {}}
        return self._results[name]

    def picture(self, name: str) -> bytes:
        return cv2.imencode(".jpg", np.full((96, 128, 3), 90, np.uint8))[1].tobytes()

    def restart(self) -> None:
        self._results.clear()
