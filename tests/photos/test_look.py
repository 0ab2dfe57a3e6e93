"""`tablecoin look`, from the command line to the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.cli import main
from tablecoin.coins import BY_VALUE, Face
from tablecoin.photos.look import look
from tablecoin.rules import rulebook
from tablecoin.storage import mapfiles
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.rest.clearness import DARK

KEYS = {"image", "size_px", "mat", "mm_per_px", "milliseconds", "warnings", "coins"}

CALIBRATED = (
    b'{"kind": "tablecoin calibration", "version": 1, "date": "2026-01-02", "camera": "usb:0",'
    b' "size_px": [640, 480], "coins": %s}'
)


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), 200, np.uint8))
    return path


def test_one_json_line_a_picture(blank: Path) -> None:
    result = CliRunner().invoke(main, ["look", str(blank), str(blank), "--json", "--mat", "none"])
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 2
    assert set(lines[0]) == KEYS
    assert lines[0]["size_px"] == [160, 120]
    assert "no coins" in result.stderr


def test_the_drawing_is_written(blank: Path, tmp_path: Path) -> None:
    target = tmp_path / "seen.png"
    assert CliRunner().invoke(main, ["look", str(blank), "--annotate", str(target)]).exit_code == 0
    assert load_picture(target).shape[1] >= 160


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a/p.png, b/p.png, c/p.jpg and the empty folder out."""
    for name in ("a/p.png", "b/p.png", "c/p.jpg"):
        (tmp_path / name).parent.mkdir()
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), 200, np.uint8))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pictures_of_the_same_name_get_drawings_of_different_names(folder: Path) -> None:
    result = CliRunner().invoke(main, ["look", "a/p.png", "b/p.png", "c/p.jpg", "--annotate", "out"])
    assert result.exit_code == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["p-2.jpg", "p-3.jpg", "p.jpg"]


