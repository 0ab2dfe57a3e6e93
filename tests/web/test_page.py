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
from web import games
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


def test_every_house_rule_has_words_of_its_own() -> None:
    for game in games.available():
        for option in games.describe(game)["options"]:
            name = option["name"]
            if name in ("players", "map"):  # asked beside the seats
                continue
            wanted = {f"option.{name}", f"how.{name}"} | {f"choice.{name}.{each}" for each in option["choices"] or ()}
            assert wanted <= WORDS["en"].keys(), f"{game.name}: {wanted - WORDS['en'].keys()}"


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
    see("whose").filter(has_text="Tails’ turn").wait_for()
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


# -- seats ------------------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_seat_of_the_last_game_is_none_in_the_next(page, house) -> None:
    see = page.get_by_test_id
    mine = "seat => document.getElementById('my-seat').value === seat"
    house.command(
        {"start": {"game": "coin-wars", "options": {"players": ["Ann", "Bob"]}, "seats": {"Ann": "person"}}}, None
    )
    page.goto(page.url + "?seat=Ann")
    page.wait_for_function(mine, arg="Ann")

    house.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)
    page.wait_for_function(mine, arg="")  # it speaks for the whole table, as every phone that sits nowhere
    assert "Ann" not in see("my-seat").inner_text()
    see("press-heads.done").click()
    page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=house.snapshot()["seq"])
    assert [seat for kind, _, seat in house.commands if kind == "press"] == [None]

    house.command(
        {"start": {"game": "coin-wars", "options": {"players": ["Ann", "Bob"]}, "seats": {"Ann": "person"}}}, None
    )
    page.wait_for_function(mine, arg="Ann")


@pytest.mark.browser
def test_a_phone_at_a_seat_is_offered_what_is_its_own_to_do(page, house) -> None:
    see = page.get_by_test_id
    house.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)
    house.command({"act": {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}}, None)
    house.offered = [{"do": "place", "coin": "penny"}]
    house.command({"act": {"do": "place", "coin": "penny"}}, "tails")
    see("choice-0").wait_for()  # who sits nowhere speaks for everybody
    assert see("undo").is_enabled()

    page.goto(page.url + "?seat=heads")
    see("whose").filter(has_text="Tails’ turn").wait_for()
    assert not see("choice-0").is_visible()
    assert see("undo").is_disabled()
    assert "Tails did that" in see("undo").get_attribute("title")
    house.question = ["I placed a penny", "Nothing"]
    house.publish()
    see("what").filter(has_text="What did you just do?").wait_for()
    assert not see("choice-0").is_visible()

    house.question, house.seats = [], {"heads": "person", "tails": "computer"}
    house.publish()
    page.wait_for_function(
        "() => !document.getElementById('undo').disabled"
    )  # what a computer did, anybody may take back

    page.goto(page.url.replace("heads", "tails"))
    see("choice-0").wait_for()
    assert see("undo").is_enabled()


# -- the start form ---------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_start_form_keeps_what_was_set(page, house) -> None:
    see = page.get_by_test_id
    see("game-goes-around").click()
    page.locator("details.rules > summary").click()
    see("option-rounds").fill("4")
    see("option-stake_cap").check()
    for _ in range(5):
        see("players-less").click()
    page.locator('label:has([data-testid="who-2-person"])').click()
    see("players-more").click()
    see("game-steal").click()
    see("game-goes-around").click()
    see("language").click()
    page.get_by_text("自定规则").wait_for()
    assert see("option-rounds").input_value() == "4"  # and the house rules are open still
    assert see("option-rounds").is_visible()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")
    ((kind, body, _),) = house.commands
    assert (kind, body["options"]) == ("start", {"players": 5, "rounds": 4, "stake_cap": True})
    assert body["seats"] == {"1": "person", "2": "person", "3": "computer", "4": "computer", "5": "computer"}


@pytest.mark.browser
def test_every_house_rule_can_be_chosen(page, house) -> None:
    see = page.get_by_test_id
    see("start").wait_for()
    page.locator("details.rules > summary").click()
    page.get_by_text("Who begins a round").wait_for()
    see("option-starter").select_option(label="Tails")
    see("option-tie_flips").select_option(label="none")
    see("option-bank_coins-dime").fill("9")
    see("option-bad_coin").select_option(label="all of them")
    see("option-level").select_option(label="easy")
    page.locator('label:has([data-testid="who-tails-person"])').click()
    assert not see("option-level").is_visible()  # no computer plays
    page.locator('label:has([data-testid="who-tails-computer"])').click()
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")
    ((_, body, _),) = house.commands
    assert body == {
        "game": "steal",
        "options": {
            "starter": "tails",
            "tie_flips": 0,
            "bank_coins": {"penny": 20, "nickel": 10, "dime": 9, "quarter": 10},
        },
        "seats": {"heads": "person", "tails": "computer"},
        "bad_coin": "all",
        "level": "easy",
    }  # fmt: skip


