"""Root folders of Debian 12 and 13, as the ground of Raspberry Pi OS, with stand-ins for what only that has."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

SUITES = {"bookworm": "3.11", "trixie": "3.13"}  # Raspberry Pi OS of that name -> its Python

# What a fresh card has, as far as it matters here. python3-venv is not among it: install.sh must bring it.
_FRESH = ("systemd", "systemd-sysv", "dbus", "libpam-systemd", "python3", "ca-certificates", "procps")
_GROUPS = ("gpio", "render", "input")  # those of Raspberry Pi OS that the smallest Debian lacks
# Fetched while there is a network, installed by install.sh when there is none any more.
_FETCHED = ("python3-venv", "python3-picamera2", "python3-lgpio", "polkitd")

# Only Raspberry Pi OS has the first two. What matters of them is the system's numpy, and that no camera is plugged in.
# The others would be 500 MB that nothing here looks at.
_STAND_INS = {
    "picamera2": (
        "python3-numpy",
        '''"""A stand-in: there is no camera."""

import numpy  # the system's own


class Picamera2:
    @staticmethod
    def global_camera_info():
        return []
''',
    ),
    "lgpio": ("python3", '"""A stand-in."""\n'),
}
_EMPTY = ("cage", "xwayland", "chromium", "fonts-noto-cjk", "kbd", "polkitd")


def make(suite: str, machine: str, folder: Path) -> None:
    """Build the root `folder`. `machine` is Debian's name of the processor. CalledProcessError without a network."""
    repository = folder.parent / f"{folder.name}-pi-os"
    _repository(repository)
    command = [
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        f"--architectures={machine}",
        f"--include={','.join(_FRESH)}",
    ]
    command += ["--skip=cleanup/apt/lists,cleanup/apt/cache"]
    for hook in (
        'mkdir -p "$1/srv"',
        f"copy-in {repository} /srv",
        f'echo "deb [trusted=yes] file:/srv/{repository.name} ./" >"$1/etc/apt/sources.list.d/pi-os.list"',
        *(f'chroot "$1" groupadd --system {group}' for group in _GROUPS),
        'chroot "$1" apt-get update',
        f'chroot "$1" apt-get install --yes --download-only --no-install-recommends {" ".join(_FETCHED)}',
    ):
        command.append(f"--customize-hook={hook}")
    subprocess.run([*command, suite, str(folder)], check=True, capture_output=True, text=True, timeout=1500)


def _repository(folder: Path) -> None:
    """A package repository of the stand-ins."""
    entries = [_stand_in(folder, f"python3-{name}", needs, {name: code}) for name, (needs, code) in _STAND_INS.items()]
    entries += [_stand_in(folder, name, "python3", {}) for name in _EMPTY]
    (folder / "Packages").write_text("\n".join(entries), "utf-8")


def _stand_in(folder: Path, name: str, needs: str, modules: dict[str, str]) -> str:
    """Make a package of these Python modules; its entry in the list of packages."""
    tree = folder / name
    (tree / "DEBIAN").mkdir(parents=True)
    for module, code in modules.items():
        file = tree / f"usr/lib/python3/dist-packages/{module}/__init__.py"
        file.parent.mkdir(parents=True)
        file.write_text(code, "utf-8")
    told = (
        f"Package: {name}\nVersion: 99999:0\nArchitecture: all\nDepends: {needs}\n"
        "Maintainer: nobody <nobody@localhost>\nDescription: stand-in for a package of Raspberry Pi OS\n"
    )
    (tree / "DEBIAN" / "control").write_text(told, "utf-8")
    deb = folder / f"{name}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", str(tree), str(deb)], check=True, capture_output=True)
    packed = deb.read_bytes()
    return f"{told}Filename: ./{deb.name}\nSize: {len(packed)}\nSHA256: {hashlib.sha256(packed).hexdigest()}\n"
