"""The same game once more, seats swapped or not, and series that go on over a restart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import pytest
from msgspec.structs import replace

from tablecoin.referee.commands import Answer, CommandError, Start
from tablecoin.referee.events import Acted, Event, Series, Started, read_event, write_event
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.series import Standing, can_swap
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game

STEAL = load("steal")
PEOPLE = Started(
    group=1,
    game="steal",
    options={"goal": 10, "starter": "tails"},
    seats={"heads": "person", "tails": "computer"},
    level="easy",
    bad_coin="all",
    names={"heads": "Ann"},
)
OF_THREE = replace(PEOPLE, series=Series(3))


def game(started: Started, winner: str) -> list[Event]:
    """The events of a whole game that `winner` wins."""
    beginning = Match.begin(started).state
    for seed in count():
        played = list(random_game(STEAL, seed, start=beginning))
        outcome = STEAL.outcome(played[-1][1])
        assert outcome
        if outcome.winners == (winner,):
            acts = [STEAL.write_action(action) for action, _ in played if action]
            return [started, *(Acted(k, act, "heads", "phone") for k, act in enumerate(acts, 2))]
    raise AssertionError("seeds do not end")


class Evening:
    """A referee that takes up a game that is over, as after a restart, and what it writes from then on."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.written: list[Event] = []
        self.referee = Referee(self.written.extend)
        self.referee.restore(events, len(events))

    @property
    def texts(self) -> list[str]:
        """What may be chosen."""
        return [choice.text for choice in self.referee.snapshot().prompt.choices]

    def choose(self, number: int) -> Started:
        """Take a choice; the start of the game that follows."""
        self.referee.command(Answer(number, self.texts[number]), None)
        (started,) = self.written
        assert isinstance(started, Started)
        return started


def test_once_more_keeps_rules_people_and_seats() -> None:
    evening = Evening(game(PEOPLE, "heads"))
    assert evening.texts[:3] == [
        "Dollar Prize: Steal once more",
        "Dollar Prize: Steal once more, seats swapped",
        "Dollar Prize: Exact",
    ]
    before, again = Match.begin(PEOPLE), evening.choose(0)
    assert STEAL.read_options(again.options) == STEAL.read_options(PEOPLE.options)
    assert replace(again, group=1, options=PEOPLE.options) == PEOPLE
    assert evening.referee.match
    assert evening.referee.match.state == before.state


def test_once_more_with_the_seats_swapped_moves_people_and_not_rules() -> None:
    again = Evening(game(PEOPLE, "heads")).choose(1)
    assert again.seats == {"tails": "person", "heads": "computer"}
    assert again.names == {"tails": "Ann"}
    assert again.options["starter"] == "tails"
    assert again.crossed


def test_the_snapshot_tells_at_which_ruling_the_seats_were_swapped() -> None:
    evening = Evening(game(PEOPLE, "heads"))
    again = evening.choose(1)
    assert evening.referee.snapshot().crossed == again.group
    kept = Evening(game(replace(PEOPLE, crossed=True), "heads")).choose(0)
    assert not kept.crossed, "whoever swapped once does not swap again with the same game"


def test_seats_are_swapped_only_where_two_sit() -> None:
    ring = load("goes-around")
    started = Started(1, "goes-around", {"players": 3, "rounds": 1}, {})
    played = list(random_game(ring, 1, start=Match.begin(started).state))
    acts = [Acted(k, ring.write_action(action), "1", "phone") for k, (action, _) in enumerate(played) if action]
    again = [text for text in Evening([started, *acts]).texts if "once more" in text]
    assert again == ["What Goes Around Comes Around once more"]


def test_characters_of_a_game_played_together_keep_their_people() -> None:
    """Its seats are people's names: swapped, Ann's character would be the computer's."""
    started = Started(1, "coin-wars", {"players": ["Ann", "Bo"]}, {"Ann": "person", "Bo": "computer"})
    assert not can_swap(Match.begin(started))


