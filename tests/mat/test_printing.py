"""What comes out of the printer: to scale, with the markers where the definition says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image as Picture

from tablecoin import mat
from tablecoin.cli import main
from tablecoin.mat.drawing import Line, shapes
from tablecoin.mat.pdf import pdf
from tablecoin.mat.printing import save
from tablecoin.mat.raster import raster
from tablecoin.mat.tiles import PAPERS_MM, sheets
from tablecoin.storage import mapfiles

DPI = 200
PX_PER_MM = DPI / 25.4
EVERY = pytest.mark.parametrize("table", mat.every(), ids=lambda table: table.name)


def found_markers(picture: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(family, settings).detectMarkers(picture)
    numbers = [] if ids is None else np.ravel(ids)  # None on a sheet without any
    return {int(k): np.reshape(c, (4, 2)) for k, c in zip(numbers, corners, strict=True)}


@EVERY
def test_the_picture_has_its_markers_where_the_definition_says(table: mat.Mat) -> None:
    seen = found_markers(raster(table, 5))
    assert set(seen) == {marker.id for marker in table.markers}
    for marker in table.markers:
        assert np.abs((seen[marker.id] + 0.5) / 5 - marker.corners_mm).max() < 0.1


@EVERY
def test_the_ruler_is_drawn_100_mm_long(table: mat.Mat) -> None:
    x, y = table.ruler_mm
    assert any(isinstance(shape, Line) and shape.points == ((x, y), (x + 100, y)) for shape in shapes(table))


@pytest.mark.parametrize("paper", PAPERS_MM)
@EVERY
def test_tiles_fit_their_paper_and_cover_the_mat(table: mat.Mat, paper: str) -> None:
    plan = sheets(table, paper)
    assert sorted(plan.page_mm) == sorted(PAPERS_MM[paper])
    for edges, whole in ((plan.across_mm, table.width_mm), (plan.down_mm, table.height_mm)):
        assert (edges[0], edges[-1]) == (0, whole)
        assert list(edges) == sorted(set(edges))
    room = 0.0 if plan.columns * plan.rows == 1 else 14.0  # for crop marks and what printers cannot reach
    for row in range(plan.rows):
        for column in range(plan.columns):
            assert min(plan.place_mm(row, column)) >= room - 0.01


@pytest.mark.parametrize("paper", PAPERS_MM)
@EVERY
def test_no_marker_is_cut(table: mat.Mat, paper: str) -> None:
    """One taped together a millimetre off would put the whole table off by as much."""
    plan = sheets(table, paper)
    for marker in table.markers:
        for cuts, at in ((plan.across_mm[1:-1], marker.x_mm), (plan.down_mm[1:-1], marker.y_mm)):
            assert all(abs(cut - at) > marker.size_mm / 2 + 1 for cut in cuts)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm is not installed")
@pytest.mark.parametrize(
    ("name", "paper"),
    [("two-row", "a3"), ("two-row", "a4"), ("ring", "a4"), ("coin-wars", "letter"), ("coin-age:volcano", "a4")],
)
def test_the_printed_page_measures_true(tmp_path: Path, name: str, paper: str) -> None:
    table = mat.load(name)
    (tmp_path / "mat.pdf").write_bytes(pdf(table, paper))
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "mat.pdf", "page"], cwd=tmp_path, check=True)
    plan = sheets(table, paper)
    pages = sorted(tmp_path.glob("page*.pgm"))
    assert len(pages) == plan.columns * plan.rows
    seen: set[int] = set()
    for number, page in enumerate(pages):
        picture = np.asarray(cv2.imread(str(page), cv2.IMREAD_GRAYSCALE), np.uint8)
        row, column = divmod(number, plan.columns)
        tile, (left, top) = plan.tile(row, column), plan.place_mm(row, column)
        for tag, corners in found_markers(picture).items():
            marker = table.marker(tag)
            assert marker is not None
            on_mat = (corners + 0.5) / PX_PER_MM + (tile.x_mm - left, tile.y_mm - top)
            assert np.abs(on_mat - marker.corners_mm).max() < 0.15
            seen.add(tag)
        # a mat on one page has its own ruler; each page of several has one below its part of the mat
        ruler_mm = table.ruler_mm if len(pages) == 1 else (left + 4, top + tile.height_mm + 6.5)
        assert ruler_length_mm(picture, *ruler_mm) == pytest.approx(100, abs=0.2)
    assert seen == {marker.id for marker in table.markers}


def ruler_length_mm(picture: NDArray[np.uint8], x_mm: float, y_mm: float) -> float:
    """From the first dark pixel of the ruler's line to the last, at its place on the page."""
    rows = slice(int((y_mm - 0.3) * PX_PER_MM), int((y_mm + 0.5) * PX_PER_MM))
    columns = slice(int((x_mm - 3) * PX_PER_MM), int((x_mm + 103) * PX_PER_MM))
    darkest = picture[rows, columns].min(axis=0)
    ink = np.flatnonzero(darkest < 160)
    return float(ink[-1] - ink[0] + 1) / PX_PER_MM - 0.25  # the end ticks are 0.25 mm wide


