"""Steal as its rules read, from the end of a round on: the steal, the end, whole games, states from outside."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import Denomination
from tablecoin.rules.dollar_prize.rows import Convert, Done, Place, Toss
from tablecoin.rules.dollar_prize.steal import GAME, Break, Keep
from tablecoin.rules.game import InputError
from tablecoin.rules.random_play import random_game
from tablecoin.rules.toss import possible_results
from tests.rules.dollar_prize.steal_rows import D, N, P, Q, clause, counts, ending, faces, heap, play, turn

# -- 5: the steal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "tails", "due"),
    [
        ("3P", "4P", None),
        ("3P", "5P", "1P"),
        ("1N", "1P", "1P 1N"),
        ("1D", "1Q", "1P 1N 1D 1Q"),
        ("2D", "3P", "1P 1N 1D"),
    ],
)
def test_the_steal_is_due_once_a_row_has_five_cents(heads: str, tails: str, due: str | None) -> None:
    """steal.steal.due, steal.steal.toss: one of the highest denomination in either row and of each below it."""
    state = turn(heads, tails)
    rows = {"heads": counts(heads), "tails": counts(tails)}
    state = GAME.read_state({"rows": rows, "to_act": ["tails"], "first": "heads", "turn": {"placed": True}})
    state = GAME.apply(state, Done())
    assert GAME.toss_due(state) == (heap(due) if due else None)
    assert state.round == (1 if due else 2)


@pytest.mark.parametrize(
    ("heads", "tails", "coins", "after"),
    [
        # the decisive coin is the highest that shows heads; whoever has more of it gives one
        ("1Q", "3P 1N", "QhDhNhPh", ("", "3P 1N 1Q")),
        ("1Q", "3P 1N", "QtDhNhPh", ("1Q", "3P 1N")),  # no dime on either side: 0 = 0
        ("1Q", "3P 1N", "QtDtNhPh", ("1N 1Q", "3P")),
        ("1Q", "3P 1N", "QtDtNtPh", ("1P 1Q", "2P 1N")),
        ("1Q", "3P 1N", "QtDtNtPt", ("1Q", "3P 1N")),
        ("2Q", "2Q 1P", "QhDhNhPh", ("2Q", "2Q 1P")),  # equally many: nothing, and the lower coins are ignored
        ("2Q", "1Q", "QhDtNtPt", ("1Q", "2Q")),
        ("5P", "", "Ph", ("4P", "1P")),  # from somebody to nobody
    ],
)
def test_what_a_steal_decides(heads: str, tails: str, coins: str, after: tuple[str, str]) -> None:
    """steal.steal.decide"""
    for shuffled in (faces(coins), tuple(reversed(faces(coins)))):
        state = GAME.apply(ending(heads, tails), Toss(shuffled))
        assert (state.rows.heads, state.rows.tails) == tuple(map(heap, after))


def test_the_chance_to_decide_halves_from_coin_to_coin() -> None:
    """steal.steal.decide: of 16 results the quarter decides 8, the dime 4, the nickel 2, the penny 1."""
    state, decided = ending("1P 1N 1D 1Q", "1P"), []
    for coins in possible_results(heap("1P 1N 1D 1Q")):
        after = GAME.apply(state, Toss(coins))
        decided.append(after.steal.coin if after.steal else None)
    assert [decided.count(kind) for kind in (Q, D, N, P, None)] == [8, 4, 2, 0, 2]  # pennies are level here


@pytest.mark.parametrize(
    ("coin", "into", "broken"),
    [
        ("Q", "1N 2D", None),
        ("Q", "25P", None),
        ("Q", "5P 2N 1D", None),
        ("Q", "2D", "steal.break.equal"),
        ("Q", "1Q", "steal.break.equal"),  # that would be keeping it
        ("D", "2N", None),
        ("D", "5P 1N", None),
        ("N", "5P", None),
        ("N", "4P", "steal.break.equal"),
    ],
)
def test_breaking_what_was_won(coin: str, into: str, broken: str | None) -> None:
    toss = "".join(k + ("h" if k == coin else "t") for k in "QDNP")
    state = GAME.apply(ending("1N 1D 2Q", "1Q 3P"), Toss(faces(toss)))
    assert GAME.to_act(state) == ("tails",)
    assert clause(state, Break(heap(into))) == broken


@pytest.mark.parametrize("into", ["1N 2D", "25P", "5P 2N 1D"])
def test_a_broken_coin_keeps_its_worth(into: str) -> None:
    state = GAME.apply(ending("1N 1D 2Q", "1Q 3P"), Toss(faces("QhDtNtPt")))
    after = GAME.apply(state, Break(heap(into)))
    assert after.rows.tails.cents == state.rows.tails.cents
    assert after.turn.converted is False


def test_breaking_one_step() -> None:
    state = ending("2Q", "3P", options={"break_one_step": True})
    state = GAME.apply(state, Toss(faces("QhDtNtPt")))
    assert clause(state, Break(heap("25P"))) == "steal.break.step"
    assert clause(state, Break(heap("1N 2D"))) is None
    assert list(GAME.legal_actions(state)) == [Break(heap("1N 2D")), Keep()]


def test_play_waits_for_the_receiver() -> None:
    state = GAME.apply(ending("2Q", "3P"), Toss(faces("QhDtNtPt")))
    assert GAME.write_state(state)["steal"] == {"coin": "quarter", "from": "heads", "to": "tails"}
    for action in (Place(P), Done(), Convert(heap("5P"), N)):
        assert clause(state, action) == "steal.break.first"
    state = GAME.apply(state, Keep())
    assert (state.phase, state.round, state.steal) == ("turn", 6, None)
    assert clause(state, Keep()) == "steal.break.none"


def test_a_stolen_penny_leaves_nothing_to_choose() -> None:
    state = GAME.apply(ending("5P", "1P"), Toss(faces("Ph")))
    assert (state.phase, state.round) == ("turn", 6)


# -- 6: the end -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "tails", "coins", "answers", "winners"),
    [
        # steal.end.goal: the more valuable row after the steal wins
        ("4Q", "1N 3Q", "QhDtNtPt", [Keep()], ["tails"]),  # 75 : 105
        ("4Q", "10D", "QtDhNtPt", [Keep()], ["heads"]),  # 110 : 90
        ("4Q", "2N 9D", "QhDtNtPt", [Keep()], ["tails"]),  # 75 : 125, no tie any more
        ("4Q", "1N 3Q", "QtDtNtPt", [], ["heads"]),
        ("4Q", "3P", "QhDtNtPt", [Keep()], None),  # the leader fell below a dollar: play goes on
        # steal.end.tie: one more steal, then the prize is shared
        ("4Q", "2N 9D", "QtDtNtPt", [Toss(faces("QtDtNtPt"))], ["heads", "tails"]),
        ("4Q", "2N 9D", "QtDtNtPt", [Toss(faces("QhDtNtPt")), Keep()], ["tails"]),
        ("4Q", "4Q", "QhDtNtPt", [Toss(faces("QhDtNtPt"))], ["heads", "tails"]),
    ],
)
def test_endings(heads: str, tails: str, coins: str, answers: list[Any], winners: list[str] | None) -> None:
    state = play(ending(heads, tails), [Toss(faces(coins)), *answers])
    outcome = GAME.write_state(state)["outcome"]
    assert (outcome and outcome["winners"]) == winners


def test_tie_house_rules() -> None:
    """steal.end.tie"""
    level = Toss(faces("QtDtNtPt"))
    none = GAME.apply(ending("4Q", "2N 9D", options={"tie_flips": 0}), level)
    assert none.phase == "over"
    until = ending("4Q", "2N 9D", options={"tie_flips": "until"})
    for _ in range(5):
        until = GAME.apply(until, level)
        assert until.phase == "steal"
    assert GAME.apply(GAME.apply(until, Toss(faces("QhDtNtPt"))), Keep()).phase == "over"
    same = GAME.apply(ending("4Q", "4Q", options={"tie_flips": "until"}), level)
    assert same.phase == "over"  # no steal could ever part them


def test_a_shorter_goal() -> None:
    """steal.aim"""
    state = GAME.apply(ending("2D", "3P", options={"goal": 20}), Toss(faces("DtNtPt")))
    assert GAME.write_state(state)["outcome"]["winners"] == ["heads"]


# -- whole games ------------------------------------------------------------------------------------------------------


def test_penny_hoarders_take_exactly_97_rounds() -> None:
    """Nobody does worse: the rows grow by 2 cents a round at least, and end together below 200."""
    state = play(GAME.start(GAME.read_options({})), [Toss(faces("PhPhPtPtPt"))])
    while GAME.outcome(state) is None:
        if due := GAME.toss_due(state):
            (*_, all_heads) = possible_results(due)
            state = GAME.apply(state, Toss(all_heads))
        else:
            state = play(state, [Place(P), Done()])
    assert state.round == 97


@given(seed=st.integers(0, 2**32))
def test_rows_grow_by_two_cents_a_round_and_steals_keep_the_sum(seed: int) -> None:
    game = [(action, state) for action, state in random_game(GAME, seed) if state.phase != "setup"]
    totals = [state.rows.heads.cents + state.rows.tails.cents for _, state in game]
    for (before, after), (action, _) in zip(pairwise(totals), game[1:], strict=True):
        assert after - before == (action.coin.cents if isinstance(action, Place) else 0)
    last = game[-1][1]
    assert last.round <= 97
    assert totals[-1] >= 5 + 2 * (last.round - 1)


@given(seed=st.integers(0, 2**32))
def test_a_counted_bank_conserves_every_coin(seed: int) -> None:
    options = GAME.read_options({"bank": "counted", "goal": 40})
    for _, state in random_game(GAME, seed, start=GAME.start(options)):
        left = GAME.bank_left(state)
        assert left is not None
        assert state.rows.heads + state.rows.tails + left == options.bank_coins
        assert state.phase == "setup" or GAME.reserve in left


# -- states from outside ----------------------------------------------------------------------------------------------


def test_a_printed_state_with_other_rows_is_worked_out_afresh() -> None:
    """The steal's vectors start like this: derived keys follow the rows, whatever the file says."""
    printed = GAME.write_state(ending("5P", "1P"))
    printed["rows"] = {"heads": {"quarter": 4}, "tails": {"nickel": 1, "quarter": 3}}
    state = GAME.read_state(printed)
    assert GAME.write_state(state)["flip_due"] == {"penny": 1, "nickel": 1, "dime": 1, "quarter": 1}
    assert GAME.write_state(state)["totals"] == {"heads": 100, "tails": 80}


