"""A coin that lies as it lay keeps its answer to the last digit; one that was touched is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import Looks
from tablecoin.vision.coins.network import FINE_TURNS, Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.unmoved import PICTURES, LastReading
from tablecoin.vision.frame import Disc, Frame, Image, Reading

MAT = mats.load("two-row")
COIN = VirtualCoin(Denomination.QUARTER, Face.HEADS, 120, 250, 10)
OTHERS = (
    VirtualCoin(Denomination.NICKEL, Face.HEADS, 80, 45, 60),
    VirtualCoin(Denomination.DIME, Face.TAILS, 300, 250, 75),
)


class Counting(Identifier):
    """The network, which remembers the discs it looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Disc] = []

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        self.shown += discs
        return super().__call__(image, discs, turn)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(MAT, View.over(MAT, size_px=(1092, 816)), Light(noise=3.0))


def settled(reader: Reader, renderer: Renderer, *coins: VirtualCoin) -> Reading:
    """The reading of the second picture of these coins: a table is ruled on after two."""
    readings = [reader.read(Frame(renderer.picture(Scene(coins=coins)), number, number / 10)) for number in range(2)]
    return readings[-1]


def test_a_table_that_stays_is_not_read_again(renderer: Renderer) -> None:
    network = Counting()
    reader = Reader("two-row", identifier=network)
    first = settled(reader, renderer, COIN, *OTHERS)
    assert all(coin.sure for coin in first.coins)
    network.shown.clear()
    second = reader.read(Frame(renderer.picture(Scene(coins=(COIN, *OTHERS))), 2, 1.0))
    assert not network.shown
    assert {coin.disc: coin for coin in second.coins} == {coin.disc: coin for coin in first.coins}


@pytest.mark.parametrize(
    "change",
    [{"face": Face.TAILS}, {"denomination": Denomination.NICKEL}, {"angle_deg": 100}, {"x_mm": 121}, {"x_mm": 200}],
    ids=["turned over", "another coin", "turned", "nudged", "moved"],
)
def test_a_coin_that_was_touched_is_read_and_only_that_one(renderer: Renderer, change: dict[str, Any]) -> None:
    network = Counting()
    reader = Reader("two-row", identifier=network)
    before = settled(reader, renderer, COIN, *OTHERS)
    network.shown.clear()
    touched = msgspec.structs.replace(COIN, **change)
    after = reader.read(Frame(renderer.picture(Scene(coins=(touched, *OTHERS))), 2, 1.0))
    assert sorted(coin.coin for coin in after.coins if coin.coin) == sorted(c.coin for c in (touched, *OTHERS))
    here = _circle(renderer.view, touched)
    assert any(np.hypot(disc.x_px - here.x_px, disc.y_px - here.y_px) < 5 for disc in network.shown)
    for other in (_circle(renderer.view, one) for one in OTHERS):
        assert all(np.hypot(disc.x_px - other.x_px, disc.y_px - other.y_px) > other.r_px for disc in network.shown)
    assert len({coin.disc for coin in after.coins} & {coin.disc for coin in before.coins}) == len(OTHERS)


def test_where_another_coin_was_found_the_old_circle_is_not_looked_at() -> None:
    """In a blur one silver coin looks much like another, but the old circle does not describe the new coin."""
    view = View.over(MAT, size_px=(1280, 960))
    blurred = Renderer(MAT, view, Light(blur_px=3.0))
    nickel = VirtualCoin(Denomination.NICKEL, Face.HEADS, 168.0, 220.6, 30)
    quarter = VirtualCoin(Denomination.QUARTER, Face.HEADS, 169.0, 221.6, 30)
    small, large = (_circle(view, coin) for coin in (nickel, quarter))
    before, after = (Halvings(blurred.picture(Scene(coins=(coin,)))) for coin in (nickel, quarter))
    a_nickel = replace(Candidates.proposed([small]), kinds=np.array([[0, 1.0, 0, 0, 0]]))
    last = LastReading.of(a_nickel, before)
    assert last.overlooked([], after) == [small], "these pictures should be hard to tell apart"
    assert last.overlooked([large], after) == []
    assert last.overlooked([large], before) == [small], "a coin on top of a larger one is looked at"


