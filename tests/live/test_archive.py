"""What pages ask of the journal: no call replays its history."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin.journal.journal import Journal
from tablecoin.live import archive as room
from tablecoin.live.archive import Archive
from tablecoin.referee.events import Acted, Started

GAME = (
    Started(1, "steal", {"starter": "heads"}, {}),
    Acted(2, {"do": "flip", "coins": ["penny:heads"] * 5}, "table", "camera"),
)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal of 1,000 events that nobody has counted."""
    made = Journal(tmp_path / "journal.sqlite")
    made.append(GAME * 500)
    yield made
    made.close()


def test_a_call_counts_a_few_events_and_says_what_is_left(journal: Journal) -> None:
    archive = Archive(journal)
    assert [archive.flips().uncounted for _ in range(3)] == [900, 800, 700]
    assert len(archive.flips().tosses) == 200


def test_everything_is_counted_in_the_background(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_IDLE_S", 0.01)
    archive, stopping = Archive(journal), threading.Event()
    thread = threading.Thread(target=archive.count_history, args=[stopping])
    thread.start()
    deadline_s = time.monotonic() + 30
    while archive._history.tossed().uncounted and time.monotonic() < deadline_s:
        time.sleep(0.01)
    journal.append(GAME)  # a new one is found too
    while archive._history.tossed().uncounted and time.monotonic() < deadline_s:
        time.sleep(0.01)
    stopping.set()
    thread.join(10)
    found = archive._history.tossed()
    assert (len(found.tosses), found.uncounted) == (501, 0)
