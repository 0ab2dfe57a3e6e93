"""`python -m lab.reading.measure`: whole tables, touching coins and pictures without a coin, read and counted.

    python -m lab.reading.measure tables                          20 drawn coins a table, many lights and blurs, read
                                                                  once, and as the settler has them
    python -m lab.reading.measure tables --photos ../shared/coins --run training-run
                                        real coins, each read by the network that never saw their photographer
    python -m lab.reading.measure touching                        rings, lines, a dime on each larger coin
    python -m lab.reading.measure maps                            random Coin Age positions: empty spaces, coins, stacks
    python -m lab.reading.measure nothing                         200 pictures with no coin in them

Nothing here is tested against a threshold: the figures go into docs/reader.md.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from calibration.labels import read_labels
from lab.reading.cutouts import cut_out
from lab.reading.nothing import pictures
from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.mat import Circle, Mat, ZoneKind
from tablecoin.virtual.render import PX_PER_MM, Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.identify import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading, SeenCoin
from tablecoin.vision.rest.settle import Settler

COINS = 20
GAP_MM = 1.5  # least distance between the rims of coins that do not touch
NEAR_MM = 2.0  # a coin read no further from its true place is that coin
# Of a picture that just shows the mat, by the radius of a penny in it.
PENNY_RADIUS_PX = {24: (1092, 816), 32: (1456, 1088), 48: (2184, 1632), 64: (2912, 2176)}
READ_AT_S = (0.0, 0.25, 0.65, 0.85, 1.05, 1.25)  # when the settler is shown a table, until it has settled
TABLES_A_LIGHT = 5
OUTCOMES = ("right", "right and sure", "wrong and sure")
LIGHTS = {
    "plain": Light(),
    "dim": Light(brightness=0.4, noise=4.0),
    "bright": Light(brightness=1.12, falloff=0.05),
    "lamp beside": Light(brightness=1.0, falloff=0.35),
    "warm": Light(warmth=0.18, brightness=0.9),
    "cold": Light(warmth=-0.15, brightness=0.9),
    "soft": Light(blur_px=1.1),
    "blurred": Light(blur_px=1.7),
    "grainy": Light(noise=7.0, brightness=0.7),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of one table."""

    coins: int
    found: int
    right: int  # of the found: denomination and face
    sure: int
    wrong_and_sure: int
    invented: int

    @property
    def whole(self) -> bool:
        """Every coin right and sure, and nothing else seen."""
        return self.coins == self.right == self.sure and not self.invented

    @property
    def best_guess(self) -> bool:
        """Every coin right, sure or not, and nothing else seen."""
        return self.coins == self.right and not self.invented


def tally(laid: Sequence[VirtualCoin], reading: Reading) -> Tally:
    """Hold a reading against what lies on the table, nearest first, one to one."""
    took: dict[int, int] = {}
    for _, k, j in sorted(
        (apart, k, j)
        for k, coin in enumerate(laid)
        for j, seen in enumerate(reading.coins)
        if seen.place_mm and (apart := math.dist(seen.place_mm, (coin.x_mm, coin.y_mm))) <= NEAR_MM
    ):
        if k not in took and j not in took.values():
            took[k] = j
    pairs = [(laid[k], reading.coins[j]) for k, j in took.items()]
    right = [seen.coin is coin.coin for coin, seen in pairs]
    others = [seen for j, seen in enumerate(reading.coins) if j not in took.values()]
    return Tally(
        coins=len(laid),
        found=len(pairs),
        right=sum(right),
        sure=sum(seen.sure for _, seen in pairs),
        wrong_and_sure=sum(seen.sure and not good for (_, seen), good in zip(pairs, right, strict=True)),
        invented=sum(seen.denomination is not None for seen in others),
    )


def scattered(mat: Mat, skin: Skin, rng: np.random.Generator, count: int = COINS) -> tuple[VirtualCoin, ...]:
    """`count` coins at random places of the mat, none touching, none on the prize circle."""
    coins: list[VirtualCoin] = []
    while len(coins) < count:
        x, y = rng.uniform(14, mat.width_mm - 14), rng.uniform(14, mat.height_mm - 14)
        coin = _coin(BY_VALUE[int(rng.integers(4))], x, y, skin, rng)
        if lies_alone(mat, coin, coins):
            coins.append(coin)
    return tuple(coins)


def lies_alone(mat: Mat, coin: VirtualCoin, others: Sequence[VirtualCoin]) -> bool:
    """Whether it covers no marker, lies outside the prize circle and touches none of `others`."""
    return _free(mat, coin) and all(_gap(coin, other) > GAP_MM for other in others)


