"""What is said: the prompt for whoever acts, and what was done, as rulebook messages."""

from __future__ import annotations

from typing import cast

from tablecoin.coins import Heap
from tablecoin.rules.coin_wars import adventure, adventures, powers, tale
from tablecoin.rules.coin_wars.actions import (
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
from tablecoin.rules.coin_wars.character import Character, Purchase
from tablecoin.rules.coin_wars.scene import CLASSES, Scene
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import TraitName
from tablecoin.rules.coin_wars.words import Word, option_words, power_word, trait_word
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.rulebook import Message


def prompt(state: CoinWarsState) -> Message:
    """What whoever acts should do."""
    match adventure.phase(state):
        case "create":
            return _preparing_prompt(state)
        case "flip" if state.reflip and state.last:
            own, scene = powers.again_due(state.reflip)
            return Message("coin-wars.prompt.reflip", {"name": state.last.name, "coin": own + scene})
        case "flip":
            return _toss_prompt(state)
        case "powers":
            exchange = state.last
            assert exchange
            facts = {"name": exchange.name, "own": exchange.character_result, "scene": exchange.scene_result}
            return Message("coin-wars.prompt.powers", facts)
        case "choice":
            due = state.choice
            assert due
            options = option_words(adventure.choices(state))
            return Message(
                "coin-wars.prompt.choice",
                {"name": due.name, "trait": _own(state, due.name, due.trait), "options": options},
            )
        case "narrate":
            name = state.to_tell()[0]
            fighter = state.fighter(name)
            if fighter and fighter.beaten:
                return Message("coin-wars.prompt.narrate.beaten", {"name": name, "margin": fighter.margin or 0})
            return Message("coin-wars.prompt.narrate.lost", {"name": name})
        case "spend":
            return Message("coin-wars.prompt.spend", {"names": adventure.to_spend(state)})
        case "over":
            return Message("coin-wars.prompt.over")


def _preparing_prompt(state: CoinWarsState) -> Message:
    """What to do before the draw; at the start also which optional rules are played."""
    options = state.options
    if book := tale.played(state):
        return Message("coin-wars.prompt.book", {"title": book.title})
    if state.characters and not state.scenes and set(state.ready) >= set(state.names):
        return Message("coin-wars.prompt.no-scene")
    if not state.characters:
        chosen = {"powers": options.powers, "experience": options.experience}
        played = {rule: Message(f"coin-wars.word.{choice}") for rule, choice in chosen.items()}
        return Message("coin-wars.prompt.create", played)
    return Message("coin-wars.prompt.write" + ("" if options.experience == "allowed" else ".plain"))


def _toss_prompt(state: CoinWarsState) -> Message:
    fighter = state.fighting()[0]
    own, scene = state.heaps(fighter, fighter.due)
    facts: dict[str, object] = {
        "name": fighter.name,
        "component": _component(state, fighter.due),
        "own": own,
        "left": left_neighbour(state, fighter.name),
        "scene": scene,
    }
    return Message("coin-wars.prompt.flip" if len(own) else "coin-wars.prompt.flip.empty", facts)


def left_neighbour(state: CoinWarsState, name: str) -> str:
    """Who tosses for the scene: the next player round the table; a lone player itself (coin-wars.exchange.left)."""
    names = state.names
    return names[(names.index(name) + 1) % len(names)]


def tell(state: CoinWarsState, action: CoinWarsAction) -> Message:
    """What `action`, legal in `state`, was."""
    key, facts = _told(state, action)
    return Message(f"coin-wars.did.{key}", facts)


def _told(state: CoinWarsState, action: CoinWarsAction) -> tuple[str, dict[str, object]]:
    match action:
        case Create():
            return ("sheet" if action.sheet else "create"), {"name": action.name}
        case Write():
            scene = Scene(action.components)
            word = option_words([CLASSES.get(scene.points(state.options), "easy")])[0]
            return "scene", {"name": action.name, "class_": word, "cost": scene.cost()}
        case Tear():
            return "tear", {"name": action.name}
        case TakeBook():
            if action.adventure == adventures.NONE:
                return "take.none", {}
            known = adventures.is_known(action.adventure)
            return "take", {"title": adventures.load(action.adventure).title if known else action.adventure}
        case Draw():
            return "draw", {"number": len(action.order)}
        case Spend():
            return "spend", {"name": action.name, "what": _bought(state, action.name, action.on)}
        case Ready():
            return "ready", {"name": action.name}
        case Toss():
            return _told_toss(state, action)
        case Assist():
            facts = {"burn": _own(state, action.name, action.burn), "add": _own(state, action.name, action.add)}
            return "assist", {"name": action.name, **facts, "component": _component(state, action.component)}
        case Answer():
            return "answer", {"name": action.name, "trait": _own(state, action.name, action.trait)}
        case UsePower():
            return _told_power(state, action)
        case Accept():
            return "accept", {"name": action.name}
        case Choose():
            return f"choose.{action.option}", {"name": action.name}
        case Narrate():
            return ("narrate" if action.text else "narrate.aloud"), {"name": action.name, "text": action.text}


def _told_toss(state: CoinWarsState, action: Toss) -> tuple[str, dict[str, object]]:
    try:
        exchange = adventure.toss(state, action).last
    except IllegalAction:
        exchange = None
    if state.reflip:
        return "reflip", {"name": action.name, "coins": (*action.character, *action.scene)}
    facts: dict[str, object] = {"name": action.name, "component": _component(state, action.component)}
    return "flip", facts | {
        "own": exchange.character_result if exchange else "?",
        "scene": exchange.scene_result if exchange else "?",
    }


def _told_power(state: CoinWarsState, action: UsePower) -> tuple[str, dict[str, object]]:
    facts: dict[str, object] = {"name": action.name, "power": power_word(action.power)}
    if action.component:
        return "power.component", facts | {"component": _component(state, action.component)}
    if action.coin:
        into = Heap.of([action.into or action.coin.denomination])
        return "power.coin", facts | {"coin": action.coin, "into": into}
    if action.take or action.give:
        return "power.swap", facts | {"take": action.take, "give": action.give}
    return "power", facts


def _bought(state: CoinWarsState, name: str, purchase: Purchase) -> Message:
    if purchase.power:
        trait = _own(state, name, purchase.trait) if purchase.trait else None
        word: object = power_word(purchase.power)
        key = "coin-wars.bought.linked" if trait else "coin-wars.bought.power"
        return Message(key, {"power": word, "trait": trait})
    if purchase.coin:
        return Message("coin-wars.bought.coin", {"trait": _own(state, name, purchase.coin)})
    return Message("coin-wars.bought.rating", {"trait": _own(state, name, cast(TraitName, purchase.rating))})


def _own(state: CoinWarsState, name: str, trait: TraitName) -> Word:
    character: Character | None = state.character(name)
    return trait_word(trait, character.misc_name if character else "")


def _component(state: CoinWarsState, component: TraitName) -> Word:
    return trait_word(component, tale.misc_word(state))
