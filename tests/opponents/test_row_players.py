"""The computer at Steal and Exact: legal, repeatable, and better than chance."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import count
from typing import Any

import pytest

from lab.refereeing.contest import play
from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.opponents import Level
from tablecoin.opponents import load as load_player
from tablecoin.opponents.advice import advise
from tablecoin.opponents.dollar_prize import steal_value
from tablecoin.opponents.dollar_prize.race import FOREVER, turns_to
from tablecoin.opponents.dollar_prize.row_search import MOST, STEPS
from tablecoin.opponents.dollar_prize.steal_tosses import decisive_results
from tablecoin.opponents.dollar_prize.tables import Table, _unpacked
from tablecoin.opponents.value import load as load_value
from tablecoin.rules import load
from tablecoin.rules.dollar_prize.exact import Swap
from tablecoin.rules.dollar_prize.rows import Done, Rows
from tablecoin.rules.dollar_prize.steal import StealState, thief
from tablecoin.rules.random_play import random_game
from tablecoin.rules.toss import results_with_chances

GAMES = ("steal", "exact")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", Level)
def test_every_answer_is_legal_and_repeatable(name: str, level: Level) -> None:
    game, choose = load(name), load_player(name)
    turns = [(state, seat) for _, state in random_game(game, 4) for seat in game.to_act(state) if seat != "table"]
    for state, seat in turns[:: len(turns) // 12]:
        action = choose(state, seat, level, 7)
        assert action in list(game.legal_actions(state))
        assert action == choose(state, seat, level, 7)


@pytest.mark.parametrize("name", GAMES)
def test_it_is_not_asked_out_of_turn(name: str) -> None:
    game = load(name)
    with pytest.raises(ValueError, match="does not act"):
        load_player(name)(game.start(game.read_options({})), "heads", Level.STRONG, 0)


def test_it_swaps_whenever_that_gains() -> None:
    game = load("exact")
    rows = {"heads": {"penny": 3, "nickel": 2}, "tails": {"penny": 1, "dime": 2}}
    state = game.read_state({"phase": "swap", "rows": rows, "to_act": ["heads"], "first": "heads"})
    for level in Level:
        assert load_player("exact")(state, "heads", level, 1) == Swap(Denomination.NICKEL, Denomination.DIME)


@pytest.mark.parametrize(
    ("row", "ceiling", "turns"),
    [
        (Heap(quarter=4), 125, 0),
        (Heap(quarter=3), 125, 1),
        (Heap(quarter=3, dime=1), 125, 1),  # 110 will do
        (Heap(quarter=3, dime=1), 100, 2),  # exactly: a dime and a nickel
        (Heap(penny=99), 100, 1),
        (Heap(dime=12), 100, 0),
    ],
)
def test_turns_to_the_goal(row: Heap, ceiling: int, turns: int) -> None:
    assert turns_to(row, 100, ceiling) == turns <= FOREVER


def test_decisive_results_stand_for_all_results() -> None:
    """Averaging over what decides gives the same chances as averaging over all sixteen tosses."""
    rows, due = Rows(Heap(4, 0, 1, 2), Heap(1, 2, 0, 0)), Heap.of(BY_VALUE)
    chances = []
    for results in (results_with_chances(due), decisive_results(due)):
        found: dict[Any, float] = {}
        for coins, likely in results:
            decided = thief(rows, coins)
            found[decided] = found.get(decided, 0.0) + likely
        chances.append(found)
    assert chances[0] == chances[1]
    assert sum(chances[0].values()) == 1


def tied(goal: int, quarters: int, nickels: int, dimes: int) -> StealState:
    """Both rows are at the goal, tails has placed, and a tied toss is repeated until something is decided."""
    rows = {"heads": {"quarter": quarters, "nickel": nickels}, "tails": {"dime": dimes}}
    turn = {"rows": rows, "to_act": ["tails"], "first": "heads", "turn": {"placed": True}}
    state = load("steal").read_state(turn | {"options": {"goal": goal, "tie_flips": "until"}})
    assert isinstance(state, StealState)
    return state


@pytest.mark.parametrize("state", [tied(30, 1, 1, 3), tied(100, 4, 0, 10)], ids=["goal 30", "goal 100"])
def test_a_tie_thrown_until_something_is_decided_is_thought_through(state: StealState) -> None:
    game, choose = load("steal"), load_player("steal")
    assert choose(state, "tails", Level.STRONG, 1) in list(game.legal_actions(state))


def test_a_tie_tossed_until_it_is_decided_goes_by_the_coins_that_decide() -> None:
    """Tails gains a quarter with 1/2 or a nickel with 1/8, and loses a dime with 1/4; anything else is tossed again."""
    done = load("steal").apply(tied(30, 1, 1, 3), Done())
    assert load_value("steal")(done, samples=1, seed=0).chance["tails"] == pytest.approx(5 / 7)


@pytest.mark.parametrize("name", GAMES)
def test_where_a_turn_may_end_in_hundreds_of_ways_it_looks_at_a_bounded_part(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the house rules of converting freely a hoard of pennies can become nearly anything in one turn."""
    game, choose = load(name), load_player(name)
    rows = {"heads": {"penny": 40, "nickel": 4, "dime": 2}, "tails": {"penny": 30, "nickel": 6}}
    free = {"multi_convert": True, "any_equal_convert": True}
    state = game.read_state({"rows": rows, "to_act": ["heads"], "first": "heads", "options": free})
    looked, legal = count(), game.legal_actions
    monkeypatch.setattr(type(game), "legal_actions", lambda _, at: [*legal(at), next(looked)][:-1])
    assert choose(state, "heads", Level.STRONG, 1) in list(legal(state))
    assert next(looked) <= STEPS + 2 * MOST


@pytest.mark.parametrize("thinks", ["computer", "hint"])
def test_acts_are_compared_without_unpacking_the_leads(thinks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stolen quarter may be broken in 13 ways. With the leads, 981 blocks were unpacked: 2.5 s of a core."""
    rows = {"heads": {"penny": 1, "dime": 2, "quarter": 1}, "tails": {"penny": 3, "nickel": 2, "dime": 3}}
    stolen = {"phase": "break", "mover": "heads", "steal": {"coin": "quarter", "from": "tails", "to": "heads"}}
    state = load("steal").read_state({"rows": rows, "first": "heads", **stolen})
    unpacked: Counter[str] = Counter()
    block = Table.block
    monkeypatch.setattr(Table, "block", lambda table, number: (unpacked.update([table.name]), block(table, number))[1])
    monkeypatch.setattr(steal_value, "_solved", cache(steal_value._solved.__wrapped__))  # what is known is forgotten
    _unpacked.cache_clear()
    if thinks == "computer":
        load_player("steal")(state, "heads", Level.STRONG, 1)
    else:
        advise("steal", state, "heads", seed=1, until_s=1000, clock=count().__next__)
    assert 0 < unpacked["steal.xz"] < 130
    assert not unpacked["steal_lead.xz"]


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "games", "share"), [("steal", 40, 0.9), ("exact", 20, 0.75)])
def test_strong_beats_random(name: str, games: int, share: float) -> None:
    """The goals of 200 games, tried with fewer: `python -m lab contest` plays them all."""
    assert sum(play(name, number).points for number in range(games)) >= share * games


def test_easy_beats_random_too() -> None:
    assert sum(play("exact", number, Level.EASY).points for number in range(12)) > 6
