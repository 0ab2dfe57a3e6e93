"""A pytest plugin: measures the CPU time of each test and names the ten that cost most.

It remembers all of them for `make quick`. CPU seconds are those of the test, of its fixtures and of the programs that
it started and waited for. Chromium runs longer than one test, so no single test shows its share; the total that
`make test` prints does.
"""

from __future__ import annotations

import resource
from collections.abc import Generator

import pytest

SECONDS = "tablecoin/seconds"  # in pytest's cache: CPU seconds of each test when it last ran
_NAMED = 10
_began_s, _ended_s = pytest.StashKey[float](), pytest.StashKey[float]()
_costs = pytest.StashKey[dict[str, float]]()


def cpu_s() -> float:
    """CPU seconds of this process and of its children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_costs] = {}
    config.pluginmanager.register(_Recorder(config))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_began_s] = cpu_s()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None:  # what ends after the last test, such as Chromium, served others too
        item.stash[_ended_s] = cpu_s()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        report.user_properties.append(("cpu_s", round(item.stash.get(_ended_s, cpu_s()) - item.stash[_began_s], 3)))
    return report


class _Recorder:
    """Collects the costs in the process that reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._costs = config.stash[_costs]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, each in report.user_properties:
            if name == "cpu_s":
                self._costs[report.nodeid] = float(str(each))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    costs = config.stash[_costs]
    if len(costs) <= _NAMED:
        return
    terminalreporter.section(f"the {_NAMED} tests that cost most, in CPU seconds")
    for test in sorted(costs, key=costs.__getitem__, reverse=True)[:_NAMED]:
        terminalreporter.write_line(f"{costs[test]:6.2f}  {test}")
    terminalreporter.write_line(f"{sum(costs.values()):6.0f}  all {len(costs)} tests, without Chromium")


def pytest_sessionfinish(session: pytest.Session) -> None:
    cache = getattr(session.config, "cache", None)
    if cache is not None and not hasattr(session.config, "workerinput"):
        cache.set(SECONDS, cache.get(SECONDS, {}) | session.config.stash[_costs])
