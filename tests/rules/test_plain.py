"""What is wrong with JSON is said in words that name the field, not in msgspec's types and paths."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.rules import load
from tablecoin.rules.game import InputError


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("steal", {"goal": 0}, "`goal` must be at least 10"),
        ("steal", {"goal": "much"}, "`goal` must be a whole number, not a text"),
        ("steal", {"goal": None}, "`goal` must be a whole number, not null"),
        ("steal", {"gaol": 100}, "there is no `gaol`"),
        ("steal", {"starter": "me"}, "`starter` cannot be 'me'"),
        ("coin-wars", {"players": ["x" * 41]}, "`players[0]` must be at most 40 letters long"),
        ("steal", [], "it must be an object, not a list"),
    ],
)
def test_wrong_options(game: str, options: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        load(game).read_options(options)
    assert str(refused.value) == f"options of {game}: {said}"


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"do": "flip"}, "`coins` is missing"),
        ({"do": "place", "coin": "euro"}, "`coin` cannot be 'euro'"),
        ({"do": "flip", "coins": "penny:heads"}, "`coins` must be a list, not a text"),
        ({"do": "jump"}, "`do` is one of flip, place, convert, done, pass, break"),
    ],
)
def test_wrong_actions(action: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        load("steal").read_action(action)
    assert said.split(",")[0] in str(refused.value)
