"""The engine runs a network on the thread that asks, and cannot send anything."""

from __future__ import annotations

import os
import threading
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import CROP_PX

COINS = (files("tablecoin.vision.coins") / "coins.onnx").read_bytes()


def test_the_coin_network_gives_features_and_then_logits() -> None:
    features, logits = engine.load(COINS)(np.zeros((3, 3, CROP_PX, CROP_PX), np.float32))
    assert (features.shape, logits.shape) == ((3, 192), (3, 5 + 1))


def test_a_network_starts_no_thread() -> None:
    def threads() -> int:
        return len(list(Path("/proc/self/task").iterdir()))

    before = threads(), threading.active_count()
    engine.load(COINS)(np.zeros((8, 3, CROP_PX, CROP_PX), np.float32))
    assert (threads(), threading.active_count()) == before


def test_the_library_holds_no_address_to_send_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    engine.load(COINS)
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    libraries = list(Path(onnxruntime.__file__).parent.glob("capi/*.so*"))
    assert libraries
    assert [library.name for library in libraries if b"events.data.microsoft" in library.read_bytes()] == []
