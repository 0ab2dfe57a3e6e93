"""Real coins cut out of labelled photos, for the virtual table. They are kept in the user's cache, and never shipped.

Files are called `penny_heads_<photographer>_<n>.png` and so on: square pictures, the coin touching all four sides, the
format of `tablecoin.virtual.skin.Skin.folder`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.labels import Label, Photo
from calibration.scorecard import OURS
from lab import labels
from lab.training.folds import FOLDS
from tablecoin.cli.progress import progress
from tablecoin.coins import Denomination, Face
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.coins.crops import cut
from tablecoin.vision.coins.find import find
from tablecoin.vision.coins.refine import fitted
from tablecoin.vision.frame import Disc, Image

LEAST_RADIUS_PX = 36.0  # smaller coins would be enlarged, and show less than a camera over the mat sees
# Share of a circle's rays that must meet a rim in photos where not every coin has a label: there `_whole` does not know
# whether a coin lies on another one, and some labels are circles that a finder set beside their coin.
RIM = 0.65
INSET = 0.985  # of the radius: a cut a little inside the rim takes no background along
LIGHT = (35.0, 225.0)  # lowest and highest mean grey level of a coin that shows its relief
EXPOSED = 125.0  # mean grey level of coins in photos exposed for white paper; the virtual table's light starts there
WHITE, BURNT = 250.0, 0.01  # grey level of a burnt-out pixel, and the share of the coins' pixels that a gain may burn


def cut_out(photos: Iterable[Photo], images: Path, photographers: Collection[str], folder: Path) -> int:
    """Write the coins of `photographers` into `folder` and return how many.

    Hidden, small and dark coins are left out, and those whose rim is not found where they may lie on others.

    All coins of a photo get the same gain, as from one exposure: a camera over coins on white paper exposes for the
    paper, whatever the photo was exposed for. A coin darker than its neighbours stays darker. Such a camera burns
    out no relief that the photo shows: a photo of dark pennies is not brightened until its silver coins are white.
    """
    written = 0
    for photo in photos:
        if photo.photographer not in photographers:
            continue
        image = load_picture(images / photo.name)
        known = [label for label in photo.labels if label.denomination in OURS and label.face != "unknown"]
        known = [label for label in known if label.disc.r_px >= LEAST_RADIUS_PX and _whole(label, photo, image)]
        pictures = [
            (label, cut(image, [disc], min(256, int(2 * disc.r_px * INSET)), INSET)[0])
            for label, disc in zip(known, _circles(image, known, 0.0 if photo.complete else RIM), strict=True)
            if disc is not None
        ]
        pictures = [(label, picture) for label, picture in pictures if LIGHT[0] <= np.mean(picture) <= LIGHT[1]]
        gain = _gain([picture for _, picture in pictures]) if pictures else 1.0
        for label, picture in pictures:
            written += 1
            name = f"{label.denomination}_{label.face}_{photo.photographer}_{written:04}.png"
            cv2.imwrite(str(folder / name), cv2.convertScaleAbs(picture, alpha=gain))
    return written


def _gain(pictures: Sequence[Image]) -> float:
    """The factor that brings the coins of a photo to EXPOSED, and burns out no more of them than BURNT."""
    brightest = np.concatenate([picture.max(axis=2)[_disc(len(picture))] for picture in pictures])
    gain = EXPOSED / np.median([np.mean(picture) for picture in pictures])
    return float(min(gain, max(1.0, WHITE / np.quantile(brightest, 1 - BURNT))))


def _disc(side_px: int) -> NDArray[np.bool_]:
    """(side_px, side_px): the coin that touches all four sides, without its rim."""
    y, x = np.mgrid[:side_px, :side_px] - (side_px - 1) / 2
    return np.asarray(np.hypot(x, y) < 0.48 * side_px)


@dataclass(frozen=True, slots=True)
class Side:
    """A cut-out: one side of one coin."""

    denomination: Denomination
    face: Face
    owner: str  # the photographer
    picture: Path


def sides(photos: Path, kept: Path | None = None) -> list[Side]:
    """All cut-outs of the photographers in FOLDS. `photos`: the folder with scenes/labels.csv.

    They are made once and kept in the folder `kept`, by default the user's cache, until the labels or this file change.
    Raises LabelError, CameraError, OSError.
    """
    labelled = labels.read(photos)
    sources = photos / labels.TABLE, Path(__file__), Path(labels.__file__)
    made_from = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    folder = (kept or _cache()) / made_from[:12]
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        everybody = {name for fold in FOLDS for name in fold}
        with TemporaryDirectory(dir=folder.parent) as new, progress(labelled, "cutting coins out") as bar:
            cut_out(bar, photos / "scenes", everybody, Path(new))
            with suppress(OSError):  # another process was faster
                Path(new).rename(folder)
    return [_side(path) for path in sorted(folder.iterdir())]


def _side(path: Path) -> Side:
    """The Side of a file that `cut_out` wrote."""
    kind, face, rest = path.stem.split("_", 2)
    return Side(Denomination(kind), Face(face), rest.rpartition("_")[0], path)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "tablecoin" / "cutouts"


def _circles(image: Image, labels: Sequence[Label], rim: float) -> list[Disc | None]:
    """The circle found for each label, refined to its rim, of which at least the share `rim` shows; None where the
    finder and the label disagree.
    """
    fits = fitted(image, find(image).discs if labels else [])
    found = [disc for disc, held in zip(fits.discs, fits.held, strict=True) if held >= rim]
    return [next((disc for disc in found if _agrees(disc, label.disc)), None) for label in labels]


def _agrees(disc: Disc, label: Disc) -> bool:
    apart = np.hypot(disc.x_px - label.x_px, disc.y_px - label.y_px)
    return bool(apart < 0.1 * label.r_px and abs(disc.r_px / label.r_px - 1) < 0.1)


def _whole(label: Label, photo: Photo, image: Image) -> bool:
    """Whether the coin lies wholly in the picture and touches no other coin."""
    height, width = image.shape[:2]
    disc = label.disc
    inside = disc.r_px <= min(disc.x_px, disc.y_px, width - disc.x_px, height - disc.y_px)
    return inside and all(
        np.hypot(disc.x_px - other.disc.x_px, disc.y_px - other.disc.y_px) > 0.98 * (disc.r_px + other.disc.r_px)
        for other in photo.labels
        if other is not label
    )
