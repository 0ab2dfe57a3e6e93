"""The wizard at a running table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.wizard import LiveEyes, Wizard
from tablecoin import mat
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.virtual.table import VirtualTable
from tests.live.looking import Clock, table_over


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[LiveTable]:
    """A live table that has seen one picture."""
    made = table_over(VirtualTable(mat.load("two-row"), seed=1), Journal(tmp_path / "j.sqlite"), clock)
    made.look()
    yield made
    made.stop()


@pytest.fixture
def wizard(live: LiveTable, tmp_path: Path, clock: Clock) -> Wizard:
    return Wizard(LiveEyes(live), tmp_path / "calibration.json", clock=clock)


def test_to_look_through_the_wizard_disturbs_no_ruling(
    live: LiveTable, wizard: Wizard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An errand of the eye makes it settle anew: pages that look all the time would stop every ruling."""
    errands = list[object]()
    monkeypatch.setattr(live, "run_errand", lambda errand, timeout_s=10.0: errands.append(errand))
    assert "white" in wizard.aim()["figures"]
    assert errands == []


def test_the_live_aid_says_when_the_camera_went_away(live: LiveTable, wizard: Wizard, clock: Clock) -> None:
    """Measures of the last picture would go on looking like those of now."""
    clock.now_s += 4.9
    assert "white" in wizard.aim()["figures"]
    clock.now_s += 0.2
    assert wizard.aim()["said"]["en"] == "The camera gives no picture."
