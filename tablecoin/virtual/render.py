"""The picture that a camera takes of the virtual table.

Flat things are drawn on a canvas in table millimetres; the canvas is resampled once through the view; then come light,
glare, focus and sensor noise. Only what changed since the last picture is redrawn: the canvas is repaired under coins
that moved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.mat import Card, Marker, Mat, MatError, ZoneKind
from tablecoin.mat.raster import raster
from tablecoin.storage import durable, mapfiles
from tablecoin.virtual import props
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.packed import Box, Packed
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.frame import Image

PX_PER_MM = 4.0  # default scale of the canvas; a camera at 1456 × 1088 pixels sees 3.3
_TABLE_MM = 60.0  # width of the wooden table around the mat
_PAPER_BGR = (236, 243, 246)
_SHADOW_MM = 0.7
_LEAN_DEG = 38.0  # tilt of a coin by the fault `coin_leaning`
_GRAIN_SHIFTS_PX = 64  # one noise field, shifted at random by less than this in each picture
_LIT_ROWS = 32  # rows of a picture that are lit at a time: their light stays in the processor's cache


@dataclass(frozen=True)
class Light:
    """Light on the scene, and the camera's noise and blur."""

    brightness: float = 1.0  # grey level of white paper where the light is best, as a share of 255
    falloff: float = 0.12  # loss of light towards the corner away from the lamp
    warmth: float = 0.0  # share added to red and taken from blue; below 0 the reverse
    noise: float = 2.0  # standard deviation of a pixel, in grey levels
    blur_px: float = 0.5  # standard deviation of the Gaussian blur


