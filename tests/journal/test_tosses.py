"""Tosses counted from the journal, and the exact test of fairness."""

from __future__ import annotations

from math import comb
from pathlib import Path
from statistics import NormalDist

import pytest
from msgspec.structs import replace

from tablecoin.journal.journal import Journal, Line
from tablecoin.journal.tosses import TossHistory, summary, tosses_of, two_sided
from tablecoin.referee.events import Acted, Event, Started, TakenBack
from tablecoin.rules import load
from tablecoin.rules.coin_age.state import Toss as CoinAgeToss
from tablecoin.rules.random_play import random_game


@pytest.mark.parametrize(
    ("heads", "total", "p"),
    [(0, 0, 1.0), (1, 1, 1.0), (1, 2, 1.0), (0, 5, 2 / 32), (5, 5, 2 / 32), (9, 10, 22 / 1024), (50, 100, 1.0)],
)
def test_the_p_value_of_few_coins(heads: int, total: int, p: float) -> None:
    assert two_sided(heads, total) == pytest.approx(p)


def test_the_p_value_of_very_many_coins() -> None:
    """It agrees with the normal approximation with continuity correction, to a thousandth."""
    for heads, total in ((500_500, 1_000_000), (499_000, 1_000_000), (50_300, 100_000)):
        z = (abs(heads - total / 2) - 0.5) / (total / 4) ** 0.5
        assert two_sided(heads, total) == pytest.approx(2 * NormalDist().cdf(-z), rel=1e-3)


def test_fair_coins_get_a_p_value_below_5_percent_at_most_5_percent_of_the_time() -> None:
    for total in (7, 20, 61):
        called = sum(comb(total, k) for k in range(total + 1) if two_sided(k, total) <= 0.05)
        assert called / 2**total <= 0.05


def test_more_heads_than_coins_raises() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        two_sided(6, 5)


STARTED = Started(1, "steal", {"starter": "heads"}, {})
UNDONE = TakenBack(3, "phone")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")


def toss(*coins: str) -> Acted:
    return Acted(2, {"do": "flip", "coins": list(coins)}, "table", "camera")


FOUR_ONE = toss(*["penny:heads"] * 4, "penny:tails")
FIVE_HEADS, FIVE_TAILS = toss(*["penny:heads"] * 5), toss(*["penny:tails"] * 5)


def lines(*events: Event) -> list[Line]:
    """The events, one second apart."""
    return [(f"2026-01-01T00:00:{k:02d}", event) for k, event in enumerate(events)]


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
    assert [one.stands for one in tosses_of(1, lines(*events))] == stand, what


def test_tosses_keep_their_order_although_the_clock_was_set_back() -> None:
    times = ("12:00:00", "12:00:10", "12:00:20", "11:00:00")
    found = tosses_of(1, list(zip(times, (STARTED, FIVE_HEADS, UNDONE, FIVE_TAILS), strict=True)))
    assert [(one.at, one.stands) for one in found] == [("12:00:10", False), ("11:00:00", True)]


def test_only_tosses_that_stand_are_counted() -> None:
    counted = summary(tosses_of(1, lines(STARTED, FIVE_HEADS, UNDONE, FOUR_ONE)))
    assert len(counted.tosses) == 2
    assert (counted.total.heads, counted.total.tosses) == (4, 5)
    assert counted.coins.keys() == {"penny"}
    assert counted.seats.keys() == {"table"}


def test_every_toss_of_a_whole_game_is_found_with_its_player() -> None:
    game = load("coin-age")
    start = Started(1, "coin-age", {}, {})
    played = [(action, state) for action, state in random_game(game, 3) if action is not None]
    acts: list[Event] = [Acted(k, game.write_action(action), "heads", "camera") for k, (action, _) in enumerate(played)]
    every = tosses_of(1, lines(start, *acts))
    tossed = [action.coins for action, _ in played if isinstance(action, CoinAgeToss)]
    assert [one.coins for one in every] == tossed
    assert {one.seat for one in every} == {"heads", "tails"}
    counted = summary(every)
    assert counted.total.tosses == sum(record.tosses for record in counted.seats.values())
    assert counted.total.heads == sum(record.heads for record in counted.coins.values())


class ReadCounter(Journal):
    """A journal that notes which games were read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read: list[int] = []

    def game(self, number: int) -> tuple[Line, ...]:
        self.read.append(number)
        return super().game(number)


def test_a_journal_of_several_hundred_games_is_read_once(tmp_path: Path) -> None:
    journal = ReadCounter(tmp_path / "journal.sqlite")
    journal.append([STARTED, FOUR_ONE, PLACED] * 300)
    history = TossHistory(journal)
    assert len(history.tosses()) == 300
    assert journal.read == list(range(1, 301))

    journal.read.clear()
    assert len(history.tosses()) == 300
    assert journal.read == []  # nothing is new

    journal.append([UNDONE, UNDONE, FIVE_HEADS])  # the newest game goes on
    changed = history.tosses()
    assert journal.read == [300]
    assert [(one.game, one.stands) for one in changed[-3:]] == [(299, True), (300, False), (300, True)]

    journal.read.clear()
    journal.append([STARTED, FIVE_TAILS])  # and another begins
    assert history.tosses()[-1].game == 301
    assert journal.read == [301]
    assert history.tosses() == TossHistory(journal).tosses()
    journal.close()
