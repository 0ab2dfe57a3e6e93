"""Trains a network on a crop set by its recipe; goes on from its checkpoint after an interruption."""

from __future__ import annotations

import copy
import ctypes
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from lab.training.augment import Sampler
from lab.training.cropset import CropSet
from lab.training.net import Net, foundation
from lab.training.recipe import Recipe
from lab.training.shares import weights

USES = 2  # of each drawn sample: drawing one costs as much as half a step of training with it
SAVE_EVERY = 500  # steps


def train(recipe: Recipe, crops: CropSet, checkpoint: Path, seed: int = 1, begun: Net | None = None) -> Net:
    """The mean of the networks after the recipe's last two courses. Goes on from `checkpoint` where that exists.

    `begun`: a network of the recipe to begin with, in place of the published weights.
    """
    torch.manual_seed(seed)
    net = Net(recipe)
    if begun:
        net.load_state_dict(begun.state_dict())
    net = net.to(memory_format=torch.channels_last)
    average = copy.deepcopy(net).eval()
    stored = torch.load(checkpoint, weights_only=True) if checkpoint.exists() else {"done": 0, "ends": []}
    done, ended = stored["done"], stored["ends"]
    if done:
        net.load_state_dict(stored["net"])
        average.load_state_dict(stored["average"])
    keep_memory()
    batches = iter(DataLoader(_Endless(recipe, crops, seed + done), batch_size=None, num_workers=1, prefetch_factor=4))
    last_steps = itertools.accumulate(course.steps for course in recipe.courses)
    for course, end in zip(recipe.courses, last_steps, strict=True):
        optimiser = torch.optim.AdamW(net.learning(), course.peak_rate, weight_decay=recipe.decay)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, course.peak_rate, total_steps=course.steps + 1, pct_start=0.15
        )
        if end - course.steps < done < end:
            optimiser.load_state_dict(stored["optimiser"])
            schedule.load_state_dict(stored["schedule"])
        started, losses = time.monotonic(), []
        while done < end:
            losses.append(_step(recipe, net, optimiser, next(batches), course.softened))
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


def _step(
    recipe: Recipe, net: Net, optimiser: torch.optim.Optimizer, batch: Sequence[torch.Tensor], softened: float
) -> float:
    """One step on a batch of (seen, kind, heads). Returns the loss before it."""
    seen, kind, heads = batch
    net.train()
    loss = recipe.loss(net.above(seen.to(memory_format=torch.channels_last)), kind, heads, softened)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.learning(), 2.0)
    optimiser.step()
    return loss.item()


@torch.no_grad()
def _follow(average: Net, net: Net, keep: float) -> None:
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if slow.is_floating_point():
            slow.lerp_(fast, 1 - keep)


Drawn = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # what the untrained layers saw, the kinds, the faces


class _Endless(IterableDataset[Drawn]):
    """Batches from another process, which draws them and runs the untrained layers while the others are trained.

    A batch is taken at random from the newest drawn ones, so that each sample is used USES times on average.
    """

    def __init__(self, recipe: Recipe, crops: CropSet, seed: int) -> None:
        self._recipe, self._crops, self._seed = recipe, crops, seed

    def __iter__(self) -> Iterator[Drawn]:
        keep_memory()
        cv2.setNumThreads(1)
        recipe, crops, size = self._recipe, self._crops, self._recipe.batch
        often = weights(crops, recipe.shares, recipe.kind_shares)
        given, sampler = foundation(recipe), Sampler(recipe, crops, often, self._seed)
        chance = torch.Generator().manual_seed(self._seed)
        pool: list[Drawn] = []
        for number in itertools.count():
            batch = sampler.draw(size)
            with torch.no_grad():
                drawn = given(batch.pixels), batch.kind, batch.heads
            place = number % recipe.pool
            pool[place : place + 1] = [drawn]
            for _ in range(USES):
                which = torch.randint(len(pool), (size,), generator=chance).tolist()
                rows = torch.randperm(size, generator=chance).tolist()
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
