"""Switches for what can go wrong with a camera over a table."""

from __future__ import annotations

import msgspec


class Faults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All are off by default. Each changes only the picture or the camera's answers."""

    camera_bumped: bool = False  # the camera is moved by 9 mm and turned by 1.2 degrees
    marker_lost: bool = False  # a slip of paper lies over the mat's first marker
    markers_covered: bool = False  # slips of paper lie over all the mat's markers but two
    dim_light: bool = False  # a quarter of the light, more noise
    foreign_coin: bool = False  # a coin that is not a US one lies on the mat
    coin_leaning: bool = False  # the coin set down last leans on its neighbour, so that it appears as an ellipse
    camera_frozen: bool = False  # no new picture comes: reading times out
    frame_dropped: bool = False  # every second picture is lost
    glare: bool = False  # a lamp is reflected in the middle of the mat
    blur: bool = False  # the lens is out of focus


PEACE = Faults()
