"""The printed tables, one TOML file a mat beside this one; a Coin Age mat is made from its map's file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from tablecoin.mat.charuco import CHARUCO
from tablecoin.mat.coin_age import coin_age, map_names
from tablecoin.mat.plan import Card, Circle, Marker, Mat, MatError, Rectangle, Zone
from tablecoin.rules.zones import ZoneKind

__all__ = [
    "Card",
    "Circle",
    "Marker",
    "Mat",
    "MatError",
    "Rectangle",
    "Zone",
    "ZoneKind",
    "coin_age",
    "every",
    "load",
    "names",
]

_PLAIN = ("two-row", "ring", "coin-wars")


def names() -> tuple[str, ...]:
    """Every mat that comes with tablecoin: the plain ones, and `coin-age:MAP` for each shipped map."""
    return *_PLAIN, *(f"coin-age:{name}" for name in map_names())


def load(name: str) -> Mat:
    """The mat of that name; `coin-age` alone is its classic map, `coin-age:PATH.toml` a player's.

    A game's name gives the mat it is played on; `charuco` is the board to measure a lens by. Raises MatError when
    there is none, naming those there are, or when a map's file is broken.
    """
    kind, _, chosen = name.partition(":")
    if kind == "coin-age":
        return coin_age(chosen or "classic")
    if name == CHARUCO.name:
        return CHARUCO
    for plain in _PLAIN:
        mat = _read(plain)
        if name == plain or name in mat.games:
            return mat
    raise MatError(f"There is no mat {name!r}: say one of {', '.join((*names(), CHARUCO.name))}.")


def every() -> tuple[Mat, ...]:
    """All mats, for recognizing one by its markers."""
    return tuple(load(name) for name in names())


@cache
def _read(name: str) -> Mat:
    raw = tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))
    raw["zones"], raw["markers"] = raw.pop("zone"), raw.pop("marker")
    return msgspec.convert(raw, Mat)
