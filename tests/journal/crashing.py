"""A disk that remembers every write and every sync, and can be looked at as a power cut would leave it.

What was synced is there. Of what was written since, each write may be there, missing or torn. SQLite's writes are seen
by a VFS put under the library that Python's sqlite3 uses (https://www.sqlite.org/vfs.html); those of our own files by a
stand-in for the os module in `durable`. A rename counts once its folder is synced; a file's name once the file is.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tablecoin.storage import durable

SECTOR_BYTES = 512  # a disk writes a sector whole or not at all


@dataclass(frozen=True)
class Write:
    path: str
    place: int
    data: bytes


@dataclass(frozen=True)
class Truncate:
    path: str
    size: int


@dataclass(frozen=True)
class Sync:
    path: str


@dataclass(frozen=True)
class Rename:
    path: str
    new: str


@dataclass(frozen=True)
class Delete:
    path: str


@dataclass(frozen=True)
class Shown:
    """So many events have been reported as written."""

    events: int


Step = Write | Truncate | Sync | Rename | Delete | Shown


@dataclass
class Disk:
    """What is safely on the disk, and what is only on its way."""

    safe: dict[str, bytes] = field(default_factory=dict)
    waiting: list[Step] = field(default_factory=list)

    def take(self, step: Step) -> None:
        """One step of the program."""
        if not isinstance(step, Sync):
            self.waiting.append(step)
            return
        done = [each for each in self.waiting if _settled_by(step, each)]
        self.waiting = [each for each in self.waiting if not _settled_by(step, each)]
        for each in done:
            _apply(self.safe, each)

    def after_a_crash(self, dice: Random) -> dict[str, bytes]:
        """The files after a power cut: of what waits everything, nothing, or some of it, torn."""
        files = dict(self.safe)
        share = dice.choice([0.0, 1.0, 0.5])
        for step in self.waiting:
            if dice.random() < share:
                torn = isinstance(step, Write) and share == 0.5 and dice.random() < 0.5
                _apply(files, _torn(step, dice) if torn and isinstance(step, Write) else step)
        return files


def _settled_by(sync: Sync, step: Step) -> bool:
    """Whether a sync of a file or folder makes the step safe."""
    if isinstance(step, Rename | Delete):
        return str(Path(step.path).parent) == sync.path
    return not isinstance(step, Shown) and step.path == sync.path


def _torn(write: Write, dice: Random) -> Write:
    """Its first sectors alone, or part of them where the disk has no sectors to speak of."""
    kept = dice.randrange(len(write.data) + 1)
    return Write(
        write.path, write.place, write.data[: kept // SECTOR_BYTES * SECTOR_BYTES if dice.random() < 0.5 else kept]
    )


def _apply(files: dict[str, bytes], step: Step) -> None:
    match step:
        case Write(path, place, data):
            old = files.get(path, b"").ljust(place, b"\0")
            files[path] = old[:place] + data + old[place + len(data) :]
        case Truncate(path, size):
            files[path] = files.get(path, b"")[:size].ljust(size, b"\0")
        case Rename(path, new):
            if path in files:
                files[new] = files.pop(path)
        case Delete(path):
            files.pop(path, None)


# -- recording --------------------------------------------------------------------------------------------------------

# SQLite keeps the pointer to the name it opens, so the pointer itself is passed on, never a copy of the name.
_OPEN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Vfs(ctypes.Structure):
    """sqlite3_vfs of version 2."""

    _fields_ = [
        ("version", ctypes.c_int), ("file_bytes", ctypes.c_int), ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p), ("name", ctypes.c_char_p), ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p), ("delete", ctypes.c_void_p), ("others", ctypes.c_void_p * 11),
    ]  # fmt: skip


class _Methods(ctypes.Structure):
    """sqlite3_io_methods of version 3."""

    _fields_ = [
        ("version", ctypes.c_int), ("close", ctypes.c_void_p), ("read", ctypes.c_void_p), ("write", ctypes.c_void_p),
        ("truncate", ctypes.c_void_p), ("sync", ctypes.c_void_p), ("others", ctypes.c_void_p * 13),
    ]  # fmt: skip


class Recorder:
    """Notes every step below a folder while `recording`."""

    def __init__(self, folder: Path) -> None:
        self.steps: list[Step] = []
        self._folder = str(folder)
        self._names: dict[int, str] = {}  # SQLite's open file -> its path
        self._patched: dict[int, _Methods] = {}
        self._alive: list[Any] = []  # C holds pointers to these

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Be SQLite's default VFS, and the os of `durable`."""
        library = ctypes.CDLL(_sqlite3.__file__)
        try:
            library.sqlite3_vfs_find.restype = ctypes.c_void_p
        except AttributeError:
            pytest.skip("SQLite is built into this Python, so its VFS cannot be reached")
        library.sqlite3_vfs_register.argtypes = [ctypes.c_void_p, ctypes.c_int]
        real = library.sqlite3_vfs_find(None)
        vfs = self._vfs(real)
        library.sqlite3_vfs_register(ctypes.addressof(vfs), 1)
        real_rename = durable.rename

        def rename(old: Path, new: Path) -> None:
            self.note(Rename(str(old), str(new)))
            real_rename(old, new)

        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(durable, "os", _Os(self))
                patch.setattr(durable, "rename", rename)
                yield
        finally:
            library.sqlite3_vfs_register(real, 1)
            library.sqlite3_vfs_unregister(ctypes.c_void_p(ctypes.addressof(vfs)))

    def note(self, step: Step) -> None:
        if isinstance(step, Shown) or step.path.startswith(self._folder):
            self.steps.append(step)

    def _vfs(self, address: int) -> _Vfs:
        vfs = _Vfs.from_buffer_copy(_Vfs.from_address(address))
        real_open, real_delete = _OPEN(vfs.open), _DELETE(vfs.delete)

        def opened(this: int, name: int | None, file: int, flags: int, out: int) -> int:
            code = int(real_open(this, name, file, flags, out))
            if code == 0 and name:
                self._names[file] = ctypes.string_at(name).decode()
                pointer = ctypes.c_void_p.from_address(file)
                pointer.value = ctypes.addressof(self._methods(pointer.value or 0))
            return code

        def deleted(this: int, name: bytes, sync: int) -> int:
            self.note(Delete(name.decode()))
            if sync:
                self.note(Sync(str(Path(name.decode()).parent)))
            return int(real_delete(this, name, sync))

        vfs.version, vfs.name = 2, b"recording"
        vfs.open, vfs.delete = self._pointer(_OPEN(opened)), self._pointer(_DELETE(deleted))
        self._alive.append(vfs)
        return vfs

    def _methods(self, address: int) -> _Methods:
        if address in self._patched:
            return self._patched[address]
        methods = _Methods.from_buffer_copy(_Methods.from_address(address))
        real_write, real_truncate, real_sync = _WRITE(methods.write), _TRUNCATE(methods.truncate), _SYNC(methods.sync)

        def written(file: int, data: int, amount: int, place: int) -> int:
            self.note(Write(self._names[file], place, ctypes.string_at(data, amount)))
            return int(real_write(file, data, amount, place))

        def truncated(file: int, size: int) -> int:
            self.note(Truncate(self._names[file], size))
            return int(real_truncate(file, size))

        def synced(file: int, flags: int) -> int:
            self.note(Sync(self._names[file]))
            return int(real_sync(file, flags))

        methods.write = self._pointer(_WRITE(written))
        methods.truncate, methods.sync = self._pointer(_TRUNCATE(truncated)), self._pointer(_SYNC(synced))
        self._patched[address] = methods
        return methods

    def _pointer(self, function: Any) -> int | None:
        self._alive.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value


class _Os:
    """The os module, noting what is written, synced and renamed."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def pwrite(self, file: int, data: memoryview, place: int) -> int:
        self._recorder.note(Write(_path(file), place, bytes(data)))
        return os.pwrite(file, data, place)

    def ftruncate(self, file: int, size: int) -> None:
        self._recorder.note(Truncate(_path(file), size))
        os.ftruncate(file, size)

    def fsync(self, file: int) -> None:
        self._recorder.note(Sync(_path(file)))
        os.fsync(file)


def _path(file: int) -> str:
    return str(Path(f"/proc/self/fd/{file}").readlink())
