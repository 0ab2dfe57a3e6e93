"""The long tests are divided into parts: each belongs to exactly one, and the parts take about equally long."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.parts import ALONE, PARTS, Part, blocks, keep, known_seconds, shared_out

SECONDS = {f"tests/test_{number}.py": float(number) for number in range(1, 31)}


def test_each_file_belongs_to_one_part() -> None:
    parts = shared_out(SECONDS, PARTS)
    assert Counter(name for part in parts for name in part) == dict.fromkeys(SECONDS, 1)


def test_the_parts_take_about_equally_long() -> None:
    loads = [sum(SECONDS[name] for name in part) for part in shared_out(SECONDS, PARTS)]
    assert max(loads) - min(loads) <= 3


def test_a_file_that_takes_long_is_divided_and_its_tests_stay_in_order() -> None:
    named = blocks({"short": 3, "long": 10, "one": 1}, {"short": 2, "long": 160, "one": 500})
    assert named["short"] == ["short 1/1"] * 3
    assert named["long"] == [f"long {k}/4" for k in (1, 1, 1, 2, 2, 3, 3, 3, 4, 4)]
    assert named["one"] == ["one 1/1"]


def test_a_file_that_was_never_measured_is_divided_by_its_tests() -> None:
    assert set(blocks({"new": 20}, {})["new"]) == {"new 1/2", "new 2/2"}


@pytest.mark.parametrize(("text", "part"), [("0", (0, PARTS)), (str(PARTS - 1), (PARTS - 1, PARTS)), ("2/7", (2, 7))])
def test_a_part_is_named(text: str, part: tuple[int, int]) -> None:
    assert Part.of_text(text) == part


@pytest.mark.parametrize("text", ["5", "-1", "7/7", "one", "1/0", ""])
def test_a_part_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"part|invalid"):
        Part.of_text(text)


def test_files_that_are_gone_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.parts.SECONDS", tmp_path / "seconds.json")
    (tmp_path / "seconds.json").write_text('{"tests/gone.py": 9, "make oldest": 60, "tests/conftest.py": 1}')
    keep({"tests/conftest.py": 2.2, "tests/gone_too.py": 1.0})
    assert known_seconds() == {"make oldest": 60, "tests/conftest.py": 3}


def test_the_files_of_the_table_are_there() -> None:
    named = {*ALONE, *(name for name in known_seconds() if name.startswith("tests"))}
    root = Path(__file__).parents[1]
    assert [name for name in sorted(named) if not (root / name).is_file()] == []
