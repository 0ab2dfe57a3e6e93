"""What states of Steal and Exact are worth: the same as a solver finds that knows nothing but the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tablecoin.coins import Heap
from tablecoin.opponents.dollar_prize import exact_value, steal_value
from tablecoin.opponents.dollar_prize.bare import Counts
from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds
from tablecoin.opponents.dollar_prize.exact_value import Solution as ExactSolution
from tablecoin.opponents.dollar_prize.induction import LEAD, solve
from tablecoin.opponents.dollar_prize.steal_rounds import StealRounds
from tablecoin.opponents.dollar_prize.steal_value import Solution as StealSolution
from tablecoin.opponents.value import load as load_value
from tablecoin.rules import load
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.prize import DollarPrize
from tablecoin.rules.dollar_prize.rows import Side
from tablecoin.rules.dollar_prize.steal import StealOptions
from tablecoin.rules.random_play import random_game
from tests.opponents.exact_solver import Solver

GAMES = ("steal", "exact")


@pytest.mark.parametrize("name", GAMES)
def test_the_chances_of_every_state_add_up_to_one(name: str) -> None:
    game, value = load(name), load_value(name)
    played = [state for _, state in random_game(game, 4)]
    for state in [game.start(game.read_options({})), *played[:: len(played) // 8], played[-1]]:
        found = value(state, samples=1, seed=0)
        assert sum(found.chance.values()) == pytest.approx(1)
        assert found == value(state, samples=1, seed=1)


COUNTED = {"goal": 15, "bank": "counted"}


@pytest.mark.parametrize(
    ("name", "position"),
    [
        (
            "steal",
            {
                "phase": "steal",
                "rows": {"heads": {"penny": 2, "nickel": 1}, "tails": {"penny": 3, "nickel": 1}},
                "options": COUNTED | {"bank_coins": {"penny": 6, "nickel": 3, "dime": 1, "quarter": 1}},
            },
        ),
        (
            "exact",
            {
                "phase": "swap",
                "to_act": ["tails"],
                "rows": {"heads": {"penny": 4, "nickel": 2}, "tails": {"penny": 2, "nickel": 1}},
                "options": COUNTED | {"bank_coins": {"penny": 6, "nickel": 3}, "goal": 16},
            },
        ),
    ],
)
def test_a_game_that_can_only_be_drawn_is_worth_nothing_to_anybody(name: str, position: dict[str, Any]) -> None:
    """Both sides passed, and no coin that the counted bank could still give may be placed."""
    game, value = load(name), load_value(name)
    state = game.read_state({"first": "heads", "passes": 2} | position)
    assert all(game.outcome(game.apply(state, action)) for action in game.legal_actions(state))
    assert value(state, samples=1, seed=0).chance == {"heads": 0, "tails": 0}


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_a_game_is_worth_its_result(name: str) -> None:
    game = load(name)
    for seed in range(3):
        *_, (_, last) = random_game(game, seed)
        outcome = game.outcome(last)
        assert outcome is not None
        found = load_value(name)(last, samples=1, seed=0)
        assert [seat for seat, chance in found.chance.items() if chance] == list(outcome.winners)
        assert found.error == 0


@pytest.mark.parametrize(
    ("name", "options", "states"),  # states: how many can be reached
    [
        ("steal", {"goal": 10}, 5_181),
        ("exact", {"goal": 10}, 699),
        ("steal", {"goal": 10, "break_one_step": True}, 4_933),
        ("exact", {"goal": 10, "swap_order": "reverse"}, 699),
        ("exact", {"goal": 10, "swap_any": True}, 699),
        ("exact", {"goal": 10, "round_order": "alternate"}, 687),
        pytest.param("steal", {"goal": 12}, 15_371, marks=pytest.mark.long),
        pytest.param("exact", {"goal": 12}, 1_919, marks=pytest.mark.long),
        pytest.param("steal", {"goal": 12, "tie_flips": 0}, 15_189, marks=pytest.mark.long),
        pytest.param("steal", {"goal": 12, "break_one_step": True}, 14_031, marks=pytest.mark.long),
        pytest.param("exact", {"goal": 12, "swap_order": "reverse"}, 1_919, marks=pytest.mark.long),
        pytest.param("exact", {"goal": 12, "swap_any": True}, 1_921, marks=pytest.mark.long),
        pytest.param("exact", {"goal": 12, "round_order": "alternate"}, 1_879, marks=pytest.mark.long),
        pytest.param("steal", {"goal": 20}, 247_337, marks=pytest.mark.long),
        pytest.param("exact", {"goal": 20}, 21_393, marks=pytest.mark.long),
    ],
)
def test_every_state_of_a_short_game_is_worth_what_the_rules_make_it(
    name: str, options: Mapping[str, object], states: int
) -> None:
    game, value = load(name), load_value(name)
    assert isinstance(game, DollarPrize)
    solver = Solver(game)
    solver.heads(game.start(game.read_options(options)))
    assert len(solver.known) == states
    for state, heads in solver.known.items():
        found = value(state, samples=1, seed=0)
        assert found.error == 0
        assert abs(found.chance["heads"] - heads) <= 1e-6


@pytest.mark.parametrize(
    ("name", "goal"), [("steal", 10), ("exact", 12), pytest.param("steal", 12, marks=pytest.mark.long)]
)
def test_the_lead_is_that_of_the_play_that_wins_most_often(name: str, goal: int) -> None:
    """Of all ways to play that win equally often the one with the greatest expected lead: in every reachable state."""
    options: Any = StealOptions(goal=goal) if name == "steal" else ExactOptions(goal=goal)
    rounds: Any = (StealRounds if name == "steal" else ExactRounds)(options, LEAD)
    begun, number = solve(rounds.rows, rounds), rounds.rows.number

    def begins(first: Counts, other: Counts) -> float:
        return float(begun[number[first], number[other]])

    solution: Any = StealSolution(options, begins, 0, LEAD) if name == "steal" else ExactSolution(options, begins, LEAD)
    game: Any = load(name)
    solver = Solver(game, LEAD)
    solver.heads(game.start(options))
    going = [state for state in solver.known if not game.outcome(state)]
    assert len(going) > 1_000
    for state in going:
        assert abs(solution.chance(state, Side.HEADS) - solver.known[state]) <= 0.01 * LEAD


@pytest.mark.parametrize(
    ("name", "first", "other", "least", "most"),
    [
        ("exact", (0, 0, 0, 3), (0, 0, 0, 0), 60, 100),
        ("exact", (0, 0, 0, 0), (0, 0, 0, 3), -100, -60),
        ("steal", (0, 0, 0, 3), (0, 0, 0, 0), 20, 100),
        ("steal", (0, 0, 0, 0), (0, 0, 0, 3), -100, -20),
    ],
)
def test_a_game_to_a_dollar_tells_the_lead(name: str, first: Counts, other: Counts, least: float, most: float) -> None:
    """Three quarters against nothing."""
    rows = {"heads": Heap(*first), "tails": Heap(*other)}
    state = load(name).read_state({"rows": rows, "to_act": ["heads"], "first": "heads"})
    margin = load_value(name)(state, samples=1, seed=0).margin
    assert margin is not None
    assert least <= margin["heads"] <= most
    assert margin["tails"] == -margin["heads"]


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("steal", {}, 0.01),  # half a step of the table
        ("steal", {"goal": 20}, 0),
        ("steal", {"bank": "counted"}, 0.1),
        ("steal", {"goal": 50}, 0.25),
        ("steal", {"multi_convert": True}, 0.25),
        ("exact", {}, 0),
        ("exact", {"goal": 20, "round_order": "alternate"}, 0),
        ("exact", {"round_order": "alternate"}, 0.1),
        ("exact", {"swap_consent": True}, 0.25),
    ],
)
def test_a_value_says_how_sure_it_is(name: str, options: Mapping[str, object], error: float) -> None:
    """Also in mid-turn, before a toss and while a swap waits for consent."""
    game, value = load(name), load_value(name)
    start = game.start(game.read_options(options))
    played = [state for _, state in random_game(game, 2, start=start) if not game.outcome(state)]
    for state in played[:: len(played) // 5]:
        found = value(state, samples=1, seed=0)
        assert found.error == pytest.approx(error)
        assert 0 <= found.chance["heads"] <= 1
        assert sum(found.chance.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_that_forgets_what_it_worked_out_tells_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options: Any = StealOptions(goal=10) if name == "steal" else ExactOptions(goal=10)
    rounds: Any = (StealRounds if name == "steal" else ExactRounds)(options)
    begun, number = solve(rounds.rows, rounds), rounds.rows.number

    def begins(first: Counts, other: Counts) -> float:
        return float(begun[number[first], number[other]])

    def solution() -> Any:
        return StealSolution(options, begins, 0) if name == "steal" else ExactSolution(options, begins)

    game: Any = load(name)
    played = [state for _, state in random_game(game, 3, start=game.start(options)) if not game.outcome(state)]
    keeps, told = solution(), list[float]()
    for state in played:
        told.append(keeps.chance(state, Side.HEADS))
    assert len(keeps._known) > 2
    for module in (exact_value, steal_value):
        monkeypatch.setattr(module, "MOST_KNOWN", 2)
    forgets = solution()
    assert [forgets.chance(state, Side.HEADS) for state in played] == told
    assert len(forgets._known) <= 2


@pytest.mark.parametrize("goal", [8, 10])
def test_a_tie_without_extra_steals_is_worth_half(goal: int) -> None:
    """Both have reached the goal with other coins of equal worth."""
    rounds = StealRounds(StealOptions(goal=goal, tie_flips=0))
    number = rounds.rows.number
    x, y = np.array([number[10, 0, 0, 0]]), np.array([number[0, 2, 0, 0]])
    begun = np.zeros((len(number), len(number)))
    assert rounds._settled(begun, x, y, 10, 10).tolist() == [0.5]
    tossed = StealRounds(StealOptions(goal=goal, tie_flips=1))._settled(begun, x, y, 10, 10)
    assert tossed.tolist() != [0.5], "an extra steal favours who has less of the dearer coin"
