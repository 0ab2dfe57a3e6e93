"""The state of an adventure, and its JSON: characters and fighters are keyed by name there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

import msgspec

from tablecoin.coins import Denomination, Heap
from tablecoin.rules.coin_wars import adventures
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.exchange import Exchange, TossAgain
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import MOST_SCENES, Scene, check_scene
from tablecoin.rules.coin_wars.traits import Points, PowerName, TraitName, steps
from tablecoin.rules.game import IllegalAction, State


class Help(msgspec.Struct, frozen=True):
    """Coolness or Miscellaneous tossed too in one component."""

    add: TraitName
    component: TraitName


class Fighter(msgspec.Struct, frozen=True):
    """A character present in the scene, against its own copy of it."""

    name: str
    left: Points  # the pennies each component still has
    helps: tuple[Help, ...] = ()
    burned: tuple[TraitName, ...] = ()  # for help: their coins come back at the next scene
    answer: TraitName = TraitName.MISC  # the trait that meets a Miscellaneous component
    used_coolness: bool = False
    spent: tuple[PowerName, ...] = ()  # powers that work once a scene
    sparks: tuple[Denomination, ...] = ()  # kinds of coin burnt that Flamebait may still use
    lost: bool = False
    margin: int | None = None  # by how much the last exchange beat the scene
    ready: bool = False  # wants no help before the exchange
    thrown: tuple[TraitName, ...] = ()  # components that had an exchange since all of them last had one

    @property
    def beaten(self) -> bool:
        """The scene is beaten: nothing of it is left."""
        return not self.left.present and not self.lost

    @property
    def done(self) -> bool:
        return self.lost or self.beaten

    @property
    def waiting(self) -> tuple[TraitName, ...]:
        """The components that may have an exchange now: each has one before any has another (coin-wars.exchange.each).

        Empty when all are beaten.
        """
        return tuple(each for each in self.left.present if each not in self.thrown) or self.left.present

    @property
    def due(self) -> TraitName:
        """The component to be tossed for next. IndexError when all are beaten."""
        return self.waiting[0]

    def tossed(self, component: TraitName) -> Fighter:
        """After an exchange over `component`, one of those `waiting`."""
        earlier = () if component in self.thrown else self.thrown
        return msgspec.structs.replace(self, thrown=(*earlier, component), ready=False)

    def trait_for(self, component: TraitName) -> TraitName:
        """The trait that meets a component."""
        return self.answer if component is TraitName.MISC else component

    def helping(self, component: TraitName) -> tuple[TraitName, ...]:
        """The traits tossed too in a component."""
        return tuple(each.add for each in self.helps if each.component is component)


class Choice(msgspec.Struct, frozen=True):
    """A trait was brought to nothing: from `before`, by `damage`."""

    name: str
    trait: TraitName
    before: int
    damage: int


class Chapter(msgspec.Struct, frozen=True):
    """What a player told about a scene (its place in the adventure, from 0)."""

    scene: int
    name: str
    text: str


class CoinWarsState(State, frozen=True):
    """Where an adventure stands.

    `scenes` are the cards written and, once drawn, those of the adventure in order. They come from the book where
    `adventure` names one; until the draw, cards written before lie `aside`. `last` is the last exchange; while
    `open` its player may still use powers on it, and with `reflip` one of its coins is to be tossed again.
    """

    options: CoinWarsOptions = CoinWarsOptions()
    characters: tuple[Character, ...] = ()
    scenes: Annotated[tuple[Scene, ...], msgspec.Meta(max_length=MOST_SCENES)] = ()
    scene: int | None = None
    facing: tuple[Fighter, ...] = ()
    last: Exchange | None = None
    open: bool = False
    reflip: TossAgain | None = None
    choice: Choice | None = None
    story: tuple[Chapter, ...] = ()
    ready: tuple[str, ...] = ()  # players who are done before the draw, or before the last scene
    adventure: str = adventures.NONE
    aside: Annotated[tuple[Scene, ...], msgspec.Meta(max_length=MOST_SCENES)] = ()

    def character(self, name: str) -> Character | None:
        return next((each for each in self.characters if each.name == name), None)

    def fighter(self, name: str) -> Fighter | None:
        return next((each for each in self.facing if each.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.characters)

    @property
    def current(self) -> Scene:
        """The scene being played. IndexError before the draw."""
        if self.scene is None:
            raise IndexError("no scene has been drawn yet")
        return self.scenes[self.scene]

    def put(self, *changed: Character | Fighter) -> CoinWarsState:
        """The state with these characters and fighters in place of those of the same name."""
        characters = {each.name: each for each in changed if isinstance(each, Character)}
        fighters = {each.name: each for each in changed if isinstance(each, Fighter)}
        return msgspec.structs.replace(
            self,
            characters=tuple(characters.get(each.name, each) for each in self.characters),
            facing=tuple(fighters.get(each.name, each) for each in self.facing),
        )

    def to_tell(self) -> tuple[str, ...]:
        """Those whose scene is decided and who have not told it yet."""
        told = {chapter.name for chapter in self.story if chapter.scene == self.scene}
        if self.options.narration == "skipped":
            return ()
        return tuple(each.name for each in self.facing if each.done and each.name not in told)

    def fighting(self) -> tuple[Fighter, ...]:
        """Those still in the scene, least Cool first, then in the order they joined (coin-wars.exchange.order)."""
        coolness = {each.name: each.traits.coolness.now for each in self.characters}
        return tuple(sorted((each for each in self.facing if not each.done), key=lambda each: coolness[each.name]))

    def heaps(self, fighter: Fighter, component: TraitName) -> tuple[Heap, Heap]:
        """(the character's coins, the scene's pennies) for an exchange over one component."""
        character = cast(Character, self.character(fighter.name))
        kinds: list[Denomination] = []
        for trait in (fighter.trait_for(component), *fighter.helping(component)):
            kinds += [character.traits[trait].coin] * character.traits[trait].now
        return Heap.of(kinds), Heap(penny=fighter.left[component])


_FIGHT = ("helps", "burned", "answer", "used_coolness", "spent", "sparks", "lost", "margin", "ready", "thrown")


def to_json(state: CoinWarsState) -> dict[str, Any]:
    """The stored keys: `characters` by name; `facing` {name: {component: pennies left}}; the rest of it in `fights`."""
    raw = cast(dict[str, Any], msgspec.to_builtins(state))
    raw["characters"] = {each.pop("name"): each for each in raw["characters"]}
    present = state.current.components.present if state.scene is not None else ()
    raw["facing"] = {each.name: {str(t): each.left[t] for t in present} for each in state.facing}
    raw["fights"] = {
        each.name: {key: msgspec.to_builtins(getattr(each, key)) for key in _FIGHT} for each in state.facing
    }
    return raw


def from_json(raw: object) -> CoinWarsState:
    """The state `to_json` wrote. Raises msgspec.ValidationError naming what does not fit."""
    if not isinstance(raw, Mapping):
        raise msgspec.ValidationError("Expected `object`")
    if raw.get("game", "coin-wars") != "coin-wars":
        raise msgspec.ValidationError("it is of another game")
    if "characters" not in raw:
        raise msgspec.ValidationError("Object missing required field `characters`")
    flat = dict(raw)
    fights = _by_name(flat.pop("fights", {}), "fights")
    characters = _by_name(flat.get("characters", {}), "characters")
    facing = _by_name(flat.get("facing", {}), "facing")
    flat["characters"] = [{**each, "name": name} for name, each in characters.items()]
    flat["facing"] = [{**fights.get(name, {}), "name": name, "left": left} for name, left in facing.items()]
    return msgspec.convert(flat, CoinWarsState)


def _by_name(raw: object, key: str) -> dict[str, dict[str, Any]]:
    if not isinstance(raw, Mapping) or not all(isinstance(each, Mapping) for each in raw.values()):
        raise msgspec.ValidationError(f"Expected `object` of objects, by name - at `$.{key}`")
    return {str(name): dict(each) for name, each in raw.items()}


def problem(state: CoinWarsState) -> str | None:
    """What is contradictory in a state read from outside, in words; None when nothing is."""
    for each in state.characters:
        for trait in TraitName:
            held = each.traits[trait]
            if held.now > held.rating:
                return f"{each.name}'s {trait} is {held.now}, above its rating of {held.rating}"
            if held.burnt + steps(held.coin) > 3:
                return f"{each.name}'s {trait} coin was burnt further than from a quarter"
        if any(points[t] < 0 for points in _linked(each) for t in TraitName):
            return f"{each.name} has a power of negative rank"
    for scene in state.scenes:
        try:
            check_scene(scene, state.options)
        except IllegalAction as broken:
            return f"{scene.author}'s scene: {broken}"
    if wrong := _book_problem(state):
        return wrong
    if state.scene is None:
        return "nobody can fight before the draw" if state.facing or state.choice or state.open else None
    if not 0 <= state.scene < len(state.scenes):
        return f"scene {state.scene} is not one of the {len(state.scenes)} drawn"
    return _fight_problem(state)


def _book_problem(state: CoinWarsState) -> str | None:
    if state.adventure == adventures.NONE:
        return None
    if not adventures.is_known(state.adventure):
        return f"there is no adventure called {state.adventure!r}"
    if tuple(each.components for each in state.scenes) != tuple(
        each.components for each in adventures.load(state.adventure).scenes
    ):
        return f"the scenes are not those of {state.adventure!r}"
    return None


def _fight_problem(state: CoinWarsState) -> str | None:
    pennies = state.current.components
    for each in state.facing:
        if not state.character(each.name):
            return f"{each.name} faces the scene without a character"
        if any(not 0 <= each.left[trait] <= pennies[trait] for trait in TraitName):
            return f"what {each.name} faces is not part of the scene"
        if each.answer not in (TraitName.MISC, TraitName.COOLNESS):
            return f"{each.name} cannot meet a Miscellaneous component with {each.answer}"
    for name in [
        *([state.choice.name] if state.choice else []),
        *([state.last.name] if state.open and state.last else []),
    ]:
        fighter = state.fighter(name)
        if not fighter or fighter.done:
            return f"{name} has no choice to make: the scene is decided or faced without {name}"
    if state.open and not state.last:
        return "an open exchange needs its coins in `last`"
    if state.reflip and not state.open:
        return "a coin can be tossed again only in an open exchange"
    if state.reflip and state.last and state.reflip.coin not in (*state.last.character, *state.last.scene):
        return f"there is no {state.reflip.coin} to toss again"
    return None


def _linked(character: Character) -> tuple[Points, ...]:
    return character.powers.offensive, character.powers.defensive, character.powers.super_trait
