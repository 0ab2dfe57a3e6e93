"""Which zones light up: those that a lawful act of the one person to act would change."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin import rules
from tablecoin.referee.events import Player, Started
from tablecoin.referee.lawful import lawful_zones
from tablecoin.referee.match import Match

PENNIES = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def begun(game: str, options: dict[str, Any], seats: dict[str, Player], *actions: dict[str, Any]) -> Match:
    match = Match.begin(Started(1, game, options, seats))
    state = match.state
    for action in actions:
        state = rules.load(game).apply(state, match.game.read_action(action))
    return Match(match.game, match.started, state)


@pytest.mark.parametrize(
    ("match", "zones"),
    [
        pytest.param(begun("steal", {"starter": "heads"}, {}), (), id="a toss is due: nobody's turn"),
        pytest.param(begun("steal", {"starter": "heads"}, {}, PENNIES), ("row.heads",), id="Heads may place a penny"),
        pytest.param(begun("steal", {"starter": "heads"}, {"heads": "computer"}, PENNIES), (), id="a computer's turn"),
        pytest.param(begun("goes-around", {"players": 3}, {}), (), id="several choose at once"),
    ],
)
def test_zones_of_lawful_acts(match: Match, zones: tuple[str, ...]) -> None:
    assert lawful_zones(match) == zones


def test_on_a_map_the_spaces_that_may_be_covered_are_lit() -> None:
    mover = begun("coin-age", {}, {}).state.mover  # type: ignore[attr-defined]
    toss = {"do": "flip", "coins": [f"{kind}:{mover}" for kind in ("penny", "nickel", "dime", "quarter")]}
    zones = lawful_zones(begun("coin-age", {}, {}, toss))
    assert sum(zone.startswith("space.") for zone in zones) == 10
