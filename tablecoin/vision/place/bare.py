"""Bare paper: where nothing is seen but what is drawn there, no coin lies.

What a mat or a player's card shows where nothing lies is known to the millimetre. So each point of the table, seen from
straight above, is held against the darkest and the lightest that the drawing has near it, under the light that falls on
the paper there: what fits between is bare. A coin covers its own circle; printed rings and words, and the gaps between
coins, would pass for circles and are bare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.mat import Mat, MatError, Rectangle
from tablecoin.mat.raster import raster
from tablecoin.storage.mapfiles import MapFileError
from tablecoin.vision.frame import Disc, Grey, Image
from tablecoin.vision.place import taught
from tablecoin.vision.place.plane import Plane

STRAY_MM = 1.0  # how far the plane may be off, and how far ink and focus may spread
DIFFERENT = 0.12  # share of white by which a point may leave what is drawn near it
BUSY = 0.4  # where the drawing itself varies by more than this share of white, a point tells nothing
SPECK_MM = 1.5  # printed lines are seen through a coin, so narrow gaps in what lies there are closed
LEAST_KNOWN = 0.25  # share of a circle that must tell something
WHOLE = 0.85  # what is covered so far is covered by one thing of its size
BESIDE = 1.08  # and that thing, with the shadow at its foot, reaches so many of its radii
BARE = 0.07  # what is covered less than so far holds no coin, but for one as white as the paper, told by its rim:
RIM_DRAWN = 0.15  # share of white by which the drawing varies where it may be what seems a rim
RIM_PLAIN = 0.7  # share of a circle that must run where nothing is drawn, for its rim to be no drawing's
FLAT_MM = 4.0  # the light is measured where nothing is drawn so far round
CELLS = (24, 18)  # in so many places across and down, at most
COIN_THERE = 0.05  # a log brightness this far from the light's halves a place's weight: a coin may lie there
ROUNDS = 6
COARSE = 8  # pixels between places where the light is worked out; it is even enough to be interpolated
DRAWN_PX_PER_MM = 4.0  # how fine a mat is drawn
DARK = 6.0  # grey levels added: noise in the dark is no difference

Array = NDArray[np.float64]
Field = NDArray[np.float32]
Flags = NDArray[np.bool_]

_across = np.linspace(-1, 1, 15)
_grid = np.stack(np.meshgrid(_across, _across), axis=-1).reshape(-1, 2)
_SPOTS = 0.95 * _grid[np.hypot(_grid[:, 0], _grid[:, 1]) <= 1.0]  # of a circle of radius 1
_turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_ROUND = np.column_stack([np.cos(_turn), np.sin(_turn)])  # its rim


@dataclass(frozen=True, eq=False)
class Lying:
    """Where something lies on the paper, in a picture from straight above."""

    lies: Flags  # (H, W) also where it is not known what is drawn
    tells: Flags  # (H, W) whether the drawing is plain enough there to go by
    even: Flags  # (H, W) where paper is known to be, with nothing drawn on it nearby

    def plain_rim(self, discs: Sequence[Disc]) -> Array:
        """(N,) the share of each disc's rim, 0..1, that runs where nothing is drawn: a rim seen there is a thing's."""
        if not discs:
            return np.empty(0)
        circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
        x, y = np.round(circles[:, None, :2] + circles[:, 2, None, None] * _ROUND).astype(int).transpose(2, 0, 1)
        height, width = self.even.shape
        on = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return np.asarray((self.even[np.where(on, y, 0), np.where(on, x, 0)] & on).mean(axis=1))

    def covered(self, discs: Sequence[Disc]) -> Array:
        """(N,) the share of each disc, 0..1, in which something lies; 1 where too little is known.

        Of a disc that another one, covered all over, lies partly in, only the rest counts.
        """
        if not discs:
            return np.empty(0)
        circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
        middles, radii = circles[:, :2], circles[:, 2]
        places = middles[:, None] + radii[:, None, None] * _SPOTS
        x, y = np.round(places).astype(int).transpose(2, 0, 1)
        height, width = self.lies.shape
        on = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        x, y = np.where(on, x, 0), np.where(on, y, 0)
        lies, tells = self.lies[y, x], self.tells[y, x] & on
        found = _share(lies, tells)
        whole, partly = found >= WHOLE, np.flatnonzero(found < WHOLE)
        apart = np.linalg.norm(places[partly, :, None] - middles[whole], axis=3)
        free = (apart > radii[whole] * BESIDE).all(axis=2)
        rest = free.mean(axis=1) >= LEAST_KNOWN
        found[partly[rest]] = _share(lies[partly[rest]], tells[partly[rest]] & free[rest])
        return found


def _share(lies: Flags, tells: Flags) -> Array:
    """(N,) of the points that tell something (N, K), those where something lies; 1 where too few tell."""
    enough = tells.mean(axis=1) >= LEAST_KNOWN
    return np.where(enough, (lies & tells).sum(axis=1) / np.maximum(tells.sum(axis=1), 1), 1.0)


def lying(above: Grey, flat: Plane) -> Lying | None:
    """What lies on the mat in a grey picture `above` of it, whose plane is `flat`; None where nothing is known.

    Nothing is known of a card whose picture is gone, and in the dark.
    """
    ground = _ground(flat, above.shape)
    light = _light(above, ground) if ground else None
    if ground is None or light is None:
        return None
    seen = above.astype(np.float32) + np.float32(DARK)
    fits = np.asarray(cv2.inRange(seen, ground.darkest * light, ground.lightest * light), np.uint8) & ground.known
    return Lying(cv2.morphologyEx(~fits, cv2.MORPH_CLOSE, ground.speck) > 0, ground.plain, ground.even)


@dataclass(frozen=True, eq=False)
class _Ground:
    """What is drawn, pixel by pixel of a picture from above; in shares of white, 0..1."""

    darkest: Field  # (H, W), within STRAY_MM, less DIFFERENT
    lightest: Field  # the same, and DIFFERENT more
    known: Grey  # (H, W) 255 where there is a drawing
    plain: Flags  # (H, W) where there is a drawing that does not vary much
    even: Flags  # (H, W) where there is one that does not vary at all
    speck: Grey  # a disc of SPECK_MM
    rows: NDArray[np.int64]  # (N,) places where nothing is drawn all round, all over the paper
    columns: NDArray[np.int64]  # (N,)
    white: Array  # (N,) how light the paper is there, 0..1


def _light(above: Grey, ground: _Ground) -> Field | None:
    """(H, W): how bright white paper is, plus DARK: a quadratic over the picture, in logarithms.

    It is fitted to places where nothing is drawn; those that coins cover count less each round.
    """
    seen = cv2.blur(above, (3, 3))[ground.rows, ground.columns].astype(float)
    lit = seen > DARK
    if lit.sum() < 3 * 6:
        return None
    height, width = above.shape
    wanted = np.log(seen[lit] + DARK) - np.log(ground.white[lit])
    terms = _terms(ground.columns[lit] / width, ground.rows[lit] / height)
    off = wanted - np.sort(wanted)[int(0.7 * len(wanted))]  # paper is lighter than coins
    for _ in range(ROUNDS):
        weighted = terms / (1 + (off[:, None] / COIN_THERE) ** 2) ** 2
        fit = np.linalg.solve(weighted.T @ terms + 1e-3 * np.eye(6), weighted.T @ wanted)
        off = wanted - terms @ fit
    x, y = np.meshgrid(*((np.arange(count // COARSE) + 0.5) * COARSE / count for count in (width, height)))
    coarse = np.exp(_terms(x, y) @ fit).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _terms(x: Array, y: Array) -> Array:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _ground(flat: Plane, shape: tuple[int, ...]) -> _Ground | None:
    """What is drawn, as a picture of that shape shows it; None when a card's picture is gone."""
    mm_per_px, _, corner_mm = flat.homography[:3]
    place = (1 / mm_per_px, corner_mm, shape[1], shape[0])
    plan = msgspec.json.encode(flat.mat)
    if flat.mat.card is None:
        return _printed(plan, *place)
    try:
        return _carded(plan, _Picture(taught.card_picture(flat.mat)), *place)
    except (MatError, MapFileError):  # the file was taken away meanwhile: nothing is known of what is drawn
        return None


