"""How well `tablecoin score` does on photos taken by hand: random Coin Age positions, seen at an angle.

Positions are dealt from the twenty coins of a game as stacks that could be built; the virtual table shows them to a
camera held at a random angle above it. A wrong score is silent when a space or bank that was read wrongly is not named
among the unsure ones.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lab.reading.causes import Cause
from lab.reading.doubts import Doubt, Said, doubts
from lab.reading.purses import Pockets, Purse
from lab.training.folds import FOLDS
from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Coin, Denomination, Face, Heap
from tablecoin.mat import Circle, Mat
from tablecoin.photos.counting import Score
from tablecoin.photos.score import ScoreError, score
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import Tally, tally
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import PX_PER_MM, Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Image

STEEPEST_DEG = 35.0  # largest tilt of the camera off the vertical
VERDICTS = ("exact", "named", "silent", "refused")  # of a photo's score
NEEDLESS = "needlessly named"  # photos in which a place was named that had been read rightly
_COINS = Heap(penny=6, nickel=4, dime=8, quarter=2)
_SIZES = ((2016, 1512), (1536, 2048), (2560, 1920), (1920, 2560))
_FINER = 1.5  # pixels of the canvas for one of the photo: a real coin has more detail than a photo of it
_CARELESS_MM = 5.0  # largest distance of a coin set down from a circle's middle, along each axis
_ON_TOP_MM = 1.0  # the same for a coin set on another, from the lower coin's middle


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

    name: str  # the map, the number of the position, and whose coins
    verdict: str
    needless: bool  # a place that was read rightly was named too
    why: str
    image: Image
    causes: tuple[Cause, ...]  # of a verdict other than exact, and of a place named needlessly


def deal(board: maps.Map, chance: random.Random) -> Position:
    """A position that play can reach: in each stack every coin is smaller than the one below; the rest is in banks."""
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
            table.lay_at(coin, x, y)
            x, y = x + chance.uniform(-_ON_TOP_MM, _ON_TOP_MM), y + chance.uniform(-_ON_TOP_MM, _ON_TOP_MM)
    if mat.card is None:  # beside a card of their own, people keep their banks in their hands
        for side, heap in position.banks.items():
            for kind in heap:
                table.line_up(Coin.of(kind, chance.choice(list(Face))), f"bank.{side}")
    return table.scene


def photo(scene: Scene, mat: Mat, seed: int, skin: Skin | None = None) -> Image:
    """A photo of `scene` from above, up to STEEPEST_DEG off the vertical, in a random light, more or less sharp.

    `skin`: what its coins look like; None: drawn.
    """
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
    canvas = max(PX_PER_MM, _FINER * finest_px_per_mm(view, mat))
    return Renderer(mat, view, light, skin, seed, canvas).picture(Scene(scene.coins, faults=hidden))


def finest_px_per_mm(view: View, mat: Mat) -> float:
    """Picture pixels per millimetre along the side of the mat of which the picture shows most."""
    width, height = mat.width_mm, mat.height_mm
    sides = np.diff(view.to_px([(0, 0), (width, 0), (width, height), (0, height), (0, 0)]), axis=0)
    return float((np.hypot(*sides.T) / [width, height, width, height]).max())


def trials(map_name: str, positions: Iterable[int], pockets: Pockets) -> Iterator[Trial]:
    """A trial for each number in `positions`; the same number means another position on another map.

    The folds of real coins come in turn.
    """
    board, mat = maps.load(map_name), mats.load(f"coin-age:{map_name}")
    for number in positions:
        seed = zlib.crc32(f"{map_name} {number}".encode())
        position = deal(board, random.Random(seed))
        purse = pockets.purse(seed, number % len(FOLDS))
        scene = lay(position, mat, seed)
        name = f"{map_name} {number}" + (f" {purse.owner}" if purse.owner else "")
        yield _judged(name, position, board, photo(scene, mat, seed, purse.skin), scene, mat, purse)


def _judged(
    name: str, position: Position, board: maps.Map, image: Image, scene: Scene, mat: Mat, purse: Purse
) -> Trial:
    """The photo's score compared with the true one."""
    truth = tally(board, position.tops, position.banks)
    try:
        read, reading = score(image, board.name, position.banks if board.picture else None, Identifier(purse.networks))
    except ScoreError as error:
        return Trial(name, "refused", False, str(error), image, (Cause("refused", (), str(error)),))
    wrong = dict(_misread(position, read, truth))
    unsaid = set(wrong) - set(read.unsure)
    told = ", ".join(f"{place} {said}" for place, said in sorted(wrong.items()))
    why = f"{told or 'nothing misread'}; named {', '.join(read.unsure) or 'nothing'}"
    verdict = "silent" if unsaid else "exact" if dict(read.score) == dict(truth.score) else "named"
    needless = set(read.unsure) - set(wrong)
    answers = (Said.by_reader(i, coin) for i, coin in enumerate(reading.coins))
    coins = list(doubts(scene.coins, answers, mat, purse))
    causes = [] if verdict == "exact" else [Cause(verdict, _in(wrong, coins), why)]
    causes += [Cause(NEEDLESS, _in(needless, coins), why)] if needless else []
    return Trial(name, verdict, bool(needless), why, image, tuple(causes))


def _in(places: Collection[str], coins: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """The coins on these spaces and in these banks."""
    zones = {place if place.startswith("bank.") else f"space.{place}" for place in places}
    return tuple(coin for coin in coins if coin.zone in zones)


def _misread(position: Position, read: Score, truth: Tally) -> Iterator[tuple[str, str]]:
    """Each place that was read wrongly, with what lies there and what was read.

    A coin in a bank counts 1 whatever it is: its kind matters only where it decides who wins.
    """
    for space, coins in read.spaces.items():
        stack = position.stacks[space]
        if coins != stack[-1:]:
            yield space, f"({' '.join(stack) or 'empty'} read as {' '.join(coins) or 'empty'})"
    for side in Face:
        heap = read.banks.get(side, EMPTY)
        if len(heap) != len(position.banks[side]) or (heap != position.banks[side] and read.winner != truth.winner):
            yield f"bank.{side}", f"({position.banks[side]} read as {heap})"


def words(counts: Counter[str]) -> str:
    """The verdicts counted, as one line."""
    photos = sum(counts[verdict] for verdict in VERDICTS)
    return ", ".join([f"{photos} photos", *(f"{counts[key]} {key}" for key in (*VERDICTS, NEEDLESS))])
