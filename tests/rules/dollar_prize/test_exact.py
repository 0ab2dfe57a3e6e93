"""Exact, clause by clause: what differs from Steal, and that the shared part keeps to Exact's own clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.dollar_prize.exact import GAME, Agree, ExactState, Refuse, Skip, Swap
from tablecoin.rules.dollar_prize.rows import Add, Convert, Done, Place, Rows, Side, Take, Toss
from tablecoin.rules.game import IllegalAction, InputError
from tablecoin.rules.random_play import random_game

LETTERS = dict(zip("PNDQ", BY_VALUE, strict=True))
P, N, D, Q = BY_VALUE
SWAPPED = {"by": "heads", "give": "penny", "take": "dime", "count": 2}


def heap(text: str) -> Heap:
    """`5P 2D` -> five pennies, two dimes; an empty text is an empty heap."""
    return Heap.of(LETTERS[k] for n, k in re.findall(r"(\d+)([PNDQ])", text) for _ in range(int(n)))


def counts(text: str) -> dict[str, int]:
    return {kind.value: heap(text)[kind] for kind in BY_VALUE}


def turn(mine: str, theirs: str = "1P", *, placed: bool = False, converted: bool = False, **options: Any) -> ExactState:
    """Heads is to play the first turn of a round, with `mine` against `theirs`."""
    rows = {"heads": counts(mine), "tails": counts(theirs)}
    flags = {"placed": placed, "converted": converted}
    return GAME.read_state({"rows": rows, "to_act": ["heads"], "first": "heads", "turn": flags, "options": options})


def bank(coins: str) -> dict[str, Any]:
    """The house rules of a counted bank, small enough to run out on the way to 10 cents."""
    return {"bank": "counted", "bank_coins": counts(coins), "goal": 10}


def last(heads: str, tails: str, **options: Any) -> ExactState:
    """Tails has placed the last coin of a round that Heads began."""
    rows = {"heads": counts(heads), "tails": counts(tails)}
    return GAME.read_state(
        {"rows": rows, "to_act": ["tails"], "first": "heads", "turn": {"placed": True}, "round": 9, "options": options}
    )


def swapping(heads: str, tails: str, **options: Any) -> ExactState:
    """The same after Tails is done."""
    return GAME.apply(last(heads, tails, **options), Done())


def play(state: ExactState, actions: Iterable[Any]) -> ExactState:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def clause(state: ExactState, action: Any) -> str | None:
    try:
        GAME.apply(state, action)
    except IllegalAction as refused:
        return refused.clause
    return None


def pennies(heads: int) -> Toss:
    return Toss(tuple(Coin.of(P, Face.HEADS if k < heads else Face.TAILS) for k in range(5)))


def winners(state: ExactState) -> list[str] | None:
    outcome = GAME.outcome(state)
    return None if outcome is None else list(outcome.winners)


# -- setup and turns --------------------------------------------------------------------------------------------------


def test_setup() -> None:
    """exact.setup, exact.starter"""
    state = GAME.apply(GAME.start(GAME.read_options({})), pennies(4))
    assert (state.rows.heads, state.rows.tails) == (heap("4P"), heap("1P"))
    assert GAME.to_act(state) == ("tails",)


@pytest.mark.parametrize(
    ("state", "action", "broken"),
    [
        (GAME.start(GAME.read_options({})), Place(P), "exact.flip.first"),
        (GAME.start(GAME.read_options({})), Skip(), "exact.flip.first"),
        (GAME.start(GAME.read_options({})), Toss((Coin.DIME_HEADS,) * 5), "exact.flip.coins"),
        (turn("3P"), pennies(3), "exact.flip.none"),
        # exact.turn
        (turn(""), Place(N), "exact.place.first"),
        (turn("3P"), Place(N), "exact.place.limit"),
        (turn("3P 1N"), Place(N), None),
        (turn("3P", placed=True), Place(P), "exact.place.twice"),
        (turn("3P"), Done(), "exact.done.unplaced"),
        (turn("10P"), Convert(heap("10P"), D), "exact.convert.recipe"),
        (turn("4P"), Convert(heap("5P"), N), "exact.convert.coins"),
        (turn("6P 1N", converted=True), Convert(heap("5P"), N), "exact.convert.twice"),
        (turn("3P"), Add(P, Side.TAILS), "exact.row.add"),
        (turn("3P"), Take(P, Side.HEADS), "exact.row.take"),
        # never over the goal
        (turn("3Q 2D"), Place(Q), "exact.place.cap"),  # 95 + 25
        (turn("3Q 2D"), Place(D), "exact.place.cap"),
        (turn("3Q 2D"), Place(N), None),
        (turn("3Q 2D 4P"), Place(P), None),  # a penny fits below the goal, always
        (turn("2D", goal=20), Done(), None),  # already there: nothing fits, so the turn passes
        # house rules
        (turn("5N", any_equal_convert=True), Convert(heap("4N"), Q), "exact.convert.equal"),
        (turn("3P 1D", strict_order="enforce"), Place(P), "exact.place.order"),
        (turn("5P 1D", strict_order="enforce"), Convert(heap("5P"), N), "exact.convert.order"),
        (turn("3Q 2D", strict_order="enforce"), Place(N), None),  # a quarter does not fit, so the order is free
        (turn("3Q 2D", strict_order="enforce"), Place(P), None),
        (turn("3Q 2D", strict_order="enforce"), Place(D), "exact.place.cap"),
        (turn("3Q 2D", strict_order="enforce"), Done(), "exact.done.unplaced"),
        (turn("2Q 4D", strict_order="enforce"), Place(P), None),  # 90 + 25
        (turn("2Q 2D 1N", strict_order="enforce"), Place(P), "exact.place.order"),  # 75 + 25 fits
        (turn("5P", "5P", **bank("10P")), Place(P), "exact.place.bank"),
        (turn("5P", "5P", **bank("10P")), Convert(heap("5P"), N), "exact.convert.bank"),
        (turn("5P", "5P", **bank("11P")), Place(P), None),  # no coin is kept back here
        (turn("3P 1N", "2P", **bank("10P 1N"), strict_order="enforce"), Place(P), None),  # no second nickel
    ],
)
def test_turns(state: ExactState, action: Any, broken: str | None) -> None:
    assert clause(state, action) == broken


# -- swaps ------------------------------------------------------------------------------------------------------------


def test_the_swaps_of_the_rules() -> None:
    """exact.swap.count: 2 nickels for 2 dimes turn 13 : 21 into 23 : 11."""
    state = swapping("3P 2N", "1P 2D")
    assert GAME.to_act(state) == ("heads",)
    assert GAME.write_state(state)["swaps"] == [{"give": "nickel", "take": "dime", "count": 2}]
    state = GAME.apply(state, Swap(N, D))
    assert (state.rows.heads, state.rows.tails) == (heap("3P 2D"), heap("1P 2N"))
    assert (state.phase, state.round) == ("turn", 10)  # Tails may not swap straight back


def test_a_swap_can_take_the_dollar_away() -> None:
    """exact.end.goal: Heads stood at 100, but only what is there after the swaps counts."""
    state = swapping("2Q 5D", "2N 3D")
    assert GAME.to_act(state) == ("tails",)
    state = GAME.apply(state, Swap(N, Q))
    assert (state.rows.heads.cents, state.rows.tails.cents) == (60, 80)
    assert winners(state) is None


def test_no_swap_lifts_a_row_over_the_goal() -> None:
    """exact.swap.cap, for the player who asks and for the other"""
    assert swapping("2Q 4N", "2P 8D").phase == "turn"  # two pennies for two quarters would make 130
    state = swapping("2Q", "2P 2N 4D", goal=95)
    assert GAME.to_act(state) == ("tails",)
    assert clause(state, Swap(P, Q)) == "exact.swap.cap"  # 52 + 48
    assert clause(state, Swap(N, Q)) is None  # 52 + 40
    generous = swapping("2Q", "2P 2N 4D", goal=95, swap_any=True)
    assert GAME.to_act(generous) == ("heads",)
    assert clause(generous, Swap(Q, P)) == "exact.swap.cap"


@pytest.mark.parametrize(
    ("give", "take", "broken"),
    [
        (N, D, None),
        (P, D, "exact.swap.count"),  # 3 against 2
        (P, Q, "exact.swap.count"),  # 3 against none
        (N, N, "exact.swap.same"),
        (D, P, "exact.swap.few"),  # one each
        (Q, P, "exact.swap.count"),
        (Q, N, "exact.swap.few"),  # none against none is no swap either
    ],
)
def test_what_can_be_swapped(give: Denomination, take: Denomination, broken: str | None) -> None:
    assert clause(swapping("3P 2N 1D", "1P 2D"), Swap(give, take)) == broken


def test_a_swap_gains_unless_the_house_does_not_mind() -> None:
    """exact.swap.gain"""
    assert clause(swapping("2D 2P", "2P 2N"), Swap(D, P)) == "exact.swap.gain"
    assert clause(swapping("2D 2P", "2P 2N", swap_any=True), Swap(D, P)) is None


def test_swaps_are_offered_in_the_order_of_the_round() -> None:
    """exact.swap.round: one chance each; the second is worked out after the first."""
    both = ("2P 3N", "2N 3D")  # heads: pennies for nickels, or nickels for dimes
    state = swapping(*both)
    assert GAME.to_act(state) == ("heads",)
    assert clause(state, Done()) == clause(state, Place(P)) == "exact.swap.first"
    assert GAME.to_act(swapping("2D 1P", "2N 2P")) == ("tails",)  # heads has no swap that gains
    crossed = ("2P 2D", "2N 3P")  # heads: pennies for nickels; tails: nickels for dimes
    assert GAME.to_act(swapping(*crossed)) == ("heads",)
    assert GAME.to_act(swapping(*crossed, swap_order="reverse")) == ("tails",)
    assert GAME.to_act(GAME.apply(swapping(*crossed), Skip())) == ("tails",)
    assert GAME.apply(GAME.apply(swapping(*crossed), Skip()), Skip()).phase == "turn"


def test_the_players_may_begin_the_rounds_in_turn() -> None:
    """exact.starter: with round_order whoever played last in a round begins the next one, and may swap first in it."""
    state = GAME.start(GAME.read_options({"round_order": "alternate", "starter": "heads"}))
    state = GAME.apply(state, Toss((Coin.PENNY_HEADS,) * 3 + (Coin.PENNY_TAILS,) * 2))
    begun = [state.mover]
    for _ in range(3):
        state = play(state, [Place(P), Done(), Place(P), Done()])
        begun.append(state.mover)
    assert begun == ["heads", "tails", "heads", "tails"]
    assert state.first == "tails"


def test_a_swap_is_not_undone_in_the_same_round() -> None:
    """exact.swap.back: refused where both rows would lie again as they lay before the other's swap."""
    state = play(swapping("2P 2D", "2N 3Q", swap_any=True), [Swap(P, N)])
    assert GAME.to_act(state) == ("tails",)
    assert clause(state, Swap(P, N)) == "exact.swap.back"
    assert clause(state, Swap(P, D)) is None


