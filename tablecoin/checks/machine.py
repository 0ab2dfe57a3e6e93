"""The computer: versions, temperature, power supply, clock, network and port. Nothing here needs any hardware.

Each check takes the root of the file system, so that tests can give one of their own.
"""

from __future__ import annotations

import platform
import re
import socket
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tablecoin import __version__
from tablecoin.checks.finding import Finding, Status, found
from tablecoin.panel.opening import on_a_pi
from tablecoin.rules.rulebook import Message
from tablecoin.settings import KEPT_FILE, Settings, WebSettings, left_out

_PACKAGES = ("numpy", "opencv-python-headless", "onnxruntime", "flask", "uvicorn", "msgspec", "gpiozero")
_HOT_DEGREES = 80  # from here on a Raspberry Pi slows its processor down
_ANSWER_S = 5.0  # for a program of the system
_ROOT = Path("/")
# Bits of `vcgencmd get_throttled` (Raspberry Pi documentation): for now, and 16 bits higher for since the start.
_LOW_VOLTAGE, _SLOWED, _BEFORE = 0x1, 0x2 | 0x4 | 0x8, 16


def machine(settings: Settings, root: Path = _ROOT) -> Iterator[Finding]:
    """Everything but the port, which a running table holds itself."""
    yield versions()
    if wrong := left_out(settings):
        told = "settings.file" if wrong == KEPT_FILE else "settings.key"
        yield found("settings", "warn", told, "settings.do", name=wrong)
    yield temperature(root)
    if on_a_pi():
        yield power(root)
    yield clock(root)
    yield network(settings.web)


def versions() -> Finding:
    here, missing = [], []
    for package in _PACKAGES:
        try:
            here.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    said = {
        "tablecoin": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": ", ".join(here),
    }
    if not missing:
        return found("versions", "ok", "versions", **said)
    # OpenCV and numpy may be system packages of another name; then they work although they are not listed.
    return found(
        "versions",
        "warn",
        "versions.missing",
        "versions.missing.do",
        here=Message("check.versions", said),
        missing=", ".join(missing),
    )


def temperature(root: Path = _ROOT) -> Finding:
    """The hottest of the system's thermometers."""
    degrees = []
    for zone in sorted((root / "sys/class/thermal").glob("thermal_zone*/temp")):
        try:
            degrees.append(int(zone.read_text()) / 1000)
        except (OSError, ValueError):  # a thermometer that is switched off
            continue
    if not degrees:
        return found("temperature", "ok", "untold")
    hottest = round(max(degrees))
    if hottest >= _HOT_DEGREES:
        return found("temperature", "warn", "temperature", "temperature.do", degrees=hottest)
    return found("temperature", "ok", "temperature", degrees=hottest)


def power(root: Path = _ROOT) -> Finding:
    """Whether a Raspberry Pi had too little voltage, or was slowed down by heat, now or since it was started."""
    bits = _throttled(root)
    if bits is None:
        return found("power", "ok", "untold")
    for shift, when in ((0, "now"), (_BEFORE, "before")):
        status: Status = "fail" if when == "now" else "warn"
        if bits >> shift & _LOW_VOLTAGE:
            return found("power", status, f"power.low.{when}", "power.low.do")
        if bits >> shift & _SLOWED:
            return found("power", "warn", f"power.slow.{when}", "temperature.do")
    return found("power", "ok", "power")


def _throttled(root: Path) -> int | None:
    """The firmware's bits; None where nobody tells. The file needs no device, which a service may not open."""
    for file in sorted((root / "sys/devices/platform").glob("*/*firmware/get_throttled")):
        try:
            return int(file.read_text(), 16)
        except (OSError, ValueError):
            continue
    told = re.search(r"0x([0-9a-fA-F]+)", _said_by("vcgencmd", "get_throttled"))
    return int(told[1], 16) if told else None


def clock(root: Path = _ROOT) -> Finding:
    if (root / "run/systemd/timesync/synchronized").exists():
        return found("clock", "ok", "clock")
    match _said_by("timedatectl", "show", "--property=NTPSynchronized", "--value").strip():
        case "yes":
            return found("clock", "ok", "clock")
        case "no":
            return found("clock", "warn", "clock.unset", "clock.unset.do")
        case _:
            return found("clock", "ok", "untold")


def network(web: WebSettings) -> Finding:
    addresses = list(_addresses())
    if addresses:
        return found("network", "ok", "network", addresses=", ".join(addresses))
    alone = web.host in ("127.0.0.1", "::1", "localhost")  # nobody else is to see the pages anyway
    return found("network", "ok" if alone else "warn", "network.none", "network.none.do")


def _addresses() -> Iterator[str]:
    """This computer's address on its way out, for each kind of address it has. Sends nothing."""
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))  # UDP: only asks the routing table which address would be used
                yield probe.getsockname()[0]
        except OSError:
            continue


def port(web: WebSettings) -> Iterator[Finding]:
    """Whether the pages could be served now."""
    try:
        with socket.create_server((web.host, web.port)):
            pass
    except OSError as error:
        why = {"host": web.host, "port": web.port, "why": error.strerror}
        yield found("port", "warn", "port.taken", "port.taken.do", **why)
    else:
        yield found("port", "ok", "port", host=web.host, port=web.port)


def _said_by(*command: str) -> str:
    """What a program of the system prints; empty where it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_ANSWER_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
