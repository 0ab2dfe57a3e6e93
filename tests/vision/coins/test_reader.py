"""The whole reader on pictures of the virtual table: the coins that lie there are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Coin, Denomination, Face
from tablecoin.mat import MatError
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import find, propose
from tablecoin.vision.coins.looks import Looks
from tablecoin.vision.coins.network import FINE_TURNS, Identifier
from tablecoin.vision.coins.reader import CROWDED, DARK, MIRRORED, NO_MAT, NOT_WHOLE, Reader
from tablecoin.vision.frame import Disc, Frame, Grey, Image
from tests.scenes import Drawn, Scenes

MAT = mats.load("two-row")
SIZE_PX = (1092, 816)
LAID = [
    VirtualCoin(Denomination.PENNY, Face.HEADS, 80, 250, 10),
    VirtualCoin(Denomination.PENNY, Face.TAILS, 120, 250, 200),
    VirtualCoin(Denomination.NICKEL, Face.TAILS, 300, 250, 75),
    VirtualCoin(Denomination.QUARTER, Face.HEADS, 120, 45, 33),
    VirtualCoin(Denomination.DIME, Face.TAILS, 100, 150, 250),
]


@pytest.fixture(scope="module")
def picture() -> Image:
    return Renderer(MAT, View.over(MAT, size_px=SIZE_PX)).picture(Scene(coins=tuple(LAID)))


def test_every_coin_on_the_mat_is_read_where_it_lies(picture: Image) -> None:
    reading = Reader("auto").read(Frame(picture, 1, 0.0))
    assert reading.mat == "two-row"
    assert len(reading.coins) == len(LAID)
    for laid in LAID:
        seen = min(reading.coins, key=lambda coin: math.dist(coin.place_mm or (0, 0), (laid.x_mm, laid.y_mm)))
        assert seen.place_mm == pytest.approx((laid.x_mm, laid.y_mm), abs=1.0)
        assert seen.coin is laid.coin
        assert seen.zone == MAT.zone_at(laid.x_mm, laid.y_mm)
    assert set(reading.stages_ms) >= {"plane", "find", "identify"}


def test_without_a_mat_the_coins_give_the_scale(picture: Image) -> None:
    with_mat = Reader("two-row").read(Frame(picture, 1, 0.0))
    bare = Reader("none").read(Frame(picture, 1, 0.0))
    assert bare.mat is None
    assert all(coin.place_mm is None for coin in bare.coins)
    assert bare.mm_per_px == pytest.approx(with_mat.mm_per_px, rel=0.04)
    kinds = sorted(coin.denomination for coin in bare.coins if coin.denomination)
    assert kinds == sorted(coin.denomination for coin in LAID)


def test_what_stands_on_the_prizes_place_is_not_read() -> None:
    x, y = MAT.zone("prize").area.center_mm
    view = View.over(MAT, size_px=SIZE_PX)
    image = Renderer(MAT, view).picture(Scene(coins=(LAID[0], VirtualCoin(Denomination.PENNY, Face.HEADS, x, y))))
    reading = Reader("two-row").read(Frame(image, 1, 0.0))
    assert [coin.coin for coin in reading.coins] == [Coin.PENNY_HEADS]
    assert reading.coins[0].zone == "row.heads"


class AllQuarters(Identifier):
    """A network that takes everything for a quarter, heads up."""

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        quarter = np.log([0.002, 0.002, 0.002, 0.992, 0.002])
        return Looks(np.tile(quarter, (len(discs), 1)), np.full((len(discs), 4), 6.0), np.ones(len(discs), int))

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
        return before


@pytest.mark.parametrize("brightness", [0.85, 1.0])
def test_a_coin_as_white_as_the_paper_is_found_by_its_rim(brightness: float) -> None:
    """On bare paper nothing is read, whatever the network takes it for."""
    pale = np.full((160, 160, 4), (232, 239, 242, 255), np.uint8)
    cv2.circle(pale, (80, 80), 77, (170, 180, 185, 255), 6, cv2.LINE_AA)
    coin = VirtualCoin(Denomination.QUARTER, Face.HEADS, 300, 250)
    view, skin = View.over(MAT, size_px=SIZE_PX), Skin({(coin.denomination, coin.face): [pale]})
    renderer = Renderer(MAT, view, Light(brightness=brightness), skin)
    for laid in ((coin,), ()):
        frame = Frame(renderer.picture(Scene(coins=laid)), 1, 0.0)
        seen = Reader("two-row", identifier=AllQuarters()).read(frame).coins
        assert len(seen) == len(laid)
        assert all(math.dist(one.place_mm or (0, 0), (coin.x_mm, coin.y_mm)) < 1 for one in seen)


@pytest.mark.parametrize("name", ["two-row", "ring", "coin-age:forest"])
def test_a_foreign_coin_is_none_of_ours(scenes: Scenes, name: str) -> None:
    """Its ring of stars is as wide as a penny, but a coin of 23.25 mm is none that a penny of ours lies on."""
    (seen,) = scenes.reading(Drawn(mat=name, faults=Faults(foreign_coin=True))).coins
    assert seen.denomination is None
    assert seen.zone == mats.load(name).zones[0].name


def test_an_unknown_mat_is_named() -> None:
    with pytest.raises(MatError, match="no mat 'moon'"):
        Reader("moon")


def test_pictures_of_nothing_hold_no_sure_coin() -> None:
    rng = np.random.default_rng(3)
    for image in (np.full((480, 640, 3), 90, np.uint8), rng.integers(0, 256, (300, 400, 3), np.uint8)):
        assert not any(coin.sure for coin in Reader("none").read(Frame(image, 0, 0.0)).coins)


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (3, 2), (40, 40)])
def test_tiny_pictures_are_read_too(size: tuple[int, int]) -> None:
    assert Reader("none").read(Frame(np.zeros((*size, 3), np.uint8), 0, 0.0)).coins == ()


def gravel(r_px: int, size_px: tuple[int, int] = (1456, 1088)) -> Image:
    """A picture full of pebbles about that large: edges everywhere, and no coin."""
    rng = np.random.default_rng(5)
    width, height = size_px
    ground = np.zeros((height, width), np.uint8)
    for x, y, size, grey in rng.random((width * height // (3 * r_px**2), 4)):
        at, radius = (int(width * x), int(height * y)), int(r_px * (0.5 + 0.7 * size))
        cv2.circle(ground, at, radius, 40 + 180 * grey, -1, cv2.LINE_AA)
    return np.repeat(ground[..., None], 3, axis=2)


def weave(step_px: int) -> Image:
    """A cloth whose threads lie `step_px` apart, (1088, 1456, 3)."""
    y, x = np.mgrid[0:1088, 0:1456] * (2 * np.pi / step_px)
    grey = np.asarray(128 + 50 * (np.sin(x) + np.sin(y)), np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


class Asked(Identifier):
    """The network, which counts the most circles that it was asked about at once."""

    most = 0

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        self.most = max(self.most, len(discs))
        return super().__call__(image, discs, turn)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The work of each search of a whole picture, as an Effort measures it."""
    done: list[float] = []
    circles = find._circles

    def counted(grey: Grey, *sizes: Any) -> list[Disc]:
        done.append(find._edges(grey) * max(grey.shape))
        return circles(grey, *sizes)

    monkeypatch.setattr(find, "_circles", counted)
    return done


