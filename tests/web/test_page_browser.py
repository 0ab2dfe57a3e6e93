"""The page driven in a real browser: a game followed, the virtual table, seats, words."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.referee.snapshot import Choice, Prompt
from tablecoin.rules.rulebook import Message
from tablecoin.vision.shown.close_up import SIDE_PX
from tests.web.browsing import box_of, module, open_form
from tests.web.quiet import QuietTable, laid
from tests.web.stage import Stage
from web.app import create_app

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def start(live: QuietTable) -> None:
    """Begin a game of Steal of two people."""
    live.command({"start": {"game": "steal", "seats": {"heads": "person", "tails": "person"}}}, None)


def toss(live: QuietTable) -> None:
    """Three pennies fall for Heads and two for Tails, who is to act, and they lie where they belong."""
    live.command({"act": TOSS}, None)
    live.arrange()
    live.see()


@pytest.mark.browser
def test_a_game_is_started_followed_and_corrected_on_a_phone(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    open_form(page)
    page.locator('label:has([data-testid="who-tails-person"])').click()
    see("start").click()
    see("whose").filter(has_text="Toss the coins").wait_for()
    live.see()  # nothing lies there yet
    with page.expect_response("**/api/virtual/toss"):
        see("toss").click()
    tossed = live.table.to_json()["coins"]
    assert [coin["denomination"] for coin in tossed] == ["penny"] * 5
    faces = ("heads", "heads", "heads", "tails", "tails")
    live.table.put_json({"coins": [coin | {"face": face} for coin, face in zip(tossed, faces, strict=True)]})
    live.see_doubtful(4)
    see("coin-4").wait_for(state="attached")
    see("choice-1").filter(has_text="It shows tails").click()
    see("choice-1").wait_for(state="detached")
    assert ("answer", {"choice": 1, "text": "It shows tails"}, None) in live.commands
    live.arrange()
    live.see()
    see("whose").filter(has_text="Tails’ turn").wait_for()
    live.command({"act": {"do": "place", "coin": "dime"}}, "tails")
    see("ruling-verdict").filter(has_text="Refused").wait_for()
    see("ruling-clause").filter(has_text="rule 2.2").wait_for()  # its number in the rulebook, not its id
    assert see("total-heads").inner_text() == "3¢"

    with page.expect_response("**/api/press"):
        see("press-tails.done").click()
    assert ("press", "tails.done", None) in live.commands

    see("mode-read").click()
    box = box_of(see("coin-0"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # first tap: the coin
    see("correct-penny-tails").click()  # second tap: what it is
    page.locator("[data-testid=coin-0][data-face=tails]").wait_for(state="attached")

    see("language").click()
    see("whose").filter(has_text="轮到反面").wait_for()
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # nothing hangs over the edge


@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "width", "height"),
    [("/", 390, 844), pytest.param("/", 1280, 800, marks=pytest.mark.long), ("/kiosk", 1280, 800)],
)
def test_a_question_about_a_coin_shows_it_large_between_question_and_answers(
    live: QuietTable, stage: Stage, path: str, width: int, height: int
) -> None:
    start(live)
    live.see()  # nothing lies there yet
    live.toss(Heap(penny=5), "tray")
    live.see_doubtful(1)
    stage.shows(create_app(live), live)
    tab = stage.open(path, (width, height))
    picture = tab.get_by_test_id("asked-picture")
    picture.wait_for()
    assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") == SIDE_PX
    shown, one, other = (box_of(tab.get_by_test_id(each)) for each in ("asked-picture", "choice-0", "choice-1"))
    assert shown["width"] >= 150
    assert shown["y"] + shown["height"] <= one["y"] == other["y"]
    assert one["x"] + one["width"] <= other["x"]
    assert one["y"] + one["height"] <= box_of(tab.get_by_test_id("panel"))["y"]  # nobody scrolls to answer
    tab.get_by_test_id("choice-1").click()
    tab.get_by_test_id("choice-1").wait_for(state="detached")
    assert ("answer", {"choice": 1, "text": "It shows tails"}, None) in live.commands
    assert not picture.is_visible()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("tables", "browsers", "other"),
    [("auto", "zh-CN", "English"), ("zh", "en-US", "English")],  # all other tests see auto and en-US
)
def test_a_page_begins_in_the_tables_language_else_its_browsers(
    live: QuietTable, stage: Stage, tables: str, browsers: str, other: str
) -> None:
    stage.shows(create_app(live, language=tables), live)
    stage.open("/rules", locale=browsers).get_by_test_id("language").filter(has_text=other).wait_for()


@pytest.mark.browser
def test_a_language_is_asked_for_again_after_the_connection_failed(live: QuietTable, stage: Stage) -> None:
    stage.shows(create_app(live), live)
    page = stage.open("/rules", calls_may_fail=True)
    page.clock.install()
    page.route("**/i18n/zh.json", lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        page.get_by_test_id("language").click()
    page.clock.run_for(1000)
    page.get_by_test_id("language").filter(has_text="English").wait_for()


@pytest.mark.browser
def test_coins_of_the_virtual_table_are_dragged_turned_and_taken_off(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    live.command({"start": {"game": "steal"}}, None)
    see("box-dime").wait_for()

    def at(x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where that place of the mat is on the page, which what the referee says moves."""
        mat = box_of(see("mat"))
        scale = mat["width"] / 420
        return mat["x"] + x_mm * scale, mat["y"] + y_mm * scale

    def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        page.mouse.move(*end)
        page.mouse.up()

    def sent() -> Any:
        """The page shows a change at once, and sends it to the server a moment later."""
        return page.expect_response(lambda answer: answer.request.method in ("PUT", "PATCH"))

    box = box_of(see("box-dime"))
    with sent():
        drag((box["x"] + 29, box["y"] + 29), at(100, 50))
    see("virtual-coin-0").wait_for(state="attached")
    (coin,) = live.table.to_json()["coins"]
    assert (coin["denomination"], coin["face"]) == ("dime", "heads")
    assert (coin["x_mm"], coin["y_mm"]) == pytest.approx((100, 50), abs=1.5)

    with sent():
        drag(at(100, 50), at(300, 240))
    live.table.lay_at(Coin.of(Denomination.PENNY, Face.HEADS), 200, 50)  # the page has not seen it yet
    see("hold-0").focus()
    with sent():
        page.keyboard.press("Shift+ArrowLeft")
    assert [coin["denomination"] for coin in live.table.to_json()["coins"]] == ["dime", "penny"]  # it still lies there
    live.table.remove(1)
    live.see()
    page.locator("[data-testid=coin-0][data-zone='row.heads']").wait_for(state="attached")
    see("hold-0").focus()
    with sent():
        page.keyboard.press("Enter")
    live.see()
    page.locator("[data-testid=coin-0][data-face=tails]").wait_for(state="attached")
    see("hold-0").focus()
    with sent():
        page.keyboard.press("Shift+ArrowLeft")
    page.locator("[data-testid=virtual-coin-0][transform*='290']").wait_for(state="attached")
    with sent():
        see("hand").click()
    live.see()
    see("stillness").filter(has_text="A hand or a glare is over the table").wait_for()
    page.evaluate("scrollTo(0, 0)")
    with sent():
        drag(at(290, 240), at(20, 340))
    see("virtual-coin-0").wait_for(state="detached")
    table = live.table.to_json()
    assert (table["coins"], table["hand"]) == ((), True)


