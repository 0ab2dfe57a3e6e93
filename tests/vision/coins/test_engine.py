"""The engine runs a network on the thread that asks, and cannot send anything."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import CROP_PX, FINE_PX, LARGE_PX
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import Networks

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


def test_the_library_holds_no_address_to_send_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    engine.load.cache_clear()
    engine.load(SMALL)
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    libraries = list(Path(onnxruntime.__file__).parent.glob("capi/*.so*"))
    assert libraries
    assert [library.name for library in libraries if b"events.data.microsoft" in library.read_bytes()] == []
