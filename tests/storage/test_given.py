"""A path that a person gives: a file or a pipe is read and written, and nothing else keeps anybody waiting."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tablecoin.storage import given


@pytest.fixture
def pipe() -> Iterator[tuple[Path, int]]:
    """A path of a pipe to read from, as a shell's <(…), and the descriptor of its other end."""
    out, into = os.pipe()
    yield Path(f"/dev/fd/{out}"), into
    for file in (out, into):
        with suppress(OSError):  # the test closed it
            os.close(file)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert given.read(file, 5) == b"12345"
    with pytest.raises(OSError, match="File too large"):
        given.read(file, 4)


def test_a_pipe_is_read_to_its_end_and_up_to_the_limit(pipe: tuple[Path, int]) -> None:
    path, into = pipe

    def send() -> None:
        os.write(into, bytes(100_000))  # more than fits into the pipe at once
        os.close(into)

    sending = threading.Thread(target=send)
    sending.start()
    assert given.read(path, 100_000) == bytes(100_000)
    sending.join(60)


def test_an_endless_pipe_is_given_up_at_the_limit(pipe: tuple[Path, int]) -> None:
    path, into = pipe
    os.write(into, b"123456")
    with pytest.raises(OSError, match="File too large"):
        given.read(path, 5)


def test_lines_come_one_by_one(pipe: tuple[Path, int]) -> None:
    path, into = pipe
    os.write(into, b"one\ntwo\n")
    os.close(into)
    with given.opened(path) as file:
        assert [file.readline(100) for _ in range(3)] == [b"one\n", b"two\n", b""]


def make_silent(path: Path) -> None:
    """A pipe from which nothing comes."""
    os.mkfifo(path)


NOTHING_TO_READ: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe without a writer": (make_silent, "nothing came from this pipe for"),
    "a folder": (Path.mkdir, "it is a folder"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "it is a device"),
    "nothing": (lambda path: None, "No such file"),
}


@pytest.mark.parametrize("what", NOTHING_TO_READ)
def test_nothing_else_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(given, "QUIET_S", 0.01)
    make, says = NOTHING_TO_READ[what]
    make(tmp_path / "it")
    with pytest.raises(OSError, match=says) as refused:
        given.read(tmp_path / "it", 100)
    assert refused.value.filename == str(tmp_path / "it")


def test_a_pipe_that_falls_silent_is_given_up(pipe: tuple[Path, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given, "QUIET_S", 0.01)
    path, into = pipe
    os.write(into, b"begun")
    with pytest.raises(OSError, match=r"nothing came from this pipe for 0\.01 seconds"):
        given.read(path, 100)


def test_a_file_stays_as_it_was_until_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old and long")
    target = given.Target(file)
    assert file.read_bytes() == b"old and long"
    target.write(b"new")
    assert file.read_bytes() == b"new"


def test_a_pipe_with_a_reader_is_written(pipe: tuple[Path, int]) -> None:
    path, into = pipe
    given.Target(Path(f"/dev/fd/{into}")).write(b"made")
    assert os.read(int(path.name), 100) == b"made"


NOWHERE_TO_WRITE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe without a reader": (make_silent, "nobody is at the other end of it"),
    "a folder": (Path.mkdir, "Is a directory"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "it is a device"),
}


@pytest.mark.parametrize("what", NOWHERE_TO_WRITE)
def test_nothing_else_is_written_and_that_is_said_before_the_work(tmp_path: Path, what: str) -> None:
    make, says = NOWHERE_TO_WRITE[what]
    make(tmp_path / "it")
    with pytest.raises(OSError, match=says):
        given.Target(tmp_path / "it")
