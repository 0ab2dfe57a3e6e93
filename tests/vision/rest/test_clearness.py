"""The edges of the mat's markers tell when a picture is too blurred or too dark to rule on."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import propose
from tablecoin.vision.coins.find import greyed
from tablecoin.vision.coins.propose import upright
from tablecoin.vision.coins.reader import NOISE, Reader
from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.tracker import MatTracker
from tablecoin.vision.rest.clearness import BLURRED, DARK, GLARE, Clearness, clearness, glares, is_noise
from tablecoin.vision.rest.settle import Settler
from tests.scenes import Drawn

MAT = mats.load("two-row")
SMALL = (640, 480)


def measured(light: Light, faults: Faults | None = None, size_px: tuple[int, int] = (1280, 960)) -> Clearness:
    image = Drawn(light=light, faults=faults or Faults(), size_px=size_px, tilt_deg=5).picture()
    plane = find_plane(image)
    assert plane
    clear = clearness(image, plane)
    assert clear
    return clear


@pytest.mark.parametrize(
    ("light", "fault"),
    [
        (Light(), None),
        (Light(noise=12.0), None),
        (Light(blur_px=1.2), None),
        (Light(brightness=0.35, noise=5.0), None),
        (Light(blur_px=3.0), BLURRED),
        (Light(brightness=0.09, noise=3.0), DARK),
        (Light(brightness=0.25, noise=6.0), DARK),  # light enough, but for the noise
        (Light(brightness=0.14, noise=2.0), None),
    ],
)
def test_what_is_too_blurred_or_too_dark(light: Light, fault: Message | None) -> None:
    assert measured(light).fault == fault


@pytest.mark.parametrize(
    ("light", "faults", "glaring"),
    [
        (Light(), Faults(), False),
        (Light(), Faults(glare=True), True),
        (Light(brightness=0.7), Faults(glare=True), True),
        (Light(brightness=1.15), Faults(glare=True), False),  # the paper is over-exposed all over: no spot is told
        (Light(brightness=1.0, falloff=0.0), Faults(), False),
        (Light(noise=8.0), Faults(), False),
    ],
)
def test_a_burnt_out_spot_among_paper_that_is_not_is_glare(light: Light, faults: Faults, glaring: bool) -> None:
    image = Drawn(light=light, faults=faults, size_px=(1280, 960), tilt_deg=5).picture()
    plane = find_plane(image)
    assert plane
    assert glares(*upright(image, plane)) is glaring


def test_glare_over_every_tossed_coin_is_said_within_two_seconds_and_none_is_sure() -> None:
    renderer, reader = Renderer(MAT, View.over(MAT, size_px=(1280, 960))), Reader(MAT.name)
    spot_mm = renderer.view.to_mm(np.array([(0.56 * 1280, 0.45 * 960)]))[0]  # in the middle of the reflection
    tossed = [VirtualCoin(Denomination.PENNY, Face.HEADS, spot_mm[0] + 22 * k, spot_mm[1]) for k in (-0.5, 0.5)]
    settler = Settler(reader.read)
    said = []
    for number in range(20):  # at 10 frames a second
        image = renderer.picture(Scene(tuple(tossed), faults=Faults(glare=True)))
        look = settler.see(Frame(image, number, number / 10))
        said += [look.sighting.reading] if look.sighting else []
    assert [([coin for coin in reading.coins if coin.sure], GLARE in reading.warnings) for reading in said] == [
        ([], True)
    ]


def test_more_blur_is_a_wider_edge_and_less_light_a_lower_one() -> None:
    edges = [measured(Light(blur_px=blur), size_px=SMALL).edge_mm for blur in (0.3, 0.8, 1.5)]
    assert edges == sorted(edges)
    levels = [measured(Light(brightness=share), size_px=SMALL).levels for share in (0.1, 0.3, 1.0)]
    assert levels == sorted(levels)


def test_the_width_is_measured_on_the_mat_whatever_the_camera() -> None:
    coarse, fine = measured(Light(blur_px=0.9), size_px=(768, 576)), measured(Light(blur_px=1.5))
    assert fine.edge_mm == pytest.approx(coarse.edge_mm, rel=0.15)


def test_a_slip_of_paper_over_a_marker_does_not_count_as_blur() -> None:
    assert measured(Light(), Faults(marker_lost=True)).fault is None


def test_the_reader_says_so() -> None:
    view = View.over(MAT, size_px=(1280, 960))
    for light, said in ((Light(), None), (Light(blur_px=3.0), BLURRED)):
        assert Reader("two-row").read(Frame(Renderer(MAT, view, light).picture(Scene()), 1, 0.0)).unclear == said


SIZE = (1088, 1456, 3)
RANDOM = np.random.default_rng(5)


def normal(mean: float, sd: float) -> NDArray[np.float32]:
    return mean + np.float32(sd) * RANDOM.standard_normal(SIZE, np.float32)


NOISY: dict[str, Callable[[], Image]] = {
    "any colours": lambda: RANDOM.integers(0, 256, SIZE, np.uint8),
    "a grey surface with a tenth of noise": lambda: normal(128, 20).astype(np.uint8),
    "a covered lens": lambda: np.abs(normal(3, 2)).astype(np.uint8),
    "blocks of 4 pixels": lambda: RANDOM.integers(0, 256, (272, 364, 3), np.uint8).repeat(4, 0).repeat(4, 1),
}


@pytest.mark.parametrize("what", NOISY)
def test_noise_is_refused_before_it_is_searched(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatTracker, "locate", None)  # neither for a mat
    monkeypatch.setattr(propose, "anywhere", None)  # nor for coins
    reading = Reader("auto").read(Frame(NOISY[what](), 1, 0.0))
    assert (reading.coins, reading.unclear) == ((), NOISE)


@pytest.mark.long  # it measures time
@pytest.mark.parametrize("what", NOISY)
def test_noise_is_refused_soon(what: str) -> None:
    reader, frame = Reader("auto"), Frame(NOISY[what](), 1, 0.0)
    began_s = time.thread_time()
    assert reader.read(frame).unclear == NOISE
    assert time.thread_time() - began_s <= 0.3


@pytest.mark.parametrize("light", [Light(), Light(noise=12.0), Light(blur_px=3.0), Light(brightness=0.09, noise=3.0)])
def test_no_picture_of_a_mat_is_taken_for_noise(light: Light) -> None:
    renderer = Renderer(MAT, View.over(MAT, size_px=(1280, 960)), light)
    assert not is_noise(greyed(renderer.picture(Scene())))
    assert not is_noise(np.full(SIZE[:2], 128, np.uint8)), "one colour alone has no noise"
