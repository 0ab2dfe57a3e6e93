"""The virtual table: tosses land apart and inside, JSON round-trips, and bad input changes nothing."""

from __future__ import annotations

from itertools import combinations
from math import hypot, inf, nan

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin import mat
from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.virtual.table import TOSS_S, Carry, TableError, VirtualCoin, VirtualTable

TWO_ROW = mat.load("two-row")
PENNY = VirtualCoin(Denomination.PENNY, Face.HEADS, 100.0, 50.0)
DIME = VirtualCoin(Denomination.DIME, Face.HEADS, 200.0, 50.0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.builds(Heap, *[st.integers(0, 3)] * 4))
def test_tossed_coins_lie_flat_apart_and_inside(seed: int, heap: Heap) -> None:
    table = VirtualTable(TWO_ROW, seed=seed)
    shown = table.toss(heap, "tray")
    coins = table.scene.coins
    assert Heap.of(coin.denomination for coin in coins) == heap
    assert sorted(shown) == sorted(coin.coin for coin in coins)
    for coin in coins:
        assert TWO_ROW.zone("tray").area.holds(coin.x_mm, coin.y_mm, coin.denomination.diameter_mm / 2)
    for one, other in combinations(coins, 2):
        touching = (one.denomination.diameter_mm + other.denomination.diameter_mm) / 2
        assert hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > touching


def test_both_faces_come_up_about_equally_often() -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    heads = sum(coin.face is Face.HEADS for _ in range(100) for coin in table.toss(Heap(2, 2), "tray"))
    assert 160 < heads < 240


def test_a_coin_keeps_its_design_when_it_is_moved_turned_and_tossed() -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    table.toss(Heap(penny=3, dime=1), "tray")
    designs = sorted((coin.denomination, coin.design) for coin in table.scene.coins)
    assert len(set(designs)) == 4, "no two coins are the same"
    table.flip(0)
    table.collect("tray")
    table.toss(Heap(penny=3, dime=1), "tray")
    assert sorted((coin.denomination, coin.design) for coin in table.scene.coins) == designs
    table.place(Coin.PENNY_HEADS, "row.heads")
    assert (Denomination.PENNY, table.scene.coins[-1].design) not in designs, "another coin"


def test_the_coin_lifted_last_is_set_down_first() -> None:
    table = VirtualTable(TWO_ROW)
    table.put([PENNY, VirtualCoin(Denomination.PENNY, Face.HEADS, 200, 50, design=3)])
    table.put(())
    table.remove(table.place(Coin.PENNY_TAILS, "row.heads"))
    table.place(Coin.PENNY_TAILS, "row.tails")
    table.place(Coin.PENNY_TAILS, "row.tails")
    assert [coin.design for coin in table.scene.coins] == [3, 0]


def test_a_coin_put_aside_stays_until_it_is_lifted_and_then_another_takes_its_place() -> None:
    table = VirtualTable(TWO_ROW)
    table.put([VirtualCoin(Denomination.PENNY, Face.HEADS, 200, 50, design=3), PENNY])
    table.put_aside = lambda kind, design: (kind, design) == (Denomination.PENNY, 3)
    assert [coin.design for coin in table.scene.coins] == [3, 0]
    table.put(())
    table.place(Coin.PENNY_TAILS, "row.heads")
    table.place(Coin.PENNY_TAILS, "row.tails")
    designs = [coin.design for coin in table.scene.coins]
    assert designs[0] == 0
    assert designs[1] not in (0, 3)
    table.put_aside = lambda kind, design: False
    table.place(Coin.PENNY_TAILS, "row.tails")
    assert table.scene.coins[-1].design == 3, "it is still in the box"


def test_a_toss_shows_a_hand_and_first_picks_up_the_zone_s_coins() -> None:
    now = [0.0]
    table = VirtualTable(TWO_ROW, seed=1, clock=lambda: now[0])
    table.toss(Heap(5), "tray")
    table.toss(Heap(dime=2), "tray")
    assert table.scene.hand
    assert len(table.scene.coins) == 2
    now[0] = TOSS_S + 0.01
    assert not table.scene.hand


def test_a_full_zone_refuses_and_keeps_its_coins() -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    table.place(Coin.PENNY_HEADS, "prize")
    before = table.scene
    with pytest.raises(TableError, match="no room left"):
        table.toss(Heap(quarter=9), "prize")
    assert table.scene == before


def test_moving_and_adding_lay_coins_on_top() -> None:
    table = VirtualTable(TWO_ROW)
    table.put([PENNY, VirtualCoin(Denomination.DIME, Face.TAILS, 200, 50)])
    assert table.move(0, 200, 50) == 1
    assert [coin.denomination for coin in table.scene.coins] == ["dime", "penny"]
    table.flip(1)
    assert table.scene.coins[1].face is Face.TAILS
    assert table.find("row.tails") == 1
    assert table.collect("row.tails") == Heap(penny=1, dime=1)
    with pytest.raises(TableError, match="no coin 0"):
        table.flip(0)


