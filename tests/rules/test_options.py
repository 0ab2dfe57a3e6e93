"""Options that cannot be played, or mean nothing beside the others, are refused; the error says what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.rules import load
from tablecoin.rules.game import InputError

SMALL_BANK = {"penny": 10, "nickel": 2, "dime": 2, "quarter": 2}  # 90 cents; 49 besides one of each


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        # a bank that is not counted has no number of coins
        (
            "steal",
            {"bank_coins": SMALL_BANK},
            'bank_coins counts only with a counted bank; set bank to "counted", or leave bank_coins out',
        ),
        (
            "exact",
            {"bank": "unlimited", "bank_coins": SMALL_BANK},
            'bank_coins counts only with a counted bank; set bank to "counted", or leave bank_coins out',
        ),
        # a counted bank must hold the coins tossed, and be able to pay the goal
        (
            "steal",
            {"bank": "counted", "bank_coins": {"penny": 5}},
            "bank_coins must hold at least 1 quarter, 1 dime, 1 nickel, 6 pennies, and holds 5 pennies",
        ),
        (
            "steal",
            {"bank": "counted", "bank_coins": SMALL_BANK, "goal": 50},
            "goal is 50, but no row laid from bank_coins can be worth that; "
            "choose 49, or put more coins into bank_coins",
        ),
        (
            "exact",
            {"bank": "counted", "bank_coins": SMALL_BANK, "goal": 91},
            "goal is 91, but no row laid from bank_coins can be worth that; "
            "choose 90, or put more coins into bank_coins",
        ),
        (
            "exact",  # 5 pennies and 2 quarters are worth 55, 50 … 54, and never 49
            {"bank": "counted", "bank_coins": {"penny": 5, "quarter": 2}, "goal": 49},
            "goal is 49, but no row laid from bank_coins can be worth that; "
            "choose 30, or put more coins into bank_coins",
        ),
        (
            "exact",
            {"bank": "counted", "bank_coins": {"penny": 9}},
            "goal is 100, but no row laid from bank_coins can be worth that; put more coins into bank_coins",
        ),
        # a Hard scene costs eight points, and these never grow
        (
            "coin-wars",
            {"force_mix": "require", "scene_points": 7, "harder_scenes": "off"},
            'with scene_points 7 nobody can write the Hard scene that force_mix "require" wants; '
            'give at least 8 points, or set force_mix to "warn"',
        ),
        (
            "coin-wars",
            {"force_mix": "require", "scene_points": 8, "players": ["Ann"], "harder_scenes": "off"},
            "with scene_points 8 one player alone cannot write both the Easy and the Hard scene that force_mix "
            '"require" wants; give at least 11 points, or set force_mix to "warn"',
        ),
        ("coin-wars", {"players": ["table"]}, "the name 'table' is a word of the game itself; choose another"),
        # a seed picks one of the maps, so it needs the map left to chance
        (
            "coin-age",
            {"map": "classic", "seed": 3},
            'seed means nothing with map "classic"; leave seed out, or set map to "random"',
        ),
        # house rules of powers or of experience mean nothing where these are left out
        *(
            (
                "coin-wars",
                {needed: "none", rule: value},
                f'{rule} means nothing where {needed} is "none"; leave {rule} out, or set {needed} to "allowed"',
            )
            for needed, rule, value in (
                ("powers", "luck_any", True),
                ("powers", "defensive_recompute", True),
                ("experience", "customization", 3),
                ("experience", "harder_scenes", "off"),
            )
        ),
    ],
)
def test_options_that_cannot_be_played_are_refused(game: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        load(game).read_options(options)
    assert str(refused.value) == f"options of {game}: {said}"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("steal", {"bank": "counted", "bank_coins": SMALL_BANK, "goal": 49}),
        ("exact", {"bank": "counted", "bank_coins": SMALL_BANK, "goal": 90}),
        ("exact", {"bank": "counted", "goal": 540}),  # every coin of the usual bank
        ("steal", {"bank": "unlimited", "goal": 1000}),
        ("coin-wars", {"force_mix": "require", "scene_points": 7}),  # experience brings more points
        ("coin-wars", {"force_mix": "require", "scene_points": 8, "players": ["Ann", "Bob"]}),  # one writes each
        ("coin-wars", {"force_mix": "require", "scene_points": 11, "players": ["Ann"], "harder_scenes": "off"}),
        ("coin-wars", {"force_mix": "require", "scene_points": 8, "players": ["Ann"]}),  # a long career brings more
        ("coin-wars", {"force_mix": "require", "scene_points": 8, "players": ["Ann"], "adventure": "gull-rock"}),
        ("coin-wars", {"force_mix": "require", "scene_points": 8, "harder_scenes": "off"}),
        ("coin-age", {"map": "random", "seed": 3}),
    ],
)
def test_options_at_the_edge_of_what_can_be_played(game: str, options: dict[str, Any]) -> None:
    assert load(game).read_options(options)
