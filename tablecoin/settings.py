"""tablecoin.toml: read once, checked as a whole, immutable. Flags on the command line win over what the page keeps,
this over tablecoin.toml, and that over defaults.

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

[mqtt]                      # tablecoin.mqtt.options.MqttOptions
broker = "homeassistant.local"

docs/settings.md lists every key.
"""

from __future__ import annotations

import difflib
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from tablecoin.mqtt.options import MqttOptions
from tablecoin.panel.panel import Choice, PanelOptions
from tablecoin.panel.pins import RESERVED
from tablecoin.panel.tunes import SOUNDS, Sound
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import LanguageChoice, sentence
from tablecoin.storage import durable, given
from tablecoin.storage.documents import DocumentError, read_toml
from tablecoin.vision.cameras.camera import CameraError, CameraOptions, NoSuchCamera
from tablecoin.vision.cameras.opening import is_live
from tablecoin.vision.cameras.pi import OWN

log = logging.getLogger(__name__)

DEFAULT_FILE = Path("tablecoin.toml")
KEPT_FILE = "settings.toml"  # in the data folder: what the page keeps. A service may not write its tablecoin.toml
LARGEST_FILE = 100_000  # bytes; one with every key and its comment has about 5,000


PathText = Annotated[str, msgspec.Meta(pattern=r"^[^\x00]*$")]  # no file system takes a NUL


class SettingsError(ValueError):
    """tablecoin.toml cannot be used: one sentence that names the key, what is wrong and what would be right."""


class CameraSettings(CameraOptions, frozen=True, forbid_unknown_fields=True):
    """The camera's options, and which camera."""

    source: PathText = "auto"  # pi, pi:N, usb:N, file:PATH, virtual or auto


class PanelSettings(PanelOptions, frozen=True, forbid_unknown_fields=True):
    """The panel's options, and which panel."""

    kind: Choice = "auto"


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mat under the camera, when the referee may rule, the pages' language, and what is learned and filmed."""

    mat: str = "auto"  # a mat's name; auto: whichever known mat is seen
    still_s: Annotated[float, msgspec.Meta(ge=0.1, le=10)] = 0.6  # how long nothing may move before a ruling
    language: LanguageChoice = "auto"  # of a page until somebody switches it
    learn: Literal["ask", "off", "on"] = "ask"  # the table's own coins; ask: for one game, until the owner answers
    sounds: tuple[Sound, ...] = SOUNDS  # what is heard: on the panel's buzzer, and on pages that play tones
    clips: Literal["on", "off"] = "on"  # whether the seconds before a toss, a steal, a refusal or a dispute are kept


class WebSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served while the table is closed: 127.0.0.1 to this machine alone. Open: to the network."""

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8000  # 0 = any free one
    hosts: tuple[str, ...] = ()  # names it answers to, besides its addresses and the machine's name


class VirtualSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table without hardware."""

    skin: PathText = ""  # a folder of coin pictures in the format of tablecoin.virtual.skin; empty: drawn coins


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    camera: CameraSettings = CameraSettings()
    table: TableSettings = TableSettings()
    panel: PanelSettings = PanelSettings()
    web: WebSettings = WebSettings()
    virtual: VirtualSettings = VirtualSettings()
    mqtt: MqttOptions = MqttOptions()
    data: PathText = ""  # the folder of journal, evidence and calibration; empty: where the system keeps such data

    @property
    def data_dir(self) -> Path:
        """`data`, else systemd's state directory, else ~/.local/share/tablecoin. It may not exist yet."""
        if self.data:
            return durable.expanded(self.data)
        if given := os.environ.get("STATE_DIRECTORY"):
            return Path(given.split(":")[0])
        home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return durable.expanded(home) / "tablecoin"

    @property
    def maps_dir(self) -> Path:
        """Where the players' own maps lie."""
        return self.data_dir / "maps"


def load(path: Path | None = None) -> Settings:
    """The settings in `path`; for None those in ./tablecoin.toml, or the defaults where there is no such file.

    Raises SettingsError where `path` does not exist, or the file is not TOML or holds a wrong key or value.
    """
    file = path or DEFAULT_FILE
    if not file.exists():
        if path is None:
            return Settings()
        raise SettingsError(f"There is no file {file}: check the path after --config.")
    return _checked(_load_raw(file, given.read), str(file), {})


