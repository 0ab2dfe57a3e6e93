"""What the browser's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page


def box_of(locator: Locator) -> FloatRect:
    """Where an element that is shown stands on the page, in pixels."""
    box = locator.bounding_box()
    assert box is not None, f"{locator} is not shown"
    return box


def open_form(page: Page) -> None:
    """Go from the home to the form that starts a game."""
    page.get_by_test_id("road-start").click()
    page.get_by_test_id("start").wait_for()


def module(page: Page, name: str) -> str:
    """The address of a module that `page` uses, for `import()`: the same one, with its language loaded."""
    icon = page.locator("link[rel=icon]").get_attribute("href")
    assert icon is not None
    return f"{icon.removesuffix('icon.svg')}js/{name}.js"


AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
_OFFENCES = """async () => (await axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "label-content-name-mismatch": { enabled: true } },
})).violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.html.slice(0, 160)}`))"""


def offences(page: Page) -> list[str]:
    """What axe-core finds wrong on the page once all has loaded: the rule, where, and the element.

    On a busy machine parts of a page come late, so what is found is looked at again for ten seconds. Skips without
    axe-core.
    """
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(_OFFENCES)
    for _ in range(10):
        if not found:
            break
        page.wait_for_timeout(1000)
        found = page.evaluate(_OFFENCES)
    return found
