"""Damage at random places of a journal's files: it opens, no altered event is taken for sound, every loss is said.

`make test` draws a few, always the same ones; `make long` draws 1,500.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from tablecoin.journal import database
from tablecoin.journal.chain import Row
from tablecoin.journal.ended import ended_game
from tablecoin.journal.export import NoGame
from tablecoin.journal.history import History
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.referee.referee import Referee
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import Message
from tests.journal.damages import COPY, LOG, NAME, cut_end, draw
from tests.journal.test_crash_points import GAMES, played

ACTS = 12  # of each game
Rows = Mapping[int, tuple[int, str, str]]  # number -> game, time, event


class Found(NamedTuple):
    """What a start finds in the damaged folder."""

    rows: Rows
    said: tuple[Message, ...]
    unverified: frozenset[int]


@pytest.fixture(autouse=True)
def _given_up_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_MOST_ERRORS", 500)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of tables that were killed and stopped, with the last game in SQLite's log or not.

    Each also as version 1b859819 leaves it, with lines that have no sum.
    """
    folder = tmp_path_factory.mktemp("tables")
    with closing(Journal(folder / "running" / NAME)) as journal:
        for name in GAMES:
            journal.checkpoint()
            for event in played(name, ACTS):
                journal.append([event])
        shutil.copytree(folder / "running", folder / "killed")
    (folder / "running").rename(folder / "stopped")
    for name in ("killed", "stopped"):
        copy = Path(shutil.copytree(folder / name, folder / f"{name}-old")) / COPY
        rows = [msgspec.json.decode(line, type=Row) for line in copy.read_bytes().splitlines()]
        copy.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return folder


def start(folder: Path) -> Found:
    """Open the journal, and do with it what the program does."""
    with closing(Journal(folder / NAME)) as journal:
        numbers = list(journal.last_events())
        lines = [line for number in numbers for line, _ in journal.whole_game(number)]
        history = History(journal)
        history.count(1_000)
        history.games()
        for number in numbers:
            with suppress(NoGame, JournalError):
                ended_game(journal, number)
        with suppress(RulesError, JournalError):  # people are told that it is not taken up
            newest = [event for _, event in journal.newest_game()]
            Referee(lambda events: True).restore(newest, journal.count(), lambda number: False)
        return Found({one.number: (one.game, one.at, one.body) for one in lines}, journal.said, journal.unverified)


def faults(whole: Rows, found: Found) -> list[str]:
    """What is wrong with a start."""
    altered = [n for n, row in found.rows.items() if whole.get(n) != row and row[0] not in found.unverified]
    lost = whole.keys() - found.rows.keys()
    known = any(one.facts.get("lost") or one.facts.get("apart") for one in found.said)
    doubt = any(one.key in ("journal.copy_gone", "journal.rescued.perhaps") for one in found.said)
    wrong = {
        "altered events are taken for sound": bool(altered),
        UNSAID: bool(lost) and not known and not doubt,
        FALSE_ALARM: known and not lost,
    }
    return [what for what, is_so in wrong.items() if is_so]


UNSAID, FALSE_ALARM = "a loss is not said", "a loss is said that is none"
# what is damaged (one of these files, or all), and what is deleted before
DAMAGED: Mapping[str, tuple[tuple[str, ...], int, tuple[str, ...]]] = {
    "one copy": ((NAME, COPY), 1, ()),
    "both copies": ((NAME, COPY), 2, ()),
    "the log": ((LOG,), 1, ()),
    "the log and the second copy": ((LOG, COPY), 2, ()),
    "the only copy": ((COPY,), 1, (NAME, LOG)),
}


@pytest.mark.parametrize("count", [2, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_journal_opens_alters_nothing_and_says_every_loss(
    tables: Path, tmp_path: Path, what: str, count: int
) -> None:
    names, most, deleted = DAMAGED[what]
    kept = [name for name in sorted(path.name for path in tables.iterdir()) if (tables / name / names[0]).exists()]
    whole = {name: start(Path(shutil.copytree(tables / name, tmp_path / name))) for name in kept}
    assert {(found.said, len(found.rows)) for found in whole.values()} == {((), len(GAMES) * (ACTS + 1))}
    wrong: list[tuple[int, str]] = []
    cut_off: list[int] = []
    for seed in range(count):
        dice = Random(f"{what} {seed}")
        name, folder = dice.choice(kept), tmp_path / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tables / name, folder)
        for each in deleted:
            (folder / each).unlink(missing_ok=True)
        kinds = {draw(dice, folder / each) for each in dice.sample(names, most)}
        first, second = start(folder), start(folder)
        assert (second.rows, second.unverified) == (first.rows, first.unverified)
        for fault in (fault for found in (first, second) for fault in faults(whole[name].rows, found)):
            nothing_left = most + len(deleted) > 1 and kinds == {cut_end}  # nothing can know what both lost
            cut_off += [seed] if fault == UNSAID and nothing_left else []
            doubled = most + len(deleted) > 1 and fault == FALSE_ALARM  # a part that is there twice looks like more
            wrong += [(seed, fault)] if seed not in cut_off and not doubled else []
    assert wrong == []
    assert len(cut_off) <= 2 * count // 100
