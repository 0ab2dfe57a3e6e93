"""This tablecoin opens the data of an older one: games, players, coins, settings, lobby and club are as they were.

expected.json holds what the older program answered. An answer may have more fields today, and its sentences may read
differently; everything else must be the same.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablecoin import settings
from tablecoin.appliance import Appliance
from tablecoin.club.ledger import Ledger
from tablecoin.journal.journal import Journal
from tablecoin.journal.record import read_record, replay, write_step
from tablecoin.storage import mapfiles
from tests.club.said import heard, result, ruling
from web.access.gate import Gate
from web.access.sessions import Sessions
from web.club.app import create_app as create_club
from web.club.roles import least_role
from web.club.shown import ClubShown

SAVED = Path(__file__).parent / "1b859819"
EXPECTED: Mapping[str, Any] = json.loads((SAVED / "expected.json").read_text("utf-8"))
SENTENCES = frozenset({"said", "why", "text", "texts", "blurb", "book"})  # fields that hold what people read
PICTURES = ("before.jpg", "after.jpg", "clip")

Ask = Callable[[str], Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the saved folder, for all tests that only ask."""
    return Path(shutil.copytree(SAVED, tmp_path_factory.mktemp("saved") / "table"))


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[FlaskClient]:
    """The owner's browser at this tablecoin, which opened the saved folder."""
    with _Opened(folder) as appliance:
        yield _owner(appliance)


@pytest.fixture
def ask(client: FlaskClient, folder: Path) -> Ask:
    """What is answered, from JSON."""
    mapfiles.look_also_in(folder / "data" / "maps")  # each test forgets the maps of the one before
    return lambda path: json.loads(_answer(client, path))


class _Opened:
    """The appliance over a saved folder, without threads; closed at the end."""

    def __init__(self, folder: Path) -> None:
        chosen = settings.at_start(folder / "tablecoin.toml", data=str(folder / "data"), port=0)
        self._appliance = Appliance(chosen)

    def __enter__(self) -> Appliance:
        self._appliance.live.restore()
        return self._appliance

    def __exit__(self, *_: object) -> None:
        self._appliance.service.close()


def _owner(appliance: Appliance) -> FlaskClient:
    client = appliance.app.test_client()
    assert client.post("/api/access/sign-in", json={"pin": EXPECTED["pin"]}).status_code == 200
    return client


def _answer(client: FlaskClient, path: str) -> bytes:
    answered = client.get(path)
    assert answered.status_code == 200, f"{path}: {answered.text}"
    data: bytes = answered.data
    return data


def _plain(value: Any) -> Any:
    """The answer without sentences."""
    if isinstance(value, Mapping):
        return {key: _plain(inside) for key, inside in value.items() if key not in SENTENCES}
    return [_plain(inside) for inside in value] if isinstance(value, list) else value


