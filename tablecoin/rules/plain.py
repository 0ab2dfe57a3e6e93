"""What is wrong with a JSON value and what would be right, for people: msgspec's errors without its types and paths."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec
from msgspec import inspect

from tablecoin.rules.rulebook import Message

_KINDS = ("int", "float", "str", "bool", "array", "object")  # of JSON; their names stand in input.toml
_BOUNDS = {">=": "least", "<=": "most", ">": "more", "<": "less"}
_SAID = (
    (r"Object contains unknown field `(?P<field>.+)`", "unknown"),
    (r"Object missing required field `(?P<field>.+)`", "missing"),
    (r"Expected `(?P<kind>[^`]+)`, got `(?P<other>[^`]+)`", "wanted"),
    (r"Expected `str` of length >= 1", "empty"),
    (r"Expected `str` of length (?P<bound>\S+) (?P<number>\S+)", "length"),
    (r"Expected `str` matching regex '(?P<regex>.+)'", "pattern"),
    (r"Expected `array` of length (?P<bound>\S+) (?P<number>\S+)", "entries"),
    (r"Expected `(int|float)` (?P<bound>\S+) (?P<number>\S+)", "range"),
    (r"Invalid (enum )?value (?P<value>.+)", "wanted"),
)
_TOLD = re.compile(r"(.+?)(?: - at (`key` in )?`\$(.*)`)?", re.DOTALL)  # what is wrong, and where
_LONGEST = 40  # characters of a wrong text that are said again
FORM = "form"  # in `extra` of a type with a pattern: what is to be written, as plain.form.… says it for people

Step = str | int  # a key of an object, or a place in a list


def plain(error: msgspec.ValidationError, raw: object, kind: object) -> Message:
    """The error in words that name the field, what is wrong with it, and what would be right.

    `raw` is what was read and `kind` the type asked for: "`goal` must be from 10 to 1000, not 5". An error of a form
    that is not known here stays as msgspec words it. The sentence has no full stop, so that it may stand in another.
    """
    told = _TOLD.fullmatch(str(error))
    what, of_key, where = told.groups(default="") if told else (str(error), "", "")
    path, steps = where.removeprefix("."), list(_steps(where))
    asked = list(_asked(inspect.type_info(kind), raw, steps))
    if of_key:
        asked, raw = [each.key_type for each in asked if isinstance(each, inspect.DictType)], ...
    for pattern, key in _SAID:
        if found := re.fullmatch(pattern, what):
            facts = found.groupdict(default="")
            form = _form(asked)
            if key == "pattern" and form:
                key = "form"
            field, number = facts.get("field", ""), facts.get("number", "")
            bound = _say(f"bound.{_BOUNDS[facts['bound']]}", number=number) if "bound" in facts else ""
            words: dict[str, object] = {
                "field": f"`{field}`",
                "name": _name(path, bool(of_key)),
                "inside": _say("inside", path=f"`{path}`") if path else "",
                "bound": bound,
                "regex": facts.get("regex", ""),
                "form": form,
                "found": _found(_at(raw, steps), facts.get("value", "")),
                "wanted": _choices(asked) or _kinds(facts.get("kind", "")),
                "range": _range(asked) or bound,
                "known": _instead(field, asked),
                "needed": _needed(field, asked),
            }
            return _say(key, **words)
    return _say("other", what=f"{what} (`{path}`)" if path else what)


def _say(key: str, **facts: object) -> Message:
    return Message(f"plain.{key}", facts)


def _name(path: str, of_key: bool) -> Message | str:
    if not path:
        return _say("it")
    return _say("each_key", path=f"`{path}`") if of_key else f"`{path}`"


def _steps(path: str) -> Iterator[Step]:
    """`.players[0]` → "players", 0; a value of an object with free keys is `[...]`, its key unknown: -1."""
    for key, place in re.findall(r"\.([^.\[]+)|\[([^\]]*)\]", path):
        yield key or (int(place) if place.isdecimal() else -1)


def _at(raw: object, steps: Sequence[Step]) -> object:
    """What stands at the path in `raw`; `...` where that cannot be told."""
    for step in steps:
        try:
            raw = cast(Any, raw)[step]
        except (KeyError, IndexError, TypeError):
            return ...
    return raw


def _asked(kind: inspect.Type, raw: object, steps: Sequence[Step]) -> Iterator[inspect.Type]:
    """The types that may stand at the path. Of structs told apart by a tag, only the one whose tag `raw` has."""
    match kind:
        case inspect.UnionType():
            tagged = [each for each in kind.types if isinstance(each, inspect.StructType) and each.tag is not None]
            if steps and (tags := _tags(tagged, steps[0])):
                yield inspect.LiteralType(tags)
                return
            named = [each for each in tagged if isinstance(raw, dict) and raw.get(each.tag_field) == each.tag]
            for each in named or kind.types:
                yield from _asked(each, raw, steps)
        case inspect.Metadata() if steps or FORM not in (kind.extra or {}):
            yield from _asked(kind.type, raw, steps)
        case _ if not steps:
            yield kind
        case inspect.StructType():
            for field in kind.fields:
                if field.encode_name == steps[0]:
                    yield from _asked(field.type, _at(raw, steps[:1]), steps[1:])
        case inspect.DictType():
            yield from _asked(kind.value_type, _at(raw, steps[:1]), steps[1:])
        case inspect.ListType() | inspect.VarTupleType():
            yield from _asked(kind.item_type, _at(raw, steps[:1]), steps[1:])
        case inspect.TupleType() if isinstance(steps[0], int) and 0 <= steps[0] < len(kind.item_types):
            yield from _asked(kind.item_types[steps[0]], _at(raw, steps[:1]), steps[1:])


def _tags(kinds: Sequence[inspect.Type], field: Step) -> tuple[str | int, ...]:
    """The values of the field by which structs are told apart; empty for any other field."""
    return tuple(
        each.tag
        for each in kinds
        if isinstance(each, inspect.StructType) and each.tag is not None and each.tag_field == field
    )


def _choices(asked: Sequence[inspect.Type]) -> Message | str:
    """`"heads" or "tails"` where only some values will do; empty elsewhere."""
    found: list[object] = []
    for kind in asked:
        match kind:
            case inspect.LiteralType():
                found += kind.values
            case inspect.EnumType():
                found += [each.value for each in kind.cls]
            case inspect.NoneType():
                found.append(None)
            case _:
                return ""
    return _either([json.dumps(value) for value in found])


def _either(words: Sequence[Message | str]) -> Message | str:
    """`a, b or c`; empty without words."""
    if len(words) > 1:
        return _say("either", others=list(words[:-1]), last=words[-1])
    return words[0] if words else ""


def _range(asked: Sequence[inspect.Type]) -> Message | None:
    """`from 10 to 1000` for a number with both bounds; None elsewhere."""
    for kind in asked:
        if isinstance(kind, inspect.IntType | inspect.FloatType) and kind.ge is not None and kind.le is not None:
            return _say("from_to", least=f"{kind.ge:g}", most=f"{kind.le:g}")
    return None


def _form(asked: Sequence[inspect.Type]) -> Message | str:
    """What is to be written where a pattern asks for it; empty where only the pattern tells."""
    for kind in asked:
        if isinstance(kind, inspect.Metadata) and kind.extra and FORM in kind.extra:
            return _say(f"form.{kind.extra[FORM]}")
    return ""


def _instead(field: str, asked: Sequence[inspect.Type]) -> Message | str:
    """What to write for a field that is not known: the one meant, or all there are."""
    known = [each.encode_name for kind in asked if isinstance(kind, inspect.StructType) for each in kind.fields]
    close = difflib.get_close_matches(field, known, n=1)
    if close:
        return _say("close", field=f"`{close[0]}`")
    return _say("known", fields=", ".join(known)) if known else ""


def _needed(field: str, asked: Sequence[inspect.Type]) -> Message | str:
    """What a missing field holds."""
    fields = (each for kind in asked if isinstance(kind, inspect.StructType) for each in kind.fields)
    kinds = [kind for each in fields if each.encode_name == field for kind in _asked(each.type, ..., ())]
    if tags := _tags(asked, field):
        kinds = [inspect.LiteralType(tags)]
    names = dict.fromkeys(_OF_TYPE[type(kind)] for kind in kinds if type(kind) in _OF_TYPE)
    words = _choices(kinds) or _either([_say(f"kind.{name}") for name in names])
    return _say("give", words=words) if words else ""


_OF_TYPE: dict[type[inspect.Type], str] = {
    inspect.IntType: "int",
    inspect.FloatType: "float",
    inspect.StrType: "str",
    inspect.BoolType: "bool",
    inspect.ListType: "array",
    inspect.VarTupleType: "array",
    inspect.TupleType: "array",
    inspect.DictType: "object",
    inspect.StructType: "object",
}


def _kinds(names: str) -> Message | str:
    """`int | null` → "a whole number or null"."""
    return _either([_say(f"kind.{name}") if name in _KINDS else name for name in names.split(" | ")])


def _found(value: object, quoted: str) -> Message | str:
    """`, not 2.5`: a wrong value as JSON, a long text cut; of lists and objects only that they are one.

    `quoted` is the value as msgspec says it, if it does: said where the value itself could not be found.
    """
    match value:
        case _ if value is ...:
            return _say("not", value=quoted) if quoted else ""
        case list() | tuple():
            return _say("not", value=_say("kind.array"))
        case dict():
            return _say("not", value=_say("kind.object"))
        case str() if len(value) > _LONGEST:
            value = value[:_LONGEST] + "…"
    return _say("not", value=json.dumps(value, ensure_ascii=False))
