"""TOML and JSON are read, or refused with a reason; what nests too deep is refused before a parser takes it apart."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from tablecoin.storage.documents import DEEPEST_JSON, DEEPEST_TOML, DocumentError, read_json, read_toml

FORTY_KB = 20_000  # parts of a dotted key in 40 kB: a minute and 1.6 GB for tomllib


READ = [
    ("a = 1\nb.c = 2\n[d]\ne = [1.5, 2.5]", {"a": 1, "b": {"c": 2}, "d": {"e": [1.5, 2.5]}}),
    ('x = "a.b.c.d.e.f.g.h.i.j.k"', {"x": "a.b.c.d.e.f.g.h.i.j.k"}),
    ("x = 1  # a.b.c.d.e.f.g.h.i.j.k [[[[[[[[[[", {"x": 1}),
    ('x = \'[[[[[[[[[[\'\ny = """\n[[[[[[[[[["""', {"x": "[[[[[[[[[[", "y": "[[[[[[[[[["}),
    ('x = "\\"[[[[[[[[[["', {"x": '"[[[[[[[[[['}),
]


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text for text, _ in READ])
def test_toml_is_read(text: str, expected: object) -> None:
    assert read_toml(text) == expected


def test_a_document_may_nest_up_to_the_limit() -> None:
    read_toml(".".join("a" * (DEEPEST_TOML + 1)) + " = 1")
    read_json("[" * DEEPEST_JSON + "1" + "]" * DEEPEST_JSON)


REFUSED_TOML = [
    (".".join("a" * FORTY_KB) + "=1", "nests deeper"),
    ("[" + ".".join("a" * FORTY_KB) + "]", "nests deeper"),
    ("x = " + "[" * 50_000, "nests deeper"),
    ("x = " + "{a=" * 30_000, "nests deeper"),
    ('x = """a""""\n' + ".".join("a" * FORTY_KB) + "=1", "nests deeper"),
    ("x = '''a''''\n" + ".".join("a" * FORTY_KB) + "=1", "nests deeper"),
    ("x = 1" + "0" * 5000, "too many digits"),
    ("x = 1\nx = 2\ny = 3", "line 2"),
    ("x = \ny = 3", "line 1"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED_TOML, ids=[text[:12] for text, _ in REFUSED_TOML])
def test_toml_is_refused_with_a_reason(text: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    loads = tomllib.loads

    def noting(given: str) -> dict[str, Any]:
        parsed.append(given)
        return loads(given)

    monkeypatch.setattr(tomllib, "loads", noting)
    with pytest.raises(DocumentError, match=why):
        read_toml(text)
    assert bool(parsed) is (why != "nests deeper"), "the standard library takes a minute for a deep key"


DATES = {
    "an offset date-time": "1979-05-27T07:32:00-07:00",
    "a local date-time": "1979-05-27T07:32:00.5",
    "a local date": "1979-05-27",
    "a local time": "07:32:00",
}


@pytest.mark.parametrize("date", DATES.values(), ids=DATES)
@pytest.mark.parametrize(
    ("text", "key"),
    [("a = {}", "a"), ("[a]\nb = [1, {}]", "a.b"), ("[[a]]\nb = 1\n[[a]]\nb = {{c = {}}}", "a.b.c")],
)
def test_no_document_has_a_date(text: str, key: str, date: str) -> None:
    with pytest.raises(DocumentError, match=f"^{re.escape(key)} is a date or a time; put it in quotes$"):
        read_toml(text.format(date))
    assert read_toml(text.format(f'"{date}"'))


REFUSED_JSON = [
    ("[" * 1_000_000, "nests deeper"),
    ("[" * 500 + "]" * 500, "nests deeper"),
    ('{"a":' * 500 + "1" + "}" * 500, "nests deeper"),
    ("1" * 5000, "out of range"),
    ("{", "truncated"),
    (b'"\xff"', "utf-8"),
]


@pytest.mark.parametrize(("data", "why"), REFUSED_JSON, ids=[str(data[:8]) for data, _ in REFUSED_JSON])
def test_json_is_refused_with_a_reason(data: str | bytes, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read_json(data)


class Kept(msgspec.Struct, frozen=True):
    number: int
    by_game: dict[int, str] = {}
    options: Mapping[str, Any] = {}


def test_json_is_read_as_a_struct() -> None:
    assert read_json(b'{"number": 3, "by_game": {"7": "a"}, "unknown": 1}', Kept) == Kept(3, {7: "a"})
    with pytest.raises(DocumentError, match="Expected `int`, got `str`"):
        read_json(b'{"number": "3"}', Kept)


@pytest.mark.parametrize("field", ["unknown", "options"])
@pytest.mark.parametrize("depth", [DEEPEST_JSON, 5000, 500_000])
def test_a_struct_is_not_read_from_deep_json(field: str, depth: int) -> None:
    deep = b'{"number": 3, "%b": {"a": %b%b}}' % (field.encode(), b"[" * depth, b"]" * depth)
    with pytest.raises(DocumentError, match="nests deeper"):
        read_json(deep, Kept)
