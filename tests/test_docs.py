"""What the pages for people name is there: links, pictures, files and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablecoin.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), ROOT / "systemd" / "INSTALL.md"]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@EACH_PAGE
def test_every_link_and_picture_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@EACH_PAGE
def test_every_file_named_is_there(page: Path) -> None:
    named = re.findall(r"`((?:tablecoin|calibration|web|tests|docs|systemd)/[\w./-]+)`", page.read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@EACH_PAGE
def test_every_command_named_is_one(page: Path) -> None:
    text = page.read_text("utf-8")
    code = "\n".join(re.findall(r"`([^`\n]+)`", text) + re.findall(r"(?m)^    (\S.*)$", text))
    for name in re.findall(r"(?m)^(?:\S*/bin/)?tablecoin ([a-z]+)\b", code):
        assert name in main.commands, name
    for module in re.findall(r"python -m ([\w.]+)", code):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists() or module == "pytest", module
