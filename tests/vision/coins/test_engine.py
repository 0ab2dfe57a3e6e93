"""The engine runs a network on the thread that asks, and cannot send anything."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import CROP_PX, FACE_PX
from tablecoin.vision.coins.network import Networks

COINS, FACES = Networks.shipped().coins, Networks.shipped().faces


def test_the_coin_network_gives_features_and_then_logits() -> None:
    features, logits = engine.load(COINS)(np.zeros((3, 3, CROP_PX, CROP_PX), np.float32))
    assert (features.shape, logits.shape) == ((3, 192), (3, 5 + 1))


def test_the_face_network_gives_a_face_for_each_kind() -> None:
    (faces,) = engine.load(FACES)(np.zeros((3, 3, FACE_PX, FACE_PX), np.float32))
    assert faces.shape == (3, 4)


def test_a_network_is_kept_once_and_run_by_many_threads() -> None:
    assert engine.load(FACES) is engine.load(bytes(bytearray(FACES)))
    crops = np.random.default_rng(1).random((16, 1, 3, FACE_PX, FACE_PX), np.float32)
    alone = [engine.load(FACES)(crop)[0] for crop in crops]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda crop: engine.load(FACES)(crop)[0], crops))
    assert np.array_equal(alone, together)


def test_a_network_starts_no_thread() -> None:
    def threads() -> int:
        return len(list(Path("/proc/self/task").iterdir()))

    before = threads(), threading.active_count()
    engine.load(COINS)(np.zeros((8, 3, CROP_PX, CROP_PX), np.float32))
    assert (threads(), threading.active_count()) == before


def test_the_library_holds_no_address_to_send_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    engine.load.cache_clear()
    engine.load(COINS)
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    libraries = list(Path(onnxruntime.__file__).parent.glob("capi/*.so*"))
    assert libraries
    assert [library.name for library in libraries if b"events.data.microsoft" in library.read_bytes()] == []
