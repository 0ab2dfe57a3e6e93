"""The learned value function sees a position as the rules count it, and as its side sees it."""

from __future__ import annotations

from itertools import cycle, islice
from random import Random

import numpy as np
import pytest

from tablecoin.opponents.coin_age.bare import bare_board, bare_node
from tablecoin.opponents.coin_age.features import features, points, positions, regions_of
from tablecoin.opponents.coin_age.learned import shipped, weighed
from tablecoin.opponents.coin_age.search import Node, ended, margin, result, tossed, turn_ends, value
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.random_play import random_game


def nodes(seed: int) -> list[Node]:
    """The positions of a random game."""
    return [bare_node(state) for _, state in random_game(GAME, seed)]


def sensible(seed: int) -> list[Node]:
    """The positions after each turn of heads, where both sides end their turns at what looks best."""
    dice, node, found = Random(seed), bare_node(GAME.start(GAME.read_options({}))), []
    for side in islice(cycle((1, -1)), 60):
        if ended(node):
            break
        start = dice.choice(list(tossed(node, side)))
        node = max(turn_ends(BOARD, start, side), key=lambda end: side * value(BOARD, end))
        found.append((node, side))
    return [node for node, side in found if side > 0 and not ended(node)]


BOARD = bare_board(GAME.start(GAME.read_options({})).board)
REGIONS = regions_of(BOARD)


@pytest.mark.parametrize("side", [1, -1])
def test_points_are_those_of_the_rules_as_the_side_sees_them(side: int) -> None:
    seen = nodes(3)
    assert points(REGIONS, *positions(seen, side)).tolist() == [side * margin(BOARD, node) for node in seen]


def test_a_position_looks_the_same_to_both_sides_with_all_coins_turned_over() -> None:
    seen = nodes(4)
    turned = [
        node._replace(stacks=tuple(tuple(-coin for coin in stack) for stack in node.stacks), heads=node.tails,
                      tails=node.heads) for node in seen
    ]  # fmt: skip
    ours, theirs = positions(seen, 1), positions(turned, -1)
    assert np.array_equal(features(REGIONS, *ours), features(REGIONS, *theirs))


def test_finished_games_are_exact() -> None:
    over = [node for seed in range(8) for node in nodes(seed) if ended(node)]
    chances, leads = weighed(BOARD, over, 1)
    assert chances.tolist() == [(1 + np.sign(result(BOARD, node))) / 2 for node in over]
    assert leads.tolist() == [margin(BOARD, node) for node in over]


def test_whoever_leads_by_far_is_likelier_to_win() -> None:
    going_on = [node for seed in range(12) for node in sensible(seed)]
    chances, _ = weighed(BOARD, going_on, 1)
    lead = np.array([margin(BOARD, node) for node in going_on])
    assert chances[lead >= 10].mean() > 0.65
    assert chances[lead <= -10].mean() < 0.35


def test_the_weights_fit_the_features() -> None:
    seen = features(REGIONS, *positions(nodes(1), 1))
    assert shipped().mean.shape == seen.shape[1:]
    assert np.isfinite(shipped()(seen)).all()
