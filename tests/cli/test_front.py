"""The command line: whatever is wrong with its words, the answer is one line and exit status 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.vision.calibrated import Calibration
from tablecoin.vision.coins import engine


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
        (["serve", "--data", ""], "'--data': it is empty, so give a path"),
        (["look", ""], "it is empty, so give a path"),
        (["bench", "--seconds", "nan"], "'nan' is no number"),
        (["calibrate", "--ring-light", "nan"], "'nan' is no number"),
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


@pytest.mark.parametrize("camera", ["usb:front", "pi:x", "window", "file:"])
def test_an_impossible_camera_is_refused_at_once(camera: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--camera", camera, "--port", "0", "--data", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"There is no camera {camera!r}: say pi" in result.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["judge", "--help"], ["calibrate", "teach", "--help"]])
def test_help_and_version_exit_with_status_0(words: list[str]) -> None:
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "tablecoin" in result.stdout or "Usage" in result.stdout


def test_the_help_of_calibrate_leads_to_teach() -> None:
    told = CliRunner().invoke(main, ["calibrate", "--help"]).stdout
    assert "`tablecoin calibrate teach --help`" in " ".join(told.split())


def test_ctrl_c_while_the_libraries_load_is_one_word() -> None:
    """The first library that is loaded stands for all: its import is interrupted."""
    code = """
import sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from tablecoin.__main__ import main
main()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", "Aborted!\n")


def run(words: str) -> subprocess.CompletedProcess[str]:
    """Run `tablecoin` with these words in a shell."""
    command = f"set -o pipefail; '{sys.executable}' -m tablecoin {words}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "games --json >/dev/full",
            "standard output cannot be written (No space left on device): free some space there",
        ),
        ("judge steal >/dev/full", "standard output cannot be written"),
        ("judge --help >/dev/full", "standard output cannot be written"),
        ("--help >/dev/full", "standard output cannot be written"),
        ("judge steal <&- >/dev/null", "standard input is closed: give the actions there"),
    ],
)
def test_what_cannot_be_written_or_read_is_one_line_and_status_2(words: str, said: str) -> None:
    done = run(words)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"tablecoin: {said}")


def test_a_closed_pipe_ends_the_program_quietly() -> None:
    done = run("judge steal < <(yes '{}') | head -1 | wc -l")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "1", "")


def test_a_forbidden_place_is_one_line(tmp_path: Path) -> None:
    """A name too long for a file is refused like a forbidden folder, but to root too."""
    result = CliRunner().invoke(main, ["look", "p.jpg", "--annotate", f"{'x' * 300}/p.jpg"])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.endswith("cannot be used (File name too long): check the path, or give another place.")


def test_a_library_that_cannot_be_loaded_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.load.cache_clear()  # another test may have loaded the networks
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # an import of it then fails
    result = CliRunner().invoke(main, ["look", "p.jpg"])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("tablecoin: a library cannot be loaded (import of onnxruntime halted")
    assert line.endswith("delete the folder .venv and run `make run`.")


def test_games_with_json_are_json_for_one_game_too() -> None:
    result = CliRunner().invoke(main, ["games", "steal", "--json"])
    (line,) = result.stdout.splitlines()
    assert (json.loads(line)["game"], result.exit_code) == ("steal", 0)


def test_what_was_calibrated_is_shown_without_a_camera(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["calibrate", "show", "--data", str(tmp_path)])
    assert (result.exit_code, "not calibrated" in result.stderr) == (0, True)
    (tmp_path / "calibration.json").write_bytes(
        msgspec.json.encode(Calibration.begin("webcam 7", (1280, 960), "2026-11-26"))
    )
    told = CliRunner().invoke(main, ["calibrate", "show", "--json", "--data", str(tmp_path)])
    assert json.loads(told.stdout)["camera"] == "webcam 7"


def test_no_pin_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["access", "open", "--data", str(tmp_path)], input="")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("tablecoin: no PIN was given")