def _lost(now: Any, then: Any, where: str = "") -> Iterator[str]:
    """Where the answer of today lacks what stood in the older one, or says something else."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for key, inside in then.items():
            yield from _lost(now[key], inside, f"{where}.{key}") if key in now else [f"{where}.{key} is gone"]
    elif isinstance(then, list) and isinstance(now, Sequence) and len(then) == len(now):
        for number, (one, other) in enumerate(zip(now, then, strict=True)):
            yield from _lost(one, other, f"{where}[{number}]")
    elif now != then:
        yield f"{where}: {str(now)[:200]} instead of {str(then)[:200]}"


def same(now: Any, then: Any) -> None:
    assert list(_lost(_plain(now), _plain(then))) == []


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_what_is_lost_or_different_is_noticed() -> None:
    assert list(_lost({"a": [1, 2], "more": 0}, {"a": [1, 2]})) == []
    for worse in ({}, {"a": [1]}, {"a": [1, 3]}, {"a": None}):
        assert len(list(_lost(worse, {"a": [1, 2]}))) == 1


def test_the_folder_is_small() -> None:
    assert sum(path.stat().st_size for path in SAVED.rglob("*")) < 1_000_000


# -- games ------------------------------------------------------------------------------------------------------------


def test_the_games_are_there(ask: Ask) -> None:
    same(ask("/api/history")["games"], EXPECTED["games"])
    assert {game["game"] for game in EXPECTED["games"] if game["outcome"]} == {
        "steal", "exact", "goes-around", "coin-age", "coin-wars",
    }  # fmt: skip


def test_the_players_and_their_tosses_are_there(ask: Ask) -> None:
    same(ask("/api/history/players")["players"], EXPECTED["players"])
    same(ask("/api/flips"), EXPECTED["flips"])


@pytest.mark.parametrize("number", EXPECTED["records"])
def test_each_record_is_the_same_and_ends_as_it_ended(client: FlaskClient, ask: Ask, number: str) -> None:
    lines = _answer(client, f"/api/history/{number}/record").splitlines(keepends=True)
    same([json.loads(line) for line in lines], EXPECTED["records"][number])
    record = read_record(iter(lines))
    *_, last = replay(record)
    same(json.loads(json.dumps(write_step(record, last).state)), EXPECTED["final"][number])
    assert len(ask(f"/api/history/{number}")["steps"]) == EXPECTED["replays"][number]


@pytest.mark.parametrize("number", EXPECTED["analyses"])
def test_each_analysis_is_shown_as_it_was_kept(ask: Ask, number: str) -> None:
    shown = ask(f"/api/history/{number}/analysis")
    assert not shown["running"]
    same(shown["report"], EXPECTED["analyses"][number])


def test_the_pictures_and_the_clip_are_shown(client: FlaskClient) -> None:
    kept: Mapping[str, Mapping[str, str]] = EXPECTED["pictures"]
    assert {what for found in kept.values() for what in found} == set(PICTURES)
    for number, found in kept.items():
        shown = {what: client.get(f"/api/evidence/{number}/{what}") for what in PICTURES}
        assert {what: _digest(each.data) for what, each in shown.items() if each.status_code == 200} == found


def test_the_table_stands_where_it_stood(ask: Ask) -> None:
    same(ask("/api/state"), EXPECTED["state"])
    same(ask("/api/virtual"), EXPECTED["virtual"])
    same(ask("/api/lobby"), EXPECTED["lobby"])


# -- the table and its owner ------------------------------------------------------------------------------------------


def test_the_coins_are_remembered(client: FlaskClient, ask: Ask) -> None:
    known, then = ask("/api/known"), EXPECTED["known"]
    same(known, {"learn": then["learn"], "coins": then["coins"], "trouble": None})
    assert [_digest(_answer(client, coin["picture"])) for coin in known["coins"]] == then["pictures"]


def test_the_table_is_set_up(ask: Ask) -> None:
    shown = ask("/api/calibrate")
    same(shown, EXPECTED["calibrate"])
    assert {step["name"] for step in shown["steps"] if step["done"]} == {
        "markers", "lens", "light", "sizes", "enrol", "pass",
    }  # fmt: skip


def test_the_settings_hold(ask: Ask) -> None:
    same(ask("/api/settings")["values"], EXPECTED["settings"])
    told = settings.load(SAVED / "tablecoin.toml")
    assert (told.web.hosts, told.mqtt.name, told.data) == (("coins.example",), "Back room", "data")
    assert ask("/api/access")["mode"] == EXPECTED["access"]


def test_the_taught_map_can_be_chosen(ask: Ask) -> None:
    games = {game["game"]: game for game in ask("/api/games")["games"]}
    (maps,) = (option for option in games["coin-age"]["options"] if option["name"] == "map")
    then = EXPECTED["maps"]
    assert set(then["choices"]) <= set(maps["choices"])
    assert "isle-of-change" in then["choices"]


def test_a_phone_keeps_its_seat() -> None:
    came = json.loads((SAVED / "data" / "sessions.json").read_text("utf-8"))["sessions"]
    sessions = Sessions(SAVED / "data" / "sessions.json", now=lambda: max(each["came"] for each in came.values()))
    session = sessions.get(sessions.named(EXPECTED["phone"]["token"]))
    assert session
    assert session.seat == EXPECTED["phone"]["seat"]


# -- the files --------------------------------------------------------------------------------------------------------


def test_opening_mends_nothing_and_a_second_time_finds_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = Path(shutil.copytree(SAVED / "data", tmp_path / "data"))
    for _ in range(2):
        with closing(Journal(data / "journal.sqlite")) as journal:
            assert journal.said == ()
            assert journal.newest_number() == len(EXPECTED["games"])
    assert caplog.messages == []
    assert (data / "journal.jsonl").read_bytes() == (SAVED / "data" / "journal.jsonl").read_bytes()
    assert {path.name for path in data.iterdir()} == {path.name for path in (SAVED / "data").iterdir()}


# -- the club ---------------------------------------------------------------------------------------------------------


def test_the_club_has_its_games_players_and_tournament(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SAVED / "club", tmp_path / "club"))
    then = EXPECTED["club"]
    with closing(Ledger(folder, "Coin club")) as ledger:
        app = create_club(ledger, ClubShown(ledger.hall), Gate.of(folder, (), least_role), name="Coin club")
        club = app.test_client()
        same(json.loads(_answer(club, "/api/players"))["players"], then["players"])
        same(json.loads(_answer(club, "/api/export/results.json")), then["results"])
        same(json.loads(_answer(club, "/api/tournaments/1")), then["tournament"])


def test_a_new_game_changes_no_rating_of_older_ones(tmp_path: Path) -> None:
    """Its table's clock is wrong by years."""
    folder = Path(shutil.copytree(SAVED / "club", tmp_path / "club"))
    with closing(Ledger(folder, "Coin club")) as ledger:
        before, old = ledger.ratings(), ledger.database.results()
        told = result("new", names={"heads": "Dee", "tails": "Eve"}, ended="1970-01-01T00:00:00Z")
        ledger.take([heard(ruling(9, "new", kind="game_over", told=told))])
        assert [each for each in ledger.ratings() if each.name not in ("Dee", "Eve")] == list(before)
        assert ledger.database.results() == [*old, told]
