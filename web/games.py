"""The games one can start: their titles, seats and house rules, read off the games themselves."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from tablecoin import rules
from tablecoin.rules.coin_age import maps
from tablecoin.rules.game import Game
from tablecoin.rules.rulebook import clauses
from tablecoin.storage import mapfiles


def available() -> list[Game[Any, Any, Any]]:
    """Every game, in the rules' own order."""
    return [rules.load(name) for name in rules.NAMES]


def describe(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """{"game", "title", "seats", "options": [{"name", "kind", "default", "choices", "min", "max", "description"}]}.

    A map is a choice among all that are known now, the players' own first; "titles" names them for people.
    """
    return {
        "game": game.name,
        "title": dict(game.title),
        "seats": list(game.seats(game.read_options({}))),
        "options": [_option(field) | (_maps() if field.name == "map" else {}) for field in _fields(game)],
    }


def rulebook(game: Game[Any, Any, Any], language: str) -> dict[str, Any]:
    """{"game", "title", "language", "clauses": [{"id", "number", "text", "refereeable"}]}, the shared clauses last."""
    return {
        "game": game.name,
        "title": game.title.get(language, game.title["en"]),
        "language": language,
        "clauses": [
            {"id": clause.id, "number": clause.number, "text": clause.text(language), "refereeable": clause.refereeable}
            for clause in (*clauses(game.name), *clauses("common"))
        ],
    }


def map_titles() -> dict[str, dict[str, str]]:
    """The maps that are known now, and what each is called by language; the players' own first."""
    titles: dict[str, dict[str, str]] = {}
    for name in (*mapfiles.own(), *mapfiles.shipped()):
        with suppress(maps.MapError):  # one that is broken cannot be chosen
            titles[name] = msgspec.to_builtins(maps.load(name).title)
    return titles


def _fields(game: Game[Any, Any, Any]) -> tuple[msgspec.inspect.Field, ...]:
    kind = msgspec.inspect.type_info(game.options_type)
    assert isinstance(kind, msgspec.inspect.StructType)
    return kind.fields


def _option(field: msgspec.inspect.Field) -> dict[str, Any]:
    description = field.type.extra_json_schema if isinstance(field.type, msgspec.inspect.Metadata) else None
    kind = _bare(field.type)
    if isinstance(kind, msgspec.inspect.UnionType):  # X | None: told by its X, left empty for None
        kind = next(part for part in kind.types if not isinstance(part, msgspec.inspect.NoneType))
    default = field.default if field.default is not msgspec.NODEFAULT else None
    if default is None and callable(field.default_factory):
        default = field.default_factory()
    return {
        "name": field.encode_name,
        "kind": _kind(kind),
        "choices": _choices(kind),
        "min": getattr(kind, "ge", None),  # numbers have bounds, nothing else
        "max": getattr(kind, "le", None),
        "default": msgspec.to_builtins(default),
        "description": (description or {}).get("description"),
    }


def _maps() -> dict[str, Any]:
    titles = map_titles()
    return {"kind": "choice", "choices": [*titles, maps.RANDOM], "titles": titles}


def _bare(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    while isinstance(kind, msgspec.inspect.Metadata):
        kind = kind.type
    return kind


def _kind(kind: msgspec.inspect.Type) -> str:
    """switch, number, text, choice, names (a list of texts), or json for anything deeper."""
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


def _choices(kind: msgspec.inspect.Type) -> list[Any] | None:
    match kind:
        case msgspec.inspect.LiteralType():
            return list(kind.values)
        case msgspec.inspect.EnumType():
            return [member.value for member in kind.cls]
        case _:
            return None
