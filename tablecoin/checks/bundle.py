"""`tablecoin doctor --bundle FILE`: a bug report in one .zip file, without anything that is nobody else's business.

Two nets hold secrets back. What goes in is chosen by name: settings key by key, the calibration, the sizes of files,
and the service's log; no journal, no picture, no file of keys. Then every text passes `Redactor`, which leaves out
addresses, names of the computer and its people, PINs, keys, cookies, and everything that is quoted or in braces in the
log, as a sealed choice would be.
"""

from __future__ import annotations

import getpass
import ipaddress
import json
import platform
import re
import socket
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from tablecoin.checks.finding import Finding, as_json
from tablecoin.settings import Settings
from tablecoin.vision.calibrated import FILE, load

_LOG_LINES = 1000
_ANSWER_S = 10.0
_OWN_FILE = re.compile(r"journal[\w.-]*|evidence|(calibration|virtual)\.json|(coins|known)\.npz")
LEFT_OUT = "<left-out>"
_READ_ME = """\
A bug report of tablecoin, made by `tablecoin doctor --bundle`.

{inside}

Not in it: games, journals, pictures, players' names, PINs, keys, cookies, sealed choices, and the names and addresses
of computers, people and folders. Where one stood in a text, "<left-out>" or another word in angle brackets stands now.
Look through the files before you send them.
"""
_INSIDE = {
    "doctor.jsonl": "what the doctor found",
    "system.json": "the operating system and the computer's model",
    "settings.json": "the settings, without addresses and folders",
    "calibration.json": "what is known of the table, if it is calibrated",
    "files.json": "the sizes of tablecoin's own files",
    "log.txt": "the newest lines of the service's log, if there is one",
}


def report(settings: Settings, findings: Sequence[Finding]) -> tuple[bytes, list[str]]:
    """The report, a .zip file, and the names of the files in it."""
    clean = Redactor(settings)
    known, _ = load(settings.data_dir / FILE)
    texts = {
        "doctor.jsonl": "".join(map(clean.finding, findings)),
        "system.json": _pretty(_system()),
        "settings.json": _pretty(shown_settings(settings)),
        "calibration.json": _pretty(msgspec.to_builtins(known)) if known else "",
        "files.json": _pretty(_sizes(settings.data_dir)),
        "log.txt": clean.log(_log()),
    }
    inside = {name: text for name, text in texts.items() if text}
    told = "\n".join(f"{name:17} {_INSIDE[name]}" for name in inside)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _READ_ME.format(inside=told))
        for name, text in inside.items():
            archive.writestr(name, text if name == "doctor.jsonl" else clean.text(text))
    return packed.getvalue(), ["README.txt", *inside]


def newest_log(settings: Settings, lines: int) -> list[str]:
    """The newest lines of the service's log without secrets; none where there is no such log."""
    return Redactor(settings).log(_log(lines)).splitlines()


def shown_settings(settings: Settings) -> dict[str, Any]:
    """The settings key by key. A key that is not named here is left out, so that no later secret slips in."""
    camera, web = settings.camera, settings.web
    source = camera.source
    kind = source.partition(":")[0]
    return {
        "camera": {
            "source": f"{kind}:…" if "/" in source or kind == "file" else source,
            **_picked(camera, "width_px", "height_px", "fps", "mains_hz", "exposure_us", "gain", "colour_gains"),
            **_picked(camera, "focus_dioptres", "driver", "rotate", "flip", "controls"),
            "tuning": bool(camera.tuning),
        },
        "table": _picked(settings.table, "mat", "still_s", "language", "learn", "sounds", "clips"),
        "panel": _picked(settings.panel, "kind", "factory", "bounce_s", "hold_s", "shutdown", "buzzer", "ring_light")
        | {"pins": msgspec.to_builtins(settings.panel.pins)},
        "web": {
            "host": web.host if web.host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else LEFT_OUT,
            "port": web.port,
            "hosts": len(web.hosts),
        },
        "virtual": {"skin": bool(settings.virtual.skin)},
        "mqtt": {"broker": bool(settings.mqtt.broker), "user": bool(settings.mqtt.user), "ca": bool(settings.mqtt.ca)}
        | _picked(settings.mqtt, "home_assistant", "picture", "picture_s"),
        "data": bool(settings.data),
    }


