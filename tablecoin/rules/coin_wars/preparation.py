"""Before the first scene: characters, scene cards, experience spent, and the draw. (Rulebook 1, 2, 3 and 8.)"""

from __future__ import annotations

import msgspec

from tablecoin.rules.coin_wars import adventures, tale
from tablecoin.rules.coin_wars.actions import Create, Draw, Ready, Spend, TakeBook, Tear, Write
from tablecoin.rules.coin_wars.adventure import begin_scene, go_on, phase, to_spend
from tablecoin.rules.coin_wars.character import Character, buy, from_sheet, new_character
from tablecoin.rules.coin_wars.options import MOST_PLAYERS
from tablecoin.rules.coin_wars.scene import MOST_SCENES, Scene, allowance, check_scene, missing_mix, spent
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import Points
from tablecoin.rules.coin_wars.words import option_words
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.names import name_fault


def create(state: CoinWarsState, action: Create) -> CoinWarsState:
    """A character joins (coin-wars.create.*)."""
    _only_before_draw(state, "coin-wars.create.when")
    if name_fault(action.name):
        raise IllegalAction("coin-wars.create.name", name=action.name[:60])
    if state.character(action.name):
        raise IllegalAction("coin-wars.create.once", name=action.name)
    if state.options.players and action.name not in state.options.players:
        raise IllegalAction("coin-wars.create.seat", name=action.name, players=state.options.players)
    if len(state.characters) >= MOST_PLAYERS:
        raise IllegalAction("coin-wars.create.room", most=MOST_PLAYERS)
    return msgspec.structs.replace(state, characters=(*state.characters, _character(state, action)))


def _character(state: CoinWarsState, action: Create) -> Character:
    if action.sheet:
        if action.ratings or action.misc_name or action.strong or action.power:
            raise IllegalAction("coin-wars.create.sheet.alone")
        return from_sheet(action.name, action.sheet, state.options)
    return new_character(
        action.name, action.ratings or Points(), action.misc_name, action.strong, action.power, state.options
    )


def write(state: CoinWarsState, action: Write) -> CoinWarsState:
    """A scene card joins the pile (coin-wars.scene.*)."""
    _only_before_draw(state, "coin-wars.scene.when")
    _author(state, action.name)
    if adventure := tale.played(state):
        raise IllegalAction("coin-wars.scene.book", adventure=adventure.title)
    if len(state.scenes) >= MOST_SCENES:
        raise IllegalAction("coin-wars.scene.room", most=MOST_SCENES)
    scene = Scene(action.components, action.name, action.title, action.text, action.misc_name)
    check_scene(scene, state.options)
    left = allowance(state.characters, state.options) - spent(state.scenes, action.name)
    if scene.cost() > left:
        raise IllegalAction("coin-wars.scene.budget", name=action.name, cost=scene.cost(), left=max(0, left))
    return msgspec.structs.replace(state, scenes=(*state.scenes, scene))


def tear(state: CoinWarsState, action: Tear) -> CoinWarsState:
    """An author takes a card back (coin-wars.scene.tear)."""
    _only_before_draw(state, "coin-wars.scene.when")
    _author(state, action.name)
    if not 0 <= action.scene < len(state.scenes) or state.scenes[action.scene].author != action.name:
        raise IllegalAction("coin-wars.scene.tear", name=action.name)
    left = state.scenes[: action.scene] + state.scenes[action.scene + 1 :]
    return msgspec.structs.replace(state, scenes=left)


def take(state: CoinWarsState, action: TakeBook) -> CoinWarsState:
    """The table plays an adventure of the book, another one, or its own cards after all (coin-wars.take.*)."""
    _only_before_draw(state, "coin-wars.take.when")
    if action.adventure != adventures.NONE and not adventures.is_known(action.adventure):
        known = tuple(adventures.load(each).title for each in adventures.shipped())
        raise IllegalAction("coin-wars.take.known", name=action.adventure, known=known)
    return opened(state, action.adventure)


