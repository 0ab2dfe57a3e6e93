"""Labelled photos: one Label per coin, pictures grouped by the photographer's folder."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from tablecoin.storage import given
from tablecoin.vision.frame import Disc

# Photos of one school exercise in two repositories: for splits they count as one photographer's.
TOGETHER = {"lizajivnani": "rajasb921"}

COLUMNS = {"image", "cx_px", "cy_px", "r_px", "denomination", "face", "complete"}
DENOMINATIONS = {"penny", "nickel", "dime", "quarter", "dollar", "other"}
FACES = {"heads", "tails", "unknown"}
COMPLETE = {"yes": True, "no": False}
LARGEST_FILE = 16 << 20  # bytes; a hundred thousand labels take about 6 MB


@dataclass(frozen=True, slots=True)
class Label:
    """One coin, labelled by eye."""

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


class LabelError(ValueError):
    """A labels file cannot be used; `str()` is one sentence: what is wrong and what to do."""


def read_labels(path: Path) -> list[Photo]:
    """All photos of a labels.csv with the columns COLUMNS. Raises LabelError."""
    labels: dict[str, list[Label]] = defaultdict(list)
    complete: dict[str, bool] = {}
    try:
        text = given.read(path, LARGEST_FILE).decode("utf-8-sig")  # spreadsheets write a byte order mark
        rows = csv.DictReader(io.StringIO(text, newline=""))
        if missing := COLUMNS - set(rows.fieldnames or ()):
            raise LabelError(
                f"{path} has no column {', '.join(sorted(missing))}: it needs {', '.join(sorted(COLUMNS))}."
            )
        for row in rows:
            here = f"{path}, line {rows.line_num}"
            if not row["image"] or "\0" in row["image"]:
                raise LabelError(f"{here}: the picture has no name: write its path below the folder of the pictures.")
            try:
                disc = Disc(float(row["cx_px"]), float(row["cy_px"]), float(row["r_px"]))
            except (TypeError, ValueError):
                raise LabelError(f"{here}: the circle's numbers cannot be read: write three, in pixels.") from None
            if not (math.isfinite(disc.x_px) and math.isfinite(disc.y_px) and 0 < disc.r_px < math.inf):
                raise LabelError(f"{here}: the circle's numbers make no circle: write its centre and radius in pixels.")
            if row["denomination"] not in DENOMINATIONS or row["face"] not in FACES:
                raise LabelError(
                    f"{here}: no such coin as {row['denomination']}:{row['face']};"
                    f" say one of {', '.join(sorted(DENOMINATIONS))} and {', '.join(sorted(FACES))}."
                )
            if row["complete"] not in COMPLETE:
                raise LabelError(
                    f"{here}: complete is {row['complete']!r}: say yes where every coin has a label, or no."
                )
            labels[row["image"]].append(Label(disc, row["denomination"], row["face"]))
            complete[row["image"]] = COMPLETE[row["complete"]]
    except OSError as error:
        raise LabelError(f"{path} cannot be read ({error.strerror}): give the labels file.") from None
    except (UnicodeDecodeError, csv.Error):
        raise LabelError(f"{path} is not a text table: give a .csv file.") from None
    if not labels:
        raise LabelError(f"{path} holds no labels: give a file with at least one coin.")
    return [Photo(name, tuple(coins), complete[name]) for name, coins in labels.items()]
