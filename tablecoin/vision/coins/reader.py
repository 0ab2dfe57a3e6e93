"""The reader: a frame in, a Reading out. Joins the plane, the finder, the network and the sizes.

With a mat in view the scale is known, so only coin-sized circles on the mat are looked for. Without one, circles of all
sizes are looked at, and the coins themselves tell the scale.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE
from tablecoin.mat import ZoneKind
from tablecoin.vision.calibrated import FlatField, even
from tablecoin.vision.coins import colour, find, scale, stacks
from tablecoin.vision.coins.find import Grey
from tablecoin.vision.coins.identify import Identifier, Looks
from tablecoin.vision.coins.refine import fitted, refine
from tablecoin.vision.coins.unmoved import Judged, Unmoved
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin
from tablecoin.vision.place import bare, taught
from tablecoin.vision.place.drift import STEADY, Drift, follow
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.clearness import clearness

if TYPE_CHECKING:
    from tablecoin.vision.coins.enrol import Enrolment

SLACK = 1.13  # how far from true a coin's measured radius may be and still be looked at
RADII_MM = BY_SIZE[0].diameter_mm / 2 / SLACK, BY_SIZE[-1].diameter_mm / 2 * SLACK
HOPELESS = -4.0  # log probability of being a coin below which a circle is dropped at once
STRANGE = 0.95  # probability of being no coin above which a circle is not looked at again
LEAST = 0.02  # probability of being a coin below which a circle on the mat is left out
LIKELY = 0.5  # and without a mat, where so much more than coins may lie about
RIMMED = 0.5  # share of a circle that must run along a rim
WELL_RIMMED = 0.75  # and where nothing is drawn, so large a share is enough to tell a coin as white as the paper
COVERED = 0.3  # share of the smaller of two circles inside the other above which only one is a coin
# Least probabilities to be sure: where a wrong ruling costs as much as thirty questions (docs/reader.md).
KIND_SURE = 0.98
FACE_SURE = 0.93
CLEAR = 0.985  # below this a coin is looked at again from another side, and if need be from all four
FURTHER_SIDES = 1, 2  # in so many looks each time
# Log odds beforehand that another coin lies on one: on a Coin Age space it is usual, anywhere else a rare mistake.
ON_A_SPACE, ELSEWHERE = -0.5, -3.0


class Reader:
    """Reads frames. Keeps the mat's plane from frame to frame, so one reader belongs to one camera and one thread."""

    def __init__(
        self,
        mat: str = "auto",
        lens: Lens | None = None,
        identifier: Identifier | None = None,
        light: FlatField | None = None,
    ) -> None:
        """`mat` is a mat's name, `auto` (any known one that is seen) or `none`. MatError: no such mat.

        `lens` and `light` are the calibration's; without a lens its distortion is fitted to the markers.
        """
        self._mats = None if mat == "auto" else [] if mat == "none" else [mats.load(mat)]
        self._lens, self._light = lens, light
        self._identifier = identifier or Identifier()
        self._drift = STEADY
        self._plane: Plane | None = None
        self._unmoved = Unmoved()
        cards = [taught.portrait(one) for one in self._mats or () if one.card]
        self._cards = taught.CardFollower(taught.own_portraits if self._mats is None else lambda: cards)

    @property
    def plane(self) -> Plane | None:
        """Where the mat lay when its markers were last seen well; None before that."""
        return self._plane

    @property
    def drift(self) -> Drift:
        """How the newest frame's markers stood to the plane."""
        return self._drift

    def check(self, frame: Frame) -> Drift:
        """Look at the mat's markers alone: a few milliseconds. A mat that moved is followed where that can be done."""
        self._locate(frame.image, find.greyed(frame.image))
        return self._drift

    def calibrated(self, lens: Lens | None, light: FlatField | None, coins: Enrolment | None = None) -> None:
        """Go by another calibration and the table's own coins from the next frame on; the plane is found anew."""
        self._lens, self._light, self._plane, self._drift = lens, light, None, STEADY
        self._identifier.know(coins)
        self._unmoved = Unmoved()

    @property
    def own_coins(self) -> Enrolment | None:
        """The table's own coins, where they are known."""
        return self._identifier.enrolled

    def read(self, frame: Frame) -> Reading:
        """All the coins of `frame`."""
        return self._read(frame, LEAST)

    def read_tray(self, frame: Frame) -> Reading:
        """As `read`, for a mat on which nothing but coins lies: all that is round counts, however odd it looks."""
        return self._read(frame, 0.0, find.PLAIN_VOTES)

    def _read(self, frame: Frame, least: float, votes: int = find.KNOWN_VOTES) -> Reading:
        stages: dict[str, float] = {}
        with _timed(stages, "plane"):
            grey = find.greyed(frame.image)
            self._locate(frame.image, grey)
            clear = clearness(grey, self._plane) if self._plane else None
        if self._light is not None:
            frame = replace(frame, image=even(frame.image, self._light))
            grey = find.greyed(frame.image)
        if self._plane is None:
            return self._anywhere(frame, stages)
        reading = self._on_mat(frame, grey, self._plane, stages, least, votes)
        return replace(reading, unclear=clear.fault if clear else None)

    def read_on(self, frame: Frame, plane: Plane) -> Reading:
        """All the coins of `frame` on a plane that is known already: a picture set upright, say."""
        return self._on_mat(frame, find.greyed(frame.image), plane, {}, LEAST)

    def _locate(self, image: Image, grey: Grey) -> None:
        """Where the mat lies now: by its markers, or a player's own card by its picture."""
        last = self._plane
        if last is None or last.mat.card is None:
            if self._mats is None or any(mat.markers for mat in self._mats):
                self._plane, self._drift = follow(grey, self._mats, last, self._lens)
            if self._plane is not None and self._drift.state != "lost":
                return
        if card := self._cards.find(image, self._lens):
            self._plane, self._drift = card, Drift("lost") if self._cards.lost else STEADY

    def _on_mat(
        self,
        frame: Frame,
        grey: Grey,
        plane: Plane,
        stages: dict[str, float],
        least: float,
        votes: int = find.KNOWN_VOTES,
    ) -> Reading:
        height, width = frame.image.shape[:2]
        with _timed(stages, "find"):
            discs = _circles_on(frame.image, grey, plane, self._unmoved, votes)
        with _timed(stages, "identify"):
            judged = self._judge(frame, plane, discs)
            kept = _best_of_overlapping([one.disc for one in judged], _stack([one.kinds for one in judged]), least)
        ours = [judged[k] for k in kept]
        places = plane.to_mm([(one.disc.x_px, one.disc.y_px) for one in ours]).tolist() if ours else []
        coins = tuple(
            replace(_seen(one.disc, one.kinds, one.heads), place_mm=(x, y), zone=plane.mat.zone_at(x, y))
            for one, (x, y) in zip(ours, places, strict=True)
        )
        return Reading(
            frame,
            coins,
            plane.mm_per_px_at((width / 2, height / 2)),
            plane.mat.name,
            warnings=tuple(plane.warnings),
            stages_ms=stages,
        )

    def _judge(self, frame: Frame, plane: Plane, discs: Sequence[Disc]) -> list[Judged]:
        """What each circle on the mat is. Those that lie as they lay keep their answer."""
        discs, known = _not_of_known_coins(discs, self._unmoved.among(frame.image, discs))
        fresh = [k for k in range(len(discs)) if k not in known]
        new = [discs[k] for k in fresh]
        looks = self._with_earlier(self._identifier(frame.image, new), new)
        rows = _stack([known[k].looks.kinds[0] if k in known else np.zeros(5) for k in range(len(discs))])
        rows[fresh] = looks.kinds
        diameters = diameters_mm(plane, discs)
        kinds, heads = scale.of_measured(diameters, rows)[fresh], looks.heads
        sides, kept = 1, _best_of_overlapping(new, kinds)
        for more in FURTHER_SIDES:
            kept = [n for n in kept if not _clear(kinds[n], heads[n])]
            if kept:
                some = [new[n] for n in kept]
                looks = looks.put(kept, self._identifier.again(frame.image, some, looks[kept], sides, more))
                rows[fresh] = looks.kinds
                kinds[kept] = scale.of_measured(diameters, rows)[fresh][kept]
                heads[kept] = looks.heads[kept]
            sides += more
        px_per_mm = [2 * discs[k].r_px / diameters[k] for k in fresh]
        tops = stacks.tops(
            frame.image, new, looks, kinds, px_per_mm, lambda disc: _stacked(plane, disc), self._identifier
        )
        for n, top in tops.items():
            new[n], kinds[n], heads[n] = top.disc, top.kinds, top.heads
        fresh_ones = (Judged(new[n], looks[[n]], kinds[n], float(heads[n])) for n in range(len(new)))
        judged = [known[k] if k in known else next(fresh_ones) for k in range(len(discs))]
        plain = [one.kinds[4] > STRANGE or _sure(one.kinds, one.heads) for one in judged]
        self._unmoved.remember(frame.image, discs, judged, plain)
        return judged

    def _with_earlier(self, looks: Looks, discs: Sequence[Disc]) -> Looks:
        """`looks` at `discs`, joined to what earlier pictures showed of those that lie as they lay."""
        earlier = {n: seen for n, disc in enumerate(discs) if (seen := self._unmoved.earlier(disc)) is not None}
        for n, seen in earlier.items():
            looks = looks.put([n], seen.joined(looks[[n]]))
        return looks

    def _anywhere(self, frame: Frame, stages: dict[str, float]) -> Reading:
        height, width = frame.image.shape[:2]
        with _timed(stages, "find"):
            discs = refine(frame.image, find.find(frame.image))
        with _timed(stages, "identify"):
            discs, looks = looked_at(frame.image, discs, self._identifier)
        with _timed(stages, "scale"):
            sized = scale.of_unknown(discs, looks.kinds, (width, height))
        read = zip(discs, sized.kinds, looks.heads.tolist(), strict=True)
        coins = tuple(_seen(disc, kinds, heads) for disc, kinds, heads in read if kinds[:4].sum() >= LIKELY)
        warnings = []
        if sized.mm_per_px is not None and sum(coin.denomination is not None for coin in coins) < 3:
            warnings.append("With so few coins their sizes say little: lay a few different ones beside them.")
        return Reading(frame, coins, sized.mm_per_px, warnings=tuple(warnings), stages_ms=stages)


