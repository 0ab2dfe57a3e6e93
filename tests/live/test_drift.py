"""The live table follows its mat: it pauses while the mat is lost and goes on when it is found again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablecoin import mat as mats
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.referee.snapshot import Snapshot
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader

PATIENCE_S = 60


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(mats.load("two-row"), seed=1)


@pytest.fixture
def live(table: VirtualTable, tmp_path: Path) -> Iterator[LiveTable]:
    running = LiveTable(VirtualCamera(table, fps=8), Reader("two-row"), Journal(tmp_path / "j.sqlite"), still_s=0.3)
    running.start()
    yield running
    running.stop()


def wait(live: LiveTable, wanted: Callable[[Snapshot], bool]) -> Snapshot:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        snapshot = live.snapshot()
        if wanted(snapshot):
            return snapshot
        time.sleep(0.05)
    raise AssertionError(f"timed out: {live.snapshot().health}, settled {live.snapshot().table.settled}")


def said(words: str) -> Callable[[Snapshot], bool]:
    return lambda snapshot: any(words in each for each in snapshot.health.warnings)


def settled(snapshot: Snapshot) -> bool:
    return snapshot.table.settled


@pytest.mark.slow
def test_covered_markers_are_no_trouble_but_a_bump_meanwhile_pauses_until_they_are_seen(
    live: LiveTable, table: VirtualTable
) -> None:
    wait(live, settled)
    table.fault(markers_covered=True)
    wait(live, said("markers are hidden"))
    wait(live, settled)  # two markers are enough to rule
    table.fault(camera_bumped=True)
    paused = wait(live, said("Nothing is ruled on"))
    assert not paused.table.settled
    table.fault(markers_covered=False)
    again = wait(live, settled)
    assert not any("Nothing is ruled on" in each for each in again.health.warnings)


def test_a_bumped_camera_is_followed_without_a_pause(live: LiveTable, table: VirtualTable) -> None:
    wait(live, settled)
    table.fault(camera_bumped=True)
    found, paused = said("in its new place"), said("Nothing is ruled on")
    bumped = wait(live, lambda snapshot: found(snapshot) or paused(snapshot))
    assert not paused(bumped)
    wait(live, settled)


@pytest.mark.slow
def test_a_frozen_camera_is_reported_and_counts_no_frames(live: LiveTable, table: VirtualTable) -> None:
    assert wait(live, settled).health.fps > 0
    table.fault(camera_frozen=True)
    assert wait(live, said("frozen")).health.fps <= 1
    table.fault(camera_frozen=False)
    wait(live, settled)