def _circle(view: View, coin: VirtualCoin) -> Disc:
    reach = coin.denomination.diameter_mm / 2
    (x, y), (rim, _) = view.to_px([(coin.x_mm, coin.y_mm), (coin.x_mm + reach, coin.y_mm)])
    return Disc(float(x), float(y), float(rim - x))


def test_a_coin_taken_away_is_gone(renderer: Renderer) -> None:
    reader = Reader("two-row")
    reader.read(Frame(renderer.picture(Scene(coins=(COIN, *OTHERS))), 1, 0.0))
    after = reader.read(Frame(renderer.picture(Scene(coins=OTHERS)), 2, 1.0))
    assert len(after.coins) == len(OTHERS)


def test_a_doubtful_coin_is_looked_at_a_few_times_and_then_keeps_its_answer_too(renderer: Renderer) -> None:
    class Doubting(Counting):
        """The network, unable to tell heads from tails."""

        def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
            return blurred(super().__call__(image, discs, turn))

        def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
            return blurred(super().again(image, discs, before, turns))

    def blurred(looks: Looks) -> Looks:
        return replace(looks, faces=np.zeros_like(looks.faces))

    network = Doubting()
    reader = Reader("two-row", identifier=network)
    shown = []
    for number in range(6):
        reading = reader.read(Frame(renderer.picture(Scene(coins=(COIN,))), number, float(number)))
        assert [coin.sure for coin in reading.coins] == [False]
        shown.append(len(network.shown))
        network.shown.clear()
    assert all(shown[:PICTURES])
    assert not any(shown[PICTURES:])


def test_a_coin_that_lies_as_it_lay_is_not_lost_when_no_circle_is_found(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader("two-row")
    before = reader.read(Frame(renderer.picture(Scene(coins=(COIN, *OTHERS))), 1, 0.0))
    monkeypatch.setattr("tablecoin.vision.coins.find.find_upright", lambda *_: [])
    again = reader.read(Frame(renderer.picture(Scene(coins=(COIN, *OTHERS))), 2, 1.0))
    assert {coin.disc for coin in again.coins} == {coin.disc for coin in before.coins}
    without = reader.read(Frame(renderer.picture(Scene(coins=OTHERS)), 3, 2.0))
    assert sorted(c.coin for c in without.coins if c.coin) == sorted(c.coin for c in OTHERS)


def test_a_coin_laid_down_beside_it_leaves_a_coin_as_it_lay(renderer: Renderer) -> None:
    network = Counting()
    reader = Reader("two-row", identifier=network)
    settled(reader, renderer, COIN)
    network.shown.clear()
    beside = VirtualCoin(Denomination.PENNY, Face.HEADS, COIN.x_mm + (24.26 + 19.05) / 2 + 1.5, COIN.y_mm, 10)
    reader.read(Frame(renderer.picture(Scene(coins=(COIN, beside))), 2, 1.0))
    px = renderer.view.to_px([(COIN.x_mm, COIN.y_mm)])[0]
    assert network.shown
    assert all(np.hypot(disc.x_px - px[0], disc.y_px - px[1]) > 20 for disc in network.shown)


def test_the_mean_of_all_pictures_of_a_doubtful_coin_counts(renderer: Renderer) -> None:
    """Three pictures say tails, heads and heads of the same coin: their mean decides, not the last one."""

    class Wavering(Counting):
        """The network, with another face in every picture."""

        says = 0.0

        def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
            looks = super().__call__(image, discs, turn)
            return replace(looks, faces=np.full_like(looks.faces, self.says))

        def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
            return before

    network = Wavering()
    reader = Reader("two-row", identifier=network)
    odds = []
    for number, network.says in enumerate((-2.0, 2.0, 2.0)):
        (coin,) = reader.read(Frame(renderer.picture(Scene(coins=(COIN,))), number, float(number))).coins
        odds.append(np.log(coin.heads / (1 - coin.heads)))
    assert odds == pytest.approx([-2, 0, 2 / 3])