@pytest.mark.parametrize(
    "words",
    [
        ["c/p.jpg", "--annotate", "c"],
        ["a/p.png", "--annotate", "a/p.png"],
        ["a/p.png", "c/p.jpg", "--annotate", "c"],
        ["c/p.jpg", "--annotate", "b/../c/p.jpg"],
    ],
)
def test_an_input_picture_is_never_overwritten(folder: Path, words: list[str]) -> None:
    before = {path: path.read_bytes() for path in folder.glob("*/*.*")}
    result = CliRunner().invoke(main, ["look", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "is an input file and will not be overwritten: give another place with --annotate." in line
    assert {path: path.read_bytes() for path in folder.glob("*/*.*")} == before


def test_one_bad_picture_does_not_stop_the_others(folder: Path) -> None:
    (folder / "bad.jpg").touch()
    words = ["look", "a/p.png", "bad.jpg", "c/p.jpg", "--json", "--mat", "none", "--annotate", "out"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert [json.loads(line)["image"] for line in result.stdout.splitlines()] == ["a/p.png", "c/p.jpg"]
    assert "tablecoin: bad.jpg is an empty file" in result.stderr
    assert len(list((folder / "out").iterdir())) == 2


def test_a_file_name_that_is_not_utf_8_is_read_and_drawn(folder: Path) -> None:
    """Old disks and cameras have such names. The JSON is UTF-8 nevertheless."""
    name = "\udcff.png"
    (folder / "a" / "p.png").rename(folder / "a" / name)
    result = CliRunner().invoke(main, ["look", f"a/{name}", "--json", "--annotate", f"out/{name}"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["image"] == "a/?.png"
    assert load_picture(folder / "out" / name).shape[1] >= 80


def test_a_picture_too_dark_to_be_read_is_a_warning(tmp_path: Path) -> None:
    table = mats.load("two-row")
    dark = Renderer(table, View.over(table, size_px=(800, 600)), Light(brightness=0.1)).picture(Scene())
    cv2.imwrite(str(tmp_path / "night.png"), dark)
    result = CliRunner().invoke(main, ["look", str(tmp_path / "night.png"), "--json"])
    told = json.loads(result.stdout)
    assert (result.exit_code, told["mat"]) == (0, "two-row")
    assert rulebook.sentence(DARK) in told["warnings"]
    assert rulebook.sentence(DARK) in result.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"#9a8f86"', '"brown"'),
        ("at_mm = [62, 30]", "at_mm = [nan, 30]"),
        ("size_mm = [270, 180]", "size_mm = [inf, 0]"),
        ("diameter_mm = 44", "diameter_mm = -1"),
        ("diameter_mm = 44", 'picture = ".."'),
        ("diameter_mm = 44", "a = " + 3000 * "["),
    ],
)
def test_a_broken_map_of_a_player_stops_only_looks_at_that_map(
    blank: Path, tmp_path: Path, right: str, wrong: str
) -> None:
    (tmp_path / "maps").mkdir()
    text = mapfiles.text("classic")
    assert right in text
    (tmp_path / "maps" / "isle.toml").write_text(text.replace(right, wrong), "utf-8")
    data = ["--data", str(tmp_path)]
    assert CliRunner().invoke(main, ["look", str(blank), *data]).exit_code == 0
    result = CliRunner().invoke(main, ["look", str(blank), "--mat", "coin-age:isle", *data])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The map isle is not a map file as it should be" in result.stderr


@pytest.mark.parametrize(
    ("mat", "warning"),
    [("two-row", ["The mat two-row was not found"]), ("auto", []), ("none", [])],
)
def test_a_named_mat_that_is_not_found_is_a_warning(blank: Path, mat: str, warning: list[str]) -> None:
    told = json.loads(CliRunner().invoke(main, ["look", str(blank), "--json", "--mat", mat]).stdout)
    assert told["mat"] is None
    assert [said.partition(".")[0] for said in told["warnings"]] == warning


def test_a_mirrored_photo_of_a_named_mat_is_said_to_be_mirrored(tmp_path: Path) -> None:
    table, file = mats.load("two-row"), tmp_path / "mirrored.png"
    image = Renderer(table, View.over(table, size_px=(800, 600))).picture(Scene())[:, ::-1]
    cv2.imwrite(str(file), image)
    told, _ = look(file, "two-row")
    assert told.warnings[-1].startswith("The picture is mirrored")


@pytest.mark.parametrize("given", [True, False])
def test_a_forbidden_data_folder_does_not_stop_a_look(
    blank: Path, monkeypatch: pytest.MonkeyPatch, given: bool
) -> None:
    forbidden = "x" * 300  # too long for a folder's name: refused like a forbidden folder, but to root too
    monkeypatch.setenv("XDG_DATA_HOME", forbidden)
    result = CliRunner().invoke(main, ["look", str(blank), *(["--data", forbidden] if given else [])])
    assert (result.exit_code, "left aside (File name too long)" in result.stderr) == (0, given)


@pytest.mark.parametrize("command", [["look", "--mat", "none"], ["look", "--json"]])
@pytest.mark.parametrize(
    ("content", "warning"),
    [
        (b"broken", "left aside"),
        (CALIBRATED % b'"gone.npz"', "enrol the coins again"),
        (CALIBRATED % b'"../gone.npz"', "left aside"),
    ],
)
def test_a_calibration_or_enrolled_coins_that_cannot_be_used_are_a_warning(
    blank: Path, tmp_path: Path, command: list[str], content: bytes, warning: str
) -> None:
    (tmp_path / "calibration.json").write_bytes(content)
    result = CliRunner().invoke(main, [*command, str(blank), "--data", str(tmp_path)])
    assert result.exit_code == 0
    assert warning in result.stderr


@pytest.mark.parametrize("files", [{}, {"calibration.json": CALIBRATED % b"null"}])
def test_a_data_folder_without_enrolled_coins_is_no_warning(
    blank: Path, tmp_path: Path, files: dict[str, bytes]
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    result = CliRunner().invoke(main, ["look", str(blank), "--data", str(tmp_path)])
    assert result.exit_code == 0
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["look", "missing.jpg"], "missing.jpg"),
        (["look", "empty.jpg"], "empty"),
        (["look", "words.jpg"], "not a picture"),
        (["look", "."], "Cannot read"),
        (["look", "good.png", "--mat", "moon"], "no mat"),
        (["look", "good.png", "--annotate", ""], "it is empty"),
        (["look", "good.png", "--annotate", "x.nothing"], "x.nothing"),
        (["look", "good.png", "good.png", "--annotate", "x.png"], "no folder"),
        (["scorecard", "missing.csv"], "missing.csv"),
        (["scorecard", "bad.csv"], "no column"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.jpg").touch()
    Path("words.jpg").write_text("no picture")
    Path("bad.csv").write_text("a,b\n1,2\n")
    cv2.imwrite("good.png", np.zeros((30, 30, 3), np.uint8))
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert says in line


def test_a_mat_printed_at_another_scale_is_told_by_the_coins(tmp_path: Path) -> None:
    """71 % is what a printer makes of A3 on A4. By such a mat no coin has the size of one."""
    mat = mats.load("two-row")
    sizes = ({name: 0.71 * getattr(each, name) for name in ("x_mm", "y_mm", "size_mm")} for each in mat.markers)
    markers = [replace(each, **size) for each, size in zip(mat.markers, sizes, strict=True)]
    small = replace(mat, zones=(), markers=tuple(markers))
    coins = [VirtualCoin(kind, Face.HEADS, 60 + 35 * k, 90, 17 * k, k) for k, kind in enumerate(BY_VALUE)]
    view = View.over(mat, size_px=(840, 630))
    cv2.imwrite(str(tmp_path / "small.png"), Renderer(small, view, Light(), px_per_mm=2.5).picture(Scene(tuple(coins))))
    record, _ = look(tmp_path / "small.png", "two-row")
    assert any("By this mat all coins measure 14" in said for said in record.warnings)
    assert not any(coin.sure for coin in record.coins)
