"""The mats of this room, drawn before its first test."""

from __future__ import annotations

import pytest

from tests.scenes import Scenes


@pytest.fixture(scope="session", autouse=True)
def _drawn_mats(scenes: Scenes) -> None:
    """The two-row mat is drawn with `scenes`."""
    scenes.draw("ring", "coin-age:classic")