@pytest.mark.parametrize(
    ("to_mm", "in_order"), [((105.0, 50.0), ["penny", "dime"]), ((112.0, 50.0), ["dime", "penny"]), (None, ["dime"])]
)
def test_a_pushed_coin_keeps_its_place_in_the_pile_and_a_moved_one_comes_to_lie_on_top(
    to_mm: tuple[float, float] | None, in_order: list[str]
) -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    table.put([PENNY, DIME])
    laid = msgspec.structs.replace(PENNY, x_mm=to_mm[0], y_mm=to_mm[1]) if to_mm else None
    table.make(Carry(PENNY, laid))
    assert [coin.denomination for coin in table.scene.coins] == in_order


def test_two_people_move_coins_at_once_and_neither_move_is_lost() -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    table.put([PENNY])
    table.make(Carry(None, DIME))  # while the other person lifts the penny
    table.make(Carry(PENNY, None))
    assert table.scene.coins == (DIME,)
    with pytest.raises(TableError, match="just moved"):
        table.make(Carry(PENNY, DIME))
    assert table.scene.coins == (DIME,)


def test_json_round_trips() -> None:
    table, other = VirtualTable(TWO_ROW, seed=2), VirtualTable(TWO_ROW)
    table.toss(Heap(1, 1, 1, 1), "bank")
    table.hand((10.0, 20.0))
    table.fault(glare=True)
    other.put_json(table.to_json())
    assert other.to_json() == table.to_json()
    other.put_json({"faults": {"blur": True}})
    assert other.scene.faults.glare
    assert other.scene.faults.blur
    assert other.scene.coins == table.scene.coins


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {"coins": 3},
        {"coin": []},
        {"coins": [{"denomination": "euro", "face": "heads", "x_mm": 1, "y_mm": 1}]},
        {"coins": [{"denomination": "dime", "face": "heads", "x_mm": 1e9, "y_mm": 1}]},
        {"coins": [{"denomination": "dime", "face": "heads", "x_mm": 1, "y_mm": 1, "price": 3}]},
        {"hand": "yes"},
        {"faults": {"gremlins": True}},
        {"faults": {"glare": 1}},
        {"faults": "all"},
        {"mat": 5},
        {"mat": "ring"},
    ],
)
def test_bad_json_is_one_sentence_and_changes_nothing(raw: object) -> None:
    table = VirtualTable(TWO_ROW)
    table.put([PENNY])
    before = table.scene
    with pytest.raises(TableError, match=r"^The virtual table"):
        table.put_json(raw)
    assert table.scene == before


def test_a_bank_of_the_ring_holds_its_thirty_pennies() -> None:
    table = VirtualTable(mat.load("ring"))
    for _ in range(30):
        table.line_up(Coin.PENNY_HEADS, "bank.3", among=30)
    assert len(table.scene.coins) == 30


def test_what_people_change_ends_the_computers_moves() -> None:
    now = [0.0]
    table = VirtualTable(TWO_ROW, clock=lambda: now[0])
    here, there, third = (VirtualCoin(Denomination.PENNY, Face.HEADS, 60.0 + 40 * k, 40.0, 0.0, k) for k in range(3))
    table.put([here, there])
    moved = [msgspec.structs.replace(coin, y_mm=250.0) for coin in (here, there)]
    table.carry([Carry(here, moved[0]), Carry(there, moved[1])], each_s=0.6)
    now[0] = 0.3
    scene = table.scene
    assert scene.hand
    assert scene.carried == 1
    assert scene.coins[1].y_mm == pytest.approx((40 + 250) / 2)
    now[0] = 0.7
    table.add(third)
    assert table.scene.coins == (there, moved[0], third)
    assert not table.scene.hand
    assert table.untouched_s() == 0
    now[0] = 5.0
    assert table.untouched_s() == pytest.approx(4.3)


def test_a_refusal_is_said_in_chinese_too() -> None:
    with pytest.raises(TableError) as refused:
        VirtualTable(mat.load("two-row"), seed=1).put_json({"hand": 5})
    assert refused.value.texts["zh"] == "虚拟桌面不能这样设置：`hand` 必须是 true 或 false，不能是5。"


@pytest.mark.parametrize("x_mm", [nan, inf, -1000.5, 2001.0])
def test_no_coin_is_laid_or_moved_far_off_the_table(x_mm: float) -> None:
    table = VirtualTable(TWO_ROW, seed=1)
    table.add(PENNY)
    before = table.scene
    with pytest.raises(TableError, match="far off the virtual table: give millimetres from -1000 to 2000"):
        table.add(VirtualCoin(Denomination.DIME, Face.HEADS, x_mm, 40.0))
    with pytest.raises(TableError, match="far off"):
        table.move(0, 40.0, x_mm)
    assert table.scene == before
