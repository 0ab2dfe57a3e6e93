"""Short pauses for tests with a broker."""

from __future__ import annotations

from tests.mosquitto import quick

__all__ = ["quick"]
