"""What a lesson may leave out: the card's aspect ratio, from its corners, and neighbours, from where the spaces lie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]  # (N, 2)

_USUAL_FOCAL = 0.8  # focal length of a phone's main camera, in long sides of its picture
_CLEAR = 1.01  # radii; a place on the circle counts as inside it, so that a grid gets no diagonals
_FOCALS = (0.5, 4.0)  # outside this range the corners were tapped too roughly: _USUAL_FOCAL is used


def in_order(corners_px: ArrayLike) -> Points:
    """Four corners tapped in any order, sorted clockwise from the top left one; (4, 2)."""
    corners = np.reshape(np.asarray(corners_px, float), (4, 2))
    away = corners - corners.mean(axis=0)
    clockwise = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.roll(clockwise, -int(clockwise.sum(axis=1).argmin()), axis=0)


def aspect(corners_px: ArrayLike, size_px: tuple[int, int]) -> float:
    """Width over height of a rectangle whose corners (sorted by `in_order`) an ordinary camera shows at `corners_px`.

    Zhang and He, Whiteboard scanning and image enhancement, 2007, section 3: two sides at a right angle give the focal
    length, and with it the ratio of their lengths. Seen from straight above the focal length does not matter.
    """
    width, height = size_px
    points = np.reshape(np.asarray(corners_px, float), (4, 2)) - ((width - 1) / 2, (height - 1) / 2)
    top_left, top_right, bottom_right, bottom_left = np.column_stack([points / max(size_px), np.ones(4)])
    diagonal = np.cross(top_left, bottom_right)
    across = diagonal @ bottom_left / (np.cross(top_right, bottom_right) @ bottom_left) * top_right - top_left
    down = diagonal @ top_right / (np.cross(bottom_left, bottom_right) @ top_right) * bottom_left - top_left
    depth = across[2] * down[2]
    focal2 = -(across[:2] @ down[:2]) / depth if abs(depth) > 1e-6 else -1.0
    if not _FOCALS[0] ** 2 <= focal2 <= _FOCALS[1] ** 2:
        focal2 = _USUAL_FOCAL**2
    weight = np.array((1 / focal2, 1 / focal2, 1.0))
    return float(np.sqrt((weight * across**2).sum() / (weight * down**2).sum()))


def neighbours(places: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Pairs (i < j) of places with no third place in the circle whose diameter they span.

    The Gabriel graph (Gabriel and Sokal, A new statistical approach to geographic variation analysis, 1969): near
    places are joined, no two joins cross, and every place can be reached.
    """
    points = np.reshape(np.asarray(places, float), (-1, 2))
    found = []
    for i, j in combinations(range(len(points)), 2):
        middle, reach = (points[i] + points[j]) / 2, np.linalg.norm(points[i] - points[j]) / 2
        far = np.linalg.norm(np.delete(points, (i, j), axis=0) - middle, axis=1)
        if (far > _CLEAR * reach).all():
            found.append((i, j))
    return found
