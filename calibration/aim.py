"""Sharpness and exposure of a picture, measured a few times a second while people focus and move the lamp."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.overlay import RED_BGR, tint
from calibration.step import Outcome, Sight
from calibration.words import say
from tablecoin.vision.frame import Image

SHARP_PX = 4.0  # widest edge with which the relief still tells heads from tails
DARK, CLIPPED = 90.0, 253  # grey levels between which the paper should lie
MOST_CLIPPED = 0.10  # largest share of the picture that may be overexposed
GLARE_SHARE = 0.002  # smallest share of the picture that counts as the reflection of a lamp
_EDGE_LEVELS = 40  # smallest contrast of an edge that is measured, in grey levels
_REACH_PX = 15  # widest edge that can be measured
_LONGEST_PX = 1600  # larger pictures are scaled down to this before edges are measured

# What to do about a blurred picture: a lens that a motor moves, or that nothing moves, cannot be turned.
_REFOCUS = {"by hand": "aim.blur.do", "motor": "aim.blur.motor.do", "unknown": "aim.blur.unknown.do"}


@dataclass(frozen=True)
class Aim:
    """Measurements of one picture. `edge_px`: the median width of edges; None where there is none."""

    edge_px: float | None
    white: float  # the grey level of the paper: the 90th percentile of the picture
    clipped: float  # overexposed share of the picture
    glare: NDArray[np.bool_] | None  # (H, W) where a lamp is reflected; None: nowhere


def measure(image: Image) -> Aim:
    """Sharpness and exposure of a picture.

    An edge's width is its contrast divided by its steepest slope: for a step blurred by a Gaussian that is
    sqrt(2 pi) sigma. The median over all strong edges ignores a few soft things.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    white = float(np.percentile(grey[::4, ::4], 90))
    over = grey >= CLIPPED
    return Aim(_edge_width_px(grey), white, float(over.mean()), _glare(over, grey))


class AimStep:
    """The first step; its measurements are also shown live beside the picture."""

    name, pictures, optional = "aim", 1, False

    def run(self, sight: Sight) -> Outcome:
        image = sight.frame.image
        aim = measure(image)
        figures = {"white": round(aim.white), "clipped_percent": round(100 * aim.clipped, 1)}
        if aim.edge_px is not None:
            figures["edge_px"] = round(aim.edge_px, 2)
        fault = _fault(aim)
        picture = image if aim.glare is None else tint(image, aim.glare, RED_BGR)
        if fault is None:
            return Outcome(True, say("aim.ok"), picture, figures=figures)
        facts = {"edge_px": aim.edge_px or 0.0, "white": aim.white, "clipped": 100 * aim.clipped, "limit_px": SHARP_PX}
        todo = _REFOCUS[sight.focusing] if fault == "aim.blur" else f"{fault}.do"
        return Outcome(False, say(fault, **facts), picture, say(todo, **facts), figures)


def _fault(aim: Aim) -> str | None:
    """The first thing to correct: light, then reflections, then focus, because each hides what comes after it."""
    if aim.white < DARK:
        return "aim.dark"
    if aim.clipped > MOST_CLIPPED:
        return "aim.bright"
    if aim.glare is not None:
        return "aim.glare"
    if aim.edge_px is None:
        return "aim.flat"
    return "aim.blur" if aim.edge_px > SHARP_PX else None


def _edge_width_px(grey: NDArray[np.uint8]) -> float | None:
    """The median width of strong edges, in pixels of a picture at most `_LONGEST_PX` long; None: too few edges."""
    if max(grey.shape) > _LONGEST_PX:
        shrink = _LONGEST_PX / max(grey.shape)
        grey = np.asarray(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, dx, dy, ksize=3) / 8 for dx, dy in ((1, 0), (0, 1)))
    slope = np.hypot(across, down)
    around = np.ones((_REACH_PX, _REACH_PX), np.uint8)
    contrast = cv2.dilate(soft, around).astype(np.float32) - cv2.erode(soft, around).astype(np.float32)
    summit = slope >= cv2.dilate(slope, np.ones((5, 5), np.uint8)) - 1e-6
    edges = summit & (contrast > _EDGE_LEVELS) & (slope > contrast / _REACH_PX)
    if edges.sum() < 200:
        return None
    return float(np.median(contrast[edges] / slope[edges]))


def _glare(over: NDArray[np.bool_], grey: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
    """(H, W) patches that are overexposed and larger than GLARE_SHARE of the picture; None: no such patch."""
    patches = cv2.morphologyEx(over.astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(patches)
    large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > GLARE_SHARE * grey.size]
    return np.isin(labels, large) if large else None
