"""One game of history over the web: steps, record, file, picture and analysis; what is missing is one sentence."""

from __future__ import annotations

import json
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page

from tablecoin.journal.ended import EndedGame, StillPlayed
from tablecoin.journal.record import Record, RecordError
from tablecoin.replay.report import Report
from tablecoin.replay.steps import Replay
from tablecoin.rules.rulebook import Message
from tests.replay.games import made_up_analysis, random_record
from tests.replay.test_picture import AXES
from tests.web.browsing import box_of, module
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web import replays
from web.analyses import Analyses, Failed
from web.app import create_app
from web.worker import Full, Worker

ENDED = EndedGame(7, random_record("steal"), ())
PARTS = ("", "/record", "/game.html", "/picture.png", "/analysis")


class Analyst:
    """Stands in for `tablecoin analyse`: it waits until it is let go, and counts how often it was asked."""

    def __init__(self) -> None:
        self.go, self.asked = Event(), 0
        self.printed = json.dumps(made_up_analysis(ENDED.record)).encode()
        self.fails = ""

    def __call__(self, record: bytes) -> bytes:
        self.asked += 1
        assert self.go.wait(60)
        if self.fails:
            raise Failed(self.fails)
        return self.printed


@pytest.fixture
def analyst() -> Analyst:
    return Analyst()


