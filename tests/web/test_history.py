"""The list of games: the newest first, a page at a time, searched by player and game; and each person's record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tablecoin.journal.analyses import FOLDER, Analysis, Share
from tablecoin.journal.played import Counted, Ending, PlayedGame
from tablecoin.referee.events import Player, TimeControl
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

NAMES = [{"heads": "Ann", "tails": "Bob"}, {"heads": "Anna"}, {"tails": "小明"}, {}]


def played(number: int, over: bool = True) -> PlayedGame:
    """Game `number`: a Steal or an Exact of one of the NAMES, which Heads won."""
    began = f"2026-01-{1 + number // 24:02d}T{number % 24:02d}:00:00+00:00"
    seats: dict[str, Player] = {"heads": "person", "tails": "computer" if number % 4 == 1 else "person"}
    return PlayedGame(
        number=number,
        game="steal" if number % 2 else "exact",
        options={"goal": 100},
        seats=seats,
        names=NAMES[number % 4],
        level="strong",
        best_of=3 if number % 5 == 0 else 1,
        bad_coin="alone",
        odds="after",
        hints="practice",
        undo="asked",
        clock=TimeControl(600, 5, "lost") if number % 5 == 0 else None,
        began=began,
        ended=began.replace(":00:00+", ":07:00+") if over else None,
        outcome=Ending(("heads",), {"en": "Heads reached a dollar.", "zh": "正面凑满一元。"}) if over else None,
        rulings=12,
        refusals=number % 3,
        corrections=0,
        undone=0,
        whole=True,
    )


def all_counted() -> list[Counted]:
    """45 games; the last is still going on."""
    return [Counted(played(number, over=number < 45), ()) for number in range(1, 46)]


@pytest.fixture
def evening(live: QuietTable) -> QuietTable:
    """A table at which these games were played."""
    live.remembers(*all_counted())
    return live


def asked(client: FlaskClient, query: str = "") -> Any:
    return client.get(f"/api/history{query}").get_json()


def numbers(answer: Any) -> list[int]:
    return [game["number"] for game in answer["games"]]


def test_the_newest_games_come_first_and_the_next_page_follows(evening: QuietTable, client: FlaskClient) -> None:
    first = asked(client)
    assert numbers(first) == list(range(45, 25, -1))
    assert (first["before"], first["playing"], first["uncounted"]) == (26, 45, 0)
    second = asked(client, "?before=26")
    assert (numbers(second), second["before"]) == (list(range(25, 5, -1)), 6)
    last = asked(client, "?before=6")
    assert (numbers(last), last["before"]) == ([5, 4, 3, 2, 1], None)


def test_a_game_of_the_list_tells_who_played_what_and_how_it_ended(evening: QuietTable, client: FlaskClient) -> None:
    (game,) = asked(client, "?before=2")["games"]
    assert (game["game"], game["options"], game["level"]) == ("steal", {"goal": 100}, "strong")
    assert (game["seats"], game["names"]) == ({"heads": "person", "tails": "computer"}, {"heads": "Anna"})
    assert game["outcome"]["winners"] == ["heads"]
    assert (game["rulings"], game["refusals"], game["corrections"]) == (12, 1, 0)
    (now,) = asked(client, "?limit=1")["games"]
    assert (now["ended"], now["outcome"]) == (None, None)


@pytest.mark.parametrize(
    ("what", "query", "found"),
    [
        ("a name, and nobody whose name begins so", "player=Ann&limit=3", [44, 40, 36]),
        ("in any case", "player=aNN&limit=3", [44, 40, 36]),
        ("a part of names where nobody is called so", "player=nn&limit=3", [45, 44, 41]),
        ("a Chinese name", "player=小明&limit=2", [42, 38]),
        ("a game", "game=exact&limit=3", [44, 42, 40]),
        ("both", "player=小明&game=steal", []),
        ("nobody", "player=Nobody", []),
        ("fields left empty", "player=&game=&before=&limit=1", [45]),
    ],
)
def test_games_are_searched_by_player_and_game(
    evening: QuietTable, client: FlaskClient, what: str, query: str, found: list[int]
) -> None:
    assert numbers(asked(client, f"?{query}")) == found, what


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=many", "before=0", "before=-1", f"before={10**30}", "game=chess",
              f"player={'x' * 41}"]
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_in_a_sentence(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/api/history?{query}")
    assert answer.status_code == 400
    assert set(answer.get_json()["texts"]) == {"en", "zh"}


def test_an_empty_table_has_an_empty_list(client: FlaskClient) -> None:
    assert asked(client) == {"games": [], "before": None, "playing": None, "uncounted": 0}
    assert client.get("/api/history/players").get_json() == {"players": []}


def test_each_person_has_a_record(evening: QuietTable, client: FlaskClient, tmp_path: Path) -> None:
    analysis = Analysis("exact", {"heads": Share(0.3, 0.05), "tails": Share(-0.3, 0.25)})
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "44.json").write_bytes(msgspec.json.encode(analysis))
    people = client.get("/api/history/players").get_json()["players"]
    assert [one["name"] for one in people] == ["Anna", "Ann", "Bob", "小明"]
    anna, ann, bob, _ = people
    assert (anna["games"], anna["wins"], anna["luck"]) == (11, 11, None)
    assert (ann["games"], ann["wins"], ann["analysed"], ann["luck"], ann["lost"]) == (11, 11, 1, 0.3, 0.05)
    assert (bob["games"], bob["wins"], bob["luck"], bob["lost"]) == (11, 0, -0.3, 0.25)


@pytest.mark.browser
def test_the_page_searches_and_goes_back_in_time(live: QuietTable, stage: Stage) -> None:
    games = all_counted()
    games[43] = Counted(replace(played(44), names={"heads": "<b>Ann</b>", "tails": "Bob"}), ())
    set_back = "2020-01-01T00:00:00+00:00"
    games[42] = Counted(replace(played(43), ended=set_back, lasted_s=None), ())
    games[41] = Counted(replace(played(42), ended=set_back, lasted_s=1200.0), ())
    live.remembers(*games)
    stage.shows(create_app(live), live)
    page = stage.open("/history")
    see = page.get_by_test_id
    see("game-45").get_by_text("being played now").wait_for()
    expect(see("game-44")).to_contain_text("Heads · <b>Ann</b>")  # as text
    expect(see("game-44")).to_contain_text("7 min · rulings: 12")
    expect(see("game-43")).not_to_contain_text(" min")
    expect(see("game-42")).to_contain_text("20 min · rulings: 12")
    see("more").click()
    see("game-6").wait_for()
    see("player").fill("小明")
    expect(page.locator("#games > li")).to_have_count(11)
    expect(see("person")).to_contain_text("0 of 11 games won")
    see("game").select_option("steal")
    expect(see("none")).to_have_text("No such game has been played here.")
    see("language").click()
    expect(see("none")).to_have_text("没有找到这样的对局。")
    assert "player=%E5%B0%8F%E6%98%8E&game=steal" in page.url


SOON = """const later = window.setTimeout;
window.setTimeout = (act, ms, ...rest) => later(act, Math.min(ms ?? 0, 50), ...rest);"""  # the page waits 5 s else


@pytest.mark.browser
def test_a_search_that_got_no_answer_is_asked_again(evening: QuietTable, stage: Stage) -> None:
    stage.shows(create_app(evening), evening)
    page = stage.open("/history", script=SOON)
    see = page.get_by_test_id
    see("game-45").wait_for()
    stage.answer("/api/history", b"cut off", times=1)
    see("player").fill("小明")
    expect(page.locator("#notice")).to_contain_text("The table does not answer.")
    expect(page.locator("#games > li")).to_have_count(11)
    expect(page.locator("#notice")).to_be_hidden()


@pytest.mark.browser
def test_names_are_typed_once_and_offered_again(evening: QuietTable, page: Page) -> None:
    see = page.get_by_test_id
    page.goto(f"{page.url}#start")
    page.locator('datalist#known-names option[value="Anna"]').wait_for(state="attached")
    page.locator('label:has([data-testid="who-tails-computer"])').click()
    assert not see("name-tails").is_visible(), "a computer is not asked for its name"
    page.locator('label:has([data-testid="who-tails-person"])').click()
    see("name-heads").fill(" Ann ")
    see("name-tails").fill("小明")
    see("start").click()
    page.wait_for_function("() => document.body.dataset.page === 'table'")
    ((_, body, _),) = evening.commands
    assert isinstance(body, dict)
    assert body["names"] == {"heads": "Ann", "tails": "小明"}
    expect(see("seat-heads")).to_contain_text("Ann")
    expect(see("seat-heads")).to_contain_text("Heads")
