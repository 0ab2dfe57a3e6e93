"""From a photo and a lesson to a playable map: the card is set upright, found again as a test, and saved."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.teach import guess
from calibration.teach.lesson import MOST_SPACES, Lesson, Pixel, TeachError, map_file, read_lesson, smaller
from tablecoin.mat import Mat, MatError
from tablecoin.mat.coin_age import parse
from tablecoin.rules.coin_age import maps
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable, mapfiles
from tablecoin.storage.documents import DocumentError, read_json
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.picture import Decoded
from tablecoin.vision.cameras.sent import decode_sent
from tablecoin.vision.frame import Image
from tablecoin.vision.place import taught

PICTURE_PX = 1400  # long side of the card's upright picture
_COVER_MM = 12.5  # radius of the discs that cover every space in the test whether the card is found again
_PROOFS = ((25.0, 60.0), (25.0, 240.0))  # tilt and direction of the camera in that test, in degrees
_FOUND_MM = 3.0  # largest error of a space's place in that test


class Taught(msgspec.Struct, frozen=True):
    """The result of a lesson: where the map was saved, and how many feature points its card has."""

    map: str
    path: str
    spaces: int
    points: int


class Teacher:
    """Teaches maps into `folder`, which is created with the first map."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def teach(self, photo: bytes, lesson: bytes) -> dict[str, Any]:
        """Teach from the bytes of a photo and of a lesson in JSON. Returns the fields of Taught. Raises TeachError."""
        picture, shrunk = _decoded(photo)
        told = smaller(read_lesson(lesson, "json"), shrunk)
        learnt: dict[str, Any] = msgspec.to_builtins(teach(picture, told, self._folder))
        return learnt | {"path": Path(learnt["path"]).name}

    def guess(self, body: bytes) -> dict[str, Any]:
        """{"size_px", "corners_px", "spaces_px"} -> {"aspect", "neighbours": pairs of spaces}. Raises TeachError."""
        try:
            raw = read_json(body)
            tapped = msgspec.convert(raw, _Tapped)
        except DocumentError as error:
            raise TeachError("json", why=error) from None
        except msgspec.ValidationError as error:
            raise TeachError("tapped", why=plain(error, raw, _Tapped)) from None
        corners = _corners(tapped.corners_px)
        with np.errstate(divide="ignore", invalid="ignore"):  # corners of which three lie in line
            shape = guess.aspect(corners, tapped.size_px)
        if not 0 < shape < math.inf:
            raise TeachError("corners")
        flat = _through(_upright(corners, shape, 1.0), tapped.spaces_px)
        return {"aspect": round(shape, 3), "neighbours": guess.neighbours(flat)}


Side = Annotated[int, msgspec.Meta(ge=1, le=100_000)]  # of a photo, in pixels


class _Tapped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size_px: tuple[Side, Side]
    corners_px: tuple[tuple[Pixel, Pixel], ...]
    spaces_px: Annotated[tuple[tuple[Pixel, Pixel], ...], msgspec.Meta(max_length=MOST_SPACES)] = ()


STAGES = 2 + len(_PROOFS)


def teach(photo: Image, lesson: Lesson, folder: Path, begin: Callable[[str], None] = lambda stage: None) -> Taught:
    """Save the map of `lesson` and the picture of its card in `folder`. Raises TeachError; then nothing is changed.

    `begin` is told each of STAGES stages as it begins.
    """
    if lesson.name in (*mapfiles.shipped(), maps.RANDOM):
        raise TeachError("shipped", name=lesson.name)
    corners, (width, height) = _corners(lesson.corners_px), lesson.size_mm
    to_card = _upright(corners, width, height)
    text = map_file(lesson, _through(to_card, [space.at_px for space in lesson.spaces]), f"{lesson.name}.png")
    try:
        board = maps.parse(text, lesson.name)
        plan = parse(text, lesson.name)
    except (maps.MapError, MatError) as error:
        raise TeachError("map", why=error) from None
    begin("setting the card upright")
    picture = _picture(photo, to_card, lesson.size_mm)
    begin("learning its features")
    points = _prove(plan, board, picture, begin)
    _save(folder, lesson.name, text, picture)
    return Taught(lesson.name, str(folder / f"{lesson.name}.toml"), len(board.spaces), points)


