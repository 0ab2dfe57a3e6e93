"""tablecoin.toml: read once, checked whole, frozen. Flags on the command line go before it, defaults come after it.

data = "/srv/tablecoin"

[camera]                    # tablecoin.vision.cameras.camera.CameraOptions, and
source = "usb:0"

[table]
still_s = 0.8

[panel]                     # tablecoin.panel.panel.PanelOptions, and
kind = "gpio"
[panel.pins]
heads_done = 5

[web]
host = "0.0.0.0"
hosts = ["coins.example"]

[virtual]
skin = "my-coins"

docs/settings.md lists every key.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from tablecoin.panel.panel import Choice, PanelOptions
from tablecoin.storage import durable
from tablecoin.vision.cameras.camera import CameraOptions

DEFAULT_FILE = Path("tablecoin.toml")
LARGEST_FILE = 1 << 20  # bytes


class SettingsError(ValueError):
    """tablecoin.toml cannot be used: one sentence that names the key and says what to write."""


class CameraSettings(CameraOptions, frozen=True, forbid_unknown_fields=True):
    """The camera's options, and which camera."""

    source: str = "auto"  # pi, usb:N, file:PATH, virtual or auto


class PanelSettings(PanelOptions, frozen=True, forbid_unknown_fields=True):
    """The panel's options, and which panel."""

    kind: Choice = "auto"


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies under the camera, and when it may be ruled on."""

    mat: str = "auto"  # a mat's name; auto: any known one that is seen
    still_s: Annotated[float, msgspec.Meta(ge=0.1, le=10)] = 0.6  # nothing may move for so long before a ruling
    language: Literal["auto", "en", "zh"] = "auto"  # a page's until somebody switches it; auto: as its browser is set


class WebSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served. 127.0.0.1 is this machine alone; 0.0.0.0 every phone in the house."""

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8000  # 0 = any free one
    hosts: tuple[str, ...] = ()  # names it answers to, besides its addresses and the machine's own name


class VirtualSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table without hardware."""

    skin: str = ""  # a folder of pictures of coins, as tablecoin.virtual.skin takes them; empty: drawn ones


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    camera: CameraSettings = CameraSettings()
    table: TableSettings = TableSettings()
    panel: PanelSettings = PanelSettings()
    web: WebSettings = WebSettings()
    virtual: VirtualSettings = VirtualSettings()
    data: str = ""  # the folder of journal, evidence and calibration; empty: the system's place for it

    @property
    def data_dir(self) -> Path:
        """`data`, else systemd's state directory, else ~/.local/share/tablecoin. Whoever writes first makes it."""
        if self.data:
            return Path(self.data).expanduser()
        if given := os.environ.get("STATE_DIRECTORY"):
            return Path(given.split(":")[0])
        home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(home).expanduser() / "tablecoin"

    @property
    def maps_dir(self) -> Path:
        """Where the players' own maps lie."""
        return self.data_dir / "maps"


def load(path: Path | None = None) -> Settings:
    """The settings in `path`; with None those in ./tablecoin.toml, or the defaults where there is none.

    Raises SettingsError: the file was asked for and is not there, is not TOML, or says something that cannot be.
    """
    file = path or DEFAULT_FILE
    try:
        text = durable.read(file, LARGEST_FILE).decode()
    except FileNotFoundError:
        if path is None:
            return Settings()
        raise SettingsError(f"There is no file {file}: check the path after --config.") from None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"{file} cannot be read ({why}): make it a text file you may read.") from None
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML ({error}): put that line right.") from None
    return _checked(raw, str(file), {})


def with_flags(
    settings: Settings,
    *,
    camera: str | None = None,
    panel: Choice | None = None,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
) -> Settings:
    """The settings with what was said on the command line; None was not said. SettingsError as in `load`."""
    said: dict[str, Any] = {
        "camera": {"source": camera},
        "panel": {"kind": panel},
        "web": {"host": host, "port": port},
        "data": data,
    }
    raw = msgspec.to_builtins(settings)
    for name, value in said.items():
        if isinstance(value, dict):
            raw[name] |= {key: v for key, v in value.items() if v is not None}
        elif value is not None:
            raw[name] = value
    return _checked(raw, "the command line", _FLAGS)


_FLAGS = {"camera.source": "--camera", "panel.kind": "--panel", "web.host": "--host", "web.port": "--port"}


def _checked(raw: Mapping[str, Any], source: str, flags: Mapping[str, str]) -> Settings:
    try:
        settings = msgspec.convert(raw, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{source}: {_explained(str(error), flags)}") from None
    if same := settings.panel.pins.twice():
        raise SettingsError(
            f"{source}: panel.pins.{same[0]} and panel.pins.{same[1]} are the same pin: give each part its own."
        )
    return settings


def _explained(complaint: str, flags: Mapping[str, str]) -> str:
    """msgspec's "Expected `int`, got `str` - at `$.web.port`" as a sentence with the key and what to write.

    Where `flags` has the key, it was said with that flag.
    """
    what, _, where = complaint.partition(" - at `$")
    keys = [key for key in re.sub(r"\[[^]]*\]", "", where.rstrip("`")).split(".") if key]
    if unknown := re.search(r"unknown field `(.+)`", what):
        inside = _default(keys)
        known = inside.__struct_fields__ if isinstance(inside, msgspec.Struct) else ()
        return f"there is no key {'.'.join([*keys, unknown[1]])}: {_suggestion(unknown[1], known)}."
    name = ".".join(keys) or "the file"
    flag = flags.get(name)
    example = f"{flag} {_default(keys)}" if flag else _example(keys)
    return f"{flag or name}: {what[:1].lower()}{what[1:].replace('`', '')}; write for example {example}."


def _suggestion(wrong: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"write {close[0]}" if close else f"the keys there are {', '.join(names)}"


_EXAMPLES = {
    "exposure_us": 8000,
    "gain": 1.5,
    "colour_gains": [1.9, 1.4],
    "focus_dioptres": 2.5,
    "data": "/srv/tablecoin",
    "hosts": ["coins.example"],
}


def _example(keys: list[str]) -> str:
    value = _EXAMPLES.get(keys[-1] if keys else "", _default(keys))
    if isinstance(value, msgspec.Struct):
        return f"[{'.'.join(keys)}] on a line of its own" if keys else "[web] on a line of its own"
    return f"{keys[-1]} = {json.dumps(value)}"  # what TOML and JSON write alike


def _default(keys: list[str]) -> Any:
    """The default at this place: a section or a value; None for a place that does not exist."""
    at: Any = Settings()
    for key in keys:
        at = getattr(at, key, None)
    return at
