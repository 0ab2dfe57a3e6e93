"""The house has floors: a room imports only rooms on floors below, or itself. This draws the import graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("coins",),
    ("rules", "mat"),
    ("opponents", "vision"),
    ("referee",),
    ("journal", "panel", "virtual"),
    ("house",),
    ("service",),
    ("calibration", "web"),
    ("cli",),
)
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
# Small rooms that stand beside the road: what each may use at most.
LEVEL |= {"settings": LEVEL["journal"], "look": LEVEL["journal"], "score": LEVEL["journal"]}
LEVEL |= {"score_picture": LEVEL["score"]}
LEVEL |= {"durable": 0, "mapfiles": 0, "watchdog": 0, "yardstick": 0, "judge": LEVEL["service"]}
LEVEL |= {"doctor": LEVEL["calibration"], "bench": LEVEL["calibration"]}


def room(module: str) -> str | None:
    """`tablecoin.vision.find` → `vision`; None for what is not ours (or the package itself)."""
    parts = module.split(".")
    if parts[0] in ("calibration", "web"):
        return parts[0]
    if parts[0] == "tablecoin" and len(parts) > 1:
        return parts[1]
    return None


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module in ("tablecoin", "web", "calibration"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def sources() -> list[Path]:
    return sorted(path for top in ("tablecoin", "calibration", "web") for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_runs_up_the_floors(path: Path) -> None:
    own = room(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if own in (None, "__init__"):
        return
    assert own in LEVEL, f"the room {own} stands on no floor: give it one here and in ARCHITECTURE.md"
    for module in imports(path):
        other = room(module)
        if other and other != own and other != "__version__":
            assert other in LEVEL, f"{path} imports {module}, which stands on no floor"
            up = LEVEL[other] > LEVEL[own] or (LEVEL[other] == LEVEL[own] and {own, other} <= set().union(*FLOORS))
            assert not up, f"{own} (floor {LEVEL[own]}) imports {other} (floor {LEVEL[other]})"


def test_hardware_libraries_are_imported_in_one_file_each() -> None:
    for library in ("picamera2", "libcamera", "lgpio"):
        users = [path for path in sources() if any(m.split(".")[0] == library for m in imports(path))]
        assert len(users) <= 1, f"{library} is imported by {users}"
