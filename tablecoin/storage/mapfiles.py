"""Where Coin Age maps lie: the files that come with tablecoin, and the players' own in the data folder.

The rules read the graph from a map's file and the mat what is printed, so both find it here.
A map that was taught from a photo has the picture of its card beside it.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from tablecoin.storage import durable

LARGEST_FILE = 100_000  # bytes; the shipped maps have about 3,000
OWN_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,29}")

_folders: list[Path] = []


class MapFileError(ValueError):
    """A map's file cannot be found or read: `str()` is one sentence without its full stop."""


def look_also_in(folder: Path) -> None:
    """From now on the maps in `folder`, which need not exist yet, are known by name. The last added goes first."""
    if folder in _folders:
        _folders.remove(folder)
    _folders.insert(0, folder)


@cache
def shipped() -> tuple[str, ...]:
    """The maps that come with tablecoin, in alphabetical order."""
    names = (file.name for file in (files("tablecoin") / "rules" / "coin_age" / "maps").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def own() -> tuple[str, ...]:
    """The players' own maps, in alphabetical order."""
    found = set()
    for folder in _folders:
        with suppress(OSError):  # a folder that cannot be read has no maps to offer
            found |= {path.stem for path in folder.glob("*.toml") if OWN_NAME.fullmatch(path.stem)}
    return tuple(sorted(found - set(shipped())))


def name_of(name_or_path: str) -> str:
    """The map's name: the name itself, or a file's name without its ending."""
    return Path(name_or_path).stem if name_or_path.endswith(".toml") else name_or_path


def text(name_or_path: str) -> str:
    """The TOML of a shipped map or a player's own, by its name or by its file's path. Raises MapFileError."""
    if name_or_path in shipped():
        return _shipped(name_or_path)
    path = _path(name_or_path)
    try:
        return durable.read(path, LARGEST_FILE).decode()
    except FileNotFoundError:
        raise MapFileError(f"map {path.name}: there is no such file; check its path") from None
    except OSError as error:
        raise MapFileError(f"map {path.name}: it cannot be read ({error.strerror}); give a .toml file") from None
    except ValueError:
        raise MapFileError(f"map {path.name}: it cannot be read as UTF-8 text") from None


def beside(name_or_path: str, file_name: str) -> Path:
    """The path of a file that a player's map names, which lies beside it. Raises MapFileError."""
    return _path(name_or_path).with_name(Path(file_name).name)


@cache
def _shipped(name: str) -> str:
    return (files("tablecoin") / "rules" / "coin_age" / "maps" / f"{name}.toml").read_text("utf-8")


def _path(name_or_path: str) -> Path:
    if name_or_path.endswith(".toml"):
        return Path(name_or_path)
    if OWN_NAME.fullmatch(name_or_path):
        for folder in _folders:
            with suppress(OSError):
                if (path := folder / f"{name_or_path}.toml").is_file():
                    return path
    known = ", ".join((*shipped(), *own()))
    raise MapFileError(f"there is no map {name_or_path[:60]!r}: choose one of {known}, or give a .toml file")
