"""What the networks learn from: which coins of a photo, and how often each is drawn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.training.cropset import LARGE_SIDE_PX, NONE, REACH, SIDE_PX, UNKNOWN, CropSet, build
from lab.training.shares import weights

LABELS = """image,cx_px,cy_px,r_px,denomination,face,complete
ann/table.png,100,100,40,penny,heads,yes
ann/table.png,300,100,40,quarter,tails,yes
ann/table.png,500,100,40,dime,unknown,yes
ann/table.png,700,100,40,dollar,heads,yes
bob/rug.png,100,100,20,nickel,tails,no
"""


def labelled(folder: Path) -> Path:
    """Two photos of discs on grey ground; each disc is so bright as its place from the left tells."""
    (folder / "scenes").mkdir()
    (folder / "scenes/labels.csv").write_text(LABELS)
    for line in LABELS.splitlines()[1:]:
        name, x, y, radius = line.split(",")[:4]
        path = folder / "scenes" / name
        path.parent.mkdir(exist_ok=True)
        picture = cv2.imread(str(path)) if path.exists() else np.full((200, 800, 3), 30, np.uint8)
        assert picture is not None
        cv2.circle(picture, (int(x), int(y)), int(radius), (50 + int(x) // 4,) * 3, -1)
        cv2.imwrite(str(path), picture)
    return folder


@pytest.mark.parametrize("side_px", [SIDE_PX, LARGE_SIDE_PX])
def test_coins_are_cut_out_at_their_labels(tmp_path: Path, side_px: int) -> None:
    crops = build(labelled(tmp_path), side_px)
    assert crops.pixels.shape[1:] == (side_px, side_px, 3)
    coins = crops[crops.coin]
    told = zip(coins.kind.tolist(), coins.heads.tolist(), coins.source.tolist(), strict=True)
    assert list(told) == [
        (0, 1, "ann"),
        (3, 0, "ann"),
        (2, UNKNOWN, "ann"),
        (NONE, UNKNOWN, "odd"),  # a dollar is none of ours
        (1, 0, "bob"),
    ]
    middle, radius = side_px // 2, side_px / 2 / REACH
    assert coins.pixels[:, middle, middle, 0].tolist() == [75, 125, 175, 225, 75], "the coin lies in the middle"
    inside, outside = middle + int(0.9 * radius), middle + int(1.15 * radius)
    assert coins.pixels[:, middle, inside, 0].tolist() == [75, 125, 175, 225, 75], "its rim is one radius away"
    assert coins.pixels[:, middle, outside, 0].tolist() == [30] * 5
    assert set(crops[~crops.coin].source) <= {"background", "invented"}
    assert "bob" not in crops[~crops.coin].photographer, "only where every coin is labelled the rest is no coin"


def test_a_photo_that_is_missing_is_named(tmp_path: Path) -> None:
    (labelled(tmp_path) / "scenes/bob/rug.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"bob/rug\.png is named in labels\.csv but cannot be read"):
        build(tmp_path)


def crop_set(rows: list[tuple[str, int, int]]) -> CropSet:
    """Empty crops of these (photographer, kind, heads)."""
    names, kinds, heads = (np.array(column) for column in zip(*rows, strict=True))
    pixels = np.zeros((len(rows), 1, 1, 3), np.uint8)
    return CropSet(pixels, kinds, heads, names, names, np.ones(len(rows), bool))


EVEN = (1.0,) * 5


@pytest.mark.parametrize(
    ("rows", "shares", "kind_shares", "expected"),
    [
        ([("ann", 0, 1)] * 4 + [("bob", 0, 1)], {}, EVEN, [1, 1, 1, 1, 2]),  # photographers by the root of their size
        ([("ann", 0, 1)] * 4 + [("bob", 0, 1)], {"bob": 6.0}, EVEN, [1, 1, 1, 1, 12]),
        ([("ann", 0, 1)] * 4 + [("ann", 0, 0)], {}, EVEN, [1, 1, 1, 1, 4 / 2**0.5]),  # the rarer face more often
        ([("ann", 0, 1), ("ann", 3, 1)], {}, (1.0, 1.0, 1.0, 1.6, 1.0), [1, 1.6]),
        # Only the sides of coins are made equal to each other.
        ([("ann", 0, 1), ("ann", NONE, UNKNOWN)], {}, (1.0, 1.0, 1.0, 1.0, 3.0), [1, 3 / 2**0.25]),
    ],
)
def test_how_often_a_crop_is_drawn(
    rows: list[tuple[str, int, int]], shares: dict[str, float], kind_shares: tuple[float, ...], expected: list[float]
) -> None:
    drawn = weights(crop_set(rows), shares, kind_shares)
    assert drawn.sum() == pytest.approx(1)
    assert (drawn / drawn[0] * expected[0]).tolist() == pytest.approx(expected)
