"""Steal, clause by clause. Coins are written as in the rulebook: 2D 1N is two dimes and a nickel."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.game import IllegalAction, InputError, Pile
from tablecoin.rules.random_play import random_game
from tablecoin.rules.rows import Add, Convert, Done, Flip, Place, Side, Take
from tablecoin.rules.steal import GAME, Break, Keep, StealState
from tablecoin.rules.toss import tosses

LETTERS = dict(zip("PNDQ", BY_VALUE, strict=True))
P, N, D, Q = BY_VALUE
HEADS, TAILS = Side.HEADS, Side.TAILS


def heap(text: str) -> Heap:
    """`5P 2D` -> five pennies, two dimes; an empty text is an empty heap."""
    return Heap.of(LETTERS[k] for n, k in re.findall(r"(\d+)([PNDQ])", text) for _ in range(int(n)))


def faces(text: str) -> tuple[Coin, ...]:
    """`Qt Dh` -> a quarter showing tails and a dime showing heads."""
    return tuple(
        Coin.of(LETTERS[k], Face.HEADS if f == "h" else Face.TAILS) for k, f in re.findall(r"([PNDQ])([ht])", text)
    )


def turn(mine: str, theirs: str = "1P", *, placed: bool = False, converted: bool = False, **options: Any) -> StealState:
    """Heads is to play the first turn of a round, with `mine` against `theirs`."""
    rows = {"heads": counts(mine), "tails": counts(theirs)}
    flags = {"placed": placed, "converted": converted}
    return GAME.read_state({"rows": rows, "to_act": ["heads"], "first": "heads", "turn": flags, "options": options})


def ending(heads: str, tails: str, **keys: Any) -> StealState:
    """The end of a round, with the steal's toss due."""
    rows = {"heads": counts(heads), "tails": counts(tails)}
    return GAME.read_state({"phase": "steal", "rows": rows, "first": "heads", "round": 5, **keys})


def counts(text: str) -> dict[str, int]:
    return {kind.value: heap(text)[kind] for kind in BY_VALUE}


def play(state: StealState, actions: Iterable[Any]) -> StealState:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def clause(state: StealState, action: Any) -> str | None:
    try:
        GAME.apply(state, action)
    except IllegalAction as refused:
        return refused.clause
    return None


def reach(state: StealState) -> set[Heap]:
    """The rows in which the mover's turn can end."""
    ends, waiting = set(), [state]
    for here in waiting:
        for action in GAME.legal_actions(here):
            if isinstance(action, Done):
                ends.add(here.rows.heads)
            else:
                waiting.append(GAME.apply(here, action))
    return ends


# -- 1: the setup -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", range(6))
def test_setup_deals_the_pennies_by_their_faces(heads: int) -> None:
    """steal.setup, steal.starter: each side gets the pennies showing it; the side with fewer begins."""
    state = GAME.start(GAME.read_options({}))
    assert GAME.flips_due(state) == {"tray": heap("5P")}
    assert GAME.to_act(state) == ("table",)
    state = GAME.apply(state, Flip(faces("Ph" * heads + "Pt" * (5 - heads))))
    assert (state.rows.heads, state.rows.tails) == (Heap(penny=heads), Heap(penny=5 - heads))
    assert GAME.to_act(state) == (("heads",) if heads < 3 else ("tails",))


@pytest.mark.parametrize("starter", ["heads", "tails"])
@pytest.mark.parametrize("heads", range(6))
def test_a_chosen_starter_begins_every_round(starter: str, heads: int) -> None:
    """steal.starter"""
    state = GAME.start(GAME.read_options({"starter": starter}))
    state = GAME.apply(state, Flip(faces("Ph" * heads + "Pt" * (5 - heads))))
    for _ in range(3):
        assert GAME.to_act(state) == (starter,)
        state = play(state, [Place(P), Done(), Place(P), Done()])
        if state.phase == "steal":
            state = GAME.apply(state, next(f for f in map(Flip, tosses(GAME.flip_due(state) or Heap()))))


@pytest.mark.parametrize(
    ("coins", "broken"),
    [
        ("PhPhPhPhPt", None),
        ("PhPhPhPh", "steal.flip.coins"),  # one rolled off the table
        ("PhPhPhPhPtPt", "steal.flip.coins"),  # one too many
        ("PhPhPhPhNt", "steal.flip.coins"),  # a nickel among them
        ("", "steal.flip.coins"),
    ],
)
def test_only_the_coins_called_for_count(coins: str, broken: str | None) -> None:
    assert clause(GAME.start(GAME.read_options({})), Flip(faces(coins))) == broken


@pytest.mark.parametrize("action", [Place(P), Convert(heap("5P"), N), Done(), Keep(), Break(heap("5P"))])
def test_nothing_is_played_while_a_toss_is_due(action: Any) -> None:
    assert clause(GAME.start(GAME.read_options({})), action) == "steal.flip.first"
    assert clause(ending("5P", "1P"), action) == "steal.flip.first"


