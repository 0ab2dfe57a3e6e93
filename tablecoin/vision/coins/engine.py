"""The engine that computes networks: onnxruntime, on the thread that asks.

A network is kept once, however many use it: the large one takes 12 MB of memory. What they need while they run they
take from one pool. A network that is given as bytes would be kept as bytes too, so it is given as a file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
Network = Callable[[Numbers], list[Numbers]]  # its one input to all its outputs, in the file's order


@lru_cache(maxsize=12)  # the three that ship and those held out by three folds
def load(onnx: Path) -> Network:
    """The network of an ONNX file, ready to run; the same one for the same file. Any threads may run it at once.

    ImportError: onnxruntime is missing or does not fit this computer.
    """
    # onnxruntime sends usage data to Microsoft unless this is set before its import (docs/decisions/usage-data.md).
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    _share_a_pool()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1  # the camera, the page and the referee need the other cores
    settings.enable_cpu_mem_arena = True  # else each layer's numbers take fresh pages, and the C library keeps more
    settings.add_session_config_entry("session.use_env_allocators", "1")  # the pool of all networks
    session = onnxruntime.InferenceSession(str(onnx), settings, providers=["CPUExecutionProvider"])
    (given,) = session.get_inputs()

    def run(numbers: Numbers) -> list[Numbers]:
        return [np.asarray(out, np.float32) for out in session.run(None, {given.name: numbers})]

    return run


@cache
def _share_a_pool() -> None:
    """Let networks take what they need while they run from one pool of onnxruntime, which a process makes once."""
    import onnxruntime

    memory = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(memory, None)
