"""What is wrong with a JSON value, for people: msgspec's sentences without its type names and paths."""

from __future__ import annotations

import re

import msgspec

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_SAID = (
    (r"Object contains unknown field `(?P<field>.+)`", "{inside}there is no `{field}`"),
    (r"Object missing required field `(?P<field>.+)`", "{inside}`{field}` is missing"),
    (r"Expected `(?P<kind>[^`]+)`, got `(?P<other>[^`]+)`", "{name} must be {kind}, not {other}"),
    (r"Expected `str` of length (?P<bound>\S+) (?P<number>\S+)", "{name} must be {bound} {number} letters long"),
    (r"Expected `str` matching regex .+", "{name} is not written as it should be"),
    (r"Expected `array` of length (?P<bound>\S+) (?P<number>\S+)", "{name} must have {bound} {number} entries"),
    (r"Expected `(int|float)` (?P<bound>\S+) (?P<number>\S+)", "{name} must be {bound} {number}"),
    (r"Invalid (enum )?value (?P<value>.+)", "{name} cannot be {value}"),
)


def plain(error: msgspec.ValidationError) -> str:
    """The error in words that name the field: "`goal` must be at least 10". What it does not know stays as it is."""
    what, _, path = str(error).partition(" - at `$")
    path = path.removeprefix(".").rstrip("`")
    words = {"name": f"`{path}`" if path else "it", "inside": f"in `{path}` " if path else ""}
    for pattern, said in _SAID:
        if found := re.fullmatch(pattern, what):
            facts = {name: _word(name, text) for name, text in found.groupdict().items()}
            return said.format_map(words | facts)
    return f"{what} (`{path}`)" if path else what


def _word(name: str, text: str) -> str:
    if name in ("kind", "other"):
        return " or ".join(_KINDS.get(part, part) for part in text.split(" | "))
    return _BOUNDS.get(text, text) if name == "bound" else text