def test_no_toss_in_a_turn() -> None:
    assert clause(turn("5P"), Flip(faces("PhPhPhPhPh"))) == "steal.flip.none"


# -- 2 and 3: placing and converting ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "ends"),
    [
        ("5P", ["6P", "1P 1N", "2N"]),
        ("", ["1P"]),
        ("4P", ["5P", "1N"]),
        ("1N", ["1P 1N", "2N", "1D"]),
        ("1N 2D", ["1P 1N 2D", "2N 2D", "1N 3D", "1P 1Q", "1N 1Q", "3D", "1D 1Q", "2Q"]),
    ],
)
def test_what_a_turn_can_reach(row: str, ends: list[str]) -> None:
    """steal.turn: one coin placed, and one conversion before or after it, or none."""
    assert reach(turn(row)) == set(map(heap, ends))


@pytest.mark.parametrize(
    ("row", "allowed"),
    [("", "P"), ("3P", "P"), ("3P 1N", "PN"), ("1D", "PND"), ("1Q", "PNDQ"), ("5P 1N 1D 1Q", "PNDQ")],
)
def test_the_highest_coin_in_the_row_is_the_limit(row: str, allowed: str) -> None:
    """steal.place.limit, steal.place.first"""
    for letter, coin in LETTERS.items():
        expected = None if letter in allowed else "steal.place.limit" if row else "steal.place.first"
        assert clause(turn(row), Place(coin)) == expected


def test_the_limit_is_the_highest_coin_now() -> None:
    """steal.place.limit: a conversion raises it in the same turn, a lost coin lowers it."""
    raised = GAME.apply(turn("5P"), Convert(heap("5P"), N))
    assert clause(raised, Place(N)) is None
    assert clause(turn("5P"), Place(N)) == "steal.place.limit"


@pytest.mark.parametrize(
    ("state", "action", "broken"),
    [
        (turn("3P", placed=True), Place(P), "steal.place.twice"),
        (turn("3P"), Done(), "steal.done.unplaced"),
        (turn("3P", placed=True), Done(), None),
        (turn("10P"), Convert(heap("10P"), D), "steal.convert.recipe"),
        (turn("5N"), Convert(heap("5N"), Q), "steal.convert.recipe"),
        (turn("10P"), Convert(heap("10P"), N), "steal.convert.recipe"),
        (turn("2D"), Convert(heap("2D"), Q), "steal.convert.recipe"),
        (turn("1N"), Convert(heap(""), N), "steal.convert.recipe"),
        (turn("4P"), Convert(heap("5P"), N), "steal.convert.coins"),
        (turn("4P", "5P"), Convert(heap("5P"), N), "steal.convert.coins"),  # the other's pennies
        (turn("6P 1N", converted=True), Convert(heap("5P"), N), "steal.convert.twice"),
        (turn("5P 1N", placed=True), Convert(heap("5P"), N), None),  # after placing
        (turn("5P 2D"), Convert(heap("5P 2D"), Q), None),
        (turn("1N 2D"), Convert(heap("1N 2D"), Q), None),
        (turn("2N"), Convert(heap("2N"), D), None),
        # house rules
        (turn("6P 1N", converted=True, multi_convert=True), Convert(heap("5P"), N), None),
        (turn("10P", any_equal_convert=True), Convert(heap("10P"), D), None),
        (turn("5N", any_equal_convert=True), Convert(heap("5N"), Q), None),
        (turn("5N", any_equal_convert=True), Convert(heap("4N"), Q), "steal.convert.equal"),
        (turn("1Q", any_equal_convert=True), Convert(heap("1Q"), Q), "steal.convert.equal"),
        (turn("3P 1D", strict_order="enforce"), Place(P), "steal.place.order"),
        (turn("3P 1D", strict_order="enforce"), Place(D), None),
        (turn("5P 1D", strict_order="enforce"), Convert(heap("5P"), N), "steal.convert.order"),
        (turn("3P 1D", strict_order="warn"), Place(P), None),
        (turn("3P 1D", strict_order="off"), Place(P), None),
    ],
)
def test_turns(state: StealState, action: Any, broken: str | None) -> None:
    assert clause(state, action) == broken


def test_a_lower_coin_is_told_to_be_slotted_in_unless_the_house_says_not_to() -> None:
    """steal.place.order"""
    assert GAME.tell(turn("3P 1D"), Place(P)).key == "steal.did.place.order"
    assert GAME.tell(turn("3P 1D", strict_order="off"), Place(P)).key == "steal.did.place"
    assert GAME.tell(turn("3P 1D"), Place(D)).key == "steal.did.place"


# -- the counted bank -------------------------------------------------------------------------------------------------


