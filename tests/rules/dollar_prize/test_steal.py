"""Steal, clause by clause. Coins are written as in the rulebook: 2D 1N is two dimes and a nickel."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.coins import Heap
from tablecoin.rules.dollar_prize.rows import Add, Convert, Done, Place, Take, Toss
from tablecoin.rules.dollar_prize.steal import GAME, Break, Keep, StealState
from tablecoin.rules.game import IllegalAction, Pile
from tablecoin.rules.toss import possible_results
from tests.rules.dollar_prize.steal_rows import (
    HEADS,
    LETTERS,
    TAILS,
    D,
    N,
    P,
    Q,
    clause,
    counts,
    ending,
    faces,
    heap,
    play,
    reach,
    turn,
)

# -- 1: the setup -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", range(6))
def test_setup_deals_the_pennies_by_their_faces(heads: int) -> None:
    """steal.setup, steal.starter: each side gets the pennies showing it; the side with fewer begins."""
    state = GAME.start(GAME.read_options({}))
    assert GAME.tosses_due(state) == {"tray": heap("5P")}
    assert GAME.to_act(state) == ("table",)
    state = GAME.apply(state, Toss(faces("Ph" * heads + "Pt" * (5 - heads))))
    assert (state.rows.heads, state.rows.tails) == (Heap(penny=heads), Heap(penny=5 - heads))
    assert GAME.to_act(state) == (("heads",) if heads < 3 else ("tails",))


@pytest.mark.parametrize("starter", ["heads", "tails"])
@pytest.mark.parametrize("heads", range(6))
def test_a_chosen_starter_begins_every_round(starter: str, heads: int) -> None:
    """steal.starter"""
    state = GAME.start(GAME.read_options({"starter": starter}))
    state = GAME.apply(state, Toss(faces("Ph" * heads + "Pt" * (5 - heads))))
    for _ in range(3):
        assert GAME.to_act(state) == (starter,)
        state = play(state, [Place(P), Done(), Place(P), Done()])
        if state.phase == "steal":
            state = GAME.apply(state, next(f for f in map(Toss, possible_results(GAME.toss_due(state) or Heap()))))


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
    assert clause(GAME.start(GAME.read_options({})), Toss(faces(coins))) == broken


@pytest.mark.parametrize("action", [Place(P), Convert(heap("5P"), N), Done(), Keep(), Break(heap("5P"))])
def test_nothing_is_played_while_a_toss_is_due(action: Any) -> None:
    assert clause(GAME.start(GAME.read_options({})), action) == "steal.flip.first"
    assert clause(ending("5P", "1P"), action) == "steal.flip.first"


def test_no_toss_in_a_turn() -> None:
    assert clause(turn("5P"), Toss(faces("PhPhPhPhPh"))) == "steal.flip.none"


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


@pytest.mark.parametrize(("order", "reminded"), [("off", False), ("warn", True), ("enforce", True)])
def test_people_are_reminded_of_the_order_of_a_row_unless_the_house_says_not_to(order: str, reminded: bool) -> None:
    layout = GAME.layout(turn("3P 1D", strict_order=order))
    assert {zone: layout[zone].rises for zone in ("row.heads", "row.tails")} == dict.fromkeys(
        ("row.heads", "row.tails"), reminded
    )


# -- the counted bank -------------------------------------------------------------------------------------------------


def counted(mine: str, theirs: str, bank: str, goal: int = 10) -> StealState:
    return turn(mine, theirs, bank="counted", bank_coins=counts(bank), goal=goal)


@pytest.mark.parametrize(
    ("state", "action", "broken"),
    [
        # of 16 pennies one is kept back for the tosses
        (counted("8P", "6P", "16P 1N 1D 1Q"), Place(P), None),
        (counted("8P", "7P", "16P 1N 1D 1Q"), Place(P), "steal.place.bank"),
        (counted("8P", "7P", "16P 1N 1D 1Q"), Convert(heap("5P"), N), "steal.convert.bank"),
        (counted("8P", "7P", "16P 2N 1D 1Q"), Convert(heap("5P"), N), None),
        (counted("8P", "7P", "16P 1N 1D 1Q"), Done(), None),  # nothing placeable, even after converting: a pass
        (counted("8P", "7P", "16P 2N 1D 1Q"), Done(), "steal.done.unplaced"),  # convert, and a penny is free
    ],
)
def test_a_counted_bank_can_run_out(state: StealState, action: Any, broken: str | None) -> None:
    assert clause(state, action) == broken


FEW_PENNIES = {"bank": "counted", "bank_coins": counts("8P 4N 2D 1Q"), "goal": 30}


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (counted("8P", "7P", "16P 1N 1D 1Q"), Place(P)),
        (counted("8P", "7P", "16P 1N 1D 1Q"), Convert(heap("5P"), N)),
        (GAME.apply(ending("1D", "5P", options=FEW_PENNIES), Toss(faces("DhNtPt"))), Break(heap("10P"))),
    ],
)
def test_a_coin_that_lies_in_the_bank_for_the_tosses_is_not_said_to_be_missing(state: StealState, action: Any) -> None:
    bank = GAME.bank_left(state)
    assert bank is not None
    assert min(bank.counts) >= 1
    with pytest.raises(IllegalAction, match="stays for the tosses"):
        GAME.apply(state, action)


def test_after_two_passes_and_the_steal_the_game_is_drawn() -> None:
    """steal.end.stuck: the steal of the round is still played; then nobody wins, however rich the rows are."""
    state = play(counted("8P", "7P", "16P 1N 1D 1Q"), [Done(), Done()])
    assert (state.phase, GAME.toss_due(state)) == ("steal", heap("1P"))
    state = GAME.apply(state, Toss(faces("Ph")))
    assert GAME.write_state(state)["totals"] == {"heads": 7, "tails": 8}
    assert GAME.write_state(state)["outcome"] == {
        "winners": [],
        "why": "Nobody can place a coin any more, and no row is worth 10¢: the game is drawn.",
    }


def test_a_steal_may_let_somebody_place_again_after_two_passes() -> None:
    """steal.end.stuck: neither row can be converted, until the stolen dime makes Heads' nickel and dimes a quarter."""
    state = play(counted("3P 1N 1D", "2P 2D", "6P 2N 4D 3Q", goal=80), [Done(), Done()])
    decided = {coins: GAME.apply(state, Toss(faces(coins))) for coins in ("DhNtPt", "DtNtPt")}
    assert decided["DhNtPt"].phase == "turn"
    assert GAME.can_place(decided["DhNtPt"])
    assert GAME.write_state(decided["DtNtPt"])["outcome"]["winners"] == []  # nothing was stolen


