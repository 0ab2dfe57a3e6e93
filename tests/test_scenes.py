"""What was drawn and read once is shared by all processes, until something that it follows from changes."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Coin, Denomination, Face
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image
from tests import scenes as made
from tests.scenes import Drawn, Scenes

pytestmark = pytest.mark.usefixtures("scenes")  # it has drawn the mat
SMALL_PX = (640, 480)
TWO_ROW = mats.load("two-row")
DIME = VirtualCoin(Denomination.DIME, Face.TAILS, 150, 150)


def test_what_one_process_made_another_finds(tmp_path: Path) -> None:
    numbers = count(3)
    one, other = Scenes(tmp_path, "a"), Scenes(tmp_path, "a")
    assert [scenes.kept("n", lambda: next(numbers)) for scenes in (one, other, one)] == [3, 3, 3]


def test_the_file_of_another_key_is_deleted(tmp_path: Path) -> None:
    Scenes(tmp_path, "old").kept("n", lambda: 1)
    assert Scenes(tmp_path, "new").kept("n", lambda: 2) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["new.sqlite"]


@pytest.mark.parametrize("changed", made.MADE_BY)
def test_a_change_of_what_a_reading_follows_from_is_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    files = {name: name if name.endswith(".py") else f"{name}/deeper/file.onnx" for name in made.MADE_BY}
    for file in files.values():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(b"as it was")
    monkeypatch.setattr(made, "ROOT", tmp_path)
    before = made.key()
    assert made.key() == before
    (tmp_path / files[changed]).write_bytes(b"as it is")
    assert made.key() != before


def test_what_could_not_be_made_is_made_by_the_next(tmp_path: Path) -> None:
    scenes = Scenes(tmp_path, "a")
    with pytest.raises(ZeroDivisionError):
        scenes.kept("n", lambda: 1 // 0)
    assert Scenes(tmp_path, "a").kept("n", lambda: 1) == 1


def test_a_scene_has_the_same_picture_whatever_was_drawn_before() -> None:
    first = Drawn((DIME,), size_px=SMALL_PX).picture()
    Drawn(size_px=SMALL_PX).picture()
    assert np.array_equal(Drawn((DIME,), size_px=SMALL_PX).picture(), first)


def test_kept_mats_and_noise_leave_the_pictures_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def pictures() -> list[Image]:
        drawing = Renderer(TWO_ROW, View.over(TWO_ROW, size_px=SMALL_PX), seed=3, px_per_mm=1.0)
        return [drawing.picture(Scene(coins)) for coins in ((), (DIME,), (), (DIME,))]

    twice = [pictures(), pictures()]
    monkeypatch.setattr("tablecoin.virtual.render._packed", made.DRAW_OWN)
    monkeypatch.setattr("tablecoin.virtual.render._grain", made.DRAW_GRAIN)
    assert np.array_equal(twice, [pictures()] * 2)


def test_a_reader_reads_on_from_where_its_kept_readings_end(tmp_path: Path) -> None:
    pictures = [Drawn(coins, size_px=SMALL_PX).picture() for coins in ((), (DIME,), ())]
    frames = [Frame(picture, n, n / 10) for n, picture in enumerate(pictures)]
    plain, first, other = Reader("two-row"), *(Scenes(tmp_path, "a").reader("two-row") for _ in range(2))
    for frame in frames[:2]:
        first.read(frame)
    read = [(plain.read(frame).coins, other.read(frame).coins) for frame in frames]
    assert [len(coins) for coins, _ in read] == [0, 1, 0]
    assert [coins for coins, _ in read] == [coins for _, coins in read]
    assert other.plane == plain.plane


def test_a_reading_from_the_file_is_the_reading_that_was_made(tmp_path: Path) -> None:
    seen = [Scenes(tmp_path, "a").seen(Drawn((DIME,), size_px=SMALL_PX)) for _ in range(2)]
    assert seen[0].plane == seen[1].plane
    assert seen[0].reading.coins == seen[1].reading.coins
    assert [coin.coin for coin in seen[1].reading.coins] == [Coin.DIME_TAILS]
    assert np.array_equal(seen[0].picture, seen[1].picture)