def test_to_act_says_whose_turn_it_is() -> None:
    printed = GAME.write_state(turn("3P")) | {"to_act": ["tails"]}
    assert GAME.to_act(GAME.read_state(printed)) == ("tails",)


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"phase": "setup"}, "empty"),
        ({"rows": {}}, "empty"),
        ({"phase": "break"}, "break"),
        ({"phase": "over"}, "100 cents"),
        ({"phase": "swap"}, "phase"),
        ({"phase": "steal", "rows": {"heads": {"penny": 2}, "tails": {"penny": 2}}}, "5 cents"),
        ({"to_act": ["table"]}, "to_act"),
        ({"turn": {"placed": True}, "rows": {"tails": {"penny": 2}}}, "heads has placed"),
        ({"turn": {"converted": True}}, "converted"),
        ({"steal": {"coin": "dime", "from": "heads", "to": "tails"}}, "steal"),
        ({"phase": "break", "steal": {"coin": "dime", "from": "heads", "to": "heads"}}, "other"),
        ({"options": {"bank": "counted", "bank_coins": {"penny": 6, "nickel": 1, "dime": 1, "quarter": 1}}}, "bank"),
        ({"options": {"bank": "counted", "bank_coins": {"penny": 4}}}, "bank"),
        ({"options": {"goal": 0}}, "goal"),
        ({"game": "exact"}, "exact"),
        ({"rows": {"heads": {"euro": 1}}}, "euro"),
        ({"rows": {"left": {}}}, "left"),
        ({"round": 0}, "round"),
    ],
)
def test_impossible_states_are_refused_with_a_word_that_helps(keys: dict[str, Any], word: str) -> None:
    printed = GAME.write_state(turn("4P", "2P")) | keys
    with pytest.raises(InputError, match=word):
        GAME.read_state(printed)


def test_every_option_combination_can_be_played() -> None:
    dice = Random(3)
    choices: dict[str, list[Any]] = {
        "starter": ["fewer", "heads", "tails"],
        "strict_order": ["off", "warn", "enforce"],
        "multi_convert": [False, True],
        "any_equal_convert": [False, True],
        "bank": ["unlimited", "counted"],
        "break_one_step": [False, True],
        "tie_flips": [0, 1, "until"],
    }
    every = list(product(*choices.values()))
    for values in dice.sample(every, 40):
        options = GAME.read_options(dict(zip(choices, values, strict=True)) | {"goal": 20})
        *_, (_, end) = random_game(GAME, 1, start=GAME.start(options))
        assert end.phase == "over"


def test_denominations_are_ordered_by_value() -> None:
    assert [kind.cents for kind in (P, N, D, Q)] == sorted(kind.cents for kind in Denomination)
