"""Memory over many lessons, photos and replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.enduring.memory import Grown, grown


@pytest.mark.parametrize(("most_mb", "flat"), [(240.0, True), (280.1, False)])
def test_memory_is_flat_while_it_grows_by_40_mb_at_most(most_mb: float, flat: bool) -> None:
    assert Grown("lessons", 300, 0, 200.0, 240.0, most_mb, 230.0).is_flat is flat


@pytest.mark.long
@pytest.mark.timeout(600)
def test_memory_is_flat_over_lessons_photos_and_replays(tmp_path: Path) -> None:
    measured = list(grown(tmp_path / "data", 50))
    assert [each.kind for each in measured] == ["lessons", "photos", "replays"]
    assert [each for each in measured if each.refused] == []
    assert [each for each in measured if not each.is_flat] == []