def test_another_game_keeps_people_the_computer_and_the_rules_that_it_has_too() -> None:
    exact, options = Evening(game(PEOPLE, "heads")).choose(2), load("exact").read_options({"goal": 10})
    assert (exact.game, exact.options["goal"]) == ("exact", 10)
    assert load("exact").read_options(exact.options) == replace(options, starter="tails")
    kept = ("seats", "names", "level", "bad_coin", "odds", "hints")
    assert [getattr(exact, each) for each in kept] == [getattr(PEOPLE, each) for each in kept]


def test_another_game_after_the_ring_seats_the_first_two() -> None:
    ring = load("goes-around")
    started = Started(1, "goes-around", {"players": 3, "rounds": 1}, {"2": "computer"}, names={"1": "Ann", "3": "Bob"})
    played = list(random_game(ring, 1, start=Match.begin(started).state))
    acts = [Acted(k, ring.write_action(action), "1", "phone") for k, (action, _) in enumerate(played) if action]
    evening = Evening([started, *acts])
    steal = evening.choose(evening.texts.index("Dollar Prize: Steal"))
    assert (steal.seats, steal.names) == ({"tails": "computer"}, {"heads": "Ann"})


def test_a_game_that_is_over_asks_for_no_coins() -> None:
    table = Evening(game(PEOPLE, "heads")).referee.snapshot().table
    assert (table.wanted, table.differences) == ({}, ())


@pytest.mark.parametrize(
    ("what", "wins", "winner", "chosen", "then"),
    [
        ("the first game counts", {}, "heads", 0, {"heads": 1}),
        ("a win is carried over to the other seat", {}, "heads", 1, {"tails": 1}),
        ("each has one", {"heads": 1}, "tails", 0, {"heads": 1, "tails": 1}),
        ("each has one, in the other's seat", {"heads": 1}, "tails", 1, {"heads": 1, "tails": 1}),
        ("who has two of three has won: a new series begins", {"heads": 1}, "heads", 0, {}),
        ("the same with the seats swapped", {"tails": 1}, "tails", 1, {}),
    ],
)  # fmt: skip
def test_a_series_goes_on_from_game_to_game(
    what: str, wins: Mapping[str, int], winner: str, chosen: int, then: Mapping[str, int]
) -> None:
    started = replace(OF_THREE, series=Series(3, wins))
    assert Evening(game(started, winner)).choose(chosen).series == Series(3, then), what


def test_the_snapshot_tells_how_the_series_stands() -> None:
    over = Evening(game(replace(OF_THREE, series=Series(3, {"heads": 1})), "heads"))
    assert over.referee.snapshot().series == Standing(3, {"heads": 2}, "heads")
    assert over.texts[0] == "Dollar Prize: Steal once more"
    between = Evening(game(OF_THREE, "tails"))
    assert between.referee.snapshot().series == Standing(3, {"tails": 1}, None)
    assert between.texts[:2] == [
        "Dollar Prize: Steal: the next game of the series",
        "Dollar Prize: Steal: the next game, seats swapped",
    ]
    assert Evening(game(PEOPLE, "tails")).referee.snapshot().series is None


def test_an_event_of_before_names_and_series_can_be_read() -> None:
    old = {key: value for key, value in write_event(PEOPLE).items() if key not in ("names", "series")}
    assert read_event(old) == replace(PEOPLE, names={})


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ({"heads": "Ann\nBob"}, "one line of text"),
        ({"heads": " Ann"}, "one line of text"),
        ({"heads": ""}, "one line of text"),
        ({"heads": "\u202eAnn"}, "one line of text"),
        ({"heads": "x" * 41}, "longer than 40"),
        ({"heads": "table"}, "a word of the game"),
        ({"heads": "Ann", "tails": "ann"}, "the same name"),
        ({"north": "Ann"}, "no seat north"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_a_sentence(names: Mapping[str, str], problem: str) -> None:
    written: list[Event] = []
    referee = Referee(written.extend)
    with pytest.raises(CommandError, match=problem):
        referee.command(Start("steal", names=names), None)
    assert written == []


def test_names_are_shown_beside_the_seats() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("steal", names={"heads": "Ann <b>", "tails": "小明"}, best_of=5), None)
    shown = referee.snapshot()
    assert shown.names == {"heads": "Ann <b>", "tails": "小明"}
    assert shown.series == Standing(5, {}, None)