def test_the_same_two_kinds_may_be_swapped_again_where_that_undoes_nothing() -> None:
    """exact.swap.back: 2 nickels for 2 dimes make it 3 dimes against 3 nickels, and Tails may swap those."""
    state = GAME.apply(swapping("2N 1D", "1N 2D"), Swap(N, D))
    assert (state.rows.heads, state.rows.tails) == (heap("3D"), heap("3N"))
    assert GAME.write_state(state)["swaps"] == [{"give": "nickel", "take": "dime", "count": 3}]
    again = GAME.read_state(GAME.write_state(state))  # the swap made travels with a printed state
    after = GAME.apply(again, Swap(N, D))
    assert (after.rows.heads, after.rows.tails, after.phase) == (heap("3N"), heap("3D"), "turn")


@pytest.mark.parametrize("action", [Swap(N, D), Skip()])
def test_swaps_wait_for_the_end_of_the_round(action: Any) -> None:
    assert clause(turn("3P 2N", "1P 2D"), action) == "exact.swap.round"


def test_nobody_is_asked_when_the_house_does_not() -> None:
    """exact.swap.refuse, exact.swap.unasked"""
    assert GAME.apply(swapping("3P 2N", "1P 2D"), Swap(N, D)).phase == "turn"
    for action in (Agree(), Refuse()):
        assert clause(swapping("3P 2N", "1P 2D"), action) == "exact.swap.unasked"


