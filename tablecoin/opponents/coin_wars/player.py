"""A companion for Coin Wars: makes a character and scene cards, calls help, uses powers, chooses what to do when hurt.

In an adventure of the book it takes the last hero while there is one for everybody, and writes nothing. The scene's
side has nothing to decide: tossing its pennies is chance. A computer plays against others only through the cards it
writes.

The strong level weighs every option by imagined adventures (`value`). The middle level does so only when hurt, the
easy level never: it sits out when nothing else is left. Neither calls help or uses powers. All write and buy by the
same plain habits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev

from tablecoin.opponents import Level
from tablecoin.opponents.coin_wars.value import prospect
from tablecoin.rules.coin_wars import GAME, adventure, moves, powers, preparation, tale
from tablecoin.rules.coin_wars.actions import (
    Accept,
    Choose,
    CoinWarsAction,
    Create,
    Narrate,
    Ready,
    Spend,
    Tear,
    UsePower,
    Write,
)
from tablecoin.rules.coin_wars.character import HIGHEST, Character, Purchase
from tablecoin.rules.coin_wars.options import EASY, HARD
from tablecoin.rules.coin_wars.scene import allowance, spent
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import COMPONENTS, Points, PowerName, TraitName, steps
from tablecoin.rules.game import ANYONE, TABLE, Seat

CARDS = 3  # a companion writes at most this many
MILD = 4  # pennies of its Mild one
GAIN = 0.02  # least gain of prospect, in whole points, for which it calls help or uses a power
CLEAR = 2.0  # standard errors that the gain must come to, so that it is more than luck in what is imagined
GLANCE, STUDY = 24, 120  # adventures imagined for each option, and for the best of them
BATCHES = 10  # of a study, each with luck of its own: how far they differ tells the error
STUDIED = 3  # how many options are studied

_BUILDS = ((4, 3, 2, 2, 1), (3, 4, 2, 2, 1), (2, 3, 4, 2, 1), (3, 2, 3, 2, 2))
_STRONG = (TraitName.BODINESS, TraitName.BRAININESS, TraitName.PERSONALITY, TraitName.COOLNESS)


def choose(state: CoinWarsState, seat: Seat, level: Level, seed: int) -> CoinWarsAction:
    """The action `seat` takes in `state`. ValueError when it is not that seat's turn."""
    if seat == TABLE or seat not in GAME.may_act(state):
        raise ValueError(f"{seat} has nothing to do now")
    dice = Random(seed)
    if adventure.phase(state) == "create":
        return _prepare(state, seat, dice)
    if seat in state.to_tell():
        return Narrate(seat)
    match adventure.phase(state):
        case "choice":
            options = [Choose(seat, option) for option in adventure.choices(state)]
            return dice.choice(options[:-1] or options) if level is Level.EASY else _best(state, seat, options, seed)
        case "powers":
            if level is not Level.STRONG:
                return Accept(seat)
            return _best(state, seat, [Accept(seat), *_promising(state)], seed)
        case "spend":
            return _buy(state.character(seat)) or Ready(seat)
        case _:
            if level is not Level.STRONG:
                return Ready(seat)
            return _best(state, seat, [Ready(seat), *moves.helps(state)], seed)


# -- before the draw: nothing here looks at the cards of others -------------------------------------------------------


def _prepare(state: CoinWarsState, seat: Seat, dice: Random) -> CoinWarsAction:
    character = state.character(seat)
    if not character:
        return _join(state, seat, dice)
    mine = [place for place, scene in enumerate(state.scenes) if scene.author == seat]
    points = allowance(state.characters, state.options)
    left = points - spent(state.scenes, seat)
    if left < 0:
        return Tear(seat, mine[-1])
    if purchase := _buy(character):
        return purchase
    sizes = _sizes(state, seat, points)
    card = _card(dice, sizes[len(mine) % len(sizes)], left) if not tale.played(state) else None
    if card and (len(mine) < CARDS or not state.scenes):
        return Write(seat, card)
    return Ready(seat)


