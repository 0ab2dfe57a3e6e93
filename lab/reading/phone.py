"""How well `tablecoin score` does on photos taken by hand: random positions, seen at an angle, against the truth.

    python -m lab.reading.phone --positions 100 --maps classic --maps forest

Positions are dealt from the twenty coins of a game as stacks that could be built; the virtual table shows them to a
camera held anyhow above it. A score is right when it is the true one; when it is not, every space and bank that was
read wrongly must be named among the unsure ones, or the error was silent.
"""

from __future__ import annotations

import random
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import cv2

from calibration.teach import sample
from calibration.teach.teach import teach
from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Coin, Denomination, Face, Heap
from tablecoin.mat import Circle, Mat
from tablecoin.photos.score import Score, ScoreError, score
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import tally
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.frame import Image

STEEPEST_DEG = 35.0
_COINS = Heap(penny=6, nickel=4, dime=8, quarter=2)
_SIZES = ((2016, 1512), (1536, 2048), (2560, 1920), (1920, 2560))
_CARELESS_MM = 5.0  # how far from a circle's middle people set a coin down
_ON_TOP_MM = 1.0  # the same for a coin set on another


@dataclass(frozen=True)
class Position:
    """Stacks bottom to top by space id, and what is left in the banks."""

    stacks: dict[str, tuple[Coin, ...]]
    banks: dict[Face, Heap]

    @property
    def tops(self) -> dict[str, Coin]:
        return {space: stack[-1] for space, stack in self.stacks.items() if stack}


@dataclass(frozen=True)
class Trial:
    """One photo: `verdict` is exact, named (wrong, but every misread place was named), silent, or refused."""

    verdict: str
    needless: bool  # named a place that it had read rightly
    why: str
    image: Image


def deal(board: maps.Map, chance: random.Random) -> Position:
    """A position that could come about: each stack strictly smaller upwards, the rest in the banks."""
    share = chance.uniform(0.2, 1)  # of the coins on the map
    stacks: dict[str, tuple[Coin, ...]] = {space.id: () for space in board.spaces}
    left: dict[Face, list[Denomination]] = {side: [] for side in Face}
    coins = list(_COINS)
    chance.shuffle(coins)
    for kind in coins:
        free = [s for s, stack in stacks.items() if not stack or kind.diameter_mm < stack[-1].denomination.diameter_mm]
        if free and chance.random() < share:
            space = chance.choice(free)
            stacks[space] = (*stacks[space], Coin.of(kind, chance.choice(list(Face))))
        else:
            left[chance.choice(list(Face))].append(kind)
    return Position(stacks, {side: Heap.of(kinds) for side, kinds in left.items()})


def lay(position: Position, mat: Mat, seed: int) -> Scene:
    """The coins as people lay them: stacks a little off the middle, each coin a little off the one below."""
    chance = random.Random(seed)
    table = VirtualTable(mat, seed)
    for space, stack in position.stacks.items():
        area = mat.zone(f"space.{space}").area
        assert isinstance(area, Circle)
        room = min(_CARELESS_MM, max(0.0, area.radius_mm - 13))
        x, y = (at + chance.uniform(-room, room) for at in area.center_mm)
        for coin in stack:
            table.add(VirtualCoin(coin.denomination, coin.face, x, y, chance.uniform(0, 360), chance.randrange(12)))
            x, y = x + chance.uniform(-_ON_TOP_MM, _ON_TOP_MM), y + chance.uniform(-_ON_TOP_MM, _ON_TOP_MM)
    for side, heap in position.banks.items() if mat.card is None else ():  # else people hold their banks in their hands
        for kind in heap:
            table.line_up(Coin.of(kind, chance.choice(list(Face))), f"bank.{side}")
    return table.scene


