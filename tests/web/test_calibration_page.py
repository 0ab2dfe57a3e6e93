"""The wizard's page: every sentence a step may fail with is seen on a phone, in both languages, with what to do."""

from __future__ import annotations

import os
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import words
from calibration.words import Said, coins, say, word
from tablecoin import mat as mats
from web.app import create_app
from web.server import Server

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
    """Where what to do about it is told."""
    shared = {"sizes.missing": "sizes.none.do", "pass.others": "pass.none.do"}
    return shared.get(key, f"{key}.do")


class FailingWizard:
    """Stands for the wizard: each step fails as it is told to."""

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
        return {"step": "aim", "ok": True, "said": {}, "todo": {}, "figures": {"edge_px": 2.0, "white": 200}}

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


@pytest.fixture
def wizard() -> FailingWizard:
    return FailingWizard()


@pytest.fixture
def page(live: Any, wizard: FailingWizard, browser: Any) -> Iterator[Any]:
    live.virtual = None  # a real camera
    with Server(create_app(live, wizard=wizard), live.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(f"http://127.0.0.1:{server.port}/calibrate")
        yield tab
        tab.close()
        assert errors == []


@pytest.mark.browser
def test_every_way_to_fail_is_seen_with_what_to_do(page: Any, wizard: FailingWizard) -> None:
    see = page.get_by_test_id
    for step, key in failures():
        wizard.fails_with = key
        see(f"cal-step-{step}").click()
        see("cal-run").click()
        for language, other in (("en", "zh"), ("zh", "en")):
            see("cal-said").filter(has_text=filled(key)[language]).wait_for()
            see("cal-todo").filter(has_text=filled(todo(key))[language]).wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, (key, language)
            if folder := os.environ.get("TABLECOIN_SHOTS"):
                see("cal-step").screenshot(path=str(Path(folder) / f"wizard-{key}-{language}.png"))
            see("language").click()
            page.wait_for_function("lang => document.documentElement.lang.startsWith(lang)", arg=other)


@pytest.mark.browser
def test_who_has_no_mat_yet_prints_one(page: Any) -> None:
    see = page.get_by_test_id
    assert not see("cal-print").is_visible()
    see("cal-step-markers").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/two-row.pdf?paper=letter"  # the browser says en-US
    see("cal-mat").select_option("coin-age:forest")
    see("cal-paper").select_option("a4")
    with page.expect_download() as printed:
        see("cal-pdf").click()
    assert printed.value.suggested_filename == "coin-age-forest-a4.pdf"
    see("language").click()
    said = "title => document.querySelector('#cal-mat option:checked').textContent === title"
    page.wait_for_function(said, arg=mats.load("coin-age:forest").title["zh"])
    see("cal-step-lens").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/charuco.pdf?paper=a4"
    see("cal-step-markers").click()
    assert see("cal-pdf").get_attribute("href") == "/mat/two-row.pdf?paper=a4"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if folder := os.environ.get("TABLECOIN_SHOTS"):
        see("cal-step").screenshot(path=str(Path(folder) / "wizard-print.png"))


@pytest.mark.browser
def test_the_wizard_fits_the_smallest_phone(page: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    for step in ("markers", "lens", "enrol"):
        page.get_by_test_id(f"cal-step-{step}").click()
        assert page.evaluate("document.documentElement.scrollWidth") == 320, step
    broken = """() => [...document.querySelectorAll(".steps button")].filter((each) => {
      each.style.overflowWrap = "normal"; // a word too long sticks out then
      return each.scrollWidth > each.clientWidth;
    }).map((each) => each.textContent)"""
    assert page.evaluate(broken) == []
