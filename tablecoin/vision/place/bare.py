"""Bare paper: where the picture shows only what is drawn there, no coin lies.

The drawing of a mat or a player's card is known to the millimetre. So each point of the rectified picture is compared
with the darkest and the lightest shade of the drawing nearby, under the light there: between them, the paper is bare.
A coin covers its own circle; printed rings and words, and gaps between coins, may look like circles but are bare.
"""

from __future__ import annotations

import math
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
from tablecoin.vision.place.shade import shaded

STRAY_MM = 1.0  # "nearby": the error of the plane, and how far ink and focus spread
DIFFERENT = 0.12  # share of white by which a bare point may differ from the shades nearby
BUSY = 0.4  # share of white by which the drawing nearby may vary, before a point there tells nothing
SPECK_MM = 1.5  # narrower gaps in what lies there are closed: a coin may match the lines it covers
LEAST_KNOWN = 0.25  # share of a circle's points that must tell something
WHOLE = 0.85  # a circle covered to this share is taken for one thing of its size
BESIDE = 1.08  # radii that such a thing covers, with the shadow at its foot
BARE = 0.07  # covered share below which a circle holds no coin, except one as white as the paper, told by its rim
RIM_DRAWN = 0.15  # share of white: where the drawing nearby varies by more, it may look like a rim
RIM_PLAIN = 0.7  # share of a circle that must run where nothing is drawn, for its rim to be a coin's
# What lies there alone is round when it fills its box like an ellipse, to these shares of that, and is nearly as wide
# as high. A shadow makes it longer on one side; where a coin is as white as the paper it has holes.
ROUND_FILL, ROUND_LONG = (0.5, 1.12), 1.2
FLAT_MM = 4.0  # the light is measured at places with nothing drawn within this distance
CELLS = (24, 18)  # at most one place in each cell of a grid of so many columns and rows
COIN_THERE = 0.05  # log-brightness by which a place misses the fit that quarters its weight: a coin may lie there
ROUNDS = 6  # of reweighted least squares
RIDGE = 1e-3  # keeps the fit solvable with few places
LIGHT_TERMS = 6  # of a quadratic in x and y
PAPER = 0.7  # first guess: this quantile of the places is paper, because paper is lighter than coins
WHITE = 220  # the number that stands for white where shades are kept as bytes; some are DIFFERENT lighter than white
COARSE = 8  # the light is computed at every eighth pixel and interpolated
DRAWN_PX_PER_MM = 4.0  # resolution at which a mat's drawing is rendered for the comparison
DARK = 6  # grey levels added before comparing, so that noise in the dark is no difference

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

_across = np.linspace(-1, 1, 15)
_grid = np.stack(np.meshgrid(_across, _across), axis=-1).reshape(-1, 2)
_SPOTS = 0.95 * _grid[np.hypot(_grid[:, 0], _grid[:, 1]) <= 1.0]  # of a circle of radius 1
_turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_ROUND = np.column_stack([np.cos(_turn), np.sin(_turn)])  # its rim