def counted(mine: str, theirs: str, bank: str, **flags: bool) -> StealState:
    return turn(mine, theirs, **flags, bank="counted", bank_coins=counts(bank))


@pytest.mark.parametrize(
    ("state", "action", "broken"),
    [
        # of 8 pennies 5 lie in the rows and one is kept back for the tosses
        (counted("4P", "1P", "8P 1N 1D 1Q"), Place(P), None),
        (counted("5P", "2P", "8P 1N 1D 1Q"), Place(P), "steal.place.bank"),
        (counted("5P", "2P", "8P 1N 1D 1Q"), Convert(heap("5P"), N), "steal.convert.bank"),
        (counted("5P", "2P", "8P 2N 1D 1Q"), Convert(heap("5P"), N), None),
        (counted("5P", "2P", "8P 1N 1D 1Q"), Done(), None),  # nothing placeable, even after converting: a pass
        (counted("5P", "2P", "8P 2N 1D 1Q"), Done(), "steal.done.unplaced"),  # convert, and a penny is free
    ],
)
def test_a_counted_bank_can_run_out(state: StealState, action: Any, broken: str | None) -> None:
    assert clause(state, action) == broken


def test_a_round_of_two_passes_ends_the_game() -> None:
    """steal.end.stuck: the more valuable row wins, after the round's steal."""
    state = counted("5P", "2P", "8P 1N 1D 1Q")
    state = play(state, [Done(), Done(), Flip(faces("Pt"))])
    assert GAME.outcome(state) is not None
    assert GAME.write_state(state)["outcome"]["winners"] == ["heads"]


def test_the_bank_lies_on_the_mat_only_when_it_is_counted() -> None:
    """Conservation: rows and bank together are always the whole bank."""
    state = counted("4P", "1P", "20P 10N 22D 10Q")
    assert GAME.layout(state)["bank"] == Pile(heap("15P 10N 22D 10Q"))
    assert "bank" not in GAME.layout(turn("4P"))


def test_a_break_needs_the_coins_in_the_bank() -> None:
    state = ending("1Q", "5P", options={"bank": "counted", "bank_coins": counts("8P 3N 3D 2Q")})
    state = GAME.apply(state, Flip(faces("QhDtNtPt")))
    assert state.phase == "break"
    assert clause(state, Break(heap("25P"))) == "steal.break.bank"
    assert clause(state, Break(heap("1N 2D"))) is None


# -- 4: rows are touched only as the rules say ------------------------------------------------------------------------


@pytest.mark.parametrize("state", [turn("3P 1N", "2P"), ending("5P", "1P"), GAME.start(GAME.read_options({}))])
def test_meddling_is_refused(state: StealState) -> None:
    assert clause(state, Add(P, TAILS)) == "steal.row.add"
    assert clause(state, Take(P, HEADS)) == "steal.row.take"


@pytest.mark.parametrize(
    ("action", "row", "broken"),
    [
        (Place(Q), "3P 1N 1Q", "steal.place.limit"),
        (Convert(heap("3P"), N), "2N", None),  # nobody imagines three pennies for a nickel
        (Take(N, HEADS), "3P", "steal.row.take"),
        (Break(heap("5P")), "8P", "steal.break.none"),
    ],
)
def test_mistakes_are_imagined_as_the_table_would_show_them(action: Any, row: str, broken: str | None) -> None:
    state = turn("3P 1N", "2P")
    imagined = [
        a for a in GAME.imaginable_actions(state) if GAME.imagined_layout(state, a)["row.heads"].heap == heap(row)
    ]
    assert (action in imagined) is (broken is not None)
    if broken:
        assert clause(state, action) == broken


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
    assert GAME.flip_due(state) == (heap(due) if due else None)
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
        state = GAME.apply(ending(heads, tails), Flip(shuffled))
        assert (state.rows.heads, state.rows.tails) == tuple(map(heap, after))


def test_the_chance_to_decide_halves_from_coin_to_coin() -> None:
    """steal.steal.decide: of 16 results the quarter decides 8, the dime 4, the nickel 2, the penny 1."""
    state, decided = ending("1P 1N 1D 1Q", "1P"), []
    for coins in tosses(heap("1P 1N 1D 1Q")):
        after = GAME.apply(state, Flip(coins))
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
    state = GAME.apply(ending("1N 1D 2Q", "1Q 3P"), Flip(faces(toss)))
    assert GAME.to_act(state) == ("tails",)
    assert clause(state, Break(heap(into))) == broken
    if broken is None:
        after = GAME.apply(state, Break(heap(into)))
        assert after.rows.tails.cents == state.rows.tails.cents
        assert after.turn.converted is False