@pytest.fixture
def ended(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> dict[int, EndedGame]:
    """Games that are over, by their numbers; any other is looked for in the journal."""
    games = {7: ENDED}
    journal = live.ended_game
    monkeypatch.setattr(live, "ended_game", lambda number: games.get(number) or journal(number))
    return games


@pytest.fixture
def worker(live: QuietTable) -> Worker:
    return Worker(live.stopping.is_set)


@pytest.fixture
def client(
    live: QuietTable, ended: dict[int, EndedGame], analyst: Analyst, worker: Worker, tmp_path: Path
) -> FlaskClient:
    analyses = Analyses(tmp_path / "analyses", worker, analyst)
    return create_app(live, analyses=analyses).test_client()


def test_the_page_of_a_game_names_it(client: FlaskClient) -> None:
    assert 'data-number="7"' in client.get("/history/7").text


def test_a_game_is_told_step_by_step(client: FlaskClient) -> None:
    told = client.get("/api/history/7").json
    assert told
    assert (told["game"], told["outcome"]["winners"]) == ("steal", ["heads"])
    assert [step["line"] for step in told["steps"]] == list(range(1, len(ENDED.record.entries) + 1))


@pytest.mark.parametrize(
    ("part", "kind", "name", "begins"),
    [
        ("record", "application/x-ndjson", "tablecoin-7.jsonl", b'{"game":"steal"'),
        ("game.html", "text/html", "tablecoin-7.html", b"<!doctype html>"),
        ("picture.png", "image/png", "tablecoin-7.png", b"\x89PNG"),
    ],
)
def test_what_is_downloaded_has_a_name(client: FlaskClient, part: str, kind: str, name: str, begins: bytes) -> None:
    answer = client.get(f"/api/history/7/{part}")
    assert (answer.status_code, answer.mimetype) == (200, kind)
    assert name in answer.headers["Content-Disposition"]
    assert answer.data.startswith(begins)


@pytest.mark.browser
@pytest.mark.usefixtures("ended")
def test_a_step_shows_what_it_moved(live: QuietTable, analyst: Analyst, tmp_path: Path, stage: Stage) -> None:
    """As on the live table: an arrow for a coin that went from row to row, a ring for one that came from the bank."""
    analyst.go.set()
    analyses = Analyses(tmp_path / "analyses", Worker(live.stopping.is_set), analyst)
    stage.shows(create_app(live, analyses=analyses), live)
    page = stage.open("/history/7")
    page.get_by_test_id("first").click()
    arrows, rings = page.get_by_test_id("last-way"), page.get_by_test_id("last-came")
    assert (arrows.count(), rings.count()) == (0, 0)
    shown = []
    for entry in ENDED.record.entries[:10]:
        page.get_by_test_id("next").click()
        shown.append((entry.action["do"] if entry.action else "", arrows.count(), rings.count()))
    setup, placed, done = ("flip", 0, 5), ("place", 0, 1), ("done", 0, 0)
    assert shown == [setup, *[placed, done] * 4, ("flip", 1, 0)]


@pytest.mark.browser
def test_a_game_of_many_seats_names_them_all_and_tells_who_leads(
    live: QuietTable, ended: dict[int, EndedGame], stage: Stage
) -> None:
    """On a phone, where nine names have no room side by side."""
    record = random_record("goes-around")
    ended[7] = EndedGame(7, record, ())
    seats = [str(seat) for seat in range(1, 10)]
    chance = dict.fromkeys(seats, 0.0) | {"7": 0.9, "4": 0.1}
    share = {"luck": 0.0, "lost": 0.0, "decisions": 1, "worst": []}
    report = {
        "game": record.game, "start": chance, "end": chance, "events": [], "players": dict.fromkeys(seats, share),
        "turning_point": 0, "exact": False, "error": 0.01, "better": {},
    }  # fmt: skip
    stage.shows(create_app(live), live)
    stage.answer("/api/history/7/analysis", {"running": False, "report": report, "problem": None})
    page = stage.open("/history/7")
    page.get_by_text("Seat 7 90 % · Seat 4 10 %").wait_for()
    names = page.locator("#graph .key text")
    assert names.all_text_contents() == [f"Seat {seat}" for seat in seats]
    tops = {round(box_of(each)["y"]) for each in names.all()}
    assert len(tops) == 3, "rows of names"
    last, graph = box_of(names.last), box_of(page.get_by_test_id("graph-svg"))
    assert last["y"] + last["height"] <= graph["y"] + graph["height"]


@pytest.mark.browser
def test_a_game_that_cannot_be_shown_has_a_title_and_ways_on(live: QuietTable, stage: Stage) -> None:
    stage.shows(create_app(live), live)
    page = stage.open("/history/8", calls_may_fail=True)
    page.get_by_role("heading", name="there is no game 8 in the journal").wait_for()
    ways = page.get_by_test_id("ways").locator("a:visible")
    assert [way.get_attribute("href") for way in ways.all()] == ["/history", "/"]


@pytest.mark.browser
def test_the_page_s_graph_has_the_lines_of_the_picture(page: Page) -> None:
    lines = f"async (most) => (await import({module(page, 'replay_graph')!r})).axis(most)"
    assert {most: tuple(page.evaluate(lines, most)) for most in AXES} == AXES


def test_an_analysis_is_worked_out_once_and_kept(
    client: FlaskClient, analyst: Analyst, live: QuietTable, worker: Worker, tmp_path: Path
) -> None:
    assert client.get("/api/history/7/analysis").json == {"running": True, "report": None, "problem": None}
    assert client.get("/api/history/7/analysis").json["running"]  # type: ignore[index]
    assert b'"report":null' in client.get("/api/history/7/game.html").data  # the file does not wait for it
    analyst.go.set()
    report = until_worked_out(client, worker)["report"]
    assert report["turning_point"] == 5
    assert report["better"]["4"]["en"] == "Tails is done."
    kept = json.loads((tmp_path / "analyses" / "7.json").read_bytes())
    assert made_up_analysis(ENDED.record).items() <= kept.items()
    assert b'"turning_point":5' in client.get("/api/history/7/game.html").data
    again = create_app(live, analyses=Analyses(tmp_path / "analyses", Worker(live.stopping.is_set), analyst))
    told = again.test_client().get("/api/history/7/analysis").json
    assert told == {"running": False, "report": report, "problem": None}
    assert analyst.asked == 1


def until_worked_out(client: FlaskClient, worker: Worker) -> Any:
    client.get("/api/history/7/analysis")
    done = Event()
    with client.application.test_request_context():
        worker.begin("analysis", done.set)  # after the analysis: it does one piece of work after the other
    assert done.wait(60)
    return client.get("/api/history/7/analysis").json


def test_an_analysis_that_gave_its_place_to_another_is_begun_again(
    analyst: Analyst, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: Worker
) -> None:
    begun = [Future[None](), Future[None]()]
    begun[0].set_exception(Full())
    left = iter(begun)
    monkeypatch.setattr(worker, "begin", lambda kind, work: next(left))
    analyses = Analyses(tmp_path / "analyses", worker, analyst)
    assert [analyses.of(ENDED).running for _ in range(3)] == [True] * 3
    assert next(left, None) is None, "begun twice, and not a third time"


@pytest.mark.parametrize("kept", [b"", b"[]", b'{"game": "steal"}', b'{"record_sha256": "of another game"}'])
def test_a_kept_analysis_that_is_not_of_this_game_is_made_again(
    client: FlaskClient, analyst: Analyst, worker: Worker, tmp_path: Path, kept: bytes
) -> None:
    (tmp_path / "analyses").mkdir()
    (tmp_path / "analyses" / "7.json").write_bytes(kept)
    analyst.go.set()
    assert until_worked_out(client, worker)["report"]["turning_point"] == 5


@pytest.mark.parametrize(
    ("printed", "fails", "why"),
    [
        (b"", "tablecoin: no computer plays it", "no computer plays it"),
        (b"no JSON", "", "JSON"),
        (b'{"game": "steal"}', "", "this is no analysis of a game"),
    ],
)
def test_an_analysis_that_fails_is_told_and_not_tried_again(
    client: FlaskClient, analyst: Analyst, worker: Worker, printed: bytes, fails: str, why: str
) -> None:
    analyst.printed, analyst.fails = printed, fails
    analyst.go.set()
    answer = until_worked_out(client, worker)
    assert answer["report"] is None
    assert why in answer["problem"]["en"]
    assert answer["problem"]["zh"].startswith("无法分析这一局")
    assert client.get("/api/history/7/analysis").json == answer
    assert analyst.asked == 1


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        ("8", 404, "there is no game 8 in the journal: choose one from the list"),
        ("9", 409, "game 9 is still being played: it can be looked at here when it is over"),
        ("10", 404, "This game cannot be shown: line 2: departs from the rules."),
        ("-1", 404, None), ("seven", 404, None), ("9" * 30, 404, None),
    ],
)  # fmt: skip
def test_what_is_not_to_be_had_is_one_sentence(
    client: FlaskClient, live: QuietTable, monkeypatch: pytest.MonkeyPatch, number: str, status: int,
    said: str | None,
) -> None:  # fmt: skip
    found = live.ended_game

    def ended_game(wanted: int) -> EndedGame:
        if wanted == 9:
            raise StillPlayed(Message("game.running", {"number": 9}))
        if wanted == 10:
            raise RecordError(2, "departs from the rules")
        return found(wanted)

    monkeypatch.setattr(live, "ended_game", ended_game)
    for part in PARTS:
        answer = client.get(f"/api/history/{number}{part}")
        assert answer.status_code == status
        assert answer.json
        assert answer.json["texts"]["zh"]
        assert said in (None, answer.json["error"])


