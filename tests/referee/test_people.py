"""Whole games at the table: random people with mistakes, every ruling held against the truth.

Readings are perfect here; the same people play through pictures in tests/journeys and in
tests/lab/refereeing/test_soak.py.
"""

from __future__ import annotations

import pytest

from lab.refereeing.people import People
from lab.refereeing.told import ToldStage
from tablecoin import rules

FEW = {"goes-around": {"players": 4, "start": 4}}  # so that one box holds all the pennies there are
LONG = ("steal", "exact", "coin-age")  # games of more than a second
GAMES = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in rules.NAMES]
)


@GAMES
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_ruling_is_right(name: str, seed: int) -> None:
    game = rules.load(name)
    stage = ToldStage(game.mat(game.read_options({})), seed)
    story = People(game, stage, seed, mistakes=0.05, accidents=0.02).play(FEW.get(name))
    assert story.wrong == []
    assert story.stuck is None
    assert story.counts["actions"] > 5


@GAMES
def test_every_mistake_of_clumsy_people_is_refused(name: str) -> None:
    """Two acts in five go wrong first: on the table, on a phone, in a toss, in paying what was stolen."""
    game = rules.load(name)
    options = FEW.get(name)
    stage = ToldStage(game.mat(game.read_options(options)), 3)
    story = People(game, stage, 3, mistakes=0.4).play(options)
    assert story.wrong == []
    assert story.stuck is None
    assert story.counts["mistakes"] > 5
    assert story.counts["mistake: refused"] == story.counts["mistakes"]
