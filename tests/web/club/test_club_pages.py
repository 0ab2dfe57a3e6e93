"""The club's pages in Chromium: the organiser's phone, the hall's screen and a player's phone, at the same evening."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tablecoin.mqtt.connection import Received
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Closed, Moved, Published, Resulted, halves_for
from tests.club.said import heard, result, ruling, summary
from tests.web.club.conftest import Club
from tests.web.stage import Stage

pytestmark = pytest.mark.browser
SCREEN = 1920, 1080

Open = Callable[..., Page]


@pytest.fixture
def opened(club: Club, stage: Stage) -> Open:
    """`opened("/organise")` opens a page of the club, each in a window of its own."""
    stage.shows(club.app, club.shown)
    return stage.open


@pytest.mark.heavy  # three windows at once
def test_an_evening_of_organiser_hall_and_player(club: Club, opened: Open) -> None:
    ledger = club.ledger
    for table in ("kitchen", "window"):
        up = Received(f"tablecoin/1/{table}/up", b"online", True)
        ledger.take([heard(summary(table, game="steal", title={"en": "Steal", "zh": "偷"})), up])
    hall = opened("/", SCREEN)
    expect(hall.get_by_test_id("big")).to_contain_text("Steal")

    organiser = opened("/organise")
    organiser.get_by_test_id("new-name").fill("Friday")
    organiser.get_by_test_id("new-players").fill("Ann\nBob\nCat\nDan")
    organiser.get_by_test_id("option-clock").select_option("lost")
    organiser.get_by_test_id("clock-minutes").fill("5")
    organiser.get_by_test_id("clock-seconds").fill("3")
    organiser.get_by_test_id("new-send").click()
    expect(organiser.get_by_test_id("name")).to_have_text("Friday")
    expect(organiser.locator("#where")).to_contain_text("5 min + 3 s a turn, at zero the side has lost")
    organiser.get_by_test_id("pair").click()
    organiser.get_by_test_id("minutes").fill("20")
    organiser.get_by_test_id("publish").click()
    expect(hall.get_by_test_id("tournaments")).to_contain_text("Round 1 of 2")
    expect(hall.get_by_test_id("tournaments")).to_contain_text("19:")
    expect(hall.get_by_test_id("tournaments")).to_contain_text("5 min + 3 s a turn")

    player = opened("/tournaments/1")
    player.get_by_test_id("me").select_option(label="Ann")
    expect(player.get_by_test_id("go-to")).to_have_text(re.compile("Table (KITCHEN|WINDOW), against Cat"))

    task = next(each for each in ledger.assignments() if not isinstance(each, str) and "Ann" in each.names.values())
    told = result(task.table, names=task.names, winners=("heads",), assignment=task.id)
    ledger.take([heard(ruling(9, task.table, kind="game_over", told=told))])
    expect(player.get_by_test_id("go-to")).to_contain_text("against Cat")
    expect(player.get_by_test_id("mine")).to_contain_text("1 point" if task.names["heads"] == "Ann" else "0 points")

    match = ledger.tournaments.get(1).open_matches[0]
    organiser.get_by_test_id(f"tell-{match.id}").click()
    organiser.get_by_test_id(f"draw-{match.id}").click()
    expect(player.get_by_test_id(f"match-{match.id}")).to_contain_text("½ : ½")
    expect(organiser.get_by_test_id("pair")).to_be_visible()

    ledger.take([heard(ruling(12, "window", kind="dispute"))])
    organiser.goto("/organise")
    expect(organiser.get_by_test_id("call")).to_contain_text("A dispute at WINDOW")
    organiser.get_by_role("button", name="Seen").click()
    expect(organiser.get_by_test_id("call")).to_have_count(0)


def test_a_dispute_leads_the_organisers_phone_to_its_match(club: Club, opened: Open) -> None:
    ledger = club.ledger
    number = ledger.tournaments.found(Plan("Friday", "swiss", "steal", ("kitchen",), 1), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    (task,) = ledger.assignments()
    assert not isinstance(task, str)
    ledger.take([heard(summary("kitchen", game="steal", assignment=task.id, url="http://192.168.1.9:8000/"))])
    phone = opened("/organise")
    expect(phone.get_by_test_id("name")).to_have_count(0)
    ledger.take([heard(ruling(9, "kitchen", kind="dispute"))])
    expect(phone.get_by_test_id("call")).to_contain_text("A dispute at KITCHEN: Ruling 9.")
    expect(phone.get_by_test_id("look")).to_have_attribute("href", "http://192.168.1.9:8000/")
    phone.get_by_test_id("decide").click()
    phone.get_by_test_id("wins-1-1-2").click()
    expect(phone.get_by_test_id("match-1-1")).to_contain_text("(organiser)")
    change = ledger.tournaments.changes(number)[-1].event
    assert isinstance(change, Resulted)
    assert (dict(change.halves), change.by) == ({"1": 0, "2": 2}, "organiser")
    phone.goto("/organise")
    expect(phone.get_by_test_id("call")).to_have_count(1)
    ledger.take([heard(ruling(10, "kitchen", kind="settled"))])
    expect(phone.get_by_test_id("call")).to_have_count(0)


def test_no_page_is_wider_than_a_small_phone(club: Club, opened: Open) -> None:
    club.ledger.take([heard(summary("kitchen", name="A table with a very long name that never ends"))])
    club.ledger.take([heard(ruling(9, "kitchen", kind="game_over", told=result("kitchen")))])
    page = opened("/", (320, 640))
    wide = {}
    for path in ("/", "/players", "/organise"):
        page.goto(path)
        for language in ("en", "zh-Hans"):
            expect(page.locator("html")).to_have_attribute("lang", language)
            wide[path, language] = page.evaluate("document.documentElement.scrollWidth")
            page.get_by_test_id("language").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
    assert max(wide.values()) <= 320, wide


def test_what_the_organiser_types_outlives_what_others_do(club: Club, opened: Open) -> None:
    ledger = club.ledger
    tournaments = ledger.tournaments
    number = tournaments.found(Plan("Friday", "swiss", "steal", (), 2), ("Ann", "Bob", "Cat", "Dan"))
    tournaments.pair(number)
    tournaments.do(number, Published())
    first, second = tournaments.get(number).open_matches
    page = opened(f"/tournaments/{number}")
    see = page.get_by_test_id
    see("minutes").fill("45")
    see("field").locator("summary").click()
    see("enter").press_sequentially("Eva Lo")
    tournaments.do(number, Resulted(first.id, halves_for(first, frozenset(first.players[:1])), "organiser"))
    ledger.tell()
    expect(see(f"match-{first.id}")).to_contain_text("1 : 0")
    page.keyboard.type("ve")
    expect(see("enter")).to_have_value("Eva Love")
    expect(see("minutes")).to_have_value("45")
    see("time").click()
    expect(see("minutes")).to_have_value("")  # it was sent; the name was not
    expect(see("enter")).to_have_value("Eva Love")
    see("round-1").locator("summary").click()
    tournaments.do(number, Resulted(second.id, halves_for(second, frozenset(second.players[:1])), "organiser"))
    ledger.tell()
    expect(see("pair")).to_be_visible()
    expect(see("round-1")).not_to_have_attribute("open", "")
    see("enter").press("Enter")
    expect(see("field")).to_contain_text("Eva Love")
    expect(see("enter")).to_have_value("")

    page.goto("/organise")
    see("new-name").fill("Spring cup")
    see("new-players").fill("Ann\nBob")
    see("new-system").select_option("knock-out")
    see("option-clock").select_option("lost")
    page.locator("h1").first.click()
    ledger.take([heard(summary("attic")), Received("tablecoin/1/attic/up", b"online", True)])
    expect(see("new-table-attic")).to_be_checked()
    assert see("new-name").input_value() == "Spring cup"
    assert see("new-players").input_value() == "Ann\nBob"
    assert (see("new-system").input_value(), see("option-clock").input_value()) == ("knock-out", "lost")


def test_the_hall_tells_of_one_in_the_singular(club: Club, opened: Open) -> None:
    ledger, up = club.ledger, Received("tablecoin/1/kitchen/up", b"online", True)
    ledger.take([heard(summary("kitchen")), up])
    number = ledger.tournaments.found(Plan("Friday", "swiss", "steal", (), 2), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    ledger.tell()
    ledger.hall.held(1, {"kitchen": 1})
    hall = opened("/", SCREEN)
    expect(hall.locator("body")).to_contain_text("1 ruling on its way")
    expect(hall.get_by_test_id("tournaments")).to_contain_text("1 match being played")


def test_a_table_whose_address_is_none_hides_no_other(club: Club, opened: Open) -> None:
    club.ledger.take([heard(summary("window", url="http://192.168.1.9:8000/"))])
    hall = opened("/", SCREEN)
    for number, url in enumerate(("foo", "http://[", "javascript:alert(1)"), 1):
        table = f"kitchen{number}"
        club.ledger.take([heard(summary(table, url=url))])
        expect(hall.get_by_test_id("tables").get_by_role("article")).to_have_count(1 + number)
        expect(hall.get_by_test_id("table-window").get_by_role("link")).to_have_count(1)
        expect(hall.get_by_test_id(f"table-{table}").get_by_role("link")).to_have_count(0)


def test_a_players_phone_follows_its_match_to_another_table(club: Club, opened: Open) -> None:
    ledger = club.ledger
    ledger.take([heard(summary("kitchen")), heard(summary("window"))])
    number = ledger.tournaments.found(Plan("Friday", "knock-out", "steal", ("kitchen", "window")), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    ledger.tell()
    phone = opened(f"/tournaments/{number}")
    phone.get_by_test_id("me").select_option(label="Ann")
    expect(phone.get_by_test_id("go-to")).to_have_text("Table KITCHEN, against Bob")
    ledger.tournaments.do(number, Moved("1-1", "window"))
    ledger.tell()
    expect(phone.get_by_test_id("go-to")).to_have_text("Table WINDOW, against Bob")
    (task,) = ledger.assignments()
    assert not isinstance(task, str)
    drawn = result("window", names=task.names, winners=("heads", "tails"), assignment=task.id)
    ledger.take([heard(ruling(9, "window", kind="game_over", told=drawn))])
    expect(phone.get_by_test_id("match-1-1")).to_contain_text("In a knock-out somebody must win")


def test_a_table_that_broke_is_replaced_while_its_match_is_open(club: Club, opened: Open) -> None:
    ledger = club.ledger
    ledger.take([heard(summary("kitchen"))])
    number = ledger.tournaments.found(Plan("Friday", "swiss", "steal", ("kitchen",)), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    ledger.tell()
    assert [each if isinstance(each, str) else each.table for each in ledger.assignments()] == ["kitchen"]
    organiser = opened(f"/tournaments/{number}")
    organiser.get_by_test_id("at-tables").locator("summary").click()
    expect(organiser.get_by_test_id("at-kitchen")).to_be_checked()
    ledger.take([heard(summary("window"))])
    with organiser.expect_response("**/act"):
        organiser.get_by_test_id("at-window").check()
    with organiser.expect_response("**/act"):
        organiser.get_by_test_id("at-kitchen").uncheck()
    expect(organiser.get_by_test_id("at-kitchen")).not_to_be_checked()
    assert ledger.tournaments.get(number).plan.tables == ("window",)
    organiser.get_by_test_id("tell-1-1").click()
    at = organiser.get_by_test_id("match-1-1").get_by_role("combobox")
    expect(at).to_have_value("kitchen")
    with organiser.expect_response("**/act"):
        at.select_option("window")
    expect(organiser.get_by_test_id("match-1-1")).to_contain_text("WINDOW")
    assert {each if isinstance(each, str) else each.table for each in ledger.assignments()} == {"kitchen", "window"}


def test_a_phone_says_how_many_matches_are_still_before_its_own(club: Club, opened: Open) -> None:
    ledger = club.ledger
    ledger.take([heard(summary("kitchen"))])
    plan = Plan("Friday", "swiss", "steal", ("kitchen",))
    number = ledger.tournaments.found(plan, ("Ann", "Bob", "Cat", "Dan"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    ledger.tell()
    first, second = ledger.tournaments.get(number).open_matches
    phone = opened(f"/tournaments/{number}")
    phone.get_by_test_id("me").select_option(second.players[0])
    expect(phone.get_by_test_id("go-to")).to_contain_text("Wait: 1 before you")
    ledger.tournaments.do(number, Resulted(first.id, halves_for(first, frozenset(first.players[:1])), "organiser"))
    ledger.tell()
    expect(phone.get_by_test_id(f"match-{first.id}")).to_contain_text("1 : 0")
    expect(phone.get_by_test_id("go-to")).not_to_contain_text("Wait")


def test_a_phone_whose_clock_is_wrong_shows_what_is_left_of_the_round(club: Club, opened: Open) -> None:
    ledger = club.ledger
    number = ledger.tournaments.found(Plan("Friday", "swiss", "steal"), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ends = datetime.now(UTC) + timedelta(minutes=20)
    ledger.tournaments.do(number, Published(ends.isoformat(timespec="seconds")))
    ledger.tell()
    page = opened("/", script="const now = Date.now; Date.now = () => now() - 3 * 3600_000;")
    for path in ("/", f"/tournaments/{number}"):
        page.goto(path)
        expect(page.locator("[data-ends]")).to_have_text(re.compile("(20:00|19:[0-9]{2})"))


def test_a_tournament_that_is_over_leaves_the_hall_and_can_still_be_found(club: Club, opened: Open) -> None:
    ledger = club.ledger
    number = ledger.tournaments.found(Plan("Friday", "swiss", "steal"), ("Ann", "Bob"))
    ledger.tell()
    hall = opened("/", SCREEN)
    expect(hall.get_by_test_id("tournaments")).to_contain_text("Friday")
    ledger.tournaments.do(number, Closed())
    ledger.tell()
    expect(hall.get_by_test_id("tournaments")).not_to_contain_text("Friday")
    hall.goto("/organise")
    expect(hall.locator("#list")).to_contain_text("This tournament is over.")
    hall.get_by_role("link", name="Friday").click()
    expect(hall.locator("#standings")).to_contain_text("Ann")
