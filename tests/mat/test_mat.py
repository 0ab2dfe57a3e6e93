"""The definitions: every mat holds what its games need, and nothing lies over anything else."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import find_board
from tablecoin import mat, rules
from tablecoin.coins import Denomination
from tablecoin.mat import Circle, MatError, Rectangle
from tablecoin.mat.charuco import opencv_board
from tablecoin.mat.raster import raster
from tablecoin.rules.dollar_prize.prize import BANK_ROOM

EVERY = mat.every()
BY_NAME = pytest.mark.parametrize("table", EVERY, ids=lambda table: table.name)


def test_names_load_and_are_their_mats_own() -> None:
    assert {"two-row", "ring", "coin-wars", "coin-age:classic"} <= set(mat.names())
    assert [mat.load(name).name for name in mat.names()] == list(mat.names())


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("steal", "two-row"),
        ("exact", "two-row"),
        ("goes-around", "ring"),
        ("coin-wars", "coin-wars"),
        ("coin-age", "coin-age:classic"),
    ],
)
def test_a_games_name_gives_its_mat(game: str, name: str) -> None:
    assert mat.load(game).name == name


@pytest.mark.parametrize("game", rules.NAMES)
def test_a_mat_bears_its_games_name_in_every_language(game: str) -> None:
    for language, title in rules.load(game).title.items():
        printed = mat.load(game).title[language]
        assert title.startswith(printed) or printed.startswith(title)  # two games share one mat, maps have names


@pytest.mark.parametrize(
    ("name", "said"), [("poker", "two-row"), ("coin-age:atlantis", "classic"), ("coin-age:no.toml", "path")]
)
def test_a_mat_that_is_not_there_is_one_sentence(name: str, said: str) -> None:
    with pytest.raises(MatError, match=said):
        mat.load(name)


def test_each_marker_belongs_to_one_mat() -> None:
    owners = [(marker.id, table.name) for table in EVERY for marker in table.markers]
    assert len({number for number, _ in owners}) == len(owners)
    assert all(0 <= number < 587 for number, _ in owners)  # the family 36h11 has 587 tags


@BY_NAME
def test_nothing_overlaps_and_all_lies_on_the_paper(table: mat.Mat) -> None:
    boxes = [(zone.name, zone.area.bounds_mm) for zone in table.zones]
    for marker in table.markers:
        quiet = marker.size_mm / 8  # a white square's width round a tag
        (left, top), _, (right, bottom), _ = marker.corners_mm
        boxes.append((f"marker {marker.id}", (left - quiet, top - quiet, right + quiet, bottom + quiet)))
    for name, (left, top, right, bottom) in boxes:
        assert left >= 5, name
        assert top >= 5, name
        assert right <= table.width_mm - 5, name
        assert bottom <= table.height_mm - 5, name
    round_ones = {zone.name for zone in table.zones if isinstance(zone.area, Circle)}
    # the boxes of two circles may overlap where the circles do not
    pairs = [pair for pair in combinations(boxes, 2) if not {name for name, _ in pair} <= round_ones]
    for (one, a), (other, b) in pairs:
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one, other)


@BY_NAME
def test_markers_are_many_enough_to_lose_some(table: mat.Mat) -> None:
    assert len(table.markers) >= 6
    assert {marker.x_mm < table.width_mm / 2 for marker in table.markers} == {True, False}


@pytest.mark.parametrize(
    ("table", "zone", "width_mm", "height_mm"),
    [
        ("two-row", "row.heads", 300, 80),
        ("two-row", "row.tails", 300, 80),
        ("two-row", "tray", 110, 100),
        ("two-row", "bank", 110, 100),
        *[("ring", f"bank.{seat}", 107, 107) for seat in range(1, 10)],
        ("ring", "sink", 90, 90),
        ("coin-wars", "hero", 150, 150),
        ("coin-wars", "scene", 150, 150),
    ],
)
def test_zones_are_large_enough(table: str, zone: str, width_mm: float, height_mm: float) -> None:
    area = mat.load(table).zone(zone).area
    assert isinstance(area, Rectangle)
    assert area.width_mm >= width_mm
    assert area.height_mm >= height_mm


def test_the_bank_of_the_two_rows_holds_quarters_apart_as_many_as_lie_there_at_most() -> None:
    area = mat.load("two-row").zone("bank").area
    assert isinstance(area, Rectangle)
    side_mm = Denomination.QUARTER.diameter_mm + 4
    assert (area.width_mm // side_mm) * (area.height_mm // side_mm) >= BANK_ROOM


@pytest.mark.parametrize("seat", range(1, 10))
def test_each_bank_of_the_ring_holds_thirty_pennies_apart(seat: int) -> None:
    area = mat.load("ring").zone(f"bank.{seat}").area
    assert isinstance(area, Rectangle)
    pitch = Denomination.PENNY.diameter_mm + 2
    assert int((area.width_mm - 1) // pitch) * int((area.height_mm - 1) // pitch) >= 30


def test_what_the_rules_lay_out_is_on_the_mat() -> None:
    for name in rules.NAMES:
        game = rules.load(name)
        options = game.read_options({})
        state = game.start(options)
        zones = {zone.name for zone in mat.load(game.mat(options)).zones}
        assert set(game.layout(state)) | set(game.tosses_due(state)) <= zones, name


def test_the_lens_board_is_what_opencv_looks_for() -> None:
    board = mat.load("charuco").board
    assert board
    seen = find_board(raster(mat.load("charuco"), 4))
    inner = (board.columns - 1) * (board.rows - 1)
    assert seen.ids == tuple(range(inner))
    at_mm = (seen.corners + 0.5) / 4 - (board.x_mm, board.y_mm)
    truth = np.reshape(opencv_board(board).getChessboardCorners(), (-1, 3))[:, :2]
    assert np.abs(at_mm - truth).max() < 0.1
    assert "charuco" not in mat.names()  # nothing is played on it, so no camera looks for it


@pytest.mark.parametrize("name", [name for name in mat.names() if name.startswith("coin-age")])
def test_coin_age_spaces_are_wide_and_apart(name: str) -> None:
    table = mat.load(name)
    spaces = [zone.area for zone in table.zones if zone.name.startswith("space.")]
    assert len(spaces) >= 10
    for one, other in combinations(spaces, 2):
        assert isinstance(one, Circle)
        assert isinstance(other, Circle)
        apart = ((one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2) ** 0.5
        assert apart - one.radius_mm - other.radius_mm >= 15 - 1e-6
    assert {"bank.heads", "bank.tails", "tray"} <= {zone.name for zone in table.zones}
    assert all(table.zone(end).area for link in table.links for end in link)


@given(st.floats(-20, 440), st.floats(-20, 320))
def test_zone_at_agrees_with_the_shapes(x_mm: float, y_mm: float) -> None:
    table = mat.load("two-row")
    name = table.zone_at(x_mm, y_mm)
    holding = [zone.name for zone in table.zones if zone.area.holds(x_mm, y_mm)]
    assert holding == ([name] if name else [])


def test_a_players_own_map_gets_a_mat_around_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "island.toml"
    path.write_text(
        'size_mm = [300, 200]\nname = { en = "Island", zh = "岛" }\n'
        '[[region]]\nid = "A"\ncolor = "#112233"\npattern = "dots"\nname = { en = "A", zh = "甲" }\n'
        '[[space]]\nid = "A1"\nregion = "A"\nat_mm = [50, 60]\nneighbours = []\nname = { en = "Bay", zh = "湾" }\n'
    )
    table = mat.load(f"coin-age:{path}")
    assert (table.width_mm, table.height_mm) == (450, 317)
    assert table.zone_at(46 + 50, 59 + 60) == "space.A1"
    with pytest.raises(MatError, match=r"zone 'moon'.*space\.A1"):
        table.zone("moon")
    path.write_text("name = 3")
    with pytest.raises(MatError, match="not a map file"):
        mat.load(f"coin-age:{path}")
