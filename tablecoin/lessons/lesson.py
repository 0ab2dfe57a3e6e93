"""A lesson: a game's interactive first game, as data. One TOML file a game under lessons/.

    you = "heads"                          # the seat of the person
    options = { starter = "heads" }        # the house rules of the lesson's games

    [[step]]
    begin = []                             # the game begins anew, after these acts
    en = "Five pennies are tossed..."      # what is said
    zh = "..."
    lit = ["tray"]                         # zones that light up
    coins = ["penny"]                      # coins of the box that light up
    act = { do = "flip" }                  # the person is to do this: some fields of the action
    why.en = "..."                         # said beside the referee's own refusal of something else
    why.zh = "..."

A step without `act`, `mistake` and `reply` is only read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from tablecoin.coins import Denomination
from tablecoin.lessons.primer import Texts, said
from tablecoin.rules.game import Seat

Act = Mapping[str, Any]  # an action as JSON, or only some of its fields
Kind = Literal["read", "act", "mistake", "reply"]


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step. At most one of `act`, `mistake` and `reply` is given."""

    texts: Texts
    begin: tuple[Act, ...] | None = None  # the game begins anew, after these acts
    when: Act = {}  # the step is left out unless the public state has these values; a key may be a path: "steal.coin"
    act: Act | None = None  # what the person is to do
    also: tuple[Act, ...] = ()  # other acts that belong to the step
    mistake: tuple[str, ...] = ()  # the person is to break one of these clauses on purpose
    reply: tuple[Act, ...] | None = None  # what the other seats do; what they may not do now is left out
    offer: tuple[Act, ...] = ()  # acts to be offered as buttons, where no coin shows them
    lit: tuple[str, ...] = ()
    coins: tuple[Denomination, ...] = ()
    done: Texts = {}  # said once a mistake was made
    why: Texts = {}

    @property
    def kind(self) -> Kind:
        if self.act is not None:
            return "act"
        if self.mistake:
            return "mistake"
        return "read" if self.reply is None else "reply"


class Lesson(msgspec.Struct, frozen=True):
    """The steps of one game's lesson. The first one begins a game."""

    game: str
    you: Seat
    options: Mapping[str, Any]
    steps: tuple[Step, ...]


def taught(game: str) -> bool:
    """Whether there is a lesson of this game: one that was just written may have none."""
    return (files(__package__) / "lessons" / f"{game}.toml").is_file()


@cache
def lesson(game: str) -> Lesson:
    """The lesson of a game. Raises KeyError where a language is missing, msgspec.ValidationError for a wrong step."""
    raw = tomllib.loads((files(__package__) / "lessons" / f"{game}.toml").read_text("utf-8"))
    return Lesson(game, raw["you"], raw["options"], tuple(_step(each) for each in raw["step"]))


def _step(raw: Mapping[str, Any]) -> Step:
    texts = said(raw)
    fields = {name: value for name, value in raw.items() if name not in texts}
    more: dict[str, Any] = {name: said(fields[name]) for name in ("done", "why") if name in fields}
    every: dict[str, Any] = {**fields, **more, "texts": texts}
    return msgspec.convert(every, Step)
