"""Checks of texts, all in one process: `python -m tests.texts`. A module a kind, each with its CHECKS."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from tests.texts.check import Check

KINDS = (
    "imports",
    "conditions",
    "code",
    "catalogues",
    "stories",
    "static",
    "pages",
    "documents",
    "hardware",
    "packages",
    "units",
)


def checks(kinds: Iterable[str] = KINDS) -> list[Check[Any]]:
    """The checks of these kinds."""
    return [check for kind in kinds for check in import_module(f"tests.texts.{kind}").CHECKS]
