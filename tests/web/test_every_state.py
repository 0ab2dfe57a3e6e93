"""Every page and state, for people who see, hear or move with help: on a phone and a desk, in both languages.

CI looks at most states once, at one size in one language, which change from state to state; `make long` at the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.web.browsing import cut_off, offences
from tests.web.states import STATES, ClubState, State

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet
    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "desk": {"width": 1280, "height": 800},
}
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
VIEWS = tuple(product(SIZES, LANGUAGES))
SMALLEST: ViewportSize = {"width": 320, "height": 568}
FOLLOWS = "() => !document.getElementById('prompt') || document.body.dataset.seq"  # a page of the table shows it
TWICE_PX = 32  # the size of letters that a person set in the browser who needs them twice as large


@dataclass(frozen=True)
class Look:
    state: State | ClubState
    size: str
    language: str


LOOKS = [
    (Look(state, size, language), state.ci and k % len(VIEWS) == at)
    for k, state in enumerate(STATES)
    for at, (size, language) in enumerate(VIEWS)
]  # and whether CI looks at it


def some(wanted: Callable[[Look], bool]) -> list[ParameterSet]:
    return [
        pytest.param(look, id=f"{look.state.name}-{look.size}-{look.language}", marks=[] if ci else [pytest.mark.long])
        for look, ci in LOOKS
        if wanted(look)
    ]


def is_of_phones(look: Look) -> bool:
    """Whether phones show it: not what is made for walls and streaming programs."""
    return not look.state.path.startswith(("kiosk", "overlay"))


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page in a state, opened once for all tests that look at it."""
    look: Look = request.param
    context = chromium.new_context(viewport=SIZES[look.size], locale=LANGUAGES[look.language], reduced_motion="reduce")
    with context, look.state.served(tmp_path_factory.mktemp("state")) as address:
        tab = context.new_page()
        tab.set_default_timeout(90_000)
        tab.goto(address)
        tab.wait_for_function(FOLLOWS)
        look.state.then(tab)
        tab.get_by_test_id(look.state.shows).wait_for()
        yield tab
        tab.goto("about:blank")


@pytest.mark.parametrize("page", some(lambda look: True), indirect=True)
def test_axe_finds_nothing(page: Page) -> None:
    assert offences(page) == []


@pytest.mark.parametrize("page", some(is_of_phones), indirect=True)
def test_letters_of_twice_the_size_fit_the_smallest_phone(page: Page) -> None:
    page.set_viewport_size(SMALLEST)
    sizes = {"standard": TWICE_PX, "fixed": TWICE_PX}
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
    page.wait_for_function("size => getComputedStyle(document.documentElement).fontSize === size", arg=f"{TWICE_PX}px")
    assert cut_off(page) == []
