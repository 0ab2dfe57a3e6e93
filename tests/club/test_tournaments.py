"""Tournaments of the club: kept, played at tables, corrected by the organiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from tablecoin.club.database import Database, DatabaseError
from tablecoin.club.ledger import Ledger
from tablecoin.club.tournaments import Refused, Tournaments
from tablecoin.mqtt.connection import Received
from tablecoin.mqtt.messages import Assignment
from tablecoin.publishing.assignments import Assignments
from tablecoin.referee.events import Started
from tablecoin.rules.rulebook import Message
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Published, Reopened, Resulted
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


@pytest.fixture
def again() -> Iterator[Callable[[Ledger], Ledger]]:
    """The club after it was killed."""
    with ExitStack() as made:

        def killed(ledger: Ledger) -> Ledger:
            ledger.database._db.close()  # as a kill does: nothing else is done
            return made.enter_context(closing(Ledger(ledger.database.path.parent, "Club")))

        yield killed


def assigned(ledger: Ledger) -> dict[str, Assignment]:
    return {each.table: each for each in ledger.assignments() if isinstance(each, Assignment)}


def test_a_published_round_goes_to_the_tables(ledger: Ledger, number: int) -> None:
    sent = assigned(ledger)
    assert {tuple(each.names.values()) for each in sent.values()} == {("Ann", "Cat"), ("Bob", "Dan")}
    assert {each.event for each in sent.values()} == {"Friday"}
    assert ledger.assignments() == []
    ledger.forget_assigned()
    assert len(ledger.assignments()) == 2


def test_what_was_taken_back_while_the_broker_was_away_is_taken_back_once_it_is_there(
    ledger: Ledger, number: int, again: Callable[[Ledger], Ledger]
) -> None:
    """The broker keeps what it was told last."""
    task = assigned(ledger)["k7"]
    match = ledger.tournaments.get(number).open_matches[0]
    assert match.table == "k7"
    ledger.tournaments.do(number, Resulted(match.id, dict.fromkeys(match.players, 1), "organiser"))
    assert ledger.assignments() == ["k7"]  # it did not get there
    for club in (ledger, again(ledger)):
        club.forget_assigned()
        assert sorted(each if isinstance(each, str) else each.table for each in club.assignments()) == ["k7", "m2"]
        assert task not in club.assignments()


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


@pytest.mark.parametrize("order", list(permutations((9, 10, 11))))
@pytest.mark.parametrize("restarted", [False, True])
def test_an_undo_opens_the_match_in_whatever_order_it_is_heard(
    ledger: Ledger, number: int, order: tuple[int, ...], restarted: bool, again: Callable[[Ledger], Ledger]
) -> None:
    task = assigned(ledger)["k7"]
    told = {
        9: ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)),
        10: ruling(10, kind="undo"),
        11: ruling(11),
    }
    for each in order:
        ledger.take([heard(told[each])])
        ledger.ratings()
    if restarted:
        ledger = again(ledger)
    assert len(ledger.tournaments.get(number).open_matches) == 2
    assert ledger.ratings() == ()


@pytest.mark.parametrize("undone", [False, True])
def test_a_club_killed_before_its_tournament_heard_of_a_result_tells_it_at_its_next_start(
    ledger: Ledger, number: int, undone: bool, again: Callable[[Ledger], Ledger], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = assigned(ledger)["k7"]
    over = ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id))
    if undone:
        ledger.take([heard(over)])

    def killed(game: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger.tournaments, "heard", killed)
    with pytest.raises(KeyboardInterrupt):
        ledger.take([heard(ruling(10, kind="undo") if undone else over)])
    for _ in range(2):  # and tells it once
        ledger = again(ledger)
    assert len(ledger.tournaments.get(number).open_matches) == 1 + undone
    events = [type(each.event) for each in ledger.tournaments.changes(number)]
    assert (events.count(Resulted), events.count(Reopened)) == (1, int(undone))


def test_a_result_that_no_disk_had_room_for_is_told_once_there_is_room(
    ledger: Ledger, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = assigned(ledger)["k7"]

    def full(*what: object) -> None:
        raise DatabaseError(Message("club.full"))

    monkeypatch.setattr(ledger, "_clock", lambda: 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(ledger.database, "happen", full)
        ledger.take([heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))])
        assert len(ledger.tournaments.get(number).open_matches) == 2
        assert [notice.code for notice in ledger.hall.now().notices] == ["club.disk"]
    monkeypatch.setattr(ledger, "_clock", lambda: 6.0)
    ledger.take([])
    assert len(ledger.tournaments.get(number).open_matches) == 1
    assert ledger.hall.now().notices == ()


def test_a_tournament_that_no_disk_had_room_for_is_there_whole_or_not_at_all(
    ledger: Ledger, again: Callable[[Ledger], Ledger], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*what: object) -> None:
        raise DatabaseError(Message("club.full"))

    monkeypatch.setattr(ledger.database, "happen", full)  # the disk is full after the first write, or the power is cut
    with suppress(DatabaseError):
        ledger.tournaments.found(PLAN, NAMES)
    ledger = again(ledger)
    assert [len(each.names) for each in ledger.tournaments.all().values()] in ([], [4])


def test_what_the_organiser_said_of_a_result_stands_after_a_restart(
    ledger: Ledger, number: int, again: Callable[[Ledger], Ledger]
) -> None:
    for table, task in assigned(ledger).items():
        told = result(table, names=task.names, assignment=task.id)
        ledger.take([heard(ruling(9, table, kind="game_over", told=told))])
    one, two = ledger.tournaments.get(number).results
    ledger.tournaments.do(number, Reopened(one))
    a, b = ledger.tournaments.match(number, two).players
    ledger.tournaments.do(number, Resulted(two, {a: 1, b: 1}, "organiser"))
    before = ledger.tournaments.get(number)
    ledger = again(ledger)
    assert ledger.tournaments.get(number) == before
    assert ledger.tournaments.left(number) == {}


def test_a_match_that_the_organiser_opens_again_is_offered_and_played_again(
    ledger: Ledger, number: int, tmp_path: Path
) -> None:
    desk, task = Assignments(tmp_path / "k7", "k7"), assigned(ledger)["k7"]

    def begin(game: int) -> str:
        desk.take(ledger.tournaments.assignment("k7"))
        assert desk.open
        desk.began(game, "j1", Started(1, "steal", {}, {}, names=task.names))
        return desk.games[game]

    over = result("k7", names=task.names, assignment=begin(1))
    ledger.take([heard(ruling(9, kind="game_over", told=over))])
    (match,) = ledger.tournaments.get(number).results
    ledger.tournaments.do(number, Reopened(match))
    ledger.take([heard(ruling(10, kind="refused", told=over))])  # somebody pressed a button of the old game
    assert match not in ledger.tournaments.get(number).results
    anew = result("k7", number=2, last=20, names=task.names, winners=("tails",), assignment=begin(2))
    assert ledger.tournaments.place(anew.assignment) == ledger.tournaments.place(task.id)
    ledger.take([heard(ruling(20, kind="game_over", game=2, told=anew))])
    assert ledger.tournaments.get(number).results[match].game == "k7/j1/2"


def told_by_mistake(ledger: Ledger, number: int) -> tuple[str, Received]:
    """A match that the organiser told a result of while it was played, and how the table tells its end later."""
    task = assigned(ledger)["k7"]
    match = ledger.tournaments.get(number).open_matches[0]
    ledger.tournaments.do(number, Resulted(match.id, dict.fromkeys(match.players, 1), "organiser"))
    return match.id, heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))


def test_a_game_under_way_decides_its_match_once_the_organiser_took_back_what_they_told(
    ledger: Ledger, number: int
) -> None:
    match, over = told_by_mistake(ledger, number)
    ledger.tournaments.do(number, Reopened(match))
    ledger.take([over])
    assert ledger.tournaments.get(number).results[match].by == "table"


def test_what_may_have_ended_before_the_organiser_opened_its_match_is_left_to_them_after_a_restart(
    ledger: Ledger, number: int, again: Callable[[Ledger], Ledger]
) -> None:
    match, over = told_by_mistake(ledger, number)
    ledger.take([over])
    ledger.tournaments.do(number, Reopened(match))
    ledger = again(ledger)
    assert ledger.tournaments.get(number).results == {}
    assert ledger.tournaments.left(number)[match]["en"].startswith("A game that was begun at the table k7 before")


def test_a_match_of_an_earlier_round_that_is_undone_is_played_first(ledger: Ledger, number: int) -> None:
    first = assigned(ledger)
    for table, task in first.items():
        told = result(table, names=task.names, assignment=task.id)
        ledger.take([heard(ruling(9, table, kind="game_over", told=told))])
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    second = assigned(ledger)
    ledger.take([heard(ruling(10, "k7", kind="undo"))])
    assert [each.round for each in ledger.tournaments.assignments()["k7"]] == [1, 2]
    assert assigned(ledger) == {"k7": first["k7"]}
    assert [brief.open for brief in ledger.hall.now().tournaments] == [3]
    told = result("k7", last=11, names=first["k7"].names, assignment=first["k7"].id)
    ledger.take([heard(ruling(11, "k7", kind="game_over", told=told))])
    assert assigned(ledger) == {"k7": second["k7"]}


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


def test_a_drawn_knock_out_is_played_once_more(
    ledger: Ledger, tmp_path: Path, again: Callable[[Ledger], Ledger]
) -> None:
    number = ledger.tournaments.found(Plan("Cup", "knock-out", "steal", ("k7",)), NAMES[:2])
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    desk = Assignments(tmp_path / "k7", "k7")

    def play(game: int, *winners: str) -> Received:
        task = ledger.tournaments.assignment("k7")
        desk.take(task)
        assert task
        assert desk.open, "nothing new is offered"
        desk.began(game, "j1", Started(1, "steal", {}, {}, names=task.names))
        told = result("k7", number=game, last=9 * game, names=task.names, winners=winners, assignment=desk.games[game])
        return heard(ruling(9 * game, kind="game_over", game=game, told=told))

    ledger.take([play(1, "heads", "tails")])
    ledger.take([play(2, "heads", "tails")])
    ledger = again(ledger)
    ledger.take([play(3, "tails")])
    assert ledger.tournaments.get(number).results["1-1"].game == "k7/j1/3"


def test_a_draw_that_is_undone_is_played_on(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Cup", "knock-out", "steal", ("k7",)), NAMES[:2])
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    task = assigned(ledger)["k7"]
    drawn = result("k7", names=task.names, winners=("heads", "tails"), assignment=task.id)
    ledger.take([heard(ruling(9, kind="game_over", told=drawn))])
    assert assigned(ledger)["k7"].id != task.id
    ledger.take([heard(ruling(10, kind="undo"))])
    assert assigned(ledger)["k7"] == task
    assert ledger.tournaments.left(number) == {}
    told = result("k7", last=11, names=task.names, assignment=task.id)
    ledger.take([heard(ruling(11, kind="game_over", told=told))])
    assert ledger.tournaments.get(number).results["1-1"].by == "table"


@pytest.mark.parametrize("assignment", ["", "other-1-1-1", "1-1-1", "x"])
def test_other_games_end_no_match(ledger: Ledger, number: int, assignment: str) -> None:
    ledger.take([heard(ruling(9, kind="game_over", told=result(assignment=assignment)))])
    assert len(ledger.tournaments.get(number).open_matches) == 2


def test_everything_is_there_after_the_club_was_killed_in_the_middle_of_a_round(
    ledger: Ledger, number: int, again: Callable[[Ledger], Ledger]
) -> None:
    task = assigned(ledger)["k7"]
    ledger.take([heard(ruling(9, kind="game_over", told=result("k7", names=task.names, assignment=task.id)))])
    before = ledger.tournaments.get(number)
    ledger = again(ledger)
    assert ledger.tournaments.get(number) == before
    assert assigned(ledger)["m2"].id.startswith(task.id.split("-")[0])


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