@pytest.mark.parametrize("texture", [lambda: gravel(10), lambda: weave(32)], ids=["gravel", "wicker"])
def test_a_fine_texture_takes_a_running_table_no_more_than_its_effort(
    work: list[float], texture: Callable[[], Image]
) -> None:
    asked = Asked()
    reading = Reader("auto", effort=find.LIVE, identifier=asked).read(Frame(texture(), 1, 0.0))
    assert not any(coin.sure for coin in reading.coins)
    assert asked.most <= find.LIVE.circles
    assert sum(work) <= find.LIVE.work


@pytest.mark.parametrize(("r_px", "share", "searches"), [(5, 0.3, 0), (12, 0.9, 1), (12, 1.1, 1), (12, 2.5, 2)])
def test_a_level_is_left_out_where_the_effort_does_not_suffice(
    work: list[float], r_px: int, share: float, searches: int
) -> None:
    """`share`: the effort in times of the work of the larger level."""
    image = gravel(r_px, (728, 544))
    one = find._edges(find._equalised(image, 1.0)) * 728
    found = find.find(image, find.Effort(share * one, 10_000))
    assert (len(work), found.is_whole) == (searches, searches == 2)
    assert sum(work) <= share * one


@pytest.mark.long  # it measures time
@pytest.mark.parametrize(
    ("texture", "effort", "most"),
    [
        # In times of the search for five coins: 1 live and 5 for a photo at most; without limits 5 to 20.
        pytest.param(lambda: gravel(5), find.LIVE, 2.5, id="sand, live"),
        pytest.param(lambda: gravel(10), find.LIVE, 2.5, id="gravel, live"),
        pytest.param(lambda: gravel(20), find.LIVE, 2.5, id="pebbles, live"),
        pytest.param(lambda: weave(16), find.LIVE, 2.5, id="weave, live"),
        pytest.param(lambda: weave(32), find.LIVE, 2.5, id="wicker, live"),
        pytest.param(lambda: gravel(10), find.PHOTO, 8.0, id="gravel, photo"),
        pytest.param(lambda: gravel(20), find.PHOTO, 8.0, id="pebbles, photo"),
    ],
)
def test_a_fine_texture_without_a_mat_ends_soon(texture: Callable[[], Image], effort: find.Effort, most: float) -> None:
    """In time of this thread, compared with a search for five coins. The network is no part of it: how its cost
    compares with that of a search differs from processor to processor."""
    image, asked = texture(), Asked()
    reader = Reader("auto", effort=effort, identifier=asked)
    assert not any(coin.sure for coin in reader.read(Frame(image, 1, 0.0)).coins)
    assert asked.most <= effort.circles
    five_coins = Renderer(MAT, View.over(MAT, size_px=(1456, 1088))).picture(Scene(coins=tuple(LAID)))
    assert search_ms(reader, image) < most * search_ms(Reader("none"), five_coins)


