"""Short games through pictures: rendered, read and ruled on, with stacks, mistakes and accidents.

The same people play with perfect readings in tests/referee. Here the real reader looks, so the referee may ask
questions, but no ruling may be wrong.
"""

from __future__ import annotations

from typing import Any

import pytest

from lab.refereeing.people import People
from lab.refereeing.stage import PictureStage
from tablecoin import rules
from tablecoin.virtual.render import Light

SHORT: dict[str, dict[str, Any]] = {
    "steal": {"goal": 10},
    "exact": {"goal": 10},
    "goes-around": {"players": 4, "start": 4},
}


@pytest.mark.heavy  # the one game of `make test` that the real reader sees from its first toss to its end
def test_a_short_game_through_pictures_is_never_ruled_wrongly() -> None:
    plays_rightly("exact")


@pytest.mark.long
@pytest.mark.parametrize("name", rules.NAMES)
def test_a_game_through_pictures_is_never_ruled_wrongly(name: str) -> None:
    plays_rightly(name)


def plays_rightly(name: str) -> None:
    game, options = rules.load(name), SHORT.get(name, {})
    stage = PictureStage(game.mat(game.read_options(options)), seed=1)
    story = People(game, stage, seed=1, mistakes=0.05, accidents=0.02).play(options)
    assert story.counts["wrong"] == 0, story.wrong
    assert story.counts["actions"] > 5


@pytest.mark.long
@pytest.mark.parametrize("light", [Light(brightness=0.45, noise=4), Light(blur_px=2.0)], ids=["dim", "blurred"])
def test_in_bad_light_it_asks_and_rules_nothing_wrongly(light: Light) -> None:
    game = rules.load("steal")
    stage = PictureStage("two-row", seed=2, light=light)
    story = People(game, stage, seed=2).play({"goal": 10})
    assert story.counts["wrong"] == 0, story.wrong
