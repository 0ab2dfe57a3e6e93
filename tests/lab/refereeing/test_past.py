"""The bench of the history's pages, and what it shows: after a start the newest game alone is read."""

from __future__ import annotations

from pathlib import Path

from lab.refereeing.past import ask, count_games, write_games
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
