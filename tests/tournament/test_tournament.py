"""A tournament from its events: rounds, results, corrections, and what cannot be done."""

from __future__ import annotations

import msgspec
import pytest

from tablecoin.tournament.field import DRAW, LOSS, WIN, Match, Plan, System
from tablecoin.tournament.pairing import next_round
from tablecoin.tournament.tournament import (
    Closed,
    Entered,
    Event,
    Impossible,
    Moved,
    Paired,
    Published,
    Reopened,
    Resulted,
    Returned,
    Tabled,
    Timed,
    Tournament,
    Unpaired,
    Withdrew,
    halves_for,
)  # fmt: skip


def begun(system: System = "swiss", many: int = 4, rounds: int = 0, tables: tuple[str, ...] = ("a", "b")) -> Tournament:
    """Players "1", "2", ... entered."""
    tournament = Tournament(Plan("Friday", system, "steal", tables, rounds))
    for number in range(1, many + 1):
        tournament = tournament.take(Entered(f"Player {number}"))
    return tournament


def paired(tournament: Tournament) -> Tournament:
    return tournament.take(Paired(next_round(tournament))).take(Published())


def won_by_first(tournament: Tournament) -> Tournament:
    """The newest round is played, and the first seat wins each match."""
    for match in tournament.open_matches:
        tournament = tournament.take(Resulted(match.id, halves_for(match, frozenset(match.players[:1])), "table"))
    return tournament


@pytest.mark.parametrize(
    ("system", "many", "rounds"),
    [("swiss", 7, 3), ("round-robin", 5, 5), ("knock-out", 6, 3), ("ring", 20, 5), ("swiss", 2, 1)],
)
def test_a_whole_tournament_of_each_system(system: System, many: int, rounds: int) -> None:
    tournament = begun(system, many)
    assert tournament.rounds_planned == rounds
    for _ in range(rounds):
        tournament = won_by_first(paired(tournament))
    with pytest.raises(Impossible) as caught:
        next_round(tournament)
    assert caught.value.reason in ("last", "players")
    assert [line.player for line in tournament.standings()] != []
    assert tournament.standings()[0].place == 1


def test_the_standings_of_three_rounds_by_hand() -> None:
    """1 beats 2, draws with 3; 3 beats 4; 2 beats 4; 4 loses to 1; 2 and 3 draw."""
    tournament = begun("round-robin")
    results = {("1", "4"): "1", ("2", "3"): "", ("1", "3"): "", ("2", "4"): "2", ("1", "2"): "1", ("3", "4"): "3"}
    for _ in range(3):
        tournament = paired(tournament)
        for match in tournament.open_matches:
            winner = results[tuple(sorted(match.players))]  # type: ignore[index]
            tournament = tournament.take(Resulted(match.id, halves_for(match, frozenset(winner)), "table"))
    lines = {line.player: line for line in tournament.standings()}
    assert [(each.player, each.place, each.halves) for each in lines.values()] == [
        ("1", 1, 5), ("3", 2, 4), ("2", 3, 3), ("4", 4, 0)
    ]  # fmt: skip
    # Sonneborn-Berger of 1 in quarters: beat 4 (0) and 2 (3): 2*3; drew with 3 (4): 1*4
    assert lines["1"].sonneborn == 10
    assert lines["1"].buchholz == 7


def test_direct_encounter_tells_apart_and_who_stays_equal_shares_the_place() -> None:
    tournament = won_by_first(paired(begun("swiss", 4, rounds=1)))
    assert [line.place for line in tournament.standings()] == [1, 1, 3, 3]
    robin = begun("round-robin", 2)
    robin = won_by_first(paired(robin))
    assert [(line.place, line.direct) for line in robin.standings()] == [(1, None), (2, None)]


def test_a_bye_is_a_whole_point_over_somebody_with_ones_own_score() -> None:
    tournament = paired(begun("swiss", 3))
    bye = next(match for match in tournament.rounds[0].matches if match.is_bye)
    line = next(line for line in tournament.standings() if line.player == bye.players[0])
    assert (line.halves, line.buchholz, line.sonneborn, line.wins) == (2, 2, 4, 0)


def test_a_correction_of_the_organiser_stands_above_what_a_table_tells() -> None:
    tournament = paired(begun())
    match = tournament.open_matches[0]
    a, b = match.players
    tournament = tournament.take(Resulted(match.id, {a: WIN, b: LOSS}, "table"))
    tournament = tournament.take(Resulted(match.id, {a: DRAW, b: DRAW}, "organiser"))
    with pytest.raises(Impossible, match="newer"):
        tournament.take(Resulted(match.id, {a: WIN, b: LOSS}, "table"))
    with pytest.raises(Impossible, match="newer"):
        tournament.take(Reopened(match.id, "table"))
    assert tournament.halves()[b] == DRAW
    assert tournament.take(Reopened(match.id)).open_matches[0].id == match.id


def test_who_withdraws_is_not_paired_and_may_come_back() -> None:
    tournament = won_by_first(paired(begun("swiss", 6))).take(Withdrew("6"))
    assert "6" not in {player for match in next_round(tournament) for player in match.players}
    assert "6" in {player for match in next_round(tournament.take(Returned("6"))) for player in match.players}


def test_late_entries_join_a_swiss_with_nothing() -> None:
    tournament = won_by_first(paired(begun())).take(Entered("Late"))
    assert tournament.halves()["5"] == 0
    assert "5" in {player for match in next_round(tournament) for player in match.players}


def test_a_round_taken_back_leaves_nothing_behind() -> None:
    tournament = begun(many=3)
    assert tournament.take(Paired(next_round(tournament))).take(Unpaired()) == tournament


