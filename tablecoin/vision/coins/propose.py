"""Stage one: circles that may be coins. It must miss none; what is no coin is told by the network, in stage two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE
from tablecoin.mat import ZoneKind
from tablecoin.vision.coins import find, lost_rims
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.refine import Bulge, fitted, refine, stands_out
from tablecoin.vision.coins.touched import BESIDE_PX, IN_A_ROW, Changes, Search, coarse
from tablecoin.vision.coins.unmoved import LastReading
from tablecoin.vision.frame import Disc, Grey, Image
from tablecoin.vision.place import bare
from tablecoin.vision.place.plane import Plane

SLACK = 1.13  # factor by which a coin's measured radius may be off and still be proposed
RADII_MM = BY_SIZE[0].diameter_mm / 2 / SLACK, BY_SIZE[-1].diameter_mm / 2 * SLACK  # (least, most)
RIMMED = 0.5  # share of a circle's rays that must meet a rim; Hough inventions meet few
# The same from which a rim alone proves a coin where nothing is drawn: one as white as the paper does not cover it. A
# coin that lies alone has such a rim, a circle that touches it and printed lines has not.
WELL_RIMMED = 0.75
EXPLAINED = 0.1  # in radii: a thing whose middle and radius are this near a rim's is what has that rim


def upright(image: Image, plane: Plane) -> tuple[Grey, Plane]:
    """The mat rectified, in `shaded` grey, as fine as a search for coins needs it; and that picture's plane."""
    return find.upright(image, plane, RADII_MM)


def on_mat(
    picture: Halvings,
    above: Grey,
    flat: Plane,
    plane: Plane,
    last: LastReading,
    votes: int,
    before: Search | None = None,
) -> tuple[Candidates, Search]:
    """Circles of coins' sizes on the mat, set on their rims, and those of `last` that may lie there still.

    `above` and `flat` are what `upright` returned, `votes` the edge pixels that must agree on a centre (Hough). Circles
    without a rim, on the prize's place, and where the bare paper shows are left out; more than MOST_CIRCLES are left as
    found. `before` is the last search of this mat: where nothing changed since, its circles stay; one in much less
    light counts for nothing. The search that was made now is returned for the next picture.
    """
    largest_px = RADII_MM[1] / flat.mm_per_px_at((0, 0))
    if before is not None and before.is_outshone(above):
        before = None
    changes = before.changes(above, flat, plane, votes, largest_px) if before else None
    if before is None or changes is None or before.parts >= IN_A_ROW:
        faint_before = before.faint if before else ()
        # The first search of a mat, which may be that of a photo, is close everywhere; one of a mat that changed in
        # too many places would take too long.
        closely = None if before is None else changes.windows if changes else ()
        found = _searched(picture, above, flat, plane, last, votes, faint=faint_before, closely=closely)
        every, faint = tuple(found.circles), tuple(found.faint)
        search = Search(plane, votes, above.shape, coarse(above), every, faint, found.bulge_mm)
        return Candidates.proposed(every), search
    if not changes.windows:
        return Candidates.proposed(before.circles), before.after(changes, before.circles, ())
    kept = [one for one, touched in zip(before.circles, changes.touch(before.circles), strict=True) if not touched]
    found = _searched(picture, above, flat, plane, last, votes, changes, kept, before.faint, before.bulge_mm)
    return Candidates.proposed(found.circles), before.after(changes, found.circles, found.faint)


class _Found(NamedTuple):
    """What a search found."""

    circles: list[Disc]
    faint: list[Disc]  # those of them that only a rim proves: the paper would not tell if they were gone
    bulge_mm: Bulge | None


