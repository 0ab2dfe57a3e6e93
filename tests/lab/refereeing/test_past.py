"""The bench of the history's pages, and what it shows: after a start the newest game alone is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.refereeing.past import CALLS, ask, count_games, write_games
from tablecoin.journal.journal import Journal


def test_the_first_answer_reads_the_newest_game_alone(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    events = write_games(journal, 20)
    assert count_games(journal) > 0
    opened = Journal(journal)
    newest = len(opened.newest_game())
    opened.close()
    assert 0 < newest < events / 10
    asked = list(ask(journal, ("/api/history", "/api/flips")))
    assert [one.read for one in asked] == [newest, newest]


@pytest.mark.long
def test_with_500_games_every_first_answer_takes_less_than_200_ms_and_replays_nothing(tmp_path: Path) -> None:
    """Time of one core: what else the machine does at the time does not count."""
    journal = tmp_path / "journal.sqlite"
    write_games(journal, 500)
    count_games(journal)
    opened = Journal(journal)
    newest = len(opened.newest_game())
    opened.close()
    asked = list(ask(journal))
    assert len(asked) == len(CALLS)
    assert [one.read for one in asked] == [newest] * len(CALLS)
    assert max(one.core_ms for one in asked) <= 200
