"""Without a broker: a table's own page tells the club how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from tablecoin.club.local import Followed, LocalTables, Place, going, name_of, results
from tablecoin.journal.history import Games, History
from tablecoin.mqtt.messages import Assignment
from tablecoin.publishing.desk import Desk
from tablecoin.referee.events import TakenBack
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Published, Reopened, Resulted
from tests.mosquitto import free_port, ring, wait_until
from tests.publishing.played import play
from tests.web.club.conftest import Club
from tests.web.quiet import QuietTable
from web.app import create_app
from web.history import PAGE
from web.server import Server


@pytest.fixture
def table(live: QuietTable) -> Iterator[str]:
    """The address of a table that is played at."""
    app = create_app(live)
    assert app.test_client().post("/api/games", json={"game": "steal"}).status_code == 200
    with Server(app, live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}"
        live.stopping.set()
        live.news()


def follow(table: Followed, wanted: Callable[[], object]) -> None:
    """Follow a table until it is as wanted. Some things are asked of it only every tenth step."""
    for _ in range(21):
        table.step()
        if wanted():
            return
    raise AssertionError("it did not come about")


def test_a_table_of_this_machine_is_shown(club: Club, table: str) -> None:
    keep = club.ledger.hall.changed

    def changed() -> None:
        keep()
        ring()

    club.ledger.hall.changed = changed
    tables = LocalTables(club.ledger, [Place.of(table)], step_s=0.05)
    tables.start()
    wait_until(lambda: any(each.up and each.game for each in club.ledger.hall.now().tables))
    tables.stop()
    (shown,) = club.ledger.hall.now().tables
    assert shown.id == name_of(table)
    assert shown.title["en"]
    assert shown.url == table
    assert set(shown.said) == {"en", "zh"}
    assert club.ledger.hall.now().notices == ()


def test_a_table_that_does_not_answer_is_named(club: Club) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    follow(Followed(club.ledger, Place.of(url)), lambda: club.ledger.hall.now().notices)
    (notice,) = club.ledger.hall.now().notices
    assert notice.code == "club.local.away"
    assert url in notice.texts["en"]


class JournalTable(QuietTable):
    """Its history is a real journal's."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._history = History(self.journal)

    def games(self) -> Games:
        while self._history.count(1000):
            pass
        return self._history.games()


def test_a_round_is_played_at_a_table_without_a_broker(club: Club, tmp_path: Path) -> None:
    """The club brings the match; people play it; its result comes by itself, and an undo takes it away again."""
    live = JournalTable(tmp_path / "table")
    journal = live.journal
    desk = Desk(tmp_path / "table", journal)
    tournaments, hall = club.ledger.tournaments, club.ledger.hall
    with Server(create_app(live, desk=desk, brought=desk), live, "127.0.0.1", 0) as server:
        place = Place("k7", "Kitchen", f"http://127.0.0.1:{server.port}")
        number = tournaments.found(Plan("Friday", "swiss", "steal", ("k7",), 1), ("Ann", "Bob"))
        table = Followed(club.ledger, place)
        tournaments.pair(number)
        tournaments.do(number, Published())
        follow(table, lambda: desk.assigned)
        assert desk.assigned
        task = desk.assigned
        follow(table, lambda: [table.reply for table in hall.now().tables if table.reply])
        *_, match = play(journal, names=task.names, goal=15)
        follow(table, lambda: not tournaments.get(number).open_matches)
        follow(table, lambda: club.ledger.ratings())
        journal.append([TakenBack(999, "phone")])
        follow(table, lambda: tournaments.get(number).open_matches)
        assert club.ledger.ratings() == ()
        live.stopping.set()
        live.news()
    outcome = match.game.outcome(match.state)
    assert outcome
    changes = [change.event for change in tournaments.changes(number) if isinstance(change.event, Resulted)]
    names = tournaments.get(number).names
    won = {names[player] for player, halves in changes[0].halves.items() if halves}
    assert won == {task.names[seat] for seat in outcome.winners}
    assert [event.by for event in changes] == ["table"]
    live.stop()


def test_a_table_that_lets_no_club_act_is_named_with_its_reason(club: Club, table: str) -> None:
    number = club.ledger.tournaments.found(Plan("Friday", "swiss", "steal", ("k7",), 1), ("Ann", "Bob"))
    club.ledger.tournaments.pair(number)
    club.ledger.tournaments.do(number, Published())
    follow(Followed(club.ledger, Place("k7", "Kitchen", table)), lambda: club.ledger.hall.now().notices)
    (notice,) = club.ledger.hall.now().notices
    assert notice.code == "club.local.closed"
    assert notice.texts["en"].startswith("The table Kitchen takes no games from this club")


def test_a_table_that_nobody_named_is_not_missed(club: Club) -> None:
    place = Place.of(f"http://127.0.0.1:{free_port()}", sought=True)
    assert not place.answers
    Followed(club.ledger, place).step()
    assert club.ledger.hall.now().notices == ()
    assert club.ledger.hall.now().tables == ()


