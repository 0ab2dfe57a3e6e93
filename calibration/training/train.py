"""Train one network on a crop set; resumes from its checkpoint after an interruption."""

from __future__ import annotations

import copy
import ctypes
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from calibration.training.augment import Batch, Sampler
from calibration.training.cropset import NONE, CropSet
from calibration.training.net import CoinNet

BATCH = 128
PEAK_RATE = 3e-3
SAVE_EVERY = 500  # steps
# How much each source counts against the others; what is not named gets the square root of its size.
SHARES = {
    "euro": 4.0,
    "farthing": 1.5,
    "invented": 11.0,
    "background": 3.0,
    "breakingit32": 8.0,
    "drawn": 18.0,
    "printed": 3.0,
    "stranger": 7.0,
}


def weights(crops: CropSet) -> NDArray[np.float64]:
    """How often to draw each crop: photographers by the root of their size, coin sides evened out within the whole."""
    side = crops.kind * 3 + crops.heads + 1
    result = np.zeros(len(crops))
    for source in np.unique(crops.source):
        mine = crops.source == source
        share = SHARES.get(str(source), math.sqrt(mine.sum()))
        even = np.zeros(len(crops))
        for value in np.unique(side[mine]):
            even[mine & (side == value)] = (mine & (side == value)).sum() ** -0.5
        result += share * even / even.sum()
    ours = crops.kind != NONE
    totals = {value: result[ours & (side == value)].sum() for value in np.unique(side[ours])}
    for value, total in totals.items():
        result[ours & (side == value)] *= total**-0.5
    return result / result.sum()


def train(crops: CropSet, steps: int, checkpoint: Path, seed: int = 1) -> CoinNet:
    """The averaged network after `steps` batches; goes on from `checkpoint` when that is there."""
    torch.manual_seed(seed)
    net = CoinNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), PEAK_RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=steps + 1, pct_start=0.15)
    average = copy.deepcopy(net).eval()
    done = 0
    if checkpoint.exists():
        stored = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(stored["net"])
        average.load_state_dict(stored["average"])
        optimiser.load_state_dict(stored["optimiser"])
        schedule.load_state_dict(stored["schedule"])
        done = stored["done"]
    keep_memory()
    batches = iter(DataLoader(_Endless(crops, seed + done), batch_size=None, num_workers=1, prefetch_factor=4))
    started, losses = time.monotonic(), []
    while done < steps:
        batch = Batch(*next(batches))
        net.train()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(batch.pixels.to(memory_format=torch.channels_last)).float()
        loss = _loss(out, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        done += 1
        losses.append(loss.item())
        with torch.no_grad():
            keep = min(0.998, done / (done + 20))
            for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
                if slow.is_floating_point():
                    slow.lerp_(fast, 1 - keep)
        if done % SAVE_EVERY == 0 or done == steps:
            pace = (time.monotonic() - started) / len(losses)
            print(f"step {done}/{steps}  loss {np.mean(losses[-200:]):.4f}  {pace * 1000:.0f} ms a step", flush=True)
            state = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
            torch.save({name: thing.state_dict() for name, thing in state.items()} | {"done": done}, checkpoint)
    return average


def _loss(out: torch.Tensor, batch: Batch) -> torch.Tensor:
    kind = functional.cross_entropy(out[:, :5], batch.kind, label_smoothing=0.02)
    known = (batch.heads >= 0) & (batch.kind != NONE)
    target = batch.heads[known] * 0.98 + 0.01
    face = functional.binary_cross_entropy_with_logits(out[known, 5], target) if known.any() else out.sum() * 0
    return kind + 1.5 * face


class _Endless(IterableDataset[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]):
    """Batches from a process of its own, drawn while the network learns from the last one."""

    def __init__(self, crops: CropSet, seed: int) -> None:
        self._crops, self._seed = crops, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
        keep_memory()
        cv2.setNumThreads(1)
        sampler = Sampler(self._crops, weights(self._crops), self._seed)
        while True:
            batch = sampler.draw(BATCH)
            yield batch.pixels, batch.kind, batch.heads


def keep_memory() -> None:
    """Ask the C library to keep freed memory: fresh pages for every batch take longer than learning from it."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
        library.mallopt(mmap_threshold, 1 << 30)
        library.mallopt(trim_threshold, 2**31 - 1)
