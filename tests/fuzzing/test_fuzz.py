"""A few hundred made-up cases through each door; `make fuzz` sends a hundred thousand."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.fuzzing.doors import Door, doors
from tests.fuzzing.fuzz import SEED, SLOWEST_S, fuzzed
from tests.fuzzing.mutation import made_up

CASES = {"the command line": 40, "a frame": 40}  # elsewhere 200

NAMES = (
    "tablecoin.toml", "a map, by the rules", "a map, by the mat", "lesson.json", "lesson.toml", "virtual.json",
    "calibration.json", "coins.npz", "known.npz", "a record", "the second copy", "a position", "a script", "labels.csv",
    "judge", "a command", "a body", "a call", "a picture file", "a picture sent", "the command line", "a frame",
)  # fmt: skip


@pytest.fixture(scope="module")
def every_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Door]]:
    with doors(tmp_path_factory.mktemp("doors")) as made:
        yield {door.name: door for door in made}


def test_every_door_is_tried(every_door: dict[str, Door]) -> None:
    assert tuple(every_door) == NAMES
    assert sum(door.share for door in every_door.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_made_up_content_is_read_or_refused_in_a_sentence(every_door: dict[str, Door], name: str) -> None:
    told = fuzzed(every_door[name], CASES.get(name, 200), SEED)
    assert told.faults == {}
    assert told.slowest_s <= SLOWEST_S


def test_a_fault_is_found_and_kept_with_its_case() -> None:
    def breaks(data: bytes) -> object:
        return 1 / (len(data) % 5)

    told = fuzzed(Door("breaking", "file", 1.0, [b"abcdefgh"], breaks), 200, SEED)
    ((key, (case, trace)),) = told.faults.items()
    assert key.startswith("ZeroDivisionError in test_fuzz.py")
    assert "breaks" in trace
    assert len(case) % 5 == 0
    assert not told.is_well


def test_the_same_seed_makes_the_same_cases() -> None:
    made = [[made_up([b'{"a": [1, 2]}'], random.Random(seed)) for seed in range(50)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 30