@dataclass(frozen=True, eq=False)
class Lying:
    """Where something lies on the paper, pixel by pixel of a rectified picture."""

    lies: Flags  # (H, W); also True where the drawing is not known
    tells: Flags  # (H, W) whether the drawing there is plain enough to compare with
    even: Flags  # (H, W) where paper is known to lie with nothing drawn nearby

    def plain_rim(self, discs: Sequence[Disc]) -> Array:
        """(N,) the share of each disc's rim, 0..1, that runs where nothing is drawn."""
        if not discs:
            return np.empty(0)
        circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
        x, y = np.round(circles[:, None, :2] + circles[:, 2, None, None] * _ROUND).astype(int).transpose(2, 0, 1)
        height, width = self.even.shape
        on = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return np.asarray((self.even[np.where(on, y, 0), np.where(on, x, 0)] & on).mean(axis=1))

    def round_things(self, r_px: tuple[float, float]) -> list[Disc]:
        """Discs around what lies apart from all else and is round, if their radii are between the two given, in pixels.

        Their middles and radii are off by as much as a shadow reaches.
        """
        # Outlines take a quarter of the time of numbering the pixels of each thing.
        outlines, family = cv2.findContours(self.lies.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        outer = [int(row[3]) for row in np.reshape(family, (-1, 4))] if outlines else []  # -1: it is no hole
        found = []
        for number, outline in enumerate(outlines):
            left, top, wide, high = cv2.boundingRect(outline)
            radius = math.sqrt(wide * high) / 2
            if outer[number] < 0 and r_px[0] < radius < r_px[1] and max(wide, high) < ROUND_LONG * min(wide, high):
                holes = sum(_pixels(outlines[k], -1) for k, whose in enumerate(outer) if whose == number)
                fill = (_pixels(outline, 1) - holes) / (math.pi / 4 * wide * high)
                if ROUND_FILL[0] < fill < ROUND_FILL[1]:
                    found.append(Disc(left + (wide - 1) / 2, top + (high - 1) / 2, radius))
        return found

    def covered(self, discs: Sequence[Disc], rimmed: Flags | None = None) -> Array:
        """(N,) the share of each disc, 0..1, in which something lies; 1 where too little is known.

        Where another disc, covered as a whole, overlaps a disc, only the rest of it counts. `rimmed`: (N,) discs with a
        coin's rim; what lies in one is that coin, even where it is as white as the paper and seems to cover little.
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
        whole = found >= WHOLE if rimmed is None else (found >= WHOLE) | rimmed
        partly = np.flatnonzero(~whole)
        apart = np.linalg.norm(places[partly, :, None] - middles[whole], axis=3)
        free = (apart > radii[whole] * BESIDE).all(axis=2)
        rest = free.mean(axis=1) >= LEAST_KNOWN
        found[partly[rest]] = _share(lies[partly[rest]], tells[partly[rest]] & free[rest])
        return found


def _share(lies: Flags, tells: Flags) -> Array:
    """(N,) share of the points (N, K) that tell something at which something lies; 1 where too few tell."""
    enough = tells.mean(axis=1) >= LEAST_KNOWN
    return np.where(enough, (lies & tells).sum(axis=1) / np.maximum(tells.sum(axis=1), 1), 1.0)


def _pixels(outline: cv2.typing.MatLike, border: int) -> float:
    """The number of pixels inside an outline, with those on it (`border` 1) or without them (-1): Pick's theorem."""
    return cv2.contourArea(outline) + border * len(outline) / 2 + 1


def lying(above: Grey, flat: Plane) -> Lying | None:
    """What lies on the mat in the rectified picture `above`, in `shaded` grey, whose plane is `flat`.

    None where nothing is known: the picture of a card is gone, or it is dark.
    """
    ground = _ground(flat, above.shape)
    lit = _light(above, ground) if ground else None
    if ground is None or lit is None:
        return None
    light, brightest = lit
    share = brightest / 255 / WHITE
    seen = cv2.add(above, np.full_like(above, DARK))
    darkest, lightest = (cv2.multiply(shade, light, scale=share) for shade in (ground.darkest, ground.lightest))
    strange = ~(np.asarray(cv2.inRange(seen, darkest, lightest), np.uint8) & ground.known)
    return Lying(cv2.morphologyEx(strange, cv2.MORPH_CLOSE, ground.speck) > 0, ground.plain, ground.even)


@dataclass(frozen=True, eq=False)
class _Ground:
    """The drawing, pixel by pixel of a rectified picture."""

    darkest: Grey  # (H, W) darkest shade within STRAY_MM, less DIFFERENT; white is WHITE
    lightest: Grey  # (H, W) lightest shade within STRAY_MM, plus DIFFERENT
    known: Grey  # (H, W) 255 where the drawing is known
    plain: Flags  # (H, W) where it varies by less than BUSY nearby
    even: Flags  # (H, W) where it varies by less than RIM_DRAWN nearby
    speck: Grey  # a disc of SPECK_MM
    rows: NDArray[np.int64]  # (N,) places all over the paper with nothing drawn around them, to measure the light
    columns: NDArray[np.int64]  # (N,)
    white: Array  # (N,) the shade of the paper there, 0..1


def _light(above: Grey, ground: _Ground) -> tuple[Grey, float] | None:
    """(H, W) brightness of white paper plus DARK, where 255 is the brightest; and how bright that is. None in the dark.

    Its logarithm is a quadratic over the picture, fitted by robust least squares where nothing is drawn: places
    that coins cover lose their weight.
    """
    seen = cv2.blur(above, (3, 3))[ground.rows, ground.columns].astype(float)
    lit = seen > DARK
    if lit.sum() < 3 * LIGHT_TERMS:
        return None
    height, width = above.shape
    wanted = np.log(seen[lit] + DARK) - np.log(ground.white[lit])
    terms = _terms(ground.columns[lit] / width, ground.rows[lit] / height)
    off = wanted - np.sort(wanted)[int(PAPER * len(wanted))]
    for _ in range(ROUNDS):
        weighted = terms / (1 + (off[:, None] / COIN_THERE) ** 2) ** 2
        fit = np.linalg.solve(weighted.T @ terms + RIDGE * np.eye(LIGHT_TERMS), weighted.T @ wanted)
        off = wanted - terms @ fit
    coarse = np.exp(_coarse_terms(width, height) @ fit)
    brightest = float(coarse.max())
    light = cv2.resize((255 / brightest * coarse).astype(np.uint8), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(light, np.uint8), brightest


@lru_cache(maxsize=8)
def _coarse_terms(width: int, height: int) -> Array:
    x, y = np.meshgrid(*((np.arange(count // COARSE) + 0.5) * COARSE / count for count in (width, height)))
    return _terms(x, y)


def _terms(x: Array, y: Array) -> Array:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _ground(flat: Plane, shape: tuple[int, ...]) -> _Ground | None:
    """The drawing as a picture of that shape shows it; None when the picture of a card is gone."""
    mm_per_px, _, corner_mm = flat.homography[:3]
    place = (1 / mm_per_px, corner_mm, shape[1], shape[0])
    plan = msgspec.json.encode(flat.mat)
    if flat.mat.card is None:
        return _printed(plan, *place)
    try:
        return _carded(plan, _Picture(taught.card_picture(flat.mat)), *place)
    except (MatError, MapFileError):  # the file was removed meanwhile
        return None


@lru_cache(maxsize=4)
def _printed(plan: bytes, px_per_mm: float, corner_mm: float, width: int, height: int) -> _Ground:
    mat = msgspec.json.decode(plan, type=Mat)
    picture = raster(mat, DRAWN_PX_PER_MM)
    area = Rectangle(0, 0, mat.width_mm, mat.height_mm)
    return _studied(picture, area, px_per_mm, corner_mm, (width, height))


@dataclass(frozen=True, eq=False)
class _Picture:
    """A picture compared by identity, for the cache: `taught` returns the same array while its file does not change."""

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
    """What to expect in a rectified picture of `size_px`, where `picture` fills `area` of the mat."""
    high, wide = picture.shape[:2]
    # In pixels of the rectified picture: the size of a pixel drawn, and the drawing's top left corner.
    side = np.array((area.width_mm * px_per_mm / wide, area.height_mm * px_per_mm / high))
    begins = (np.array((area.x_mm, area.y_mm)) - corner_mm) * px_per_mm
    to_above = np.column_stack([np.diag(side), begins + side / 2])
    soft = cv2.GaussianBlur(shaded(picture), (0, 0), max(0.4 * px_per_mm / side.min(), 0.3))
    drawn = cv2.warpAffine(soft, to_above, size_px, flags=cv2.INTER_LINEAR)
    known = cv2.warpAffine(np.full((high, wide), 255, np.uint8), to_above, size_px, flags=cv2.INTER_NEAREST)
    near, speck, around = (_disc(mm * px_per_mm) for mm in (STRAY_MM, SPECK_MM, FLAT_MM))
    darkest, lightest = cv2.erode(drawn, near), cv2.dilate(drawn, near)
    spread = np.where(known > 0, lightest.astype(int) - darkest, 255)
    varies = cv2.dilate(drawn, around).astype(int) - cv2.erode(drawn, around)
    inner = cv2.erode(known, around, borderValue=0) > 0
    rows, columns = _flattest(np.where(inner & (drawn > 40), varies, 255)).T
    return _Ground(
        np.maximum(WHITE * (darkest / 255 - DIFFERENT), 0).astype(np.uint8),
        (WHITE * (lightest / 255 + DIFFERENT)).astype(np.uint8),
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
    """(N, 2) row and column of the pixel in each cell where the drawing varies least, and nearest to the cell's centre.

    Cells where it varies everywhere are left out.
    """
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