def opened(state: CoinWarsState, adventure: str) -> CoinWarsState:
    """The state with the scenes of an adventure; the players' cards lie aside meanwhile (coin-wars.take.cards)."""
    cards = state.scenes if state.adventure == adventures.NONE else state.aside
    if adventure == adventures.NONE:
        return msgspec.structs.replace(state, adventure=adventure, scenes=cards, aside=())
    return msgspec.structs.replace(state, adventure=adventure, scenes=tale.scenes(adventure), aside=cards)


def draw(state: CoinWarsState, action: Draw) -> CoinWarsState:
    """The cards are drawn and the first scene begins (coin-wars.draw.*)."""
    _only_before_draw(state, "coin-wars.draw.when")
    if missing := missing_players(state):
        raise IllegalAction("coin-wars.draw.players", missing=missing)
    if not state.characters:
        raise IllegalAction("coin-wars.draw.nobody")
    for name in state.names:
        over = spent(state.scenes, name) - allowance(state.characters, state.options)
        if over > 0:
            raise IllegalAction("coin-wars.draw.budget", name=name, over=over)
    order = action.order
    if not order or len(set(order)) < len(order) or max(order) >= len(state.scenes):
        raise IllegalAction("coin-wars.draw.order", cards=len(state.scenes))
    whole = tuple(range(len(state.scenes)))
    if state.adventure != adventures.NONE and order != whole:
        raise IllegalAction("coin-wars.take.whole", cards=len(state.scenes))
    scenes = tuple(state.scenes[place] for place in order)
    lacking = lacks(state, scenes)
    if lacking and state.options.force_mix == "require":
        raise IllegalAction("coin-wars.draw.mix", lacking=option_words(lacking))
    return go_on(begin_scene(msgspec.structs.replace(state, scenes=scenes, aside=(), ready=()), 0))


def lacks(state: CoinWarsState, scenes: tuple[Scene, ...]) -> tuple[str, ...]:
    """The classes that drawn cards should have and lack; a book's adventure promises a chance instead."""
    return missing_mix(scenes, state.options) if state.adventure == adventures.NONE else ()


def spend(state: CoinWarsState, action: Spend) -> CoinWarsState:
    """Experience is spent, before the draw or before a Very Hard last scene (coin-wars.spend.*)."""
    character = _author(state, action.name)
    if phase(state) not in ("create", "spend"):
        raise IllegalAction("coin-wars.spend.when")
    if phase(state) == "spend" and action.name in state.ready:
        raise IllegalAction("coin-wars.ready", name=action.name)
    return go_on(state.put(buy(character, action.on, state.options)))


def ready(state: CoinWarsState, action: Ready) -> CoinWarsState:
    """A player wants nothing more before the draw or before the last scene (coin-wars.ready)."""
    _author(state, action.name)
    if action.name in state.ready or (phase(state) == "spend" and action.name not in to_spend(state)):
        raise IllegalAction("coin-wars.ready", name=action.name)
    return go_on(msgspec.structs.replace(state, ready=(*state.ready, action.name)))


def missing_players(state: CoinWarsState) -> tuple[str, ...]:
    """Those expected at the table (house rule `players`) who have no character yet."""
    return tuple(name for name in state.options.players if not state.character(name))


def overspent(state: CoinWarsState) -> tuple[str, ...]:
    """Authors whose cards cost more than their share, which shrinks when players join."""
    allowed = allowance(state.characters, state.options)
    return tuple(name for name in state.names if spent(state.scenes, name) > allowed)


def may_draw(state: CoinWarsState) -> bool:
    """Whether some order of the cards could be drawn now; the mix of their classes aside."""
    return bool(state.characters and state.scenes) and not overspent(state) and not missing_players(state)


def busy(state: CoinWarsState) -> tuple[str, ...]:
    """Those the draw waits for: not ready, or with too many cards; everybody while there is no card at all."""
    return tuple(n for n in state.names if not state.scenes or n not in state.ready or n in overspent(state))


def _author(state: CoinWarsState, name: str) -> Character:
    character = state.character(name)
    if not character:
        raise IllegalAction("coin-wars.player", name=name[:60])
    return character


def _only_before_draw(state: CoinWarsState, clause: str) -> None:
    if state.scene is not None:
        raise IllegalAction(clause)
