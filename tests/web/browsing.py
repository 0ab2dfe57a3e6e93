"""What the browser's tests share."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator


def box_of(locator: Locator) -> FloatRect:
    """Where an element that is shown stands on the page, in pixels."""
    box = locator.bounding_box()
    assert box is not None, f"{locator} is not shown"
    return box
