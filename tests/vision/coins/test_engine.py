"""The engine runs a network on the thread that asks, and sends nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import CROP_PX, FINE_PX, LARGE_PX
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import Networks

ROOT = Path(__file__).parents[3]
SHIPPED = Networks.shipped()
SMALL, LARGE = SHIPPED.small, SHIPPED.large


def test_the_small_network_gives_features_and_then_logits() -> None:
    features, logits = engine.load(SMALL)(np.zeros((3, 3, CROP_PX, CROP_PX), np.float32))
    assert (features.shape, logits.shape) == ((3, 192), (3, 5 + 1))


def test_the_closer_networks_give_a_face_for_each_kind_and_then_the_kinds() -> None:
    faces, kinds = engine.load(LARGE)(np.zeros((3, 3, LARGE_PX, LARGE_PX), np.float32))
    assert (faces.shape, kinds.shape) == ((3, 4), (3, 5))
    faces, kinds, features = engine.load(SHIPPED.fine)(np.zeros((3, 3, FINE_PX, FINE_PX), np.float32))
    assert (faces.shape, kinds.shape, features.shape) == ((3, 4), (3, 5), (3, FEATURES))


def test_a_network_is_kept_once_and_run_by_many_threads() -> None:
    assert engine.load(LARGE) is engine.load(Path(str(LARGE)))
    crops = np.random.default_rng(1).random((16, 1, 3, LARGE_PX, LARGE_PX), np.float32)
    alone = [engine.load(LARGE)(crop)[0] for crop in crops]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda crop: engine.load(LARGE)(crop)[0], crops))
    assert np.array_equal(alone, together)


def test_a_network_starts_no_thread() -> None:
    def threads() -> set[str]:
        return {task.name for task in Path("/proc/self/task").iterdir()}

    before = threads()  # those of the test before may still be ending
    engine.load(SMALL)(np.zeros((8, 3, CROP_PX, CROP_PX), np.float32))
    assert threads() <= before


def test_the_library_keeps_and_sends_no_usage_data(tmp_path: Path) -> None:
    """Where it sends some, it has an identifier and a waiting list in the user's cache, and a thread that uploads."""
    left_out = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME")  # would switch it off too
    code = (
        "import os; from pathlib import Path; from tablecoin.vision.coins import engine; import numpy; "
        "before = len(os.listdir('/proc/self/task')); "
        f"engine.load(Path({str(SMALL)!r})); "
        "print(len(os.listdir('/proc/self/task')) - before)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in left_out} | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "0", "threads that the library started"
    assert list(tmp_path.rglob("*")) == []
