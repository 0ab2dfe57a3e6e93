"""Fixtures that every room uses: isolated maps, one taught card, one browser a process, and a hypothesis profile."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tablecoin.rules.coin_age import maps
from tablecoin.storage import mapfiles

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.scenes import Scenes

pytest_plugins = ("tests.cost",)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# No deadline: a test may be slow on a busy machine. In CI the examples are the same at each run.
# `make long` runs the tests of hypothesis again with more examples.
EXAMPLES = int(os.environ.get("TABLECOIN_EXAMPLES", "25"))
settings.register_profile("tablecoin", deadline=None, derandomize="CI" in os.environ, max_examples=EXAMPLES)
settings.load_profile("tablecoin")

# The test processes share the cores: more threads in each would only wait for one another. OpenCV reads this when it is
# imported, and only tests that look at pictures import it.
os.environ["OPENCV_FOR_THREADS_NUM"] = "1"


_folders = pytest.StashKey[dict[Path, pytest.Collector]]()


@pytest.hookimpl(wrapper=True)
def pytest_collect_directory(
    path: Path, parent: pytest.Collector
) -> Generator[None, pytest.Collector, pytest.Collector]:
    """Keep one node for each folder.

    When the command line names files of several folders in turn, pytest 9.1 creates a second node for a folder, and for
    that one it does not find the fixtures of the folder's conftest.py: github.com/pytest-dev/pytest/issues/14635
    """
    made = yield
    return parent.session.stash.setdefault(_folders, {}).setdefault(path, made)


LONG_S = 900  # the limit of a long test that names none; tests of `make test` have that of pyproject.toml


def pytest_itemcollected(item: pytest.Item) -> None:
    """With `--dist loadgroup`, the browser tests of a file run in one process. Long tests may take longer."""
    if item.get_closest_marker("browser"):
        item.add_marker(pytest.mark.xdist_group(str(item.path)))
    if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(LONG_S))


@pytest.fixture(autouse=True)
def _no_maps_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins without players' maps: no folder that another test registered, no map that it read."""
    monkeypatch.setattr(mapfiles, "_folders", [])
    yield
    maps.load.cache_clear()


@pytest.fixture(scope="session")
def scenes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scenes]:
    """Drawn scenes and their Readings, made once for all processes and kept in pytest's cache between runs.

    From then on, every Renderer of this process gets its bare mat and its noise from there.
    """
    from tests.scenes import Scenes, grain, key

    kept = getattr(request.config, "cache", None)  # None with `-p no:cacheprovider`
    made = Scenes(kept.mkdir("scenes") if kept else tmp_path_factory.mktemp("scenes"), key())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tablecoin.virtual.render._packed", made.bare)
        patch.setattr("tablecoin.virtual.render._grain", grain)
        made.draw("two-row")  # nearly everybody who draws draws it
        yield made


@pytest.fixture(scope="session")
def taught_data(scenes: Scenes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the map `isle`, taught from a photo of its card once for all tests: write nothing there.

    The file stages.txt names the stages of the lesson as they began. Its pictures are smaller than usual; the tests of
    the commands make whole ones.
    """
    from calibration.teach.teach import teach  # these import OpenCV, which most rooms do without
    from lab.reading import drawn_card

    folder = tmp_path_factory.mktemp("taught")

    def taught() -> dict[str, bytes]:
        photo, to_px = drawn_card.photo()
        begun: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("calibration.teach.teach.PICTURE_PX", 700)
            patch.setattr("tablecoin.vision.place.taught.SEARCH_PX", 750)
            teach(photo, drawn_card.lesson("isle", to_px), folder / "maps", begun.append)
        (folder / "stages.txt").write_text("\n".join(begun), "utf-8")
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.*")}

    for name, content in scenes.kept("isle", taught).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def isle(taught_data: Path) -> str:
    """The name of a map that was taught from a card."""
    mapfiles.look_also_in(taught_data / "maps")
    return "isle"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Headless Chromium, driven by Playwright, one for all tests of a process. Without Chromium the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    sync_api = pytest.importorskip("playwright.sync_api")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield running
        running.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The same for one test, which begins and ends without pages: one left open would go on asking a server that ended,
    and slow all tests after it."""
    before = chromium.contexts
    yield chromium
    for context in chromium.contexts:
        if context not in before:
            context.close()
