"""`python -m lab mutants`: which faults are planted, that their places are found again, and when a fault is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.mutants import worker
from lab.mutants.sample import Mutant, Result, Task, draw, mutants
from lab.mutants.worker import Run

SOURCE = '''\
"""A module."""

LIMIT: int = 3


def price(coins: list[int], tax: bool = True) -> int:
    """What coins are worth: 1 cent more with a tax."""
    if not coins or len(coins) > LIMIT:
        raise ValueError("2 many")
    log.warning("%s", 5)
    return sum(coins) + 1
'''


def planted(source: str) -> set[tuple[str, str]]:
    """(line, the same line with its fault) of every mutant."""
    found = set[tuple[str, str]]()
    for mutant in mutants("rules", "module.py", source):
        changed = mutant.planted(source)
        assert changed is not None
        (pair,) = [pair for pair in zip(source.splitlines(), changed.splitlines(), strict=True) if pair[0] != pair[1]]
        found.add((pair[0].strip(), pair[1].strip()))
    return found


def test_every_kind_of_fault_is_planted_where_code_decides_something() -> None:
    head = "def price(coins: list[int], tax: bool = True) -> int:"
    test = "if not coins or len(coins) > LIMIT:"
    assert planted(SOURCE) == {
        ("LIMIT: int = 3", "LIMIT: int = 4"),
        (head, head.replace("True", "False")),
        (test, "if not coins and len(coins) > LIMIT:"),
        (test, "if not coins or len(coins) >= LIMIT:"),
        (test, "if (coins) or len(coins) > LIMIT:"),
        (test, "if (not (not coins or len(coins) > LIMIT)):"),
        ('raise ValueError("2 many")', "pass"),
        ("return sum(coins) + 1", "return None"),
        ("return sum(coins) + 1", "return sum(coins) - 1"),
        ("return sum(coins) + 1", "return sum(coins) + 2"),
    }


def test_a_place_is_found_again_after_the_lines_around_it_moved() -> None:
    twice = "def a():\n    return 1 + b\n    return 1 + b\n"
    second = [each for each in mutants("rules", "m.py", twice) if (each.nth, each.old) == (1, "+")]
    moved = "import c\n\n\ndef d():\n    return 1 + b\n\n\n" + twice
    assert [each.planted(moved) for each in second] == [moved[: -len("+ b\n")] + "- b\n"]
    assert [each.planted("def a():\n    return 1 + b\n") for each in second] == [None]


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for folder in ("tablecoin/rules", "tablecoin/journal"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "m.py").write_text(SOURCE, "utf-8")
    one, two, other = (draw(tmp_path, seed, 4) for seed in (1, 1, 2))
    assert one == two != other
    assert [each.room for each in one] == ["rules"] * 4 + ["journal"] * 4


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    monkeypatch.chdir(tmp_path)
    Path("m.py").write_text("a = 1\n", "utf-8")
    (mutant,) = mutants("rules", "m.py", "a = 1\n")
    return Task(7, mutant, ("t.py::fails", "t.py::passes"))


@pytest.mark.parametrize(
    ("with_it", "without", "result"),
    [
        # the test that fails with the fault, and without; how it ended
        ("", "", Result(7, "survived", "", 2)),
        ("t.py::fails", "", Result(7, "caught", "t.py::fails", 2)),
        ("t.py::fails", "t.py::fails", Result(7, "survived", "", 4)),  # broken anyway: it proves nothing
        ("t.py", "", Result(7, "caught", "t.py", 2)),  # the file could not even be loaded
    ],
)
def test_a_failure_counts_only_where_the_test_passes_without_the_fault(
    task: Task, with_it: str, without: str, result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(tests: list[str], cpu_s: float) -> Run:
        failing = with_it if Path("m.py").read_text("utf-8") == "a = 2\n" else without
        return Run(failing if any(each.startswith(failing) for each in tests) else "", 2, 0.0)

    monkeypatch.setattr(worker, "run", run)
    assert worker.tried(task, set(), set()) == result
    assert Path("m.py").read_text("utf-8") == "a = 1\n"


def test_a_line_that_no_test_reaches_and_one_that_is_gone_are_told_apart(task: Task) -> None:
    gone = Mutant("rules", "m.py", "", "b = 1", 0, 4, "1", "2")
    assert worker.tried(Task(1, task.mutant, ()), set(), set()) == Result(1, "unreached")
    assert worker.tried(Task(1, gone, task.tests), set(), set()) == Result(1, "gone")
