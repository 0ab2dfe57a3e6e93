"""Advice within a time: batches that double, and the computer's move beside the next best."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin import opponents
from tablecoin.opponents import advice
from tablecoin.opponents.value import Estimate
from tablecoin.rules import load
from tablecoin.rules.dollar_prize.steal import StealState

GAME = load("steal")
TURN: StealState = GAME.apply(
    GAME.start(GAME.read_options({"starter": "heads"})),
    GAME.read_action({"do": "flip", "coins": ["penny:heads"] * 5}),
)


class Slow:
    """A value function whose games take `each_s` of its own clock; its error falls as that of a coin's mean."""

    def __init__(self, each_s: float, *, exact: bool = False) -> None:
        self.each_s, self.exact, self.now_s = each_s, exact, 0.0
        self.batches: list[int] = []

    def clock(self) -> float:
        return self.now_s

    def __call__(self, state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
        self.now_s += self.each_s * samples
        self.batches.append(samples)
        heads = state.rows.heads.cents / 100 + seed * 1e-6  # another seed imagines other games
        return Estimate({"heads": heads, "tails": 1 - heads}, 0.0 if self.exact else 0.5 / samples**0.5)


@pytest.mark.parametrize(
    ("each_s", "batches"),
    [
        pytest.param(0.5, [8], id="no time: the first batch alone, however long it takes"),
        pytest.param(0.025, [8, 6], id="one more batch would end after the time"),
        pytest.param(0.001, [8, 8, 16, 32, 64, 128, 150], id="the faster the more"),
        pytest.param(1e-6, [8, 8, 16, 32, 64, 128, 256, 512, 1024, 2048], id="precise enough before the time is over"),
    ],
)
def test_chances_take_as_many_games_as_the_time_allows(each_s: float, batches: list[int]) -> None:
    value = Slow(each_s)
    advice.chances(value, TURN, seed=1, until_s=0.5, clock=value.clock)
    assert value.batches == batches


def test_exact_chances_are_asked_for_once() -> None:
    value = Slow(1e-6, exact=True)
    assert advice.chances(value, TURN, seed=1, until_s=0.5, clock=value.clock).chance["heads"] == pytest.approx(
        0.05, abs=1e-3
    )
    assert value.batches == [8]


def test_an_estimate_that_rests_on_no_imagined_games_is_not_repeated() -> None:
    value = Slow(1e-6)
    guess = Estimate({"heads": 0.5, "tails": 0.5}, 0.14)

    def by_the_table(state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
        value(state, samples=samples, seed=seed)
        return guess

    assert advice.chances(by_the_table, TURN, seed=1, until_s=0.5, clock=value.clock) == guess
    assert value.batches == [8, 8]


def test_when_nobody_wants_it_any_more_the_first_batch_is_the_last() -> None:
    value = Slow(0.001)
    advice.chances(value, TURN, seed=1, until_s=0.5, clock=value.clock, stopped=lambda: True)
    assert value.batches == [8]


def test_the_error_of_several_batches_is_that_of_their_mean() -> None:
    value = Slow(0.001)
    found = advice.chances(value, TURN, seed=1, until_s=0.5, clock=value.clock)
    assert found.error == pytest.approx(0.5 / sum(value.batches) ** 0.5)


@pytest.mark.parametrize("each_s", [1e-6, 10.0])
def test_advice_is_the_strong_computers_move_beside_another_legal_one(
    each_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = Slow(each_s)
    monkeypatch.setattr(advice, "load", lambda name: value)
    found = advice.advise("steal", TURN, "heads", seed=3, until_s=1.0, clock=value.clock)
    legal = list(GAME.legal_actions(TURN))
    assert found.best.action in legal
    assert found.other is not None
    assert found.other.action in legal
    assert found.other.action != found.best.action
    assert found.best.chance == pytest.approx(GAME.apply(TURN, found.best.action).rows.heads.cents / 100, abs=1e-3)


class Moved(Slow):
    """Slow, where a nickel in the row is worth so much more than its cents."""

    def __init__(self, gain: float, *, exact: bool) -> None:
        super().__init__(1e-6, exact=exact)
        self.gain = gain

    def __call__(self, state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
        found = super().__call__(state, samples=samples, seed=seed)
        heads = found.chance["heads"] + self.gain * state.rows.heads.nickel
        return Estimate({"heads": heads, "tails": 1 - heads}, found.error)


@pytest.mark.parametrize(
    ("gain", "exact", "swapped"),
    [
        pytest.param(0.2, True, True, id="clearly better"),
        pytest.param(0.013, True, False, id="level, for whole games of 100"),
        pytest.param(0.2, False, True, id="far beyond the error"),
        pytest.param(0.02, False, False, id="within the error"),
    ],
)
def test_an_act_that_clearly_wins_more_often_than_the_computers_goes_before_it(
    gain: float, exact: bool, swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computer places a sixth penny, worth .06; to convert the five into a nickel is worth .05 and the gain."""
    value = Moved(gain, exact=exact)
    placed = GAME.read_action({"do": "place", "coin": "penny"})
    monkeypatch.setattr(advice, "load", lambda name: value)
    monkeypatch.setattr(opponents, "load", lambda name: lambda state, seat, level, seed: placed)
    found = advice.advise("steal", TURN, "heads", seed=3, until_s=10.0, clock=value.clock)
    assert found.other is not None
    assert (found.other if swapped else found.best).action == placed
    assert (found.other if swapped else found.best).chance == pytest.approx(0.06, abs=1e-3)
