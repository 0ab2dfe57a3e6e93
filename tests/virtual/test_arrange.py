"""Setting the virtual table: every zone holds its pile of the layout, and nothing else was touched."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, product
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin import mat as mats
from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.mat import Circle, Rectangle
from tablecoin.mat.order import out_of_order
from tablecoin.rules import NAMES, load
from tablecoin.rules.game import Pile
from tablecoin.rules.random_play import random_game
from tablecoin.virtual.arrange import arrange, moves
from tablecoin.virtual.places import GAP_MM, MARGIN_MM, home
from tablecoin.virtual.table import TableError, VirtualTable

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


def test_a_row_that_rises_stays_in_order_and_few_coins_are_moved() -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    arrange(table, {"row.heads": Pile(Heap(penny=3, dime=2), rises=True)})
    before = set(table.scene.coins)
    arrange(table, {"row.heads": Pile(Heap(penny=4, dime=2), rises=True)})
    row = sorted(table.scene.coins, key=lambda coin: coin.x_mm)
    assert [coin.denomination for coin in row] == [Denomination.PENNY] * 4 + [Denomination.DIME] * 2
    assert len(before & set(row)) == 4  # one dime makes room for the new penny


@settings(max_examples=30, deadline=None)
@given(first=heaps, then=heaps)
def test_whatever_a_row_held_its_coins_lie_in_order(first: Heap, then: Heap) -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    for heap in (first, then):
        arrange(table, {"row.tails": Pile(heap, rises=True)})
        assert Heap.of(coin.denomination for coin in lying(table, "row.tails").elements()) == heap
        assert not out_of_order((coin.denomination, (coin.x_mm, coin.y_mm)) for coin in table.scene.coins)
    assert crowded(table) == []


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


def test_a_full_row_of_every_kind_has_room() -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    arrange(table, {"row.heads": Pile(Heap(10, 10, 10, 10))})
    assert len(table.scene.coins) == 40
    assert crowded(table) == []


def crowded(table: VirtualTable) -> list[str]:
    """Coins of rectangular zones that touch another one, or lie too near their zone's outline."""
    mat, found = table.mat, []
    flat = [(one, zone) for one in table.scene.coins if (zone := mat.zone_at(one.x_mm, one.y_mm))]
    flat = [(one, zone) for one, zone in flat if isinstance(mat.zone(zone).area, Rectangle)]
    for one, zone in flat:
        if not mat.zone(zone).area.holds(one.x_mm, one.y_mm, one.denomination.diameter_mm / 2 + MARGIN_MM - 0.01):
            found.append(f"{one} hangs over {zone}")
    for (one, _), (other, _) in combinations(flat, 2):
        rims_mm = (one.denomination.diameter_mm + other.denomination.diameter_mm) / 2
        if hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < rims_mm + GAP_MM - 0.02:  # places are rounded
            found.append(f"{one} touches {other}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_in_a_random_game_coins_lie_apart_and_inside_and_are_carried_there(name: str) -> None:
    game, now = load(name), [0.0]
    table = VirtualTable(mats.load(game.mat(game.read_options({}))), seed=1, clock=lambda: now[0])
    played = [state for _, state in islice(random_game(game, 5), 121)]
    for state in played[4::12]:
        layout, stacks = game.layout(state), game.stacks(state)
        planned = moves(table, layout, stacks)
        table.carry(planned, each_s=0.5)
        now[0] += 0.5 * len(planned) + 0.01
        carried = table.scene
        assert not carried.hand
        assert moves(table, layout, stacks) == []  # the table is set
        for zone in [zone for zone in layout if not isinstance(table.mat.zone(zone).area, Circle)]:
            assert Heap.of(coin.denomination for coin in lying(table, zone).elements()) == layout[zone].heap
        assert crowded(table) == []


def test_coins_of_a_bank_lie_in_the_column_of_their_kind() -> None:
    table = VirtualTable(mats.load("coin-age"), seed=1)
    for _ in range(2):
        arrange(table, {"bank.heads": Pile(Heap(4, 3, 2, 1)), "bank.tails": Pile(Heap(4, 3, 2, 1))})
        arrange(table, {"bank.heads": Pile(Heap(3, 3, 1, 0)), "bank.tails": Pile(Heap(5, 3, 3, 2))})
    for coin in table.scene.coins:
        zone = table.mat.zone(table.mat.zone_at(coin.x_mm, coin.y_mm) or "")
        assert isinstance(zone.area, Rectangle)
        assert home(zone, zone.area, coin.denomination).holds(coin.x_mm, coin.y_mm)
    assert Coin.of(Denomination.PENNY, Face.HEADS) in lying(table, "bank.heads")


def test_a_zone_with_room_only_in_pieces_is_laid_anew() -> None:
    """Dimes on a square grid leave no hole for a quarter, but more than enough room."""
    table = VirtualTable(mats.load("two-row"), seed=1)
    area = table.mat.zone("tray").area
    assert isinstance(area, Rectangle)
    for row, column in product(range(3), range(4)):
        table.lay_at(Coin.DIME_TAILS, area.x_mm + 17 + 30 * column, area.y_mm + 20 + 29 * row)
    table.place(Coin.PENNY_HEADS, "row.heads")
    elsewhere = table.scene.coins[-1]
    with pytest.raises(TableError):
        table.line_up(Coin.QUARTER_HEADS, "tray")
    arrange(table, {"tray": Pile(Heap(dime=12, quarter=1))})
    assert lying(table, "tray") == {Coin.DIME_TAILS: 12, Coin.QUARTER_HEADS: 1}
    assert crowded(table) == []
    assert elsewhere in table.scene.coins


def test_a_full_zone_stays_as_it_is_and_is_said() -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    arrange(table, {"tray": Pile(Heap(quarter=9))})
    before = table.scene.coins
    with pytest.raises(TableError) as said:
        arrange(table, {"tray": Pile(Heap(quarter=40))})
    assert said.value.message.key == "virtual.room"
    assert set(before) <= set(table.scene.coins)
