"""What pages ask of the journal: no call replays its history."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tablecoin.journal.journal import Journal
from tablecoin.live.archive import Archive
from tablecoin.referee.events import Acted, Started
from tests.live.looking import Rounds

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


def test_everything_is_counted_in_the_background(journal: Journal) -> None:
    archive, uncounted = Archive(journal), list[int]()

    def note() -> None:
        uncounted.append(archive._history.tossed().uncounted)

    new = partial(journal.append, GAME)  # a new one is found too
    archive.count_history(Rounds(*[note] * 12, new, note))
    assert uncounted[8:12] == [200, 100, 0, 0]
    found = archive._history.tossed()
    assert (len(found.tosses), found.uncounted) == (501, 0)