def test_the_picture_s_language_is_checked(client: FlaskClient) -> None:
    assert client.get("/api/history/7/picture.png?lang=fr").status_code == 400
    assert client.get("/api/history/7/picture.png?lang=zh").data != client.get("/api/history/7/picture.png").data


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The language of each picture that was drawn; a picture in Chinese takes more than half of what is kept."""
    languages = list[str]()

    def picture(game: Replay, report: Report | None, language: str) -> bytes:
        languages.append(language)
        return bytes(2_500_000 if language == "zh" else 900_000)

    monkeypatch.setattr(replays, "picture", picture)
    return languages


def test_a_picture_is_drawn_once_until_the_analysis_is_there(
    client: FlaskClient, drawn: list[str], analyst: Analyst, worker: Worker
) -> None:
    for language in ("en", "en", "zh", "en", "zh"):
        assert client.get(f"/api/history/7/picture.png?lang={language}").status_code == 200
    assert drawn == ["en", "zh"]
    analyst.go.set()
    until_worked_out(client, worker)
    client.get("/api/history/7/picture.png")
    assert drawn == ["en", "zh", "en"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ([("en", 7), ("en", 11), ("en", 12), ("en", 13), ("en", 14)], "four are kept"),
        ([("en", 7), ("zh", 11), ("zh", 12)], "of 4 MB at most"),
    ],
)
def test_the_picture_asked_for_longest_ago_is_forgotten(
    client: FlaskClient, ended: dict[int, EndedGame], drawn: list[str], asked: list[tuple[str, int]], why: str
) -> None:
    ended |= {number: EndedGame(number, ENDED.record, ()) for number in range(11, 15)}
    for language, number in [*asked, asked[-1], asked[0]]:
        client.get(f"/api/history/{number}/picture.png?lang={language}")
    assert len(drawn) == len(asked) + 1, why


@pytest.mark.usefixtures("ended")
def test_where_games_are_not_analysed_the_rest_works(live: QuietTable) -> None:
    client = create_app(live).test_client()
    assert client.get("/api/history/7/analysis").status_code == 404
    assert client.get("/api/history/7/game.html").status_code == 200


def test_a_map_that_is_not_here_is_named(client: FlaskClient, ended: dict[int, EndedGame]) -> None:
    ended[7] = EndedGame(7, Record("coin-age", {"map": "atlantis"}, ()), ())
    answer = client.get("/api/history/7")
    assert answer.status_code == 404
    assert "atlantis" in answer.json["error"]  # type: ignore[index]
