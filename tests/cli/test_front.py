"""The front door: whatever words it is given, what is wrong with them is one line, and status 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dance"], "No such command 'dance'"),
        (["--louder"], "No such option '--louder'"),
        (["judge"], "Missing argument 'GAME'"),
        (["look"], "Missing argument 'IMAGE...'"),
        (["mat", "two-row"], "Missing option '-o' / '--output'"),
        (["mat", "two-row", "-o", "mat.pdf", "--paper", "a5"], "'a5' is not one of 'a4', 'a3', 'letter', 'tabloid'"),
        (["replay", "one", "two"], "Got unexpected extra argument (two)"),
        (["score", "map.jpg", "--bank"], "Option '--bank' requires an argument"),
        (["serve", "--port", "door"], "'door' is not a valid integer"),
        (["calibrate", "teach"], "Missing argument 'PHOTO'"),
    ],
)
def test_wrong_words_are_one_line_and_status_2(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert said in line
    assert line.startswith("tablecoin: ")
    assert "--help`." in line


@pytest.mark.parametrize("camera", ["usb:front", "pi:2", "window", "file:"])
def test_a_camera_there_cannot_be_is_not_waited_for(camera: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--camera", camera, "--port", "0", "--data", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"There is no camera {camera!r}: say pi" in result.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["judge", "--help"], ["calibrate", "teach", "--help"]])
def test_help_and_version_are_no_mistakes(words: list[str]) -> None:
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "tablecoin" in result.stdout or "Usage" in result.stdout
