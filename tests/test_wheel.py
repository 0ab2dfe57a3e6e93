"""The wheel holds what users run, all of it, and nothing of the lab."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("tablecoin", "calibration", "web")


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The paths of all files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*command, "--wheel-dir", str(folder)], cwd=ROOT, check=True, capture_output=True, timeout=100)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_it_holds_the_product_and_its_licence_alone(contents: set[str]) -> None:
    assert {path.split("/")[0] for path in contents if ".dist-info/" not in path} == set(PACKAGES)
    assert [path for path in contents if "torch" in path or "lab/" in path or "tests/" in path] == []


def test_the_source_package_leaves_the_held_out_networks_out(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=100)
    (package,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(package) as archive:
        networks = sorted(path for path in archive.getnames() if path.endswith(".onnx"))
    assert [path.partition("/")[2] for path in networks] == [
        f"tablecoin/vision/coins/{name}.onnx" for name in ("fine", "large", "small")
    ]


def test_it_holds_every_file_of_the_packages(contents: set[str]) -> None:
    """Data files too: the network, sentences, maps, pages."""
    told = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    assert set(told.stdout.split()) - contents == set()