def _searched(
    picture: Halvings,
    above: Grey,
    flat: Plane,
    plane: Plane,
    last: LastReading,
    votes: int,
    changes: Changes | None = None,
    kept: Sequence[Disc] = (),
    faint: Sequence[Disc] = (),
    bulge_mm: Bulge | None = None,
    closely: Sequence[find.Window] | None = (),
) -> _Found:
    """The circles on the mat and how their rims bulge; with `changes` those that touch one, and the `kept` ones.

    `faint`: those that only a rim proved before. It may prove them again where the search overlooks them. `closely`:
    where the mat is also searched as photos are; None: everywhere. With `changes` it is searched so where they are.
    """
    windows = changes.windows if changes else None
    circled = find.find_upright(above, flat, plane, RADII_MM, votes, windows, windows or closely)
    found = _worth_a_look(circled, plane, changes)
    if len(found) > find.MOST_CIRCLES:
        return _Found(found, [], None)
    rims, bulge_mm = _rims(picture.image, found, plane, bulge_mm)
    paper = bare.lying(above, flat)
    if paper is not None:  # beside printed lines a coin that lies alone may lose the vote: then what it covers shows it
        px_per_mm = 1 / flat.mm_per_px_at((0, 0))
        things = find.moved(paper.round_things((RADII_MM[0] * px_per_mm, RADII_MM[1] * px_per_mm)), flat, plane)
        things = [thing for thing in _worth_a_look(things, plane, changes) if not _is_explained(thing, rims)]
        rims |= _rims(picture.image, things, plane, bulge_mm)[0]
    circles = find.distinct([*kept, *sorted(rims, key=lambda rim: -rims[rim])])
    rimmed_ones = {disc: rims[disc] for disc in circles if disc in rims}
    lost = lost_rims.of_true_size(picture.image, rimmed_ones, plane, bulge_mm)
    circles, rims = [*circles, *lost], rims | lost
    circles += last.overlooked(circles, picture)
    known = np.array([disc in kept for disc in circles], bool)
    if paper is None or known.all():
        return _Found(circles, [], bulge_mm)
    well = np.array([rims.get(disc, 0.0) for disc in circles]) >= WELL_RIMMED
    rimmed = well & _plain(paper, circles, plane, flat)
    lies = paper.covered(find.moved(circles, plane, flat), rimmed) >= bare.BARE
    pale = [circles[k] for k in np.flatnonzero(rimmed & ~lies & ~known)]
    proven = [pale[k] for k in np.flatnonzero(stands_out(picture.image, pale, plane))]
    there = [circle for circle, shows in zip(circles, lies | known, strict=True) if shows or circle in proven]
    # Not among them, or found a little beside its rim, which then proved nothing.
    pale = [disc for disc in last.overlooked(there, picture) if disc in faint]
    pale = [disc for disc, plain in zip(pale, _plain(paper, pale, plane, flat), strict=True) if plain]
    again = _still_rimmed(picture.image, pale, plane, bulge_mm)
    return _Found([*there, *again], [*proven, *again], bulge_mm)


def _plain(paper: bare.Lying, discs: Sequence[Disc], plane: Plane, flat: Plane) -> NDArray[np.bool_]:
    """(N,) whether the mat is plain all around each of `discs`, so that a rim there is a coin's."""
    return np.asarray(paper.plain_rim(find.moved(discs, plane, flat)) >= bare.RIM_PLAIN)


def _still_rimmed(image: Image, discs: Sequence[Disc], plane: Plane, bulge_mm: Bulge | None) -> list[Disc]:
    """Those of `discs`, of the last picture, around which this one has a rim too that proves a coin alone."""
    _, held, _ = fitted(image, discs, plane, bulge_mm)
    clear = (held >= WELL_RIMMED) & stands_out(image, discs, plane)
    return [discs[k] for k in np.flatnonzero(clear).tolist()]


def _rims(
    image: Image, discs: Sequence[Disc], plane: Plane, bulge_mm: Bulge | None
) -> tuple[dict[Disc, float], Bulge | None]:
    """Those of `discs` that have a rim, set on it, each with the share of it that was met; and how rims bulge."""
    fits, held, bulge_mm = fitted(image, discs, plane, bulge_mm)
    return {disc: share for disc, share in zip(fits, held, strict=True) if share >= RIMMED}, bulge_mm


def anywhere(image: Image, effort: find.Effort) -> find.Found:
    """Circles of any size on any background, set on their rims; more than `effort` allows as they are found."""
    found = find.find(image, effort)
    return found if len(found.discs) > effort.circles else found._replace(discs=refine(image, found.discs))


def _worth_a_look(discs: Sequence[Disc], plane: Plane, changes: Changes | None) -> list[Disc]:
    """Those whose centres lie on the mat, outside the prize's place and the markers that are read: a coin would hide
    its marker. With `changes` those that lie at one.
    """
    if changes:
        discs = [disc for disc, touches in zip(discs, changes.touch(discs, BESIDE_PX), strict=True) if touches]
    if not discs:
        return []
    mat = plane.mat
    read = [marker for marker in mat.markers if marker.id in plane.marker_ids]
    places = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs])
    return [
        disc
        for disc, (x, y) in zip(discs, places, strict=True)
        if 0 <= x <= mat.width_mm and 0 <= y <= mat.height_mm and mat.kind_at(x, y) is not ZoneKind.PRIZE
        if not any(marker.holds(x, y) for marker in read)
    ]


def _is_explained(thing: Disc, rims: Mapping[Disc, float]) -> bool:
    """Whether one of `rims`, met all around, is that of a round thing which was found by what it covers."""
    reach = EXPLAINED * thing.r_px
    return any(
        math.hypot(rim.x_px - thing.x_px, rim.y_px - thing.y_px) < reach and abs(rim.r_px - thing.r_px) < reach
        for rim, share in rims.items()
        if share >= WELL_RIMMED
    )
