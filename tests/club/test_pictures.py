"""A tournament whose games are played on a table that a referee watches: what `python -m lab club pictures` measures.

Once the referee is told which coins lie where, and once it looks at pictures.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.club.pictures import MakeStage, differing, through_pictures, tournament
from lab.refereeing.told import ToldStage
from tests.mosquitto import needs_mosquitto


@pytest.mark.long
@needs_mosquitto
@pytest.mark.parametrize("stage", [ToldStage, through_pictures], ids=["told", "pictures"])
def test_every_result_comes_from_a_table_and_no_ruling_is_wrong(tmp_path: Path, stage: MakeStage) -> None:
    found = tournament(tmp_path, players=4, tables=2, game="steal", options={"goal": 10}, seed=1, stage=stage)
    assert (found.games, found.stuck, found.by_tables) == (4, 0, 4)
    assert (found.wrong, found.lost, found.other, found.wrong_standings) == (0, 0, 0, 0)
    assert found.held == found.rulings > 20


@pytest.mark.parametrize(("line", "wrong"), [({}, []), ({"halves": 0}, ["Ann"]), ({"buchholz": 4}, ["Ann"])])
def test_the_standings_are_counted_anew(line: dict[str, int], wrong: list[str]) -> None:
    """Ann beats Ben, Ben beats Cleo, Ann and Cleo draw."""
    games = [{"Ann": 2, "Ben": 0}, {"Ben": 2, "Cleo": 0}, {"Ann": 1, "Cleo": 1}]
    lines = [
        {"player": "1", "halves": 3, "buchholz": 3, "sonneborn": 5} | line,
        {"player": "2", "halves": 2, "buchholz": 4, "sonneborn": 2},
        {"player": "3", "halves": 1, "buchholz": 5, "sonneborn": 3},
    ]
    told = {"players": {"1": "Ann", "2": "Ben", "3": "Cleo"}, "standings": lines}
    assert differing(told, games) == wrong