class Renderer:
    """Draws Scenes of one mat through one View. Not thread-safe: one camera has one."""

    def __init__(
        self,
        mat: Mat,
        view: View,
        light: Light | None = None,
        skin: Skin | None = None,
        seed: int = 0,
        px_per_mm: float = PX_PER_MM,
    ) -> None:
        """`px_per_mm`: scale of the canvas; it should be no coarser than the camera's, else the picture is enlarged."""
        self.mat, self.light, self._px_per_mm = mat, light or Light(), px_per_mm
        self._skin = skin or Skin()
        self._seed, self._chance = seed, np.random.default_rng(seed)
        self._bare = _bare_table(mat, px_per_mm)
        self._canvas = self._bare.unpacked()
        self._drawn: tuple[object, ...] = ()
        self._lit: Image | None = None
        self._lit_for: object = None
        self._views = {False: view, True: view.bumped()}
        # Large fields are kept only as the faults of the newest picture need them; the light is worked out each time.
        self._bumped, self._maps = False, _sampling(view, px_per_mm)
        self._noise = self.light.noise
        width, height = view.size_px
        size = height + _GRAIN_SHIFTS_PX, width + _GRAIN_SHIFTS_PX, 3
        self._grain = _grain(self._chance, size, self.light.noise)

    @property
    def view(self) -> View:
        """The view while the camera is not bumped."""
        return self._views[False]

    def picture(self, scene: Scene, hand_moves: float = 0.0) -> Image:
        """The scene, (H, W, 3) uint8 BGR, with new noise. `hand_moves`: phase of the hand's small circles, radians."""
        hand_at = None if not scene.hand else (scene.hand_at_mm, round(hand_moves, 2))
        wanted = (scene.coins, scene.prize, scene.faults, hand_at)
        if self._lit is None or self._lit_for != wanted:
            self._lay(scene)
            canvas = self._canvas if hand_at is None else self._with_hand(scene, hand_moves)
            self._lit = self._seen(canvas, scene.faults)
            self._lit_for = wanted
        return self._noisy(self._lit, scene.faults)

    # -- the canvas -----------------------------------------------------------------------------------------------

    def _lay(self, scene: Scene) -> None:
        """Bring the canvas up to date by repairing only what changed."""
        things: list[object] = [*scene.coins]
        if scene.faults.coin_leaning and scene.coins:
            things[-1] = msgspec.structs.replace(scene.coins[-1], lean_deg=max(_LEAN_DEG, scene.coins[-1].lean_deg))
        if scene.prize:
            things.append("prize")
        things += [marker for marker in self.mat.markers if marker in _covered(self.mat, scene.faults)]
        if scene.faults.foreign_coin:
            things.append("foreign")
        if tuple(things) == self._drawn:
            return
        common = 0  # how many things at the bottom are unchanged
        while common < min(len(things), len(self._drawn)) and things[common] == self._drawn[common]:
            common += 1
        changed = (*self._drawn[common:], *things[common:])
        dirty = [box for box in map(self._box, changed) if box is not None]
        for patch in dirty:
            self._bare.restore(self._canvas, patch)
        repainted: list[Box] = list(dirty)
        for thing in things:
            box = self._box(thing)
            if box and any(_meet(box, other) for other in repainted):
                # a thing that overlaps a repaired patch is redrawn, and so is everything above it
                self._canvas_draw(thing)
                repainted.append(box)
        self._drawn = tuple(things)

    def _box(self, thing: object) -> Box | None:
        x, y, half = self._extent(thing)
        lean_deg = thing.lean_deg if isinstance(thing, VirtualCoin) else 0.0
        reach = half + 3 * _SHADOW_MM + 1.5 * half * math.sin(math.radians(lean_deg))
        height, width = self._canvas.shape[:2]
        left, top = (max(0, math.floor((at - reach + _TABLE_MM) * self._px_per_mm)) for at in (x, y))
        right = min(width, math.ceil((x + reach + _TABLE_MM) * self._px_per_mm))
        bottom = min(height, math.ceil((y + reach + _TABLE_MM) * self._px_per_mm))
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _extent(self, thing: object) -> tuple[float, float, float]:
        """(x, y, half the size) in mm."""
        if isinstance(thing, VirtualCoin):
            return thing.x_mm, thing.y_mm, thing.denomination.diameter_mm / 2
        if isinstance(thing, Marker):
            return thing.x_mm, thing.y_mm, thing.size_mm * 0.6
        if thing == "prize":
            prize = next((zone for zone in self.mat.zones if zone.kind is ZoneKind.PRIZE), None)
            x, y = prize.area.center_mm if prize else (self.mat.width_mm / 2, self.mat.height_mm / 2)
            return x, y, 29.0
        x, y = self.mat.zones[0].area.center_mm
        return x + 40, y + 12, props.FOREIGN_MM / 2

    def _canvas_draw(self, thing: object) -> None:
        x, y, half = self._extent(thing)
        side = round(2 * half * self._px_per_mm)
        if isinstance(thing, VirtualCoin):
            cutout = self._skin.coin(thing.denomination, thing.face, thing.design, side, thing.angle_deg)
            thick = _SHADOW_MM
            if thing.lean_deg:
                share = math.cos(math.radians(thing.lean_deg))
                cutout = np.asarray(cv2.resize(cutout, (max(2, round(side * share)), side), None, 0, 0, cv2.INTER_AREA))
                thick += half * math.sin(math.radians(thing.lean_deg)) / 2
        elif isinstance(thing, Marker):
            cutout, thick = props.paper_slip(side, side), 0.2
        elif thing == "prize":
            cutout, thick = props.bottle(self._px_per_mm), 3.0 * _SHADOW_MM / 2
        else:
            cutout, thick = props.foreign_coin(self._px_per_mm), _SHADOW_MM
        wide, scale = side, 1.0
        if isinstance(thing, VirtualCoin):  # drawn at its exact size, because the reader measures it
            wide, scale = cutout.shape[1], 2 * half * self._px_per_mm / side
        left = (x + _TABLE_MM) * self._px_per_mm - scale * wide / 2
        top = (y + _TABLE_MM) * self._px_per_mm - scale * side / 2
        _shade(self._canvas, cutout, left, top, thick * self._px_per_mm)
        _paste(self._canvas, cutout, left, top, scale)

    def _with_hand(self, scene: Scene, moves: float) -> Image:
        canvas = self._canvas.copy()
        x, y = scene.hand_at_mm or (self.mat.width_mm / 2, self.mat.height_mm / 2)
        x, y = x + 9 * math.cos(moves), y + 7 * math.sin(2 * moves)
        cutout = props.hand(self._px_per_mm)
        tip_x, tip_y = props.HAND_TIP_MM
        if y < self.mat.height_mm / 2:  # the hand of somebody on the far side
            cutout = np.ascontiguousarray(cutout[::-1, ::-1])
            tip_x, tip_y = props.HAND_MM[0] - tip_x, props.HAND_MM[1] - tip_y
        left, top = (x - tip_x + _TABLE_MM) * self._px_per_mm, (y - tip_y + _TABLE_MM) * self._px_per_mm
        _shade(canvas, cutout, left + 6 * self._px_per_mm, top + 8 * self._px_per_mm, 4.0 * self._px_per_mm)
        _paste(canvas, cutout, left, top)
        return canvas

    # -- the camera -----------------------------------------------------------------------------------------------

    def _seen(self, canvas: Image, faults: Faults) -> Image:
        if self._bumped != faults.camera_bumped:
            self._bumped = faults.camera_bumped
            self._maps = _sampling(self._views[self._bumped], self._px_per_mm)
        seen = cv2.remap(canvas, *self._maps, interpolation=cv2.INTER_LINEAR)
        sigma = self.light.blur_px + (2.6 if faults.blur else 0.0)
        if sigma >= 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), sigma)
        lit = _lit(np.asarray(seen, np.uint8), self.light, dim=0.25 if faults.dim_light else 1.0)
        return np.asarray(cv2.add(lit, _glare(self.view.size_px)), np.uint8) if faults.glare else lit

    def _noisy(self, lit: Image, faults: Faults) -> Image:
        strength = self.light.noise * (2.0 if faults.dim_light else 1.0)
        if strength <= 0:
            return lit.copy()
        if self._noise != strength:
            self._noise = strength
            self._grain = _grain(np.random.default_rng(self._seed), self._grain.shape, strength)
        height, width = lit.shape[:2]
        top, left = self._chance.integers(0, _GRAIN_SHIFTS_PX, 2)
        grain = self._grain[top : top + height, left : left + width]
        return np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8)


