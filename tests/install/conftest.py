"""Machines of Debian 12 and 13, and folders of wheels of several versions of tablecoin, good and broken."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.install import roots
from tests.install.machine import Machine, why_not

ROOT = Path(__file__).parents[2]
SHIPPED = ("tablecoin", "calibration", "web", "systemd", "pyproject.toml", "README.md", "LICENSE", "NOTICE")


@dataclass(frozen=True)
class Wheels:
    """Folders of wheels for one Python, as systemd/wheels.sh makes them."""

    base: Path
    work: Path

    def version(self, version: str, changes: dict[str, tuple[str, str]] | None = None) -> Path:
        """The folder of that version, made once. `changes`: file -> (text, the text in its place)."""
        tree, folder = self.work / f"{version}-source", self.work / version
        if (folder / "systemd").exists():  # what is put there last
            return folder
        for name in SHIPPED:
            part = ROOT / name
            copy = shutil.copytree if part.is_dir() else shutil.copy
            copy(part, tree / name)
        mine = {"tablecoin/__init__.py": ('__version__ = "0.1.0"', f'__version__ = "{version}"')}
        for name, (before, after) in (mine | (changes or {})).items():
            text = (tree / name).read_text("utf-8")
            assert before in text, f"{name} has changed: {before}"
            (tree / name).write_text(text.replace(before, after), "utf-8")
        shutil.copytree(
            self.base, folder, copy_function=os.link, ignore=shutil.ignore_patterns("tablecoin-*", "systemd")
        )
        command = [sys.executable, "-m", "pip", "wheel", str(tree), "--no-deps", "--no-build-isolation", "--quiet"]
        subprocess.run([*command, "--wheel-dir", str(folder)], check=True, capture_output=True, timeout=300)
        shutil.copytree(tree / "systemd", folder / "systemd")
        return folder


@pytest.fixture(scope="session", params=roots.SUITES)
def suite(request: pytest.FixtureRequest) -> str:
    if reason := why_not():
        pytest.skip(reason)
    return str(request.param)


@pytest.fixture(scope="session")
def base(suite: str) -> Path:
    """The root folder of a fresh card. It takes minutes to make, so it is kept from run to run."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "tablecoin" / "roots"
    kept.mkdir(parents=True, exist_ok=True)
    folder = kept / f"{suite}-{hashlib.sha256(Path(roots.__file__).read_bytes()).hexdigest()[:8]}"
    complete = folder.with_name(f"{folder.name}.complete")
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another run of the tests may be making it
        if not complete.exists():
            for broken in kept.glob(f"{folder.name}*"):
                shutil.rmtree(broken)
            try:
                roots.make(suite, "amd64", folder)
            except subprocess.CalledProcessError as error:
                pytest.skip(f"no Debian {suite} can be fetched: {error.stderr[-300:]}")
            complete.touch()
    return folder


@pytest.fixture(scope="session")
def wheels(suite: str, tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    folder = tmp_path_factory.mktemp(f"wheels-{suite}")
    command = [str(ROOT / "systemd" / "wheels.sh"), str(folder / "base"), roots.SUITES[suite], "x86_64"]
    made = subprocess.run(
        command, env=os.environ | {"PYTHON": sys.executable}, capture_output=True, text=True, timeout=900
    )
    if made.returncode:
        pytest.skip(f"no wheels can be fetched: {made.stderr[-300:]}")
    return Wheels(folder / "base", folder)


@pytest.fixture
def machine(base: Path, tmp_path: Path) -> Iterator[Machine]:
    with Machine(base, tmp_path / "machine") as started:
        yield started


@pytest.fixture
def bring(machine: Machine) -> Callable[[Path], str]:
    """Put a folder of wheels into the machine, as a USB stick would; the command that installs it."""

    def put(folder: Path) -> str:
        machine.copy(folder, f"/media/{folder.name}")
        return f"bash /media/{folder.name}/systemd/install.sh --wheels /media/{folder.name}"

    return put
