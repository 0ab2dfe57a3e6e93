"""The packages hold what users run, all of it, and nothing of the lab."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hatchling.builders.plugin.interface import BuilderInterface
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PACKAGES = ("tablecoin", "calibration", "web")
NETWORKS = {f"tablecoin/vision/coins/{name}.onnx" for name in ("fine", "large", "small")}


def listed(builder: BuilderInterface) -> set[str]:  # type: ignore[type-arg]
    """The paths of all files that hatchling would pack."""
    return {file.distribution_path for file in builder.recurse_included_files()}


def check_wheel(paths: Iterable[str]) -> None:
    """It holds every file of the product that git knows, data files too, and nothing else."""
    held = {path for path in paths if ".dist-info/" not in path}
    told = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    assert set(told.stdout.split()) - held == set()
    assert {path.split("/")[0] for path in held} == set(PACKAGES)
    assert [path for path in held if "torch" in path or "lab/" in path or "tests/" in path] == []


def check_source_package(paths: Iterable[str]) -> None:
    """It leaves the held-out networks of the lab out."""
    assert {path for path in paths if path.endswith(".onnx")} == NETWORKS


def test_the_wheel_will_hold_the_product_alone() -> None:
    check_wheel(listed(WheelBuilder(str(ROOT))))


def test_the_source_package_will_leave_the_held_out_networks_out() -> None:
    check_source_package(listed(SdistBuilder(str(ROOT))))


@pytest.mark.long  # builds both packages
def test_the_packages_hold_what_they_will_hold(tmp_path: Path) -> None:
    for command in (
        [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)],
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)],
    ):
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=100)
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        check_wheel(archive.namelist())
    with tarfile.open(source) as package:
        check_source_package(path.partition("/")[2] for path in package.getnames())