def search_ms(reader: Reader, image: Image) -> float:
    """What it costs to search `image` for coins when that is done for the second time."""
    reader.read(Frame(image, 1, 0.0))
    stages_ms = reader.read(Frame(image, 1, 0.0)).stages_ms
    return stages_ms["plane"] + stages_ms["find"]


def test_where_a_pattern_was_too_much_for_a_search_that_is_said() -> None:
    reading = Reader("auto", effort=find.LIVE).read(Frame(weave(16), 1, 0.0))
    assert (reading.coins, reading.unclear) == ((), CROWDED)


def test_a_running_table_without_its_mat_says_so_and_a_photo_of_coins_does_not() -> None:
    wood = Frame(np.full((480, 640, 3), (90, 120, 140), np.uint8), 1, 0.0)
    reading = Reader("auto", effort=find.LIVE).read(wood)
    assert (reading.warnings, reading.unclear) == ((NO_MAT,), None)
    assert Reader("auto").read(wood).warnings == ()
    assert Reader("none", effort=find.LIVE).read(wood).warnings == ()
    night = Frame(np.full((480, 640, 3), 12, np.uint8), 1, 0.0)
    assert Reader("auto", effort=find.LIVE).read(night).unclear == DARK
    mirrored = Frame(Renderer(MAT, View.over(MAT, size_px=(800, 600))).picture(Scene())[:, ::-1].copy(), 1, 0.0)
    assert Reader("auto", effort=find.LIVE).read(mirrored).unclear == MIRRORED


def test_coins_on_a_plain_ground_are_found_with_the_effort_of_a_live_frame() -> None:
    image = np.full((960, 1280, 3), 200, np.uint8)
    for k in range(6):
        cv2.circle(image, (200 + 170 * k, 480), 55, (70, 90, 150), -1, cv2.LINE_AA)
    assert find.find(image, find.LIVE).is_whole
    assert len(find.find(image, find.LIVE).discs) >= 6


def test_a_cloth_of_a_thousand_dots_is_refused_before_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    step_px = 40
    cloth = np.full((1088, 1456, 3), 200, np.uint8)
    for y in range(step_px // 2, 1088, step_px):
        for x in range(step_px // 2, 1456, step_px):
            cv2.circle(cloth, (x, y), round(0.42 * step_px), (40, 60, 90), -1, cv2.LINE_AA)
    reader = Reader("auto")
    monkeypatch.setattr(Identifier, "__call__", None)  # the network is not asked
    reading = reader.read(Frame(cloth, 1, 0.0))
    assert (reading.coins, reading.unclear) == ((), CROWDED)


def test_a_photo_that_was_not_searched_to_its_end_says_so(picture: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, frame = propose.anywhere, Frame(picture[picture.shape[0] // 2 :].copy(), 1, 0.0)  # three coins
    monkeypatch.setattr(propose, "anywhere", lambda *photo: whole(*photo)._replace(is_whole=False))
    assert NOT_WHOLE in Reader("none").read(frame).warnings
    assert NOT_WHOLE not in Reader("none", effort=find.LIVE).read(frame).warnings
