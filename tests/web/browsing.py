"""What the browser's tests share."""

from __future__ import annotations

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
