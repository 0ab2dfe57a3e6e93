"""The file of remembered coins: how it is packed, and why a file is refused. It is carried from table to table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Face
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import arrays, durable
from tablecoin.vision.coins.looks import KINDS
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.remembered import MOST, SOURCES, Remembered, RememberedCoin

FILE = "known.npz"  # its name, beside the table's calibration
LARGEST_FILE = 4_000_000  # bytes; a full one has about 1,900,000
LARGEST_PICTURE = 6_000  # bytes of a coin's JPEG
_FACES = (None, Face.HEADS, Face.TAILS)
_TURNS = 4


class RememberedError(Complaint, ValueError):
    """A file of remembered coins cannot be used: why, and what to do."""


def packed(remembered: Remembered) -> bytes:
    """The file's content (.npz)."""
    coins = remembered.coins
    pictures = b"".join(coin.picture for coin in coins)
    empty = np.empty((0, _TURNS, 0))
    return arrays.packed(
        {
            "network": np.array(remembered.network),
            "features": np.stack([coin.features for coin in coins]).astype(np.float16) if coins else empty,
            "logits": np.stack([coin.logits for coin in coins]) if coins else empty,
            "kinds": np.array([BY_VALUE.index(coin.kind) for coin in coins], np.int8),
            "faces": np.array([_FACES.index(coin.face) for coin in coins], np.int8),
            "sources": np.array([SOURCES.index(coin.source) for coin in coins], np.int8),
            "events": np.array([coin.event for coin in coins], np.int64),
            "reliefs": np.array([coin.relief for coin in coins], np.float32),
            "pictures": np.frombuffer(pictures, np.uint8),
            "lengths": np.array([len(coin.picture) for coin in coins], np.int64),
        }
    )


def unpacked(data: bytes, network: str) -> Remembered:
    """What `packed` wrote. RememberedError when it is something else, or was remembered by another network."""
    try:
        parts = arrays.unpacked(data, LARGEST_FILE)
        found = str(parts["network"])
        coins = _coins(parts) if found == network else ()
    except (ValueError, KeyError, IndexError, TypeError):
        raise RememberedError(Message("remembered.none")) from None
    if found != network:
        raise RememberedError(Message("remembered.network"))
    return Remembered(network, coins)


def save(remembered: Remembered, path: Path) -> None:
    """Write `path`; after a power cut the file is the old one or the new one. Raises OSError."""
    durable.replace(path, packed(remembered))


def load(path: Path, network: str) -> Remembered:
    """Read what `save` wrote; nothing is remembered where there is no file. Raises RememberedError."""
    try:
        data = durable.read(path, LARGEST_FILE)
    except FileNotFoundError:
        return Remembered(network)
    except OSError as error:
        raise RememberedError(Message("remembered.unread", {"why": error.strerror or "?"})) from None
    return unpacked(data, network)


def _coins(parts: dict[str, NDArray[Any]]) -> tuple[RememberedCoin, ...]:
    """Raises ValueError, KeyError or IndexError where the parts are not those of `packed`."""
    count = len(parts["kinds"])
    if not count:
        return ()
    features, logits = parts["features"].astype(np.float32), parts["logits"].astype(np.float32)
    lengths, reliefs = parts["lengths"], parts["reliefs"]
    shapes = features.shape == (count, _TURNS, FEATURES) and logits.shape == (count, _TURNS, KINDS + 1)
    shapes = shapes and reliefs.shape == (count,)
    finite = all(np.isfinite(part).all() for part in (features, logits, reliefs))
    numbers = finite and (reliefs >= 0).all() and (parts["events"] >= 0).all()
    small = count <= MOST and ((lengths > 0) & (lengths <= LARGEST_PICTURE)).all()
    if not (shapes and numbers and small and lengths.sum() == len(parts["pictures"])):
        raise ValueError("its parts do not fit together")
    ends = np.cumsum(lengths)
    pictures = [parts["pictures"][end - length : end].tobytes() for end, length in zip(ends, lengths, strict=True)]
    if not all(picture.startswith(b"\xff\xd8") for picture in pictures):
        raise ValueError("a picture is no JPEG")
    named: Callable[[str], list[int]] = lambda name: [int(number) for number in parts[name]]  # noqa: E731
    rows = zip(named("kinds"), named("faces"), named("sources"), named("events"), strict=True)
    return tuple(
        RememberedCoin(
            features[k], logits[k], BY_VALUE[kind], _FACES[face], SOURCES[source], event, pictures[k], float(reliefs[k])
        )
        for k, (kind, face, source, event) in enumerate(rows)
    )