def test_consent() -> None:
    """exact.swap.consent: the rows change when the other agrees; refused, the chance is gone."""
    before = swapping("3P 2N", "1P 2D", swap_consent=True)
    asked = GAME.apply(before, Swap(N, D))
    assert asked.rows == before.rows
    assert GAME.to_act(asked) == ("tails",)
    assert clause(asked, Skip()) == clause(asked, Done()) == "exact.swap.consent"
    agreed = GAME.apply(asked, Agree())
    assert agreed.rows.heads == heap("3P 2D")
    refused = GAME.apply(asked, Refuse())
    assert refused.rows == before.rows
    assert refused.phase == agreed.phase == "turn"


# -- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "tails", "expected"),
    [
        ("4Q", "3Q 4P", ["heads"]),  # exact.aim
        ("3Q 4P", "4Q", ["tails"]),
        ("4Q", "10D", ["heads", "tails"]),  # exact.end.tie
        ("3Q 4P", "3Q 4P", None),
    ],
)
def test_endings(heads: str, tails: str, expected: list[str] | None) -> None:
    state = swapping(heads, tails)
    while GAME.phase(state) == "swap":
        state = GAME.apply(state, Skip())
    assert winners(state) == expected


def test_after_two_passes_and_the_swaps_the_game_is_drawn() -> None:
    """exact.end.stuck: nobody wins, however rich the rows are."""
    state = play(turn("8P", "7P", **bank("15P")), [Done(), Done()])
    assert winners(state) == []
    assert GAME.write_state(state)["outcome"]["why"].endswith("no row is worth 10¢: the game is drawn.")


