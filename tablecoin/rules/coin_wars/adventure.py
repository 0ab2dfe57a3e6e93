"""The course of an adventure: scenes, exchanges, choices, stories. (Rulebook 4 to 7.)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast

import msgspec

from tablecoin.coins import Denomination, Heap
from tablecoin.rules.coin_wars import powers, tale
from tablecoin.rules.coin_wars.actions import Accept, Answer, Assist, Choose, Narrate, Option, Ready, Toss, UsePower
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.exchange import Exchange
from tablecoin.rules.coin_wars.scene import VERY_HARD
from tablecoin.rules.coin_wars.state import Chapter, Choice, CoinWarsState, Fighter, Help
from tablecoin.rules.coin_wars.traits import PowerName, TraitName, sort_coins
from tablecoin.rules.coin_wars.words import Word, option_words, trait_word
from tablecoin.rules.game import IllegalAction

Phase = Literal["create", "flip", "powers", "choice", "narrate", "spend", "over"]


def phase(state: CoinWarsState) -> Phase:
    """What the adventure waits for."""
    if state.scene is None:
        return "create"
    if state.choice:
        return "choice"
    if state.open:
        return "flip" if state.reflip else "powers"
    if state.fighting():
        return "flip"
    if state.to_tell():
        return "narrate"
    return "spend" if goes_on(state) and to_spend(state) else "over"


def go_on(state: CoinWarsState) -> CoinWarsState:
    """The state after all that needs no player: the next scene begins when this one is decided and told."""
    while phase(state) == "over" and goes_on(state) and state.scene is not None:
        state = begin_scene(state, state.scene + 1)
    return state


def goes_on(state: CoinWarsState) -> bool:
    """Whether a further scene is to be played: there is one, and somebody can enter it (coin-wars.end.nobody)."""
    if state.scene is None or state.scene + 1 >= len(state.scenes):
        return False
    return state.options.all_out == "skips" or any(not misses_next(state, each) for each in state.characters)


def to_spend(state: CoinWarsState) -> tuple[str, ...]:
    """Those who may spend experience before the next scene: it is the last, and Very Hard (coin-wars.spend.when)."""
    if state.scene is None or state.scene + 2 != len(state.scenes):
        return ()
    if state.scenes[-1].points(state.options) != VERY_HARD:
        return ()
    return tuple(each.name for each in state.characters if each.experience and each.name not in state.ready)


def misses_next(state: CoinWarsState, character: Character) -> bool:
    """Whether the character sat out in this scene, and so misses the next one (coin-wars.choice.sit-out)."""
    return character.sitting_out and state.fighter(character.name) is not None


def begin_scene(state: CoinWarsState, index: int) -> CoinWarsState:
    """Everybody recovers; everybody who does not sit out faces a copy of the scene (coin-wars.recovery)."""
    characters = tuple(_recovered(state, each) for each in state.characters)
    present = [each for each in characters if not each.sitting_out]
    facing = tuple(Fighter(each.name, state.scenes[index].components) for each in present)
    return msgspec.structs.replace(state, scene=index, characters=characters, facing=facing, choice=None, open=False)


def _recovered(state: CoinWarsState, character: Character) -> Character:
    fought = state.fighter(character.name)
    traits = character.traits
    for name in TraitName:
        trait = traits[name]
        if state.options.burn_recovery == "scene":
            trait = trait.restore(trait.burnt)
        elif fought and state.options.burn_recovery == "split":
            trait = trait.restore(fought.burned.count(name))
        rest = name is not TraitName.COOLNESS or state.options.cool_recovery == "always"
        if rest or not (fought and fought.used_coolness):
            trait = trait.recover(1 + _faster(character, name))
        traits = traits.put(name, trait)
    return msgspec.structs.replace(character, traits=traits, sitting_out=misses_next(state, character))


def _faster(character: Character, trait: TraitName) -> int:
    cooler = character.powers.rank(PowerName.SUPER_COOL) if trait is TraitName.COOLNESS else 0
    return cooler + character.powers.rank(PowerName.SUPER_TRAIT, trait)


# -- before an exchange -----------------------------------------------------------------------------------------------


def in_turn(state: CoinWarsState, name: str, clause: str) -> tuple[Character, Fighter]:
    """The character whose exchange is due, if it is `name`; else IllegalAction naming `clause` or the order."""
    fighters = state.fighting()
    if phase(state) != "flip" or state.reflip or not fighters:
        raise IllegalAction(clause, name=name[:60])
    if fighters[0].name != name:
        raise IllegalAction("coin-wars.exchange.order", due=fighters[0].name, name=name[:60])
    return cast(Character, state.character(name)), fighters[0]


def before_toss(state: CoinWarsState, name: str, clause: str) -> tuple[Character, Fighter]:
    """As `in_turn`, of a player who has not said ready."""
    character, fighter = in_turn(state, name, clause)
    if fighter.ready:
        raise IllegalAction("coin-wars.ready", name=name[:60])
    return character, fighter


def unbeaten(state: CoinWarsState, fighter: Fighter, component: TraitName) -> None:
    """IllegalAction unless the component is part of the scene and not beaten yet."""
    if not state.current.components[component]:
        raise IllegalAction(
            "coin-wars.exchange.component", scene=tale.scene_title(state), component=trait_word(component)
        )
    if not fighter.left[component]:
        (word,) = component_words(state, (component,))
        raise IllegalAction("coin-wars.exchange.beaten", name=fighter.name, component=word)


def component_words(state: CoinWarsState, components: Iterable[TraitName]) -> tuple[Word, ...]:
    """Components of the scene being played as facts for sentences; Miscellaneous by its own name."""
    return tuple(trait_word(each, tale.misc_word(state)) for each in components)


def assist(state: CoinWarsState, action: Assist) -> CoinWarsState:
    """A coin is burnt so that Coolness or Miscellaneous is tossed too (coin-wars.assist.*)."""
    character, fighter = before_toss(state, action.name, "coin-wars.assist.when")
    check_help(state, character, fighter, action.add, action.component)
    if character.traits[action.burn].coin is Denomination.PENNY:
        raise IllegalAction("coin-wars.assist.burn", trait=trait_word(action.burn, character.misc_name))
    burnt = character.traits[action.burn]
    changed = msgspec.structs.replace(
        _helped(fighter, action.add, action.component), burned=(*fighter.burned, action.burn)
    )
    return state.put(character.put(action.burn, burnt.burn()), _sparked(character, changed, burnt.coin))


def use_power(state: CoinWarsState, action: UsePower) -> CoinWarsState:
    """So Cool before an exchange, any other power on the coins just tossed (coin-wars.power.*)."""
    powers.check_fields(action)
    if action.power is not PowerName.SO_COOL:
        return settle_unless_powers(powers.use(state, action))
    character, fighter = before_toss(state, action.name, "coin-wars.power.so-cool")
    powers.held(character, fighter, PowerName.SO_COOL)
    component = cast(TraitName, action.component)
    check_help(state, character, fighter, TraitName.COOLNESS, component)
    helped = _helped(fighter, TraitName.COOLNESS, component)
    spent = msgspec.structs.replace(helped, spent=(*helped.spent, PowerName.SO_COOL))
    return state.put(character.use(PowerName.SO_COOL), spent)


def check_help(
    state: CoinWarsState, character: Character, fighter: Fighter, add: TraitName, component: TraitName
) -> None:
    """IllegalAction unless `add` may be tossed too in `component` (coin-wars.assist.*)."""
    unbeaten(state, fighter, component)
    word = trait_word(add, character.misc_name)
    if add not in (TraitName.COOLNESS, TraitName.MISC):
        raise IllegalAction("coin-wars.assist.add", trait=word)
    if add in (fighter.trait_for(component), *fighter.helping(component)):
        raise IllegalAction("coin-wars.assist.twice", trait=word)
    if not character.traits[add].now:
        raise IllegalAction("coin-wars.assist.empty", trait=word)


def _helped(fighter: Fighter, add: TraitName, component: TraitName) -> Fighter:
    return msgspec.structs.replace(
        fighter,
        helps=(*fighter.helps, Help(add, component)),
        used_coolness=fighter.used_coolness or add is TraitName.COOLNESS,
    )


def _sparked(character: Character, fighter: Fighter, burnt: Denomination) -> Fighter:
    """A burn leaves a spark of the coin burnt where Flamebait can still use it (coin-wars.power.flamebait)."""
    if character.uses_left(PowerName.FLAMEBAIT) <= 0:
        return fighter
    return msgspec.structs.replace(fighter, sparks=(*fighter.sparks, burnt))


def answer(state: CoinWarsState, action: Answer) -> CoinWarsState:
    """The Miscellaneous component is met with another trait from now on (coin-wars.answer)."""
    _, fighter = before_toss(state, action.name, "coin-wars.answer")
    fits = action.trait in (TraitName.MISC, TraitName.COOLNESS) and action.trait is not fighter.answer
    if not fits or state.options.misc_by == "misc" or action.trait in fighter.helping(TraitName.MISC):
        raise IllegalAction("coin-wars.answer")
    unbeaten(state, fighter, TraitName.MISC)
    return state.put(msgspec.structs.replace(fighter, answer=action.trait))


def steady(state: CoinWarsState, action: Ready) -> CoinWarsState:
    """The player in turn wants no help before the exchange (coin-wars.ready)."""
    _, fighter = before_toss(state, action.name, "coin-wars.ready")
    return state.put(msgspec.structs.replace(fighter, ready=True))


# -- the exchange -----------------------------------------------------------------------------------------------------


def toss(state: CoinWarsState, action: Toss) -> CoinWarsState:
    """An exchange is tossed for, and settled at once unless its player has a power to use (coin-wars.exchange.*)."""
    if state.reflip:
        return settle_unless_powers(powers.land(state, action))
    _, fighter = in_turn(state, action.name, "coin-wars.flip.when")
    unbeaten(state, fighter, action.component)
    if action.component not in fighter.waiting:
        had, first = component_words(state, (action.component, fighter.due))
        raise IllegalAction("coin-wars.exchange.each", component=had, first=first)
    due = state.heaps(fighter, action.component)
    for heap, coins, clause in zip(
        due,
        (action.character, action.scene),
        ("coin-wars.exchange.coins", "coin-wars.exchange.scene-coins"),
        strict=True,
    ):
        if (seen := Heap.of(coin.denomination for coin in coins)) != heap:
            raise IllegalAction(clause, due=heap, seen=seen)
    trait = fighter.trait_for(action.component)
    helps = fighter.helps
    if state.options.assist_span == "exchange":
        helps = tuple(each for each in helps if each.component is not action.component)
    tossed = msgspec.structs.replace(
        fighter.tossed(action.component),
        helps=helps,
        used_coolness=fighter.used_coolness or trait is TraitName.COOLNESS,
    )
    exchange = Exchange(
        action.name, action.component, trait, sort_coins(action.character), sort_coins(action.scene)
    )  # fmt: skip
    return settle_unless_powers(msgspec.structs.replace(state.put(tossed), last=exchange, open=True))


def settle_unless_powers(state: CoinWarsState) -> CoinWarsState:
    """Settle the open exchange when its player has no power left to use on it."""
    return state if state.reflip or any(powers.on_exchange(state)) else settle(state)


def accept(state: CoinWarsState, action: Accept) -> CoinWarsState:
    """The player lets the open exchange stand (coin-wars.power.accept)."""
    powers.open_exchange(state, action.name, "coin-wars.power.accept")
    return settle(state)


def settle(state: CoinWarsState) -> CoinWarsState:
    """The open exchange takes effect: first on the scene, then on the character (coin-wars.exchange.effect)."""
    exchange = cast(Exchange, state.last)
    character, fighter = cast(Character, state.character(exchange.name)), cast(Fighter, state.fighter(exchange.name))
    had = fighter.left[exchange.component]
    left = fighter.left.put(exchange.component, max(0, had - max(0, exchange.difference)))
    fighter = msgspec.structs.replace(fighter, left=left)
    choice = None
    if fighter.beaten:
        fighter = msgspec.structs.replace(fighter, margin=exchange.difference - had)
        learner = character.powers.rank(PowerName.FAST_LEARNER) > 0
        if state.options.experience == "allowed":
            character = character.earn(state.current.reward(state.options, fast_learner=learner))
    trait = character.traits[exchange.trait]
    if exchange.damage:
        now = max(0, trait.now - exchange.damage)
        character = character.put(exchange.trait, msgspec.structs.replace(trait, now=now))
        if not now and not fighter.beaten:
            choice = Choice(exchange.name, exchange.trait, trait.now, exchange.damage)
    return go_on(msgspec.structs.replace(state.put(character, fighter), choice=choice, open=False))


# -- a trait brought to nothing ---------------------------------------------------------------------------------------


def choices(state: CoinWarsState) -> tuple[Option, ...]:
    """What the player may choose about the trait brought to nothing (coin-wars.choice.*)."""
    if not state.choice:
        return ()
    traits = cast(Character, state.character(state.choice.name)).traits
    found: list[Option] = []
    if traits[state.choice.trait].coin is not Denomination.PENNY:
        found.append("burn")
    if state.choice.trait is not TraitName.COOLNESS and traits.coolness.now:
        found.append("coolness")
    return (*found, "sit-out")


def choose(state: CoinWarsState, action: Choose) -> CoinWarsState:
    """Burn, Coolness or sitting out (coin-wars.choice.*)."""
    due = state.choice
    if not due:
        raise IllegalAction("coin-wars.choice.when")
    if due.name != action.name:
        raise IllegalAction("coin-wars.choice.turn", due=due.name, name=action.name[:60])
    if action.option not in choices(state):
        raise IllegalAction(f"coin-wars.choice.{action.option}", options=option_words(choices(state)))
    character, fighter = cast(Character, state.character(due.name)), cast(Fighter, state.fighter(due.name))
    trait = character.traits[due.trait]
    lost = state.options.zero_fails_scene
    if action.option == "burn":
        stands = {"before": due.before, "one": min(1, trait.rating), "full": trait.rating}[state.options.burn_restore]
        fighter = _sparked(character, fighter, trait.coin)
        character = character.put(due.trait, msgspec.structs.replace(trait.burn(), now=stands))
    elif action.option == "coolness":
        coolness = character.traits.coolness
        overflow = max(1, due.damage - due.before)
        fighter = msgspec.structs.replace(fighter, used_coolness=True)
        character = character.put(
            TraitName.COOLNESS, msgspec.structs.replace(coolness, now=max(0, coolness.now - overflow))
        )
    else:
        lost = True
        character = msgspec.structs.replace(character, sitting_out=True)
    fighter = msgspec.structs.replace(fighter, lost=lost)
    return go_on(msgspec.structs.replace(state.put(character, fighter), choice=None))


def narrate(state: CoinWarsState, action: Narrate) -> CoinWarsState:
    """The player tells how the scene went (coin-wars.narrate)."""
    if state.scene is None or action.name not in state.to_tell():
        raise IllegalAction("coin-wars.narrate", name=action.name[:60])
    chapter = Chapter(state.scene, action.name, action.text)
    return go_on(msgspec.structs.replace(state, story=(*state.story, chapter)))