def told(number: int, names: tuple[str, str] = ("Ann", "Bob"), **fields: Any) -> dict[str, Any]:
    """A game of /api/history that the second named won."""
    seats = ("heads", "tails")
    return {
        "number": number, "game": "steal", "options": {}, "seats": dict.fromkeys(seats, "person"),
        "names": dict(zip(seats, names, strict=True)), "level": "strong", "best_of": 1,
        "began": f"2026-11-23T{number:02}:00:00Z", "ended": f"2026-11-23T{number:02}:30:00Z",
        "outcome": {"winners": ["tails"], "texts": {"en": "Over."}}, "rulings": 40, "undone": 0,
    } | fields  # fmt: skip


GOES_ON: dict[str, Any] = {"ended": None, "outcome": None}


def tell(club: Club, *games: dict[str, Any], assigned: Mapping[int, str] | None = None) -> None:
    history = {"games": games}
    club.ledger.take_results(results("k7", history, assigned or {}), going("k7", history))


def matched(club: Club) -> tuple[int, Assignment]:
    """A tournament of two and the match that the table k7 is to play."""
    tournaments = club.ledger.tournaments
    number = tournaments.found(Plan("Friday", "swiss", "steal", ("k7",), 1), ("Ann", "Bob"))
    tournaments.pair(number)
    tournaments.do(number, Published())
    task = tournaments.assignment("k7")
    assert task
    return number, task


def test_games_that_are_over_count_once(club: Club) -> None:
    for _ in range(2):
        tell(club, told(3), told(4, **GOES_ON))
    assert [(each.name, each.games) for each in club.ledger.ratings()] == [("Bob", 1), ("Ann", 1)]


def test_what_a_table_tells_again_ends_no_match_that_the_organiser_opened_again(club: Club) -> None:
    number, task = matched(club)
    tournaments = club.ledger.tournaments
    tell(club, told(1), assigned={1: task.id})
    (match,) = tournaments.get(number).results
    tournaments.do(number, Reopened(match))
    tell(club, told(1), assigned={1: task.id})
    assert [each.id for each in tournaments.get(number).open_matches] == [match]


def test_a_result_that_came_before_its_assignment_was_known_ends_its_match(club: Club) -> None:
    """The table refused the club for a while."""
    number, task = matched(club)
    tell(club, told(1))
    tell(club, told(1), assigned={1: task.id})
    tell(club, told(1))
    assert club.ledger.tournaments.get(number).results
    assert [each.assignment for each in club.ledger.database.results()] == [task.id]


@pytest.mark.parametrize("rulings", [3, 39, 41, 99])
def test_another_game_with_the_number_of_a_match_takes_nothing_of_it_away(club: Club, rulings: int) -> None:
    """The table has begun another journal."""
    number, task = matched(club)
    tell(club, told(1), assigned={1: task.id})
    other: dict[str, Any] = {"names": ("Eve", "Fay"), "began": "2026-11-24T10:00:00Z", "rulings": rulings}
    for ended in (GOES_ON, {"ended": "2026-11-24T11:00:00Z"}):
        tell(club, told(1, **other | ended))
        assert club.ledger.tournaments.get(number).results
    assert {each.name: each.games for each in club.ledger.ratings()} == dict.fromkeys(("Ann", "Bob", "Eve", "Fay"), 1)


def test_every_game_of_a_table_is_taken_in_however_many_there_are(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first all of them; then as far back as something changed."""
    games = [told(number) for number in range(1, 251)]
    asked: list[str] = []

    def answer(url: str) -> bytes:
        asked.append(url.partition("/api/")[2])
        wanted = {key: int(value) for key, value in parse_qsl(urlsplit(url).query)}
        older = [each for each in reversed(games) if each["number"] < wanted.get("before", 10**9)]
        page = older[: wanted.get("limit", PAGE)]
        return msgspec.json.encode({"games": page, "before": page[-1]["number"] if len(older) > len(page) else None})

    monkeypatch.setattr("tablecoin.club.local._get", answer)
    table = Followed(club.ledger, Place("k7", "Kitchen", "http://table"))

    def pages() -> list[str]:
        asked.clear()
        table._hear_games()
        return [*asked]

    first = ["history", "history?limit=100&before=231", "history?limit=100&before=131", "history?limit=100&before=31"]
    assert pages() == first
    assert {each.games for each in club.ledger.ratings()} == {250}
    assert pages() == ["history"]
    games += [told(number, began=f"2026-11-25T{number}") for number in range(251, 281)]
    games[249] = {**games[249], "undone": 1, **GOES_ON}
    assert pages() == ["history", "history?limit=100&before=261"]
    assert {each.games for each in club.ledger.ratings()} == {279}
    del games[240:]  # a backup was restored
    games += [told(number, began=f"2026-11-26T{number}") for number in range(241, 271)]
    assert pages() == ["history", "history?limit=100&before=251"]
    assert {each.games for each in club.ledger.ratings()} == {309}


@pytest.mark.parametrize(
    ("url", "name"), [("http://192.168.1.30:8000", "192-168-1-30-8000"), ("http://[::1]:8000", "1-8000")]
)
def test_a_table_is_called_by_its_address(url: str, name: str) -> None:
    assert name_of(url) == name
