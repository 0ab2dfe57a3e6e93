"""Every photographer's photos read by the network that never saw them: the counts of the model card.

Anybody with the photos can count again in minutes, without training: the networks lie in `lab/held_out/`.
"""

from __future__ import annotations

import datetime
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import cv2

from calibration.labels import Photo
from calibration.scorecard import POOLED, Card, Score, compile_card, read_from
from lab import held_out
from tablecoin.vision.coins.network import Identifier, Networks


def read(photos: Sequence[Photo], images: Path, processes: int) -> Iterator[Card]:
    """The scorecard of each photo, by the network that was held out for it.

    Raises NotTrained, CameraError: a photo is missing or is no picture.
    """
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(partial(_one, images), photos)


def _one(images: Path, photo: Photo) -> Card:
    fold = held_out.fold_of(photo)
    if fold is None:
        raise ValueError(f"{photo.name} is of a photographer whom every network has seen")
    cv2.setNumThreads(1)
    return compile_card([photo], read_from(images, _identifier(fold)))


@cache
def _identifier(fold: int) -> Identifier:
    return Identifier(held_out.networks(fold))


def together(cards: Sequence[Card]) -> Card:
    """One card with the folders in the order met and `all` last; without its curve and confusion."""
    folders: dict[str, Score] = {}
    for one in cards:
        for name, score in one.folders.items():
            if name != POOLED:
                folders[name] = folders.get(name, Score()) + score
    total = sum(folders.values(), Score())
    return Card({**folders, POOLED: total}, tuple(m for one in cards for m in one.mistakes), {}, ())


def rewritten(text: str, folders: Mapping[str, Score]) -> str:
    """The text of held_out.toml with these folders' counts, of today, in place of those that stand there."""
    told = {
        "measured": f"{datetime.date.today():%Y-%m-%d}",
        "how": f'"lab read held-out, code {_code()}; thresholds chosen on other readings"',
        "networks": f'"{held_out.name()}"  # the common name of lab/held_out/*.onnx',
    }
    said = "".join(f"{key} = {value}\n" for key, value in told.items())
    text = re.sub(r'^network = "\w+"', f'network = "{Networks.shipped().name}"', text, flags=re.MULTILINE)
    text = re.sub(r"^\[held_out\]\n(?:\w+ = .*\n)+", f"[held_out]\n{said}", text, flags=re.MULTILINE)
    head, _, rest = text.partition("[[folder]]\n")
    return head + "".join(map(_row, folders.items())) + rest[rest.index("[[measure]]\n") :]


def _row(folder: tuple[str, Score]) -> str:
    name, score = folder
    counts = "".join(f"{key} = {getattr(score, key)}\n" for key in Score.__struct_fields__)
    return f'[[folder]]\nname = "{name}"\n{counts}\n'


def _code() -> str:
    """The commit that is checked out, with a + where files were changed since."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return told.stdout.strip() or "unknown"
