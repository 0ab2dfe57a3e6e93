"""The look and scorecard commands, from the command line to the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tablecoin import mat as mats
from tablecoin.cli import main
from tablecoin.rules import rulebook
from tablecoin.storage import mapfiles
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
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
    assert cv2.imread(str(target)).shape[1] >= 160


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder we are in, with a/p.png, b/p.png, c/p.jpg and the empty folder out."""
    for name in ("a/p.png", "b/p.png", "c/p.jpg"):
        (tmp_path / name).parent.mkdir()
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), 200, np.uint8))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pictures_of_one_name_have_drawings_of_their_own(folder: Path) -> None:
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
def test_a_picture_given_is_never_drawn_over(folder: Path, words: list[str]) -> None:
    before = {path: path.read_bytes() for path in folder.glob("*/*.*")}
    result = CliRunner().invoke(main, ["look", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "is a picture given, which is not drawn over: give another place with --annotate." in line
    assert {path: path.read_bytes() for path in folder.glob("*/*.*")} == before


def test_one_bad_picture_does_not_stop_the_others(folder: Path) -> None:
    (folder / "bad.jpg").touch()
    words = ["look", "a/p.png", "bad.jpg", "c/p.jpg", "--json", "--mat", "none", "--annotate", "out"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert [json.loads(line)["image"] for line in result.stdout.splitlines()] == ["a/p.png", "c/p.jpg"]
    assert "tablecoin: bad.jpg is an empty file" in result.stderr
    assert len(list((folder / "out").iterdir())) == 2


def test_a_name_that_is_no_utf_8_is_read_and_drawn(folder: Path) -> None:
    """As old disks and cameras hold them; JSON is UTF-8 all the same."""
    name = "\udcff.png"
    (folder / "a" / "p.png").rename(folder / "a" / name)
    result = CliRunner().invoke(main, ["look", f"a/{name}", "--json", "--annotate", f"out/{name}"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["image"] == "a/?.png"
    assert cv2.imdecode(np.fromfile(folder / "out" / name, np.uint8), cv2.IMREAD_COLOR).shape[1] >= 80


def test_a_picture_too_dark_to_be_read_is_said(tmp_path: Path) -> None:
    table = mats.load("two-row")
    dark = Renderer(table, View.over(table), Light(brightness=0.1)).picture(Scene())
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
def test_a_player_s_map_with_a_fault_stops_no_look(blank: Path, tmp_path: Path, right: str, wrong: str) -> None:
    (tmp_path / "maps").mkdir()
    text = mapfiles.text("classic")
    assert right in text
    (tmp_path / "maps" / "isle.toml").write_text(text.replace(right, wrong), "utf-8")
    data = ["--data", str(tmp_path)]
    assert CliRunner().invoke(main, ["look", str(blank), *data]).exit_code == 0
    result = CliRunner().invoke(main, ["look", str(blank), "--mat", "coin-age:isle", *data])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The map isle is not a map file as it should be" in result.stderr


def test_a_mat_that_was_asked_for_and_is_not_there_is_said(blank: Path) -> None:
    for mat, warnings in (("two-row", 1), ("auto", 0), ("none", 0)):
        told = json.loads(CliRunner().invoke(main, ["look", str(blank), "--json", "--mat", mat]).stdout)
        assert (told["mat"], len(told["warnings"])) == (None, warnings)
        assert all(f"The mat {mat} was not found" in warning for warning in told["warnings"])


@pytest.mark.parametrize("given", [True, False])
def test_a_data_folder_that_may_not_be_entered_stops_no_look(
    blank: Path, monkeypatch: pytest.MonkeyPatch, given: bool
) -> None:
    forbidden = "x" * 300  # a name no folder can have is refused like one that may not be entered, to root too
    monkeypatch.setenv("XDG_DATA_HOME", forbidden)
    result = CliRunner().invoke(main, ["look", str(blank), *(["--data", forbidden] if given else [])])
    assert (result.exit_code, "left aside (File name too long)" in result.stderr) == (0, given)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, ""),
        (b"broken", "left aside"),
        (CALIBRATED % b"null", ""),
        (CALIBRATED % b'"gone.npz"', "enrol the coins again"),
        (CALIBRATED % b'"../gone.npz"', "left aside"),
    ],
)
def test_what_a_data_folder_knows_of_its_coins_never_stops_a_look(
    blank: Path, tmp_path: Path, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / "calibration.json").write_bytes(content)
    for command in (["look", "--mat", "none"], ["look", "--json"]):
        result = CliRunner().invoke(main, [*command, str(blank), "--data", str(tmp_path)])
        assert result.exit_code == 0
        assert says in result.stderr
        assert says or len(result.stderr.splitlines()) == 1


def bad_inputs(folder: Path) -> list[tuple[list[str], str]]:
    (folder / "empty.jpg").touch()
    (folder / "words.jpg").write_text("no picture")
    (folder / "bad.csv").write_text("a,b\n1,2\n")
    cv2.imwrite(str(folder / "good.png"), np.zeros((30, 30, 3), np.uint8))
    good = str(folder / "good.png")
    return [
        (["look", str(folder / "missing.jpg")], "missing.jpg"),
        (["look", str(folder / "empty.jpg")], "empty"),
        (["look", str(folder / "words.jpg")], "not a picture"),
        (["look", str(folder)], "Cannot read"),
        (["look", good, "--mat", "moon"], "no mat"),
        (["look", good, "--annotate", ""], "it is empty"),
        (["look", good, "--annotate", str(folder / "x.nothing")], "x.nothing"),
        (["look", good, good, "--annotate", str(folder / "x.png")], "no folder"),
        (["scorecard", str(folder / "missing.csv")], "missing.csv"),
        (["scorecard", str(folder / "bad.csv")], "no column"),
    ]


def test_every_bad_input_gives_one_sentence_and_status_2(tmp_path: Path) -> None:
    for arguments, says in bad_inputs(tmp_path):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 2, arguments
        assert says in result.stderr, result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
        assert result.stdout == ""
