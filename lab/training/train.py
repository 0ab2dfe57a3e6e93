"""Trains a network on a crop set by its recipe; goes on from its checkpoint after an interruption."""

from __future__ import annotations

import copy
import ctypes
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch.utils.data import DataLoader, IterableDataset

from lab.training.augment import Sampler
from lab.training.cropset import CropSet
from lab.training.net import Net, foundation
from lab.training.recipe import Recipe
from lab.training.shares import weights

USES = 2  # of each drawn sample, on average: drawing one costs as much as training with it
SAVE_EVERY = 500  # steps
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def train(recipe: Recipe, crops: CropSet, checkpoint: Path, seed: int = 1, begun: Net | None = None) -> Net:
    """The mean of the networks after the recipe's last two courses. Goes on from `checkpoint` where that exists.

    `begun`: a network of the recipe to begin with, in place of the published weights.
    """
    torch.manual_seed(seed)
    net = Net(recipe)
    if begun:
        net.load_state_dict(begun.state_dict())
    net = net.to(DEVICE, memory_format=torch.channels_last)
    average = copy.deepcopy(net).eval()
    stored = torch.load(checkpoint, DEVICE, weights_only=True) if checkpoint.exists() else {"done": 0, "ends": []}
    done, ended = stored["done"], stored["ends"]
    if done:
        net.load_state_dict(stored["net"])
        average.load_state_dict(stored["average"])
    keep_memory()
    batches = _batches(recipe, crops, seed + done)
    last_steps = itertools.accumulate(course.steps for course in recipe.courses)
    for course, end in zip(recipe.courses, last_steps, strict=True):
        optimiser = torch.optim.AdamW(net.learning(), course.peak_rate, weight_decay=recipe.decay, fused=True)
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
                loss = torch.stack(losses[-200:]).mean().item()  # read here alone: reading it makes a GPU wait
                pace = (time.monotonic() - started) / len(losses)
                print(f"step {done}  loss {loss:.4f}  {pace * 1000:.0f} ms a step", flush=True)
                state = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
                states = {name: thing.state_dict() for name, thing in state.items()}
                torch.save(states | {"done": done, "ends": ended}, checkpoint)
    for name, value in average.state_dict().items():
        if value.is_floating_point():
            value.copy_(torch.stack([end[name] for end in ended]).mean(dim=0))
    return average.cpu()


def _step(
    recipe: Recipe, net: Net, optimiser: torch.optim.Optimizer, batch: Sequence[torch.Tensor], softened: float
) -> torch.Tensor:
    """One step on a batch of (seen, kind, heads). Returns the loss before it."""
    seen, kind, heads = batch
    net.train()
    loss = recipe.loss(net.above(seen.to(memory_format=torch.channels_last)), kind, heads, softened)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.learning(), 2.0)
    optimiser.step()
    return loss.detach()


@torch.no_grad()
def _follow(average: Net, net: Net, keep: float) -> None:
    pairs = zip(average.state_dict().values(), net.state_dict().values(), strict=True)
    slow, fast = zip(*((one, other) for one, other in pairs if one.is_floating_point()), strict=True)
    torch._foreach_lerp_(slow, fast, 1 - keep)


Drawn = tuple[torch.Tensor, ...]  # what the untrained layers saw, the kinds, the faces


def _batches(recipe: Recipe, crops: CropSet, seed: int) -> Iterator[Drawn]:
    """On processors another process draws them, and runs the untrained layers, while the others are trained."""
    endless = _Endless(recipe, crops, seed)
    if DEVICE == "cpu":
        return iter(DataLoader(endless, batch_size=None, num_workers=1, prefetch_factor=4))
    return iter(endless)


class _Endless(IterableDataset[Drawn]):
    """Batches of samples taken at random from the newest drawn ones, so that each is used USES times on average."""

    def __init__(self, recipe: Recipe, crops: CropSet, seed: int) -> None:
        self._recipe, self._crops, self._seed = recipe, crops, seed

    def __iter__(self) -> Iterator[Drawn]:
        keep_memory()
        recipe, crops, size = self._recipe, self._crops, self._recipe.batch
        often = weights(crops, recipe.shares, recipe.kind_shares)
        given, sampler = foundation(recipe, DEVICE), Sampler(recipe, crops, often, self._seed, DEVICE)
        chance = torch.Generator(DEVICE).manual_seed(self._seed)
        pool: list[torch.Tensor] = []
        for number in itertools.count():
            batch = sampler.draw(size)
            with torch.no_grad():
                drawn = given(batch.pixels), batch.kind, batch.heads
            pool = pool or [part.new_empty(recipe.pool * size, *part.shape[1:]) for part in drawn]
            place = number % recipe.pool * size
            for kept, part in zip(pool, drawn, strict=True):
                kept[place : place + size] = part
            filled = min(number + 1, recipe.pool) * size
            for _ in range(USES):
                rows = torch.randint(filled, (size,), generator=chance, device=DEVICE)
                yield tuple(kept[rows] for kept in pool)


def keep_memory() -> None:
    """Ask the C library to keep freed memory: new pages for every batch would take longer than training on it."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
        library.mallopt(mmap_threshold, 1 << 30)
        library.mallopt(trim_threshold, 2**31 - 1)
