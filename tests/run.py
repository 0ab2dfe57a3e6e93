"""`python -m tests.run`: everything that `make test` runs, on all cores, and what it cost.

The linters and type checkers run beside the tests, because each of them uses one core only. What they say is shown at
the end. Exit status 1 if anything failed.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

BIN = Path(sys.executable).parent
MEMORY = "/dev/shm"
PYTEST = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "loadgroup", "-m", "not long"]


def checks() -> dict[str, list[str]]:
    """The commands of `make check` and, where Node.js is installed, of `make check-js`."""
    found = {
        "ruff check": [str(BIN / "ruff"), "check", "."],
        "ruff format": [str(BIN / "ruff"), "format", "--check", "."],
        "texts": [sys.executable, "-m", "tests.texts"],
        "mypy": [str(BIN / "mypy")],
    }
    if shutil.which("npm"):
        found["JavaScript"] = ["npm", "run", "--silent", "check"]
    return found


class Checking(Thread):
    """Runs the checks one after the other. `failed`: what each one that failed had to say."""

    def __init__(self) -> None:
        super().__init__(name="checks")
        self.failed: dict[str, str] = {}

    def run(self) -> None:
        for name, command in checks().items():
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode:
                self.failed[name] = done.stdout


def environment() -> dict[str, str]:
    """The environment of a test process. pytest keeps the modules that it rewrites; each process would rewrite them.

    Where a folder in memory has room and may hold programs, the files of tests are there: tests sync thousands of
    files, and a disk takes milliseconds for each.
    """
    chosen = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    with suppress(OSError):  # there is no such folder
        memory = os.statvfs(MEMORY)
        if memory.f_bavail * memory.f_frsize > 2 << 30 and not memory.f_flag & os.ST_NOEXEC:
            chosen["PYTEST_DEBUG_TEMPROOT"] = MEMORY
    return chosen


def main() -> int:
    began_s = time.monotonic()
    checking = Checking()
    checking.start()
    tested = subprocess.run([*PYTEST, *sys.argv[1:]], check=False, env=environment()).returncode
    checking.join()
    for name, said in checking.failed.items():
        print(f"\n{name} found:\n{said}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{', '.join(checks())}: {'failed: ' + ', '.join(checking.failed) if checking.failed else 'passed'}\n"
        f"{used.ru_utime + used.ru_stime:.0f} CPU seconds in {time.monotonic() - began_s:.0f} s"
    )
    return 1 if tested or checking.failed else 0


if __name__ == "__main__":
    sys.exit(main())
