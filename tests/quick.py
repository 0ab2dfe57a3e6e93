"""`python -m tests.quick`: the tests of the rooms that you are changing, in less than a minute.

Without arguments the changed rooms are those whose files differ from HEAD, or, when none differs, those that the last
commit changed. All their tests run. Of the rooms that import them the tests of at most 0.1 s run, as many as fit.
With folders or files as arguments all their tests run: those of one room in 20 s or less, those of `tests` in a few
minutes. None of these runs heavy, browser or long tests. What was left out is counted at the end.

This module is also the pytest plugin that chooses the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.run import environment
from tests.texts.imports import room, sources

_CHEAP_S = 0.1  # of CPU: a test of a room that imports a changed one costs at most this
_BUDGET_S = 50.0  # of CPU for all tests. Two cores need 25 s for it, and about 10 s to start
_UNKNOWN_S = 0.05  # taken for a test that never ran here
_NEAR = "TABLECOIN_NEAR"  # environment variable: folders of which only cheap tests run, as many as fit
_left_out = pytest.StashKey[int]()


def folders(changed: Iterable[str]) -> tuple[list[str], list[str]]:
    """The test folders of the rooms with these changed files, and those of the rooms that import them."""
    rooms = {each for path in changed if (each := _room(path))}
    near = {room(each.name) or "" for each in sources() if any(room(name) in rooms for name, _ in each.imports)}
    return _existing(rooms), _existing(near - rooms)


def _room(path: str) -> str | None:
    """`tablecoin/referee/desk.py` and `tests/referee/test_desk.py` → `referee`; None for what belongs to no room."""
    top, *rest = Path(path).with_suffix("").parts
    if top in ("calibration", "web", "lab", "systemd"):
        return top
    return rest[0].removeprefix("test_") if top in ("tablecoin", "tests") and rest else None


def _existing(rooms: Iterable[str]) -> list[str]:
    found = (each for room in sorted(rooms) for each in (f"tests/{room}", f"tests/test_{room}.py"))
    return [each for each in found if Path(each).exists()]


def changed_files() -> list[str]:
    """The files that differ from HEAD or are new; when there are none, those of the last commit."""
    for command in (
        ["git", "status", "--porcelain", "--no-renames", "--untracked-files=all"],
        ["git", "show", "--format=", "--name-status", "--no-renames", "HEAD"],
    ):
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        if lines:
            return [line.split(maxsplit=1)[1].strip('"') for line in lines]
    return []


# -- the plugin --------------------------------------------------------------------------------------------------------


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of the rooms nearby that are not cheap, and those that no longer fit."""
    from tests.cost import SECONDS  # pytest rewrites the module when conftest.py names it, so not earlier

    near = os.environ.get(_NEAR, "").split()
    seconds = config.cache.get(SECONDS, {}) if config.cache else {}

    def cost(item: pytest.Item) -> float:
        return float(seconds.get(item.nodeid, _UNKNOWN_S))

    nearby = {item for item in items if item.nodeid.startswith(tuple(near))}
    left_s = _BUDGET_S - sum(cost(item) for item in items if item not in nearby)
    out = set[pytest.Item]()
    for item in sorted(nearby, key=lambda item: (cost(item), item.nodeid)):
        left_s -= cost(item)
        if cost(item) > _CHEAP_S or left_s < 0:
            out.add(item)
    config.hook.pytest_deselected(items=list(out))
    items[:] = [item for item in items if item not in out]
    config.stash[_left_out] = len(out)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells the process that reports."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash.get(_left_out, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    config, output = node.config, getattr(node, "workeroutput", {})  # type: ignore[attr-defined]
    config.stash[_left_out] = output.get("left_out", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if near := os.environ.get(_NEAR):
        left_out = config.stash.get(_left_out, 0)
        terminalreporter.write_line(f"left out: {left_out} tests of {near.replace('tests/', '')}")


# -- the command -------------------------------------------------------------------------------------------------------


def main(rooms: Sequence[str]) -> int:
    own, near = (list(rooms), []) if rooms else folders(changed_files())
    if not own:
        print("No room has changed, so no test was run. Name one: make quick ROOMS=tests/referee")
        return 0
    print(f"tests of {', '.join(own)}")
    chosen = ["-m", "not heavy and not browser and not long", "-p", "tests.quick", *own, *near]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *chosen]
    return subprocess.run(command, check=False, env=environment() | {_NEAR: " ".join(near)}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