def test_breaking_one_step() -> None:
    state = ending("2Q", "3P", options={"break_one_step": True})
    state = GAME.apply(state, Flip(faces("QhDtNtPt")))
    assert clause(state, Break(heap("25P"))) == "steal.break.step"
    assert clause(state, Break(heap("1N 2D"))) is None
    assert list(GAME.legal_actions(state)) == [Break(heap("1N 2D")), Keep()]


def test_play_waits_for_the_receiver() -> None:
    state = GAME.apply(ending("2Q", "3P"), Flip(faces("QhDtNtPt")))
    assert GAME.write_state(state)["steal"] == {"coin": "quarter", "from": "heads", "to": "tails"}
    for action in (Place(P), Done(), Convert(heap("5P"), N)):
        assert clause(state, action) == "steal.break.first"
    state = GAME.apply(state, Keep())
    assert (state.phase, state.round, state.steal) == ("turn", 6, None)
    assert clause(state, Keep()) == "steal.break.none"


def test_a_stolen_penny_leaves_nothing_to_choose() -> None:
    state = GAME.apply(ending("5P", "1P"), Flip(faces("Ph")))
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
        ("4Q", "2N 9D", "QtDtNtPt", [Flip(faces("QtDtNtPt"))], ["heads", "tails"]),
        ("4Q", "2N 9D", "QtDtNtPt", [Flip(faces("QhDtNtPt")), Keep()], ["tails"]),
        ("4Q", "4Q", "QhDtNtPt", [Flip(faces("QhDtNtPt"))], ["heads", "tails"]),
    ],
)
def test_endings(heads: str, tails: str, coins: str, answers: list[Any], winners: list[str] | None) -> None:
    state = play(ending(heads, tails), [Flip(faces(coins)), *answers])
    outcome = GAME.write_state(state)["outcome"]
    assert (outcome and outcome["winners"]) == winners


def test_tie_house_rules() -> None:
    """steal.end.tie"""
    level = Flip(faces("QtDtNtPt"))
    none = GAME.apply(ending("4Q", "2N 9D", options={"tie_flips": 0}), level)
    assert none.phase == "over"
    until = ending("4Q", "2N 9D", options={"tie_flips": "until"})
    for _ in range(5):
        until = GAME.apply(until, level)
        assert until.phase == "steal"
    assert GAME.apply(GAME.apply(until, Flip(faces("QhDtNtPt"))), Keep()).phase == "over"
    same = GAME.apply(ending("4Q", "4Q", options={"tie_flips": "until"}), level)
    assert same.phase == "over"  # no steal could ever part them


def test_a_shorter_goal() -> None:
    """steal.aim"""
    state = GAME.apply(ending("2D", "3P", options={"goal": 20}), Flip(faces("DtNtPt")))
    assert GAME.write_state(state)["outcome"]["winners"] == ["heads"]


# -- whole games ------------------------------------------------------------------------------------------------------


def test_penny_hoarders_take_exactly_97_rounds() -> None:
    """Nobody does worse: the rows grow by 2 cents a round at least, and end together below 200."""
    state = play(GAME.start(GAME.read_options({})), [Flip(faces("PhPhPtPtPt"))])
    while GAME.outcome(state) is None:
        if due := GAME.flip_due(state):
            (*_, all_heads) = tosses(due)
            state = GAME.apply(state, Flip(all_heads))
        else:
            state = play(state, [Place(P), Done()])
    assert state.round == 97


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_rows_grow_by_two_cents_a_round_and_steals_keep_the_sum(seed: int) -> None:
    before = None
    for action, state in random_game(GAME, seed):
        total = state.rows.heads.cents + state.rows.tails.cents
        if before is not None and state.phase != "setup" and before.phase != "setup":
            grown = total - before.rows.heads.cents - before.rows.tails.cents
            assert grown == (action.coin.cents if isinstance(action, Place) else 0)
        before = state
    assert before is not None
    assert before.round <= 97
    assert total >= 5 + 2 * (before.round - 1)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_a_counted_bank_conserves_every_coin(seed: int) -> None:
    options = GAME.read_options({"bank": "counted", "goal": 40})
    for _, state in random_game(GAME, seed, start=GAME.start(options)):
        left = GAME.bank_left(state)
        assert left is not None
        assert state.rows.heads + state.rows.tails + left == options.bank_coins
        if state.phase != "setup":
            assert GAME.reserve in left


def test_every_line_of_a_tiny_game_ends() -> None:
    """An exhaustive walk: goal 10 cents, every flip, every choice; no state without a way on, and no way around."""
    start = GAME.start(GAME.read_options({"goal": 10}))
    seen, waiting, over = {start}, [start], 0
    while waiting:
        state = waiting.pop()
        actions = list(GAME.legal_actions(state))
        over += not actions
        assert bool(actions) is (GAME.outcome(state) is None)
        for action in actions:
            after = GAME.apply(state, action)
            assert after.round >= state.round
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert over > 50
    assert len(seen) > 1000


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
    choices = {
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
