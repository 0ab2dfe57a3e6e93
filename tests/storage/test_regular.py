"""Only regular files are opened, and nothing else is waited for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tablecoin.storage.regular import NotRegularFile, open_regular


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


OTHERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (Path.mkdir, "a folder"),
    "a pipe": (os.mkfifo, "a pipe"),
    "a socket": (bind, "a socket"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "a device"),
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_RDWR | os.O_CREAT])
def test_what_is_no_regular_file_is_refused_at_once_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, flags: int
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may have 107 bytes
    make, named = OTHERS[what]
    make(Path("it"))
    with pytest.raises(NotRegularFile, match=named) as refused:
        open_regular(Path("it"), flags)
    assert refused.value.strerror == f"it is {named}, not a regular file"


def test_a_regular_file_is_opened_to_wait_as_always_and_for_this_program_alone(tmp_path: Path) -> None:
    file = open_regular(tmp_path / "new", os.O_RDWR | os.O_CREAT)
    assert (os.get_blocking(file), os.get_inheritable(file)) == (True, False)
    assert os.fstat(file).st_mode & 0o777 == 0o600
    os.close(file)
