"""Wrong labels that were found are put right, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.labels import Label, read_labels
from lab import labels, photos

TABLE = """image,cx_px,cy_px,r_px,denomination,face,complete
ArthurGoshtasby/69.jpg,581.4,297.4,74.9,quarter,heads,yes
ArthurGoshtasby/69.jpg,586.1,493.0,74.8,quarter,heads,yes
ann/69.jpg,581.4,297.4,74.9,quarter,heads,yes
KewenLin/coinRecognition13.jpg,1616.5,516.6,76.2,penny,tails,yes
"""


def test_the_drummer_of_1976_is_tails_and_his_neighbour_stays_heads(tmp_path: Path) -> None:
    (tmp_path / "scenes").mkdir()
    (tmp_path / labels.TABLE).write_text(TABLE)
    faces = [label.face for photo in labels.read(tmp_path) for label in photo.labels]
    assert faces == ["tails", "heads", "heads", "tails"]


def test_a_label_beside_its_coin_is_moved_there(tmp_path: Path) -> None:
    (tmp_path / "scenes").mkdir()
    (tmp_path / labels.TABLE).write_text(TABLE)
    places = [(label.disc.x_px, label.disc.y_px) for photo in labels.read(tmp_path) for label in photo.labels]
    assert places == [(581.4, 297.4), (586.1, 493.0), (581.4, 297.4), (1563.6, 552.5)]


@pytest.mark.skipif(not photos.BESIDE.is_dir(), reason="the photos are not here")
def test_each_correction_changes_one_label_of_the_photos() -> None:
    def known(label: Label) -> tuple[float, float, str]:
        return label.disc.x_px, label.disc.y_px, label.face

    before, after = read_labels(photos.BESIDE / labels.TABLE), labels.read(photos.BESIDE)
    changed = [
        (photo.name, *known(old)[:2])
        for photo, corrected in zip(before, after, strict=True)
        for old, new in zip(photo.labels, corrected.labels, strict=True)
        if known(old) != known(new)
    ]
    assert sorted(changed) == sorted([*labels.FACES, *labels.PLACES])
