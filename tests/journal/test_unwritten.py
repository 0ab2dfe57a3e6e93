"""A sentence about what could not be written names the cause, and what to do about that cause."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.journal import Journal
from tablecoin.journal.unwritten import unwritten
from tablecoin.referee.events import Started
from tablecoin.rules.rulebook import sentence
from tablecoin.storage import durable

FREE = "free some disk space"
RESTART = "restart the computer, and replace its card or disk if it becomes read-only again"
ALLOW = "make the data folder and its files writable for tablecoin"
CLOSE = "close the other program that uses the journal"
RETURN = "put the data folder back, or plug its disk in again"
PLUG = "check that the card or disk is plugged in firmly, and replace it if this goes on"
CHECK = "check the data folder and its disk"

OF_SYSTEM = [
    (errno.ENOSPC, FREE),
    (errno.EDQUOT, FREE),
    (errno.EROFS, RESTART),
    (errno.EACCES, ALLOW),
    (errno.ENOENT, RETURN),
    (errno.EIO, PLUG),
    (errno.EMFILE, CHECK),
]


def of_system(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def of_sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(("number", "do"), OF_SYSTEM)
def test_what_the_system_says_decides_what_to_do(number: int, do: str, tmp_path: Path) -> None:
    said = sentence(unwritten("journal.unwritten", of_system(number), tmp_path))
    assert said == f"the journal cannot be written ({os.strerror(number)}); {do}"


@pytest.mark.parametrize(
    ("code", "do"),
    [(sqlite3.SQLITE_FULL, FREE), (sqlite3.SQLITE_BUSY, CLOSE), (sqlite3.SQLITE_READONLY, ALLOW), (0x30A, PLUG)],
)
def test_what_sqlite_says_decides_it_where_the_disk_takes_other_files(code: int, do: str, tmp_path: Path) -> None:
    assert sentence(unwritten("journal.unwritten", of_sqlite(code), tmp_path)).endswith(f"; {do}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("number", "do"), OF_SYSTEM)
def test_where_sqlite_says_only_that_a_write_failed_the_system_is_asked(
    number: int, do: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise of_system(number)

    monkeypatch.setattr(durable, "replace", refuse)
    said = sentence(unwritten("journal.unwritten", of_sqlite(sqlite3.SQLITE_IOERR), tmp_path))
    assert said == f"the journal cannot be written ({os.strerror(number)}); {do}"


@pytest.mark.parametrize(("number", "do"), OF_SYSTEM)
def test_why_pictures_are_not_kept_is_said_until_they_can_be_written(
    number: int, do: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise of_system(number)

    journal = Journal(tmp_path / "journal.sqlite")
    with monkeypatch.context() as disk:
        disk.setattr(EvidenceFolder, "keep", refuse)
        disk.setattr(EvidenceFolder, "try_write", refuse)
        assert journal.append([Started(1, "steal", {}, {})], Evidence(b"{}", None, b"x")) is False
        journal.mend()
        (said,) = journal.said
        assert (said.key, sentence(said).partition("Please ")[2]) == ("journal.unpictured", f"{do}.")
    journal.mend()
    assert journal.said == ()
    journal.close()


def test_what_the_second_copy_lacks_is_written_once_it_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise of_system(errno.ENOSPC)

    journal = Journal(tmp_path / "journal.sqlite")
    with monkeypatch.context() as disk:
        disk.setattr(durable, "write_at", refuse)
        journal.append([Started(1, "steal", {}, {})])
        (said,) = journal.said
        assert (said.key, FREE in sentence(said)) == ("journal.copy_behind", True)
    assert (tmp_path / "journal.jsonl").read_bytes() == b""
    journal.mend()
    assert journal.said == ()
    assert (tmp_path / "journal.jsonl").read_bytes().count(b"\n") == 1
    journal.close()
