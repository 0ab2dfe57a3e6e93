"""A slow line: a proxy before a broker that lets everything wait until the test lets it through."""

from __future__ import annotations

import queue
import socket
import threading

_PIECE = 4096  # bytes


class SlowLine:
    """What goes through waits, in both directions, while `is_open` is not set. `port` is where to connect."""

    def __init__(self, port: int) -> None:
        """`port`: the broker's."""
        self._broker = port
        self.is_open = threading.Event()
        self.is_open.set()
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._ears.getsockname()[1]
        self._lines: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> SlowLine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.is_open.set()
        for line in (self._ears, *self._lines):
            line.close()

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._ears.accept()
                other = socket.create_connection(("127.0.0.1", self._broker))
            except OSError:
                return
            self._lines += [one, other]
            self._carry(one, other)
            self._carry(other, one)

    def _carry(self, source: socket.socket, goal: socket.socket) -> None:
        under_way: queue.SimpleQueue[bytes] = queue.SimpleQueue()

        def take() -> None:
            piece = b"."
            while piece:
                try:
                    piece = source.recv(_PIECE)
                except OSError:
                    piece = b""
                under_way.put(piece)

        def give() -> None:
            while True:
                piece = under_way.get()
                self.is_open.wait()
                try:
                    goal.sendall(piece) if piece else goal.shutdown(socket.SHUT_WR)
                except OSError:
                    return
                if not piece:
                    return

        for work in (take, give):
            threading.Thread(target=work, daemon=True).start()
