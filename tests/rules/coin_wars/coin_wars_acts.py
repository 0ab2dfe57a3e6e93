"""What is done in Coin Wars, in short words; the tests of its rules begin with these."""

from __future__ import annotations

from typing import Any

from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.coin_wars.state import CoinWarsState

Json = dict[str, Any]


def coins(text: str) -> list[str]:
    """`"3PH 1DT"` is three pennies heads and a dime tails."""
    kinds, faces = {"P": "penny", "N": "nickel", "D": "dime", "Q": "quarter"}, {"H": "heads", "T": "tails"}
    return [f"{kinds[w[-2]]}:{faces[w[-1]]}" for w in text.split() for _ in range(int(w[:-2]))]


def ratings(text: str) -> dict[str, int]:
    names = ("bodiness", "braininess", "personality", "coolness", "misc")
    return dict(zip(names, map(int, text.split()), strict=True))


def create(name: str = "Ann", points: str = "3 3 2 2 2", strong: str | None = "bodiness", **more: Any) -> Json:
    return {"do": "create", "name": name, "ratings": ratings(points), "misc_name": "Wealth", "strong": strong, **more}


def scene(name: str = "Ann", misc_name: str = "", **components: int) -> Json:
    return {"do": "scene", "name": name, "title": "A scene", "components": components, "misc_name": misc_name}


def draw(*order: int) -> Json:
    return {"do": "draw", "order": list(order)}


def flip(component: str, character: str, other: str, name: str = "Ann") -> Json:
    return {"do": "flip", "name": name, "component": component, "character": coins(character), "scene": coins(other)}


def assist(burn: str, add: str, component: str, name: str = "Ann") -> Json:
    return {"do": "assist", "name": name, "burn": burn, "add": add, "component": component}


def choose(option: str, name: str = "Ann") -> Json:
    return {"do": "choose", "name": name, "option": option}


def tell(name: str = "Ann") -> Json:
    return {"do": "narrate", "name": name, "text": "So it went."}


def spend(name: str = "Ann", **on: str) -> Json:
    return {"do": "spend", "name": name, "on": on}


def play(*actions: Json, **rules: Any) -> CoinWarsState:
    state = GAME.start(GAME.read_options(rules))
    for action in actions:
        state = GAME.apply(state, GAME.read_action(action))
    return state


def trait(state: CoinWarsState, name: str, who: str = "Ann") -> tuple[int, str]:
    """(points now, coin) of a trait."""
    character = state.character(who)
    assert character
    held = getattr(character.traits, name)
    return held.now, str(held.coin)


DUEL = (create(), scene(bodiness=4), draw(0))
TRAP = (create(), scene(misc=3, bodiness=3, misc_name="Trap"), draw(0))
HURT = (*DUEL, flip("bodiness", "3NT", "4PH"))  # 0 : 10
WON = (*DUEL, flip("bodiness", "3NH", "4PT"))
SHEET: Json = {
    "traits": {
        "bodiness": {"rating": 4, "coin": "nickel"},
        "braininess": {"rating": 3, "coin": "penny"},
        "personality": {"rating": 2, "coin": "penny"},
        "coolness": {"rating": 2, "coin": "penny"},
        "misc": {"rating": 2, "coin": "penny"},
    },
    "powers": {"fast-learner": 1},
    "twelfths": 7,
    "experience": 1,
    "career": 5,
}
