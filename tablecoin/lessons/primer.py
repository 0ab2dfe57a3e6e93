"""A game in one minute: a few sentences with pictures of the mat, and one example turn.

One TOML file a game under primers/. The pictures of the sentences are written there; those of the example turn are not:
they are drawn from the states that the rules reach by the turn's own acts, so they cannot contradict the rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from tablecoin import rules
from tablecoin.rules.game import Game, State
from tablecoin.rules.rulebook import LANGUAGES

Laid = Mapping[str, tuple[str, ...]]  # zone -> its coins, bottom to top: "penny:heads", or "penny:any"
Texts = Mapping[str, str]  # language -> sentence

TOSSED = {"coins": "tray", "character": "hero", "scene": "scene"}  # field of a toss -> where its coins fell


class Picture(msgspec.Struct, frozen=True):
    """Coins on the game's mat. `show`: only the part of the mat with these zones; `lit`: zones to be marked."""

    coins: Laid
    show: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    caption: Texts = {}


class Sentence(msgspec.Struct, frozen=True):
    """One thing to know, and the picture that shows it."""

    texts: Texts
    picture: Picture | None = None


class Primer(msgspec.Struct, frozen=True):
    """A game in one minute."""

    mat: str  # the name of the mat that the pictures show
    minute: tuple[Sentence, ...]
    example: tuple[Sentence, ...]


def is_told(name: str) -> bool:
    """Whether the game `name` has a primer: one that was just written may not."""
    return (files(__package__) / "primers" / f"{name}.toml").is_file()


@cache
def primer(name: str) -> Primer:
    """The primer of the game `name`. Raises RulesError where its example breaks a rule."""
    raw = tomllib.loads((files(__package__) / "primers" / f"{name}.toml").read_text("utf-8"))
    game = rules.load(name)
    example = raw["example"]
    return Primer(
        mat=game.mat(game.read_options(example["options"])),
        minute=tuple(Sentence(said(each), _picture(each.get("picture"))) for each in raw["minute"]),
        example=tuple(_played(game, example)),
    )


def said(raw: Mapping[str, Any]) -> Texts:
    """The sentence of a table of a TOML file in every language. KeyError where one is missing."""
    return {language: raw[language] for language in LANGUAGES}


def _picture(raw: Mapping[str, Any] | None) -> Picture | None:
    if raw is None:
        return None
    coins = {zone: tuple(c if ":" in c else f"{c}:any" for c in each) for zone, each in raw["coins"].items()}
    return Picture(coins, tuple(raw.get("show", ())), tuple(raw.get("lit", ())), said(raw))


def _played(game: Game[Any, Any, Any], raw: Mapping[str, Any]) -> Iterator[Sentence]:
    """The example turn: each sentence with the table after its acts."""
    state = game.start(game.read_options(raw["options"]))
    for act in raw["before"]:
        state = game.apply(state, game.read_action(act))
    for step in raw["step"]:
        fell: Laid = {}
        for act in step["acts"]:
            fell = {
                zone: tuple(act[field]) for field, zone in TOSSED.items() if act.get("do") == "flip" and field in act
            }
            state = game.apply(state, game.read_action(act))
        picture = Picture({**laid(game, state), **fell}, tuple(raw.get("show", ()))) if step["acts"] else None
        yield Sentence(said(step), picture)


def laid(game: Game[Any, Any, Any], state: State) -> dict[str, tuple[str, ...]]:
    """The coins that lie in each zone in this state. Empty zones are left out."""
    stacks = game.stacks(state)
    found = {zone: pile.listed(stacks.get(zone, ())) for zone, pile in game.layout(state).items()}
    return {zone: coins for zone, coins in found.items() if coins}
