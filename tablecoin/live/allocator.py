"""How the C library keeps memory that was freed.

By default glibc gives threads pools of their own, up to eight for each core, and keeps in them what was freed. A
program of forty threads that handle whole pictures then holds hundreds of megabytes that nobody uses.
"""

from __future__ import annotations

import ctypes

# From malloc.h of glibc; see mallopt(3).
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_PR_SET_THP_DISABLE = 41  # from linux/prctl.h
_POOLS = 2  # pools for all threads together: with one, they would wait for each other
_LARGE_BYTES = 8 << 20  # blocks from this size on go back to the system when freed; a camera's frame is smaller


TRIM_EVERY_S = 1.0  # between two calls of `trim`; one takes some milliseconds, and what lies unused grows fast


def frugal() -> bool:
    """Make this process give freed memory back soon. Call it before threads start. False: not glibc, nothing is done.

    Frames stay in the pools, because fresh pages for each of them would cost time. Larger blocks, such as a mat being
    drawn, are rare. By default glibc raises this limit to 32 MiB once such a block was freed.
    """
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):
        return False
    library.prctl(_PR_SET_THP_DISABLE, 1, 0, 0, 0)  # else the kernel fills what `trim` gave back with pages of 2 MiB
    return bool(library.mallopt(_M_ARENA_MAX, _POOLS) and library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES))


def trim() -> bool:
    """Give back whole pages that lie unused between blocks in use. False: not glibc, nothing is done."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        return False
    library.malloc_trim(0)
    return True
