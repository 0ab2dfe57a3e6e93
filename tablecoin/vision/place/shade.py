"""The shade of grey in which coins and the drawing of a mat are compared."""

from __future__ import annotations

import cv2
import numpy as np

from tablecoin.vision.frame import Grey, Image


def shaded(image: Image) -> Grey:
    """`image` in grey: blue counts 0.30, green 0.59 and red 0.11, the weights of brightness with red and blue swapped.

    Copper and brass differ from white paper mostly in blue. A shiny yellow penny may be as bright as the paper.
    """
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)  # it takes blue for red
