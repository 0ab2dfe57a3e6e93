"""The coins enrolled for a table, found beside its calibration."""

from __future__ import annotations

from pathlib import Path

from tablecoin.vision.calibrated import Calibration
from tablecoin.vision.coins.enrolment import Enrolment, EnrolmentError
from tablecoin.vision.coins.network import Identifier


def own_coins(calibration: Calibration | None, folder: Path, identifier: Identifier) -> tuple[Enrolment | None, str]:
    """The coins enrolled for the table whose calibration lies in `folder`, and a sentence about them.

    (None, why) where `identifier` cannot use them; (None, "") where none were enrolled. Never raises.
    """
    if calibration is None or calibration.coins is None:
        return None, ""
    path = folder / calibration.coins
    try:
        found = Enrolment.load(path)
    except EnrolmentError as error:
        return None, f"{error} Until then they are read like any others."
    if not identifier.fits(found):
        return None, f"{path.name} was learned for another network: enrol the coins again; until then it is not used."
    return found, f"This table's own coins are known: {found.coins} sides were shown."
