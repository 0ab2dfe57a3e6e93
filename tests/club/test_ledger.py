"""What the club keeps of what tables say: everything once, whatever is lost, doubled, late or wrong."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from tablecoin.club.database import DatabaseError
from tablecoin.club.hall import Notice
from tablecoin.club.ledger import Ledger
from tablecoin.club.ratings import People
from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Received as Heard
from tablecoin.mqtt.messages import Assignment, Reply, Ruling, Seated, write
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Moved, Published, Tabled
from tests.club.said import heard, result, ruling, summary


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(tmp_path: Path, clock: Clock) -> Iterator[Ledger]:
    made = Ledger(tmp_path, "Club", clock=clock)
    yield made
    made.close()


def codes(ledger: Ledger) -> list[str]:
    return [notice.code for notice in ledger.hall.now().notices]


def noted(ledger: Ledger, code: str) -> Notice:
    return next(notice for notice in ledger.hall.now().notices if notice.code == code)


def test_each_ruling_counts_once(ledger: Ledger) -> None:
    ledger.take([heard(ruling(n)) for n in (1, 2, 2, 3, 1)])
    ledger.take([heard(ruling(2))])
    assert ledger.database.count() == 3
    assert ledger.hall.now().tables[0].ruling["en"] == "Ruling 3."


def test_the_same_number_of_another_table_or_journal_is_another_ruling(ledger: Ledger) -> None:
    ledger.take([heard(ruling(1)), heard(ruling(1, "m2")), heard(ruling(1, journal="j2"))])
    assert ledger.database.count() == 3


def test_a_gap_is_asked_for_and_a_missing_last_one_too(ledger: Ledger, clock: Clock) -> None:
    ledger.take([heard(ruling(1)), heard(ruling(4)), heard(summary(newest=6))])
    assert ledger.asks() == []
    clock.now_s = 1.6
    assert [(each.journal, each.first, each.last) for each in ledger.asks()] == [("j1", 2, 3), ("j1", 5, 6)]
    assert ledger.hall.now().tables[0].missing == 4
    ledger.take([Heard(topics.topic("k7", topics.AGAIN), write(ruling(n)), False) for n in (2, 3, 5, 6)])
    clock.now_s = 60.0
    assert ledger.asks() == []
    assert ledger.hall.now().tables[0].missing == 0


def test_of_a_journal_that_its_table_left_nothing_is_asked(ledger: Ledger, clock: Clock) -> None:
    ledger.take([heard(ruling(1)), heard(ruling(4)), heard(summary(newest=1, journal="j2"))])
    clock.now_s = 2.0
    assert {each.journal for each in ledger.asks()} == {"j2"}


def test_a_club_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """Nothing is closed or said: what was committed is there, and what is missing is asked for."""
    first = Ledger(tmp_path, "Club", clock=Clock())
    first.take([heard(ruling(n)) for n in (1, 2, 5)])
    first.database._db.close()  # as a kill does: nothing else is done
    clock = Clock()
    second = Ledger(tmp_path, "Club", clock=clock)
    second.take([heard(ruling(n)) for n in (1, 2, 5)])
    clock.now_s = 2.0
    assert [(each.first, each.last) for each in second.asks()] == [(3, 4)]
    assert second.database.count() == 3
    second.close()


def test_two_clubs_cannot_use_one_file(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablecoin.club.database._LOCKED_S", 0.0)
    with pytest.raises(DatabaseError, match="the other club"):
        Ledger(tmp_path, "Club")


def test_results_come_from_the_rulings_and_an_undo_takes_one_away(ledger: Ledger) -> None:
    ledger.take([heard(ruling(9, kind="game_over", told=result()))])
    assert [(each.name, each.wins) for each in ledger.ratings()] == [("Ann", 1), ("Bob", 0)]
    ledger.take([heard(ruling(10, kind="undo"))])
    assert ledger.ratings() == ()


@pytest.mark.parametrize("order", [(9, 10, 11), (11, 10, 9), (10, 11, 9), (9, 11, 10), (11, 9, 10)])
def test_the_newest_ruling_of_a_game_tells_its_result_in_whatever_order_they_come(
    ledger: Ledger, order: tuple[int, ...]
) -> None:
    told = {
        9: ruling(9, kind="game_over", told=result()),
        10: ruling(10, kind="undo"),
        11: ruling(11, kind="game_over", told=result(last=11, winners=("tails",))),
    }
    for number in order:
        ledger.take([heard(told[number])])
    assert [(each.name, each.wins) for each in ledger.ratings()] == [("Bob", 1), ("Ann", 0)]


def test_a_journal_restored_under_another_name_counts_no_game_twice(ledger: Ledger) -> None:
    ledger.take([heard(ruling(9, kind="game_over", told=result()))])
    ledger.take([heard(ruling(9, kind="game_over", journal="j2", told=result(journal="j2")))])
    assert [each.games for each in ledger.ratings()] == [1, 1]


def over(number: int, table: str = "k7", ended: str = "2026-11-23T20:00:00Z") -> Heard:
    """Game `number` of a table ended."""
    told = result(table, number=number, last=10 * number, began=f"{table} {number}", ended=ended)
    return heard(ruling(10 * number, table, kind="game_over", game=number, told=told))


def counted(ledger: Ledger) -> list[tuple[str, int]]:
    """The games in the order in which they count."""
    return [(each.table, each.number) for each in ledger.database.results()]


def test_games_count_as_the_club_hears_of_them_whatever_the_clocks_of_the_tables_say(ledger: Ledger) -> None:
    ledger.take([over(1, "k7", "2031-01-01T00:00:00Z"), over(1, "m2", "2026-11-23T20:00:00Z")])
    ledger.take([over(2, "k7", "1970-01-01T00:00:00Z")])
    assert counted(ledger) == [("k7", 1), ("m2", 1), ("k7", 2)]
    assert ledger.ratings()[0].newest == "1970-01-01T00:00:00Z"


def test_games_of_one_table_count_in_its_own_order(ledger: Ledger) -> None:
    ledger.take([over(number, table) for number, table in ((3, "k7"), (1, "m2"), (1, "k7"), (2, "m2"), (2, "k7"))])
    assert counted(ledger) == [("k7", 1), ("m2", 1), ("k7", 2), ("m2", 2), ("k7", 3)]


def test_a_game_that_ends_once_more_after_an_undo_counts_from_then_on(ledger: Ledger) -> None:
    ledger.take([over(1, "k7"), over(1, "m2"), heard(ruling(11, "k7", kind="undo"))])
    assert counted(ledger) == [("m2", 1)]
    told = result("k7", last=12, began="k7 1")
    ledger.take([heard(ruling(12, "k7", kind="game_over", told=told))])
    assert counted(ledger) == [("m2", 1), ("k7", 1)]


def test_a_journal_restored_under_another_name_changes_no_order(ledger: Ledger) -> None:
    ledger.take([over(1, "k7"), over(1, "m2")])
    again = result("k7", number=1, last=10, began="k7 1", journal="j2")
    ledger.take([heard(ruling(10, "k7", kind="game_over", journal="j2", told=again))])
    assert counted(ledger) == [("k7", 1), ("m2", 1)]


def test_joined_names_are_one_person_and_can_be_parted_again(ledger: Ledger) -> None:
    ledger.take([heard(ruling(9, kind="game_over", told=result()))])
    ledger.take([heard(ruling(9, "m2", kind="game_over", told=result("m2", names={"heads": "Annie", "tails": "Bob"})))])
    ledger.join("now", "Annie", "ann")
    assert {each.names: each.games for each in ledger.ratings()} == {("Ann", "Annie"): 2, ("Bob",): 2}
    ledger.join("now", "Annie", "annie")
    assert {each.names: each.games for each in ledger.ratings()} == {("Ann",): 1, ("Annie",): 1, ("Bob",): 2}


@pytest.mark.parametrize(
    ("joined", "people"),
    [
        ("bob=ann", "ann+bob cy dan"),
        ("bob=ann ann=bob", "ann+bob cy dan"),  # the other way round is the same
        ("bob=ann cy=bob ann=cy", "ann+bob+cy dan"),
        ("bob=ann cy=ann bob=cy", "ann+bob+cy dan"),
        ("bob=ann cy=bob", "ann+bob+cy dan"),
        ("bob=ann ann=dan", "ann+bob+dan cy"),
        ("bob=ann bob=dan", "ann bob+dan cy"),  # the last one of a name counts
        ("bob=ann ann=ann", "ann bob cy dan"),  # either name parts them
        ("bob=ann bob=bob", "ann bob cy dan"),
        ("bob=ann ann=bob ann=ann", "ann bob cy dan"),
        ("bob=ann cy=ann dan=ann ann=ann", "ann bob+cy+dan"),  # the others stay joined
        ("bob=ann cy=bob dan=bob bob=bob", "ann+cy+dan bob"),
        ("bob=ann cy=bob bob=bob bob=cy", "ann+bob+cy dan"),
        ("ann=ann", "ann bob cy dan"),
    ],
)
def test_who_is_whom_after_an_organiser_joined_and_parted_names(joined: str, people: str) -> None:
    told = People((name, of) for name, _, of in (each.partition("=") for each in joined.split()))
    found: dict[str, list[str]] = {}
    for name in ("ann", "bob", "cy", "dan"):
        found.setdefault(told.of(name.upper()), []).append(name)
    assert " ".join("+".join(each) for each in found.values()) == people


BAD: dict[str, tuple[Callable[[], list[Heard]], str]] = {
    "garbage": (lambda: [Heard("tablecoin/1/k7/summary", b"\xff\x00{", False)], "club.unreadable"),
    "a message of version 2": (
        lambda: [Heard("tablecoin/1/k7/event", b'{"version": "2.0"}', False)],
        "club.unreadable",
    ),
    "a table of version 2": (lambda: [Heard("tablecoin/2/k7/up", b"online", True)], "club.major"),
    "another table's name": (lambda: [Heard("tablecoin/1/k7/event", write(ruling(1, "m2")), True)], "club.unreadable"),
    "two tables of one name": (
        lambda: [heard(summary(device="d1")), heard(summary(device="d2"))],
        "club.twins",
    ),
    "a wrong clock": (
        lambda: [heard(summary(sent=(datetime.now(UTC) - timedelta(hours=3)).isoformat()))],
        "club.clock",
    ),
    "a dispute": (lambda: [heard(ruling(1, kind="dispute"))], "club.dispute"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_in_one_sentence_and_counts_nothing(ledger: Ledger, name: str) -> None:
    messages, code = BAD[name]
    ledger.take(messages())
    assert codes(ledger) == [code]
    assert set(noted(ledger, code).texts) == {"en", "zh"}
    assert ledger.database.count() == (name == "a dispute")


@pytest.mark.parametrize("order", [(3, 4), (4, 3), (3, 3, 4), (4, 3, 4)])
def test_a_dispute_calls_the_organiser_until_it_is_settled_in_whatever_order_this_is_heard(
    ledger: Ledger, order: tuple[int, ...]
) -> None:
    told = {3: ruling(3, kind="dispute"), 4: ruling(4, kind="settled")}
    for number in order:
        ledger.take([heard(told[number])])
    assert codes(ledger) == []
    ledger.take([heard(ruling(7, kind="dispute"))])
    assert noted(ledger, "club.dispute").texts["en"] == "A dispute at k7: Ruling 7."


def test_a_dispute_ends_with_its_game(ledger: Ledger) -> None:
    ledger.take([heard(ruling(3, kind="dispute"))])
    assert codes(ledger) == ["club.dispute"]
    ledger.take([heard(ruling(4, kind="start", game=2))])
    assert codes(ledger) == []


def test_a_dispute_still_calls_after_the_club_was_killed(tmp_path: Path) -> None:
    first = Ledger(tmp_path, "Club")
    first.take([heard(ruling(3, kind="dispute")), heard(ruling(3, "m2", kind="dispute"))])
    first.take([heard(ruling(4, "m2", kind="settled"))])
    first.database._db.close()  # as a kill does: nothing else is done
    second = Ledger(tmp_path, "Club")
    assert [(notice.code, notice.table) for notice in second.hall.now().notices] == [("club.dispute", "k7")]
    second.hall.unnote("club.dispute", "k7")  # the organiser has seen it
    assert codes(second) == []
    second.close()


@pytest.mark.parametrize(
    "one",
    [
        Heard("tablecoin/1/k7/summary", b"", True),
        Heard("tablecoin/1/k7/weather", b"fine", True),
        Heard("tablecoin/1/kitchen table/up", b"online", True),
        Heard("home/lamp", b"on", True),
        Heard("tablecoin/1/k7/picture", b"no JPEG", True),
    ],
)
def test_what_is_none_of_ours_is_passed_over(ledger: Ledger, one: Heard) -> None:
    ledger.take([one])
    assert codes(ledger) == []
    assert ledger.hall.now().tables == ()


def test_an_old_retained_summary_is_no_wrong_clock(ledger: Ledger) -> None:
    ledger.take([heard(summary(sent="2020-01-01T00:00:00Z"), retained=True)])
    assert codes(ledger) == []


def test_a_newer_minor_version_is_read(ledger: Ledger) -> None:
    newer = msgspec.to_builtins(ruling(1)) | {"version": "1.7", "weather": "fine", "kind": "new kind"}
    ledger.take([Heard("tablecoin/1/k7/event", msgspec.json.encode(newer), False)])
    assert ledger.database.count() == 1


def test_a_full_disk_is_said_and_what_was_lost_is_asked_for(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.database._db.execute("pragma max_page_count = 1")
    ledger.take([heard(ruling(n)) for n in range(1, 400)])
    assert codes(ledger) == ["club.disk"]
    ledger.database._db.execute("pragma max_page_count = 100000")
    clock.now_s = 2.0
    assert [(each.first, each.last) for each in ledger.asks()] == [(1, 399)]
    ledger.take([heard(ruling(n)) for n in range(1, 400)])
    assert codes(ledger) == []
    assert ledger.database.count() == 399


@pytest.mark.parametrize("seed", range(3))
def test_thirty_tables_in_disorder(ledger: Ledger, clock: Clock, seed: int) -> None:
    """A third of the messages is lost, a third comes twice; what is asked for comes again: all are there, once."""
    chance = random.Random(seed)
    tables = [f"t{i}" for i in range(30)]
    sent = [ruling(number, table) for table in tables for number in range(1, 21)]
    came = [each for each in sent if chance.random() > 0.33] + chance.sample(sent, len(sent) // 3)
    chance.shuffle(came)
    ledger.take([heard(each) for each in came])
    ledger.take([heard(summary(table, newest=20)) for table in tables])
    by_name = {(each.table, each.number): each for each in sent}
    while any(table.missing for table in ledger.hall.now().tables) or clock.now_s == 0:
        clock.now_s += 1.6
        asked = ledger.asks()
        ledger.take([heard(by_name[each.table, n]) for each in asked for n in range(each.first, each.last + 1)])
        ledger.asks()
    assert ledger.database.count() == len(sent)


def test_what_another_club_wants_is_told_and_once_it_is_taken_back_our_match_is_offered_again(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Cup", "swiss", "steal", ("k7",)), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    (task,) = ledger.assignments()
    assert isinstance(task, Assignment)

    def replied(*, name: str, answer: Literal["offered", "declined"] = "offered") -> Heard:
        return Heard("tablecoin/1/k7/reply", write(Reply(table="k7", id=name, answer=answer)), False)

    ledger.take([replied(name=task.id)])
    assert (codes(ledger), ledger.assignments()) == ([], [])
    ledger.take([replied(name="0ther-1-1-1", answer="declined")])
    assert (codes(ledger), ledger.assignments()) == (["club.elsewhere"], [])
    ledger.take([Heard("tablecoin/1/k7/reply", b"", False)])
    assert (codes(ledger), ledger.assignments()) == ([], [task])


def test_a_match_that_is_moved_away_leaves_no_word_of_the_table_that_declined_it(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Cup", "swiss", "steal", ("k7", "k8")), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    ledger.tournaments.do(number, Published())
    (task,) = ledger.assignments()
    assert isinstance(task, Assignment)
    declined = write(Reply(table=task.table, id=task.id, answer="declined"))
    ledger.take([Heard(f"tablecoin/1/{task.table}/reply", declined, False)])
    assert noted(ledger, "club.declined").texts["en"].startswith(f"{task.table} does not play the game")
    ledger.tournaments.do(number, Moved("1-1", "k8"))
    assert {each if isinstance(each, str) else each.table for each in ledger.assignments()} == {"k7", "k8"}
    ledger.take([Heard(f"tablecoin/1/{task.table}/reply", b"", False)])
    assert codes(ledger) == []


def test_a_table_that_left_a_tournament_is_told_so_after_a_restart_too(ledger: Ledger) -> None:
    number = ledger.tournaments.found(Plan("Cup", "swiss", "steal", ("k7",)), ("Ann", "Bob"))
    ledger.tournaments.pair(number)
    for event in (Published(), Tabled(("k8",)), Moved("1-1", "k8")):
        ledger.tournaments.do(number, event)
    ledger.forget_assigned()  # as when the broker is back
    assert {each if isinstance(each, str) else each.table for each in ledger.assignments()} == {"k7", "k8"}


@pytest.mark.parametrize("hours", [-3, 0, 3])
def test_a_chess_clock_counts_down_by_the_clubs_clock_whatever_the_tables_says(ledger: Ledger, hours: int) -> None:
    def heads(zero_at: datetime) -> tuple[Seated, ...]:
        return (Seated("heads", "person", zero_at=zero_at.isoformat(timespec="seconds")),)

    now = datetime.now(UTC)
    theirs = now + timedelta(hours=hours)
    ledger.take([heard(summary(sent=theirs.isoformat(), seats=heads(theirs + timedelta(minutes=5))))])
    for _ in range(2):  # the second is kept by the broker, and is perhaps old
        (shown,) = ledger.hall.now().tables[0].seats
        assert abs(datetime.fromisoformat(shown.zero_at) - now - timedelta(minutes=5)) < timedelta(seconds=3)
        ledger.take([heard(summary(seats=heads(theirs + timedelta(minutes=5))), retained=True)])


def test_a_time_that_is_none_is_left_out(ledger: Ledger) -> None:
    ledger.take([heard(summary(seats=(Seated("heads", "person", zero_at="soon"),)))])
    assert ledger.hall.now().tables[0].seats[0].zero_at == ""


def test_a_table_that_took_everything_away_is_shown_no_more(ledger: Ledger) -> None:
    ledger.take([heard(summary("k7", newest=3)), heard(summary("k8")), Heard("tablecoin/1/k8/up", b"online", True)])
    ledger.take([Heard("tablecoin/1/k7/up", b"", False)])
    ledger.asks()
    assert [table.id for table in ledger.hall.now().tables] == ["k8"]


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    Ledger(tmp_path, "Club").close()
    (file,) = tmp_path.glob("*.db")
    with closing(sqlite3.connect(file)) as db:
        db.execute("pragma user_version = 99")
    before = file.read_bytes()
    with pytest.raises(DatabaseError, match="newer"):
        Ledger(tmp_path, "Club")
    assert file.read_bytes() == before


def test_a_change_that_fails_halfway_is_not_kept(ledger: Ledger) -> None:
    class Torn(Exception):
        pass

    def fail() -> Iterator[Ruling]:
        yield ruling(1)
        raise Torn

    with pytest.raises(Torn):
        ledger.database.keep(fail())
    assert ledger.database.count() == 0
    assert len(ledger.database.keep([ruling(1)])) == 1, "the file is not locked"
