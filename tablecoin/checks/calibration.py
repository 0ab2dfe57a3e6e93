"""The calibration: is there one, for this camera and picture size, with a measured pass and usable enrolled coins?"""

from __future__ import annotations

from pathlib import Path

from tablecoin.checks.finding import Finding, found
from tablecoin.panel.panel import FULL
from tablecoin.rules.rulebook import Message
from tablecoin.vision.calibrated import Calibration, is_there, load
from tablecoin.vision.coins.enrolled import own_coins
from tablecoin.vision.coins.network import Identifier


def calibration(
    file: Path,
    camera: str | None = None,
    size_px: tuple[int, int] | None = None,
    *,
    ring_light: float | None = None,
    needed: bool = True,
) -> Finding:
    """One line about the calibration file.

    `camera` and `size_px`: of the camera that answered, if any. `ring_light`: what tablecoin.toml sets it to; None:
    nothing. Without `needed` a missing calibration is fine.
    """
    if not is_there(file):
        if not needed:
            return found("calibration", "ok", "calibration.virtual")
        return found("calibration", "warn", "calibration.none", "calibration.do")
    known, told = load(file, camera)
    if known is None:
        return Finding("calibration", "warn", told, Message("check.calibration.do"))
    summary = known.summary
    if size_px is not None and known.size_px != size_px:
        then, now = ("×".join(map(str, size)) for size in (known.size_px, size_px))
        return found("calibration", "warn", "calibration.size", "calibration.do", summary=summary, then=then, now=now)
    if ring_light is not None and known.ring_light not in (None, ring_light):
        then, now = (f"{100 * level:.0f}" for level in (known.ring_light or FULL, ring_light))
        return found(
            "calibration", "warn", "calibration.ring", "calibration.ring.do", summary=summary, then=then, now=now
        )
    return _passed(known, file)


def _passed(known: Calibration, file: Path) -> Finding:
    """A calibration that is of this camera: are its coins usable, and was the last pass a good one?"""
    coins, coins_said = own_coins(known, file.parent, Identifier())
    said = Message("check.calibration.known", {"summary": known.summary})
    if known.sizes:
        said = Message("check.calibration.sizes", {"summary": known.summary, "coins": len(known.sizes)})
    with_coins = Message("check.calibration.coins", {"known": said, "coins": coins_said}) if coins_said else said
    if coins is None and coins_said:
        return Finding(
            "calibration", "warn", with_coins, Message("check.calibration.coins.do", {"folder": str(file.parent)})
        )
    if not known.passes:
        return Finding("calibration", "warn", said, Message("check.calibration.pass.do"))
    if not known.passes[-1].passed:
        return Finding("calibration", "warn", said, Message("check.calibration.again.do"))
    return Finding("calibration", "ok", with_coins)
