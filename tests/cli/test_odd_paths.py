"""Every path of every command: whatever lies there, the command ends with a sentence and waits for nobody."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tablecoin.cli.sentences import GivenPath
from tests.cli.odd_paths import KINDS, Argument, arguments, tried

ARGUMENTS = {argument.name: argument for argument in arguments()}
LIMIT_S = 6.0  # at a quiet machine none takes three: two for a silent pipe, and the rest to begin
REPORTED = "doctor --camera"  # a camera that fails is what the doctor is for
CASES = [
    pytest.param(argument, kind, id=f"{name}-{kind}")
    for name, argument in ARGUMENTS.items()
    for kind in KINDS
    if not argument.takes(kind) and name != REPORTED
]


def test_the_command_tree_names_its_paths() -> None:
    assert {"serve --script", "calibrate teach photo", "access open --pin-file", "score --map"} <= ARGUMENTS.keys()
    types = {name: argument.parameter.type for name, argument in ARGUMENTS.items()}
    plain = {name for name, each in types.items() if isinstance(each, click.Path) and not isinstance(each, GivenPath)}
    assert plain == set(), "click itself takes an empty path, and a pipe as a folder"


@pytest.mark.long
@pytest.mark.parametrize(("argument", "kind"), CASES)
def test_what_is_no_regular_file_is_one_sentence_and_keeps_nobody_waiting(
    argument: Argument, kind: str, tmp_path: Path
) -> None:
    found = tried(argument, kind, tmp_path)
    assert found.seconds < LIMIT_S, found
    assert "Traceback" not in found.said
    assert found.status == 2
    assert found.said.startswith("tablecoin: ")
    assert "odd" in found.said
    assert len(found.said.splitlines()) == 1


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_the_doctor_reports_a_camera_that_is_no_regular_file(kind: str, tmp_path: Path) -> None:
    found = tried(ARGUMENTS[REPORTED], kind, tmp_path)
    assert found.seconds < LIMIT_S, found
    assert "FAIL  camera:" in found.said
    assert "Traceback" not in found.said
