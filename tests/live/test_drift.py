"""The live table follows its mat: it pauses while the mat is lost and goes on when it is found again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablecoin import mat as mats
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.referee.snapshot import Snapshot
from tablecoin.virtual.table import VirtualTable
from tests.live.looking import Clock, looked, settled, table_over

pytestmark = pytest.mark.usefixtures("loaded")


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(mats.load("two-row"), seed=1)


@pytest.fixture
def live(table: VirtualTable, tmp_path: Path) -> Iterator[LiveTable]:
    live = table_over(table, Journal(tmp_path / "j.sqlite"), Clock())
    yield live
    live.stop()


def said(words: str) -> Callable[[Snapshot], bool]:
    return lambda snapshot: any(words in each for each in snapshot.health.warnings)


def test_covered_markers_are_no_trouble_but_a_bump_meanwhile_pauses_until_they_are_seen(
    live: LiveTable, table: VirtualTable
) -> None:
    looked(live, settled)
    table.fault(markers_covered=True)
    looked(live, said("markers are hidden"))
    looked(live, settled)  # two markers are enough to rule
    table.fault(camera_bumped=True)
    paused = looked(live, said("Nothing is ruled on"))
    assert not paused.table.settled
    table.fault(markers_covered=False)
    again = looked(live, settled)
    assert not any("Nothing is ruled on" in each for each in again.health.warnings)


def test_a_bumped_camera_is_followed_without_a_pause(live: LiveTable, table: VirtualTable) -> None:
    looked(live, settled)
    table.fault(camera_bumped=True)
    found, paused = said("in its new place"), said("Nothing is ruled on")
    bumped = looked(live, lambda snapshot: found(snapshot) or paused(snapshot))
    assert not paused(bumped)
    looked(live, settled)


def test_a_frozen_camera_is_reported_and_counts_no_frames(live: LiveTable, table: VirtualTable) -> None:
    assert looked(live, settled).health.fps > 0
    table.fault(camera_frozen=True)
    assert looked(live, said("frozen")).health.fps <= 1
    table.fault(camera_frozen=False)
    looked(live, settled)