def _bare_table(mat: Mat, px_per_mm: float) -> Packed:
    """The mat on the table without coins; cached."""
    return _packed(msgspec.json.encode(mat), px_per_mm)


@lru_cache(maxsize=1)
def _packed(plan: bytes, px_per_mm: float) -> Packed:
    mat = msgspec.json.decode(plan, type=Mat)
    return Packed(_with_card(mat, mat.card, px_per_mm) if mat.card else _painted(mat, px_per_mm))


def _painted(mat: Mat, px_per_mm: float) -> Image:
    """A printed mat on the wooden table."""
    tones = np.arange(256, dtype=np.float32)[:, None] * (np.array(_PAPER_BGR, np.float32) / 255)
    paper = cv2.LUT(raster(mat, px_per_mm), tones.astype(np.uint8).reshape(1, 256, 3))
    height, width = paper.shape[:2]
    rim = round(_TABLE_MM * px_per_mm)
    table = props.wood(width + 2 * rim, height + 2 * rim)
    _shade(table, props.paper_slip(width, height), rim, rim, 0.5 * px_per_mm)
    table[rim : rim + height, rim : rim + width] = paper
    return table


def _with_card(mat: Mat, card: Card, px_per_mm: float) -> Image:
    """A player's own card on the wooden table."""
    try:
        picture = load_picture(mapfiles.beside(mat.name.partition(":")[2], card.picture), durable.read)
    except CameraError:
        raise MatError(f"The picture {card.picture} of {mat.name} is gone: teach the map again.") from None
    width, height = round(mat.width_mm * px_per_mm), round(mat.height_mm * px_per_mm)
    rim = round(_TABLE_MM * px_per_mm)
    table = props.wood(width + 2 * rim, height + 2 * rim)
    left, top, right, bottom = (round(at * px_per_mm) for at in card.area.bounds_mm)
    paper = cv2.resize(picture, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    _shade(table, props.paper_slip(right - left, bottom - top), rim + left, rim + top, 0.5 * px_per_mm)
    table[rim + top : rim + bottom, rim + left : rim + right] = paper
    return table


def _covered(mat: Mat, faults: Faults) -> tuple[Marker, ...]:
    """The markers covered by slips of paper."""
    if faults.markers_covered:
        return mat.markers[1:-1]
    return mat.markers[:1] if faults.marker_lost else ()


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _paste(canvas: Image, cutout: NDArray[np.uint8], left: float, top: float, scale: float = 1.0) -> None:
    """Blend a cut-out into the canvas with its corner at a subpixel place, scaled."""
    x, y = math.floor(left), math.floor(top)
    half = (scale - 1) / 2  # pixel centres lie half a pixel inside the corner
    place = np.array(((scale, 0, left - x + half), (0, scale, top - y + half)))
    height, width = (math.ceil(scale * side) + 1 for side in cutout.shape[:2])
    moved = cv2.warpAffine(cutout, place, (width, height), flags=cv2.INTER_LINEAR)
    under, over = _overlap(canvas, np.asarray(moved, np.uint8), x, y)
    if under.size:
        share = over[..., 3:].astype(np.uint16)
        mixed = under.astype(np.uint16) * (255 - share) + over[..., :3].astype(np.uint16) * share
        under[:] = ((mixed + 127) // 255).astype(np.uint8)


def _shade(canvas: Image, cutout: NDArray[np.uint8], left: float, top: float, thick_px: float) -> None:
    """Darken the canvas by the cut-out's soft shadow, which falls down and to the right."""
    reach = max(1, round(thick_px))
    mask = cv2.copyMakeBorder(cutout[..., 3], reach, 2 * reach, reach, 2 * reach, cv2.BORDER_CONSTANT, value=0)
    soft = np.asarray(cv2.blur(mask, (reach, reach)), np.uint8)
    shift = round(0.6 * reach)
    under, over = _overlap(canvas, soft, round(left) - reach + shift, round(top) - reach + shift)
    if under.size:
        under[:] = (under.astype(np.uint16) * (255 - (over[..., None].astype(np.uint16) * 110 >> 8)) // 255).astype(
            np.uint8
        )


def _overlap(canvas: Image, piece: NDArray[np.uint8], x: int, y: int) -> tuple[Image, NDArray[np.uint8]]:
    """The part of the canvas under a piece with its corner at (x, y), and the matching part of the piece."""
    height, width = piece.shape[:2]
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + width, canvas.shape[1]), min(y + height, canvas.shape[0])
    if left >= right or top >= bottom:
        return canvas[:0, :0], piece[:0, :0]
    return canvas[top:bottom, left:right], piece[top - y : bottom - y, left - x : right - x]


def _sampling(view: View, px_per_mm: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """OpenCV remap tables from picture to canvas. Computed at every eighth pixel, interpolated in between."""
    step, (width, height) = 8, view.size_px
    columns = (np.arange(-1, width // step + 2) + 0.5) * step - 0.5
    rows = (np.arange(-1, height // step + 2) + 0.5) * step - 0.5
    coarse = np.stack(np.meshgrid(columns, rows), axis=-1)
    places = (view.to_mm(coarse.reshape(-1, 2)) + _TABLE_MM) * px_per_mm - 0.5
    grid = places.astype(np.float32).reshape(*coarse.shape)
    full = cv2.resize(grid, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
    full = np.asarray(full, np.float32)[step : step + height, step : step + width]
    fixed, part = cv2.convertMaps(full[..., 0], full[..., 1], cv2.CV_16SC2)
    return np.asarray(fixed, np.int16), np.asarray(part, np.uint16)


def _lit(seen: Image, light: Light, dim: float) -> Image:
    """The picture, (H, W, 3) uint8 BGR, in this light, which is brightest up and to the left of the middle.

    The light is worked out for a few rows at a time: all of it would hold 15 MB for a picture of 1280 × 960.
    """
    height, width = seen.shape[:2]
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    across, down = (x[None, :] + 0.35) ** 2, (y[:, None] + 0.3) ** 2
    tint = [np.float32(share) for share in (1 - light.warmth, 1, 1 + light.warmth)]  # of blue, green, red
    lit = np.empty_like(seen)
    for top in range(0, height, _LIT_ROWS):
        rows = slice(top, top + _LIT_ROWS)
        far = across + down[rows]
        even = light.brightness * dim * (1 - light.falloff * np.clip(far, 0, 3))
        cv2.multiply(seen[rows], cv2.merge([even * share for share in tint]), dst=lit[rows], dtype=cv2.CV_8U)
    return lit


def _grain(chance: np.random.Generator, size: tuple[int, ...], strength: float) -> NDArray[np.int8]:
    """Noise of a sensor in grey levels, of that `size`, at most 127. `strength`: its standard deviation."""
    field = chance.standard_normal(size, np.float32)
    field *= np.float32(strength)
    return np.asarray(np.clip(np.round(field, out=field), -127, 127, out=field), np.int8)


def _glare(size_px: tuple[int, int]) -> Image:
    width, height = size_px
    x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    far = ((x[None, :] - 0.56 * width) / (0.09 * width)) ** 2 + ((y[:, None] - 0.45 * height) / (0.07 * height)) ** 2
    spot = 190 * np.exp(-0.5 * far)
    return np.asarray(np.repeat(spot[..., None], 3, axis=2), np.uint8)
