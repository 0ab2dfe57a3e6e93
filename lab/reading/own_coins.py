"""Tables of twenty coins, read before and after these coins were enrolled.

Twenty coins, each a pair of cut-outs, are laid heads up and then tails up in plain light and enrolled, as the wizard
does it. Then tables of the same twenty coins are read in every light, and tables of other coins of the same
photographers, which were not enrolled: by the network that never saw their photographers, with and without enrolment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from calibration.own_coins import EnrolError, Shown, enrol, sorted_out
from lab.reading.measure import readings
from lab.reading.scenes import LIGHTS, PENNY_RADIUS_PX, fine_enough, lies_alone, scattered
from lab.reading.tally import Tally, tally
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face, Heap
from tablecoin.mat import Mat
from tablecoin.virtual.render import PX_PER_MM, Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.enrolment import Tray
from tablecoin.vision.coins.network import Identifier, Networks
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame

MAT = "two-row"
OF_EACH = 5  # coins of each denomination
RADII_PX = 32, 48  # radius of a penny in the picture, for owners in turn
TABLES_AN_OWNER = 4 * len(LIGHTS)  # own coins and others, before and after, in every light
TRIES = 5  # how often a refused tray is laid anew


@dataclass(frozen=True, slots=True)
class Owned:
    """A coin somebody owns: which of the skin's designs each side shows."""

    kind: Denomination
    designs: Mapping[Face, int]


class Owner:
    """Somebody with twenty coins, a mat and a camera."""

    def __init__(self, skin: Skin, radius_px: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._mat: Mat = mats.load(MAT)
        self._px_per_mm = 2 * radius_px / Denomination.PENNY.diameter_mm
        self._skin = fine_enough(skin, self._px_per_mm)
        self._view = View.over(self._mat, size_px=PENNY_RADIUS_PX[radius_px], tilt_deg=2.0, towards_deg=30, roll_deg=1)
        self._seeds = count(int(rng.integers(1 << 30)))
        self._coins = [
            Owned(kind, {face: int(rng.integers(self._skin.designs(kind, face))) for face in Face})
            for kind in BY_VALUE
            for _ in range(OF_EACH)
        ]

    def camera(self, light: Light) -> Renderer:
        """The camera over the mat in this light."""
        fine = max(PX_PER_MM, self._px_per_mm)
        return Renderer(self._mat, self._view, light, self._skin, next(self._seeds), fine)

    def thrown(self, face: Face | None = None) -> Scene:
        """The twenty coins at random places on the mat, with `face` up; None: either face at random."""
        laid: list[VirtualCoin] = []
        for coin in self._coins:
            up = face or list(Face)[int(self._rng.integers(2))]
            laid.append(self._somewhere(coin, up, laid))
        return Scene(coins=tuple(laid))

    def _somewhere(self, coin: Owned, up: Face, others: Sequence[VirtualCoin]) -> VirtualCoin:
        while True:
            x, y = (float(self._rng.uniform(14, side - 14)) for side in (self._mat.width_mm, self._mat.height_mm))
            laid = VirtualCoin(coin.kind, up, x, y, float(self._rng.uniform(0, 360)), coin.designs[up])
            if lies_alone(self._mat, laid, others):
                return laid

    def others(self) -> Scene:
        """Twenty random coins, which were not enrolled."""
        return Scene(coins=scattered(self._mat, self._skin, self._rng))

    def tray(self, face: Face, identifier: Identifier) -> Shown:
        """The coins on the mat with `face` up, as the wizard sees them. A refused tray is laid anew.

        Raises EnrolError when TRIES trays were refused.
        """
        tray = Tray(Heap.of(coin.kind for coin in self._coins), face)
        for tries in count(1):
            reader = Reader(MAT, identifier=identifier)
            reading = reader.read_tray(Frame(self.camera(Light()).picture(self.thrown(face)), 0, 0.0))
            try:
                return sorted_out(reading, tray, reader.plane)
            except EnrolError:
                if tries == TRIES:
                    raise
        raise AssertionError("counting never ends")


def before_and_after(
    skin: Skin, networks: Networks, owners: int, seed: int, refused: Callable[[str], None] = print
) -> Iterator[tuple[str, Tally]]:
    """The counts of every table of `owners` people: ("own, before", ...), ("others, after", ...) and so on.

    An owner whose trays are refused is left out; `refused` is told why.
    """
    rng = np.random.default_rng(seed)
    for number in range(owners):
        owner = Owner(skin, RADII_PX[number % len(RADII_PX)], rng)
        plain = Identifier(networks)
        try:
            shown = [owner.tray(face, plain) for face in Face]
        except EnrolError as error:
            refused(f"one owner's tray was refused; the owner is left out: {error}")
            continue
        learned = enrol(shown, plain)
        for light in LIGHTS.values():
            camera = owner.camera(light)
            for whose, scene in (("own", owner.thrown()), ("others", owner.others())):
                for when, identifier in (("before", plain), ("after", Identifier(networks, learned))):
                    yield f"{whose}, {when}", tally(scene.coins, readings(scene, camera, identifier)[1])
