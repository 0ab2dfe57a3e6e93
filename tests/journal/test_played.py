"""One game as the list of games shows it, and its tosses, from the events of the journal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tablecoin.journal.played import Counted, Counting, PlayedGame
from tablecoin.referee.events import Acted, Corrected, Event, Rejected, Series, Started, TakenBack
from tablecoin.referee.match import Match
from tablecoin.rules import load
from tablecoin.rules.coin_age.state import Toss as CoinAgeToss
from tablecoin.rules.random_play import random_game

STARTED = Started(1, "steal", {"starter": "heads"}, {})
UNDONE = TakenBack(3, "phone")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")
REFUSED = Rejected(3, "steal.place.limit", "A dime is too much.", "camera", {"do": "place", "coin": "dime"})
CORRECTED = Corrected(3, (10.0, 20.0), None, None)


def toss(*coins: str) -> Acted:
    return Acted(2, {"do": "flip", "coins": list(coins)}, "table", "camera")


FOUR_ONE = toss(*["penny:heads"] * 4, "penny:tails")
FIVE_HEADS, FIVE_TAILS = toss(*["penny:heads"] * 5), toss(*["penny:tails"] * 5)


def counted(events: Sequence[Event], times: Sequence[str] = ()) -> Counted:
    """What game 1 with these events adds to the history. Without `times` they are one second apart."""
    counting = Counting(1)
    for at, event in zip(times or [f"12:00:{k:02d}" for k in range(len(events))], events, strict=True):
        counting.take(at, event)
    return counting.counted


def played(*events: Event) -> PlayedGame:
    found = counted(events).played
    assert found
    return found


def whole_game(started: Started, seed: int = 1) -> list[Event]:
    """The events of a game of random acts."""
    game, beginning = load(started.game), Match.begin(started).state
    acts = [(game.write_action(action), action) for action, _ in random_game(game, seed, start=beginning) if action]
    return [started, *(Acted(k, act, str(act.get("name", "heads")), "phone") for k, (act, _) in enumerate(acts, 2))]


@pytest.mark.parametrize(
    ("what", "events", "stand"),
    [
        ("a toss stands", [STARTED, FOUR_ONE], [True]),
        ("acts are no tosses", [STARTED, FOUR_ONE, PLACED], [True]),
        ("a toss taken back does not stand", [STARTED, FOUR_ONE, UNDONE], [False]),
        ("an act taken back leaves it standing", [STARTED, FOUR_ONE, PLACED, UNDONE], [True]),
        ("taken back and tossed again, the second stands", [STARTED, FIVE_HEADS, UNDONE, FOUR_ONE], [False, True]),
        ("what a computer entered was not tossed", [STARTED, replace(FOUR_ONE, by="computer")], []),
        ("from where today's rules refuse a line, nothing is counted", [STARTED, FOUR_ONE, FOUR_ONE, PLACED], [True]),
        ("a game that does not begin is left out", [FOUR_ONE], []),
    ],
)
def test_which_tosses_are_found_and_stand(what: str, events: list[Event], stand: list[bool]) -> None:
    assert [one.stands for one in counted(events).tosses] == stand, what


def test_tosses_keep_their_order_although_the_clock_was_set_back() -> None:
    times = ("12:00:00", "12:00:10", "12:00:20", "11:00:00")
    found = counted([STARTED, FIVE_HEADS, UNDONE, FIVE_TAILS], times).tosses
    assert [(one.at, one.stands) for one in found] == [("12:00:10", False), ("11:00:00", True)]


def test_every_toss_of_a_whole_game_is_found_with_its_player() -> None:
    game = load("coin-age")
    started = Started(1, "coin-age", {}, {})
    acts = [game.read_action(event.action) for event in whole_game(started, 3) if isinstance(event, Acted)]
    every = counted(whole_game(started, 3)).tosses
    assert [one.coins for one in every] == [action.coins for action in acts if isinstance(action, CoinAgeToss)]
    assert {one.seat for one in every} == {"heads", "tails"}


@pytest.mark.parametrize(
    ("what", "events", "numbers"),
    [
        ("two rulings", [STARTED, FOUR_ONE, PLACED], (2, 0, 0, 0)),
        ("two acts of one ruling are one", [STARTED, FOUR_ONE, replace(PLACED, group=2)], (1, 0, 0, 0)),
        ("a refusal is no ruling that stands", [STARTED, FOUR_ONE, REFUSED, REFUSED], (1, 2, 0, 0)),
        ("a coin that a person corrected", [STARTED, FOUR_ONE, CORRECTED], (1, 0, 1, 0)),
        ("a ruling taken back was one", [STARTED, FOUR_ONE, PLACED, UNDONE], (2, 0, 0, 1)),
        ("taken back in two parts it is once", [STARTED, FOUR_ONE, PLACED, UNDONE, UNDONE], (2, 0, 0, 1)),
    ],
)
def test_what_the_referee_did_is_counted(what: str, events: list[Event], numbers: tuple[int, int, int, int]) -> None:
    one = played(*events)
    assert (one.rulings, one.refusals, one.corrections, one.undone) == numbers, what


def test_who_played_what_and_when() -> None:
    started = replace(
        STARTED,
        seats={"heads": "person", "tails": "computer"},
        level="easy",
        names={"heads": "Ann"},
        series=Series(3, {"heads": 1}),
    )
    one = played(started, FOUR_ONE, PLACED)
    assert (one.number, one.game, one.options) == (1, "steal", {"starter": "heads"})
    assert (one.seats, one.names) == ({"heads": "person", "tails": "computer"}, {"heads": "Ann"})
    assert (one.level, one.best_of, one.began, one.whole) == ("easy", 3, "12:00:00", True)
    assert (one.ended, one.outcome) == (None, None)


def test_how_and_when_a_game_ended() -> None:
    events = whole_game(Started(1, "steal", {"goal": 10}, {}))
    *_, last = [f"12:00:{k:02d}" for k in range(len(events))]
    one = played(*events)
    assert one.ended == last
    assert one.outcome
    assert set(one.outcome.winners) <= {"heads", "tails"}
    assert set(one.outcome.texts) == {"en", "zh"}
    assert played(*events, UNDONE).outcome is None, "an end that is taken back is none"


def test_where_people_sit_down_by_their_names_these_are_the_players() -> None:
    invited = Started(1, "coin-wars", {"players": ["Ann", "Bob"]}, {"Bob": "computer"})
    assert played(invited).names == {"Ann": "Ann", "Bob": "Bob"}
    assert played(invited).seats == {"Ann": "person", "Bob": "computer"}
    open_table = Started(1, "coin-wars", {}, {})
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    made = {"do": "create", "name": "Ann", "ratings": ratings, "strong": "bodiness"}
    one = played(open_table, Acted(2, made, "Ann", "phone"))
    assert (one.seats, one.names) == ({"Ann": "person"}, {"Ann": "Ann"})


def test_a_sealed_choice_is_in_no_list() -> None:
    ring = Started(1, "goes-around", {"players": 2, "start": 9999}, {})
    sealed = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 8642}
    one = counted([ring, Acted(2, sealed, "1", "phone"), Rejected(2, "x", "8642", "phone", sealed)])
    assert "8642" not in str(one)
    assert one.played
    assert (one.played.rulings, one.played.refusals) == (1, 1)


def test_a_game_that_todays_rules_refuse_is_listed_up_to_there() -> None:
    one = played(STARTED, FOUR_ONE, FOUR_ONE, PLACED)
    assert (one.whole, one.rulings, one.ended) == (False, 1, None)
