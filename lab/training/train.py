"""Trains one network on a crop set; goes on from its checkpoint after an interruption."""

from __future__ import annotations

import copy
import ctypes
import itertools
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from lab.training.augment import Sampler
from lab.training.cropset import NONE, CropSet
from lab.training.net import CoinNet, foundation

BATCH = 128
USES = 2  # of each drawn sample: drawing one costs as much as half a step of training with it
POOL = 16  # batches of drawn samples from which each batch is taken
SAVE_EVERY = 500  # steps
# Weight of each source; photographers not named here get the square root of their number of crops.
SHARES = {
    "euro": 4.0,
    "farthing": 1.5,
    "invented": 11.0,
    "background": 3.0,
    "breakingit32": 8.0,
    "drawn": 26.0,
    "printed": 3.0,
    "stranger": 9.0,
    "odd": 8.0,
    "stanleychen7": 9.0,  # slabs and catalogues count for less than photos of tables
    "FinleyZ_ucoin": 8.0,
}


def weights(crops: CropSet) -> NDArray[np.float64]:
    """How often to draw each crop: photographers by the root of their size, all sides of coins about equally."""
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


@dataclass(frozen=True, slots=True)
class Course:
    """A part of training with its own one-cycle learning rate."""

    steps: int
    peak_rate: float
    softened: float  # label smoothing: the share of each label's probability given to other classes


# Smoothed labels give the best readings of photographers never seen; hard labels then teach that some coins leave no
# doubt. A third course ends at other weights; the mean of both ends reads unseen photographers better than either
# (Wortsman et al., Model soups, 2022).
COURSES = (Course(2500, 3e-3, 0.02), Course(1000, 1e-3, 0.0), Course(1500, 2e-3, 0.0))


def train(crops: CropSet, checkpoint: Path, courses: Sequence[Course] = COURSES, seed: int = 1) -> CoinNet:
    """The mean of the networks after the last two of `courses`. Goes on from `checkpoint` where that exists."""
    torch.manual_seed(seed)
    net = CoinNet().to(memory_format=torch.channels_last)
    average = copy.deepcopy(net).eval()
    stored = torch.load(checkpoint, weights_only=True) if checkpoint.exists() else {"done": 0, "ends": []}
    done, ended = stored["done"], stored["ends"]
    if done:
        net.load_state_dict(stored["net"])
        average.load_state_dict(stored["average"])
    keep_memory()
    batches = iter(DataLoader(_Endless(crops, seed + done), batch_size=None, num_workers=1, prefetch_factor=4))
    last_steps = itertools.accumulate(course.steps for course in courses)
    for course, end in zip(courses, last_steps, strict=True):
        optimiser = torch.optim.AdamW(net.learning(), course.peak_rate, weight_decay=0.02)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, course.peak_rate, total_steps=course.steps + 1, pct_start=0.15
        )
        if end - course.steps < done < end:
            optimiser.load_state_dict(stored["optimiser"])
            schedule.load_state_dict(stored["schedule"])
        started, losses = time.monotonic(), []
        while done < end:
            losses.append(_step(net, optimiser, next(batches), course.softened))
            schedule.step()
            done += 1
            _follow(average, net, min(0.998, done / (done + 20)))
            if done == end:
                ended = [*ended, copy.deepcopy(average.state_dict())][-2:]
            if done % SAVE_EVERY == 0 or done == end:
                pace = (time.monotonic() - started) / len(losses)
                print(f"step {done}  loss {np.mean(losses[-200:]):.4f}  {pace * 1000:.0f} ms a step", flush=True)
                state = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
                states = {name: thing.state_dict() for name, thing in state.items()}
                torch.save(states | {"done": done, "ends": ended}, checkpoint)
    for name, value in average.state_dict().items():
        if value.is_floating_point():
            value.copy_(torch.stack([end[name] for end in ended]).mean(dim=0))
    return average


def _step(net: CoinNet, optimiser: torch.optim.Optimizer, batch: Sequence[torch.Tensor], softened: float) -> float:
    """One step on a batch of (seen, kind, heads). Returns the loss before it."""
    seen, kind, heads = batch
    net.train()
    loss = _loss(net.above(seen.to(memory_format=torch.channels_last)), kind, heads, softened)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.learning(), 2.0)
    optimiser.step()
    return loss.item()


@torch.no_grad()
def _follow(average: CoinNet, net: CoinNet, keep: float) -> None:
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - keep)


def _loss(out: torch.Tensor, kind: torch.Tensor, heads: torch.Tensor, softened: float) -> torch.Tensor:
    known = (heads >= 0) & (kind != NONE)
    target = heads[known] * (1 - softened) + softened / 2
    face = functional.binary_cross_entropy_with_logits(out[known, 5], target) if known.any() else out.sum() * 0
    return functional.cross_entropy(out[:, :5], kind, label_smoothing=softened) + 1.5 * face


Drawn = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # what the untrained layers saw, the kinds, the faces


class _Endless(IterableDataset[Drawn]):
    """Batches from another process, which draws them and runs the untrained layers while the others are trained.

    A batch is taken at random from the newest POOL drawn ones, so that each sample is used USES times on average.
    """

    def __init__(self, crops: CropSet, seed: int) -> None:
        self._crops, self._seed = crops, seed

    def __iter__(self) -> Iterator[Drawn]:
        keep_memory()
        cv2.setNumThreads(1)
        given, sampler = foundation(), Sampler(self._crops, weights(self._crops), self._seed)
        chance = torch.Generator().manual_seed(self._seed)
        pool: list[Drawn] = []
        for number in itertools.count():
            batch = sampler.draw(BATCH)
            with torch.no_grad():
                drawn = given(batch.pixels), batch.kind, batch.heads
            pool[number % POOL : number % POOL + 1] = [drawn]
            for _ in range(USES):
                which = torch.randint(len(pool), (BATCH,), generator=chance).tolist()
                rows = torch.randperm(BATCH, generator=chance).tolist()
                yield (
                    torch.stack([pool[k][0][row] for k, row in zip(which, rows, strict=True)]),
                    torch.stack([pool[k][1][row] for k, row in zip(which, rows, strict=True)]),
                    torch.stack([pool[k][2][row] for k, row in zip(which, rows, strict=True)]),
                )


def keep_memory() -> None:
    """Ask the C library to keep freed memory: new pages for every batch would take longer than training on it."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
        library.mallopt(mmap_threshold, 1 << 30)
        library.mallopt(trim_threshold, 2**31 - 1)
