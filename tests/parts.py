"""`python -m tests.parts [PART] [FOLDERS]`: the long tests, whole or one of PARTS parts that take about equally long.

PART is a number from 0, a number and how many parts (`2/7`), or `commit`: the part of the newest commit, so that one
commit after the other tests everything. Most tests run on all cores. Those of ALONE measure time or memory, or boot
machines, so they run one after another. `make oldest`, and the tests of hypothesis with more examples, belong to one
part each.

long_seconds.json says how long each file takes; `--record` measures it again. This module is also the pytest plugin
that chooses the tests.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

PARTS = 5
ALONE = (
    "tests/checks/test_bench.py", "tests/install/test_install.py", "tests/lab/enduring/test_memory.py",
    "tests/lab/enduring/test_resting.py", "tests/lab/enduring/test_soak.py", "tests/lab/refereeing/test_past.py",
    "tests/lab/siege/test_bar.py", "tests/lab/siege/test_scrubs.py", "tests/lab/siege/test_siege.py",
    "tests/live/test_network_camera.py",
)  # fmt: skip
OLDEST, EXAMPLES = "make oldest", "more examples"
MANY_EXAMPLES = "250"  # of each property; `make test` tries 25
NEWEST_PYTHON = (3, 12)  # that the oldest libraries have wheels for
SECONDS = Path(__file__).with_name("long_seconds.json")

_UNKNOWN_S = 4.0  # taken for each test of a file that was never measured
_BLOCK_S = 40.0  # a file that takes longer is divided
_NONE_FOUND = 5  # pytest's exit status where nothing was left to run


class Part(NamedTuple):
    number: int  # from 0
    of: int

    @classmethod
    def of_text(cls, text: str) -> Part:
        """Raises ValueError."""
        if text == "commit":
            counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], capture_output=True, text=True, check=True)
            return cls(int(counted.stdout) % PARTS, PARTS)
        number, _, of = text.partition("/")
        part = cls(int(number), int(of or PARTS))
        if not 0 <= part.number < part.of:
            raise ValueError(f"there is no part {part.number} of {part.of}: the first is 0, the last {part.of - 1}")
        return part


WHOLE = Part(0, 1)


def shared_out(seconds: Mapping[str, float], parts: int) -> list[set[str]]:
    """What belongs to each part: the longest first, each to the part that has least so far."""
    loads, chosen = [0.0] * parts, [set[str]() for _ in range(parts)]
    for name, each_s in sorted(seconds.items(), key=lambda one: (-one[1], one[0])):
        least = loads.index(min(loads))
        loads[least] += each_s
        chosen[least].add(name)
    return chosen


def blocks(files: Mapping[str, int], known: Mapping[str, float]) -> dict[str, list[str]]:
    """The name of each test's block, by file: `files` says how many tests each has. A short file is one block."""
    named = {}
    for file, many in files.items():
        pieces = min(many, math.ceil(known.get(file, _UNKNOWN_S * many) / _BLOCK_S) or 1)
        named[file] = [f"{file} {number * pieces // many + 1}/{pieces}" for number in range(many)]
    return named


def known_seconds() -> dict[str, float]:
    return dict(json.loads(SECONDS.read_text("utf-8")))


def keep(measured: Mapping[str, float]) -> None:
    """Write what was measured over what was known; files that are gone are forgotten."""
    seconds = known_seconds() | {name: math.ceil(each_s) for name, each_s in measured.items()}
    there = {name: seconds[name] for name in sorted(seconds) if name in (OLDEST, EXAMPLES) or Path(name).exists()}
    SECONDS.write_text(json.dumps(there, indent=1) + "\n", "utf-8")


