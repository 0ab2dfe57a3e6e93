"""Stage one: circles that may be coins. It must miss none; what is no coin is told by the network, in stage two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tablecoin.coins import BY_SIZE
from tablecoin.mat import ZoneKind
from tablecoin.vision.coins import find
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.refine import fitted, refine
from tablecoin.vision.coins.unmoved import LastReading
from tablecoin.vision.frame import Disc, Grey, Image
from tablecoin.vision.place import bare
from tablecoin.vision.place.plane import Plane

SLACK = 1.13  # factor by which a coin's measured radius may be off and still be proposed
RADII_MM = BY_SIZE[0].diameter_mm / 2 / SLACK, BY_SIZE[-1].diameter_mm / 2 * SLACK  # (least, most)
RIMMED = 0.5  # share of a circle's rays that must meet a rim; Hough inventions meet few
# The same from which a rim alone proves a coin where nothing is drawn: one as white as the paper does not cover it.
WELL_RIMMED = 0.75


def on_mat(picture: Halvings, grey: Grey, plane: Plane, last: LastReading, votes: int) -> Candidates:
    """Circles of coins' sizes on the mat, set on their rims, and those of `last` that may lie there still.

    `grey` is the picture in grey, `votes` the edge pixels that must agree on a centre (Hough). Circles without a rim,
    on the prize's place, and where the bare paper shows are left out. More than MOST_CIRCLES are left as found.
    """
    above, flat = find.upright(grey, plane, RADII_MM)
    paper = bare.lying(above, flat)
    found = _where_coins_lie(find.find_upright(above, flat, plane, RADII_MM, votes), plane)
    if len(found) > find.MOST_CIRCLES:
        return Candidates.proposed(found)
    discs, held = fitted(picture.image, found, plane)
    rims = {disc: share for disc, share in zip(discs, held, strict=True) if share >= RIMMED}
    circles = find.distinct(rims)
    circles += last.overlooked(circles, picture)
    if paper is not None and circles:
        seen = find.moved(circles, plane, flat)
        lies = paper.covered(seen) >= bare.BARE
        well = np.array([rims.get(disc, 0.0) for disc in circles]) >= WELL_RIMMED
        rimmed = well & (paper.plain_rim(seen) >= bare.RIM_PLAIN)
        circles = [disc for disc, is_there in zip(circles, lies | rimmed, strict=True) if is_there]
    return Candidates.proposed(circles)


def anywhere(image: Image) -> Candidates:
    """Circles of any size on any background, set on their rims; more than MOST_CIRCLES as they are found."""
    found = find.find(image)
    return Candidates.proposed(found if len(found) > find.MOST_CIRCLES else refine(image, found))


def _where_coins_lie(discs: Sequence[Disc], plane: Plane) -> list[Disc]:
    """Those whose centres lie on the mat, outside the prize's place."""
    if not discs:
        return []
    mat = plane.mat
    places = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs])
    return [
        disc
        for disc, (x, y) in zip(discs, places, strict=True)
        if 0 <= x <= mat.width_mm and 0 <= y <= mat.height_mm and mat.kind_at(x, y) is not ZoneKind.PRIZE
    ]