def test_no_game_under_strict_order_is_drawn() -> None:
    """exact.place.order: below the goal something can always be placed."""
    start = GAME.start(GAME.read_options({"strict_order": "enforce"}))
    for seed in range(60):
        *_, (_, end) = random_game(GAME, seed, start=start)
        assert winners(end), f"seed {seed}"


# -- whole games ------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 2**32), swap_any=st.booleans(), consent=st.booleans())
def test_totals_never_pass_the_goal_and_the_sum_only_grows_by_placing(seed: int, swap_any: bool, consent: bool) -> None:
    start = GAME.start(GAME.read_options({"swap_any": swap_any, "swap_consent": consent}))
    game = list(random_game(GAME, seed, start=start))
    totals = [[state.rows[side].cents for side in Side] for _, state in game]
    assert max(map(max, totals)) <= 100
    after_setup = [k for k, (_, state) in enumerate(game[:-1], 1) if state.phase != "setup"]
    for k in after_setup:
        action = game[k][0]
        placed = action.coin.cents if isinstance(action, Place) else 0
        assert sum(totals[k]) - sum(totals[k - 1]) == placed
    assert game[-1][1].round <= 97
    assert 100 in totals[-1]


def test_swaps_offered_are_those_of_a_plain_reading() -> None:
    """A second implementation: compare counts by hand for random rows."""
    dice = Random(8)
    rows = [[dice.randrange(4) for _ in BY_VALUE] for _ in range(900)]
    possible = [row for row in rows if 5 <= Heap(*row).cents <= 100]
    for heads, tails in pairwise(possible):
        state = ExactState(phase="turn", rows=Rows(Heap(*heads), Heap(*tails)), first=Side.HEADS, mover=Side.HEADS)
        expected = set()
        for i, j in permutations(range(4), 2):
            gain = heads[i] * (BY_VALUE[j].cents - BY_VALUE[i].cents)
            if heads[i] == tails[j] >= 2 and gain > 0 and Heap(*heads).cents + gain <= 100:
                expected.add((BY_VALUE[i], BY_VALUE[j]))
        assert {(s.give, s.take) for s in GAME.swaps(state, Side.HEADS)} == expected


def test_every_option_combination_can_be_played() -> None:
    choices: dict[str, list[Any]] = {
        "starter": ["fewer", "tails"],
        "strict_order": ["warn", "enforce"],
        "multi_convert": [False, True],
        "any_equal_convert": [False, True],
        "bank": ["unlimited", "counted"],
        "swap_any": [False, True],
        "swap_order": ["round", "reverse"],
        "round_order": ["same", "alternate"],
        "swap_consent": [False, True],
    }
    for values in Random(3).sample(list(product(*choices.values())), 40):
        options = GAME.read_options(dict(zip(choices, values, strict=True)) | {"goal": 30})
        *_, (_, end) = random_game(GAME, 1, start=GAME.start(options))
        assert end.phase == "over"


# -- states from outside ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"rows": {"heads": {"quarter": 5}, "tails": {"penny": 1}}}, "125 cents"),
        ({"phase": "swap"}, "no swap"),
        ({"phase": "consent"}, "proposal"),
        ({"phase": "steal"}, "phase"),
        ({"swapped": {"by": "heads", "give": "penny", "take": "dime"}}, "swapped"),
        ({"phase": "over", "passes": 2, "swapped": SWAPPED}, "rows do not hold"),
        ({"phase": "over"}, "100 cents"),
    ],
)
def test_impossible_states_are_refused_with_a_word_that_helps(keys: dict[str, Any], word: str) -> None:
    printed = GAME.write_state(turn("4P", "2P")) | keys
    with pytest.raises(InputError, match=word):
        GAME.read_state(printed)
