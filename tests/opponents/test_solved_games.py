"""The shipped tables of Steal and Exact: what they say of the start, and that every round agrees with the next."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from lab.training.dollar_prize import steps
from tablecoin.coins import Denomination, Heap
from tablecoin.opponents import Level
from tablecoin.opponents import load as load_player
from tablecoin.opponents.dollar_prize.bare import BEGUN, Counts, cents, rows_up_to, turn_ends
from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds
from tablecoin.opponents.dollar_prize.induction import solve
from tablecoin.opponents.dollar_prize.steal_rounds import StealRounds
from tablecoin.opponents.dollar_prize.tables import EXACT, STEAL, Table
from tablecoin.opponents.value import load as load_value
from tablecoin.rules import load
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.rows import Place, Side
from tablecoin.rules.dollar_prize.steal import StealOptions
from tablecoin.rules.game import State

TABLES = {"steal": STEAL, "exact": EXACT}


def begun(name: str, first: Counts, other: Counts) -> State:
    """A round begins: Heads plays first with row `first`."""
    rows = {"heads": Heap(*first), "tails": Heap(*other)}
    state: State = load(name).read_state({"rows": rows, "to_act": ["heads"], "first": "heads"})
    return state


def chance(name: str, first: Counts, other: Counts) -> float:
    return load_value(name)(begun(name, first, other), samples=1, seed=0).chance["heads"]


@pytest.mark.parametrize("pennies", [0, 1, 2])
def test_steal_is_nearly_even_and_exact_is_lost_for_whoever_begins(pennies: int) -> None:
    rows = (pennies, 0, 0, 0), (5 - pennies, 0, 0, 0)
    assert chance("steal", *rows) == pytest.approx(0.479, abs=STEAL.error)
    assert chance("exact", *rows) == 0


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("starts", [4, pytest.param(20, marks=pytest.mark.long)])
def test_each_start_of_a_round_agrees_with_the_starts_after_it(name: str, starts: int) -> None:
    """Any rows, also hoards of pennies: the best of all turns, replies and tosses is what the table says."""
    table, dice = TABLES[name], Random(5)
    rows = [row for row in rows_up_to(table.goal - 1) if row != (0, 0, 0, 0)]
    game, value = load(name), load_value(name)
    for _ in range(starts):
        a, b = dice.choice(rows), dice.choice(rows)
        state: Any = begun(name, a, b)
        after = [game.apply(state, action) for action in game.legal_actions(state)]
        best = max(value(there, samples=1, seed=0).chance["heads"] for there in after)
        assert best == pytest.approx(chance(name, a, b), abs=1e-9)
        assert best == pytest.approx(table.worth(a, b), abs=2 * table.error + 1e-9)


def test_a_hoard_of_pennies_is_not_taken_for_quarters() -> None:
    """The table before had no row of 84 pennies: it read the chance of a row of the same worth in high coins."""
    hoard, high, against = (84, 3, 0, 0), (4, 0, 2, 3), (0, 0, 2, 3)
    assert cents(hoard) == 99 == cents(high)
    assert abs(chance("steal", hoard, against) - chance("steal", high, against)) > 0.2


@pytest.mark.parametrize(("name", "rounds"), [("steal", StealRounds), ("exact", ExactRounds)])
def test_a_table_is_packed_and_unpacked(
    name: str, rounds: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: Any = StealOptions(goal=12) if name == "steal" else ExactOptions(goal=12)
    played = rounds(options)
    solved = solve(played.rows, played)
    table = Table(12, TABLES[name].step, "small.xz")
    packed = steps(table, played.rows, solved)
    monkeypatch.setattr("tablecoin.opponents.dollar_prize.tables.files", lambda _: tmp_path)
    monkeypatch.setattr("tablecoin.opponents.dollar_prize.tables._BLOCK", 7)
    table.write(tmp_path, packed)
    assert len(packed) > 3 * 7
    assert np.array_equal(np.vstack([table.block(k) for k in range(-(-len(packed) // 7))]), packed)
    for first, place in list(table.place.items())[::5]:
        assert table.worth(first, (1, 0, 0, 0)) == pytest.approx(
            solved[played.rows.number[first], played.rows.number[1, 0, 0, 0]], abs=table.error + 1e-6
        )
        assert list(table.place)[place] == first


def test_in_a_lost_exact_the_strong_computer_waits_for_a_mistake() -> None:
    """Every action loses to a perfect player; it takes one after which the other player can still go wrong."""
    game = load("exact")
    state: Any = begun("exact", (2, 0, 0, 0), (3, 0, 0, 0))
    action = load_player("exact")(state, "heads", Level.STRONG, 0)
    assert action == Place(Denomination.PENNY)
    assert chance("exact", (2, 0, 0, 0), (3, 0, 0, 0)) == 0
    assert action in list(game.legal_actions(state))


@pytest.mark.parametrize("row", [(5, 0, 0, 0), (0, 1, 2, 0), (6, 2, 0, 0), (0, 0, 0, 3)])
def test_the_ends_of_a_turn_are_those_of_the_rules(row: Counts) -> None:
    """Steal has no ceiling: every order of placing and converting, through the rules."""
    game = load("steal")
    waiting: list[Any] = [begun("steal", row, (3, 0, 0, 0))]
    ends = set()
    for state in waiting:
        for action in game.legal_actions(state):
            there: Any = game.apply(state, action)
            if there.mover is not Side.HEADS:
                ends.add(there.rows.heads)
            elif there not in waiting:
                waiting.append(there)
    assert {Heap(*end) for end in turn_ends(row, 200, BEGUN)} == ends
