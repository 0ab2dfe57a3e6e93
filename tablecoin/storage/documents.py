"""TOML and JSON, read so that no document costs more than its size: deep nesting is refused.

The standard library's TOML parser takes a minute and 1.6 GB for one key of 20,000 dotted parts in 40 kB, so a document
is measured before it is parsed. What the JSON parser can read costs little, so there the result is measured.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date, time
from typing import Any, TypeVar, overload

import msgspec

DEEPEST_TOML = 8  # tables within tables; the deepest of our own has 3
DEEPEST_JSON = 32  # lists and objects within one another; the deepest of our own has 8

_NUMBER = "a number has too many digits"
# Strings and comments first, so that what looks like a bracket or a dot in them does not count.
_TOML = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)"{0,2}'
    r"|'''.*?(?:'''|\Z)'{0,2}"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|(?P<mark>[][{}.=,\n])",
    re.DOTALL,
)


T = TypeVar("T")


class DocumentError(ValueError):
    """A document cannot be read: `str()` says what is wrong, without its full stop."""


def read_toml(text: str) -> dict[str, Any]:
    """What a TOML document says. Raises DocumentError, also for a date or a time: none of our documents has one."""
    if _depth(text) > DEEPEST_TOML:
        raise DocumentError(f"it nests deeper than {DEEPEST_TOML} tables")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DocumentError(str(error)) from None
    except ValueError:  # Python refuses whole numbers of more than 4300 digits
        raise DocumentError(_NUMBER) from None
    if key := _date_in(found):
        raise DocumentError(f"{key} is a date or a time; put it in quotes")
    return found


@overload
def read_json(data: bytes | str) -> Any: ...


@overload
def read_json(data: bytes | str, kind: type[T]) -> T: ...


@overload
def read_json(data: bytes | str, kind: Any) -> Any: ...


def read_json(data: bytes | str, kind: Any = Any) -> Any:
    """What a JSON document says, as `kind`. Raises DocumentError."""
    deep = DocumentError(f"it nests deeper than {DEEPEST_JSON} lists and objects")
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise DocumentError(str(error)) from None
    except RecursionError:
        raise deep from None
    if _nests_deeper(value, DEEPEST_JSON):
        raise deep
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise DocumentError(str(error)) from None


def _depth(text: str) -> int:
    """How deep the values and keys of a TOML document nest, at most."""
    deepest = brackets = dots = 0
    for found in _TOML.finditer(text):
        match found["mark"]:
            case None:
                continue
            case "[" | "{":
                brackets, dots = brackets + 1, 0
            case "]" | "}":
                brackets -= 1
            case ".":
                dots += 1
            case _:
                dots = 0
        deepest = max(deepest, brackets + dots)
        if deepest > DEEPEST_TOML:
            break
    return deepest


def _date_in(value: object, path: str = "") -> str | None:
    """The path of the first date or time in a document: `web.hosts`; None: there is none."""
    match value:
        case date() | time():  # a datetime is a date
            return path
        case dict():
            inner = (_date_in(each, f"{path}.{key}" if path else key) for key, each in value.items())
        case list():
            inner = (_date_in(each, path) for each in value)
        case _:
            return None
    return next(filter(None, inner), None)


def _nests_deeper(value: object, most: int) -> bool:
    level = [value]
    for _ in range(most + 1):
        level = [inner for one in level for inner in _parts(one)]
    return bool(level)


def _parts(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
