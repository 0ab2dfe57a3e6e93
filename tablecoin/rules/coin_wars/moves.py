"""What may be done now: every legal action, and what people at a table might do by mistake.

Characters and scene cards can be made in more ways than anybody could list. Before the draw `legal` therefore yields
a small canonical set of them (three builds and a veteran for a newcomer, six cards for an author, three orders for the
draw), and `apply` accepts any other that follows the rules. From the draw on the list is complete, except for
stories: `narrate` is listed once, with no text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import cast

from tablecoin.coins import Denomination
from tablecoin.rules.coin_wars import adventure, adventures, powers, preparation
from tablecoin.rules.coin_wars.actions import (
    OPTIONS,
    Accept,
    Answer,
    Assist,
    Choose,
    CoinWarsAction,
    Create,
    Draw,
    Narrate,
    Ready,
    Spend,
    TakeBook,
    Tear,
    Toss,
    UsePower,
    Write,
)  # fmt: skip
from tablecoin.rules.coin_wars.character import (
    Character,
    PowerChoice,
    Powers,
    Purchase,
    Sheet,
    SheetTrait,
    SheetTraits,
    buy,
    linkable,
)  # fmt: skip
from tablecoin.rules.coin_wars.options import MOST_PLAYERS, CoinWarsOptions
from tablecoin.rules.coin_wars.scene import Scene, allowance, spent
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import LINKED, POWERS, TRAITS, Points, PowerName, TraitName
from tablecoin.rules.game import ANYONE, IllegalAction
from tablecoin.rules.toss import possible_results

NEWCOMERS = 3  # canonical players at an open table
CARDS = 5  # canonical cards of a whole table

_BUILDS: tuple[tuple[Points, TraitName | None, PowerChoice | None], ...] = (
    (Points(3, 3, 2, 2, 2), TraitName.BODINESS, None),
    (Points(2, 2, 4, 2, 2), TraitName.PERSONALITY, None),
    (Points(3, 3, 3, 2, 1), None, PowerChoice(PowerName.LUCK)),
)
_VETERAN = Sheet(  # ten experience points had, one of them left
    SheetTraits(
        bodiness=SheetTrait(4, Denomination.NICKEL),
        braininess=SheetTrait(3),
        personality=SheetTrait(3),
        coolness=SheetTrait(2, Denomination.NICKEL),
        misc=SheetTrait(2),
    ),
    misc_name="Wealth",
    powers=Powers(luck=1, so_cool=1, offensive=Points(bodiness=1), flamebait=1, grabby_hands=2),
    twelfths=60,
    experience=1,
    career=10,
)  # fmt: skip
_CARDS = (
    Points(bodiness=3),
    Points(personality=4),
    Points(bodiness=4, braininess=2),
    Points(misc=3),
    Points(braininess=8),
    Points(bodiness=3, personality=6),
)


def legal(state: CoinWarsState) -> Iterator[CoinWarsAction]:
    """Every action `apply` accepts now (before the draw: canonical ones), each once, in a fixed order."""
    match adventure.phase(state):
        case "create":
            yield from _preparing(state)
        case "flip" if state.reflip:
            yield from _landings(state)
        case "flip":
            fighter = state.fighting()[0]
            yield from _helping(state, fighter)
            for component in fighter.waiting:
                yield from _tosses(state, fighter, component)
            yield from _stories(state)
        case "powers":
            yield from powers.on_exchange(state)
            yield Accept(state.last.name if state.last else "")
            yield from _stories(state)
        case "choice":
            due = state.choice
            yield from (Choose(due.name if due else "", option) for option in adventure.choices(state))
            yield from _stories(state)
        case "narrate":
            yield from _stories(state)
        case "spend":
            for name in adventure.to_spend(state):
                yield from _purchases(cast(Character, state.character(name)), state.options)
                yield Ready(name)


def helps(state: CoinWarsState) -> Iterator[Assist | UsePower | Answer]:
    """What the player in turn may do before tossing."""
    fighters = state.fighting()
    if adventure.phase(state) != "flip" or state.reflip or not fighters:
        return
    fighter = fighters[0]
    character = cast(Character, state.character(fighter.name))
    for component, add in product(fighter.left.present, (TraitName.COOLNESS, TraitName.MISC)):
        try:
            adventure.check_help(state, character, fighter, add, component)
        except IllegalAction:
            continue
        for burn in TRAITS:
            if character.traits[burn].coin is not Denomination.PENNY:
                yield Assist(fighter.name, burn, add, component)
        usable = character.uses_left(PowerName.SO_COOL) > 0 and PowerName.SO_COOL not in fighter.spent
        if add is TraitName.COOLNESS and usable:
            yield UsePower(fighter.name, PowerName.SO_COOL, component=component)
    if fighter.left.misc and state.options.misc_by == "either":
        other = TraitName.COOLNESS if fighter.answer is TraitName.MISC else TraitName.MISC
        if other not in fighter.helping(TraitName.MISC):
            yield Answer(fighter.name, other)


def may_help(state: CoinWarsState) -> bool:
    """Whether the player in turn may do something before tossing, and has not said ready."""
    fighters = state.fighting()
    return bool(fighters) and not fighters[0].ready and any(True for _ in helps(state))


def _helping(state: CoinWarsState, fighter: Fighter) -> Iterator[CoinWarsAction]:
    if fighter.ready:
        return
    wishes = list(helps(state))
    yield from wishes
    if wishes:
        yield Ready(fighter.name)


def _stories(state: CoinWarsState) -> Iterator[CoinWarsAction]:
    yield from (Narrate(name) for name in state.to_tell())


def _tosses(state: CoinWarsState, fighter: Fighter, component: TraitName) -> Iterator[Toss]:
    character, scene = state.heaps(fighter, component)
    for own in possible_results(character):
        for other in possible_results(scene):
            yield Toss(fighter.name, component, own, other)


def _landings(state: CoinWarsState) -> Iterator[CoinWarsAction]:
    assert state.reflip
    assert state.last
    character, scene = powers.again_due(state.reflip)
    for own, other in product(possible_results(character), possible_results(scene)):
        yield Toss(state.last.name, state.last.component, own, other)
    yield from _stories(state)


# -- before the draw --------------------------------------------------------------------------------------------------


def newcomers(state: CoinWarsState) -> tuple[str, ...]:
    """Names that may join now, the canonical next one at an open table."""
    if state.options.players:
        return preparation.missing_players(state)
    if len(state.characters) >= NEWCOMERS:
        return ()
    return (next(name for k in range(1, NEWCOMERS + 2) if not state.character(name := f"Player {k}")),)


def joinable(state: CoinWarsState) -> tuple[str, ...]:
    """The seats that may still make a character: names expected, or "anyone" at an open table with room."""
    if state.options.players:
        return preparation.missing_players(state)
    return (ANYONE,) if len(state.characters) < MOST_PLAYERS else ()


def _preparing(state: CoinWarsState) -> Iterator[CoinWarsAction]:
    for name in newcomers(state):
        yield from _characters(name, state.options)
    yield from _takes(state)
    for name in preparation.busy(state):
        yield from _cards(state, name)
        yield from _purchases(cast(Character, state.character(name)), state.options)
        if name not in state.ready:
            yield Ready(name)
    if preparation.may_draw(state):
        yield from _draws(state)


def _characters(name: str, options: CoinWarsOptions) -> Iterator[Create]:
    for ratings, strong, power in _BUILDS:
        if options.powers == "allowed" or not power:
            yield Create(name, ratings, "Wealth", strong, power)
    if options.powers == options.experience == "allowed":
        yield Create(name, sheet=_VETERAN)


def _cards(state: CoinWarsState, author: str) -> Iterator[Write | Tear]:
    if state.adventure != adventures.NONE:
        return
    left = allowance(state.characters, state.options) - spent(state.scenes, author)
    for components in _CARDS if len(state.scenes) < CARDS else ():
        if components.misc and state.options.misc_cost == "inside":
            components = components.put(TraitName.MISC, 2)  # two pennies and the extra point: Easy
        if Scene(components).cost() <= left:
            yield Write(author, components, misc_name="Trap" if components.misc else "")
    for place, scene in enumerate(state.scenes):
        if scene.author == author:
            yield Tear(author, place)


def _takes(state: CoinWarsState) -> Iterator[TakeBook]:
    names = (*adventures.shipped(), adventures.NONE)
    yield from (TakeBook(name) for name in names if name != state.adventure)


def _draws(state: CoinWarsState) -> Iterator[Draw]:
    every = tuple(range(len(state.scenes)))
    orders = (every, every[::-1], every[:1]) if state.adventure == adventures.NONE else (every,)
    for order in dict.fromkeys(orders):
        lacking = preparation.lacks(state, tuple(state.scenes[place] for place in order))
        if not lacking or state.options.force_mix == "warn":
            yield Draw(order)


def _purchases(character: Character, options: CoinWarsOptions) -> Iterator[Spend]:
    wishes = [Purchase(coin=trait) for trait in TRAITS] + [Purchase(rating=trait) for trait in TRAITS]
    for power in POWERS:
        wishes += [Purchase(power=power, trait=trait) for trait in (linkable(options) if power in LINKED else (None,))]
    for wish in wishes if character.experience else ():
        try:
            buy(character, wish, options)
        except IllegalAction:
            continue
        yield Spend(character.name, wish)


# -- mistakes ---------------------------------------------------------------------------------------------------------


def mistakes(state: CoinWarsState) -> Iterator[CoinWarsAction]:
    """Acts against the rules that people at a table might try: none of them is legal.

    A toss out of turn is listed once, all tails: it is refused whatever it shows.
    """
    fighters = state.fighting() if adventure.phase(state) == "flip" and not state.reflip else ()
    for place, fighter in enumerate(fighters):
        for component in state.current.components.present:
            if place or component not in fighter.waiting:
                own, scene = (next(possible_results(heap)) for heap in state.heaps(fighter, component))
                yield Toss(fighter.name, component, own, scene)
    if fighters:
        first = cast(Character, state.character(fighters[0].name))
        for burn, component in product(TRAITS, fighters[0].left.present):
            if first.traits[burn].coin is Denomination.PENNY:
                yield Assist(first.name, burn, TraitName.COOLNESS, component)
    if state.choice:
        allowed = adventure.choices(state)
        yield from (Choose(state.choice.name, option) for option in OPTIONS if option not in allowed)
    elif state.characters:
        yield Choose(state.characters[0].name, "sit-out")
