"""What is wrong with JSON is said in words that name the field and what would be right, not in msgspec's own."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.rules import load
from tablecoin.rules.game import InputError


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        # numbers: of another type, out of range
        ("steal", {"goal": 2.5}, "`goal` must be a whole number, not 2.5"),
        ("steal", {"goal": "much"}, '`goal` must be a whole number, not "much"'),
        ("steal", {"goal": None}, "`goal` must be a whole number, not null"),
        ("steal", {"goal": [100]}, "`goal` must be a whole number, not a list"),
        ("steal", {"goal": 0}, "`goal` must be from 10 to 1000, not 0"),
        ("steal", {"bank_coins": {"penny": -1}}, "`bank_coins.penny` must be from 0 to 100000, not -1"),
        ("coin-age", {"seed": "x"}, '`seed` must be a whole number or null, not "x"'),
        # one of a few values
        ("steal", {"starter": "me"}, '`starter` must be "fewer", "heads" or "tails", not "me"'),
        ("steal", {"starter": 5}, '`starter` must be "fewer", "heads" or "tails", not 5'),
        ("steal", {"tie_flips": 3}, '`tie_flips` must be 0, 1 or "until", not 3'),
        ("steal", {"multi_convert": "yes"}, '`multi_convert` must be true or false, not "yes"'),
        # fields: one misspelt, one that is nothing like any
        ("steal", {"gaol": 100}, "there is no `gaol`: write `goal`"),
        (
            "steal",
            {"bank_coins": {"euro": 1}},
            "in `bank_coins` there is no `euro`: say one of penny, nickel, dime, quarter",
        ),
        # texts and lists
        ("coin-wars", {"players": ["x" * 41]}, "`players[0]` must be at most 40 characters long"),
        ("coin-wars", {"players": ["x"] * 21}, "`players` must have at most 20 entries"),
        ("coin-wars", {"players": "y" * 50}, f'`players` must be a list, not "{"y" * 40}…"'),
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
        ({"do": "flip"}, "`coins` is missing: give a list"),
        ({"do": "place"}, '`coin` is missing: give "penny", "nickel", "dime" or "quarter"'),
        ({"do": "place", "coin": "euro"}, '`coin` must be "penny", "nickel", "dime" or "quarter", not "euro"'),
        ({"do": "place", "coin": "dime", "spot": 1}, "there is no `spot`: say one of coin"),
        ({"do": "convert", "give": {"penny": 2.5}, "take": "nickel"}, "`give.penny` must be a whole number, not 2.5"),
        ({"do": "flip", "coins": "penny:heads"}, '`coins` must be a list, not "penny:heads"'),
        ({"do": "jump"}, "`do` is one of flip, place, convert, done, break, keep, add, take"),
        (5, "it must be an object, not 5"),
    ],
)
def test_wrong_actions(action: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        load("steal").read_action(action)
    assert str(refused.value) == f"not an action of steal: {said}"


def test_wrong_states() -> None:
    """Also inside lists and objects with free keys."""
    game = load("goes-around")
    printed = game.write_state(game.start(game.read_options({"players": 2})))
    with pytest.raises(InputError) as refused:
        game.read_state(printed | {"banks": {"1": "ten"}})
    assert str(refused.value) == "not a state of goes-around: `banks[...]` must be a whole number"
    with pytest.raises(InputError) as refused:
        load("coin-age").read_state({"spaces": {}, "banks": {"edge": {}}})
    assert str(refused.value) == 'not a state of coin-age: each key of `banks` must be "heads" or "tails", not \'edge\''


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("steal", {"goal": 2.5}, "《一元大奖：偷币》的选项：`goal` 必须是整数，不能是2.5"),
        ("steal", {"goal": 0}, "《一元大奖：偷币》的选项：`goal` 必须在 10 到 1000 之间，不能是0"),
        ("steal", {"goal": [100]}, "《一元大奖：偷币》的选项：`goal` 必须是整数，不能是列表"),
        ("steal", {"starter": "me"}, '《一元大奖：偷币》的选项：`starter` 必须是"fewer"、"heads"或"tails"，不能是"me"'),
        ("steal", {"gaol": 100}, "《一元大奖：偷币》的选项：没有 `gaol`：应写 `goal`"),
        (
            "steal",
            {"bank": "counted", "bank_coins": {}},
            "《一元大奖：偷币》的选项：bank_coins 至少要有1枚二角五分、1枚一角、1枚五分、6枚一分，现在有：无",
        ),
        (
            "coin-age",
            {"seed": 3},
            '《钱币世纪》的选项：地图为 "classic" 时 seed 没有意义；请去掉 seed，或把 map 设为 "random"',
        ),
        ("coin-wars", {"players": ["A", "A"]}, "《硬币战争》的选项：有两位玩家同名，请各用各的名字"),
    ],
)
def test_wrong_options_in_chinese(game: str, options: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        load(game).read_options(options)
    assert refused.value.texts["zh"] == said
