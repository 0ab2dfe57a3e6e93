"""Only where the mat changed it is searched again; elsewhere circles stay to the last digit, and none is lost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, Denomination, Face
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import find, lost_rims, propose, touched
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.touched import Search
from tablecoin.vision.coins.unmoved import NOTHING_YET, LastReading
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane

MAT = mats.load("two-row")
VIEW = View.over(MAT, size_px=(1456, 1088))
COINS = tuple(
    VirtualCoin(kind, face, 70 + 80 * k, 45 + 205 * row, 40 * k)
    for row, face in enumerate(Face)
    for k, kind in enumerate(BY_SIZE)
)
MOVED = msgspec.structs.replace(COINS[0], x_mm=110.0, y_mm=90.0)


class Table:
    """A still camera over coins that are moved."""

    def __init__(self, light: Light, skin: Skin | None = None, lit: Light | None = None) -> None:
        """`lit`: the light once the mat was found; None: as before."""
        self._renderer = Renderer(MAT, VIEW, light, skin)
        plane = find_plane(self.picture(COINS), [MAT])
        assert plane is not None
        self.plane: Plane = plane
        if lit:
            self._renderer = Renderer(MAT, VIEW, lit, skin)

    def picture(self, coins: Iterable[VirtualCoin]) -> Image:
        return self._renderer.picture(Scene(coins=tuple(coins)))

    def searched(
        self,
        coins: Iterable[VirtualCoin],
        before: Search | None = None,
        plane: Plane | None = None,
        last: LastReading = NOTHING_YET,
    ) -> Search:
        image = self.picture(coins)
        plane = plane or self.plane
        above, flat = propose.upright(image, plane)
        return propose.on_mat(Halvings(image), above, flat, plane, last, find.KNOWN_VOTES, before)[1]

    @cached_property
    def first(self) -> Search:
        """The search of a first picture of COINS."""
        return self.searched(COINS)

    def at(self, coin: VirtualCoin) -> Disc:
        reach = coin.denomination.diameter_mm / 2
        (x, y), (rim, _) = VIEW.to_px([(coin.x_mm, coin.y_mm), (coin.x_mm + reach, coin.y_mm)])
        return Disc(float(x), float(y), float(rim - x))


@pytest.fixture(scope="module", params=[Light(noise=3.0), Light(brightness=0.4, noise=4.0)], ids=["plain", "dim"])
def table(request: pytest.FixtureRequest) -> Table:
    return Table(request.param)


def near(disc: Disc, others: Sequence[Disc]) -> list[Disc]:
    """Those of `others` that are findings of the coin at `disc`."""
    return [
        one
        for one in others
        if math.hypot(one.x_px - disc.x_px, one.y_px - disc.y_px) < 0.1 * disc.r_px
        and abs(math.log(one.r_px / disc.r_px)) < 0.05
    ]


def test_a_still_table_is_not_searched(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = table.first
    monkeypatch.setattr("tablecoin.vision.coins.find.find_upright", None)
    assert table.searched(COINS, first).circles == first.circles


@pytest.mark.parametrize(
    "after",
    [
        (MOVED, *COINS[1:]),
        (msgspec.structs.replace(COINS[0], x_mm=72.0), *COINS[1:]),
        (*COINS, msgspec.structs.replace(COINS[7], x_mm=110.0, y_mm=90.0)),
        COINS[1:],
        (msgspec.structs.replace(COINS[0], denomination=BY_SIZE[3]), *COINS[1:]),
    ],
    ids=["moved", "slid by two millimetres", "laid down", "taken away", "another coin in its place"],
)
def test_what_changed_is_found_and_the_rest_stays(table: Table, after: tuple[VirtualCoin, ...]) -> None:
    first = table.first
    second = table.searched(after, first)
    assert second.parts == 1
    for coin in after:
        assert near(table.at(coin), second.circles)
    for coin in set(COINS) - set(after):
        assert not near(table.at(coin), second.circles)
    for coin in COINS[1:]:
        assert set(near(table.at(coin), first.circles)) <= set(second.circles)


def test_bare_paper_holds_no_coin_though_one_looked_like_it_and_another_was_found_twice(table: Table) -> None:
    first = table.first
    (ghost,), (stays,) = (near(table.at(coin), first.circles) for coin in (COINS[0], COINS[5]))
    again = Disc(stays.x_px + 0.3, stays.y_px, stays.r_px)
    twice = replace(first, circles=(again, *first.circles))
    lain = replace(Candidates.proposed([ghost]), kinds=np.eye(5)[[3]])
    last = LastReading.of(lain, Halvings(table.picture(COINS[1:])))
    assert near(ghost, last.overlooked((), Halvings(table.picture(COINS[1:]))))
    assert not near(ghost, table.searched(COINS[1:], twice, last=last).circles)


def test_the_whole_mat_is_searched_when_all_coins_changed(table: Table) -> None:
    turned = [msgspec.structs.replace(coin, x_mm=coin.x_mm + 12, y_mm=coin.y_mm + 30) for coin in COINS]
    assert table.searched(turned, table.first).parts == 0


def test_the_whole_mat_is_searched_after_a_bump(table: Table) -> None:
    first = table.first
    shift = np.array([[1, 0, 0.4], [0, 1, 0], [0, 0, 1]])
    other = shift @ np.reshape(table.plane.homography, (3, 3))
    a, b, c, d, e, f, g, h, i = other.ravel().tolist()
    bumped = Plane(MAT, (a, b, c, d, e, f, g, h, i), table.plane.lens, (), (), 0.0)
    assert table.searched(COINS, first, bumped).parts == 0


def test_the_whole_mat_is_searched_now_and_then(table: Table) -> None:
    search = table.first
    parts = []
    for _ in range(touched.IN_A_ROW + 2):
        search = table.searched(COINS, search)
        parts.append(search.parts)
    assert parts == [*range(1, touched.IN_A_ROW + 1), 0, 1]


def test_a_lamp_that_dims_changes_nothing() -> None:
    bright, dimmer = Table(Light()), Table(Light(brightness=0.85))
    assert dimmer.searched(COINS, bright.first, bright.plane).parts == 1


@pytest.mark.parametrize("brightness", [0.05, pytest.param(0.02, marks=pytest.mark.long)])
def test_what_the_dark_hid_is_found_when_the_lamp_is_on_again(brightness: float) -> None:
    bright, dark = Table(Light()), Table(Light(), lit=Light(brightness=brightness))
    in_the_dark = dark.searched(COINS, bright.first, bright.plane)
    assert not all(near(bright.at(coin), in_the_dark.circles) for coin in COINS)
    again = bright.searched(COINS, in_the_dark)
    assert all(near(bright.at(coin), again.circles) for coin in COINS)


def test_a_circle_that_only_its_rim_proved_is_searched_again(table: Table) -> None:
    """A coin as white as the paper can be taken away without a change that shows."""
    search, bare = table.searched(COINS), table.at(MOVED)
    kept = replace(search, circles=(*search.circles, bare))
    assert near(bare, table.searched(COINS, kept).circles), "nothing changed there"
    found = table.searched(COINS, replace(kept, faint=(bare,)))
    assert (near(bare, found.circles), found.faint) == ([], ())
    assert all(near(table.at(coin), found.circles) for coin in COINS)


PALE = VirtualCoin(Denomination.QUARTER, Face.HEADS, 110, 150)  # it is as white as the paper
BESIDE_PALE = tuple(one for one in COINS if one.denomination is not PALE.denomination)


@pytest.fixture(scope="module")
def white() -> Table:
    pale = np.full((160, 160, 4), (245, 250, 251, 255), np.uint8)
    cv2.circle(pale, (80, 80), 77, (215, 225, 230, 255), 6, cv2.LINE_AA)
    return Table(Light(), Skin({(PALE.denomination, PALE.face): [pale]}))


def test_a_coin_as_white_as_the_paper_is_faint_and_stays_while_it_lies(white: Table) -> None:
    search = white.searched(BESIDE_PALE)
    assert search.faint == ()
    for _ in range(3):
        search = white.searched((*BESIDE_PALE, PALE), search)
        assert near(white.at(PALE), search.faint) == near(white.at(PALE), search.circles) != []
    search = white.searched(BESIDE_PALE, search)
    assert near(white.at(PALE), search.circles) == []


def test_a_pale_coin_stays_where_the_search_finds_its_rim_badly(white: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A circle a little beside its rim proves nothing; the one of the last picture still does, while the coin lies."""
    search = white.searched((*BESIDE_PALE, PALE))
    coins = Candidates.proposed(search.circles)
    read = replace(coins, kinds=np.eye(coins.kinds.shape[1])[[0] * len(coins)])
    last = LastReading.of(read, Halvings(white.picture((*BESIDE_PALE, PALE))))
    found = propose._rims

    def badly(*args: Any) -> Any:
        rims, bulge_mm = found(*args)
        return {disc: min(share, 0.6) for disc, share in rims.items()}, bulge_mm

    monkeypatch.setattr(propose, "_rims", badly)
    monkeypatch.setattr(lost_rims, "of_true_size", lambda *args: {})
    assert near(white.at(PALE), white.searched((*BESIDE_PALE, PALE), search, last=last).faint)
    assert near(white.at(PALE), white.searched(BESIDE_PALE, search, last=last).circles) == []


def test_the_whole_mat_is_searched_when_what_changed_lies_all_over_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, moved = table.searched(COINS), (MOVED, *COINS[1:])
    assert table.searched(moved, first).parts == 1
    monkeypatch.setattr(touched, "MOST_SEARCHED", 0.0)
    again = table.searched(moved, first)
    assert again.parts == 0
    assert all(near(table.at(coin), again.circles) for coin in moved)
