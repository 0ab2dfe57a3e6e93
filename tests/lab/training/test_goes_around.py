"""Learning how strong computers play What Goes Around: what a style does is told, and what was played is found."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lab.training.goes_around import Seen, Watched, act_likelihood, aim_likelihood, fitted, watched
from tablecoin.opponents.goes_around.odds import PATIENT, STEAL, STYLES, Floats, Style, imagine
from tablecoin.opponents.goes_around.strong_play import READY
from tablecoin.rules.goes_around.round import GoesAroundOptions

BANKS, LEFT = [7, 4, 12], [[2.0, 1.0, 2.0], [2.0, 0.0, 3.0], [1.0, 3.0, 1.0]]


def played(style: Style, games: int) -> list[Seen]:
    """What the first of three players, who plays by this style, chooses in so many games."""
    everybody: Floats = np.tile(np.array(style), (games, 3, 1))
    banks, left = np.tile(np.array(BANKS), (games, 1)), np.tile(np.array(LEFT), (games, 1, 1))
    alive, dice = np.ones((games, 3), bool), np.random.default_rng(1)
    chosen = imagine(banks, left, alive, GoesAroundOptions(players=3), everybody, dice)
    return [
        Seen(5, BANKS, LEFT, [True] * 3, 0, act, *((target, amount) if act == STEAL else (-1, 0)))
        for act, target, amount in np.stack([chosen.act[:, 0], chosen.target[:, 0], chosen.amount[:, 0]], 1).tolist()
    ]


@pytest.mark.parametrize("style", STYLES[:4])
def test_the_likelihood_of_a_choice_is_how_often_the_style_makes_it(style: Style) -> None:
    games = 4000
    for choice, count in Counter(map(tuple, map(plain, played(style, games)))).most_common(8):
        act, target, amount = choice
        seen = Seen(5, BANKS, LEFT, [True] * 3, 0, act, target, amount)
        assert likelihood(seen, style) == pytest.approx(count / games, abs=0.07)


def likelihood(one: Seen, style: Style) -> float:
    acts, aims = np.array([style[:READY]]), np.array([style[READY:]])
    return float(act_likelihood(one, acts)[0] * (aim_likelihood(one, aims)[0] if one.act == STEAL else 1))


def plain(seen: Seen) -> tuple[int, int, int]:
    return seen.act, seen.target, seen.amount


def test_the_mixture_explains_what_was_played_about_as_well_as_the_style_itself() -> None:
    choices = played(PATIENT, 200)
    mixture = fitted([Watched(1, choices)])
    found = [
        act_likelihood(one, mixture.readiness[0, one.rounds - 1][None])[0]
        * (aim_likelihood(one, mixture.aims) @ mixture.aimed[0, one.rounds - 1] if one.act == STEAL else 1)
        for one in choices
    ]
    true = [likelihood(one, PATIENT) for one in choices]
    assert np.log(found).mean() > np.log(true).mean() - 0.1


def test_a_game_is_watched_choice_by_choice() -> None:
    game = watched(1, 3)
    first = game.seen[0]
    assert (first.rounds, first.banks, first.alive) == (9, [10] * 3, [True] * 3)
    assert first.left == [[3.0] * 3] * 3
    assert all(one.rounds <= before.rounds for before, one in zip(game.seen, game.seen[1:], strict=False))
    assert all((one.target >= 0) == (one.act == STEAL) for one in game.seen)
