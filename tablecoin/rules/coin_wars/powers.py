"""Powers used on the coins of an exchange that its player has not accepted yet. (Rulebook 9.)

Chance stays an input: Luck and Flamebait name a coin, which is then tossed and told in an action `flip` (`land`).
Powers that work by themselves (Super Cool, Super Trait, Fast Learner) stand where they work; So Cool is help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import cast

import msgspec

from tablecoin.coins import Coin, Heap
from tablecoin.rules.coin_wars.actions import Toss, UsePower
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.exchange import Exchange, TossAgain
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import PowerName, sort_coins
from tablecoin.rules.coin_wars.words import power_word, trait_word
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.rulebook import Message

_FIELDS: dict[PowerName, tuple[str, ...]] = {
    PowerName.SO_COOL: ("component",),
    PowerName.LUCK: ("coin", "side"),
    PowerName.FLAMEBAIT: ("coin", "into"),
    PowerName.GRABBY_HANDS: ("take", "give"),
    PowerName.OFFENSIVE: (),
    PowerName.DEFENSIVE: (),
}
_NOTHING = Message("heap.none")  # in place of coins, in sentences
_DEFAULTS = {"component": None, "coin": None, "side": "character", "into": None, "take": (), "give": ()}


def check_fields(action: UsePower) -> None:
    """IllegalAction for a power that works by itself, or given fields it does not take or without those it needs."""
    if action.power not in _FIELDS:
        raise IllegalAction("coin-wars.power.passive", power=power_word(action.power))
    takes = _FIELDS[action.power]
    given = {field for field, default in _DEFAULTS.items() if getattr(action, field) != default}
    if given - set(takes) or set(takes) - {"side"} - given:
        raise IllegalAction("coin-wars.power.fields", power=power_word(action.power), fields=takes or _NOTHING)


def open_exchange(state: CoinWarsState, name: str, clause: str) -> tuple[Character, Fighter, Exchange]:
    """The exchange waiting for `name` to use powers on it or accept it; else IllegalAction naming `clause`."""
    if not state.open or state.reflip or not state.last or state.last.name != name:
        raise IllegalAction(clause, name=name[:60])
    return cast(Character, state.character(name)), cast(Fighter, state.fighter(name)), state.last


def use(state: CoinWarsState, action: UsePower) -> CoinWarsState:
    """The state with a power used on the open exchange, which stays open (coin-wars.power.*)."""
    character, fighter, exchange = open_exchange(state, action.name, "coin-wars.power.when")
    if action.power in (PowerName.OFFENSIVE, PowerName.DEFENSIVE):
        return _linked(state, character, exchange, action.power)
    if exchange.shield:
        raise IllegalAction("coin-wars.power.defensive.last")
    held(character, fighter, action.power, max(1, len(action.take)))
    if action.power is PowerName.GRABBY_HANDS:
        return _grab(state, character, exchange, action)
    return _toss_again(state, character, fighter, exchange, action)


def held(character: Character, fighter: Fighter, power: PowerName, times: int = 1) -> None:
    """IllegalAction unless the character has a power limited by adventure and may still use it `times` over."""
    word = power_word(power)
    if not character.powers.rank(power):
        raise IllegalAction("coin-wars.power.held", name=character.name, power=word)
    if character.uses_left(power) < times:
        raise IllegalAction("coin-wars.power.used-up", power=word, left=max(0, character.uses_left(power)))
    if power in fighter.spent:
        raise IllegalAction("coin-wars.power.once", power=word)


def _linked(state: CoinWarsState, character: Character, exchange: Exchange, power: PowerName) -> CoinWarsState:
    rank = character.powers.rank(power, exchange.trait)
    if rank < 1:
        trait = trait_word(exchange.trait, character.misc_name)
        raise IllegalAction("coin-wars.power.linked", power=power_word(power), trait=trait)
    if exchange.boost if power is PowerName.OFFENSIVE else exchange.shield:
        raise IllegalAction("coin-wars.power.twice", power=power_word(power))
    if power is PowerName.OFFENSIVE:
        return msgspec.structs.replace(state, last=exchange.boosted(rank))
    shielded = exchange.shielded(rank, recompute=state.options.defensive_recompute)
    return msgspec.structs.replace(state, last=shielded)


def _grab(state: CoinWarsState, character: Character, exchange: Exchange, action: UsePower) -> CoinWarsState:
    if len(action.take) != len(action.give):
        raise IllegalAction("coin-wars.power.grabby-hands", take=len(action.take), give=len(action.give))
    try:
        swapped = exchange.swapped(action.take, action.give)
    except ValueError:
        raise _not_there(exchange) from None
    return msgspec.structs.replace(state.put(character.use(action.power, len(action.take))), last=swapped)


def _toss_again(
    state: CoinWarsState, character: Character, fighter: Fighter, exchange: Exchange, action: UsePower
) -> CoinWarsState:
    """Luck and Flamebait: the coin is tossed again; the action `flip` that follows tells its new face."""
    coin = cast(Coin, action.coin)
    if action.side == "scene" and not state.options.luck_any:
        raise IllegalAction("coin-wars.power.luck")
    if coin not in (exchange.character if action.side == "character" else exchange.scene):
        raise _not_there(exchange)
    into = coin.denomination
    if action.power is PowerName.FLAMEBAIT:
        if action.into not in fighter.sparks:
            raise IllegalAction("coin-wars.power.flamebait", burnt=fighter.sparks or _NOTHING)
        into = action.into
        sparks = list(fighter.sparks)
        sparks.remove(into)
        fighter = msgspec.structs.replace(fighter, sparks=tuple(sparks))
    else:
        fighter = msgspec.structs.replace(fighter, spent=(*fighter.spent, PowerName.LUCK))
    reflip = TossAgain(action.side, coin, into)
    return msgspec.structs.replace(state.put(character.use(action.power), fighter), reflip=reflip)


def _not_there(exchange: Exchange) -> IllegalAction:
    """The refusal of a power that names coins which do not lie there."""
    return IllegalAction(
        "coin-wars.power.coin", scene=exchange.scene or _NOTHING, character=exchange.character or _NOTHING
    )


def again_due(reflip: TossAgain) -> tuple[Heap, Heap]:
    """(the character's heap, the scene's heap) to toss again: one coin in one of them."""
    due = Heap.of([reflip.into])
    return (due, Heap()) if reflip.side == "character" else (Heap(), due)


def land(state: CoinWarsState, action: Toss) -> CoinWarsState:
    """The coin that a power tossed again shows its face (coin-wars.power.reflip)."""
    reflip, exchange = state.reflip, state.last
    assert reflip
    assert exchange
    due = again_due(reflip)
    seen = tuple(Heap.of(coin.denomination for coin in side) for side in (action.character, action.scene))
    if (action.name, action.component) != (exchange.name, exchange.component) or seen != due:
        raise IllegalAction("coin-wars.power.reflip", name=exchange.name, coin=reflip.into)
    (becomes,) = (*action.character, *action.scene)
    landed = exchange.tossed_again(reflip.side, reflip.coin, becomes)
    return msgspec.structs.replace(state, last=landed, reflip=None)


def on_exchange(state: CoinWarsState) -> Iterator[UsePower]:
    """Every use of a power allowed on the open exchange, each once."""
    exchange = state.last
    if not state.open or state.reflip or not exchange:
        return
    name = exchange.name
    character, fighter = cast(Character, state.character(name)), cast(Fighter, state.fighter(name))
    if not exchange.shield:
        yield from _coin_powers(state, character, fighter, exchange)
    if character.powers.rank(PowerName.OFFENSIVE, exchange.trait) > 0 and not exchange.boost:
        yield UsePower(name, PowerName.OFFENSIVE)
    if character.powers.rank(PowerName.DEFENSIVE, exchange.trait) > 0 and not exchange.shield:
        yield UsePower(name, PowerName.DEFENSIVE)


def _coin_powers(
    state: CoinWarsState, character: Character, fighter: Fighter, exchange: Exchange
) -> Iterator[UsePower]:
    name, own = exchange.name, sorted(set(exchange.character), key=exchange.character.index)
    if character.uses_left(PowerName.LUCK) > 0 and PowerName.LUCK not in fighter.spent:
        for coin in own:
            yield UsePower(name, PowerName.LUCK, coin=coin)
        for coin in sorted(set(exchange.scene), key=exchange.scene.index) if state.options.luck_any else ():
            yield UsePower(name, PowerName.LUCK, coin=coin, side="scene")
    if character.uses_left(PowerName.FLAMEBAIT) > 0:
        for coin, into in product(own, dict.fromkeys(fighter.sparks)):
            yield UsePower(name, PowerName.FLAMEBAIT, coin=coin, into=into)
    most = min(character.uses_left(PowerName.GRABBY_HANDS), len(exchange.character), len(exchange.scene))
    for number in range(1, most + 1):
        for take, give in product(choose(exchange.scene, number), list(choose(exchange.character, number))):
            yield UsePower(name, PowerName.GRABBY_HANDS, take=take, give=give)


def choose(coins: Sequence[Coin], number: int) -> Iterator[tuple[Coin, ...]]:
    """Every distinct choice of `number` of the coins, faces counting and order not."""
    counts = Counter(coins)
    kinds = sort_coins(counts)

    def pick(place: int, wanted: int) -> Iterator[tuple[Coin, ...]]:
        if not wanted:
            yield ()
            return
        if place == len(kinds):
            return
        for taken in range(min(wanted, counts[kinds[place]]), -1, -1):
            for rest in pick(place + 1, wanted - taken):
                yield (kinds[place],) * taken + rest

    yield from pick(0, number)
