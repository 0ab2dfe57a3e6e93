"""Coins that the network was not trained on are shown once, heads up and tails up, and are known from then on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.own_coins import EnrolError, Shown, enrol, sorted_out
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Face, Heap
from tablecoin.virtual.art import draw_coin
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.skin import Cutout, Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.enrolment import Count, Tray
from tablecoin.vision.coins.network import Described, Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever

MAT = mats.load("two-row")
TRAY = Heap(penny=3, nickel=3, dime=3, quarter=3)


def odd_skin() -> Skin:
    """Coins that no mint makes: dark, blue-green, with their pictures inverted."""
    cutouts: dict[tuple[Denomination, Face], list[Cutout]] = {}
    for kind in BY_VALUE:
        for face in Face:
            coin = draw_coin(kind, face, 0, 160, 0)
            grey = coin[..., :3].mean(axis=2, keepdims=True)
            inside_out = np.clip((300 - grey) * np.array([0.75, 0.7, 0.4]), 0, 255).astype(np.uint8)
            cutouts[kind, face] = [np.dstack([inside_out, coin[..., 3]])]
    return Skin(cutouts)


def laid(face: Face | None, seed: int) -> tuple[VirtualCoin, ...]:
    """Three of each kind, all of one face, or of both in turn."""
    rng = np.random.default_rng(seed)
    coins = []
    for k in range(12):
        x, y = 60 + 60 * (k % 6) + rng.uniform(-8, 8), 60 + 170 * (k // 6) + rng.uniform(-12, 12)
        side = face or list(Face)[k // 2 % 2]
        coins.append(VirtualCoin(BY_VALUE[k % 4], side, float(x), float(y), float(rng.uniform(0, 360))))
    return tuple(coins)


def seen(skin: Skin, coins: tuple[VirtualCoin, ...], seed: int) -> Frame:
    renderer = Renderer(MAT, View.over(MAT, size_px=(1456, 1088)), Light(warmth=0.02 * seed), skin, seed)
    return Frame(renderer.picture(Scene(coins=coins)), 0, 0.0)


def read(skin: Skin, coins: tuple[VirtualCoin, ...], seed: int, identifier: Identifier | None = None) -> Reading:
    return Reader("two-row", identifier=identifier).read(seen(skin, coins, seed))


def read_tray(skin: Skin, coins: tuple[VirtualCoin, ...], seed: int) -> Reading:
    return Reader("two-row").read_tray(seen(skin, coins, seed))


def right(reading: Reading, coins: tuple[VirtualCoin, ...]) -> int:
    """The number of coins that are right and sure."""
    places = {(round(c.x_mm / 60), round(c.y_mm / 60)): c.coin for c in coins}
    good = 0
    for seen in reading.coins:
        x, y = seen.place_mm or (0, 0)
        good += seen.sure and places.get((round(x / 60), round(y / 60))) is seen.coin
    return good


@pytest.mark.heavy  # the network looks at two trays, and learns
def test_odd_coins_are_known_after_one_tray_and_usual_ones_as_before() -> None:
    skin = odd_skin()
    enrolment = enrol(
        [sorted_out(read_tray(skin, laid(face, seed), seed), Tray(TRAY, face)) for seed, face in enumerate(Face)]
    )
    assert enrolment.coins == 24
    assert enrolment.helps
    assert enrolment.after.right > enrolment.before.right
    mixed = laid(None, 9)
    before = right(read(skin, mixed, 3), mixed)
    after = right(read(skin, mixed, 3, Identifier(enrolled=enrolment)), mixed)
    assert after > before
    assert after >= 10
    usual = laid(None, 11)
    before = right(read(Skin(), usual, 1), usual)
    assert right(read(Skin(), usual, 1, Identifier(enrolled=enrolment)), usual) >= before - 1


class KnowsAll(Identifier):
    """A network that is sure of four coins, one of each kind, heads up in a bright picture."""

    def described(self, image: Image, discs: Sequence[Disc], kinds: Sequence[Denomination]) -> Described:
        logits = np.full((4, 4, 6), -9.0)
        logits[:, range(4), range(4)] = 9.0
        logits[:, :, 5] = 9.0 if image.mean() > 128 else -9.0
        return Described(np.ones((4, 4, 192)), np.ones((4, 4, 320)), logits, np.ones(4))


def test_coins_that_are_known_already_change_nothing() -> None:
    discs = tuple(Disc(20.0 * k, 20, 8) for k in range(4))
    bright = {Face.HEADS: 255, Face.TAILS: 0}
    shown = [Shown(np.full((9, 9, 3), bright[face], np.uint8), discs, BY_VALUE, face) for face in Face]
    enrolment = enrol(shown, KnowsAll())
    assert enrolment.before == Count(8, 8, 0)
    assert not enrolment.helps


def shown(*radii_px: float) -> Reading:
    frame = Frame(np.zeros((200, 600, 3), np.uint8), 0, 0.0)
    discs = [Disc(60.0 + 100 * k, 100, r) for k, r in enumerate(radii_px)]
    return Reading(frame, tuple(SeenCoin(disc, (0.2, 0.2, 0.2, 0.2), whichever(0.5), False) for disc in discs), None)


@pytest.mark.parametrize(
    ("reading", "tray", "says"),
    [
        (shown(30, 30), Tray(Heap(penny=3), Face.HEADS), "There should be 3 coins; 2 are seen"),
        (shown(), Tray(EMPTY, Face.HEADS), "no penny among the coins"),
        (
            shown(30, 30.5),
            Tray(Heap(penny=1, dime=1), Face.HEADS),
            "cannot be told apart by their sizes",
        ),
        (shown(30, 30), Tray(Heap(penny=2), Face.HEADS), "no nickel among the coins"),
        (
            shown(30, 32, 36, 41),
            Tray(Heap(penny=1, nickel=1, dime=1, quarter=1), Face.HEADS),
            "Only one side",
        ),
    ],
)
def test_coins_that_cannot_be_learned_are_refused(reading: Reading, tray: Tray, says: str) -> None:
    with pytest.raises(EnrolError, match=says):
        enrol([sorted_out(reading, tray)])


def test_a_coin_of_another_size_is_refused_on_the_mat() -> None:
    coins = laid(Face.HEADS, 3)
    renderer = Renderer(MAT, View.over(MAT, size_px=(1092, 816)))
    reader = Reader("two-row")
    reading = reader.read(Frame(renderer.picture(Scene(coins=coins)), 0, 0.0))
    assert sorted_out(reading, Tray(TRAY, Face.HEADS), reader.plane).kinds.count(Denomination.DIME) == 3
    for said, fault, other in (
        ("should be a quarter and measures 21", "other", Heap(penny=3, nickel=2, dime=3, quarter=4)),
        ("should be a penny and measures 1", "other", Heap(penny=4, nickel=3, dime=2, quarter=3)),
    ):
        with pytest.raises(EnrolError, match=said) as refused:
            sorted_out(reading, Tray(other, Face.HEADS), reader.plane)
        assert refused.value.fault == fault
