"""Stack detection: the coin on top of another is a smaller circle inside the circle proposed.

In Coin Age smaller coins lie on larger ones. Seen from above, the lowest coin's rim is the strongest circle, and the
rims of those above lie inside it (`rims.py`).

Exactly one of these circles is the upper face of a coin that nothing lies on; the others are rings of its design, or
partly covered. So they are compared by their log-odds: each by the network's odds of being a coin of the kind that fits
its size; an inner one also by its edge, and by the prior odds of a stack at that place. That a circle has a coin's size
is no evidence in itself: a covered coin has it too, and only such circles were searched.

The looks of a penny on a silver coin count less where it is no redder than what shows around it: a brown nickel looks
like a penny, and so does the part of it within any ring of its own relief.

A coin that looks like one plain coin may hide another: a nickel on a quarter was read as the quarter with 0.999. There
the looks of the whole count for MOST_PLAIN at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination
from tablecoin.vision.coins import colour, scale
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Looks, heads_if
from tablecoin.vision.coins.rims import SMALLER, Inner, inside
from tablecoin.vision.frame import Disc, Image

USUAL_EDGE = 0.85  # the share of a circle along an edge that is no evidence for or against a coin on top
# Circles wider than OWN_RIM outer diameters run along the outer coin's own raised rim: there OWN_EDGE is that share.
OWN_RIM, OWN_EDGE = 0.92, 0.95
EDGE_WEIGHT = 25.0  # growth of the log-odds of a coin on top with that share
MOST_FOR_EDGE = 4.0  # the most, in log-odds, that the edge may add or take
# log(red/blue) of a penny on a silver coin less that of the ring around: above COPPER but for 3 of 158, median 0.43.
# Most brown nickels are 0.00 to 0.06 redder within a ring of their relief. Below COPPER a penny loses COPPER_WEIGHT
# log-odds for each 1.0, at most MOST_FOR_COPPER: what 3 of 158 against most are worth.
COPPER, COPPER_WEIGHT, MOST_FOR_COPPER = 0.12, 60.0, 4.0
PLAIN = 0.5  # probability of being one plain coin from which only coins of HIDDEN are searched: 1 of 187 stacks had it
# What may lie on a coin unseen: of 722 dimes and nickels on larger silver coins 30 were surely read as the larger coin,
# of 170 dimes on pennies 2, of 314 pennies on larger coins none.
HIDDEN = Denomination.DIME, Denomination.NICKEL
RARE = -1.0  # prior log-odds of a stack below which nobody searches a plain penny: its rim is too near the dime's
MOST_PLAIN = 2.5  # log-odds of being one plain coin, at most
MOST_LOOKS = 1.5  # log-odds that looks may give a circle on a plain coin: where more would be needed nobody looks
NOTHING = -7.0  # prior log-odds that none of the circles is a coin of ours, where the outer one has a coin's size
# By how much an outer circle of another size raises them: half the square of its error, in standard deviations of a log
# diameter (of 299 with a rim inside, cut-outs on virtual mats, half were off by less than 0.4 of one), up to the most.
OFF_SIZE, MOST_FOR_SIZE = 0.01, 6.0
SETTLED = 4.0  # lead of the outer circle, in log-odds, from which one look at the inner one is enough

_PENNY = BY_VALUE.index(Denomination.PENNY)


class Looker(Protocol):
    """The network, as far as it is needed here: `Identifier` is one."""

    def __call__(self, image: Image, discs: Sequence[Disc], /) -> Looks: ...

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, /) -> Looks: ...


def tops(
    candidates: Candidates, image: Image, prior: Callable[[Sequence[Disc]], Array], identifier: Looker
) -> Candidates:
    """`candidates`, each that may be a stack with the upper coin's disc and face, and the probabilities of both cases.

    Circles without a rim inside stay as they are. `prior` gives the log-odds, before anything is seen there, that
    another coin lies on the coin at each disc.
    """
    if not len(candidates):
        return candidates
    sizes_mm = candidates.diameters_mm
    single = _whole(candidates.looks.kinds, sizes_mm)
    for_outer = np.minimum(_odds(single[:, None]), MOST_PLAIN)
    for_nothing = _for_nothing(sizes_mm)
    priors = prior(candidates.circles)
    outer, inners = _searched(candidates, image, single >= PLAIN, priors)
    rims = [inner.disc for inner in inners]
    inner_mm = sizes_mm[outer] * [rim.r_px / candidates.circles[k].r_px for k, rim in zip(outer, rims, strict=True)]
    usual = np.where(inner_mm < OWN_RIM * sizes_mm[outer], USUAL_EDGE, OWN_EDGE)
    for_edge = EDGE_WEIGHT * ([inner.edge for inner in inners] - usual)
    beforehand = np.clip(for_edge, -MOST_FOR_EDGE, MOST_FOR_EDGE) + priors[outer]
    tell = np.flatnonzero((single[outer] < PLAIN) | (beforehand + MOST_LOOKS > for_outer[outer] - SETTLED))
    if not len(tell):
        return candidates
    outer, inner_mm, beforehand, rims = outer[tell], inner_mm[tell], beforehand[tell], [rims[n] for n in tell]
    fits = np.array([one.diameter_mm for one in BY_VALUE]) < SMALLER * sizes_mm[outer, None]
    seen = identifier(image, rims)
    agreed = fits * _agreed(seen.kinds, inner_mm)
    close = np.flatnonzero(_odds(agreed) + beforehand > for_outer[outer] - SETTLED)
    if len(close):
        again = identifier.again(image, [rims[n] for n in close], seen[close])
        seen = seen.put(close, again)
        agreed = fits * _agreed(seen.kinds, inner_mm)
    odds = _odds(agreed) + beforehand
    of_a_coin = for_nothing[outer] < NOTHING + MOST_FOR_SIZE  # by its size the outer circle may be a silver coin
    pennies = np.flatnonzero(of_a_coin & (agreed.argmax(axis=1) == _PENNY) & (odds > for_outer[outer] - SETTLED))
    below = [candidates.circles[outer[n]] for n in pennies]
    odds[pennies] -= _against_pennies(image, [rims[n] for n in pennies], below)
    counts = (single[outer] < PLAIN) | (odds > for_outer[outer] - SETTLED)
    for k in dict.fromkeys(outer[counts].tolist()):
        mine = np.flatnonzero((outer == k) & counts)
        share = agreed[mine] / np.maximum(agreed[mine].sum(axis=1, keepdims=True), 1e-9)
        inner = replace(
            candidates[np.full(len(mine), k)],
            discs=tuple(rims[n] for n in mine),
            kinds=np.column_stack([share, np.zeros(len(mine))]),
            heads_if=heads_if(seen.faces[mine]),
        )
        top = _weighed(candidates[[k]], float(for_outer[k]), inner, odds[mine], float(for_nothing[k]))
        candidates = candidates.put([k], top)
    return candidates


def _searched(
    candidates: Candidates, image: Image, plain: NDArray[np.bool_], priors: Array
) -> tuple[NDArray[np.int64], list[Inner]]:
    """The circles inside `candidates` that may be the rims of coins on top, and (M,) the candidate of each."""
    penny = candidates.kinds[:, OURS].argmax(axis=1) == _PENNY
    px_per_mm = [2 * one.r_px / size for one, size in zip(candidates.circles, candidates.diameters_mm, strict=True)]
    found = [
        (k, inner)
        for k in np.flatnonzero(~plain | ~penny | (priors > RARE))
        for inner in inside(image, candidates.circles[k], px_per_mm[k], HIDDEN if plain[k] else BY_SIZE)
    ]
    return np.array([k for k, _ in found], np.int64), [inner for _, inner in found]


def _against_pennies(image: Image, pennies: Sequence[Disc], below: Sequence[Disc]) -> Array:
    """(N,) log-odds against each of `pennies` on the silver coins `below`, by their colours."""
    lacking = COPPER - colour.redder(image, pennies, below)
    return np.asarray(np.clip(COPPER_WEIGHT * lacking, 0.0, MOST_FOR_COPPER))


def _weighed(
    single: Candidates, for_single: float, inner: Candidates, for_inner: Array, for_nothing: float
) -> Candidates:
    """One candidate of a circle: by their log-odds the mixture of it as one coin, and of the rims within it.

    It has the disc of the likeliest. NOT_A_COIN gets the doubt whether there is any coin.
    """
    weights = np.exp(for_inner - np.logaddexp.reduce([*for_inner, for_single, for_nothing]))
    shares = np.array([1 - weights.sum(), *weights])
    kinds = np.concatenate([single.kinds, inner.kinds])
    coins = shares[:, None] * (kinds[:, OURS] + 1e-12)
    up = (coins * np.concatenate([single.heads_if, inner.heads_if])).sum(axis=0) / coins.sum(axis=0)
    return replace(
        single,
        discs=((*single.discs, *inner.discs)[int(coins.sum(axis=1).argmax())],),
        kinds=(shares @ kinds)[None],
        heads_if=up[None],
        features=np.full_like(single.features, np.nan),
    )


def _for_nothing(diameters_mm: Array) -> Array:
    """(N,) the log-odds that circles of these diameters hold no coin of ours, before anything is seen in them."""
    off = np.abs(np.log(diameters_mm)[:, None] - scale.LOG_DIAMETER).min(axis=1)
    return np.asarray(NOTHING + np.minimum(0.5 * (off / OFF_SIZE) ** 2, MOST_FOR_SIZE))


def _agreed(log_looks: Array, diameters_mm: Array) -> Array:
    """(N, 4): the probability by looks of each of BY_VALUE, times how well the diameter (N,) fits it, 0..1."""
    sizes = scale.of_known(diameters_mm, np.zeros((len(diameters_mm), KINDS)))[:, OURS]
    return np.asarray(np.exp(log_looks[:, OURS]) * sizes / sizes.max(axis=1, keepdims=True))


def _whole(log_looks: Array, diameters_mm: Array) -> Array:
    """(N,) the probability that it is one coin with nothing on it.

    A circle that looks like a larger coin than it is was merely confused with it; one that looks like a smaller coin
    may have that coin on it, so there the size must fit.
    """
    larger = np.array([kind.diameter_mm for kind in BY_VALUE]) > diameters_mm[:, None]
    return np.asarray(np.where(larger, np.exp(log_looks[:, OURS]), _agreed(log_looks, diameters_mm)).sum(axis=1))


def _odds(kinds: Array) -> Array:
    """(N,) log-odds of being a coin of ours, from probabilities of some kinds (N, K)."""
    ours = np.clip(kinds.sum(axis=1), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(ours / (1 - ours)))
