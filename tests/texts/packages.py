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

LOCK, PROJECT = ROOT / "requirements-dev.lock", ROOT / "pyproject.toml"
INSTALLED = ("tablecoin", "calibration", "web")


@cache
def project() -> dict[str, Any]:
    return tomllib.loads(text_of(PROJECT))


@cache
def locked() -> dict[str, list[str]]:
    """Every package in the lock file with its versions, one for each marker."""
    found: dict[str, list[str]] = {}
    for line in text_of(LOCK).splitlines():
        if line and line[0] not in " #":
            requirement = Requirement(line)
            found.setdefault(requirement.name, []).append(str(requirement.specifier).removeprefix("=="))
    return found


def wanted() -> list[str]:
    groups = project()["dependency-groups"]
    return [*project()["project"]["dependencies"], *groups["dev"], *groups["docs"]]


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
    Check("the lock file names no place to download from", lambda: [(LOCK, text_of(LOCK))], places),
    Check("packages in the wheel are typed", packages, untyped),
)
