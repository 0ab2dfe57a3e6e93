"""`python -m lab.mutants.worker` plants one mutant after the other in the current folder and runs tests.

It reads a Task a line from standard input and writes a Result a line to standard output. Each run of tests is a fork of
this process, which has loaded the large libraries and none of the project's code that is mutated.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from lab.mutants.sample import Result, Task

CPU_S = 60.0  # of one mutant's tests
_WALL_S = 240.0  # after which a run counts as hanging
_TEST_S = 60  # wall time of one test, after which it has failed: a mutant may loop for ever
_FIRST = 25  # tests that run before the files of all others are even loaded
_LARGE = (
    "numpy",
    "cv2",
    "onnxruntime",
    "flask",
    "uvicorn",
    "hypothesis",
    "networkx",
    "reportlab",
    "PIL.Image",
    "paho.mqtt",
)


_LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # pytest minds that a library is loaded before it


class Run(msgspec.Struct, frozen=True):
    """What one run of pytest came to; `failed`: the first test that failed, "" where none did."""

    failed: str
    tests: int
    cpu_s: float


class _Chosen:
    """A pytest plugin: runs the chosen tests in their order, and no more once the CPU time is used up."""

    def __init__(self, tests: Sequence[str], cpu_s: float) -> None:
        self._order, self._cpu_s = {test: k for k, test in enumerate(tests)}, cpu_s
        self.failed, self.tests, self.stopped = "", 0, False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tests += report.when == "call"
        if report.failed:
            self.failed = self.failed or report.nodeid

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if cpu_now_s() > self._cpu_s:
            item.session.shouldstop, self.stopped = "the time is used up", True


def cpu_now_s() -> float:
    """CPU seconds of this process and its ended children."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def run(tests: Sequence[str], cpu_s: float) -> Run:
    """Run these tests in a fork, stopping at the first failure or after `cpu_s`."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.setpgrp()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        began_s, chosen = cpu_now_s(), _Chosen(tests, cpu_now_s() + cpu_s)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", f"--timeout={_TEST_S}", *_LOADED]
        code = pytest.main([*options, *files], plugins=[chosen])
        broken = code in (2, 3, 4) and not chosen.stopped  # pytest ends with 2 when it is stopped, too
        failed = chosen.failed or ("the run of tests itself" if broken else "")
        os.write(writer, msgspec.json.encode(Run(failed, chosen.tests, cpu_now_s() - began_s)) + b"\n")
        os._exit(0)
    os.close(writer)
    ending = threading.Timer(_WALL_S, _kill, [child])
    ending.start()
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.readline()
    ending.cancel()
    _kill(child)  # and the programs that its tests started
    os.waitpid(child, 0)
    return msgspec.json.decode(answer, type=Run) if answer else Run("the run was ended: it hung or crashed", 0, 0.0)


def _kill(child: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def tried(task: Task, sound: set[str], unsound: set[str]) -> Result:
    """Plant the mutant, run its tests, take it out again. A failure counts only where the test passes without it."""
    path = Path(task.mutant.path)
    source = path.read_text("utf-8")
    planted = task.mutant.planted(source)
    if planted is None:
        return Result(task.number, "gone")
    if not task.tests:
        return Result(task.number, "unreached")
    number, cpu_s = 0, 0.0
    for tests in (task.tests[:_FIRST], task.tests[_FIRST:]):
        left = [test for test in tests if test not in unsound]
        while left and cpu_s < CPU_S:
            _write(path, planted)
            try:
                came = run(left, CPU_S - cpu_s)
            finally:
                _write(path, source)
            number, cpu_s = number + came.tests, cpu_s + came.cpu_s
            if not came.failed:
                break
            clean = came.failed if "::" in came.failed else left[0]  # it could not run at all: any test shows why
            if clean in sound or not run([clean], CPU_S).failed:
                sound.add(clean)
                return Result(task.number, "caught", came.failed, number, round(cpu_s, 1))
            unsound.add(clean)
            left.remove(clean)
    return Result(task.number, "capped" if cpu_s >= CPU_S else "survived", "", number, round(cpu_s, 1))


def _write(path: Path, source: str) -> None:
    """Write a module so that no compiled copy of another version is taken for it."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
    path.write_text(source, "utf-8")


def main() -> None:
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in _LARGE:
        importlib.import_module(name)
    sound, unsound = set[str](), set[str]()
    for line in sys.stdin:
        result = tried(msgspec.json.decode(line, type=Task), sound, unsound)
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
