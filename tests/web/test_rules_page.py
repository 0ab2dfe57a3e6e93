"""The rulebook on paper: on sheets that lie wide, text and pictures side by side, no line covers another."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, PdfMargins

from tablecoin import rules

pytestmark = pytest.mark.browser

_WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</word>')
_MEETS_PT = 7.0  # as high as that, two words lie on each other; the boxes of neighbouring lines touch
_LETTERS = 4  # of a word of the text; shorter ones stand in the pictures too
_MARGINS: PdfMargins = {"top": "10mm", "right": "10mm", "bottom": "10mm", "left": "10mm"}


@pytest.mark.parametrize("game", ["steal", *(pytest.param(game, marks=pytest.mark.long) for game in rules.NAMES[1:])])
def test_no_line_of_a_printed_rulebook_covers_another(page: Page, tmp_path: Path, game: str) -> None:
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed: poppler-utils")
    page.goto(f"{page.url}rules/{game}")
    page.get_by_test_id("rules").locator("li").first.wait_for()
    page.locator(".told li").first.wait_for()
    page.pdf(path=tmp_path / "rules.pdf", format="A4", landscape=True, margin=_MARGINS)
    told = subprocess.run(
        ["pdftotext", "-bbox", tmp_path / "rules.pdf", "-"], capture_output=True, text=True, check=True
    )
    sheets = told.stdout.split("<page ")[2:]  # the first sheet begins with the title, whose letters are higher
    assert [each for sheet in sheets for each in _covered(sheet)] == []
    assert all(_WORD.search(sheet) for sheet in sheets), "an empty sheet"


def _covered(sheet: str) -> list[str]:
    found = [each for each in _WORD.findall(sheet) if len(each[-1]) >= _LETTERS]
    words = [(float(x0), float(y0), float(x1), float(y1), word) for x0, y0, x1, y1, word in found]
    return [
        f"{one} lies on {other}"
        for k, (left, top, right, bottom, one) in enumerate(words)
        for x0, y0, x1, y1, other in words[:k]
        if min(right, x1) - max(left, x0) > 1 and min(bottom, y1) - max(top, y0) > _MEETS_PT
    ]