@EVERY
def test_the_svg_is_in_millimetres(table: mat.Mat, tmp_path: Path) -> None:
    out = tmp_path / "mat.svg"
    kind, _, chosen = table.name.partition(":")
    run = CliRunner().invoke(main, ["mat", kind, *(["--map", chosen] if chosen else []), "-o", str(out)])
    assert run.exit_code == 0, run.output
    root = ElementTree.parse(out).getroot()
    assert root.attrib["width"] == f"{table.width_mm:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {table.width_mm:g} {table.height_mm:g}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense", "-o", "x.pdf"], "There is no mat 'nonsense'"),
        (["two-row", "--map", "classic", "-o", "x.pdf"], "leave --map out"),
        (["coin-age", "--map", "atlantis", "-o", "x.pdf"], "There is no map 'atlantis'"),
        (["two-row", "-o", "x.gif"], "use .pdf, .svg or .png"),
        (["two-row", "-o", "no/such/folder/x.pdf"], "cannot be written"),
    ],
)
def test_a_bad_request_is_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["mat", *arguments])
    assert run.exit_code == 2
    assert said in run.output
    assert len(run.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('"#9a8f86"', '"brown"', "color"),
        ("size_mm = [270, 180]", "size_mm = [2700, 180]", "size_mm"),
        ("at_mm = [62, 30]", "at_mm = [262, 30]", "space M1 does not lie wholly in the field"),
        ('"M2", "M4", "F1"', '"M2", "M4"', "space F1 has neighbour M1, but M1 does not name F1"),
        ('"zigzag"', '"hearts"', 'not "hearts"'),
    ],
)
@pytest.mark.parametrize("form", ["coin-age --map own.toml", "coin-age:own.toml"])
def test_a_map_that_cannot_be_played_on_is_not_printed(
    form: str, right: str, wrong: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = mapfiles.text("classic")
    assert right in text
    (tmp_path / "own.toml").write_text(text.replace(right, wrong), "utf-8")
    run = CliRunner().invoke(main, ["mat", *form.split(), "-o", "mat.pdf"])
    assert (run.exit_code, (tmp_path / "mat.pdf").exists()) == (2, False)
    (line,) = run.stderr.splitlines()
    assert said in line


@pytest.mark.parametrize(
    ("name", "paper", "file", "begins", "said"),
    [
        ("two-row", "a3", "mat.svg", b"<svg", "mat.svg: 420 × 297 mm."),
        ("two-row", "a3", "MAT.PDF", b"%PDF", "on one sheet of A3. Print at 100 %"),
        ("two-row", "a4", "mat.pdf", b"%PDF", "on 4 sheets of A4, to be taped. Print at 100 %"),
        ("two-row", "letter", "mat.pdf", b"%PDF", "sheets of Letter, to be taped"),
    ],
)
def test_the_files_ending_chooses_its_kind(
    name: str, paper: str, file: str, begins: bytes, said: str, tmp_path: Path
) -> None:
    assert said in save(name, None, paper, tmp_path / file)
    assert (tmp_path / file).read_bytes()[:200].lstrip().startswith((begins, b"<?xml"))


def test_a_printed_png_knows_its_scale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablecoin.mat.printing._PNG_PX_PER_MM", 4.0)
    assert "mat.png: 420 × 297 mm." in save("coin-wars", None, "a3", tmp_path / "mat.png")
    with Picture.open(tmp_path / "mat.png") as picture:
        dots_per_inch = picture.info["dpi"][0]
        assert picture.width / dots_per_inch * 25.4 == pytest.approx(mat.load("coin-wars").width_mm, rel=0.001)
