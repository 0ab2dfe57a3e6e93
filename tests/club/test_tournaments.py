"""Tournaments of the club: kept, played at tables, corrected by the organiser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from tablecoin.club.database import Database
from tablecoin.club.ledger import Ledger
from tablecoin.club.tournaments import Refused, Tournaments
from tablecoin.mqtt.messages import Assignment
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Published, Resulted
from tests.club.said import heard, result, ruling, summary

PLAN = Plan("Friday", "swiss", "steal", ("k7", "m2"), rounds=2)
NAMES = ("Ann", "Bob", "Cat", "Dan")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    made = Ledger(tmp_path, "Club")
    yield made
    made.close()


@pytest.fixture
def number(ledger: Ledger) -> int:
    """A tournament whose first round is published: Ann and Cat at one table, Bob and Dan at the other."""
    number = ledger.tournaments.found(PLAN, NAMES)
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    return number


def assigned(ledger: Ledger) -> dict[str, Assignment]:
    return {each.table: each for each in ledger.assignments() if isinstance(each, Assignment)}


def test_a_published_round_goes_to_the_tables(ledger: Ledger, number: int) -> None:
    sent = assigned(ledger)
    assert {tuple(each.names.values()) for each in sent.values()} == {("Ann", "Cat"), ("Bob", "Dan")}
    assert {each.event for each in sent.values()} == {"Friday"}
    assert ledger.assignments() == []
    ledger.forget_assigned()
    assert len(ledger.assignments()) == 2


def test_the_tournament_s_clock_goes_to_the_tables(ledger: Ledger) -> None:
    plan = Plan("Blitz", "swiss", "steal", ("k7", "m2"), rounds=2, clock_s=300, increment_s=3, at_zero="lost")
    number = ledger.tournaments.found(plan, NAMES)
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    assert {(each.clock_s, each.increment_s, each.at_zero) for each in assigned(ledger).values()} == {(300, 3, "lost")}


@pytest.mark.parametrize("hours", [-9, 9])
def test_a_table_whose_clock_is_wrong_is_named_and_its_match_counts(ledger: Ledger, number: int, hours: int) -> None:
    at = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
    task = assigned(ledger)["k7"]
    told = result("k7", names=task.names, assignment=task.id, began=at, ended=at)
    ledger.take([heard(summary("k7", sent=at)), heard(ruling(9, kind="game_over", told=told))])
    (notice,) = ledger.hall.now().notices
    assert notice.texts["en"].startswith("The clock of the table K7 and this machine's are 540 minutes apart")
    assert [each.by for each in ledger.tournaments.get(number).results.values()] == ["table"]
    ledger.take([heard(summary("k7"))])  # it was set
    assert ledger.hall.now().notices == ()


def test_a_game_that_tells_its_assignment_ends_its_match(ledger: Ledger, number: int) -> None:
    task = assigned(ledger)["k7"]
    told = result("k7", names=task.names, winners=("tails",), assignment=task.id)
    ledger.take([heard(ruling(9, kind="game_over", told=told))])
    ledger.take([heard(ruling(9, kind="game_over", told=told))])  # twice
    stands = ledger.tournaments.get(number)
    loser, winner = (name for name in task.names.values())
    assert {stands.names[line.player]: line.halves for line in stands.standings()} == {
        winner: 2, loser: 0
    } | {name: 0 for name in NAMES if name not in (winner, loser)}  # fmt: skip
    assert ledger.assignments() == ["k7"]
    results = [each for each in ledger.tournaments.changes(number) if isinstance(each.event, Resulted)]
    assert len(results) == 1


def test_who_changed_seats_wins_where_they_sat(ledger: Ledger, number: int) -> None:
    task = assigned(ledger)["k7"]
    first, second = task.names.values()
    told = result("k7", names={"heads": second, "tails": first}, winners=("heads",), assignment=task.id)
    ledger.take([heard(ruling(9, kind="game_over", told=told))])
    stands = ledger.tournaments.get(number)
    assert {stands.names[player] for player, halves in stands.halves().items() if halves} == {second}


@pytest.mark.parametrize("names", [{"heads": "Eve", "tails": "Fay"}, {"heads": "Ann", "tails": "Fay"}, {}])
def test_a_game_of_other_people_ends_no_match(ledger: Ledger, number: int, names: dict[str, str]) -> None:
    task = assigned(ledger)["k7"]
    told = result("k7", names=names, assignment=task.id)
    told = msgspec.structs.replace(told, how=msgspec.structs.replace(told.how, names=names))
    ledger.take([heard(ruling(9, kind="game_over", told=told))])
    assert len(ledger.tournaments.get(number).open_matches) == 2
    (why,) = ledger.tournaments.left(number).values()
    assert why["en"] == "The table k7 tells of a game of other people for this match: say how it ended."


def test_an_undo_at_the_table_opens_the_match_again(ledger: Ledger, number: int) -> None:
    task = assigned(ledger)["k7"]
    ledger.take([heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))])
    assert len(ledger.tournaments.get(number).open_matches) == 1
    ledger.take([heard(ruling(10, kind="undo"))])
    assert len(ledger.tournaments.get(number).open_matches) == 2


def test_what_the_organiser_said_stands_whatever_the_table_tells(ledger: Ledger, number: int) -> None:
    task = assigned(ledger)["k7"]
    match = task.id.split("-", 2)[2]
    a, b = ledger.tournaments.get(number).match(match).players
    ledger.tournaments.do(number, Resulted(match, {a: 1, b: 1}, "organiser"))
    ledger.take([heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))])
    assert ledger.tournaments.get(number).results[match].by == "organiser"


def test_a_drawn_knock_out_is_left_to_the_organiser(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Cup", "knock-out", "steal", ("k7",)), NAMES)
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    task = assigned(ledger)["k7"]
    drawn = result("k7", names=task.names, winners=("heads", "tails"), assignment=task.id)
    ledger.take([heard(ruling(9, kind="game_over", told=drawn))])
    (why,) = ledger.tournaments.left(number).values()
    assert "somebody must win" in why["en"]


@pytest.mark.parametrize("assignment", ["", "other-1-1-1", "1-1-1", "x"])
def test_other_games_end_no_match(ledger: Ledger, number: int, assignment: str) -> None:
    ledger.take([heard(ruling(9, kind="game_over", told=result(assignment=assignment)))])
    assert len(ledger.tournaments.get(number).open_matches) == 2


def test_everything_is_there_after_the_club_was_killed_in_the_middle_of_a_round(ledger: Ledger, number: int) -> None:
    task = assigned(ledger)["k7"]
    ledger.take([heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))])
    before = ledger.tournaments.get(number)
    ledger.database._db.close()  # as a kill does
    again = Ledger(ledger.database.path.parent, "Club")
    assert again.tournaments.get(number) == before
    assert assigned(again)["m2"].id.startswith(task.id.split("-")[0])
    again.close()


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan("x", "swiss", "chess"), "there is no game"),
        (Plan("x", "swiss", "goes-around"), "does not go with"),
        (Plan("x", "ring", "steal"), "does not go with"),
        (Plan("x", "swiss", "coin-wars"), "does not go with"),
        (Plan("x", "swiss", "steal", options={"starter": "nobody"}), "cannot be played"),
    ],
)
def test_plans_that_cannot_be_played(tmp_path: Path, plan: Plan, sentence: str) -> None:
    with closing(Database(tmp_path)) as database:
        tournaments = Tournaments(database, "club")
        with pytest.raises(Refused, match=sentence):
            tournaments.found(plan, NAMES)
        assert tournaments.all() == {}


def test_a_ring_sits_by_numbers(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Ring", "ring", "goes-around", ("k7",), rounds=1), [*NAMES, "Eve"])
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    task = assigned(ledger)["k7"]
    assert list(task.names) == ["1", "2", "3", "4", "5"]
    assert task.options["players"] == 5
