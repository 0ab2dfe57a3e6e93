"""New adventures that are as hard as they promise: made from a seed, weighed by the value function."""

from __future__ import annotations

from random import Random

from tablecoin.opponents.coin_wars.value import value
from tablecoin.rules.coin_wars import GAME, adventures
from tablecoin.rules.coin_wars.actions import Create, Draw
from tablecoin.rules.coin_wars.adventures import CHANCES, Difficulty
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.state import CoinWarsState

TRIES = 80  # adventures made at most until one fits; then the nearest is taken
GLANCE, STUDY = 100, 1000  # adventures imagined to weigh one, and to weigh one that seems to fit
MARGIN = 0.05  # how far inside its range the chance must lie, because computers do not play quite as imagined


def chance(name: str, *, samples: int, seed: int) -> float:
    """How likely somebody beats the last scene of an adventure, if its own heroes set out. The error is at most
    0.5 / sqrt(samples)."""
    estimate = value(setting_out(name), samples=samples, seed=seed)
    return sum(estimate.chance.values())


def setting_out(name: str) -> CoinWarsState:
    """The first scene of an adventure, with one player for each of its heroes."""
    adventure = adventures.load(name)
    state = GAME.start(CoinWarsOptions(adventure=name))
    for place, hero in enumerate(adventure.heroes):
        state = GAME.apply(state, Create(f"Player {place + 1}", hero.ratings, "", hero.strong))
    return GAME.apply(state, Draw(tuple(range(len(adventure.scenes)))))


def balanced(difficulty: Difficulty, players: int, seed: int) -> str:
    """The name of a new adventure for so many players, whose chance lies in the range of its difficulty.

    A pure function of its arguments. ValueError for fewer players than 1 or more than the parts have heroes for.
    """
    if not 1 <= players <= adventures.MOST_MADE_PLAYERS:
        raise ValueError(f"adventures are made for 1 to {adventures.MOST_MADE_PLAYERS} players")
    least, most = CHANCES[difficulty]
    dice = Random(f"{difficulty} {players} {seed}")
    nearest: tuple[float, str] | None = None
    for _ in range(TRIES):
        name = adventures.made_name(difficulty, players, dice.randrange(1_000_000_000))
        away = _outside(chance(name, samples=GLANCE, seed=seed), least + MARGIN, most - MARGIN)
        if not away:
            away = _outside(chance(name, samples=STUDY, seed=seed), least + MARGIN, most - MARGIN)
        if not away:
            return name
        nearest = min(nearest or (away, name), (away, name))
    assert nearest
    return nearest[1]


def _outside(number: float, least: float, most: float) -> float:
    """How far `number` lies outside a range; 0 inside."""
    return max(least - number, number - most, 0.0)
