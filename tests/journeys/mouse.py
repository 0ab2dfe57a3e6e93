"""A person's mouse over the drawn table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablecoin.mat import Mat

if TYPE_CHECKING:
    from playwright.sync_api import Page

Point = tuple[float, float]


def on_page(page: Page, mat: Mat, x_mm: float, y_mm: float) -> Point:
    """Where a place on the mat lies in the window, in CSS pixels."""
    box = page.get_by_test_id("mat").bounding_box()
    assert box
    return box["x"] + x_mm * box["width"] / mat.width_mm, box["y"] + y_mm * box["height"] / mat.height_mm


def drag(page: Page, start: Point, end: Point) -> None:
    """Press at `start`, move to `end` and let go: both in CSS pixels."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=2)
    page.mouse.move(*end, steps=2)
    page.mouse.up()
