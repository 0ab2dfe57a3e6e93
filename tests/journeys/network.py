"""The network between phones and a table: it lends them an address, and it can break down and come back."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Network:
    """Carries connections to the table at `port` of this machine. They reach it from the address `source`."""

    def __init__(self, port: int, source: str, at: int = 0) -> None:
        """`at`: the port that the phones know; 0: any free one."""
        self._port, self._source, self._at = port, source, at
        self._carried: set[socket.socket] = set()
        self._flows = threading.Event()
        self._flows.set()
        self.restore()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._at}/"

    def restore(self) -> None:
        """Take connections, at the same address as before."""
        self._door = socket.create_server(("127.0.0.1", self._at))
        self._at = self._door.getsockname()[1]
        threading.Thread(target=self._carry, args=[self._door], daemon=True).start()

    def fall_silent(self) -> None:
        """Carry nothing, but keep every connection, until `speak`."""
        self._flows.clear()

    def speak(self) -> None:
        """Carry what was sent meanwhile, and everything from now on."""
        self._flows.set()

    def close(self) -> None:
        """End every connection, and take none any more."""
        self._flows.set()
        for each in (self._door, *self._carried):
            with suppress(OSError):  # it ended by itself
                each.shutdown(socket.SHUT_RDWR)  # wakes `accept` and `recv`
        self._door.close()

    def _carry(self, door: socket.socket) -> None:
        with suppress(OSError):  # the door was closed
            while True:
                phone, _ = door.accept()
                threading.Thread(target=self._connect, args=[phone], daemon=True).start()

    def _connect(self, phone: socket.socket) -> None:
        with phone, socket.socket() as table, suppress(OSError):  # the table may not be there just now
            table.bind((self._source, 0))
            table.connect(("127.0.0.1", self._port))
            self._carried |= {phone, table}
            back = threading.Thread(target=self._copy, args=[table, phone], daemon=True)
            back.start()
            self._copy(phone, table)
            back.join()
        self._carried -= {phone, table}

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._flows.wait()
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
