"""The adventure of the book that a state plays: its scenes as the rules know them, and its words in every language.

A scene card holds its words in English. Those of a book's scene stand in the book in every language; a scene is found
there by its place, because an adventure is played whole and in its order (coin-wars.take.whole).
"""

from __future__ import annotations

from tablecoin.coins import Denomination
from tablecoin.rules.coin_wars import adventures
from tablecoin.rules.coin_wars.adventures import Adventure, Card, Hero, Words
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import TRAITS


def scenes(name: str) -> tuple[Scene, ...]:
    """The scene cards of an adventure, in order; none for `adventures.NONE`."""
    if name == adventures.NONE:
        return ()
    return tuple(
        Scene(card.components, title=card.title["en"], text=card.text["en"], misc_name=card.misc.get("en", ""))
        for card in adventures.load(name).scenes
    )


def played(state: CoinWarsState) -> Adventure | None:
    """The adventure of the book; None where the players write their scenes."""
    return None if state.adventure == adventures.NONE else adventures.load(state.adventure)


def card(state: CoinWarsState) -> Card | None:
    """The book's card of the scene being played."""
    adventure = played(state)
    return adventure.scenes[state.scene] if adventure and state.scene is not None else None


def scene_title(state: CoinWarsState) -> Words | str:
    """What the scene being played is called: its title, else its number."""
    found = card(state)
    return found.title if found else state.current.title or f"{(state.scene or 0) + 1}"


def misc_word(state: CoinWarsState) -> Words | str:
    """What the Miscellaneous component of the scene being played is called; "" where it has no name."""
    if state.scene is None:
        return ""
    found = card(state)
    return found.misc if found and found.misc else state.current.misc_word


def free_heroes(state: CoinWarsState) -> tuple[Hero, ...]:
    """The heroes of the adventure that no character has been made of yet."""
    adventure = played(state)
    heroes = adventure.heroes if adventure else ()
    return tuple(hero for hero in heroes if not any(_is(character, hero) for character in state.characters))


def _is(character: Character, hero: Hero) -> bool:
    """Whether the character has the hero's ratings and Strong trait."""
    ratings = all(character.traits[trait].rating == hero.ratings[trait] for trait in TRAITS)
    return ratings and character.traits[hero.strong].own_coin is Denomination.NICKEL
