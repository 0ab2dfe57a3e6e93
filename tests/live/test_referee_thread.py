"""The referee's thread goes on whatever breaks around it, and lays the virtual table's mat."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablecoin import mat
from tablecoin.journal.journal import Journal
from tablecoin.live.referee_thread import Watchers
from tablecoin.live.table import LiveTable
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tests.live.looking import PATIENCE_S, STEP_S, Clock, heard, settled, table_over

pytestmark = pytest.mark.usefixtures("loaded")


class Hanging(VirtualCamera):
    """A camera whose driver hangs in a read after every eight frames, and heeds no timeout, until `free` is set."""

    def __init__(self, table: VirtualTable, clock: Clock) -> None:
        super().__init__(table, fps=1 / STEP_S, clock=clock, sleep=clock.sleep)
        self.hangs, self.free = threading.Event(), threading.Event()
        self._left = 8

    def read(self, timeout_s: float) -> Frame:
        if not self._left:
            self.hangs.set()
            assert self.free.wait(PATIENCE_S)
            self.free.clear()
            self._left = 8
        self._left -= 1
        return super().read(timeout_s)


class Lamps:
    """Something that is told of each snapshot, and may break."""

    broken = False
    heed: Callable[[Snapshot], None] | None = None

    def __call__(self, snapshot: Snapshot) -> None:
        if self.heed:
            self.heed(snapshot)
        if self.broken:
            raise OSError("Input/output error")


@pytest.fixture
def lamps() -> Lamps:
    return Lamps()


@pytest.fixture
def live(tmp_path: Path, lamps: Lamps) -> Iterator[LiveTable]:
    table = VirtualTable(mat.load("two-row"), seed=1)
    loose = Message("panel.silent", {"why": "its cable is loose"})
    watchers = Watchers(on_snapshot=lamps, panel_fault=lambda: loose if lamps.broken else None)
    journal = Journal(tmp_path / "journal.sqlite")
    made = table_over(table, journal, Clock(), watchers=watchers)
    yield made
    made.stop()


def test_broken_lamps_do_not_stop_the_referee(live: LiveTable, lamps: Lamps) -> None:
    lamps.broken = True
    assert live.command({"start": {"game": "steal"}}, None) == (True, None)
    shown = live.snapshot()
    assert shown.game is not None
    assert any("its cable is loose" in str(warning) for warning in shown.health.warnings)


def test_a_fault_in_the_referee_is_answered_and_play_goes_on(live: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> tuple[bool, str | None]:
        raise ZeroDivisionError("a fault of ours")

    with monkeypatch.context() as patched:
        patched.setattr(Referee, "command", fault)
        with pytest.raises(ZeroDivisionError):
            live.command({"start": {"game": "steal"}}, None)
    assert live.snapshot().game is None
    assert live.command({"start": {"game": "steal"}}, None) == (True, None)


def test_the_virtual_table_gets_the_mat_of_the_game(live: LiveTable) -> None:
    assert live.command({"start": {"game": "goes-around"}}, None) == (True, None)
    assert live.virtual is not None
    assert live.virtual.mat.name == "ring"
    assert live.snapshot().mat == mat.load("ring")


def silent(shown: Snapshot) -> bool:
    return any(said.code == "camera.silent" for said in shown.health.said)


def test_a_driver_that_hangs_is_said_after_three_seconds_and_play_goes_on_when_it_is_free(tmp_path: Path) -> None:
    clock = Clock()
    camera = Hanging(VirtualTable(mat.load("two-row"), seed=1), clock)
    live = LiveTable(camera, Reader("two-row"), Journal(tmp_path / "journal.sqlite"), clock=clock)
    live.start()
    assert camera.hangs.wait(PATIENCE_S)
    heard(live, settled)
    clock.now_s += 2.9
    assert live.command({"start": {"game": "steal"}}, None)[0]  # which the referee takes, and the time with it
    assert not silent(live.snapshot())
    clock.now_s += 0.1
    hung = heard(live, silent)
    assert hung.health.warnings == (
        "No picture came for 3 s: check the camera's cable. Play goes on by buttons and phones until one comes.",
    )
    assert not hung.table.settled
    camera.free.set()
    again = heard(live, settled)
    assert not silent(again)
    live.stop()


def test_what_a_watcher_does_while_the_referee_rules_is_ruled_on_next(live: LiveTable, lamps: Lamps) -> None:
    shown: list[tuple[str, str | None]] = []
    press = iter((lambda: live.press("heads.done"),))

    def watch(snapshot: Snapshot) -> None:
        before = live.snapshot().seq
        next(press, lambda: None)()
        assert live.snapshot().seq == before, "the press waits until this ruling was shown"
        shown.append((snapshot.prompt.kind, snapshot.prompt.texts["en"]))

    lamps.heed = watch
    assert live.command({"start": {"game": "steal"}}, None) == (True, None)
    assert [kind for kind, _ in shown][:1] == ["flip"]
    assert len(shown) == 2, "the press was ruled on, too"
