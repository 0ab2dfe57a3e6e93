"""The twenty coins of a game settle what one coin alone leaves open."""

from __future__ import annotations

import pytest

from tablecoin.coins import Denomination, Heap
from tablecoin.photos.inventory import Chances, Spot, settled

PENNY, NICKEL, DIME, QUARTER = Denomination.PENNY, Denomination.NICKEL, Denomination.DIME, Denomination.QUARTER
EITHER: Chances = {PENNY: 0.5, DIME: 0.5}
ALL_BUT_A_DIME = Heap(penny=6, nickel=4, dime=7, quarter=2)


def alone(chances: Chances, known: Heap, on_space: bool = True, all_in_view: bool = True) -> dict[str, float]:
    """The posterior of one spot, with the other coins of the table known."""
    ((found),) = settled([Spot(chances, on_space)], known, all_in_view)
    return {str(kind): round(chance, 2) for kind, chance in found.items()}


@pytest.mark.parametrize(
    ("known", "dime"),
    [
        (ALL_BUT_A_DIME, 1.0),  # a seventh penny would be one too many
        (Heap(penny=5, nickel=4, dime=7, quarter=2), 0.97),  # a penny may lie below the dime; a dime hides below none
        (Heap(penny=4, nickel=4, dime=8, quarter=2), 0.09),  # all eight dimes are seen: a ninth would be too many
        (Heap(penny=2, nickel=1), 0.5),  # most coins are elsewhere: the inventory says nothing
    ],
)
def test_a_coin_is_what_the_game_still_lacks(known: Heap, dime: float) -> None:
    assert alone(EITHER, known)["dime"] == pytest.approx(dime, abs=0.01)


def test_without_the_banks_nothing_is_missed() -> None:
    assert alone(EITHER, Heap(penny=5, dime=7), all_in_view=False) == {"penny": 0.5, "dime": 0.5}


def test_a_coin_below_another_is_larger_and_every_stack_hides_one_of_a_kind() -> None:
    """Of a quarter and a nickel one is left over: only the quarter can lie below the other."""
    left = Heap(penny=6, nickel=3, dime=8, quarter=1)
    assert alone({QUARTER: 0.5, NICKEL: 0.5}, left)["nickel"] == pytest.approx(0.97, abs=0.01)
    left = Heap(penny=5, nickel=3, dime=8, quarter=2)
    assert alone({NICKEL: 0.5, PENNY: 0.5}, left)["penny"] == pytest.approx(0.97, abs=0.01)
    assert alone({NICKEL: 0.5, PENNY: 0.5}, left, on_space=False)["penny"] == 0.5  # nothing hides in a bank


def test_two_doubtful_coins_settle_each_other() -> None:
    """One of them is the last dime and the other a penny; the surer one decides."""
    first, second = settled(
        [Spot({PENNY: 0.9, DIME: 0.1}, on_space=False), Spot(EITHER, on_space=False)],
        Heap(penny=5, nickel=4, dime=7, quarter=2),
    )
    assert first[PENNY] == pytest.approx(0.9, abs=0.02)
    assert second[DIME] == pytest.approx(0.9, abs=0.02)


def test_what_looks_sure_stays_though_a_coin_is_missing() -> None:
    assert alone({PENNY: 0.999, DIME: 0.001}, Heap(penny=4, nickel=4, dime=7, quarter=2))["penny"] > 0.95


def test_of_twenty_doubtful_coins_only_the_likeliest_counts_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablecoin.photos.inventory.MOST_STATES", 200)
    even: Chances = dict.fromkeys((PENNY, NICKEL, DIME, QUARTER, None), 0.2)
    found = settled([Spot(even, on_space=number % 2 == 0) for number in range(20)])
    assert all(sum(chances.values()) == pytest.approx(1) for chances in found)
