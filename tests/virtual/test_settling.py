"""The settler on rendered pictures: hands, tosses, coins turned over, bumps.

The reader here knows the truth: these tests are about when a table may be ruled on, not about readings.
"""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin import mat
from tablecoin.coins import BY_VALUE, Coin, Heap
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.find import greyed
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, Sighting, whichever
from tablecoin.vision.place.tracker import MatTracker
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import BUMP_WARNING, OBJECT_WARNING, Look, Settler


class Play:
    """A virtual table filmed at 15 frames per second of simulated time."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.table = VirtualTable(mat.load("two-row"), seed=3, clock=lambda: self.now_s)
        for k in range(6):
            self.table.place(list(Coin)[k], ("row.heads", "row.tails", "bank")[k % 3])
        self.camera = VirtualCamera(self.table, fps=15, clock=lambda: self.now_s, sleep=self.sleep)
        self.settler = Settler(self.read, areas=lambda _: self.areas())

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def areas(self) -> Areas:
        view, plan = self.camera.view, self.table.mat
        paper = [(0.0, 0.0), (plan.width_mm, 0.0), (plan.width_mm, plan.height_mm), (0.0, plan.height_mm)]
        (x, y), turn = plan.zone("prize").area.center_mm, np.linspace(0, 6.2, 24)
        prize = np.column_stack([x + 33 * np.cos(turn), y + 33 * np.sin(turn)])
        return Areas([(a, b) for a, b in view.to_px(paper)], ([(a, b) for a, b in view.to_px(prize)],))

    def read(self, frame: Frame) -> Reading:
        view = self.camera.view
        x, y = view.size_px[0] / 2, view.size_px[1] / 2
        (one, other) = view.to_mm([(x, y), (x + 1, y)])
        mm_per_px = float(np.linalg.norm(one - other))
        coins = []
        for coin in self.table.scene.coins:
            ((x, y),) = view.to_px([(coin.x_mm, coin.y_mm)])
            disc = Disc(float(x), float(y), coin.denomination.diameter_mm / 2 / mm_per_px)
            penny, nickel, dime, quarter = (float(kind == coin.denomination) for kind in BY_VALUE)
            coins.append(
                SeenCoin(disc, (penny, nickel, dime, quarter), whichever(float(coin.face == "heads")), sure=True)
            )
        return Reading(frame, tuple(coins), mm_per_px, self.table.mat.name)

    def watch(self, seconds: float) -> list[Look]:
        end_s, looks = self.now_s + seconds, []
        while self.now_s < end_s:
            looks.append(self.settler.see(self.camera.read(1.0)))
        return looks


def only(looks: list[Look]) -> Sighting:
    (sighting,) = [look.sighting for look in looks if look.sighting]
    return sighting


@pytest.fixture(autouse=True)
def _small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablecoin.virtual.camera.SIZE_PX", (640, 480))  # drawn in a quarter of the time


@pytest.fixture
def play() -> Play:
    play = Play()
    assert len(only(play.watch(1.0)).reading.coins) == 6
    return play


def test_a_hand_over_the_mat_is_seen_in_every_frame_and_nothing_is_ruled_on(play: Play) -> None:
    play.table.hand((200.0, 150.0))
    looks = play.watch(1.0)
    assert all(look.hand for look in looks)
    assert not any(look.sighting for look in looks)
    play.table.hand(None)
    assert len(only(play.watch(1.2)).reading.coins) == 6


def test_a_toss_is_ruled_on_once_the_hand_has_gone(play: Play) -> None:
    play.table.toss(Heap(penny=3, dime=2), "tray")
    looks = play.watch(2.0)
    sighting = only(looks)
    assert looks[0].hand
    assert len(sighting.reading.coins) == 11


@pytest.mark.parametrize("number", range(6))
def test_every_coin_turned_over_where_it_lies_is_noticed(play: Play, number: int) -> None:
    play.table.flip(number)
    only(play.watch(1.2))


def test_a_bumped_camera_is_no_hand(play: Play) -> None:
    play.table.fault(camera_bumped=True)
    assert BUMP_WARNING in only(play.watch(1.5)).reading.warnings


def test_a_bottle_on_the_prize_circle_is_ignored(play: Play) -> None:
    play.table.prize(True)
    assert OBJECT_WARNING not in only(play.watch(1.5)).reading.warnings


def test_another_mat_is_not_taken_for_an_object() -> None:
    play = Play()
    play.areas = lambda: Areas.over(None)  # type: ignore[method-assign]
    only(play.watch(1))
    play.table.lay(mat.load("ring"))
    laid = [look.sighting for look in play.watch(2) if look.sighting]
    assert laid, "the new mat was taken for a hand"
    assert OBJECT_WARNING not in laid[-1].reading.warnings


class Tracked(Play):
    """The same, where the mat's place is found from its markers."""

    def __init__(self) -> None:
        self.tracker = MatTracker("auto")
        super().__init__()

    def areas(self) -> Areas:
        return Areas.over(self.tracker.plane)

    def read(self, frame: Frame) -> Reading:
        self.tracker.locate(frame.image, greyed(frame.image), None)
        return super().read(frame)


def test_a_marker_that_was_covered_when_its_mat_was_laid_is_no_hand_once_it_shows() -> None:
    play = Tracked()
    play.watch(1.0)
    play.table.fault(marker_lost=True)
    play.table.lay(mat.load("coin-age:classic"))
    assert any(look.sighting for look in play.watch(1.2))
    play.table.fault(marker_lost=False)
    looks = play.watch(1.2)
    assert not looks[-1].hand
    assert any(look.sighting for look in looks)


def test_a_hand_on_a_marker_is_seen() -> None:
    play = Tracked()
    play.watch(1.0)
    first = play.table.mat.markers[0]
    play.table.hand((first.x_mm, first.y_mm))
    looks = play.watch(1.0)
    assert looks[-1].hand
    assert not any(look.sighting for look in looks)


def test_after_missed_frames_the_table_is_read_again(play: Play) -> None:
    assert not any(look.sighting for look in play.watch(1.0))  # nothing happens
    play.settler.look_again()
    again = only(play.watch(1.0))
    assert len(again.reading.coins) == 6
