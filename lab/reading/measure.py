"""Tables of coins drawn or cut out of photos, laid at random, read and counted.

Nothing here is compared with a threshold: the figures are for the lab log and the model card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from lab.reading.nothing import pictures
from lab.reading.scenes import SHAPES, on_top, scattered, stack, stages
from lab.reading.tally import Tally, tally
from tablecoin import mat as mats
from tablecoin.mat import Circle
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading
from tablecoin.vision.rest.settle import Settler

READ_AT_S = (0.0, 0.25, 0.65, 0.85, 1.05, 1.25)  # times at which the settler sees a table, until it has settled
TABLES_A_LIGHT = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """One table: how its first reading counts, and how the settled one counts."""

    size: str  # a penny's radius, e.g. "32 px"
    light: str
    once: Tally
    settled: Tally


def tables(count: int, skins: Iterable[Skin], identifier: Identifier, seed: int) -> Iterator[Seen]:
    """Read `count` tables of 20 scattered coins, with sizes and lights in turn; of `skins` one for each light."""
    rng = np.random.default_rng(seed)
    for number, stage in enumerate(stages(rng, skins)):
        for _ in range(min(TABLES_A_LIGHT, count - number * TABLES_A_LIGHT)):
            scene = Scene(coins=scattered(stage.renderer.mat, stage.skin, rng))
            once, settled = readings(scene, stage.renderer, identifier)
            yield Seen(stage.size, stage.light, tally(scene.coins, once), tally(scene.coins, settled))
        if (number + 1) * TABLES_A_LIGHT >= count:
            return


def readings(scene: Scene, renderer: Renderer, identifier: Identifier) -> tuple[Reading, Reading]:
    """The first reading of a still table, and the one in the settler's sighting; each picture has noise of its own.

    The settler wants two readings that agree, or five.
    """
    settler = Settler(Reader(renderer.mat.name, identifier=identifier).read)
    first: Reading | None = None
    for number, now_s in enumerate(READ_AT_S):
        look = settler.see(Frame(renderer.picture(scene), number, now_s))
        first = first or look.reading
        if first and look.sighting:
            return first, look.sighting.reading
    raise AssertionError("a still table settles")


def touching(count: int, skins: Iterable[Skin], identifier: Identifier, seed: int) -> Iterator[tuple[str, Tally]]:
    """Read `count` tables of each of SHAPES: (shape, counts of one table)."""
    rng = np.random.default_rng(seed)
    done: Counter[str] = Counter()
    for stage in stages(rng, skins):
        for name, shape in SHAPES.items():
            for _ in range(min(TABLES_A_LIGHT, count - done[name])):
                reader = Reader(stage.renderer.mat.name, identifier=identifier)
                coins = shape(stage.renderer.mat, stage.skin, rng)
                reading = reader.read(Frame(stage.renderer.picture(Scene(coins=coins)), 0, 0.0))
                visible = coins[1::2] if shape is on_top else coins
                done[name] += 1
                yield name, tally(visible, reading)
        if all(done[name] >= count for name in SHAPES):
            return


def positions(count: int, skins: Iterable[Skin], identifier: Identifier, seed: int) -> Iterator[Counter[str]]:
    """Read `count` random Coin Age positions: counts of empty spaces, single coins and stacks, and of those right."""
    rng = np.random.default_rng(seed)
    maps = tuple(name for name in mats.names() if name.startswith("coin-age"))
    for stage in islice(stages(rng, skins, maps), count):
        mat = stage.renderer.mat
        stacks = {zone.name: stack(zone.area, stage.skin, rng) for zone in mat.zones if isinstance(zone.area, Circle)}
        coins = tuple(coin for pile in stacks.values() for coin in pile)
        image = stage.renderer.picture(Scene(coins=coins))
        seen = Reader(mat.name, identifier=identifier).read(Frame(image, 0, 0.0)).coins
        counts: Counter[str] = Counter()
        for name, pile in stacks.items():
            what = ("empty", "single", "stack")[min(len(pile), 2)]
            here = [coin for coin in seen if coin.zone == name]
            right = len(here) == 1 and bool(pile) and here[0].coin is pile[-1].coin
            counts[what] += 1
            counts[f"{what} right"] += right or not (here or pile)
            counts[f"{what} right and sure"] += right and here[0].sure
            counts[f"{what} wrong and sure"] += not right and any(coin.sure for coin in here)
        counts["elsewhere"] += sum(coin.zone not in stacks for coin in seen)
        yield counts


def invented(count: int, identifier: Identifier, seed: int) -> Iterator[tuple[str, int, int]]:
    """Read `count` pictures without a coin: (what the picture shows, coins invented, of these sure)."""
    reader = Reader("none", identifier=identifier)
    for what, image in pictures(count, seed):
        coins = [coin for coin in reader.read(Frame(image, 0, 0.0)).coins if coin.denomination]
        yield what, len(coins), sum(coin.sure for coin in coins)