def test_the_time_of_a_round_and_the_table_of_a_match_may_change() -> None:
    tournament = paired(begun()).take(Timed("2026-11-23T20:00:00Z"))
    match = tournament.open_matches[0]
    assert tournament.rounds[-1].ends == "2026-11-23T20:00:00Z"
    assert tournament.take(Moved(match.id, "b")).match(match.id).table == "b"


def test_a_match_that_is_moved_is_played_behind_those_at_its_new_table() -> None:
    tournament = paired(begun())
    at = {match.table: match for match in tournament.open_matches}
    moved = tournament.take(Moved(at["b"].id, "a"))
    assert (moved.match(at["a"].id).wave, moved.match(at["b"].id).wave) == (0, 1)
    assert moved.take(Moved(at["b"].id, "b")).match(at["b"].id).wave == 0


def test_a_table_that_broke_is_left_out_and_one_that_was_brought_is_played_at() -> None:
    tournament = paired(begun()).take(Tabled(("b", "c", "c")))
    assert tournament.plan.tables == ("b", "c")
    (broken,) = (match for match in tournament.open_matches if match.table == "a")
    moved = tournament.take(Moved(broken.id, "c"))
    assert {match.table for match in moved.open_matches} == {"b", "c"}
    assert {match.table for match in next_round(won_by_first(moved))} == {"b", "c"}
    assert {match.table for match in next_round(won_by_first(moved).take(Tabled(())))} == {None}


def test_a_match_of_an_earlier_round_whose_result_is_taken_back_is_open_again() -> None:
    tournament = paired(won_by_first(paired(begun()))).take(Reopened("1-1", "table"))
    assert [match.id for match in tournament.open_matches] == ["1-1", "2-1", "2-2"]
    tournament = won_by_first(tournament.take(Reopened("1-2", "organiser")))
    assert tournament.open_matches == ()
    with pytest.raises(Impossible, match="unfinished"):
        next_round(paired_and_played(begun(rounds=3), 2).take(Reopened("1-1", "table")))


def paired_and_played(tournament: Tournament, rounds: int) -> Tournament:
    for _ in range(rounds):
        tournament = won_by_first(paired(tournament))
    return tournament


def test_a_round_that_was_paired_while_a_match_of_an_earlier_one_was_open_still_counts() -> None:
    """An older tablecoin made such rounds: its events are read again at each start."""
    tournament = paired_and_played(begun(rounds=3), 2)
    third = next_round(tournament)
    tournament = tournament.take(Reopened("1-1", "table")).take(Paired(third)).take(Published())
    assert len(tournament.rounds) == 3
    assert tournament.open_matches[0].id == "1-1"


KNOCK_OUT = paired(begun("knock-out"))
PLAYED = won_by_first(KNOCK_OUT)


@pytest.mark.parametrize(
    ("tournament", "event", "reason"),
    [
        (begun().take(Closed()), Entered("Ann"), "over"),
        (begun(), Withdrew("9"), "player"),
        (begun(), Returned("nobody"), "player"),
        (begun(many=1), Paired(()), "players"),
        (begun(), Entered("pLAYER 1"), "name"),
        (begun(many=512), Entered("Ann"), "full"),
        (paired(begun("round-robin")), Entered("Ann"), "began"),
        (KNOCK_OUT.take(Withdrew("1")), Returned("1"), "began"),
        (paired(begun()), Paired(()), "unfinished"),
        (won_by_first(paired(begun(rounds=1))), Paired(()), "last"),
        (begun(), Published(), "round"),
        (begun(), Timed(None), "round"),
        (begun(), Unpaired(), "round"),
        (paired(begun()), Unpaired(), "round"),
        (paired(begun()), Resulted("7-1", {}, "table"), "match"),
        (paired(begun()), Moved("7-1", "a"), "match"),
        (paired(begun()), Moved("1-1", "z"), "table"),
        (won_by_first(paired(begun())), Moved("1-1", "a"), "match"),
        (paired(paired_and_played(begun(), 1)).take(Reopened("1-1")), Moved("1-1", "b"), "match"),
        (paired(begun()), Resulted("1-1", {"1": WIN, "3": WIN}, "table"), "points"),
        (paired(begun()), Resulted("1-1", {"1": DRAW, "3": LOSS}, "table"), "points"),
        (paired(begun()), Resulted("1-1", {"1": WIN, "2": LOSS}, "table"), "points"),
        (KNOCK_OUT, Resulted("1-1", {"1": DRAW, "4": DRAW}, "table"), "drawn"),
        (paired(PLAYED), Resulted("1-1", {"1": LOSS, "4": WIN}, "organiser"), "later"),
        (paired(PLAYED), Reopened("1-1"), "later"),
        (paired(begun()), Reopened("1-1"), "match"),
        (paired(begun(many=3)), Resulted("1-2", {"3": LOSS}, "organiser"), "bye"),
        (paired(begun(many=3)), Reopened("1-2"), "bye"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(tournament: Tournament, event: Event, reason: str) -> None:
    with pytest.raises(Impossible) as caught:
        tournament.take(event)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("players", "winners", "halves"),
    [
        ("12", "1", {"1": WIN, "2": LOSS}),
        ("12", "12", {"1": DRAW, "2": DRAW}),
        ("12", "", {"1": DRAW, "2": DRAW}),
        ("123", "3", {"1": 0, "2": 0, "3": WIN}),
        ("123", "13", {"1": DRAW, "2": 0, "3": DRAW}),
        ("123", "", {"1": 0, "2": 0, "3": 0}),
    ],
)
def test_what_winners_make(players: str, winners: str, halves: dict[str, int]) -> None:
    assert halves_for(Match("1-1", tuple(players)), frozenset(winners)) == halves


def test_events_go_to_json_and_back() -> None:
    event = Paired(next_round(begun(many=5)))
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
