"""What lies on a photographed map and was not read: a missed coin, or something else."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tablecoin.coins import BY_SIZE
from tablecoin.rules.zones import ZoneKind
from tablecoin.vision.coins import find
from tablecoin.vision.coins.candidates import COVERED, diameters_mm
from tablecoin.vision.coins.looks import OURS
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.propose import RADII_MM, RIMMED
from tablecoin.vision.coins.refine import fitted
from tablecoin.vision.coins.rims import inside
from tablecoin.vision.coins.sureness import LEAST
from tablecoin.vision.frame import Reading
from tablecoin.vision.place import bare
from tablecoin.vision.place.plane import Plane

OVERLOOKED_MM2 = 100.0  # smallest area of an unread thing that is reported; a dime has 252
GAPS_MM = 6.0  # parts of one thing lie so near each other: a coin as white as the paper shows only some of its relief
# Diameter of a rim, as a share of a quarter's, above which it is a printed ring: one coin in a hundred is 0.031 off.
TOO_WIDE = 1.06
THINNEST_MM = 4.0  # smallest width of such a thing; printed lines slightly off and edges of shadows are narrower
# A rim inside a coin that runs along an edge for this share of it, and lies so many radii off the coin's centre, is
# that of another coin on top: rings of the coin's own design lie round its centre. With strangers' coins it names a
# place in one of twenty photos; two nickels that all networks took for the quarter below are among these.
ON_TOP_EDGE, OFF_CENTRE = 0.94, 0.03


def overlooked(reading: Reading, plane: Plane, identifier: Identifier) -> frozenset[str]:
    """The spaces and banks on which something lies that was not read.

    `plane`: of the rectified picture that was read. On a space with a coin only a coin on top of it counts, because the
    coins below it may show there.
    """
    return _on_top(reading, plane) | _beside(reading, plane, identifier)


def _on_top(reading: Reading, plane: Plane) -> frozenset[str]:
    """The spaces where a rim within the coin that was read is that of another coin."""
    image, found = reading.frame.image, set()
    for coin in reading.coins:
        if coin.coin is None or coin.zone is None or plane.mat.zone(coin.zone).kind is not ZoneKind.SPACE:
            continue
        px_per_mm = 2 * coin.disc.r_px / coin.coin.denomination.diameter_mm
        for inner in inside(image, coin.disc, px_per_mm):
            off_px = math.hypot(inner.disc.x_px - coin.disc.x_px, inner.disc.y_px - coin.disc.y_px)
            if inner.edge >= ON_TOP_EDGE and off_px >= OFF_CENTRE * coin.disc.r_px:
                found.add(coin.zone)
    return frozenset(found)


def _beside(reading: Reading, plane: Plane, identifier: Identifier) -> frozenset[str]:
    """The spaces without a coin, and the banks, on which something lies that was not read."""
    above, flat = find.upright(reading.frame.image, plane, RADII_MM)
    taken = {coin.zone for coin in reading.coins}
    searched = [
        zone
        for zone in plane.mat.zones
        if zone.kind is ZoneKind.BANK or (zone.kind is ZoneKind.SPACE and zone.name not in taken)
    ]
    paper = bare.lying(above, flat)
    if paper is None or not searched:
        return frozenset()
    left = (paper.lies & paper.tells).astype(np.uint8)
    for disc in find.moved([coin.disc for coin in reading.coins], plane, flat):
        cv2.circle(left, (round(disc.x_px), round(disc.y_px)), round(disc.r_px * bare.BESIDE) + 1, 0, -1)
    px_per_mm = 1 / flat.mm_per_px_at((0, 0))
    for way, width_mm in (cv2.MORPH_CLOSE, GAPS_MM), (cv2.MORPH_OPEN, THINNEST_MM):
        thick = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(width_mm * px_per_mm),) * 2)
        left = np.asarray(cv2.morphologyEx(left, way, thick), np.uint8)
    found = _with_rims(reading, plane, identifier)
    for zone in searched:
        corners = flat.to_px(np.reshape(zone.area.bounds_mm, (2, 2)))
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        if left[y0:y1, x0:x1].sum() / px_per_mm**2 > OVERLOOKED_MM2:
            found.add(zone.name)
    return frozenset(found & {zone.name for zone in searched})


def _with_rims(reading: Reading, plane: Plane, identifier: Identifier) -> set[str]:
    """The zones with a rim no larger than a coin's where no coin was read, which may be one by its looks.

    A coin as white as the paper covers nothing of it, and where words are printed its rim alone proves nothing. On a
    player's own card a rim may be a printed ring, so there only what covers the card's picture counts.
    """
    if plane.mat.card is not None:
        return set()
    image = reading.frame.image
    above, flat = find.upright(image, plane, RADII_MM)
    circled = find.find_upright(above, flat, plane, RADII_MM, find.KNOWN_VOTES, closely=None)
    circles, held, _ = fitted(image, circled, plane)
    fits = (diameters_mm(plane, circles) < TOO_WIDE * BY_SIZE[-1].diameter_mm) & (held >= RIMMED)
    rims = [
        circle
        for circle, fit in zip(circles, fits, strict=True)
        if fit and all(find.hidden_share(circle, coin.disc) <= COVERED for coin in reading.coins)
    ]
    ours = np.exp(identifier(image, rims).kinds[:, OURS]).sum(axis=1)
    coins = [rim for rim, chance in zip(rims, ours, strict=True) if chance >= LEAST]
    places = plane.to_mm([(coin.x_px, coin.y_px) for coin in coins]) if coins else ()
    return {zone for x, y in places if (zone := plane.mat.zone_at(x, y))}
