"""The value function of Coin Age, learned from games it plays against itself, on printed maps and on random ones.

Each round plays in arrays by the newest weights, where a side takes one good action after the other, and some games
against the plain estimate so that other play is met. All positions of all rounds then train new weights (Adam, in
numpy).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import asdict

from lab.training.coin_age_games import Between, Field, Ints, Worth, decided, plain, played
from tablecoin import rules
from tablecoin.opponents.coin_age.bare import bare_board, bare_node
from tablecoin.opponents.coin_age.features import Floats, features
from tablecoin.opponents.coin_age.learned import FILE, Weights
from tablecoin.opponents.coin_age.search import Node
from tablecoin.storage import arrays

OUT = Path("tablecoin/opponents/coin_age") / FILE
HIDDEN = 32
EPOCHS = 6
BATCH = 512
RATE = 3e-3  # of Adam at first; a tenth of it at the end
LEAD_WEIGHT = 0.3  # of the squared error of the lead beside the cross entropy of the win
RANDOM_MAPS = 5


class Material(NamedTuple):
    seen: Floats  # (N, F)
    share: Floats  # (N,)
    lead: Floats  # (N,) in tens of points


def maps() -> Iterator[dict[str, object]]:
    """Options of the games that are played."""
    for name in ("classic", "forest", "frozen", "lagoon", "volcano"):
        yield {"map": name}
    for seed in range(RANDOM_MAPS):
        yield {"map": "random", "seed": 7_700 + seed}


def worth_of(weights: Weights) -> Worth:
    """The log odds of winning, by which a side plays."""

    def worth(field: Field, tops: Floats, own: Ints, other: Ints) -> Floats:
        odds = weights(features(field.regions, tops, own.astype(np.float32), other.astype(np.float32)))[..., 0]
        return decided(field, tops, own, other, odds)

    return worth


def material(weights: Weights | None, games: int, seed: int) -> Material:
    """The positions of about `games` games: of each map by these weights on both sides, and on one."""
    newest = worth_of(weights) if weights else plain
    sides = [(newest, newest), (newest, plain), (plain, newest)] if weights else [(plain, plain)]
    found: list[Material] = []
    for place, options in enumerate(maps()):
        field, start = _begun(options)
        for k, players in enumerate(sides):
            count = max(1, games // (len(sides) * (5 + RANDOM_MAPS)))
            _, between = played(field, start, count, players, seed + 100 * place + k)
            found.append(_learned_from(field, between))
    return Material(*(np.concatenate(part) for part in zip(*found, strict=True)))


def contest(weights: Weights, games: int, seed: int) -> tuple[float, float]:
    """(share of the win against the plain estimate, its standard error) on all maps, each side as often."""
    shares: list[Floats] = []
    for place, options in enumerate(maps()):
        field, start = _begun(options)
        count = max(1, games // (2 * (5 + RANDOM_MAPS)))
        as_heads, _ = played(field, start, count, (worth_of(weights), plain), seed + 10 * place)
        as_tails, _ = played(field, start, count, (plain, worth_of(weights)), seed + 10 * place + 1)
        shares += [as_heads, 1 - as_tails]
    every = np.concatenate(shares)
    return float(every.mean()), float(every.std() / np.sqrt(len(every)))


def fitted(parts: Sequence[Material], seed: int) -> tuple[Weights, float]:
    """Weights trained on all these positions, and the mean cross entropy of the last epoch."""
    every = Material(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    chance = np.random.default_rng(seed)
    inputs = every.seen.shape[1]
    mean, scale = every.seen.mean(axis=0), every.seen.std(axis=0) + np.float32(1e-3)
    drawn = [
        chance.normal(0, inputs**-0.5, (inputs, HIDDEN)), np.zeros(HIDDEN), chance.normal(0, 0.1, (HIDDEN, 2)),
        np.zeros((inputs, 2)), np.zeros(2),
    ]  # fmt: skip
    weights: list[Floats] = [each.astype(np.float32) for each in drawn]
    first, second = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights]
    step, entropy = 0, 0.0
    batches = len(every.seen) // BATCH
    for epoch in range(EPOCHS):
        order, entropy = chance.permutation(len(every.seen)), 0.0
        for k in range(batches):
            some = order[k * BATCH : (k + 1) * BATCH]
            slopes, loss = _slopes(weights, (every.seen[some] - mean) / scale, every.share[some], every.lead[some])
            entropy += loss / batches
            step += 1
            rate = RATE * (1 - 0.9 * (epoch * batches + k) / (EPOCHS * batches))
            for each, slope, m, v in zip(weights, slopes, first, second, strict=True):
                m += 0.1 * (slope - m)
                v += 0.001 * (slope**2 - v)
                each -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return Weights(mean, scale, *weights), entropy


def packed(weights: Weights) -> bytes:
    """The file that ships."""
    return arrays.packed({name: np.asarray(each, np.float32) for name, each in asdict(weights).items()})


def _begun(options: dict[str, object]) -> tuple[Field, Node]:
    game = rules.load("coin-age")
    state = game.start(game.read_options(options))
    return Field(bare_board(state.board)), bare_node(state)


def _learned_from(field: Field, between: Between) -> Material:
    own, other = between.own.astype(np.float32), between.other.astype(np.float32)
    return Material(
        features(field.regions, between.tops, own, other), between.share, (between.lead / 10).astype(np.float32)
    )


def _slopes(weights: list[Floats], scaled: Floats, share: Floats, lead: Floats) -> tuple[list[Floats], float]:
    """The gradient for each of `weights` over a batch, and its mean cross entropy."""
    hidden, hidden_bias, out, straight, bias = weights
    lit = np.tanh(scaled @ hidden + hidden_bias)
    told = lit @ out + scaled @ straight + bias
    chance = 1 / (1 + np.exp(-np.clip(told[:, 0], -30, 30)))
    entropy = -(share * np.log(chance + 1e-7) + (1 - share) * np.log(1 - chance + 1e-7)).mean()
    back = np.stack([chance - share, LEAD_WEIGHT * (told[:, 1] - lead)], axis=1) / len(share)
    inner = (back @ out.T) * (1 - lit**2)
    return [scaled.T @ inner, inner.sum(axis=0), lit.T @ back, scaled.T @ back, back.sum(axis=0)], float(entropy)
