"""The shape of JSON: every path of it, with the types of what stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

OPEN = ("game", "action")  # objects that a game writes: each game's own tests cover them
BY_NAME = ("seats", "wanted", "flips", "missing", "extra", "turned")  # objects whose keys are seats, zones or coins
HEAPS_BY_ZONE = ("wanted", "flips")
TYPES = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array"}


def shape_of(values: Iterable[object]) -> dict[str, list[str]]:
    """Path -> the types of JSON that stand there in any of `values`; `[]` is an item, `*` what a name stands for."""
    shape: dict[str, set[str]] = {}
    for value in values:
        for path, kind in paths("$", value):
            shape.setdefault(path, set()).add(kind)
    return {path: sorted(kinds) for path, kinds in sorted(shape.items())}


def paths(path: str, value: object) -> Iterator[tuple[str, str]]:
    """(path, type) of `value` and of everything in it."""
    parent, _, name = path.rpartition(".")
    yield path, TYPES.get(type(value), "object")
    if isinstance(value, list):
        for item in value:
            yield from paths(f"{path}[]", item)
    elif isinstance(value, dict) and name not in OPEN:
        by_name = name in BY_NAME or (name == "*" and parent.endswith(HEAPS_BY_ZONE))
        for key, item in value.items():
            yield from paths(f"{path}.*" if by_name else f"{path}.{key}", item)
