"""A table that learns its coins while simulated people play."""

from __future__ import annotations

import pytest

from lab.reading.purses import DRAWN
from lab.refereeing.attentive import Attentive, Memory
from lab.refereeing.people import People
from lab.refereeing.told import ToldStage
from tablecoin import rules
from tablecoin.live.learning import GameLearner, Learner
from tablecoin.referee.commands import Start
from tablecoin.referee.referee import Referee


@pytest.mark.parametrize(("learner", "lasts"), [(GameLearner, False), (Learner, True)], ids=["game", "evening"])
def test_what_a_game_taught_lasts_for_the_game_or_for_the_evening(learner: type[Learner], lasts: bool) -> None:
    memory = Memory(DRAWN, learner)
    referee = Attentive(Referee(memory.recorded), memory)
    options = {"goal": 10}
    game = rules.load("steal")
    stage = ToldStage(game.mat(game.read_options(options)), 4711, referee)
    People(game, stage, 4711).play(options)
    assert len(memory.remembered)
    referee.command(Start("steal", options), None)
    assert bool(len(memory.remembered)) is lasts