def _decoded(photo: bytes) -> Decoded:
    try:
        return decode_sent(photo, Message("picture.photo"))
    except CameraError as error:
        raise TeachError("photo", why=error) from None


def _corners(corners_px: tuple[tuple[float, float], ...]) -> guess.Points:
    if len(corners_px) != 4:
        raise TeachError("four_corners")
    corners = guess.in_order(corners_px)
    if cv2.contourArea(corners.astype(np.float32)) < 2500 or not cv2.isContourConvex(corners.astype(np.float32)):
        raise TeachError("corners")
    return corners


def _upright(corners: guess.Points, width: float, height: float) -> NDArray[np.float64]:
    """(3, 3): pixels of the photo to places on the card."""
    card = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), card), float)


def _through(matrix: NDArray[np.float64], pixels: object) -> list[tuple[float, float]]:
    points = np.reshape(np.asarray(pixels, float), (-1, 1, 2))
    if not len(points):
        return []
    return [(float(x), float(y)) for x, y in np.reshape(cv2.perspectiveTransform(points, matrix), (-1, 2))]


def _picture(photo: Image, to_card: NDArray[np.float64], size_mm: tuple[float, float]) -> Image:
    """The card from straight above, filling the picture; (H, W, 3) uint8 BGR."""
    scale = PICTURE_PX / max(size_mm)
    width, height = (round(side * scale) for side in size_mm)
    # Pixel centres have whole coordinates in a picture, but lie half a pixel inside the card's edge.
    grid = np.array(((scale, 0, -0.5), (0, scale, -0.5), (0, 0, 1)))
    return np.asarray(cv2.warpPerspective(photo, grid @ to_card, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


def _prove(plan: Mat, board: maps.Map, picture: Image, begin: Callable[[str], None]) -> int:
    """Test that the card is found at an angle with a coin on every space; returns the number of its feature points.

    Raises TeachError where it is not found.
    """
    assert plan.card is not None
    area = plan.card.area
    known = taught.portray(plan, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    scale = picture.shape[1] / area.width_mm
    covered = picture.copy()
    places = np.array([(area.x_mm + x, area.y_mm + y) for x, y in (space.at_mm for space in board.spaces)])
    for x, y in (places - (area.x_mm, area.y_mm)) * scale:
        cv2.circle(covered, (round(x), round(y)), round(_COVER_MM * scale), (150, 155, 160), -1, cv2.LINE_AA)
    to_mat = np.array(((1 / scale, 0, area.x_mm), (0, 1 / scale, area.y_mm), (0, 0, 1)))
    for number, (tilt, towards) in enumerate(_PROOFS, 1):
        begin(f"finding it again at an angle, {number} of {len(_PROOFS)}")
        view = View.over(
            plan, size_px=(1456, 1088), distance_mm=1.5 * plan.width_mm, tilt_deg=tilt, towards_deg=towards
        )
        seen = cv2.warpPerspective(covered, view.to_camera @ to_mat, view.size_px, borderValue=(70, 90, 110))
        plane = taught.find_card(np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), np.uint8), [known])
        if plane is None or np.linalg.norm(plane.to_mm(view.to_px(places)) - places, axis=1).max() > _FOUND_MM:
            raise TeachError("plain_card")
    return len(known.features.places)


def _save(folder: Path, name: str, text: str, picture: Image) -> None:
    """Save the picture first, so that no map ever lacks its picture. Each file appears whole or not at all."""
    try:
        _, encoded = cv2.imencode(".png", picture)
        durable.replace(folder / f"{name}.png", encoded.tobytes())
        durable.replace(folder / f"{name}.toml", text.encode())
    except OSError as error:
        raise TeachError("not_saved", folder=folder, why=error.strerror) from None
    mapfiles.look_also_in(folder)
    maps.load.cache_clear()