def looked_at(image: Image, discs: Sequence[Disc], identifier: Identifier) -> tuple[list[Disc], Looks]:
    """Those of `discs` that may be coins and do not cover each other, and their looks from four sides."""
    looks = identifier(image, discs)
    hopeful = [k for k in range(len(discs)) if np.logaddexp.reduce(looks.kinds[k, :4]) > HOPELESS]
    kept = _best_of_overlapping([discs[k] for k in hopeful], np.exp(looks.kinds[hopeful]))
    rows = [hopeful[k] for k in kept]
    kept_discs = [discs[k] for k in rows]
    looks = looks[rows]
    if rows:
        looks = identifier.again(image, kept_discs, looks)
    against = colour.doubts(image, kept_discs, np.exp(looks.kinds[:, :4]).sum(axis=1))
    kinds = looks.kinds - against[:, None] * np.array([1, 1, 1, 1, 0])
    return kept_discs, replace(looks, kinds=kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True))


@contextmanager
def _timed(stages: dict[str, float], name: str) -> Iterator[None]:
    start = time.thread_time()
    yield
    stages[name] = (time.thread_time() - start) * 1000


def _circles_on(image: Image, grey: Grey, plane: Plane, before: Unmoved, votes: int) -> list[Disc]:
    """Circles of coins' sizes on the mat, set on their rims, and those of `before` that may lie there still.

    Those without a rim, those of no stake and those in which nothing lies are left out.
    """
    above, flat = find.upright(grey, plane, RADII_MM)
    paper = bare.lying(above, flat)
    discs = find.find_upright(above, flat, plane, RADII_MM, votes)
    on = []
    if discs:
        places = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs])
        on = [_on_paper(plane, x, y) and plane.mat.kind_at(x, y) is not ZoneKind.PRIZE for x, y in places]
    discs, held = fitted(image, [disc for disc, is_on in zip(discs, on, strict=True) if is_on], plane)
    rims = {disc: share for disc, share in zip(discs, held, strict=True) if share >= RIMMED}
    discs = find.distinct(rims)
    discs += before.overlooked(image, discs)
    if paper is None or not discs:
        return discs
    seen = find.moved(discs, plane, flat)
    lies = paper.covered(seen) >= bare.BARE
    well = np.array([rims.get(disc, 0.0) for disc in discs]) >= WELL_RIMMED
    rimmed = well & (paper.plain_rim(seen) >= bare.RIM_PLAIN)
    return [disc for disc, is_there in zip(discs, lies | rimmed, strict=True) if is_there]