@lru_cache(maxsize=8)
def _printed(plan: bytes, px_per_mm: float, corner_mm: float, width: int, height: int) -> _Ground:
    mat = msgspec.json.decode(plan, type=Mat)
    picture = raster(mat, DRAWN_PX_PER_MM)
    area = Rectangle(0, 0, mat.width_mm, mat.height_mm)
    return _studied(picture, area, px_per_mm, corner_mm, (width, height))


@dataclass(frozen=True, eq=False)
class _Picture:
    """A picture known by its identity: `taught` gives the same one while its file stays as it is."""

    pixels: Image

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Picture) and other.pixels is self.pixels

    def __hash__(self) -> int:
        return id(self.pixels)


@lru_cache(maxsize=2)
def _carded(plan: bytes, card: _Picture, px_per_mm: float, corner_mm: float, width: int, height: int) -> _Ground:
    mat = msgspec.json.decode(plan, type=Mat)
    assert mat.card is not None
    return _studied(card.pixels, mat.card.area, px_per_mm, corner_mm, (width, height))


def _studied(picture: Image, area: Rectangle, px_per_mm: float, corner_mm: float, size_px: tuple[int, int]) -> _Ground:
    """What `picture`, which fills `area` of the mat, leads one to expect in a picture from above of `size_px`."""
    high, wide = picture.shape[:2]
    side = np.array((area.width_mm * px_per_mm / wide, area.height_mm * px_per_mm / high))  # pixels a drawn one
    begins = (np.array((area.x_mm, area.y_mm)) - corner_mm) * px_per_mm  # where its corner lies
    to_above = np.column_stack([np.diag(side), begins + side / 2])
    soft = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), max(0.4 * px_per_mm / side.min(), 0.3))
    drawn = cv2.warpAffine(soft, to_above, size_px, flags=cv2.INTER_LINEAR)
    known = cv2.warpAffine(np.full((high, wide), 255, np.uint8), to_above, size_px, flags=cv2.INTER_NEAREST)
    near, speck, around = (_disc(mm * px_per_mm) for mm in (STRAY_MM, SPECK_MM, FLAT_MM))
    darkest, lightest = cv2.erode(drawn, near), cv2.dilate(drawn, near)
    spread = np.where(known > 0, lightest.astype(int) - darkest, 255)
    varies = cv2.dilate(drawn, around).astype(int) - cv2.erode(drawn, around)
    inner = cv2.erode(known, around, borderValue=0) > 0
    rows, columns = _flattest(np.where(inner & (drawn > 40), varies, 255)).T
    return _Ground(
        (darkest / 255 - DIFFERENT).astype(np.float32),
        (lightest / 255 + DIFFERENT).astype(np.float32),
        np.asarray(known, np.uint8),
        spread < 255 * BUSY,
        spread < 255 * RIM_DRAWN,
        speck,
        rows,
        columns,
        drawn[rows, columns] / 255,
    )


def _disc(radius_px: float) -> Grey:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(radius_px) + 1,) * 2), np.uint8)


def _flattest(varies: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N, 2) rows and columns: of each cell the pixel where it varies least round about, nearest to the cell's middle,
    if that is little."""
    height, width = varies.shape
    found = []
    for row in range(CELLS[1]):
        for column in range(CELLS[0]):
            top, left = row * height // CELLS[1], column * width // CELLS[0]
            cell = varies[top : (row + 1) * height // CELLS[1], left : (column + 1) * width // CELLS[0]]
            y, x = np.mgrid[: cell.shape[0], : cell.shape[1]] - np.reshape(np.array(cell.shape) / 2, (2, 1, 1))
            best = np.unravel_index(np.argmin(cell + 0.01 * np.hypot(x, y)), cell.shape)
            if cell[best] < 20:
                found.append((top + best[0], left + best[1]))
    return np.reshape(np.array(found, np.int64), (-1, 2))