# -- the plugin --------------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part", help="run only this part of the long tests that share the cores: 0/5 is the first of five"
    )
    parser.addoption("--record-long", action="store_true", help=f"measure the files and write {SECONDS.name}")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("record_long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests of this part, the longest blocks first. With xdist a block runs in one process."""
    if not config.getoption("part"):
        return
    part = Part.of_text(config.getoption("part"))
    by_file: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("long") and not _runs_alone(item):
            by_file.setdefault(_file(item.nodeid), []).append(item)
    known = known_seconds()
    named = blocks({file: len(each) for file, each in by_file.items()}, known)
    by_block: dict[str, list[pytest.Item]] = {}
    for file, each in by_file.items():
        for item, block in zip(each, named[file], strict=True):
            item.add_marker(pytest.mark.xdist_group(block))
            by_block.setdefault(block, []).append(item)
    seconds = {
        block: len(each)
        * known.get(file := _file(each[0].nodeid), _UNKNOWN_S * len(by_file[file]))
        / len(by_file[file])
        for block, each in by_block.items()
    }
    chosen = sorted(shared_out(seconds, part.of)[part.number], key=lambda block: (-seconds[block], block))
    kept = [item for block in chosen for item in by_block[block]]
    staying = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in staying])
    items[:] = kept


class Recorder:
    """Adds up the seconds of each file's tests, with their fixtures. A file of which no test ran is left out."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._ran: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = _file(report.nodeid)
        self.seconds[file] = self.seconds.get(file, 0.0) + report.duration
        if report.when == "call" and not report.skipped:
            self._ran.add(file)

    def pytest_sessionfinish(self) -> None:
        keep({file: self.seconds[file] for file in self._ran})


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _runs_alone(item: pytest.Item) -> bool:
    return _file(item.nodeid) in ALONE


# -- the command -------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    given, record = [each for each in arguments if each != "--record"], "--record" in arguments
    part = WHOLE if not given or given[0].startswith("tests") else Part.of_text(given.pop(0))
    if record and part != WHOLE:
        raise ValueError("only all parts together can be measured: leave PART out")
    known = known_seconds()
    apart = [each for each in ALONE if not given or each.startswith(tuple(given))]
    apart += [] if given else [OLDEST, EXAMPLES]
    mine = shared_out({each: known.get(each, _UNKNOWN_S) for each in apart}, part.of)[part.number]
    print(f"part {part.number} of {part.of}, with {', '.join(sorted(mine)) or 'nothing'} apart", flush=True)
    began_s = time.monotonic()
    pytest_ = [sys.executable, "-m", "pytest", "-p", "tests.parts", *(["--record-long"] if record else [])]
    on_all_cores = ["-n", "auto", "--dist", "loadgroup"]
    passed = _passed([*pytest_, *on_all_cores, "-m", "long", f"--part={part.number}/{part.of}", *given])
    if files := sorted(mine.intersection(ALONE)):
        passed &= _passed([*pytest_, "-n", "0", "-m", "long", *files])
    if EXAMPLES in mine:
        several = [sys.executable, "-m", "pytest", *on_all_cores, "-m", "hypothesis and not long"]
        passed &= _timed(
            EXAMPLES, several, record=record, environment=os.environ | {"TABLECOIN_EXAMPLES": MANY_EXAMPLES}
        )
    if OLDEST in mine and sys.version_info[:2] <= NEWEST_PYTHON:
        passed &= _timed(OLDEST, ["make", "--no-print-directory", "oldest"], record=record)
    elif OLDEST in mine:
        print(f"{OLDEST} is skipped: numpy 1 has no wheels for this Python")
    print(f"part {part.number} of {part.of} took {time.monotonic() - began_s:.0f} s")
    return 0 if passed else 1


def _timed(name: str, command: Sequence[str], *, record: bool, environment: Mapping[str, str] = os.environ) -> bool:
    began_s = time.monotonic()
    passed = _passed(command, environment)
    if record:
        keep({name: time.monotonic() - began_s})
    return passed


def _passed(command: Sequence[str], environment: Mapping[str, str] = os.environ) -> bool:
    return subprocess.run(command, check=False, env=environment).returncode in (0, _NONE_FOUND)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"tests.parts: {error}")