@pytest.mark.browser
def test_what_cannot_be_played_is_told_in_the_form(page, house) -> None:
    see = page.get_by_test_id
    see("game-coin-wars").click()
    see("option-players").fill("Ann, " + "x" * 41)
    see("names-told").filter(has_text="A name has at most 40 letters.").wait_for()
    see("start").click()
    see("option-players").fill("Ann, Bob，Ann")
    see("names-told").filter(has_text="Ann is there twice").wait_for()
    see("start").click()
    see("game-goes-around").click()
    page.locator("details.rules > summary").click()
    see("option-start").fill("")
    see("start").click()
    see("option-start").fill("10")
    see("option-rounds").fill("99")
    page.locator("details.rules > summary").click()
    see("start").click()
    page.wait_for_function("() => document.querySelector('details.rules').open")  # where the fault is
    assert house.commands == []
    see("option-rounds").fill("9")
    see("start").click()
    page.wait_for_function("() => document.body.dataset.lobby === 'no'")


@pytest.mark.browser
def test_a_new_game_is_started_while_one_is_on(page, house) -> None:
    see = page.get_by_test_id
    house.command({"start": {"game": "steal"}}, None)
    see("panel").wait_for()
    see("menu").click()
    see("new-game").click()
    page.locator("details.rules > summary").click()
    page.evaluate("scrollTo(0, 200)")
    top = "() => document.getElementById('start-form').querySelector('.go').matches(':hover')"
    see("start").hover(force=True)
    assert page.evaluate(top), "something lies over the button"


# -- what stands where ------------------------------------------------------------------------------------------------


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


@pytest.mark.browser
def test_the_form_of_a_new_character_stays_open(page, house) -> None:
    see = page.get_by_test_id
    house.command({"start": {"game": "coin-wars", "options": {}}}, None)
    see("wars-name").fill("Bob")
    see("wars-misc").fill("Keys")
    page.keyboard.press("ArrowLeft")
    for name in ("Ann", "Cleo"):
        ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
        house.command({"act": {"do": "create", "name": name, "ratings": ratings, "strong": "bodiness"}}, None)
        see(f"sheet-{name}").wait_for()
    page.keyboard.type("hol")
    assert see("wars-misc").input_value() == "Keyhols"
    assert see("wars-name").input_value() == "Bob"
    see("my-seat").evaluate("(each) => { each.value = 'Ann'; each.onchange({ target: each }); }")
    see("card-title").wait_for()


@pytest.mark.browser
def test_the_table_says_why_it_cannot_be_judged(page, house) -> None:
    see = page.get_by_test_id
    house.command({"start": {"game": "steal"}}, None)
    house.still = False
    house.publish()
    see("stillness").filter(has_text="Waiting for the coins to lie still.").wait_for()
    house.warnings = ["The picture is too blurred."]
    house.publish()
    see("stillness").filter(has_text="The picture is too blurred.").wait_for()
    assert "0 coins" not in see("stillness").inner_text()


@pytest.mark.browser
def test_small_words_are_right(page) -> None:
    """What each game says at its end, and the words of a swap: straight from the modules that say it."""
    page.get_by_test_id("start").wait_for()

    def told(module: str, piece: str) -> Any:
        return page.evaluate(
            f"async () => {{ const m = await import('/static/js/games/{module}.js'); return {piece}; }}"
        )

    text = ".make().map((each) => each?.textContent ?? '').join()"
    ended = "{ round: 3, totals: { heads: 20, tails: 15 }, options: { goal: 20 } }"
    assert told("exact", f"m.about({{ game: {ended} }}){text}") == "Round 3Tails lacks 5¢"
    assert told("exact", f"m.about({{ game: {ended.replace('15', '20')} }}){text}") == "Round 3"
    game = "{ round: 2, options: {}, alive: ['1'], committed: [], last: {}, banks: { 1: 4, 2: 0 }, outcome: OUT }"
    assert "1 thinks" in told("goes-around", f"m.about({{ game: {game.replace('OUT', 'null')} }}){text}")
    assert "thinks" not in told("goes-around", f"m.about({{ game: {game.replace('OUT', '{}')} }}){text}")
    sealed = (
        "{ seat: '1', game: { phase: 'PHASE', alive: ['1'], banks: { 1: 4 }, round: 1, yours: { action: 'pass' } } }"
    )
    assert "Wait for the others" in told("goes-around", f"m.act({sealed.replace('PHASE', 'commit')}){text}")
    assert "Everybody has chosen" in told("goes-around", f"m.act({sealed.replace('PHASE', 'reveal')}){text}")
    assert told("coin-wars/sheet", "m.story([{ scene: 0, name: 'Ann', text: '' }], [])") is None
    swap = (
        "{ do: 'swap', give: 'penny', take: 'dime' }, { game: { swaps: [{ give: 'penny', take: 'dime', count: 2 }] } }"
    )
    assert told("rows", f"m.label({swap})[1].textContent") == "Swap all 2 pennies for all 2 dimes"
