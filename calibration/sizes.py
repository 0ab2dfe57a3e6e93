"""The size check: the measured diameter of one coin of each kind, compared with the Mint's."""

from __future__ import annotations

from collections import Counter

import numpy as np

from calibration.markers import found, no_mat
from calibration.step import Outcome, Sight
from calibration.words import coins, say, word
from tablecoin.coins import BY_VALUE
from tablecoin.vision.calibrated import Size
from tablecoin.vision.coins.candidates import diameters_mm
from tablecoin.vision.coins.printed import measured_share
from tablecoin.vision.frame import Image
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.shown.annotate import annotate

WORST_MM = 0.6  # largest error of a diameter that still passes
SCALE_OFF = 0.02  # share by which all coins are off together when the mat was printed at another scale


class SizesStep:
    """Wants one penny, one nickel, one dime and one quarter, any side up."""

    name, pictures, optional = "sizes", 5, False

    def run(self, sight: Sight) -> Outcome:
        plane = found(sight)
        if plane is None:
            return no_mat(sight)
        reader = sight.reader()
        measured: dict[str, list[float]] = {kind: [] for kind in BY_VALUE}
        for frame in sight.frames:
            reading = reader.read(frame)
            here = [coin for coin in reading.coins if coin.denomination]
            for coin, diameter in zip(here, diameters_mm(plane, [coin.disc for coin in here]), strict=True):
                measured[str(coin.denomination)].append(float(diameter))
        picture = annotate(reading)
        counts = Counter(str(coin.denomination) for coin in here)
        if counts != Counter({str(kind): 1 for kind in BY_VALUE}):
            told = say("sizes.missing", seen=coins(counts)) if here else say("sizes.none")
            return _printed_wrong(sight, plane, picture) or Outcome(False, told, picture, say("sizes.none.do"))
        sizes = tuple(Size(kind, kind.diameter_mm, round(float(np.median(measured[kind])), 2)) for kind in BY_VALUE)
        figures = {f"{size.coin}_mm": size.measured_mm for size in sizes}
        worst = max(sizes, key=lambda size: abs(size.measured_mm - size.true_mm))
        off_mm = abs(worst.measured_mm - worst.true_mm)
        if off_mm > WORST_MM:
            said = say("sizes.off", coin=word(worst.coin), measured_mm=worst.measured_mm, true_mm=worst.true_mm)
            wrong = _printed_wrong(sight, plane, picture)
            return wrong or Outcome(False, said, picture, say("sizes.off.do"), figures)
        return Outcome(True, say("sizes.ok", worst_mm=off_mm), picture, figures=figures, changes={"sizes": sizes})


def _printed_wrong(sight: Sight, plane: Plane, picture: Image) -> Outcome | None:
    """That the mat was printed at another scale; None where the coins do not say so."""
    share = measured_share(sight.frame, plane, sight.identifier())
    if share is None or abs(share - 1) <= SCALE_OFF:
        return None
    return Outcome(False, say("sizes.scale", percent=100 * share), picture, say("sizes.scale.do"))
