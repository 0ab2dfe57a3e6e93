"""The games one can start: their titles, seats and house rules, read off the games themselves."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from tablecoin import rules
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_wars.adventures import CHANCES, NONE
from tablecoin.rules.game import Game
from tablecoin.rules.rulebook import chapters, clauses
from tablecoin.storage import mapfiles
from web import adventures
from web.answers import GameOffered, GameOption, OptionKind, Rulebook, RulebookChapter, RulebookClause


def available() -> list[Game[Any, Any, Any]]:
    """Every game, in the rules' own order."""
    return [rules.load(name) for name in rules.NAMES]


def describe(game: Game[Any, Any, Any]) -> GameOffered:
    """A game with its seats and house rules. A map is a choice among all known maps, the players' own first.

    An adventure is one of the book, a new one that is easy, fair or hard, or none.
    """
    return GameOffered(
        game=game.name,
        title=game.title,
        seats=tuple(game.seats(game.read_options({}))),
        options=tuple(_SPECIAL.get(field.name, _option)(field) for field in _fields(game)),
    )


def rulebook(game: Game[Any, Any, Any], language: str) -> Rulebook:
    """The clauses of one game in `language`, the shared clauses last."""
    every = (*clauses(game.name), *clauses("common"))
    return Rulebook(
        game=game.name,
        title=game.title.get(language, game.title["en"]),
        language=language,
        clauses=tuple(RulebookClause(each.id, each.number, each.text(language), each.refereeable) for each in every),
        chapters=tuple(
            RulebookChapter(each.number, each.texts[language]) for each in (*chapters(game.name), *chapters("common"))
        ),
    )


def map_titles() -> dict[str, dict[str, str]]:
    """Name -> language -> title of every map known now, the players' own first."""
    titles: dict[str, dict[str, str]] = {}
    for name in (*mapfiles.own(), *mapfiles.shipped()):
        with suppress(maps.MapError):  # a broken map cannot be chosen
            titles[name] = msgspec.to_builtins(maps.load(name).title)
    return titles


def _fields(game: Game[Any, Any, Any]) -> tuple[msgspec.inspect.Field, ...]:
    kind = msgspec.inspect.type_info(game.options_type)
    assert isinstance(kind, msgspec.inspect.StructType)
    return kind.fields


def _option(field: msgspec.inspect.Field) -> GameOption:
    description = field.type.extra_json_schema if isinstance(field.type, msgspec.inspect.Metadata) else None
    kind = _bare(field.type)
    if isinstance(kind, msgspec.inspect.UnionType):  # X | None: a field for X, left empty for None
        kind = next(part for part in kind.types if not isinstance(part, msgspec.inspect.NoneType))
    default = field.default if field.default is not msgspec.NODEFAULT else None
    if default is None and callable(field.default_factory):
        default = field.default_factory()
    return GameOption(
        name=field.encode_name,
        kind=_kind(kind),
        choices=_choices(kind),
        min=getattr(kind, "ge", None),  # only numbers have bounds
        max=getattr(kind, "le", None),
        default=msgspec.to_builtins(default),
        description=(description or {}).get("description"),
    )


def _map_option(field: msgspec.inspect.Field) -> GameOption:
    titles = map_titles()
    return replace(_option(field), kind="choice", choices=(*titles, maps.RANDOM), titles=titles)


def _adventure_option(field: msgspec.inspect.Field) -> GameOption:
    titles = adventures.titles()
    return replace(_option(field), kind="choice", choices=(NONE, *titles, *CHANCES), titles=titles)


_SPECIAL = {"map": _map_option, "adventure": _adventure_option}


def _bare(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    while isinstance(kind, msgspec.inspect.Metadata):
        kind = kind.type
    return kind


def _kind(kind: msgspec.inspect.Type) -> OptionKind:
    match kind:
        case msgspec.inspect.BoolType():
            return "switch"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            return "number"
        case msgspec.inspect.StrType():
            return "text"
        case msgspec.inspect.LiteralType() | msgspec.inspect.EnumType():
            return "choice"
        case msgspec.inspect.VarTupleType(item_type=item) if _kind(_bare(item)) == "text":
            return "names"
        case _:
            return "json"


def _choices(kind: msgspec.inspect.Type) -> tuple[Any, ...] | None:
    match kind:
        case msgspec.inspect.LiteralType():
            return tuple(kind.values)
        case msgspec.inspect.EnumType():
            return tuple(member.value for member in kind.cls)
        case _:
            return None
