"""Purses of real coins: one owner's first, each with its two sides, read by a network that never saw their owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from lab import held_out
from lab.reading.cutouts import Side
from lab.reading.purses import LEAST, MOST, OWNS, Pockets, fill, owners
from lab.training.folds import FOLDS
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.coins.network import Networks

HEADS, TAILS = Face
PENNY, DIME = Denomination.PENNY, Denomination.DIME
RICH, OTHER, POOR = FOLDS[0][0], FOLDS[0][1], FOLDS[0][2]


def sides(owned: Mapping[str, int], folder: Path = Path()) -> list[Side]:
    """So many cut-outs of each side of each denomination, by owner."""
    return [
        Side(kind, face, owner, folder / f"{kind}_{face}_{owner}_{k:04}.png")
        for owner, number in owned.items()
        for kind in BY_VALUE
        for face in Face
        for k in range(number)
    ]


@pytest.mark.parametrize(
    ("owned", "whose", "why"),
    [
        ({RICH: 7, OTHER: 30}, {RICH: 7}, "enough of their own: nobody else's"),
        ({RICH: 40, OTHER: 30}, {RICH: MOST}, "at most so many of a denomination"),
        ({RICH: 1, OTHER: 30}, {RICH: 1, OTHER: LEAST - 1}, "filled up with others'"),
    ],
)
def test_an_owner_s_coins_come_first(owned: dict[str, int], whose: dict[str, int], why: str) -> None:
    purse = fill(sides(owned), RICH, Random(1))
    for side, some in purse.items():
        assert Counter(one.owner for one in some) == whose, why
        assert {(one.denomination, one.face) for one in some} == {side}


@pytest.mark.parametrize("owner", [RICH, None])
def test_both_sides_of_a_coin_are_of_one_owner(owner: str | None) -> None:
    purse = fill(sides({RICH: 2, OTHER: 40, POOR: 20}), owner, Random(2))
    for kind in BY_VALUE:
        assert [one.owner for one in purse[kind, HEADS]] == [one.owner for one in purse[kind, TAILS]]
        assert len(set(purse[kind, HEADS])) == len(purse[kind, HEADS]), "no coin twice"


def test_mixed_coins_are_not_mostly_those_of_the_busiest_photographer() -> None:
    purse = fill(sides({RICH: 500, OTHER: MOST, POOR: MOST}), None, Random(3))
    whose = Counter(one.owner for some in purse.values() for one in some)
    assert whose[RICH] < whose[OTHER] + whose[POOR]


def test_without_tails_a_coin_borrows_them_and_without_any_it_is_drawn() -> None:
    some = [one for one in sides({RICH: 3, OTHER: 3}) if one.owner == OTHER or one.face is HEADS]
    purse = fill([one for one in some if (one.denomination, one.face) != (DIME, TAILS)], RICH, Random(4))
    assert {one.owner for one in purse[PENNY, TAILS]} == {OTHER}
    assert (DIME, HEADS) not in purse


def test_an_owner_has_whole_coins() -> None:
    rich = sides({RICH: OWNS // 4})
    assert owners([*rich, *sides({OTHER: 1})]) == [RICH]
    assert owners([one for one in rich if one.face is HEADS]) == []


@pytest.fixture
def pockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pockets:
    """Cut-outs of one owner in each fold: plain discs, as grey as their fold. Networks with their fold's name."""
    monkeypatch.setattr(held_out, "networks", lambda fold: Networks(Path(f"small{fold}"), Path(), Path()))
    some = [side for fold in FOLDS for side in sides({fold[0]: 4}, tmp_path)]
    for side in some:
        cv2.imwrite(str(side.picture), np.full((80, 80, 3), 100 + 10 * held_out_for(side.owner), np.uint8))
    return Pockets("owner", some)


def held_out_for(owner: str) -> int:
    return next(fold for fold, names in enumerate(FOLDS) if owner in names)


def test_the_folds_come_in_turn_and_the_network_never_saw_the_owner(pockets: Pockets) -> None:
    for seed in range(6):
        purse = pockets.purse(seed)
        assert purse.fold == seed % len(FOLDS)
        assert purse.owner in FOLDS[purse.fold]
        assert purse.networks == Networks(Path(f"small{purse.fold}"), Path(), Path())
        shown = purse.skin.coin(PENNY, HEADS, 0, 80, 0)
        assert shown[40, 40, 0] == 100 + 10 * purse.fold


def test_the_same_seed_gives_the_same_purse(pockets: Pockets) -> None:
    assert pockets.purse(5).pictures == pockets.purse(5).pictures


def test_a_coin_s_design_tells_its_picture(pockets: Pockets) -> None:
    purse = pockets.purse(0)
    coin = VirtualCoin(PENNY, TAILS, 0, 0, design=5)
    assert purse.side(coin) == purse.pictures[PENNY, TAILS][1]
    assert Pockets().purse(0).side(coin) is None, "drawn"


def test_without_photos_of_a_fold_it_says_so(pockets: Pockets) -> None:
    with pytest.raises(ValueError, match="nobody of fold 1"):
        Pockets("mixed", [side for side in pockets.sides if side.owner in FOLDS[0]]).purse(1)
