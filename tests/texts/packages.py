"""Packages: every dependency is locked in a version that is allowed, and what is installed says that it is typed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from tests.texts.check import ROOT, Check, Checks, Problem, line_at, line_with, text_of

LOCK, RUN_LOCK, PROJECT = ROOT / "requirements-dev.lock", ROOT / "requirements.lock", ROOT / "pyproject.toml"
INSTALLED = ("tablecoin", "calibration", "web")


@cache
def project() -> dict[str, Any]:
    return tomllib.loads(text_of(PROJECT))


def pins(lock: Path) -> list[tuple[str, int, int]]:
    """Every package of a lock file: the name with version and marker, its line, and how many hashes it has."""
    found = re.finditer(r"(?m)^(\w[^\n\\]*?) *((?:\\\n +--hash=sha256:[0-9a-f]{64} *)*)$", text_of(lock))
    return [(one[1], line_at(text_of(lock), one.start()), one[2].count("--hash")) for one in found]


@cache
def locked() -> dict[str, list[str]]:
    """Every package in the lock file with its versions, one for each marker."""
    found: dict[str, list[str]] = {}
    for pin, _, _ in pins(LOCK):
        requirement = Requirement(pin)
        found.setdefault(requirement.name, []).append(str(requirement.specifier).removeprefix("=="))
    return found


def wanted() -> list[str]:
    groups = project()["dependency-groups"]
    return [*project()["project"]["dependencies"], *groups["build"], *groups["dev"], *groups["docs"]]


def unlocked(requirement: str) -> Iterator[Problem]:
    asked, line = Requirement(requirement), line_with(text_of(PROJECT), f'"{requirement}"')
    versions = locked().get(asked.name)
    if not versions:
        yield Problem(PROJECT, line, f"{asked.name} is not locked", "run `make lock`")
    for version in versions or ():
        if not asked.specifier.contains(version):
            yield Problem(
                PROJECT, line, f"{asked.name} is locked at {version}, which is not allowed", "run `make lock`"
            )


def unsafe(lock: Path) -> Iterator[Problem]:
    """Packages of a lock file without a hash, or in another version than with the tools of developers."""
    versions = {pin for pin, _, _ in pins(LOCK)}
    for pin, line, hashes in pins(lock):
        if not hashes:
            yield Problem(lock, line, f"{pin} has no hash", "run `make lock`")
        if pin not in versions:
            yield Problem(lock, line, f"{pin} is another version than in {LOCK.name}", "run `make lock`")


def places(thing: tuple[Path, str]) -> Iterator[Problem]:
    """Lines of a lock file that name a place to download from."""
    file, text = thing
    for place in re.finditer(r"(?m)^(--|-i |-f )|https?:", text):
        yield Problem(file, line_at(text, place.start()), "it names a place to download from", "run `make lock`")


def untyped(package: str) -> Iterator[Problem]:
    if package not in INSTALLED:
        yield Problem(PROJECT, 1, f"the wheel would hold {package}", f"it holds {', '.join(INSTALLED)}")
    elif not (ROOT / package / "py.typed").exists():
        yield Problem(ROOT / package / "py.typed", 1, "it does not exist", "create it, for mypy reads our types then")


def packages() -> list[str]:
    listed: list[str] = project()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    return listed


CHECKS: Checks = (
    Check("dependencies are locked in a version that is allowed", wanted, unlocked),
    Check("what is locked has hashes, and one version", lambda: (LOCK, RUN_LOCK), unsafe),
    Check(
        "lock files name no place to download from",
        lambda: [(lock, text_of(lock)) for lock in (LOCK, RUN_LOCK)],
        places,
    ),
    Check("packages in the wheel are typed", packages, untyped),
)