def _load_raw(file: Path, read: Callable[[Path, int], bytes]) -> dict[str, Any]:
    """The content of a file, unchecked. Raises SettingsError where it is not TOML that can be read."""
    try:
        text = read(file, LARGEST_FILE).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"{file} cannot be read ({why}): make it a text file that you may read.") from None
    try:
        return dict(read_toml(text))
    except DocumentError as error:
        raise SettingsError(f"{file} is not TOML that tablecoin reads ({error}): correct that line.") from None


def with_flags(
    settings: Settings,
    *,
    camera: str | None = None,
    panel: Choice | None = None,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
) -> Settings:
    """The settings with the flags of the command line; None: not given. Raises SettingsError for a wrong value."""
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


def with_kept(settings: Settings) -> Settings:
    """The settings with what the page keeps in the data folder, without what `left_out` names."""
    return _kept(settings).settings


def left_out(settings: Settings) -> str | None:
    """The first wrong key in the file of the page, or the file's name where it cannot be read; None: all is well.

    What is wrong there does not stop the program, because then no page could correct it.
    """
    return _kept(settings).left_out


def is_kept_camera(settings: Settings) -> bool:
    """Whether the page keeps the camera of these settings."""
    camera = _kept(settings).values.get("camera")
    return isinstance(camera, Mapping) and camera.get("source") == settings.camera.source


class _Kept(NamedTuple):
    """What the page keeps: laid over the settings, and by itself. The first wrong key, and what is wrong with it."""

    settings: Settings
    values: dict[str, Any]
    left_out: str | None = None
    why: str = ""


def _kept(settings: Settings) -> _Kept:
    file = settings.data_dir / KEPT_FILE
    values: dict[str, Any] = {}
    wrong: tuple[str, str] | None = None
    try:
        raw = _load_raw(file, durable.read) if file.exists() else {}
    except (OSError, SettingsError) as error:
        return _Kept(settings, {}, KEPT_FILE, str(error))
    for section, given_there in raw.items():
        single = given_there.items() if isinstance(given_there, dict) else [(None, given_there)]
        for key, value in single:
            one = value if key is None else {**values.get(section, {}), key: value}
            try:
                settings = _laid_over(settings, {section: one}, KEPT_FILE)
            except SettingsError as error:
                wrong = wrong or (section if key is None else f"{section}.{key}", str(error))
            else:
                values[section] = one
    return _Kept(settings, values, *(wrong or ()))


def at_start(
    path: Path | None, *, data: str | None = None, camera: str | None = None, panel: Choice | None = None,
    host: str | None = None, port: int | None = None,
) -> Settings:  # fmt: skip
    """What a program starts with: `path`, what the page keeps, and the flags. Raises SettingsError."""
    kept = _kept(with_flags(load(path), data=data))
    if kept.left_out:
        log.warning("%s is left out: %s", kept.left_out, kept.why)
    return with_flags(kept.settings, camera=camera, panel=panel, host=host, port=port)


def keep(
    settings: Settings,
    changes: Mapping[str, Mapping[str, Any]],
    check: Callable[[Settings], None] = lambda settings: None,
) -> Settings:
    """Keep changes by section and key; they hold from the next start on. Returns the settings as they then are.

    None: the key is as tablecoin.toml says again. `check` raises CameraError where the next start could not use the
    camera that was chosen. Raises SettingsError then and for a wrong value, and OSError.
    """
    kept = _kept(settings).values
    for section, values in changes.items():
        merged = {**kept.get(section, {}), **values}
        kept[section] = {key: value for key, value in merged.items() if value is not None}
    changed = _laid_over(settings, kept, "settings")
    if "source" in changes.get("camera", {}):
        try:
            check(changed)
        except CameraError as error:
            raise SettingsError(f"settings: {error}") from None
    text = _written(kept)
    if len(text) > LARGEST_FILE:
        raise SettingsError("settings: they are too long to be kept; shorten the longest.")
    durable.replace(settings.data_dir / KEPT_FILE, text, 0o600)  # a camera's address may hold a password
    return changed


def _written(kept: Mapping[str, Any]) -> bytes:
    """The file of the page. Keys without a section stand first, because TOML reads those below one as its own."""
    lines = ["# What the page of the settings keeps. It wins over tablecoin.toml.", ""]
    lines += [f"{key} = {_toml(value)}" for key, value in kept.items() if not isinstance(value, Mapping)]
    for section, values in kept.items():
        if isinstance(values, Mapping):
            lines += [f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in values.items())]
    return ("\n".join(lines) + "\n").encode()