@pytest.mark.browser
def test_a_picture_of_another_mat_is_not_shown_under_the_drawing(page: Page, live: QuietTable) -> None:
    """The mat of the new game is laid already, or is still to be laid: the picture catches up later."""
    live.command({"start": {"game": "steal"}}, None)
    for mat, there in (("two-row", "yes"), ("coin-wars", "no"), ("two-row", "yes")):
        live.plane_seen = laid(mat)
        live.film()
        page.locator(f'body[data-picture="{there}"]').wait_for()


@pytest.mark.browser
def test_a_seat_of_the_last_game_counts_as_no_seat_in_the_next(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    mine = "seat => document.getElementById('my-seat').value === seat"
    live.command(
        {"start": {"game": "coin-wars", "options": {"players": ["Ann", "Bob"]}, "seats": {"Ann": "person"}}}, None
    )
    page.goto(page.url + "?seat=Ann")
    page.wait_for_function(mine, arg="Ann")

    start(live)
    page.wait_for_function(mine, arg="")  # it speaks for the whole table, as every phone that sits nowhere
    assert "Ann" not in see("my-seat").inner_text()
    toss(live)
    with page.expect_response("**/api/press"):
        see("press-tails.done").click()
    assert [seat for kind, _, seat in live.commands if kind == "press"] == [None]

    live.command(
        {"start": {"game": "coin-wars", "options": {"players": ["Ann", "Bob"]}, "seats": {"Ann": "person"}}}, None
    )
    page.wait_for_function(mine, arg="Ann")


@pytest.mark.browser
def test_a_phone_at_a_seat_is_offered_what_is_its_own_to_do(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    toss(live)
    live.command({"act": {"do": "place", "coin": "penny"}}, "tails")
    live.arrange()
    live.see()
    see("choice-0").wait_for()  # who sits nowhere speaks for everybody
    assert see("undo").is_enabled()

    page.goto(page.url + "?seat=heads")
    see("whose").filter(has_text="Tails’ turn").wait_for()
    assert not see("choice-0").is_visible()
    assert see("undo").inner_text() == "Ask to undo"  # Tails did that
    turn = live.snapshot().prompt
    choices = tuple(Choice(text, {"en": text}, None, None, False) for text in ("I placed a penny", "Nothing"))
    said = "What did you just do?"
    live.shows(prompt=Prompt("tails", "question", said, {"en": said}, choices))
    see("what").filter(has_text="What did you just do?").wait_for()
    assert not see("choice-0").is_visible()

    live.shows(prompt=turn, seats={"heads": "person", "tails": "computer"}, undo_seat=None, undo_asks=())
    see("undo").filter(has_text=re.compile("^Undo$")).wait_for()  # nobody asks a computer

    page.goto(page.url.replace("heads", "tails"))
    see("choice-0").wait_for()
    assert see("undo").is_enabled()


@pytest.mark.browser
def test_a_phone_that_watches_is_offered_nothing_to_do(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    toss(live)
    see("choice-0").wait_for()
    page.goto(page.url + "?seat=watch")
    see("whose").filter(has_text="Tails’ turn").wait_for()
    assert not see("choice-0").is_visible()
    assert see("undo").is_disabled()
    assert not see("panel").is_visible()


@pytest.mark.browser
def test_the_kiosk_speaks_for_everybody_even_if_its_browser_had_a_seat(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    toss(live)
    page.goto(page.url + "?seat=heads")
    see("press-heads.done").wait_for()
    assert not see("press-tails.done").is_visible()
    see("menu").click()
    page.get_by_role("link", name="The screen at the table").click()
    see("press-tails.done").click()
    see("ruling-verdict").filter(has_text="Refused").wait_for()
    assert live.commands[-1] == ("press", "tails.done", None)


@pytest.mark.browser
def test_a_finger_that_taps_twice_acts_once(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    toss(live)
    live.command({"act": {"do": "place", "coin": "penny"}}, "tails")
    live.arrange()
    live.see()
    see("whose").filter(has_text="Tails’ turn").wait_for()
    see("press-tails.done").dblclick()
    see("whose").filter(has_text="Heads’ turn").wait_for()
    for _ in range(2):
        with page.expect_response("**/api/press"):  # what was sent before it has come by now
            see("press-referee").click()
    pressed = [body for kind, body, _ in live.commands if kind == "press"]
    assert pressed == ["tails.done", "referee", "referee"]


@pytest.mark.browser
def test_a_refusal_is_shown_in_the_pages_language(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    toss(live)
    see("language").click()
    see("whose").filter(has_text="轮到反面").wait_for()
    see("press-tails.done").click()  # nothing has been placed
    see("notice").filter(has_text="反面").wait_for()
    ruling = live.snapshot().ruling
    assert ruling is not None
    assert see("notice").inner_text() == ruling.texts["zh"]


@pytest.mark.browser
@pytest.mark.parametrize(
    "path",
    ["", *(pytest.param(path, marks=pytest.mark.long) for path in ("kiosk", "score", "history", "access", "rules"))],
)
def test_a_language_chosen_while_the_page_loads_is_kept(page: Page, live: QuietTable, path: str) -> None:
    """The catalogue of the first language comes after that of the language chosen."""
    slow: list[Route] = []
    page.route("**/i18n/en.json", lambda route: slow.append(route))
    page.goto(page.url + path)
    page.get_by_test_id("language").click()
    page.locator("html[lang=zh-Hans]").wait_for()
    for each in slow:
        with page.expect_response("**/i18n/en.json"):
            each.continue_()
    page.get_by_test_id("language").filter(has_text="English").wait_for()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


@pytest.mark.browser
def test_a_score_goes_with_the_photo_it_is_of(page: Page, photo: io.BytesIO) -> None:
    see = page.get_by_test_id
    page.goto(page.url + "score")
    page.get_by_text("Photograph a Coin Age map").wait_for()
    first: FilePayload = {"name": "first.png", "mimeType": "image/png", "buffer": photo.getvalue()}
    see("photo").set_input_files(first)
    see("score-go").click()
    see("score-heads").wait_for()
    see("language").click()
    page.get_by_text("钱币世纪", exact=True).wait_for()
    assert "经典" in see("map").inner_text()
    assert see("winner").inner_text() == "正面方获胜"
    see("photo").set_input_files({**first, "name": "second.png"})
    see("result").wait_for(state="hidden")


DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))"


@pytest.mark.browser
def test_an_answer_about_the_photo_before_is_not_shown(page: Page, photo: io.BytesIO, stage: Stage) -> None:
    see, late = page.get_by_test_id, stage.hold("/api/score")
    page.goto(page.url + "score")
    page.get_by_text("Photograph a Coin Age map").wait_for()
    first: FilePayload = {"name": "first.png", "mimeType": "image/png", "buffer": photo.getvalue()}
    see("photo").set_input_files(first)
    with page.expect_request("**/api/score"):
        see("score-go").click()
    expect(see("score-go")).to_be_disabled()
    see("photo").set_input_files({**first, "name": "second.png"})
    expect(see("score-go")).to_be_enabled()
    with page.expect_response("**/api/score") as came:
        late.let_go()
    came.value.finished()
    page.evaluate(DRAWN)  # the answer has come, and would be shown by now
    expect(see("result")).to_be_hidden()
    see("score-go").click()
    expect(see("score-heads")).to_have_text("19")
    see("map").select_option("lagoon")  # for the next photo
    with page.expect_request("**/api/score/tally") as sent:
        see("doubt-0").get_by_role("button", name="dime, heads").click()
    assert '"map":"classic"' in (sent.value.post_data or "")


@pytest.mark.browser
def test_answers_about_a_photo_change_the_sum_at_once(page: Page, photo: io.BytesIO) -> None:
    """The photo is said to show M1, a penny or a dime, and a bank that was not read."""
    see = page.get_by_test_id
    page.goto(page.url + "score")
    see("photo").set_input_files({"name": "map.png", "mimeType": "image/png", "buffer": photo.getvalue()})
    see("score-go").click()
    see("doubt-0").get_by_role("img", name="M1 in your photo").wait_for()
    assert see("doubt-0").get_by_role("button").all_inner_texts() == ["penny, heads", "dime, heads"]
    see("doubt-0").get_by_role("button", name="dime, heads").press("Enter")
    see("doubt-0").wait_for(state="detached")
    assert see("score-heads").inner_text() == "3"  # the dime's 1 counts twice, and a coin in the bank
    assert page.evaluate("document.activeElement.closest('article').dataset.testid") == "doubt-1"
    see("bank.tails-penny-more").press("Enter")
    see("bank.tails-penny-more").press("Enter")
    see("answer-bank").click()
    see("doubt-1").wait_for(state="detached")
    assert see("score-tails").inner_text() == "2"
    see("change-0").click()
    see("doubt-0").wait_for()
    assert see("score-heads").inner_text() == "5"


@pytest.mark.browser
def test_why_a_photo_cannot_be_scored_stays_on_the_page(page: Page, photo: io.BytesIO) -> None:
    see = page.get_by_test_id
    page.goto(page.url + "score")
    said = {"texts": {"en": "This file is not a picture.", "zh": "这不是图片。"}}
    page.evaluate("(said) => { window.fetch = async () => new Response(JSON.stringify(said), {status: 400}) }", said)
    see("photo").set_input_files({"name": "map.png", "mimeType": "image/png", "buffer": photo.getvalue()})
    see("score-go").click()
    see("score-failed").filter(has_text="not a picture").wait_for()
    assert see("notice").is_hidden()


@pytest.mark.browser
def test_the_form_of_a_new_character_stays_open(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    live.command({"start": {"game": "coin-wars", "options": {}}}, None)
    see("wars-name").fill("Bob")
    see("wars-misc").fill("Keys")
    page.keyboard.press("ArrowLeft")
    for name in ("Ann", "Cleo"):
        ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
        live.command({"act": {"do": "create", "name": name, "ratings": ratings, "strong": "bodiness"}}, None)
        see(f"sheet-{name}").wait_for()
    page.keyboard.type("hol")
    assert see("wars-misc").input_value() == "Keyhols"
    assert see("wars-name").input_value() == "Bob"
    see("my-seat").evaluate("(each) => { each.value = 'Ann'; each.onchange({ target: each }); }")
    see("card-title").wait_for()


@pytest.mark.browser
def test_the_table_says_why_it_cannot_be_judged_and_how_many_coins_lie_there(page: Page, live: QuietTable) -> None:
    see = page.get_by_test_id
    start(live)
    live.see(moving=True)
    see("stillness").filter(has_text="Waiting for the coins to lie still.").wait_for()
    live.see(unclear=Message("vision.blurred"))
    see("stillness").filter(has_text="The picture is too blurred").wait_for()
    assert "0 coins" not in see("stillness").inner_text()
    live.see()
    expect(see("stillness")).to_contain_text("0 coins on the table")
    live.table.put_json({"coins": [{"denomination": "penny", "face": "heads", "x_mm": 50, "y_mm": 50, "angle_deg": 0}]})
    live.see()
    expect(see("stillness")).to_contain_text("1 coin on the table")


@pytest.mark.browser
def test_small_words_are_right(page: Page) -> None:
    """What each game says at its end, and the words of a swap: straight from the modules that say it."""
    page.get_by_test_id("roads").wait_for()

    def told(name: str, piece: str) -> Any:
        return page.evaluate(
            f"async () => {{ const m = await import('{module(page, f'games/{name}')}'); return {piece}; }}"
        )

    text = ".make().map((each) => each?.textContent ?? '').join()"
    ended = "{ round: 3, totals: { heads: 20, tails: 15 }, options: { goal: 20 } }"
    assert told("exact", f"m.about({{ game: {ended} }}){text}") == "Round 3Tails lacks 5¢"
    assert told("exact", f"m.about({{ game: {ended.replace('15', '20')} }}){text}") == "Round 3"
    game = "{ round: 2, options: {}, alive: ['1'], committed: [], last: {}, banks: { 1: 4, 2: 0 }, outcome: OUT }"
    assert "1 thinks" in told("goes-around", f"m.about({{ game: {game.replace('OUT', 'null')} }}){text}")
    assert "thinks" not in told("goes-around", f"m.about({{ game: {game.replace('OUT', '{}')} }}){text}")
    lost = game.replace("OUT", "null").replace("options", "left_game: 5, options")
    assert "in the sink: 5" in told("goes-around", f"m.about({{ game: {lost} }}){text}")  # it is coins, not seat 5
    here = "phase: 'PHASE', alive: ['1'], banks: { 1: 4 }, round: 1, yours: { action: 'pass' }"
    sealed = f"{{ seat: '1', snapshot: {{ began: 1 }}, game: {{ {here} }} }}"
    assert "Wait for the others" in told("goes-around", f"m.act({sealed.replace('PHASE', 'commit')}){text}")
    assert "Everybody has chosen" in told("goes-around", f"m.act({sealed.replace('PHASE', 'reveal')}){text}")
    assert told("coin-wars/sheet", "m.story([{ scene: 0, name: 'Ann', text: '' }], [])") is None
    swap = (
        "{ do: 'swap', give: 'penny', take: 'dime' }, { game: { swaps: [{ give: 'penny', take: 'dime', count: 2 }] } }"
    )
    assert told("rows", f"m.label({swap})[1].textContent") == "Swap all 2 pennies for all 2 dimes"


@pytest.mark.browser
def test_a_refusal_by_a_clause_of_all_games_is_shown_with_its_number(page: Page, live: QuietTable) -> None:
    live.command({"start": {"game": "steal"}}, None)
    live.command({"act": {"do": "done"}}, "tails")  # the toss is due: nobody's turn can end
    page.get_by_test_id("ruling-clause").filter(has_text="rule").wait_for()
