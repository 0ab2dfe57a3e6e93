"""Scenes: what they are made of, what they cost, how hard they are, what beating one is worth. (Rulebook 2, 3.)"""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablecoin.rules.coin_wars.character import Character, check_misc_name
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.traits import Points
from tablecoin.rules.game import IllegalAction

CLASSES = {3: "easy", 4: "mild", 6: "moderate", 8: "hard", 9: "very-hard"}
VERY_HARD = 9
MOST_SCENES = 200  # of a whole table: more than sixty by the book, but a house rule may give everybody more points

_SHARE = {1: 60, 2: 30, 3: 20, 4: 15, 5: 12}  # of 60 points; from six players on everybody has ten
_HIGHER = {3: 4, 4: 6, 6: 8, 8: 9, 9: 12}  # Fast Learner's reward, in twelfths


class Scene(msgspec.Struct, frozen=True):
    """A scene card. `components` are its pennies by trait; `misc_name` names its Miscellaneous component."""

    components: Points
    author: str = ""
    title: Annotated[str, msgspec.Meta(max_length=120)] = ""
    text: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    misc_name: Annotated[str, msgspec.Meta(max_length=40)] = ""

    @property
    def misc_word(self) -> str:
        """What the Miscellaneous component is called: its own name, else the title of the card."""
        return self.misc_name.strip() or self.title.strip()

    def points(self, options: CoinWarsOptions) -> int:
        """The points that set its class: its coins, or with `misc_cost` inside its coins and the extra point."""
        inside = options.misc_cost == "inside" and self.components.misc > 0
        return self.components.total + inside

    def cost(self) -> int:
        """What it takes from its author's scene points: its coins, and one more with a Miscellaneous component."""
        return self.components.total + (self.components.misc > 0)

    def reward(self, options: CoinWarsOptions, *, fast_learner: bool) -> int:
        """Twelfths for beating it: its class, or for a Fast Learner the next class (9 gives 12)."""
        points = self.points(options)
        return _HIGHER[points] if fast_learner else points


def check_scene(scene: Scene, options: CoinWarsOptions) -> None:
    """Raise IllegalAction unless the card follows the formula (clauses coin-wars.scene.*)."""
    if scene.components.coolness:
        raise IllegalAction("coin-wars.scene.coolness")
    if not scene.components.present or any(scene.components[trait] < 0 for trait in scene.components.present):
        raise IllegalAction("coin-wars.scene.components")
    if scene.points(options) not in CLASSES:
        raise IllegalAction("coin-wars.scene.class", points=scene.points(options), allowed=tuple(CLASSES))
    if scene.misc_name and not scene.components.misc:
        raise IllegalAction("coin-wars.scene.misc")
    if scene.components.misc and not scene.misc_word:
        raise IllegalAction("coin-wars.scene.misc.name")
    if scene.components.misc:
        check_misc_name(scene.misc_word)


def allowance(characters: tuple[Character, ...], options: CoinWarsOptions) -> int:
    """Scene points of each player: the share of 60 (or the house rule), and 3 more for every 5 average experience.

    Players that the table has agreed on share from the start, before they have their characters.
    """
    base = options.scene_points or _SHARE.get(max(len(characters), len(options.players)), 10)
    if options.harder_scenes == "off" or not characters:
        return base
    return base + 3 * (sum(each.career for each in characters) // (5 * len(characters)))


def spent(scenes: tuple[Scene, ...], author: str) -> int:
    """Scene points an author has spent so far."""
    return sum(scene.cost() for scene in scenes if scene.author == author)


def missing_mix(scenes: tuple[Scene, ...], options: CoinWarsOptions) -> tuple[str, ...]:
    """Which of "easy" and "hard" an adventure lacks; Very Hard counts as Hard."""
    points = [scene.points(options) for scene in scenes]
    return (("easy",) if 3 not in points else ()) + (("hard",) if not {8, 9} & set(points) else ())
