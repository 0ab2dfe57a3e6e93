"""gpiozero's mock pins, and short pauses with a broker; the mat is drawn before the first test."""

from __future__ import annotations

import pytest

from tests.mosquitto import quick
from tests.panel.conftest import factory
from tests.scenes import Scenes

__all__ = ["factory", "quick"]


@pytest.fixture(scope="session", autouse=True)
def _drawn_mats(scenes: Scenes) -> None:
    """The two-row mat is drawn with `scenes`."""


@pytest.fixture(autouse=True)
def _kept_readings(scenes: Scenes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that was read before is not read again: these tests are about what is made of a Reading."""
    monkeypatch.setattr("tablecoin.checks.doctor.Reader", scenes.reader)
