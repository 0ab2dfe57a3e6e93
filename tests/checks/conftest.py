"""gpiozero's mock pins, as the panel's own tests have them."""

from __future__ import annotations

from tests.panel.conftest import factory

__all__ = ["factory"]
