"""Freed memory goes back to the system, where the C library is glibc."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path

import pytest

from tablecoin.live import allocator

glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@glibc
def test_glibc_takes_the_settings() -> None:
    assert allocator.frugal()


@glibc
def test_blocks_freed_between_others_are_given_back() -> None:
    blocks = [bytearray(b"x" * 100_000) for _ in range(1000)]
    kept = blocks[::50]  # they hold the pool together
    del blocks
    before_mb = resident_mb()
    assert allocator.trim()
    assert resident_mb() < before_mb - 50
    assert len(kept) == 20


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not allocator.frugal()
    assert not allocator.trim()