def ring(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """Nine pennies in a ring, each touching the next."""
    far = Denomination.PENNY.diameter_mm / (2 * math.sin(math.pi / 9))
    return _placed(mat, rng, far + 11, [(Denomination.PENNY, far, math.tau * k / 9) for k in range(9)], skin)


def line(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """Five mixed coins in a line, each touching the next."""
    kinds = [BY_VALUE[int(rng.integers(4))] for _ in range(5)]
    at, parts = 0.0, []
    for k, kind in enumerate(kinds):
        at += (kinds[k - 1].diameter_mm + kind.diameter_mm) / 2 if k else 0.0
        parts.append((kind, at, 0.0))
    middle = at / 2
    return _placed(mat, rng, middle + 14, [(kind, far - middle, turn) for kind, far, turn in parts], skin)


def on_top(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """A dime somewhere on a penny, on a nickel and on a quarter, whole upon each; only the dimes can be read."""
    coins: list[VirtualCoin] = []
    for k, kind in enumerate((Denomination.PENNY, Denomination.NICKEL, Denomination.QUARTER)):
        (below,) = _placed(mat, rng, 16, [(kind, 0.0, 0.0)], skin, coins[1::2])
        room, way = (kind.diameter_mm - Denomination.DIME.diameter_mm) / 2 * rng.random(), rng.uniform(0, math.tau)
        dime = _coin(Denomination.DIME, below.x_mm + room * math.cos(way), below.y_mm + room * math.sin(way), skin, rng)
        coins += [below, dime]
        assert len(coins) == 2 * k + 2
    return tuple(coins)


SHAPES = {"ring of 9 pennies": ring, "line of 5 mixed": line, "a dime on each larger coin": on_top}


@dataclass(frozen=True, slots=True)
class Seen:
    """One table, as it was read the first time and as it was when it had settled."""

    once: Tally
    settled: Tally


def tables(count: int, skin: Skin, identifier: Identifier, seed: int) -> dict[tuple[str, str], list[Seen]]:
    """Read `count` tables of 20 coins, the sizes and lights in turn: {(size, light): tallies}."""
    rng = np.random.default_rng(seed)
    results: dict[tuple[str, str], list[Seen]] = defaultdict(list)
    for number, (size, light, renderer, fine) in enumerate(_stages(rng, skin)):
        for _ in range(min(TABLES_A_LIGHT, count - number * TABLES_A_LIGHT)):
            scene = Scene(coins=scattered(renderer.mat, fine, rng))
            once, settled = readings(scene, renderer, identifier)
            results[size, light].append(Seen(tally(scene.coins, once), tally(scene.coins, settled)))
        if (number + 1) * TABLES_A_LIGHT >= count:
            return results
    raise AssertionError("the stages never end")


def readings(scene: Scene, renderer: Renderer, identifier: Identifier) -> tuple[Reading, Reading]:
    """A still table's first reading, and the one that the settler gives out as a sighting; the grain is new each time.

    It takes two readings that agree, or five that do not.
    """
    settler = Settler(Reader(renderer.mat.name, identifier=identifier).read)
    first: Reading | None = None
    for number, now_s in enumerate(READ_AT_S):
        look = settler.see(Frame(renderer.picture(scene), number, now_s))
        first = first or look.reading
        if first and look.sighting:
            return first, look.sighting.reading
    raise AssertionError("a still table settles")


def touching(count: int, skin: Skin, identifier: Identifier, seed: int) -> dict[str, list[Tally]]:
    """Read `count` tables of each shape."""
    rng = np.random.default_rng(seed)
    results: dict[str, list[Tally]] = defaultdict(list)
    for _, _, renderer, fine in _stages(rng, skin):
        for name, shape in SHAPES.items():
            for _ in range(min(TABLES_A_LIGHT, count - len(results[name]))):
                reader = Reader(renderer.mat.name, identifier=identifier)
                coins = shape(renderer.mat, fine, rng)
                reading = reader.read(Frame(renderer.picture(Scene(coins=coins)), 0, 0.0))
                seen = coins[1::2] if shape is on_top else coins
                results[name].append(tally(seen, reading))
        if all(len(results[name]) >= count for name in SHAPES):
            return results
    raise AssertionError("the stages never end")


def positions(count: int, skin: Skin, identifier: Identifier, seed: int) -> Counter[str]:
    """Read `count` Coin Age maps: how many empty spaces, single coins and stacks, and what was made of each."""
    rng = np.random.default_rng(seed)
    maps = tuple(name for name in mats.names() if name.startswith("coin-age"))
    counts: Counter[str] = Counter()
    for _, _, renderer, fine in islice(_stages(rng, skin, maps), count):
        stacks = {
            zone.name: stack(zone.area, fine, rng) for zone in renderer.mat.zones if isinstance(zone.area, Circle)
        }
        coins = tuple(coin for pile in stacks.values() for coin in pile)
        image = renderer.picture(Scene(coins=coins))
        seen = Reader(renderer.mat.name, identifier=identifier).read(Frame(image, 0, 0.0)).coins
        for name, pile in stacks.items():
            what = ("empty", "single", "stack")[min(len(pile), 2)]
            here = [coin for coin in seen if coin.zone == name]
            right = len(here) == 1 and bool(pile) and here[0].coin is pile[-1].coin
            counts[what] += 1
            counts[f"{what} right"] += right or not (here or pile)
            counts[f"{what} right and sure"] += right and here[0].sure
            counts[f"{what} wrong and sure"] += not right and any(coin.sure for coin in here)
        counts["elsewhere"] += sum(coin.zone not in stacks for coin in seen)
    return counts


def stack(area: Circle, skin: Skin, rng: np.random.Generator) -> list[VirtualCoin]:
    """What lies on a space, bottom to top: nothing, a coin anywhere on it, or two to four, each whole upon the last."""
    height = int(rng.choice(5, p=(0.35, 0.25, 0.24, 0.12, 0.04)))
    pile: list[VirtualCoin] = []
    x, y = area.center_mm
    room = area.radius_mm
    for k in sorted(rng.choice(4, height, replace=False), reverse=True):
        radius = BY_SIZE[k].diameter_mm / 2
        far, way = (room - radius) * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        x, y, room = x + far * math.cos(way), y + far * math.sin(way), radius
        pile.append(_coin(BY_SIZE[k], x, y, skin, rng))
    return pile


def _stages(
    rng: np.random.Generator, skin: Skin, names: Sequence[str] = mats.names()
) -> Iterator[tuple[str, str, Renderer, Skin]]:
    """Mats, cameras and lights without end: (size in px of a penny's radius, light, renderer, its skin).

    Nothing is blown up: neither the canvas nor any cut-out has fewer pixels a millimetre than the camera sees.
    """
    while True:
        for light_name, light in LIGHTS.items():
            mat = mats.load(names[int(rng.integers(len(names)))])
            radius = list(PENNY_RADIUS_PX)[int(rng.choice(4, p=(0.2, 0.4, 0.2, 0.2)))]
            px_per_mm = 2 * radius / Denomination.PENNY.diameter_mm
            view = View.over(
                mat,
                size_px=PENNY_RADIUS_PX[radius],
                tilt_deg=float(rng.uniform(0, 6)),
                towards_deg=float(rng.uniform(0, 360)),
                roll_deg=float(rng.uniform(-4, 4)),
            )
            seed, fine = int(rng.integers(1 << 30)), skin.finer(px_per_mm)
            yield f"{radius} px", light_name, Renderer(mat, view, light, fine, seed, max(PX_PER_MM, px_per_mm)), fine


def _coin(kind: Denomination, x_mm: float, y_mm: float, skin: Skin, rng: np.random.Generator) -> VirtualCoin:
    face = list(Face)[int(rng.integers(2))]
    return VirtualCoin(
        kind, face, float(x_mm), float(y_mm), float(rng.uniform(0, 360)), int(rng.integers(skin.designs(kind, face)))
    )


def _placed(
    mat: Mat,
    rng: np.random.Generator,
    reach_mm: float,
    parts: Sequence[tuple[Denomination, float, float]],
    skin: Skin,
    beside: Sequence[VirtualCoin] = (),
) -> tuple[VirtualCoin, ...]:
    """Coins of polar places (kind, mm, radians) round a random point of the mat, turned, clear of `beside`."""
    while True:
        x, y = (rng.uniform(reach_mm, side - reach_mm) for side in (mat.width_mm, mat.height_mm))
        turn = rng.uniform(0, math.tau)
        coins = [
            _coin(kind, x + far * math.cos(turn + angle), y + far * math.sin(turn + angle), skin, rng)
            for kind, far, angle in parts
        ]
        if all(_free(mat, coin) for coin in coins) and all(_gap(c, other) > 9 for c in coins for other in beside):
            return tuple(coins)


def _free(mat: Mat, coin: VirtualCoin) -> bool:
    """Whether the coin covers no marker and lies outside the prize circle, where nothing is read."""
    r = coin.denomination.diameter_mm / 2
    if any(max(abs(coin.x_mm - m.x_mm), abs(coin.y_mm - m.y_mm)) < m.size_mm * 0.65 + r for m in mat.markers):
        return False
    return mat.kind_at(coin.x_mm, coin.y_mm) is not ZoneKind.PRIZE


def _gap(a: VirtualCoin, b: VirtualCoin) -> float:
    """Millimetres between two coins' rims."""
    apart = math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
    return apart - (a.denomination.diameter_mm + b.denomination.diameter_mm) / 2


def line_of(name: str, tallies: Sequence[Tally]) -> str:
    """One row of counts."""
    total = {field: sum(getattr(t, field) for t in tallies) for field in Tally.__dataclass_fields__}
    whole, guess = sum(t.whole for t in tallies), sum(t.best_guess for t in tallies)
    return (
        f"{name:28} whole and sure {whole}/{len(tallies)}  right {guess}/{len(tallies)}  coins found"
        f" {total['found']}/{total['coins']}  right {total['right']}  sure {total['sure']}"
        f"  wrong+sure {total['wrong_and_sure']}  invented {total['invented']}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.reading.measure", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("tables", "touching", "maps", "nothing"))
    parser.add_argument("--count", type=int, help="how many tables, or pictures (100; 200 of nothing)")
    parser.add_argument("--photos", type=Path, help="real coins: the folder with scenes/labels.csv")
    parser.add_argument("--run", type=Path, help="the folder with the held-out networks fold0.onnx and so on")
    parser.add_argument("--network", type=Path, help="a network other than the shipped one")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if chosen.photos and not chosen.run:
        parser.error("--photos needs --run, the folder of the networks that were held out (lab.training).")
    cv2.setNumThreads(1)
    count = chosen.count or (200 if chosen.what == "nothing" else 100)
    if chosen.what == "nothing":
        _nothing(count, Identifier(chosen.network.read_bytes() if chosen.network else None), chosen.seed)
        return
    if chosen.what == "tables":
        by_stage: dict[tuple[str, str], list[Seen]] = defaultdict(list)
        sides = list(_sides(chosen.photos, chosen.run, chosen.network))
        for k, (skin, identifier) in enumerate(sides):
            for stage, some in tables(-(-count // len(sides)), skin, identifier, chosen.seed + k).items():
                by_stage[stage] += some
        for part in (0, 1):
            for name in dict.fromkeys(stage[part] for stage in by_stage):
                _print_seen(name, [one for stage, some in by_stage.items() if stage[part] == name for one in some])
        _print_seen("all", [one for some in by_stage.values() for one in some])
    elif chosen.what == "maps":
        counts: Counter[str] = Counter()
        for k, (skin, identifier) in enumerate(sides := list(_sides(chosen.photos, chosen.run, chosen.network))):
            counts += positions(-(-count // len(sides)), skin, identifier, chosen.seed + k)
        for what in ("empty", "single", "stack"):
            print(f"{what:28} {counts[what]}" + "".join(f"  {end} {counts[f'{what} {end}']}" for end in OUTCOMES))
        print(f"{'seen elsewhere':28} {counts['elsewhere']}")
    else:
        by_shape: dict[str, list[Tally]] = defaultdict(list)
        sides = list(_sides(chosen.photos, chosen.run, chosen.network))
        for k, (skin, identifier) in enumerate(sides):
            for name, read in touching(-(-count // len(sides)), skin, identifier, chosen.seed + k).items():
                by_shape[name] += read
        for name, tallies in by_shape.items():
            print(line_of(name, tallies))


def _print_seen(name: str, some: Sequence[Seen]) -> None:
    print(line_of(f"{name}, first reading", [one.once for one in some]))
    print(line_of(f"{name}, settled", [one.settled for one in some]))


def _sides(photos: Path | None, run: Path | None, network: Path | None) -> Iterator[tuple[Skin, Identifier]]:
    """The drawn coins and one network; or each fold's real coins and the network that never saw their photographers."""
    if photos is None or run is None:
        yield Skin(), Identifier(network.read_bytes() if network else None)
        return
    for skin, held_out in sides(photos, run):
        yield skin, Identifier(held_out)


def sides(photos: Path, run: Path) -> Iterator[tuple[Skin, bytes]]:
    """Each fold's real coins, and the network of `run` that never saw their photographers, as ONNX."""
    from lab.training.folds import FOLDS

    labelled = read_labels(photos / "scenes/labels.csv")
    for number, fold in enumerate(FOLDS):
        with tempfile.TemporaryDirectory() as folder:
            cut_out(labelled, photos / "scenes", fold, Path(folder))
            skin = Skin.folder(Path(folder))
        yield skin, (run / f"fold{number}.onnx").read_bytes()


def _nothing(count: int, identifier: Identifier, seed: int) -> None:
    reader = Reader("none", identifier=identifier)
    invented: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for what, image in pictures(count, seed):
        coins: list[SeenCoin] = [c for c in reader.read(Frame(image, 0, 0.0)).coins if c.denomination]
        shown[what] += 1
        invented[what] += len(coins)
        invented[f"{what}, sure"] += sum(coin.sure for coin in coins)
    for what, number in shown.items():
        print(f"{what:24} {number:3} pictures  invented {invented[what]}  sure {invented[f'{what}, sure']}")


if __name__ == "__main__":
    main()
