"""Clients that mean no good, each a coroutine that begins again whenever it is cut or refused."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from struct import pack

_AGAIN_S = 1.0  # after which a client that was cut comes back
_TRICKLED = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + b"x" * 4000
Attacker = Callable[[str, int], Coroutine[None, None, None]]  # from an address, at a port


@dataclass(frozen=True)
class Attack:
    """How many of each kind attack at once."""

    tricklers: int = 200  # send a head, one byte a second
    streams: int = 100  # open the stream and read what comes
    stalled: int = 20  # ask for pictures and do not read them
    aims: int = 0  # ask for the wizard's look again and again
    flips: int = 0  # ask for every toss again and again
    bombs: int = 0  # send pictures of 120 million pixels to be scored


def attackers(attack: Attack, addresses: Sequence[str], port: int) -> list[Coroutine[None, None, None]]:
    """All of them, shared out among the addresses."""
    kinds = [
        *[_trickle] * attack.tricklers,
        *[_watch] * attack.streams,
        *[_stall] * attack.stalled,
        *[_aim] * attack.aims,
        *[_flips] * attack.flips,
        *[_bomb] * attack.bombs,
    ]
    return [_forever(kind, address, port) for kind, address in zip(kinds, cycle(addresses), strict=False)]


async def connect(address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def _forever(kind: Attacker, address: str, port: int) -> None:
    while True:
        with suppress(OSError):
            await kind(address, port)
        await asyncio.sleep(_AGAIN_S)


async def _trickle(address: str, port: int) -> None:
    _, writer = await connect(address, port)
    try:
        for byte in _TRICKLED:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(1.0)
    finally:
        writer.transport.abort()


async def _watch(address: str, port: int) -> None:
    reader, writer = await connect(address, port)
    try:
        writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while await reader.read(65536):
            pass
    finally:
        writer.transport.abort()


async def _stall(address: str, port: int) -> None:
    _, writer = await connect(address, port)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    try:
        writer.write(b"GET /frame.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)  # some 8 MB
        for _ in range(60):
            await asyncio.sleep(1.0)
            if writer.transport.is_closing():
                return
    finally:
        writer.transport.abort()


async def _aim(address: str, port: int) -> None:
    await _asked(address, port, b"GET /api/calibrate/aim HTTP/1.1\r\n")


async def _flips(address: str, port: int) -> None:
    await _asked(address, port, b"GET /api/flips HTTP/1.1\r\n")


async def _bomb(address: str, port: int) -> None:
    await _asked(address, port, *form(picture_bomb()))


def form(picture: bytes) -> tuple[bytes, bytes]:
    """Head and body of a call that sends a picture to be scored."""
    part = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'
    body = part + picture + b"\r\n--b--\r\n"
    head = b"POST /api/score HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n"
    return head % len(body), body


async def _asked(address: str, port: int, head: bytes, body: bytes = b"") -> None:
    reader, writer = await connect(address, port)
    try:
        await asked(reader, writer, head, body)
    finally:
        writer.transport.abort()


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes, body: bytes = b"") -> bytes:
    """Make one call and read its answer to the end; the first line of the answer."""
    writer.write(head + b"Host: localhost\r\nConnection: close\r\n\r\n" + body)
    first = await reader.readline()
    while await reader.read(65536):
        pass
    return first


@cache
def picture_bomb(width: int = 12_000, height: int = 9_900) -> bytes:
    """A white PNG of so many pixels, in about a thousandth as many bytes."""
    deflate = zlib.compressobj()
    row = b"\0" + b"\xff" * width
    data = b"".join(deflate.compress(row) for _ in range(height)) + deflate.flush()
    head = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)  # PNG (ISO/IEC 15948), section 11.2.2: 8 bits, grey
    parts = ((b"IHDR", head), (b"IDAT", data), (b"IEND", b""))
    chunks = [pack(">I", len(held)) + name + held + pack(">I", zlib.crc32(name + held)) for name, held in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
