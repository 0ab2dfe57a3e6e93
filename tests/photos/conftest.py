"""The mats of this room, drawn before its first test."""

from __future__ import annotations

import pytest

from tests.scenes import Scenes


@pytest.fixture(scope="session", autouse=True)
def _drawn_mats(scenes: Scenes) -> None:
    scenes.draw("coin-age:classic", "coin-age:forest")


@pytest.fixture(autouse=True)
def _kept_readings(scenes: Scenes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that was read before is not read again: these tests are about what is made of a Reading."""
    monkeypatch.setattr("tablecoin.photos.look.Reader", scenes.reader)
    monkeypatch.setattr("tablecoin.photos.score.Reader", scenes.reader)
