"""What the referee says in random games: one thing counts as one, and every thing has one name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from tablecoin import rules
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import Message, sentence

GAMES, MOST_ACTS, TRIED = 2, 120, 10  # random games of each kind, acts in one, and imagined acts tried in a state
NOT_ENGLISH = {
    "one thing is not many": r"(?<![\d.])1 (pennies|nickels|dimes|quarters|coins|points|scenes|cards|stacks|uses)\b",
    "one thing is, many are": r"there are 1\b|there is [02-9]",
    "one coin is not tossed together": r"toss 1 \w+ together",
    "chance takes no turn": r"table's turn|anyone's turn",
    "a clause is known by its number": r"\b(steal|exact|goes-around|coin-age|coin-wars|common)\.[a-z]",
    "nothing is left to fill in": r"[{}]|None\b",
}
NOT_CHINESE = {
    "a side is named once": r"方方|[（(]方",
    "no English word of ours is left": r"\b(tray|row|bank|heads|tails|penny|nickel|dime|quarter)\b",
}


def messages(name: str) -> Iterator[Message]:
    """All that a few random games say: prompts, what was done, and why something was refused."""
    game = rules.load(name)
    options = {"players": ["安", "白"]} if name == "coin-wars" else {}
    for seed in range(GAMES):
        dice, state = Random(seed), game.start(game.read_options(options))
        for _ in range(MOST_ACTS):
            if game.outcome(state) is not None:
                break
            yield game.prompt(state)
            for action in islice(game.imaginable_actions(state), TRIED):
                try:
                    game.apply(state, action)
                    yield game.offer(state, action)
                except IllegalAction as refused:
                    yield refused.message
            action = random_action(game, state, dice)
            yield game.tell(state, action)
            state = game.apply(state, action)
        if outcome := game.outcome(state):
            yield outcome.reason


@cache
def heard(name: str) -> tuple[Message, ...]:
    return tuple(messages(name))


def spoken(name: str, language: str) -> frozenset[str]:
    return frozenset(sentence(message, language) for message in heard(name))


@pytest.mark.parametrize("name", rules.NAMES)
@pytest.mark.parametrize("wrong", NOT_ENGLISH)
def test_english(name: str, wrong: str) -> None:
    assert [said for said in spoken(name, "en") if re.search(NOT_ENGLISH[wrong], said)] == []


@pytest.mark.parametrize("name", rules.NAMES)
@pytest.mark.parametrize("wrong", NOT_CHINESE)
def test_chinese(name: str, wrong: str) -> None:
    assert [said for said in spoken(name, "zh") if re.search(NOT_CHINESE[wrong], said)] == []


@pytest.mark.parametrize("name", ["steal", "exact", "coin-age"])
def test_a_side_is_called_by_one_name_in_every_game(name: str) -> None:
    assert any("正面方" in said for said in spoken(name, "zh"))
    assert [said for said in spoken(name, "zh") if said.startswith(("正面：", "反面：", "正面，", "反面，"))] == []