def _toml(value: Any) -> str:
    """A value in TOML. It writes texts, numbers and lists as JSON does, except for the character DEL."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml(each)}' for key, each in value.items())}}}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _laid_over(settings: Settings, kept: Mapping[str, Any], source: str) -> Settings:
    raw = msgspec.to_builtins(settings)
    for section, values in kept.items():
        raw[section] = {**raw.get(section, {}), **values} if isinstance(values, Mapping) else values
    return _checked(raw, source, {})


_FLAGS = {"camera.source": "--camera", "panel.kind": "--panel", "web.host": "--host", "web.port": "--port"}


def _checked(raw: Mapping[str, Any], source: str, flags: Mapping[str, str]) -> Settings:
    try:
        settings = msgspec.convert(raw, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{source}: {_explained(error, raw, flags)}") from None
    if settings.camera.source != "virtual":
        try:
            is_live(settings.camera.source)
        except NoSuchCamera as error:
            raise SettingsError(f"{source}: {error}") from None
    for control in settings.camera.controls:
        if key := OWN.get(control):
            raise SettingsError(
                f"{source}: tablecoin sets {control} itself. "
                f"Delete it under [camera.controls] and write for example {_example(['camera', key])} under [camera]."
            )
    if same := settings.panel.pins.twice():
        raise SettingsError(
            f"{source}: panel.pins.{same[0]} and panel.pins.{same[1]} are the same pin: give each its own."
        )
    if taken := settings.panel.pins.reserved():
        part, pin = taken
        raise SettingsError(
            f"{source}: panel.pins.{part} = {pin} is a pin of the Pi's own ({RESERVED[pin]}): "
            "choose one from 4 to 13 or 16 to 27."
        )
    return settings


def _explained(error: msgspec.ValidationError, raw: Mapping[str, Any], flags: Mapping[str, str]) -> str:
    """One sentence with the key, what is wrong and what would be right.

    `flags`: the flag of each key that can be given on the command line.
    """
    what, _, where = str(error).partition(" - at `$")
    path = where.rstrip("`").removeprefix(".")
    keys = [key for key in re.sub(r"\[[^]]*\]", "", path).split(".") if key]
    if unknown := re.search(r"unknown field `(.+)`", what):
        inside = _default(keys)
        known = inside.__struct_fields__ if isinstance(inside, msgspec.Struct) else ()
        return f"there is no key {'.'.join([*keys, unknown[1]])}: {_suggestion(unknown[1], known)}."
    name = ".".join(keys) or "the file"
    flag = flags.get(name)
    wrong = sentence(plain(error, raw, Settings)).replace(f"`{path}`", flag or name)
    return f"{wrong}; write for example {f'{flag} {_default(keys)}' if flag else _example(keys)}."


def _suggestion(wrong: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"write {close[0]}" if close else f"the keys there are {', '.join(names)}"


_EXAMPLES = {
    "exposure_us": 8000,
    "gain": 1.5,
    "colour_gains": [1.9, 1.4],
    "focus_dioptres": 2.5,
    "ring_light": 1.0,
    "driver": {"focus": 35},
    "flip": True,
    "rotate": 180,
    "tuning": "imx708_wide.json",
    "controls": {"Sharpness": 1.0},
    "data": "/srv/tablecoin",
    "hosts": ["coins.example"],
    "broker": "homeassistant.local",
}


def _example(keys: list[str]) -> str:
    value = _EXAMPLES.get(keys[-1] if keys else "", _default(keys))
    if isinstance(value, msgspec.Struct):
        return f"[{'.'.join(keys)}] on a line of its own" if keys else "[web] on a line of its own"
    if isinstance(value, dict):
        return f"{keys[-1]} = {{ {', '.join(f'{name} = {json.dumps(each)}' for name, each in value.items())} }}"
    return f"{keys[-1]} = {json.dumps(value)}"  # what TOML and JSON write alike


def _default(keys: list[str]) -> Any:
    """The default at this place: a section or a value; None for a place that does not exist."""
    at: Any = Settings()
    for key in keys:
        at = getattr(at, key, None)
    return at
