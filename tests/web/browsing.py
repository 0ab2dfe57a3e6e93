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
_OFFENCES = """async () => {
  const asked = {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "label-content-name-mismatch": { enabled: true } },
    resultTypes: ["violations"],
  };
  const gaveUp = new Promise((told) => { setTimeout(() => told(true), 10_000); });
  const changed = () => new Promise((told) => {
    const seen = new MutationObserver(() => told(false));
    seen.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });
  const covered = (node) => { // by an open menu: then it is no target
    const place = document.querySelector(node.target[0]).getBoundingClientRect();
    const top = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
    return top && !top.closest(node.target[0]);
  };
  const say = (rule) => rule.nodes.filter((node) => rule.id !== "target-size" || !covered(node))
    .map((node) => `${rule.id}: ${node.target} ${node.html.slice(0, 160)}`);
  for (;;) {
    const change = changed();
    const found = (await axe.run(document, asked)).violations.flatMap(say);
    if (!found.length || await Promise.race([change, gaveUp])) return found;
  }
}"""


def offences(page: Page) -> list[str]:
    """What axe-core finds wrong on the page once all has loaded: the rule, where, and the element.

    On a busy machine parts of a page come late, so where something is found the page is looked at again whenever
    it changes, for ten seconds. Skips without axe-core.
    """
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(_OFFENCES)
    return found


_CUT = """() => {
  const scrolls = (style) => /auto|scroll/.test(style.overflowX);
  const clips = (style) => /hidden|clip/.test(style.overflowX + style.overflowY);
  const over = (one, box) => one.right > box.right + 1 || one.left < box.left - 1 || one.bottom > box.bottom + 2
    || one.top < box.top - 2;
  const say = (element, what) => `${what}: ${element.id || element.className || element.tagName} `
    + element.textContent.trim().slice(0, 60);
  const found = new Set();
  if (document.documentElement.scrollWidth > innerWidth) {
    found.add(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  for (const each of document.querySelectorAll("body :not([tabindex], pre, textarea)")) {
    if (!scrolls(getComputedStyle(each)) || !each.checkVisibility()) continue;
    if (each.scrollWidth > each.clientWidth + 1) found.add(say(each, "scrolls sideways"));
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !of.checkVisibility({ visibilityProperty: true })) continue;
    if (of.closest(".hidden, .brand, .skip, svg, option, noscript")) continue;
    const around = [];
    for (let each = of; each !== document.body; each = each.parentElement) around.push(each);
    if (around.some((each) => scrolls(getComputedStyle(each)))) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const text of range.getClientRects()) {
      if (text.width && (text.right > innerWidth + 1 || text.left < -1)) found.add(say(of, "beside the page"));
      if (around.some((each) => clips(getComputedStyle(each)) && over(text, each.getBoundingClientRect()))) {
        found.add(say(of, "cut off"));
      }
    }
  }
  return [...found];
}"""


def cut_off(page: Page) -> list[str]:
    """What a person cannot see in full without scrolling sideways: a page too wide, a text too long for its place.

    A table or a log that scrolls within a place of its own, which keys reach, is in order.
    """
    found: list[str] = page.evaluate(_CUT)
    return found
