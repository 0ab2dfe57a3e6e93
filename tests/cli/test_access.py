"""`tablecoin access`: opening and closing the table at a terminal."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.storage import durable
from web.access.house import FILE, House
from web.access.pin import matches


def run(tmp_path: Path, *words: str, typed: str = "") -> tuple[int, str]:
    command, *rest = words or ("",)
    words = (*([command] if command else []), "--data", str(tmp_path), *rest)
    result = CliRunner().invoke(main, ["access", *words], input=typed)
    return result.exit_code, result.output


def test_the_life_of_a_house(tmp_path: Path) -> None:
    assert run(tmp_path) == (0, "tablecoin: closed: only this machine reaches the table. "
                                "Open it with: tablecoin access open\n")  # fmt: skip
    code, told = run(tmp_path, "open", typed="rosebud 1941\nrosebud 1941\n")
    assert (code, "by the code on the screen at the table" in told, "rosebud" in told) == (0, True, False)
    kept = House(tmp_path / FILE).now
    assert kept.mode == "open"
    assert kept.pin
    assert matches("rosebud 1941", kept.pin)
    assert "may play any seat" in run(tmp_path, "open", "--trusted", "--pin-file", "-", typed="rosebud 1941\n")[1]
    assert run(tmp_path, "pin", "--pin-file", "-", typed="another one\n")[0] == 0
    assert House(tmp_path / FILE).now.mode == "trusted"
    assert "closed" in run(tmp_path, "close")[1]
    assert House(tmp_path / FILE).now.mode == "closed"


@pytest.mark.parametrize("pin", ["", "12345", "123456", "777777"])
def test_an_easy_pin_is_one_sentence(tmp_path: Path, pin: str) -> None:
    code, told = run(tmp_path, "open", "--pin-file", "-", typed=f"{pin}\n")
    assert (code, told.count("\n")) == (2, 1)
    assert "at least 6 digits or letters" in told
    assert not (tmp_path / FILE).exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, told = run(tmp_path / "file", "open", "--pin-file", "-", typed="rosebud 1941\n")
    assert (code, told.count("\n")) == (2, 1)


def test_what_stands_before_the_command_counts_as_what_stands_behind_it(tmp_path: Path) -> None:
    words = ["access", "--data", str(tmp_path / "named"), "open", "--pin-file", "-"]
    result = CliRunner(env={"HOME": str(tmp_path)}).invoke(main, words, input="rosebud 1941\n")
    assert result.exit_code == 0
    assert House(tmp_path / "named" / FILE).now.mode == "open"
    config = tmp_path / "tablecoin.toml"
    config.write_text(f'data = "{tmp_path / "named"}"\n', "utf-8")
    assert "closed" in CliRunner().invoke(main, ["access", "--config", str(config), "close"]).stdout
    assert House(tmp_path / "named" / FILE).now.mode == "closed"


@pytest.mark.parametrize("content", [b"rose\xffbud 1941", b"7" * 5000], ids=["no text", "too long"])
def test_a_file_that_holds_no_pin_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pin").write_bytes(content)
    code, told = run(tmp_path, "open", "--pin-file", str(tmp_path / "pin"))
    assert (code, told.count("\n"), (tmp_path / FILE).exists()) == (2, 1, False)
    assert str(tmp_path / "pin") in told


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["--pin-file", "-"], "<&-", "standard input is closed"),
        ([], "</dev/null", "give a file with --pin-file"),
    ],
)
def test_where_nobody_can_type_it_is_one_sentence(tmp_path: Path, words: list[str], stdin: str, said: str) -> None:
    command = [sys.executable, "-m", "tablecoin", "access", "open", "--data", str(tmp_path), *words]
    # A session of its own has no terminal that the PIN could be asked at.
    ended = subprocess.run(
        f"{shlex.join(command)} {stdin}", shell=True, start_new_session=True, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert said in ended.stderr


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(durable, "write_at", full)
    code, told = run(tmp_path, "open", "--pin-file", "-", typed="rosebud 1941\n")
    assert (code, told.count("\n")) == (2, 1)
    assert f"{tmp_path / FILE} (No space left on device)" in told