class Redactor:
    """Leaves private things out of texts: what is known of this computer by name, the rest by its form."""

    def __init__(self, settings: Settings) -> None:
        names = {
            str(settings.data_dir): "<data>",
            str(Path.home()): "<home>",
            socket.gethostname(): "<computer>",
            _user(): "<user>",
            **dict.fromkeys(settings.web.hosts, "<computer>"),
            settings.web.host: "<address>",
            settings.mqtt.broker: "<address>",
            settings.mqtt.address.host if settings.mqtt.address else "": "<address>",
            settings.mqtt.user: "<user>",
            settings.mqtt.password: LEFT_OUT,
            settings.mqtt.table: "<table>",
            settings.mqtt.name: "<table>",
        }
        self._names = {name: word for name, word in names.items() if len(name) > 2 and name not in _NO_SECRETS}

    def text(self, text: str) -> str:
        """A text of ours without addresses, names, keys and the like."""
        text = _URL.sub(r"\1://<address>", text)
        for name in sorted(self._names, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self._names[name], text)
        for pattern, word in _FORMS:
            text = pattern.sub(word, text)
        return _MAY_BE_ADDRESS.sub(_without_address, text)

    def finding(self, finding: Finding) -> str:
        """A finding as a line of JSON. Versions look like addresses, and are nobody's secret."""
        told = json.dumps(as_json(finding), ensure_ascii=False) + "\n"
        return told if finding.what == "versions" else self.text(told)

    def log(self, text: str) -> str:
        """A text that holds what people and other programs wrote: also without numbers, quotations and objects."""
        for pattern, word in _FOREIGN:
            text = pattern.sub(word, text)
        return self.text(text)


_MAY_BE_ADDRESS = re.compile(
    r"(?<![\w:.])(?:[0-9]+\.){3}[0-9]+(?!\w|\.\w)|(?<![\w:.])[0-9a-fA-F:]*:[0-9a-fA-F:.]+(?![\w:])"
)
_NO_SECRETS = ("root", "localhost", "127.0.0.1", "0.0.0.0", "tablecoin", "user")
_URL = re.compile(r"\b([a-z][a-z0-9+.-]*)://[^\s\"'<>]+")
_FORMS = (
    (re.compile(r"(?i)\b((?:set-)?cookie|authorization)\b[^\n]*"), rf"\1 {LEFT_OUT}"),
    (
        re.compile(r"(?i)\b(pin|key|token|password|passphrase|secret|session)\b(\"?\s*(?:[:=]|is)\s*)\S+"),
        rf"\1\2{LEFT_OUT}",
    ),
    (re.compile(r"(?i)\b(pin|key|token|password|secret)\s+(?=\S*\d)[\w-]{4,}"), rf"\1 {LEFT_OUT}"),
    (re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.-]+"), "<address>"),
    (re.compile(r"(?i)\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b"), "<address>"),
    (re.compile(r"\b[\w-]+\.(?:local|lan|home|internal|fritz\.box)\b"), "<computer>"),
    (re.compile(r"(/home|/Users|/media|/run/media)/[^/\s\"']+"), r"\1/<user>"),
    (re.compile(r"(?<![\w./-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}(?![\w./-])"), LEFT_OUT),
)
_FOREIGN = (
    (re.compile(r"\{.*\}"), "{…}"),
    (re.compile(r"\b(\w+)\([^()\n]*=[^()\n]*\)"), r"\1(…)"),  # a value of the program, as Python shows it
    (re.compile(r"\[[^\[\]\n]*\]"), "[…]"),
    (re.compile(r"'[^'\n]*'"), "'…'"),
    (re.compile(r'(?<!File )"[^"\n]*"'), '"…"'),
    (re.compile(r"(?<![\w.:+-])\d{4,12}(?![\w.:-])"), "<number>"),
)


def _without_address(found: re.Match[str]) -> str:
    """What looks like an address is one if it can be read as one; those that every computer has may stay."""
    text = found[0].rstrip(".")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "<address>" + found[0][len(text) :]


def _picked(section: msgspec.Struct, *keys: str) -> dict[str, Any]:
    return {key: getattr(section, key) for key in keys}


def _system() -> dict[str, Any]:
    model = Path("/proc/device-tree/model")
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", "?")
    except OSError:
        system = "?"
    return {
        "system": system,
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "model": model.read_text(errors="replace").strip("\0") if model.exists() else None,
    }


def _sizes(folder: Path) -> Mapping[str, int]:
    """Bytes of our own files by name, folders as a whole. Other names are not told: somebody gave them."""
    try:
        there = sorted(folder.iterdir())
    except OSError:
        return {}
    own = [each for each in there if _OWN_FILE.fullmatch(each.name)]
    return {
        each.name: sum(file.stat().st_size for file in (each, *each.glob("**/*")) if file.is_file()) for each in own
    }


def _log(lines: int = _LOG_LINES) -> str:
    """The service's newest lines; empty where there is no such log, or it may not be read."""
    command = ["journalctl", "-u", "tablecoin", "-n", str(lines), "--no-pager", "--no-hostname", "-o", "short-iso"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=_ANSWER_S, check=True).stdout
        return "" if told.startswith("-- No entries") else told
    except (OSError, subprocess.SubprocessError):
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user that no file knows
        return ""


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
