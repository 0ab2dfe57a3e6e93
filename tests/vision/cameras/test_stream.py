"""A network camera, from a small MJPEG server: its pictures, its faults, and that it is found again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import cv2
import numpy as np
import pytest

from tablecoin.vision.cameras import stream
from tablecoin.vision.cameras.camera import Camera, CameraError
from tablecoin.vision.cameras.opening import open_camera
from tablecoin.vision.cameras.reconnecting import Reconnecting


class Phone(ThreadingHTTPServer):
    """A phone with a camera app: it sends a grey picture every `each_s`, until it is told to stall or stop."""

    daemon_threads = True
    shade = 90
    each_s = 0.02
    size = 240, 320  # rows and columns
    damaged = False  # whether every second picture lacks a piece in the middle

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Pictures)
        self.stalled, self.stopped = threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, args=[0.05], daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://user:secret@127.0.0.1:{self.server_port}/video"

    def stop(self) -> None:
        self.stopped.set()
        self.shutdown()
        self.server_close()


class Pictures(BaseHTTPRequestHandler):
    server: Phone

    def do_GET(self) -> None:
        if "Authorization" not in self.headers:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for number in count():
                if self.server.stopped.wait(self.server.each_s):
                    break
                if not self.server.stalled.is_set():
                    jpeg = self._jpeg(number)
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(head.encode() + jpeg + b"\r\n")
        except OSError:
            return  # the reader hung up

    def _jpeg(self, number: int) -> bytes:
        plain = np.full((*self.server.size, 3), self.server.shade, np.uint8)
        whole = cv2.imencode(".jpg", plain)[1].tobytes()
        if not self.server.damaged or number % 2:
            return whole
        return whole[: -len(whole) // 4] + whole[-len(whole) // 8 :]

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    monkeypatch.setattr(stream, "_READ_S", 0.6)
    phone = Phone()
    yield phone
    phone.stop()


def read_on(camera: Camera) -> None:
    """Read what is still on its way, until no more comes."""
    for _ in range(50):
        camera.read(0.5)


def test_pictures_come_and_the_newest_is_read(phone: Phone) -> None:
    camera = open_camera(phone.url)
    first = camera.read(2.0)
    assert first.image.shape == (240, 320, 3)
    assert abs(int(first.image[0, 0, 0]) - 90) <= 3
    phone.shade = 200
    for _ in range(8):
        newest = camera.read(2.0)
    assert abs(int(newest.image[0, 0, 0]) - 200) <= 3
    assert newest.number == first.number + 8
    camera.close()


def test_a_slow_camera_is_read(phone: Phone) -> None:
    """A small camera board sends a picture or two a second: each takes longer than its reader would wait for others."""
    phone.each_s = 0.2
    camera = open_camera(phone.url)
    assert [camera.read(0.1).number for _ in range(3)] == [2, 3, 4]
    camera.close()


def test_a_phone_that_is_turned_sends_pictures_of_another_shape(phone: Phone) -> None:
    camera = open_camera(phone.url)
    assert camera.read(2.0).image.shape == (240, 320, 3)
    phone.size = 320, 240
    for _ in range(8):
        newest = camera.read(2.0)
    assert newest.image.shape == (320, 240, 3)
    camera.close()


def test_a_damaged_picture_is_left_out(phone: Phone) -> None:
    """FFmpeg would invent the rest of it: the table then seems to stir, and the lamp to flicker."""
    phone.damaged = True
    camera = open_camera(phone.url)
    pictures = [camera.read(2.0).image for _ in range(8)]
    camera.close()
    assert max(int(np.ptp(image)) for image in pictures) <= 3


def test_the_password_in_the_address_is_in_no_name(phone: Phone) -> None:
    camera = open_camera(phone.url)
    assert camera.name == "network camera 127.0.0.1"
    camera.close()


def test_nobody_at_the_address_is_one_sentence(phone: Phone) -> None:
    phone.stop()
    with pytest.raises(CameraError, match=r"The network camera 127\.0\.0\.1 does not answer: start the camera app"):
        open_camera(phone.url)


def test_a_camera_that_wants_a_password_is_one_sentence(phone: Phone) -> None:
    with pytest.raises(CameraError, match="check the address and the password in it"):
        open_camera(phone.url.replace("user:secret@", ""))


def test_a_stream_that_stalls_is_one_sentence(phone: Phone) -> None:
    camera = open_camera(phone.url)
    phone.stalled.set()
    with pytest.raises(CameraError, match=r"sent no picture|stopped sending pictures"):
        read_on(camera)
    camera.close()


def test_a_stream_that_breaks_off_is_taken_up_again(phone: Phone) -> None:
    camera = Reconnecting(lambda: open_camera(phone.url), pause_s=0.05)
    assert camera.read(5.0).number == 1
    phone.stop()
    with pytest.raises(CameraError, match=r"stopped sending|does not answer"):
        read_on(camera)
    again = Phone(phone.server_port)
    numbers = []
    for _ in range(100):
        try:
            numbers.append(camera.read(1.0).number)
            break
        except CameraError:
            continue
    again.stop()
    camera.close()
    assert numbers, "it was not found again"
    assert numbers[0] > 1, "its frames are numbered on"
