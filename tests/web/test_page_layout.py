"""What stands where, on phones, beside the table and on the wall: in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tablecoin.coins import Coin
from tablecoin.journal.played import Counted
from tablecoin.journal.tosses import Toss
from tablecoin.rules.rulebook import Message
from tests.web.browsing import box_of
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app


@pytest.mark.browser
@pytest.mark.heavy  # six pages and five forms
@pytest.mark.parametrize(("width", "height"), [pytest.param(360, 740, marks=pytest.mark.long), (320, 568)])
def test_nothing_hangs_over_the_edge_of_a_small_phone(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    home = page.url
    for path in ("", "score", "rules", "rules/coin-wars", "history"):
        page.goto(home + path)
        page.get_by_test_id("language").filter(has_text="中文").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
    page.goto(f"{home}#start")
    page.get_by_test_id("start").wait_for()
    assert not page.get_by_test_id("choices").is_visible()  # the games stand in the form, once
    for game in ("steal", "exact", "goes-around", "coin-wars", "coin-age"):
        page.get_by_test_id(f"game-{game}").evaluate("each => each.click()")
        page.locator("details.rules").evaluate("each => each.open = true")
        assert page.evaluate(CUT, ".start, .start form") == [], game
        assert page.evaluate("document.documentElement.scrollWidth") == width, game


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "game"), [(1440, 900, "coin-age"), (844, 390, "steal")])
def test_the_table_stands_above_the_panel(page: Page, live: QuietTable, width: int, height: int, game: str) -> None:
    live.command({"start": {"game": game}}, None)
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_test_id("toss").wait_for()
    panel = box_of(page.get_by_test_id("panel"))
    last = box_of(page.get_by_test_id("toss" if height > 500 else "stage"))
    assert last["y"] + last["height"] <= panel["y"]


NAMES = ("Ann", "Maximiliane von Hohenstein-Schwarzburg", "Wolfeschlegelsteinhausenbergerdorff", "小明")
CUT = """what => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()
  && (each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth))
  .map((each) => each.textContent)"""
BROKEN = """() => [...document.querySelectorAll('.traits dt')].filter((each) => each.offsetHeight > 24)
  .map((each) => each.textContent)"""


def adventure(live: QuietTable) -> None:
    """Four heroes play the last of four scenes. The computer made Ann and wrote the first three."""
    live.command(
        {"start": {"game": "coin-wars", "options": {"players": list(NAMES)}, "seats": {"Ann": "computer"}}}, None
    )
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    for name in NAMES[1:]:
        create = {"do": "create", "name": name, "ratings": ratings, "misc_name": "", "strong": "bodiness"}
        assert live.command({"act": create}, None) == (True, None)
    live.command(
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
    for name in NAMES[1:]:
        live.command({"act": {"do": "ready", "name": name}}, None)
    assert live.command({"act": {"do": "draw", "order": [3]}}, None) == (True, None)


@pytest.mark.browser
def test_long_names_and_traits_are_there_in_full(page: Page, live: QuietTable) -> None:
    adventure(live)
    page.get_by_test_id("sheet-Ann").wait_for()
    for width in (320, 390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT, ".seat, .seat *, .sheet-of, .traits dt, .pick, .part") == [], width
        page.get_by_test_id("menu").click()
        assert page.evaluate(CUT, ".sheet, .sheet select") == [], width
        assert not page.get_by_test_id("sit-Ann").is_visible()  # the computer plays it
        assert page.evaluate(BROKEN) == [], width  # no trait's name is broken
        page.keyboard.press("Escape")


@pytest.mark.browser
def test_a_seats_note_fits_on_one_line(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "computer"}}}, None)
    note = page.get_by_test_id("seat-tails").locator("small")
    note.wait_for()
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 740})
        assert note.inner_text() == "Computer"
        assert page.evaluate(CUT, ".seat, .seat *") == [], width
        assert note.evaluate("each => each.offsetHeight < 2 * parseFloat(getComputedStyle(each).fontSize)"), width


@pytest.mark.browser
def test_letters_are_as_large_as_a_person_set_them(page: Page, live: QuietTable) -> None:
    page.get_by_test_id("roads").wait_for()
    page.evaluate("document.documentElement.style.fontSize = '24px'")  # as a browser's own setting does
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "24px"
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.browser
def test_a_long_list_of_tosses_opens_at_its_head(live: QuietTable, stage: Stage) -> None:
    tosses = (Toss(1, "coin-wars", "", f"Player {n}", (Coin.PENNY_HEADS,), stands=True) for n in range(20))
    live.remembers(Counted(None, tuple(tosses)))
    stage.shows(create_app(live), live)
    page = stage.open("/", (320, 568))
    page.get_by_test_id("menu").click()
    page.get_by_test_id("open-flips").click()
    page.get_by_test_id("flips-table").wait_for()
    page.wait_for_function("() => document.activeElement.closest('#flips')")
    assert page.get_by_test_id("flips").evaluate("each => each.scrollTop") == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    "path", ["/score", *(pytest.param(path, marks=pytest.mark.long) for path in ("/rules", "/history"))]
)
def test_a_link_is_as_high_as_a_finger(live: QuietTable, stage: Stage, path: str) -> None:
    stage.shows(create_app(live), live)
    page = stage.open(path, (320, 568))
    links = page.locator("main p > a")
    links.first.wait_for()
    assert min(box_of(link)["height"] for link in links.all()) >= 44


@pytest.mark.browser
def test_a_saved_sheet_can_be_chosen_on_a_small_phone(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "coin-wars", "options": {}}}, None)
    page.set_viewport_size({"width": 320, "height": 568})
    page.get_by_test_id("wars-load").wait_for()
    assert page.evaluate(CUT, "#act, #act input[type=file]") == []


@pytest.mark.browser
def test_the_kiosk_shows_all_without_scrolling(page: Page, live: QuietTable) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(page.url + "kiosk")
    adventure(live)
    live.see(warnings=(Message("vision.markers.hidden", {"hidden": 1, "markers": 4}),))
    page.get_by_test_id("health").wait_for()
    page.get_by_test_id("sheet-小明").wait_for()
    fits = "() => { const side = document.querySelector('.side'); return side.scrollHeight <= side.clientHeight; }"
    page.wait_for_function(fits)
    assert page.evaluate(CUT, ".side, .traits dt") == []
    live.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)
    page.wait_for_function("() => document.getElementById('about').style.zoom === '1'")  # as large as there is room


LINES = """() => [...document.querySelectorAll(".seat .name span")].map((each) => {
  const words = document.createRange();
  words.selectNodeContents(each);
  return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""


@pytest.mark.browser
def test_no_name_of_two_is_broken_within_a_word(page: Page, live: QuietTable) -> None:
    for heads, tails in (("Christopher", "Bob"), ("Alexandra", "Michael"), ("Heads", "Tails"), ("Ann", "小明")):
        live.command({"start": {"game": "steal", "names": {"heads": heads, "tails": tails}}}, None)
        expect(page.get_by_test_id("seat-tails")).to_contain_text(tails)
        for width in (320, 360, 375, 390):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate("document.querySelectorAll('.total').forEach((each) => { each.textContent = '95¢'; })")
            assert page.evaluate(LINES) == [1, 1], (heads, tails, width)
