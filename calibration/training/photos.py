"""The labelled photos, read: one Label a coin, pictures grouped by the photographer's folder."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from tablecoin.vision.frame import Disc

# The same school exercise, shared between two repositories: one photographer as far as a split goes.
TOGETHER = {"lizajivnani": "rajasb921"}


@dataclass(frozen=True, slots=True)
class Label:
    """One coin somebody labelled by eye."""

    disc: Disc
    denomination: str  # penny, nickel, dime, quarter, dollar, other
    face: str  # heads, tails, unknown


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled picture."""

    name: str  # path below the scenes folder
    labels: tuple[Label, ...]
    complete: bool  # every coin in it has a label

    @property
    def folder(self) -> str:
        return self.name.split("/")[0]

    @property
    def photographer(self) -> str:
        return TOGETHER.get(self.folder, self.folder)


def read_labels(path: Path) -> list[Photo]:
    """All photos of a labels.csv (columns image, cx_px, cy_px, r_px, denomination, face, complete)."""
    labels: dict[str, list[Label]] = defaultdict(list)
    complete: dict[str, bool] = {}
    with path.open(newline="") as rows:
        for row in csv.DictReader(rows):
            disc = Disc(float(row["cx_px"]), float(row["cy_px"]), float(row["r_px"]))
            labels[row["image"]].append(Label(disc, row["denomination"], row["face"]))
            complete[row["image"]] = row["complete"] == "yes"
    return [Photo(name, tuple(coins), complete[name]) for name, coins in labels.items()]
