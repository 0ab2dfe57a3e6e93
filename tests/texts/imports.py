"""The rooms stand on floors: a room imports only rooms on floors below, and no files import each other in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from tests.texts.check import ROOT, Check, Checks, Problem, tree_of

TOPS = ("tablecoin", "calibration", "web", "lab")
# From the ground up. Rooms on one floor do not know each other. ARCHITECTURE.md says what stands in each.
FLOORS = (
    ("coins", "storage", "tournament"),
    ("rules",),
    ("mat", "mqtt", "opponents", "panel"),
    ("club", "vision"),
    ("virtual", "photos", "settings"),
    ("referee",),
    ("journal", "lessons"),
    ("analysis",),
    ("replay", "live", "publishing"),
    ("calibration", "checks", "web"),
    ("appliance",),
    ("cli",),
    ("__main__", "lab"),
)
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
# Libraries that most computers lack or that must be set up before their import, and the one place that imports each.
HOMES = {
    "picamera2": "tablecoin/vision/cameras/pi.py",
    "libcamera": "tablecoin/vision/cameras/pi.py",
    "lgpio": "tablecoin/panel/gpio.py",
    "onnxruntime": "tablecoin/vision/coins/engine.py",
    "torch": "lab/training/",
}


class Source(NamedTuple):
    """A module, and every module that it imports, also inside functions, with the line."""

    name: str
    path: Path
    imports: tuple[tuple[str, int], ...]


@cache
def modules() -> dict[str, Path]:
    """Every module by its name: `tablecoin.vision.frame`; a package is named by its folder."""
    paths = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


@cache
def sources() -> tuple[Source, ...]:
    return tuple(Source(name, path, tuple(imports(tree_of(path)))) for name, path in modules().items())


def imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """What a module imports, each by the name of its own file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from ((name, node.lineno) for name in inner if name in modules())
            if not all(name in modules() for name in inner):
                yield node.module, node.lineno


def room(module: str) -> str | None:
    """`tablecoin.vision.frame` → `vision`; None for what is not ours and for the package `tablecoin` itself."""
    top, *rest = module.split(".")
    if top == "tablecoin":
        return rest[0] if rest else None
    return top if top in TOPS else None


def upward(source: Source) -> Iterator[Problem]:
    """Imports of a room on the same floor or above. The package itself imports no room."""
    own = room(source.name)
    if own is not None and own not in LEVEL:
        todo = "give it one in tests/texts/imports.py and in ARCHITECTURE.md"
        yield Problem(source.path, 1, f"the room {own} stands on no floor", todo)
        return
    for module, line in source.imports:
        other = room(module)
        if other not in (None, own) and (other not in LEVEL or LEVEL[other] >= LEVEL.get(own or "", 0)):
            wrong = f"{own or source.name} imports {module}, which does not stand on a floor below it"
            yield Problem(source.path, line, wrong, "move what both need to a lower floor")


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Files that import each other in a circle, the first again at the end; empty without such a circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def graph() -> dict[str, set[str]]:
    return {one.name: {name for name, _ in one.imports if name in modules() and name != one.name} for one in sources()}


def in_circles() -> Iterable[tuple[Source, list[str]]]:
    found = circle(graph())
    return [(source, found) for source in sources()]


def circular(thing: tuple[Source, list[str]]) -> Iterator[Problem]:
    source, found = thing
    lines = [line for name, line in source.imports if source.name in found and name in found]
    for line in lines[:1]:
        yield Problem(source.path, line, f"files import each other: {' → '.join(found)}", "break the circle")


def misplaced(source: Source) -> Iterator[Problem]:
    for module, line in source.imports:
        library = module.split(".")[0]
        home = HOMES.get(library)
        if home and not source.path.is_relative_to(ROOT / home):
            yield Problem(source.path, line, f"{library} is imported outside {home}", "call that code instead")


CHECKS: Checks = (
    Check("files import only from lower floors", sources, upward),
    Check("files import each other in no circle", in_circles, circular),
    Check("libraries that need care are imported in one place", sources, misplaced),
)
