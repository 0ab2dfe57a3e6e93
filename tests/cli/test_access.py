"""`tablecoin access`: opening and closing the table at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
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
