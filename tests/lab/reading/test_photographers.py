"""Real photos read by the network that never saw their photographer. Skipped where the photos are not."""

from __future__ import annotations

import pytest

from calibration.labels import read_labels
from lab import held_out, photos
from lab.reading import photographers

FEW = "PerspectiveProjection"  # the folder with the fewest photos that has several coins


@pytest.mark.photos
@pytest.mark.long
def test_a_photographer_is_counted_whole() -> None:
    if not photos.BESIDE.is_dir():
        pytest.skip("the photos of real coins are not beside the checkout")
    try:
        held_out.name()
    except held_out.NotTrained as missing:
        pytest.skip(str(missing))
    some = [one for one in read_labels(photos.BESIDE / "scenes/labels.csv") if one.folder == FEW]
    card = photographers.together(list(photographers.read(some, photos.BESIDE / "scenes", processes=1)))
    score = card.folders[FEW]
    assert (score.pictures, score.found + score.missed) == (len(some), sum(len(one.labels) for one in some))
    assert score.found > 0.8 * score.coins
