"""Whole games at the table: random people with mistakes, every ruling held against the truth.

Readings are perfect here; the same people play through pictures in tests/journeys and in
tests/lab/refereeing/test_soak.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from lab.refereeing.people import People
from lab.refereeing.told import ToldStage
from tablecoin import rules

FEW = {"goes-around": {"players": 4, "start": 4}}  # so that one box holds all the pennies there are
SHORT: dict[str, dict[str, Any]] = {"steal": {"goal": 12}, "exact": {"goal": 12}, **FEW}
STEPS = {name: 10 if name == "coin-age" else 25 for name in rules.NAMES}  # each of Coin Age takes 30 ms
WHOLE = dict.fromkeys(rules.NAMES, 5_000)  # no game has as many


@pytest.mark.parametrize("name", rules.NAMES)
@pytest.mark.parametrize(
    ("seed", "options", "steps"),
    [
        pytest.param(0, SHORT, STEPS, id="short"),
        *(pytest.param(seed, FEW, WHOLE, id=f"whole {seed}", marks=pytest.mark.long) for seed in (0, 1)),
    ],
)
def test_every_ruling_is_right(name: str, seed: int, options: dict[str, dict[str, Any]], steps: dict[str, int]) -> None:
    game = rules.load(name)
    stage = ToldStage(game.mat(game.read_options(options.get(name, {}))), seed)
    story = People(game, stage, seed, mistakes=0.05, accidents=0.02).play(options.get(name), steps[name])
    assert story.wrong == []
    assert story.stuck is None
    assert story.counts["actions"] > 5


@pytest.mark.parametrize("name", rules.NAMES)
@pytest.mark.parametrize(
    ("options", "steps"),
    [pytest.param(SHORT, STEPS, id="short"), pytest.param(FEW, WHOLE, id="whole", marks=pytest.mark.long)],
)
def test_every_mistake_of_clumsy_people_is_refused(
    name: str, options: dict[str, dict[str, Any]], steps: dict[str, int]
) -> None:
    """Two acts in five go wrong first: on the table, on a phone, in a toss, in paying what was stolen."""
    game = rules.load(name)
    stage = ToldStage(game.mat(game.read_options(options.get(name, {}))), 3)
    story = People(game, stage, 3, mistakes=0.4).play(options.get(name), steps[name])
    assert story.wrong == []
    assert story.stuck is None
    assert story.counts["mistakes"] > 2
    assert story.counts["mistake: refused"] == story.counts["mistakes"]
