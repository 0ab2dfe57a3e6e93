"""Large objects are freed as soon as nobody uses them, without the garbage collector: none refers to itself."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.coins import Denomination, Face
from tablecoin.opponents.dollar_prize import exact_value, steal_value
from tablecoin.referee.commands import Act, Answer, OfferDraw, Start
from tablecoin.referee.referee import Referee
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.rows import Side
from tablecoin.rules.dollar_prize.steal import StealOptions
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualTable
from tests.referee.table import Table


def camera() -> VirtualCamera:
    """A virtual camera that showed a lens board."""
    table = VirtualTable(mats.load("two-row"), 1)
    made = VirtualCamera(table, fps=0)
    table.put_json({"board": 3})
    made.read(1.0)
    return made


def skin() -> Skin:
    """Coins with a picture of their own, one of which was turned."""
    made = Skin({(Denomination.PENNY, Face.HEADS): [np.zeros((9, 9, 4), np.uint8)]})
    made.coin(Denomination.PENNY, Face.HEADS, 0, 9, 45.0)
    return made


def steal() -> object:
    """A solution of Steal that valued a state."""
    made = steal_value.Solution(StealOptions(goal=10), lambda a, b: 0.5, 0.0)
    game = rules.load("steal")
    made.chance(game.start(StealOptions(goal=10)), Side.HEADS)
    return made


def exact() -> object:
    """A solution of Exact that valued a state."""
    made = exact_value.Solution(ExactOptions(goal=10), lambda a, b: 0.5)
    made.chance(rules.load("exact").start(ExactOptions(goal=10)), Side.HEADS)
    return made


def referee() -> Referee:
    """A referee that refused an act that it saw and one that was asked for, and ended the game when all agreed."""
    made, table = Referee(lambda events: None), Table()
    made.command(Start("steal", {"starter": "heads"}), None)
    made.command(Act({"do": "flip", "coins": ["penny:heads"] * 4 + ["penny:tails"]}), None)
    made.see(table.put("row.heads", *["penny"] * 4).put("row.tails", "penny").look())
    made.see(table.put("row.heads", "quarter").look())
    assert made.snapshot().prompt.kind == "refused"
    made.command(Act({"do": "place", "coin": "quarter"}), "heads")
    made.command(OfferDraw(), "heads")
    made.command(Answer(0), "tails")
    assert made.snapshot().prompt.kind == "over"
    return made


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("make", [camera, skin, steal, exact, referee])
def test_an_object_is_freed_with_its_last_user(make: Callable[[], object]) -> None:
    made = make()
    alive = weakref.ref(made)
    del made
    assert alive() is None