def _on_paper(plane: Plane, x_mm: float, y_mm: float) -> bool:
    return 0 <= x_mm <= plane.mat.width_mm and 0 <= y_mm <= plane.mat.height_mm


def diameters_mm(plane: Plane, discs: Sequence[Disc]) -> NDArray[np.float64]:
    """(N,) true diameters: of the circle with the area that the disc has on the mat."""
    if not discs:
        return np.empty(0)
    x, y, r = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs]).T
    rims = [np.column_stack([x + r * dx, y + r * dy]) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    right, left, below, above = plane.to_mm(np.concatenate(rims)).reshape(4, -1, 2)
    across, down = right - left, below - above
    return np.asarray(np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])))


def _best_of_overlapping(discs: Sequence[Disc], kinds: NDArray[np.float64], least: float = LEAST) -> list[int]:
    """Of circles that cover each other, the one that looks most like a coin; what looks like none is dropped."""
    ours = kinds[:, :4].sum(axis=1) if len(discs) else np.empty(0)
    kept: list[int] = []
    for k in np.argsort(-ours, kind="stable"):
        if ours[k] >= least and all(find.hidden_share(discs[k], discs[other]) <= COVERED for other in kept):
            kept.append(int(k))
    return kept


def _not_of_known_coins(discs: Sequence[Disc], known: Mapping[int, Judged]) -> tuple[list[Disc], dict[int, Judged]]:
    """`discs` without chance circles in the relief of coins that lie as they lay; `known` by the new numbers."""
    coins = [discs[k] for k, one in known.items() if one.kinds[:4].sum() > LIKELY]
    left = [
        k
        for k, disc in enumerate(discs)
        if k in known or all(find.hidden_share(disc, coin) <= COVERED for coin in coins)
    ]
    return [discs[k] for k in left], {new: known[k] for new, k in enumerate(left) if k in known}


def _stacked(plane: Plane, disc: Disc) -> float:
    """The log odds beforehand that something lies on a coin, by where it lies."""
    ((x, y),) = plane.to_mm((disc.x_px, disc.y_px))
    return ON_A_SPACE if plane.mat.kind_at(x, y) is ZoneKind.SPACE else ELSEWHERE


def _clear(kinds: NDArray[np.float64], heads: float) -> bool:
    return bool(kinds[4] > STRANGE or (kinds[:4].max() > CLEAR and max(heads, 1 - heads) > CLEAR))


def _seen(disc: Disc, kinds: NDArray[np.float64], heads: float) -> SeenCoin:
    penny, nickel, dime, quarter = (float(p) for p in kinds[:4])
    return SeenCoin(disc, (penny, nickel, dime, quarter), heads, _sure(kinds, heads))


def _sure(kinds: NDArray[np.float64], heads: float) -> bool:
    return bool(kinds[:4].max() >= KIND_SURE and max(heads, 1 - heads) >= FACE_SURE)


def _stack(rows: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(N, 5) of N rows, also of none."""
    return np.reshape(np.array(rows, float), (-1, 5))
