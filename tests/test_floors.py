"""The rooms stand on floors: a room imports only rooms on floors below, and no files import each other in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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


def sources() -> list[Path]:
    return sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))


def module_of(path: Path) -> str:
    """`tablecoin/vision/frame.py` → `tablecoin.vision.frame`; a package is named by its folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, Path]:
    return {module_of(path): path for path in sources()}


def room(module: str) -> str | None:
    """`tablecoin.vision.frame` → `vision`; None for what is not ours and for the package `tablecoin` itself."""
    top, *rest = module.split(".")
    if top == "tablecoin":
        return rest[0] if rest else None
    return top if top in TOPS else None


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that `path` imports, also inside functions, by the name of its own file."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inner if name in modules())
            if not all(name in modules() for name in inner):
                yield node.module


def rooms_imported(path: Path) -> dict[str, str]:
    """Every module of another room that `path` imports, with its room."""
    own = room(module_of(path))
    return {module: other for module in imports(path) if (other := room(module)) and other != own}


IN_ROOMS = [path for path in sources() if room(module_of(path))]


@pytest.mark.parametrize("path", IN_ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_runs_up_the_floors(path: Path) -> None:
    own, others = room(module_of(path)), rooms_imported(path)
    assert own
    assert {own, *others.values()} <= LEVEL.keys(), "a room stands on no floor: give it one here and in ARCHITECTURE.md"
    up = {module: other for module, other in others.items() if LEVEL[other] >= LEVEL[own]}
    assert not up, f"{own} (floor {LEVEL[own]}) imports from its own floor or above"


def test_the_package_itself_imports_no_room() -> None:
    (package,) = set(sources()) - set(IN_ROOMS)
    assert not rooms_imported(package)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Files that import each other in a circle, the first again at the end; empty without such a circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {name: {m for m in imports(path) if m in modules() and m != name} for name, path in modules().items()}
    assert circle(graph) == []


def test_a_circle_is_found() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_hardware_libraries_are_imported_in_one_file_each() -> None:
    for library in ("picamera2", "libcamera", "lgpio"):
        users = [path for path in sources() if library in {module.split(".")[0] for module in imports(path)}]
        assert len(users) <= 1, f"{library} is imported by {users}"
