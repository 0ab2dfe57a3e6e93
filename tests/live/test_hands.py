"""The computer's hands over the virtual table: when they begin, and that they leave it to people who are at it."""

from __future__ import annotations

import pytest

from tablecoin import mat as mats
from tablecoin.coins import Coin, Heap
from tablecoin.live.hands import Hands
from tablecoin.referee.snapshot import PromptKind
from tablecoin.virtual.table import VirtualTable
from tests.live.test_forecast import after, steal

MATCH = after(steal(), {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2})


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(clock: Clock) -> VirtualTable:
    """Five pennies lie in the tray where they fell, and nobody has touched anything for a while."""
    made = VirtualTable(mats.load("two-row"), seed=1, clock=clock)
    made.put_json({"sets_itself": True})
    made.toss(Heap(penny=5), "tray")
    clock.now_s += 10
    return made


def carrying(table: VirtualTable) -> bool:
    return table.scene.carried is not None


def test_they_carry_coin_by_coin_until_the_table_is_as_the_game_wants_it(table: VirtualTable, clock: Clock) -> None:
    hands = Hands(table)
    hands.heed("arrange", MATCH)
    seen = set()
    for _ in range(40):
        clock.now_s += 0.1
        scene = table.scene
        if scene.carried is None:
            break
        assert scene.hand  # so nothing is ruled on meanwhile
        seen.add(round(scene.coins[scene.carried].y_mm))
    assert clock.now_s == pytest.approx(100 + 10 + 5 * 0.6, abs=0.11)
    assert len(seen) > 15  # the coins travel
    for seat, count in (("heads", 3), ("tails", 2)):
        assert sum(table.mat.zone_at(c.x_mm, c.y_mm) == f"row.{seat}" for c in table.scene.coins) == count
    hands.heed("arrange", MATCH)
    assert not carrying(table)  # there is nothing left to do


@pytest.mark.parametrize("kind", ["turn", "flip", "question", "refused", "paused", "unfinished", "over", "lobby"])
def test_they_rest_while_the_referee_waits_for_something_else(table: VirtualTable, kind: PromptKind) -> None:
    Hands(table).heed(kind, MATCH)
    assert not carrying(table)


def test_they_rest_where_people_have_switched_them_off(table: VirtualTable, clock: Clock) -> None:
    table.put_json({"sets_itself": False})
    clock.now_s += 10
    Hands(table).heed("arrange", MATCH)
    assert not carrying(table)


def test_they_wait_until_people_have_let_go(table: VirtualTable, clock: Clock) -> None:
    hands = Hands(table)
    table.place(Coin.DIME_HEADS, "bank")
    clock.now_s += 0.5
    hands.heed("arrange", MATCH)
    assert not carrying(table)
    clock.now_s += 1
    hands.heed("arrange", MATCH)
    assert carrying(table)


def test_they_do_not_reach_under_another_hand(table: VirtualTable, clock: Clock) -> None:
    table.hand((200.0, 100.0))
    clock.now_s += 10
    Hands(table).heed("arrange", MATCH)
    assert not carrying(table)
