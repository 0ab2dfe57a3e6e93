"""What every test shares: property tests are never timed."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tablecoin", deadline=None)
settings.load_profile("tablecoin")