def _join(state: CoinWarsState, seat: Seat, dice: Random) -> Create:
    names = (f"Computer {k}" for k in range(1, len(state.characters) + 2))
    name = next(n for n in names if not state.character(n)) if seat == ANYONE else seat
    heroes = tale.free_heroes(state)
    if heroes and len(heroes) >= len(preparation.missing_players(state)):
        return Create(name, heroes[-1].ratings, "", heroes[-1].strong)
    build = dice.randrange(len(_BUILDS))
    return Create(name, Points(*_BUILDS[build]), "", _STRONG[build])


def _sizes(state: CoinWarsState, seat: Seat, points: int) -> tuple[int, ...]:
    """The pennies of its cards: an Easy, a Hard, then a Mild one, as adventures should have.

    Where the house rules want both and nobody's points are enough for both, every second player begins with the Hard.
    """
    short = state.options.force_mix == "require" and points < EASY + HARD
    return (HARD, EASY, MILD) if short and state.names.index(seat) % 2 else (EASY, HARD, MILD)


def _card(dice: Random, size: int, left: int) -> Points | None:
    """A card of this size; an Easy one where points are short."""
    coins = next((coins for coins in (size, EASY) if coins <= left), None)
    if coins is None:
        return None
    first, second = dice.sample(COMPONENTS[:3], 2)
    share = dice.randrange(coins // 2 + 1)
    return Points().put(first, coins - share).put(second, share)


def _buy(character: Character | None) -> Spend | None:
    """A better coin for the trait with the most of the cheapest coins; None with nothing to spend or to better."""
    if not character or not character.experience:
        return None
    wanted = [name for name in COMPONENTS[:3] if steps(character.traits[name].own_coin) < 3]
    if not wanted:
        rising = character.traits.coolness.rating < HIGHEST
        return Spend(character.name, Purchase(rating=TraitName.COOLNESS)) if rising else None
    best = max(wanted, key=lambda name: character.traits[name].rating - 2 * steps(character.traits[name].own_coin))
    return Spend(character.name, Purchase(coin=best))


# -- in a scene -------------------------------------------------------------------------------------------------------


def _best(state: CoinWarsState, seat: Seat, options: Sequence[CoinWarsAction], seed: int) -> CoinWarsAction:
    """The option with the best prospect; the first, which costs nothing, unless another is clearly better by GAIN.

    All are weighed by a few imagined adventures, then the most promising ones by many.
    """
    if len(options) == 1:
        return options[0]
    costly = not isinstance(options[0], Choose)
    first = options[:1] if costly else []
    glanced = sorted(options, key=lambda option: -_promise(state, seat, option, GLANCE, seed))
    studied = list(dict.fromkeys([*first, *glanced[:STUDIED]]))
    promised = {option: _study(state, seat, option, seed) for option in studied}
    best = max(studied, key=lambda option: mean(promised[option]))
    return options[0] if costly and not _clearly(promised[best], promised[options[0]]) else best


def _study(state: CoinWarsState, seat: Seat, option: CoinWarsAction, seed: int) -> list[float]:
    """The prospect of an option by each batch; a batch has the same luck for every option."""
    return [_promise(state, seat, option, STUDY // BATCHES, seed + batch) for batch in range(1, BATCHES + 1)]


def _clearly(better: Sequence[float], than: Sequence[float]) -> bool:
    """Whether one option leads another by GAIN at least, and by more than luck explains."""
    leads = [one - other for one, other in zip(better, than, strict=True)]
    return mean(leads) >= max(GAIN, CLEAR * stdev(leads) / sqrt(len(leads)))


def _promise(state: CoinWarsState, seat: Seat, option: CoinWarsAction, samples: int, seed: int) -> float:
    return prospect(GAME.apply(state, option), seat, samples=samples, seed=seed)


def _promising(state: CoinWarsState) -> list[CoinWarsAction]:
    """The powers to weigh: of Grabby Hands, for each number of coins, the swap that helps most."""
    found: list[CoinWarsAction] = []
    swaps: dict[int, tuple[int, UsePower]] = {}
    for use in powers.on_exchange(state):
        if use.power is not PowerName.GRABBY_HANDS or not state.last:
            found.append(use)
            continue
        gained = state.last.swapped(use.take, use.give).difference
        if len(use.take) not in swaps or gained > swaps[len(use.take)][0]:
            swaps[len(use.take)] = (gained, use)
    return found + [use for _, use in swaps.values()]
