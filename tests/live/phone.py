"""`python -m tests.live.phone PORT`: a phone over the virtual table, as a program of its own.

It sends an MJPEG stream to whoever asks for /video, and lays the coins that somebody PUTs to /table.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2

from tablecoin import mat as mats
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable

FPS = 10.0
QUALITY = 90  # of the JPEGs, as phones send them

table = VirtualTable(mats.load("two-row"))


class Calls(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        camera = VirtualCamera(table, fps=FPS)
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while True:
                _, jpeg = cv2.imencode(".jpg", camera.read(1.0).image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg.tobytes() + b"\r\n")
        except OSError:
            return  # the reader hung up

    def do_PUT(self) -> None:
        table.put_json(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Calls)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()
