"""What can go wrong with a camera over a table, each by a switch: the virtual table breaks like a real one."""

from __future__ import annotations

import msgspec


class Faults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All off in peace. Each shows in the picture or in how the camera answers, nowhere else."""

    camera_bumped: bool = False  # the camera stands 9 mm aside and turned by 1.2 degrees
    marker_lost: bool = False  # a slip of paper lies over the mat's first marker
    markers_covered: bool = False  # slips of paper lie over all the mat's markers but two
    dim_light: bool = False  # a quarter of the light, more noise
    foreign_coin: bool = False  # a coin that is not a US one lies on the mat
    coin_leaning: bool = False  # the coin set down last leans on its neighbour: seen squashed
    camera_frozen: bool = False  # no new picture comes: reading runs into its time limit
    frame_dropped: bool = False  # every second picture is lost on its way
    glare: bool = False  # a lamp is mirrored in the middle of the mat
    blur: bool = False  # the lens is out of focus


PEACE = Faults()
