"""The pages: complete, from here alone, in both languages, and driven in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import web
from web.app import create_app
from web.server import Server

STATIC = Path(web.__file__).parent / "static"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "i18n").glob("*.json"))}
SOURCES = [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.parent.rglob("*.html")]


@pytest.mark.parametrize("path", ["/", "/score"])
def test_a_page_and_all_it_loads_come_from_here(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) >= 4
    for link in links:
        assert link.startswith("/"), f"{link} is not ours"
        with client.get(link) as answer:
            assert answer.status_code == 200
    assert "style=" not in page.text  # the content security policy would drop it


def test_modules_are_served_as_javascript_and_asked_for_again(client: FlaskClient) -> None:
    with client.get("/static/js/main.js") as answer:
        pass
    assert answer.mimetype in ("text/javascript", "application/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    with client.get("/static/js/main.js", headers={"If-None-Match": answer.headers["ETag"]}) as again:
        assert again.status_code == 304


def test_nothing_is_fetched_from_elsewhere() -> None:
    for source in SOURCES:
        addresses = re.findall(r"https?://[^\s\"')]+", source.read_text("utf-8"))
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}, source.name


def test_every_imported_module_is_there() -> None:
    for module in STATIC.rglob("*.js"):
        for name in re.findall(r'from "\./([^"]+)"', module.read_text("utf-8")):
            assert (module.parent / name).exists(), f"{module.name} imports {name}"


def test_both_languages_have_the_same_words_with_the_same_blanks() -> None:
    assert set(WORDS) == {"en", "zh"}
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    for key, text in WORDS["en"].items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", WORDS["zh"][key])), key
        assert WORDS["zh"][key].strip(), key


def test_every_word_the_page_asks_for_is_there() -> None:
    for source in SOURCES:
        text = source.read_text("utf-8")
        asked = set(re.findall(r'\bt\("([\w.]+)"', text)) | set(re.findall(r'data-i18n(?:-label)?="([\w.]+)"', text))
        assert asked <= WORDS["en"].keys(), f"{source.name}: {asked - WORDS['en'].keys()}"


def test_the_join_code_stands_only_where_phones_can_come_in(house) -> None:
    alone = create_app(house).test_client().get("/").text
    assert "<svg" not in alone.split('id="join"')[1]
    shared = create_app(house, join_urls=["http://192.168.1.20:8000/"]).test_client().get("/").text
    assert 'class="qr"' in shared
    assert "http://192.168.1.20:8000/" in shared


# -- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture
def page(house, browser) -> Iterator:
    """The page of the fake house in Chromium; any error it logs fails the test."""
    with Server(create_app(house), house.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        tab.goto(f"http://127.0.0.1:{server.port}/")
        yield tab
        tab.close()
        assert errors == []


@pytest.mark.browser
def test_a_game_is_started_followed_and_corrected_on_a_phone(page, house) -> None:
    see = page.get_by_test_id
    see("start").click()
    see("whose").filter(has_text="Toss the coins").wait_for()
    see("toss").click()
    see("coin-4").wait_for(state="attached")
    assert [coin["denomination"] for coin in house.table.coins] == ["penny"] * 5

    house.command({"act": {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}}, None)
    see("whose").filter(has_text="Tails’s turn").wait_for()
    house.command({"act": {"do": "place", "coin": "dime"}}, "tails")
    see("ruling-verdict").filter(has_text="Refused").wait_for()
    assert "steal.place.limit" in see("ruling-clause").inner_text()
    assert see("total-heads").inner_text() == "3¢"

    see("press-tails.done").click()
    house.question = ["I placed a penny", "Nothing"]
    house.publish()
    see("choice-1").click()
    see("choice-1").wait_for(state="detached")
    assert ("answer", {"choice": 1, "text": "Nothing"}, None) in house.commands
    assert ("press", "tails.done", None) in house.commands

    see("mode-read").click()
    box = see("coin-0").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # first tap: the coin
    see("correct-penny-tails").click()  # second tap: what it is
    page.locator("[data-testid=coin-0][data-face=tails]").wait_for(state="attached")

    see("language").click()
    see("whose").filter(has_text="轮到反面").wait_for()
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # nothing hangs over the edge


@pytest.mark.browser
@pytest.mark.parametrize(
    ("tables", "browsers", "shown"), [("auto", "en-US", "en"), ("auto", "zh-CN", "zh"), ("zh", "en-US", "zh")]
)
def test_a_page_begins_in_the_tables_language_else_its_browsers(
    house, browser, tables: str, browsers: str, shown: str
) -> None:
    with Server(create_app(house, language=tables), house.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(locale=browsers)
        tab.goto(f"http://127.0.0.1:{server.port}/rules")
        tab.get_by_test_id("language").filter(has_text=WORDS[shown]["language"]).wait_for()
        tab.close()


@pytest.mark.browser
def test_nothing_hangs_over_the_edge_of_a_small_phone(house, browser) -> None:
    with Server(create_app(house), house.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": 360, "height": 740}, locale="en-US")
        for path in ("/", "/score", "/rules", "/rules/coin-wars"):
            tab.goto(f"http://127.0.0.1:{server.port}{path}")
            tab.get_by_test_id("language").filter(has_text="中文").wait_for()
            assert tab.evaluate("document.documentElement.scrollWidth") == 360, path
        tab.goto(f"http://127.0.0.1:{server.port}/")
        tab.get_by_test_id("start").wait_for()
        assert not tab.get_by_test_id("choices").is_visible()  # the games stand below, once
        tab.close()


@pytest.mark.browser
def test_coins_of_the_virtual_table_are_dragged_turned_and_taken_off(page, house) -> None:
    see = page.get_by_test_id
    house.command({"start": {"game": "steal"}}, None)
    see("box-dime").wait_for()
    mat = see("mat").bounding_box()
    scale = mat["width"] / 420

    def at(x_mm: float, y_mm: float) -> tuple[float, float]:
        return mat["x"] + x_mm * scale, mat["y"] + y_mm * scale

    def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        page.mouse.move(*end)
        page.mouse.up()

    def told() -> Any:
        """The page shows a change at once; the house is told a moment later."""
        return page.expect_response(lambda answer: answer.request.method == "PUT")

    box = see("box-dime").bounding_box()
    with told():
        drag((box["x"] + 29, box["y"] + 29), at(100, 50))
    see("virtual-coin-0").wait_for(state="attached")
    (coin,) = house.table.coins
    assert (coin["denomination"], coin["face"]) == ("dime", "heads")
    assert (coin["x_mm"], coin["y_mm"]) == pytest.approx((100, 50), abs=1.5)

    drag(at(100, 50), at(300, 240))
    page.locator("[data-testid=coin-0][data-zone='row.heads']").wait_for(state="attached")
    see("virtual-coin-0").focus()
    page.keyboard.press("Enter")
    page.locator("[data-testid=coin-0][data-face=tails]").wait_for(state="attached")
    see("virtual-coin-0").focus()
    with told():
        page.keyboard.press("ArrowLeft")
    page.locator("[data-testid=virtual-coin-0][transform*='295']").wait_for(state="attached")
    see("hand").click()
    see("stillness").filter(has_text="A hand or a glare is over the table").wait_for()
    page.evaluate("scrollTo(0, 0)")
    with told():
        drag(at(295, 240), (mat["x"] + 10, mat["y"] + mat["height"] + 30))
    see("virtual-coin-0").wait_for(state="detached")
    assert house.table.to_json()["coins"] == []
    assert house.table.hand is True
