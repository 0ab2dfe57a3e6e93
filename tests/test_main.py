"""`python -m tablecoin`, in a folder of somebody else's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("file", ["web.py", "calibration/__init__.py"])
def test_a_file_of_somebody_else_is_named_and_not_run(file: str, tmp_path: Path) -> None:
    theirs = tmp_path / file
    theirs.parent.mkdir(exist_ok=True)
    theirs.write_text("print('theirs')", "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "tablecoin", "--version"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        f"tablecoin: {theirs} hides a part of tablecoin that has the same name. Start tablecoin in another folder.\n"
    )
