"""Setting the virtual table: every zone holds its pile of the layout, and nothing else was touched."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin import mat as mats
from tablecoin.coins import Coin, Heap
from tablecoin.rules.game import Pile
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import VirtualTable

few = st.integers(0, 4)
heaps = st.builds(Heap, few, few, few, few)
coins = st.lists(st.sampled_from(Coin), max_size=8)


def lying(table: VirtualTable, zone: str) -> Counter[Coin]:
    return Counter(c.coin for c in table.scene.coins if table.mat.zone_at(c.x_mm, c.y_mm) == zone)


@settings(max_examples=30, deadline=None)
@given(before=coins, rows=heaps, tray=coins)
def test_every_zone_named_holds_its_pile(before: list[Coin], rows: Heap, tray: list[Coin]) -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    for coin in before:
        table.place(coin, "row.heads")
        table.place(coin, "bank")
    arrange(table, {"row.heads": Pile(rows), "tray": Pile.of(tray)})
    assert Heap.of(coin.denomination for coin in lying(table, "row.heads").elements()) == rows
    assert lying(table, "tray") == Counter(tray)
    assert lying(table, "bank") == Counter(before)


def test_coins_that_may_stay_are_not_moved() -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    for coin in (Coin.PENNY_HEADS, Coin.PENNY_TAILS, Coin.DIME_HEADS):
        table.place(coin, "row.heads")
    before = table.scene.coins
    arrange(table, {"row.heads": Pile(Heap(penny=2, dime=1, nickel=1))})
    assert table.scene.coins[:3] == before


def test_a_stack_is_built_from_the_bottom_and_coins_in_place_are_kept() -> None:
    table = VirtualTable(mats.load("coin-age"), seed=1)
    wanted = (Coin.QUARTER_TAILS, Coin.NICKEL_HEADS, Coin.DIME_TAILS)
    table.line_up(Coin.QUARTER_TAILS, "space.M1")
    kept = table.scene.coins[0]
    arrange(table, {"space.M1": Pile.of(wanted[-1:]), "space.M2": Pile()}, {"space.M1": wanted, "space.M2": ()})
    assert table.scene.coins[0] == kept
    assert tuple(coin.coin for coin in table.scene.coins) == wanted
    arrange(table, {"space.M1": Pile.of(wanted[1:2])}, {"space.M1": wanted[:2]})
    assert tuple(coin.coin for coin in table.scene.coins) == wanted[:2]


def test_coins_just_tossed_are_used_before_others_appear() -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    table.toss(Heap(penny=5), "tray")
    arrange(table, {"row.heads": Pile(Heap(penny=3)), "row.tails": Pile(Heap(penny=2, dime=1))}, tossed="tray")
    assert not lying(table, "tray")
    assert len(table.scene.coins) == 6
