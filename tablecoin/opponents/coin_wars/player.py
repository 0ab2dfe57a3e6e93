"""A companion for Coin Wars: makes a character and scene cards, calls help, uses powers, chooses what to do when hurt.

The scene's side has nothing to decide: tossing its pennies is chance. A computer plays against others only through the
cards it writes.

The strong level looks one decision ahead, with the exact odds of every fight (`odds`). The easy level never
calls help, accepts every toss and chooses at random when hurt. Both write and buy by the same plain habits.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tablecoin.coins import Coin, Face
from tablecoin.opponents import Level
from tablecoin.opponents.coin_wars.odds import worth
from tablecoin.rules.coin_wars import GAME, adventure, moves, powers
from tablecoin.rules.coin_wars.actions import (
    Accept,
    Choose,
    CoinWarsAction,
    Create,
    Narrate,
    Ready,
    Spend,
    Tear,
    Toss,
    UsePower,
    Write,
)
from tablecoin.rules.coin_wars.character import HIGHEST, Character, Purchase
from tablecoin.rules.coin_wars.scene import allowance, spent
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import COMPONENTS, Points, PowerName, TraitName, steps
from tablecoin.rules.game import ANYONE, TABLE, Seat

CARDS = 3  # a companion writes at most this many
GAIN = 0.2  # least gain, in twelfths, for which it calls help or uses a power

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
            return dice.choice(options) if level is Level.EASY else _best(state, seat, options)
        case "powers":
            return Accept(seat) if level is Level.EASY else _best(state, seat, [Accept(seat), *_promising(state)])
        case "spend":
            return _buy(state.character(seat)) or Ready(seat)
        case _:
            return Ready(seat) if level is Level.EASY else _best(state, seat, [Ready(seat), *moves.helps(state)])


# -- before the draw: nothing here looks at the cards of others -------------------------------------------------------


def _prepare(state: CoinWarsState, seat: Seat, dice: Random) -> CoinWarsAction:
    character = state.character(seat)
    if not character:
        return _join(state, seat, dice)
    mine = [place for place, scene in enumerate(state.scenes) if scene.author == seat]
    left = allowance(state.characters, state.options) - spent(state.scenes, seat)
    if left < 0:
        return Tear(seat, mine[-1])
    if purchase := _buy(character):
        return purchase
    card = _card(dice, len(mine), left)
    if card and (len(mine) < CARDS or not state.scenes):
        return Write(seat, card)
    return Ready(seat)


def _join(state: CoinWarsState, seat: Seat, dice: Random) -> Create:
    names = (f"Computer {k}" for k in range(1, len(state.characters) + 2))
    name = next(n for n in names if not state.character(n)) if seat == ANYONE else seat
    build = dice.randrange(len(_BUILDS))
    return Create(name, Points(*_BUILDS[build]), "Luckiness", _STRONG[build])


def _card(dice: Random, written: int, left: int) -> Points | None:
    """The next card: an Easy, a Hard, then a Mild one, as adventures should have; Easy where points are short."""
    coins = next((size for size in ((3, 8, 4)[written % 3], 3) if size <= left), None)
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


def _best(state: CoinWarsState, seat: Seat, options: Sequence[CoinWarsAction]) -> CoinWarsAction:
    """The option with the highest expectation; the first, which costs nothing, unless another is better by GAIN."""
    promised = [_promise(state, seat, option) for option in options]
    best = max(range(len(options)), key=lambda k: promised[k])
    costly = not isinstance(options[0], Choose)
    return options[0] if costly and promised[best] < promised[0] + GAIN else options[best]


def _promise(state: CoinWarsState, seat: Seat, option: CoinWarsAction) -> float:
    """The expectation after an option: the mean over both faces of a coin tossed again."""
    after = GAME.apply(state, option)
    if not after.reflip or not after.last:
        return _standing(after, seat)
    falls = [Coin.of(after.reflip.into, face) for face in Face]
    sides = ((coin,) for coin in falls)
    tosses = [
        Toss(seat, after.last.component, side, ()) if after.reflip.side == "character" else
        Toss(seat, after.last.component, (), side)
        for side in sides
    ]  # fmt: skip
    return sum(_standing(GAME.apply(after, toss), seat) for toss in tosses) / len(tosses)


def _standing(state: CoinWarsState, seat: Seat) -> float:
    """The worth once the open exchange stands and any choice it forces is made well."""
    if state.open:
        state = adventure.settle(state)
    if state.choice:
        return max(_standing(GAME.apply(state, Choose(seat, each)), seat) for each in adventure.choices(state))
    return worth(state, seat)


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
