"""Coin Age scoring: the vectors, tie-breaks, and a second, plain implementation that must always agree."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import EMPTY, Coin, Denomination, Face, Heap
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import tally

HEADS, TAILS = Face.HEADS, Face.TAILS
LETTERS = {"D": "dime", "P": "penny", "N": "nickel", "Q": "quarter", "h": "heads", "t": "tails"}


def tops(text: str) -> dict[str, Coin]:
    """`M1 Ph, M2 Dt` as coins on spaces."""
    pairs = (item.split() for item in text.split(",") if item.strip())
    return {space: Coin(f"{LETTERS[coin[0]]}:{LETTERS[coin[1]]}") for space, coin in pairs}


FULL = "M1 Ph, M2 Dt, M3 Nt, M4 Dh, F1 Pt, F2 Dt, F3 Ph, L1 Dh, L2 Dh, C1 Qh"
RUNNING = "M1 Ph, M2 Pt, C1 Qh, F1 Nt, F2 Dh, L2 Dt"
VECTORS = [
    # name, tops, heads' bank, tails' bank, score, regions with a bonus
    (
        "vector 1",
        FULL,
        Heap(dime=1, penny=1),
        Heap(dime=2, penny=1, nickel=1),
        (19, 14),
        {"F": "tails", "L": "heads", "C": "heads"},
    ),
    (
        "vector 2",
        RUNNING,
        Heap(dime=3, penny=2, nickel=2),
        Heap(dime=3, penny=2, nickel=1, quarter=1),
        (18, 14),
        {"L": "tails", "C": "heads"},
    ),
    ("an empty map", "", Heap(dime=2), EMPTY, (2, 0), {}),
    (
        "coin-age.score.top: the rank of each coin",
        "M1 Dh, M2 Ph, F1 Nt, F2 Qt",
        EMPTY,
        EMPTY,
        (6, 14),
        {"M": "heads", "F": "tails"},
    ),
    ("coin-age.score.region: equal holdings double nothing", "M1 Qh, M2 Dt", EMPTY, EMPTY, (4, 1), {}),
    ("more spaces, not more points, win a region", "M1 Qh, M2 Dt, M3 Dt", EMPTY, EMPTY, (4, 4), {"M": "tails"}),
    ("coin-age.score.bank: one a coin, whatever its rank", "", Heap(quarter=1), Heap(dime=4), (1, 4), {}),
]


@pytest.mark.parametrize(("name", "on", "heads", "tails", "score", "bonus"), VECTORS, ids=[v[0] for v in VECTORS])
def test_vectors(
    name: str, on: str, heads: Heap, tails: Heap, score: tuple[int, int], bonus: Mapping[str, str]
) -> None:
    counted = tally(maps.load("classic"), tops(on), {HEADS: heads, TAILS: tails})
    assert (counted.score[HEADS], counted.score[TAILS]) == score
    assert {key: region.bonus for key, region in counted.regions.items() if region.bonus} == bonus


def test_regions_count_spaces_held() -> None:
    counted = tally(maps.load("classic"), tops(FULL), {HEADS: EMPTY, TAILS: EMPTY})
    held = {key: (region.heads, region.tails) for key, region in counted.regions.items()}
    assert held == {"M": (2, 2), "F": (1, 2), "L": (2, 0), "C": (1, 0)}


TIES = [
    # coin-age.score.tie: equal scores, then the ranks left in the banks
    ("M1 Dh, M2 Dt", Heap(quarter=1), Heap(dime=1), HEADS, "bank ranks"),
    ("M1 Dh, M2 Dt", Heap(dime=1), Heap(penny=1), TAILS, "bank ranks"),
    ("M1 Dh, M2 Dt", Heap(dime=1), Heap(dime=1), None, "draw"),
    ("M1 Dh", EMPTY, EMPTY, HEADS, None),
]


@pytest.mark.parametrize(("on", "heads", "tails", "winner", "tie_break"), TIES)
def test_ties(on: str, heads: Heap, tails: Heap, winner: Face | None, tie_break: str | None) -> None:
    counted = tally(maps.load("classic"), tops(on), {HEADS: heads, TAILS: tails})
    assert (counted.winner, counted.tie_break) == (winner, tie_break)


# -- a second implementation: point by point, side by side ------------------------------------------------------------

WORTH = {"dime": 1, "penny": 2, "nickel": 3, "quarter": 4}


def plain_score(board: maps.Map, on: Mapping[str, Coin], bank: Heap, side: str) -> int:
    """One side's points, counted the way a person would with a finger on the map."""
    points = 0
    for space in board.spaces:
        if space.id not in on or on[space.id].face != side:
            continue
        mates = [on[s.id].face for s in board.spaces if s.region == space.region and s.id in on]
        doubled = 2 * mates.count(Face(side)) > len(mates)
        points += WORTH[on[space.id].denomination] * (1 + doubled)
    return points + bank.penny + bank.nickel + bank.dime + bank.quarter


boards = st.sampled_from(maps.names()).map(maps.load)
heaps = st.builds(Heap, *[st.integers(0, 4)] * 4)


@settings(max_examples=4 * settings().max_examples)  # each takes 2 ms
@given(boards, st.data(), heaps, heaps)
def test_two_ways_of_scoring_agree(board: maps.Map, data: st.DataObject, heads: Heap, tails: Heap) -> None:
    on = data.draw(st.dictionaries(st.sampled_from([space.id for space in board.spaces]), st.sampled_from(Coin)))
    counted = tally(board, on, {HEADS: heads, TAILS: tails})
    assert counted.score[HEADS] == plain_score(board, on, heads, "heads")
    assert counted.score[TAILS] == plain_score(board, on, tails, "tails")
    assert counted.bank_ranks[HEADS] == sum(WORTH[kind] * heads[Denomination(kind)] for kind in WORTH)


@given(boards, st.data(), heaps, heaps)
def test_turning_every_coin_over_swaps_the_scores(
    board: maps.Map, data: st.DataObject, heads: Heap, tails: Heap
) -> None:
    on = data.draw(st.dictionaries(st.sampled_from([space.id for space in board.spaces]), st.sampled_from(Coin)))
    turned = {space: Coin.of(coin.denomination, coin.face.other) for space, coin in on.items()}
    one, other = tally(board, on, {HEADS: heads, TAILS: tails}), tally(board, turned, {HEADS: tails, TAILS: heads})
    assert (one.score[HEADS], one.score[TAILS]) == (other.score[TAILS], other.score[HEADS])
    assert (one.winner and one.winner.other) == other.winner
