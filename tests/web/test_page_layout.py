"""What stands where, on phones, beside the table and on the wall: in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from web.app import create_app
from web.server import Server


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568)])
def test_nothing_hangs_over_the_edge_of_a_small_phone(house, browser, width: int, height: int) -> None:
    with Server(create_app(house), house.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": width, "height": height}, locale="en-US")
        for path in ("/", "/score", "/rules", "/rules/coin-wars"):
            tab.goto(f"http://127.0.0.1:{server.port}{path}")
            tab.get_by_test_id("language").filter(has_text="中文").wait_for()
            assert tab.evaluate("document.documentElement.scrollWidth") == width, path
        tab.goto(f"http://127.0.0.1:{server.port}/")
        tab.get_by_test_id("start").wait_for()
        assert not tab.get_by_test_id("choices").is_visible()  # the games stand below, once
        tab.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "game"), [(1440, 900, "coin-age"), (844, 390, "steal")])
def test_the_table_stands_above_the_panel(page, house, width: int, height: int, game: str) -> None:
    house.command({"start": {"game": game}}, None)
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_test_id("toss").wait_for()
    panel = page.get_by_test_id("panel").bounding_box()
    last = page.get_by_test_id("toss" if height > 500 else "stage").bounding_box()
    assert last["y"] + last["height"] <= panel["y"]


NAMES = ("Ann", "Maximiliane von Hohenstein-Schwarzburg", "Wolfeschlegelsteinhausenbergerdorff", "小明")
CUT = """what => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()
  && (each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth))
  .map((each) => each.textContent)"""
BROKEN = """() => [...document.querySelectorAll('.traits dt')].filter((each) => each.offsetHeight > 24)
  .map((each) => each.textContent)"""


def adventure(house: Any) -> None:
    house.command(
        {"start": {"game": "coin-wars", "options": {"players": list(NAMES)}, "seats": {"Ann": "computer"}}}, None
    )
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    for name in NAMES:
        create = {"do": "create", "name": name, "ratings": ratings, "misc_name": "", "strong": "bodiness"}
        assert house.command({"act": create}, None) == (True, None)
    house.command(
        {
            "act": {
                "do": "scene",
                "name": "小明",
                "title": "Gate",
                "text": "",
                "components": {"bodiness": 2, "personality": 1},
            }
        },
        None,
    )
    for name in NAMES:
        house.command({"act": {"do": "ready", "name": name}}, None)
    assert house.command({"act": {"do": "draw", "order": [0]}}, None) == (True, None)


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 390, 1440])
def test_long_names_and_traits_are_there_in_full(page, house, width: int) -> None:
    adventure(house)
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_test_id("sheet-Ann").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(CUT, ".seat, .seat *, .sheet-of, .traits dt, .pick, .part") == []
    page.get_by_test_id("menu").click()
    assert page.evaluate(CUT, ".sheet, .sheet select") == []
    assert not page.get_by_test_id("sit-Ann").is_visible()  # the computer plays it
    assert page.evaluate(BROKEN) == []  # no trait's name is broken


@pytest.mark.browser
def test_the_kiosk_shows_all_without_scrolling(page, house) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(page.url + "kiosk")
    adventure(house)
    house.warnings = ["The light has become dim."]
    house.publish()
    page.get_by_test_id("health").wait_for()
    page.get_by_test_id("sheet-小明").wait_for()
    fits = "() => { const side = document.querySelector('.side'); return side.scrollHeight <= side.clientHeight; }"
    page.wait_for_function(fits)
    assert page.evaluate(CUT, ".side, .traits dt") == []
    house.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)
    page.wait_for_function("() => document.getElementById('about').style.zoom === '1'")  # as large as there is room
