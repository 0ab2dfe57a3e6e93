"""Pennies of the ring paid wrongly, shoved, taken or added: which clause is broken, and when it may yet come right."""

from __future__ import annotations

import pytest

from tablecoin import rules
from tablecoin.coins import Heap
from tablecoin.rules.goes_around.game import Commit, GoesAroundState, Reveal
from tablecoin.rules.goes_around.pennies import as_layout, payments
from tablecoin.rules.rulebook import LANGUAGES

GAME = rules.load("goes-around")


def played(*choices: Commit, start: int = 5) -> tuple[GoesAroundState, GoesAroundState]:
    """The states before and after one reveal among as many players as choices."""
    state = GAME.start(GAME.read_options({"players": len(choices), "start": start}))
    for choice in choices:
        state = GAME.apply(state, choice)
    return state, GAME.apply(state, Reveal())


# Seat 1 takes 2 from seat 2; seat 3 wants 4 from seat 4, which protects: banks 7, 3, 1, 5, and 4 in the sink
ROUND = played(Commit("1", "steal", "2", 2), Commit("2", "pass"), Commit("3", "steal", "4", 4), Commit("4", "protect"))
CASES = [
    ("as it was told", (7, 3, 1, 5, 4), None),
    ("nothing paid yet", (5, 5, 5, 5, 0), None),
    ("half of it paid", (6, 4, 3, 5, 2), None),
    ("a penny in the hand", (6, 3, 1, 5, 4), None),
    ("a penny too many", (8, 2, 1, 5, 4), "goes-around.result.success"),
    ("the wrong way", (3, 7, 1, 5, 4), "goes-around.result.success"),
    ("from the wrong bank", (7, 5, 1, 3, 4), "goes-around.result.success"),
    ("into the sink", (5, 3, 1, 5, 6), "goes-around.result.success"),
    ("the penalty paid to the one who protected", (7, 3, 1, 9, 0), "goes-around.result.penalty"),
    ("a penny too many into the sink", (7, 3, 0, 5, 5), "goes-around.result.penalty"),
    ("everything at once", (9, 1, 0, 6, 4), "goes-around.pennies"),
    ("a penny out of somebody's pocket", (7, 3, 1, 6, 4), "goes-around.pennies"),
    ("a penny gone from a bank that owes nothing", (7, 3, 1, 4, 4), "bank.taken"),
    ("swept off from several banks", (4, 3, 0, 4, 4), None),
]


@pytest.mark.parametrize(("what", "counts", "clause"), CASES, ids=[case[0] for case in CASES])
def test_what_is_wrong_after_a_reveal(what: str, counts: tuple[int, ...], clause: str | None) -> None:
    before, after = ROUND
    zones = ("bank.1", "bank.2", "bank.3", "bank.4", "sink")
    seen = {zone: Heap(penny=count) for zone, count in zip(zones, counts, strict=True)}
    broken = GAME.misplaced(after, GAME.layout(before), seen)
    assert (broken and broken.clause) == clause
    assert "{" not in "".join(broken.why(language) for language in LANGUAGES if broken)


def test_between_reveals_no_penny_moves() -> None:
    _, after = ROUND
    was = GAME.layout(after)
    seen = {zone: pile.heap for zone, pile in was.items()}
    assert GAME.misplaced(after, was, seen) is None
    moved = seen | {"bank.1": Heap(penny=6), "bank.4": Heap(penny=6)}
    broken = GAME.misplaced(after, was, moved)
    assert broken
    assert broken.clause == "goes-around.pennies"


def test_the_payments_of_a_round_lead_from_the_old_banks_to_the_new() -> None:
    """Also where somebody is out: whoever cannot pay the whole penalty pays what is there (clause 6.1)."""
    out = played(Commit("1", "steal", "2", 4), Commit("2", "protect"), Commit("3", "steal", "1", 4))
    for before, after in (ROUND, out):
        was, deeds = GAME.layout(before), [player.last for player in after.players]
        counts = {zone: len(pile.heap) for zone, pile in was.items()}
        for payment in payments(was, deeds):
            counts[payment.giver] -= payment.amount
            counts[payment.taker] += payment.amount
        assert as_layout(counts) == GAME.layout(after)


def test_what_is_left_of_a_player_who_is_out_goes_to_the_sink() -> None:
    """By the house rule strict_wipeout a thief who is robbed of everything is out, gain and all."""
    state = GAME.start(GAME.read_options({"players": 3, "start": 5, "strict_wipeout": True}))
    for choice in (Commit("1", "steal", "2", 5), Commit("2", "steal", "3", 3), Commit("3", "pass")):
        state = GAME.apply(state, choice)
    after = GAME.apply(state, Reveal())
    deed = after.player("2").last
    assert deed
    assert deed.out == "wiped"
    given = {"bank.1": 13, "bank.2": 0, "bank.3": 2, "sink": 0}  # what seat 2 won went to its thief too
    seen = {zone: Heap(penny=count) for zone, count in given.items()}
    broken = GAME.misplaced(after, GAME.layout(state), seen)
    assert broken
    assert broken.clause == "goes-around.out.money"
