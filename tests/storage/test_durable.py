"""A file is replaced whole or not at all, and nothing of a failed try stays on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin.storage import durable


@pytest.fixture
def unmasked() -> Iterator[None]:
    """No permission is taken away from new files."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("unmasked")
def test_a_new_file_and_its_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    durable.replace(tmp_path / "folder" / "file", b"new")
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "folder", tmp_path / "folder" / "file")] == [
        0o700,
        0o600,
    ]


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe"):
        durable.read(tmp_path / "pipe", 100)


class PowerGone(BaseException):
    """As KeyboardInterrupt: not every end of a write is an Exception."""


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["pwrite", "ftruncate", "fsync"])
@pytest.mark.parametrize("error", [FULL, PowerGone()], ids=["full", "interrupted"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    durable.replace(tmp_path / "file", b"old")

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error)):
        durable.replace(tmp_path / "file", b"new")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"file": b"old"}
    monkeypatch.undo()
    durable.replace(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