def photo(scene: Scene, mat: Mat, seed: int) -> Image:
    """`scene` from somewhere above, up to STEEPEST_DEG off the vertical, in some light, more or less sharp."""
    chance = random.Random(seed)
    width, height = chance.choice(_SIZES)
    across = 0 if width > height else 90  # the phone is held as the map lies
    view = View.over(
        mat,
        margin_mm=chance.uniform(5, 40),
        size_px=(width, height),
        distance_mm=chance.uniform(450, 900),
        tilt_deg=chance.uniform(0, STEEPEST_DEG),
        towards_deg=chance.uniform(0, 360),
        roll_deg=chance.uniform(-15, 15) + across + chance.choice((0, 180)),
        k1=chance.uniform(-0.05, 0.02),
    )
    light = Light(
        brightness=chance.uniform(0.55, 1.0),
        falloff=chance.uniform(0, 0.25),
        warmth=chance.uniform(-0.12, 0.12),
        noise=chance.uniform(1, 4),
        blur_px=chance.uniform(0.4, 1.1),
    )
    hidden = Faults(marker_lost=bool(mat.markers) and chance.random() < 0.3)
    return Renderer(mat, view, light, seed=seed).picture(Scene(scene.coins, faults=hidden))


def trials(map_name: str, positions: Iterable[int]) -> Iterator[Trial]:
    """A trial for each number of `positions`, another one on each map."""
    board, mat = maps.load(map_name), mats.load(f"coin-age:{map_name}")
    for number in positions:
        seed = zlib.crc32(f"{map_name} {number}".encode())
        position = deal(board, random.Random(seed))
        image = photo(lay(position, mat, seed), mat, seed)
        yield judge(position, board, image)


def judge(position: Position, board: maps.Map, image: Image) -> Trial:
    """Score the photo and hold it against the truth."""
    truth = tally(board, position.tops, position.banks)
    try:
        read, _ = score(image, board.name, position.banks if board.picture else None)
    except ScoreError as error:
        return Trial("refused", False, str(error), image)
    wrong = dict(_misread(position, read))
    unsaid = set(wrong) - set(read.unsure)
    told = ", ".join(f"{place} {said}" for place, said in sorted(wrong.items()))
    why = f"{told or 'nothing misread'}; named {', '.join(read.unsure) or 'nothing'}"
    verdict = "silent" if unsaid else "exact" if dict(read.score) == dict(truth.score) else "named"
    return Trial(verdict, bool(set(read.unsure) - set(wrong)), why, image)


def _misread(position: Position, read: Score) -> Iterator[tuple[str, str]]:
    """Each place that was read wrongly, with what lies there and what was read."""
    for space, coins in read.spaces.items():
        stack = position.stacks[space]
        if coins != stack[-1:]:
            yield space, f"({' '.join(stack) or 'empty'} read as {' '.join(coins) or 'empty'})"
    for side in Face:
        if (heap := read.banks.get(side, EMPTY)) != position.banks[side]:
            yield f"bank.{side}", f"({position.banks[side]} read as {heap})"


@click.command(help=__doc__)
@click.option("--maps", "names", multiple=True, help="A map's name; without any, the five that come with tablecoin.")
@click.option("--taught", is_flag=True, help="A map taught from a photo of a drawn card instead.")
@click.option("--positions", default=100, show_default=True)
@click.option("--first", default=0, show_default=True, help="The first position's number.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="A folder for the photos that failed.")
def main(names: tuple[str, ...], taught: bool, positions: int, first: int, keep: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if taught:
            image, to_px = sample.photo()
            names = (*names, teach(image, sample.lesson("isle", to_px), Path(folder)).map)
        _measure(names or maps.names(), range(first, first + positions), keep)


def _measure(names: Iterable[str], positions: range, keep: Path | None) -> None:
    total: Counter[str] = Counter()
    for name in names:
        counts: Counter[str] = Counter()
        for seed, trial in zip(positions, trials(name, positions), strict=True):
            counts[trial.verdict] += 1
            counts["needlessly named"] += trial.needless
            if trial.verdict != "exact":
                click.echo(f"  {name} {seed}: {trial.verdict}: {trial.why}", err=True)
                if keep:
                    keep.mkdir(parents=True, exist_ok=True)
                    cv2.imwrite(str(keep / f"{name}-{seed}.png"), trial.image)
        click.echo(f"{name}: {_words(counts)}")
        total += counts
    click.echo(f"all: {_words(total)}")


def _words(counts: Counter[str]) -> str:
    photos = sum(counts[verdict] for verdict in ("exact", "named", "silent", "refused"))
    return ", ".join([f"{photos} photos", *(f"{counts[key]} {key}" for key in _ORDER)])


_ORDER = ("exact", "named", "silent", "refused", "needlessly named")

if __name__ == "__main__":
    main()
