"""Without a broker: a table's own page tells the club how it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablecoin.club.local import LocalTables, name_of, results
from tests.mosquitto import free_port, wait_until
from tests.web.club.conftest import Club
from tests.web.stand_in import FakeLiveTable
from web.app import create_app
from web.server import Server


@pytest.fixture
def table() -> Iterator[str]:
    """The address of a table that is played at."""
    live = FakeLiveTable()
    app = create_app(live)
    assert app.test_client().post("/api/games", json={"game": "steal"}).status_code == 200
    with Server(app, live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}"
        live.stopping.set()
        live.publish()


def test_a_table_of_this_machine_is_shown(club: Club, table: str) -> None:
    tables = LocalTables(club.ledger, [table], step_s=0.05)
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
    tables = LocalTables(club.ledger, [url], step_s=0.05)
    tables.start()
    wait_until(lambda: club.ledger.hall.now().notices)
    tables.stop()
    (notice,) = club.ledger.hall.now().notices
    assert notice.code == "club.local.away"
    assert url in notice.texts["en"]


def test_games_that_are_over_count_once(club: Club) -> None:
    game = {
        "number": 3, "game": "steal", "options": {}, "seats": {"heads": "person", "tails": "person"},
        "names": {"heads": "Ann", "tails": "Bob"}, "level": "strong", "best_of": 1, "began": "2026-11-23T19:00:00Z",
        "ended": "2026-11-23T19:30:00Z", "outcome": {"winners": ["tails"], "texts": {"en": "Over."}}, "rulings": 40,
    }  # fmt: skip
    left = {**game, "number": 4, "ended": None, "outcome": None}
    for _ in range(2):
        club.ledger.database.keep_results(results("here", {"games": [game, left]}))
    assert [(each.name, each.games) for each in club.ledger.ratings()] == [("Bob", 1), ("Ann", 1)]


@pytest.mark.parametrize(
    ("url", "name"), [("http://192.168.1.30:8000", "192-168-1-30-8000"), ("http://[::1]:8000", "1-8000")]
)
def test_a_table_is_called_by_its_address(url: str, name: str) -> None:
    assert name_of(url) == name
