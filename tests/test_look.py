"""The look and scorecard commands, from the command line to the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tablecoin.cli import main

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
