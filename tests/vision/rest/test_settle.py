"""The settler on drawn tables with a known truth: what moved, what lies there, when to rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tablecoin.rules.rulebook import Message
from tablecoin.virtual.sensor import WEBCAM_NOISE, Grain
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.clearness import DARK
from tablecoin.vision.rest.settle import BUMP_WARNING, DISAGREE_WARNING, OBJECT_WARNING, Look, Settler

MM_PER_PX = 0.6
SIZE = (720, 540)  # 432 × 324 mm
FPS = 15.0
LONG = pytest.mark.long
PENNY, DIME, QUARTER = 19.05 / 2, 17.91 / 2, 24.26 / 2
SURE_PENNY_HEADS = (1.0, 0.0, 0.0, 0.0)


def _mat() -> Image:
    """A light printed mat on a darker table: zones in outline, a word or two, the border."""
    image = np.full((SIZE[1], SIZE[0], 3), (90, 110, 130), np.uint8)
    cv2.rectangle(image, (30, 30), (690, 510), (215, 222, 225), cv2.FILLED)
    for top in (60, 300):
        cv2.rectangle(image, (60, top), (660, top + 180), (120, 120, 60), 2)
    cv2.circle(image, (360, 270), 40, (60, 60, 160), 2)
    cv2.putText(image, "HEADS", (70, 90), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (80, 80, 80), 2, cv2.LINE_AA)
    return image


MAT = _mat()


@cache
def grain() -> NDArray[np.float32]:
    """(2 H, W, 3): each picture takes its noise, in grey levels, from another window of these rows."""
    return np.random.default_rng(1).standard_normal((2 * SIZE[1], SIZE[0], 3), np.float32)


@dataclass(frozen=True)
class Token:
    """A drawn coin: centre and radius in mm; `turned` shows the other design."""

    x_mm: float
    y_mm: float
    r_mm: float = PENNY
    turned: bool = False


@dataclass(frozen=True)
class Scene:
    coins: tuple[Token, ...] = ()
    hand_mm: tuple[float, float] | None = None  # the tip of a forearm that comes in from the right
    skin: tuple[int, int, int] = (120, 150, 200)
    block_mm: tuple[float, float, float, float] | None = None  # a telephone: left, top, width, height
    light: float = 1.0
    slope: float = 0.0  # of the light across the picture
    shift_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0


def px(mm: float) -> int:
    return round(mm / MM_PER_PX)


def draw(scene: Scene, number: int) -> Image:
    """The scene with the noise of this picture's number."""
    top = 17 * number % SIZE[1]
    noise = grain()[top : top + SIZE[1]]
    return np.asarray(cv2.addWeighted(drawn(scene), 1.0, noise, scene.noise, 0.0, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=4)
def drawn(scene: Scene) -> NDArray[np.float32]:
    """The scene without noise."""
    image = MAT.copy()
    for coin in scene.coins:
        centre, radius = (px(coin.x_mm), px(coin.y_mm)), px(coin.r_mm)
        cv2.circle(image, centre, radius, (70, 110, 150), cv2.FILLED, cv2.LINE_AA)
        relief = (110, 160, 200)
        if coin.turned:
            cv2.rectangle(image, (centre[0] - 6, centre[1] - 2), (centre[0] + 6, centre[1] + 6), relief, cv2.FILLED)
        else:
            cv2.ellipse(image, (centre[0] - 2, centre[1]), (4, 8), 20, 0, 360, relief, cv2.FILLED)
    if scene.block_mm:
        left, top, width, height = (px(v) for v in scene.block_mm)
        cv2.rectangle(image, (left, top), (left + width, top + height), (35, 30, 30), cv2.FILLED)
    if scene.hand_mm:
        x, y = px(scene.hand_mm[0]), px(scene.hand_mm[1])
        cv2.rectangle(image, (x + 60, y - 45), (SIZE[0], y + 45), scene.skin, cv2.FILLED)
        cv2.ellipse(image, (x + 70, y), (70, 60), 0, 0, 360, scene.skin, cv2.FILLED)
    picture = image.astype(np.float32)
    if scene.shift_px != (0.0, 0.0):
        move = np.array([[1, 0, scene.shift_px[0]], [0, 1, scene.shift_px[1]]], np.float32)
        picture = cv2.warpAffine(picture, move, SIZE, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    if (scene.light, scene.slope) != (1.0, 0.0):
        picture *= scene.light * (1 + scene.slope * np.linspace(-1, 1, SIZE[0], dtype=np.float32))[None, :, None]
    return picture


@dataclass
class Table:
    """A table filmed at 15 frames a second, its settler, and a reader that knows the truth."""

    areas: Areas = field(default_factory=Areas)
    scene: Scene = Scene()
    number: int = 0
    reads: int = 0
    mat: str | None = None  # what the reader says lies there
    unclear: Message | None = None  # what it says is wrong with the picture

    def __post_init__(self) -> None:
        self.settler = Settler(self.read, still_s=0.6, areas=lambda _: self.areas)

    def read(self, frame: Frame) -> Reading:
        self.reads += 1
        dx, dy = self.scene.shift_px
        return Reading(
            frame,
            tuple(
                SeenCoin(
                    Disc(c.x_mm / MM_PER_PX + dx, c.y_mm / MM_PER_PX + dy, c.r_mm / MM_PER_PX),
                    SURE_PENNY_HEADS,
                    whichever(float(not c.turned)),
                    sure=True,
                )
                for c in self.scene.coins
            ),
            MM_PER_PX,
            self.mat,
            unclear=self.unclear,
        )

    def show(self, scene: Scene, seconds: float, every: int = 1) -> list[Look]:
        """`every`: so many frames are one picture, where nothing quick happens."""
        self.scene = scene
        return list(self._film(seconds, every))

    def _film(self, seconds: float, every: int) -> Iterator[Look]:
        for _ in range(round(seconds * FPS / every)):
            self.number += every
            yield self.settler.see(Frame(draw(self.scene, self.number), self.number, self.number / FPS))

    def reach_in(self, scene: Scene, y_mm: float = 120) -> list[Look]:
        """A hand comes in, and goes out leaving `scene`."""
        looks = []
        for x_mm in (380, 330, 280, 230, 180):
            looks += self.show(replace(self.scene, hand_mm=(x_mm, y_mm)), 1 / FPS)
        for x_mm in (180, 230, 280, 330, 380):
            looks += self.show(replace(scene, hand_mm=(x_mm, y_mm)), 1 / FPS)
        return looks


def sightings(looks: list[Look]) -> list[int]:
    return [look.sighting.number for look in looks if look.sighting]


TWO = Scene((Token(100, 100), Token(150, 220, QUARTER)))


@cache
def settled() -> Table:
    table = Table()
    assert sightings(table.show(TWO, 1.0)) == [1]
    return table


@pytest.fixture
def table() -> Table:
    """A table with two coins that has settled once."""
    return deepcopy(settled())


def test_a_table_left_alone_is_seen_once_and_read_twice() -> None:
    table = Table()
    looks = table.show(TWO, 5.0)
    assert [i for i, look in enumerate(looks) if look.sighting] == [pytest.approx(0.6 * FPS, abs=1)]
    assert table.reads == 2
    assert not any(look.moving for look in looks[1:])
    assert looks[-1].still_s == pytest.approx(5.0, abs=0.2)


def test_the_table_is_read_in_the_mean_of_its_still_pictures(table: Table) -> None:
    """The second reading at 0.6 s has the six pictures since the first at 0.2 s, so well under half of one's noise."""
    (sighting,) = [look.sighting for look in table.reach_in(TWO) + table.show(TWO, 1.5) if look.sighting]
    apart = sighting.reading.frame.image - drawn(TWO)
    one = draw(TWO, table.number) - drawn(TWO)
    assert apart.std() < 0.55 * one.std()
    assert np.abs(apart).max() < 8, "nothing of the hand is in it"


def test_a_coin_set_down_is_ruled_on_once_the_hand_is_gone(table: Table) -> None:
    after = replace(TWO, coins=(*TWO.coins, Token(200, 120, DIME)))
    during = table.reach_in(after)
    assert not sightings(during)
    assert sum(look.hand for look in during) >= 8, "the hand is seen in nearly every frame"
    looks = table.show(after, 1.5)
    (sighting,) = [look.sighting for look in looks if look.sighting]
    assert len(sighting.reading.coins) == 3
    assert not sighting.reading.hand
    assert not looks[-1].hand


@pytest.mark.parametrize(
    "skin", [(120, 150, 200), (40, 35, 35), *(pytest.param(s, marks=LONG) for s in ((60, 80, 120), (140, 120, 100)))]
)
def test_a_resting_hand_or_sleeve_blocks(table: Table, skin: tuple[int, int, int]) -> None:
    looks = []
    for n in range(
        0, 60, 2
    ):  # it rests for four seconds, swaying by a third of a millimetre, as still as a hand can be
        sway = 0.35 * math.sin(n)
        looks += table.show(replace(TWO, hand_mm=(200 + sway, 120), skin=skin), 2 / FPS, every=2)
    assert not sightings(looks)
    assert looks[-1].hand
    assert any(not look.moving for look in looks[3:]), "it rests"
    assert sightings(table.show(TWO, 1.5)) == [2]


def test_nothing_is_ruled_on_under_a_breathing_hand_however_long(table: Table) -> None:
    looks = []
    for n in range(0, round(10 * FPS), 3):  # a thing that does not stir at all is accepted after eight seconds
        sway = 0.6 * math.sin(2 * math.pi * n / FPS / 4)  # a breath every four seconds
        looks += table.show(replace(TWO, hand_mm=(200 + sway, 120 + sway)), 3 / FPS, every=3)
    assert not sightings(looks)


def test_a_telephone_left_on_the_mat_is_accepted_after_eight_seconds_with_a_warning(table: Table) -> None:
    left = replace(TWO, block_mm=(230, 60, 70, 140))
    looks = table.show(left, 10.0, every=3)
    (at,) = [i for i, look in enumerate(looks) if look.sighting]
    assert 8.0 * FPS <= 3 * at <= 9.0 * FPS
    assert all(look.hand for look in looks[2:at])
    sighting = looks[at].sighting
    assert sighting is not None
    assert OBJECT_WARNING in sighting.reading.warnings

    # Play continues around it, with a warning while it is there.
    more = replace(left, coins=(*left.coins, Token(60, 260, DIME)))
    table.reach_in(more, y_mm=260)
    (sighting,) = [look.sighting for look in table.show(more, 1.5) if look.sighting]
    assert OBJECT_WARNING in sighting.reading.warnings

    # Taking it away shows the mat as it was before: no new object.
    bare = replace(more, block_mm=None)
    (sighting,) = [look.sighting for look in table.show(bare, 1.5) if look.sighting]
    assert OBJECT_WARNING not in sighting.reading.warnings


@pytest.mark.parametrize(
    ("name", "film"),
    [
        ("mains flicker", [replace(TWO, light=1 + 0.04 * math.sin(1.9 * n)) for n in range(0, 60, 2)]),
        ("the sun goes in", [replace(TWO, light=1 - 0.004 * n) for n in range(0, 60, 2)]),
        ("a lamp is turned", [replace(TWO, slope=0.003 * n) for n in range(0, 60, 2)]),
        ("a dim room", [replace(TWO, light=1.0, noise=2 + 0.1 * n) for n in range(0, 60, 2)]),
    ],
)
def test_light_is_not_motion_and_not_a_hand(table: Table, name: str, film: list[Scene]) -> None:
    looks = [look for scene in film for look in table.show(scene, 2 / FPS, every=2)]
    assert not any(look.hand for look in looks), name
    assert not any(look.moving for look in looks), name


def test_a_lamp_switched_on_is_read_again_but_is_no_hand(table: Table) -> None:
    looks = table.show(replace(TWO, light=0.7, slope=0.15), 2.0)
    assert not any(look.hand for look in looks)
    assert not looks[-1].moving


def test_a_coin_turned_over_in_its_place_is_a_change(table: Table) -> None:
    turned = replace(TWO, coins=(replace(TWO.coins[0], turned=True), TWO.coins[1]))
    looks = table.show(turned, 1.5)
    (sighting,) = [look.sighting for look in looks if look.sighting]
    assert sighting.reading.coins[0].heads == 0.0


@pytest.mark.parametrize("by_mm", [0.5, 2.0])
def test_a_coin_slid_is_a_change(table: Table, by_mm: float) -> None:
    slid = replace(TWO, coins=(replace(TWO.coins[0], x_mm=100 + by_mm), TWO.coins[1]))
    assert sightings(table.show(slid, 1.5)) == [2]


def swaying(scene: Scene, n: int, by_mm: float) -> Scene:
    at_px = by_mm / MM_PER_PX
    return replace(scene, shift_px=(at_px * math.sin(1.3 * n), at_px * math.cos(0.9 * n)))


TOUCHED = {
    "left alone": (TWO.coins[0], []),
    "slid by half a millimetre": (replace(TWO.coins[0], x_mm=100.5), [2]),
    "turned over": (replace(TWO.coins[0], turned=True), [2]),
}
SWAYS_MM = (0.09, 0.17, 0.4)
QUICK = {("left alone", 0.4), ("slid by half a millimetre", 0.4), ("turned over", 0.17)}


@pytest.mark.parametrize(
    ("what", "by_mm"),
    [pytest.param(*case, marks=() if case in QUICK else LONG) for case in product(TOUCHED, SWAYS_MM)],
)
def test_a_swaying_camera_settles_and_a_coin_touched_under_no_hand_is_noticed(what: str, by_mm: float) -> None:
    table, (first, numbers) = Table(), TOUCHED[what]
    looks = [look for n in range(30) for look in table.show(swaying(TWO, n, by_mm), 1 / FPS)]
    assert sightings(looks[: round(1.2 * FPS)]) == [1]
    assert not any(look.moving for look in looks[1:])
    touched = replace(TWO, coins=(first, TWO.coins[1]))
    later = [look for n in range(30, 60) for look in table.show(swaying(touched, n, by_mm), 1 / FPS)]
    assert sightings(later)[:1] == numbers


@pytest.mark.parametrize("times", [1, 2, 6])
def test_a_webcams_noise_settles(times: int) -> None:
    table = Table()
    grain = Grain(SIZE, times * WEBCAM_NOISE)
    still = np.asarray(drawn(TWO).clip(0, 255), np.uint8)
    looks = []
    for n in range(round(2 * FPS)):
        table.scene = TWO
        looks.append(table.settler.see(Frame(grain.on(still), n, n / FPS)))
    assert sightings(looks[: round(1.2 * FPS)]) == [1]
    assert not any(look.moving for look in looks[1:])


@pytest.mark.parametrize("light", [0.75, 0.9])
def test_a_step_of_the_exposure_after_a_hand_does_not_start_the_clock_again(table: Table, light: float) -> None:
    after = replace(TWO, coins=TWO.coins[:1])
    table.reach_in(after)
    looks = table.show(after, 4 / FPS) + table.show(replace(after, light=light), 1.0)
    assert sightings(looks[: round(0.9 * FPS)]) == [2]


def test_a_hand_that_moves_beside_the_mat_does_not_block() -> None:
    table = Table(Areas(mat_px=((30, 30), (600, 30), (600, 510), (30, 510))))
    table.show(TWO, 1.5)
    slid = replace(TWO, coins=TWO.coins[:1])
    looks = []
    for n in range(30):  # 25 mm from the mat's rim
        looks += table.show(replace(slid, block_mm=(385, 100 + 30 * (n % 4), 40, 60)), 1 / FPS)
    assert sightings(looks[: round(1.2 * FPS)]) == [2]


def test_a_row_of_coins_swept_off_is_no_hand(table: Table) -> None:
    """Much of the picture changes, but coins seen before explain all of it."""
    row = Scene(tuple(Token(60 + 27 * n, 150, QUARTER) for n in range(10)))
    table.show(row, 1.5)
    looks = table.show(Scene(), 1.5)
    assert sightings(looks) == [3]
    assert not looks[-1].hand


@pytest.mark.parametrize("shift", [(3.0, 0.0), (-9.0, 6.0), (14.0, -11.0)])
def test_a_bumped_camera_is_noticed_and_play_goes_on(table: Table, shift: tuple[float, float]) -> None:
    looks = table.show(replace(TWO, shift_px=shift), 2.0)
    (sighting,) = [look.sighting for look in looks if look.sighting]
    assert not looks[-1].hand
    assert BUMP_WARNING in sighting.reading.warnings


def test_a_mat_that_is_laid_where_none_lay_is_no_hand() -> None:
    table = Table()
    assert sightings(table.show(Scene(block_mm=(0, 0, 432, 324)), 1.5)) == [1], "the bare table"
    table.mat = "two-row"
    looks = table.show(TWO, 1.5)
    assert sightings(looks) == [2]
    assert not looks[-1].hand


def test_a_picture_that_was_too_dark_is_read_again_though_the_light_came_back_slowly() -> None:
    """Slow changes of light are no motion: the page would say for ever that it is too dark."""
    table = Table(unclear=DARK)
    assert sightings(table.show(replace(TWO, light=0.3), 2.0)) == [1]
    for n in range(60):
        table.show(replace(TWO, light=0.3 + 0.005 * n), 1 / FPS)
    table.unclear = None
    looks = table.show(replace(TWO, light=0.6), 5.0)
    assert sightings(looks)
    assert looks[-1].reading is not None
    assert looks[-1].reading.unclear is None
    reads = table.reads
    assert not sightings(table.show(replace(TWO, light=0.6), 9.0, every=3))
    assert table.reads == reads, "a clear table left alone is not read again"


def test_what_stands_on_the_prizes_place_is_no_hand() -> None:
    circle = tuple((360 + 75 * math.cos(a), 270 + 75 * math.sin(a)) for a in np.linspace(0, 6.2, 24))
    table = Table(Areas(ignored_px=(circle,)))
    table.show(TWO, 1.5)
    looks = table.show(replace(TWO, block_mm=(196, 142, 40, 40)), 1.5)  # a bottle
    assert sightings(looks) == [2]
    assert not looks[-1].hand


def test_off_the_mat_nothing_is_a_hand_once_it_lies_still() -> None:
    table = Table(Areas(mat_px=((30, 30), (690, 30), (690, 510), (30, 510))))
    table.show(TWO, 1.5)
    looks = table.show(replace(TWO, block_mm=(418, 100, 14, 100)), 1.5)
    assert sightings(looks) == [2]


class Undecided(Table):
    """A reader whose second coin comes out differently each time."""

    def read(self, frame: Frame) -> Reading:
        reading = super().read(frame)
        first, second = reading.coins
        return replace(reading, coins=(first, replace(second, heads_if=whichever(float(self.reads % 2)))))


def test_readings_that_never_agree_are_passed_on_as_not_sure() -> None:
    table = Undecided()
    looks = table.show(TWO, 3.0)
    (sighting,) = [look.sighting for look in looks if look.sighting]
    assert [coin.sure for coin in sighting.reading.coins] == [True, False]
    assert DISAGREE_WARNING in sighting.reading.warnings
    assert table.reads == 5


def test_after_a_gap_the_table_is_read_again(table: Table) -> None:
    table.number += round(60 * FPS)  # the camera was away for a minute
    assert sightings(table.show(TWO, 1.5)) == [2]


def test_another_table_altogether_is_motion_and_is_read() -> None:
    read: list[float] = []

    def reading(frame: Frame) -> Reading:
        read.append(frame.taken_s)
        return Reading(frame, (), MM_PER_PX)

    settler = Settler(reading)
    grain = np.random.default_rng(3).uniform(60, 160, (SIZE[1] // 12, SIZE[0] // 12, 3)).astype(np.uint8)
    wood = np.asarray(cv2.resize(grain, SIZE, interpolation=cv2.INTER_NEAREST), np.uint8)
    pictures = [draw(Scene(), n) for n in range(15)] + [wood] * 15
    looks = [settler.see(Frame(image, n, n / FPS)) for n, image in enumerate(pictures)]
    assert [n for n, look in enumerate(looks) if look.moving] == [0, 15]
    assert [bool(look.sighting) for look in looks].count(True) == 2
    assert read[-1] > 15 / FPS