def test_the_bank_lies_on_the_mat_only_when_it_is_counted_and_has_room_there() -> None:
    """Conservation: rows and bank together are always the whole bank."""
    state = counted("4P", "1P", "7P 2N 1D 2Q", goal=20)
    assert GAME.layout(state)["bank"] == Pile(heap("2P 2N 1D 2Q"))
    assert "bank" not in GAME.layout(counted("4P", "1P", "8P 2N 1D 2Q", goal=20))
    assert "bank" not in GAME.layout(turn("4P"))


def test_a_break_needs_the_coins_in_the_bank() -> None:
    state = ending("1Q", "5P", options={"bank": "counted", "bank_coins": counts("8P 3N 3D 2Q"), "goal": 60})
    state = GAME.apply(state, Toss(faces("QhDtNtPt")))
    assert state.phase == "break"
    assert clause(state, Break(heap("25P"))) == "steal.break.bank"
    assert clause(state, Break(heap("1N 2D"))) is None


# -- 4: rows are touched only as the rules say ------------------------------------------------------------------------


@pytest.mark.parametrize("state", [turn("3P 1N", "2P"), ending("5P", "1P"), GAME.start(GAME.read_options({}))])
def test_meddling_is_refused(state: StealState) -> None:
    assert clause(state, Add(P, TAILS)) == "steal.row.add"
    assert clause(state, Take(P, HEADS)) == "steal.row.take"


def imagined(state: StealState, row: str) -> list[Any]:
    """The imaginable actions after which the row of heads is `row`."""
    actions = GAME.imaginable_actions(state)
    return [each for each in actions if GAME.imagined_layout(state, each)["row.heads"].heap == heap(row)]


@pytest.mark.parametrize(
    ("action", "row", "broken"),
    [
        (Place(Q), "3P 1N 1Q", "steal.place.limit"),
        (Take(N, HEADS), "3P", "steal.row.take"),
        (Break(heap("5P")), "8P", "steal.break.none"),
    ],
)
def test_mistakes_are_imagined_as_the_table_would_show_them(action: Any, row: str, broken: str) -> None:
    state = turn("3P 1N", "2P")
    assert action in imagined(state, row)
    assert clause(state, action) == broken


def test_nobody_imagines_three_pennies_for_a_nickel() -> None:
    assert Convert(heap("3P"), N) not in imagined(turn("3P 1N", "2P"), "2N")
