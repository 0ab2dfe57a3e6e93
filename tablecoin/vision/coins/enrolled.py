"""The coins enrolled for a table, found beside its calibration."""

from __future__ import annotations

from pathlib import Path

from tablecoin.rules.rulebook import Message
from tablecoin.vision.calibrated import Calibration
from tablecoin.vision.coins.enrolment import Enrolment, EnrolmentError
from tablecoin.vision.coins.network import Identifier


def own_coins(
    calibration: Calibration | None, folder: Path, identifier: Identifier
) -> tuple[Enrolment | None, Message | None]:
    """The coins enrolled for the table whose calibration lies in `folder`, and a sentence about them.

    (None, why) where `identifier` cannot use them; (None, None) where none were enrolled. Never raises.
    """
    if calibration is None or calibration.coins is None:
        return None, None
    path = folder / calibration.coins
    try:
        found = Enrolment.load(path)
    except EnrolmentError as error:
        return None, Message("enrolled.unused", {"why": error.message})
    if not identifier.fits(found):
        return None, Message("enrolled.network", {"file": path.name})
    return found, Message("enrolled.known", {"count": found.coins})
