"""A slow line: a proxy before a broker that lets everything wait."""

from __future__ import annotations

import queue
import socket
import threading
import time

_PIECE = 4096  # bytes


class SlowLine:
    """Everything that goes through comes `delay_s` later, in both directions. `port` is where to connect."""

    def __init__(self, port: int, delay_s: float) -> None:
        """`port`: the broker's."""
        self._broker, self._delay_s = port, delay_s
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._ears.getsockname()[1]
        self._lines: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> SlowLine:
        return self

    def __exit__(self, *raised: object) -> None:
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
        under_way: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

        def take() -> None:
            piece = b"."
            while piece:
                try:
                    piece = source.recv(_PIECE)
                except OSError:
                    piece = b""
                under_way.put((time.monotonic() + self._delay_s, piece))

        def give() -> None:
            while True:
                due_s, piece = under_way.get()
                time.sleep(max(0.0, due_s - time.monotonic()))
                try:
                    goal.sendall(piece) if piece else goal.shutdown(socket.SHUT_WR)
                except OSError:
                    return
                if not piece:
                    return

        for work in (take, give):
            threading.Thread(target=work, daemon=True).start()
