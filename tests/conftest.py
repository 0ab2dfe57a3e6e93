"""What every test shares: no timed property tests, no maps taught by another test, and one browser for all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from tablecoin.rules.coin_age import maps
from tablecoin.storage import mapfiles

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

settings.register_profile("tablecoin", deadline=None)
settings.load_profile("tablecoin")


@pytest.fixture(autouse=True)
def _own_maps_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folders of players' maps that a test makes known, and what was read of them, are no other test's."""
    monkeypatch.setattr(mapfiles, "_folders", [])
    yield
    maps.load.cache_clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, driven by Playwright; the journey is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    sync_api = pytest.importorskip("playwright.sync_api")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield chromium
        chromium.close()
