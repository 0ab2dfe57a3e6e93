"""The wizard at a running table."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from calibration.wizard import LiveEyes, Wizard
from tablecoin import mat
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader


def test_to_look_through_the_wizard_disturbs_no_ruling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An errand of the eye makes it settle anew: pages that look all the time would stop every ruling."""
    table = VirtualTable(mat.load("two-row"), seed=1)
    live = LiveTable(VirtualCamera(table), Reader("two-row"), Journal(tmp_path / "j.sqlite"), virtual=table)
    errands = list[object]()
    monkeypatch.setattr(live, "run_errand", lambda errand, timeout_s=10.0: errands.append(errand))
    live.start()
    try:
        wizard = Wizard(LiveEyes(live), tmp_path / "calibration.json")
        assert wizard.aim()["step"] == "aim"
    finally:
        live.stop()
    assert errands == []


def test_the_live_aid_says_when_the_camera_went_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures of the last picture would go on looking like those of now."""
    table = VirtualTable(mat.load("two-row"), seed=1)
    live = LiveTable(VirtualCamera(table), Reader("two-row"), Journal(tmp_path / "j.sqlite"), virtual=table)
    live.start()
    try:
        wizard = Wizard(LiveEyes(live), tmp_path / "calibration.json")
        assert "white" in wizard.aim()["figures"]
        table.fault(camera_frozen=True)
        monkeypatch.setattr("calibration.wizard._OLD_S", 0.5)
        end = time.monotonic() + 30
        while wizard.aim()["figures"] and time.monotonic() < end:
            time.sleep(0.1)
        assert wizard.aim()["said"]["en"] == "The camera gives no picture."
    finally:
        live.stop()
