"""Every page and state, for people who see, hear or move with help: on a phone and a desk, in both languages.

`make test` looks at a few states once, at one size in one language, which change from state to state; `make long` at
all, at both sizes in both languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.web.browsing import cut_off, offences
from tests.web.stage import PHONE, Stage
from tests.web.states import STATES, ClubState, State

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SIZES = {"phone": PHONE, "desk": (1280, 800)}
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
VIEWS = tuple(product(SIZES, LANGUAGES))
SMALLEST: ViewportSize = {"width": 320, "height": 568}
FOLLOWS = "() => !document.getElementById('prompt') || document.body.dataset.seq"  # a page of the table shows it
ONCE_PX, TWICE_PX = 16, 32  # the size of letters, as it is and as a person sets it who needs them twice as large


@dataclass(frozen=True)
class Look:
    state: State | ClubState
    size: str
    language: str


LOOKS = [
    (Look(state, size, language), state.often and k % len(VIEWS) == at)
    for k, state in enumerate(STATES)
    for at, (size, language) in enumerate(VIEWS)
]  # and whether `make test` looks at it


def some(wanted: Callable[[Look], bool]) -> list[ParameterSet]:
    return [
        pytest.param(
            look, id=f"{look.state.name}-{look.size}-{look.language}", marks=[] if often else [pytest.mark.long]
        )
        for look, often in LOOKS
        if wanted(look)
    ]


def is_of_phones(look: Look) -> bool:
    """Whether phones show it: not what is made for walls and streaming programs."""
    return not look.state.path.startswith(("kiosk", "overlay"))


@contextmanager
def looking(look: Look, stage: Stage, folder: Path) -> Iterator[Page]:
    """The page in its state."""
    with look.state.shown(stage, folder) as path:
        size, language = SIZES[look.size], LANGUAGES[look.language]
        page = stage.open(path, size, language, calls_may_fail=True, motion="reduce")
        page.wait_for_function(FOLLOWS)
        look.state.then(page)
        page.get_by_test_id(look.state.shows).wait_for()
        yield page


def set_letters(size_px: int, page: Page) -> None:
    """As a person sets them in the browser."""
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": size_px, "fixed": size_px}})
    page.wait_for_function("size => getComputedStyle(document.documentElement).fontSize === size", arg=f"{size_px}px")
    browser.detach()


@pytest.mark.parametrize("look", some(is_of_phones))
def test_axe_finds_nothing_and_letters_of_twice_the_size_fit_the_smallest_phone(
    look: Look, stage: Stage, tmp_path: Path
) -> None:
    with looking(look, stage, tmp_path) as page:
        assert offences(page) == []
        page.set_viewport_size(SMALLEST)
        set_letters(TWICE_PX, page)
        cut = cut_off(page)
        set_letters(ONCE_PX, page)
        assert cut == []


@pytest.mark.parametrize("look", some(lambda look: not is_of_phones(look)))
def test_axe_finds_nothing_on_screens_of_walls_and_streaming_programs(look: Look, stage: Stage, tmp_path: Path) -> None:
    with looking(look, stage, tmp_path) as page:
        assert offences(page) == []
