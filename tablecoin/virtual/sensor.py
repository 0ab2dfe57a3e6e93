"""What a real camera does to a picture, frame by frame: noise, bands of a lamp, a stand that moves, compression.

Noise as measured from a real webcam: 1.2 to 1.9 grey levels at every brightness, correlated by 0.6, 0.3 and 0.12 at
one, two and four pixels (its own noise reduction smears it), so far more of it is left in a small copy than of white
noise.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Image

WEBCAM_NOISE = 1.6  # standard deviation in grey levels, the middle of what was measured
_SHIFTS_PX = 64  # one field of noise, shifted at random by less than this in each picture


class Grain:
    """Correlated noise of a webcam, new in each picture."""

    def __init__(self, size_px: tuple[int, int], levels: float, seed: int = 0) -> None:
        """`levels`: its standard deviation, in grey levels."""
        self._chance = np.random.default_rng(seed)
        self._size = size_px
        width, height = (side + _SHIFTS_PX for side in size_px)
        self._field = np.asarray(np.round(levels * correlated((height, width, 3), self._chance)), np.int16)

    def on(self, image: Image) -> Image:
        """The picture with new noise."""
        width, height = self._size
        top, left = self._chance.integers(0, _SHIFTS_PX, 2)
        return np.asarray(
            cv2.add(image, self._field[top : top + height, left : left + width], dtype=cv2.CV_8U), np.uint8
        )


def correlated(shape: tuple[int, int, int], chance: np.random.Generator) -> NDArray[np.float32]:
    """Gaussian noise of standard deviation 1, correlated by 0.6, 0.3 and 0.12 at 1, 2 and 4 pixels across and down.

    Two white fields, one smoothed by a narrow and one by a wide Gaussian: a correlation that falls fast at first and
    has a long tail, as measured.
    """
    fields = []
    for sigma_px, share in ((0.62, 0.68), (2.1, 0.32)):
        field = np.asarray(cv2.GaussianBlur(chance.standard_normal(shape, np.float32), (0, 0), sigma_px), np.float32)
        fields.append(np.sqrt(np.float32(share)) * field / field.std())
    return np.asarray(fields[0] + fields[1], np.float32)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp on the mains, as a camera with a rolling shutter sees it: bands that run down the picture.

    Its light swings by 1 + depth · cos(2π · hz · t). A row exposed for `exposure_s` gets the mean over that time, in
    which the swing is smaller by |sin(π · hz · exposure) / (π · hz · exposure)|.
    """

    hz: float = 100.0  # swings a second: twice the frequency of the mains
    depth: float = 0.3  # of its swing, 0 to 1: about 0.1 for a filament, 0.3 for a tube, 1 for a bad LED
    exposure_s: float = 1 / 120
    readout_s: float = 1 / 30  # from the first row to the last

    def on(self, image: Image, at_s: float) -> Image:
        """The picture whose first row was read at `at_s`."""
        rows_s = at_s + self.readout_s * np.arange(len(image)) / len(image)
        swing = self.depth * float(np.sinc(self.hz * self.exposure_s))  # numpy's sinc has the factor π in it
        gain = (1 + swing * np.cos(2 * np.pi * self.hz * rows_s)).astype(np.float32)
        return np.asarray(np.clip(image * gain[:, None, None] + 0.5, 0, 255), np.uint8)


def shifted(image: Image, right_px: float, down_px: float) -> Image:
    """The picture of a camera that has moved a little: what it shows lies further to the right and down."""
    move = np.array([[1, 0, right_px], [0, 1, down_px]], np.float32)
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpAffine(image, move, size, None, cv2.INTER_LANCZOS4, cv2.BORDER_REPLICATE), np.uint8)


def swaying(image: Image, at_s: float, by_px: float) -> Image:
    """The picture of a camera on an arm that swings by `by_px` to each side, 1.9 times a second, and a little down."""
    across, down = math.sin(2 * math.pi * 1.9 * at_s), math.cos(2 * math.pi * 1.3 * at_s)
    return shifted(image, by_px * across, 0.7 * by_px * down)


def knocked(image: Image, since_s: float, by_px: float) -> Image:
    """The picture `since_s` after a knock against the table: an arm of 7 Hz, at rest again within half a second."""
    if since_s < 0:
        return image
    swing = by_px * math.exp(-since_s / 0.12)
    return shifted(
        image, swing * math.cos(2 * math.pi * 7 * since_s), 0.5 * swing * math.sin(2 * math.pi * 7 * since_s)
    )


def jpeg(image: Image, quality: int) -> Image:
    """The picture after a webcam's MJPEG at this quality, 1 to 100."""
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def video(images: Sequence[Image], codec: str, fps: float) -> list[Image]:
    """The pictures after one film of them was encoded and decoded: `codec` is a four-letter name of ffmpeg's.

    Frames are predicted from those before them, so an error stays until the next whole frame repairs it with a small
    jump. Raises VideoError where OpenCV has no such encoder.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "film.mp4")
        height, width = images[0].shape[:2]
        writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*codec), fps, (width, height))
        if not writer.isOpened():
            raise VideoError(f"OpenCV has no encoder {codec} here.")
        for image in images:
            writer.write(image)
        writer.release()
        film = cv2.VideoCapture(path)
        decoded: list[Image] = []
        while (read := film.read())[0]:
            decoded.append(np.asarray(read[1], np.uint8))
        film.release()
    if len(decoded) != len(images):
        raise VideoError(f"{len(images)} pictures were encoded as {codec}, and {len(decoded)} decoded.")
    return decoded


class VideoError(RuntimeError):
    """A film could not be encoded or decoded here."""
