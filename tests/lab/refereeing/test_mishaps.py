"""Mistakes that people make on purpose, and what counts as a wrong ruling about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from lab.refereeing import mishaps
from lab.refereeing.blunders import Blunder
from lab.refereeing.people import People
from lab.refereeing.told import ToldStage
from tablecoin import rules
from tablecoin.rules.game import State


def lawful_acts(game: Any, turn: Sequence[State]) -> Iterator[Blunder]:
    """The layouts that lawful acts within a turn leave, offered as mistakes."""
    for action in game.legal_actions(turn[-1]):
        after = game.apply(turn[-1], action)
        if game.to_act(after) == game.to_act(turn[-1]):
            yield str(action), game.layout(after), {"none"}


@pytest.mark.long
def test_a_mistake_that_leaves_the_table_of_a_lawful_turn_is_no_wrong_ruling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack that was split after it had been laid is what one laid otherwise would be; the referee took it so."""
    monkeypatch.setattr(mishaps, "visible_blunders", lawful_acts)
    game = rules.load("coin-age")
    people = People(game, ToldStage(game.mat(game.read_options({})), 4711), 4711, mistakes=0.3)
    people.play({})
    assert people.story.counts["mistake: lawful"] > 0
    assert people.story.wrong == []
    assert people.story.over
