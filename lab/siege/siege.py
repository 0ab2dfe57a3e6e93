"""What the screen at the table and the phones notice while the server is attacked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from lab.siege.attackers import Attack, attackers, connect
from lab.siege.served import Served

KIOSK = "127.0.0.1"
ATTACKERS = tuple(f"127.0.0.{k}" for k in range(1, 6))  # the kiosk's own address among them
_EVERY_S = 0.25  # how often the kiosk asks for its page
_PATIENCE_S = 5.0  # the longest that it waits for one


class _Ruling(msgspec.Struct):
    seq: int


class _Health(msgspec.Struct):
    fps: int


class _Seen(msgspec.Struct):
    """What is looked at of a snapshot."""

    ruling: _Ruling | None
    health: _Health


@dataclass
class Noticed:
    """What was noticed in one phase."""

    waits_s: list[float] = field(default_factory=list)  # of the kiosk, for its page
    unanswered: int = 0  # times that it got none within five seconds
    seen: list[tuple[int, float]] = field(default_factory=list)  # rulings that reached the kiosk's stream, and when
    seen_by_phones: list[tuple[int, float]] = field(default_factory=list)
    fps: list[int] = field(default_factory=list)
    resident_mb: list[float] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    lasted: tuple[float, float] = (0.0, 0.0)  # from, to; seconds since 1970


async def phase(served: Served, seconds: float, attack: Attack | None, phones: int) -> Noticed:
    """Watch for `seconds` while `phones` watch too, each from an address of its own; attack, if any."""
    noticed, began = Noticed(), time.time()
    kiosk = _watch(served, KIOSK, noticed.seen, noticed.fps)
    work = [_ask(served, noticed), kiosk, _weigh(served, noticed)]
    work += [_watch(served, f"127.0.1.{k + 1}", noticed.seen_by_phones, []) for k in range(phones)]
    work += attackers(attack, ATTACKERS, served.port) if attack else []
    tasks = [asyncio.create_task(each) for each in work]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    noticed.lasted = began, time.time()
    return noticed


def lines(noticed: Noticed, ruled_at: dict[int, float]) -> list[str]:
    """The figures of a phase, with their counts. `ruled_at`: when each ruling was written down."""
    began, ended = noticed.lasted
    rulings = sum(began <= at <= ended for at in ruled_at.values())
    kiosk, phones = (_late(seen, ruled_at, began) for seen in (noticed.seen, noticed.seen_by_phones))
    return [
        f"the kiosk's page: {spread(noticed.waits_s)}; unanswered: {noticed.unanswered}",
        f"ruling to the kiosk's stream: {spread(kiosk)}",
        f"ruling to the phones' streams: {spread(phones)}",
        f"rulings: {rulings} in {ended - began:.0f} s, {60 * rulings / (ended - began):.0f} a minute",
        f"frames a second: {_middle(noticed.fps)} ({len(noticed.fps)} snapshots)",
        f"memory: {_middle(noticed.resident_mb)} MB, at most {max(noticed.resident_mb, default=0):.0f}",
        f"threads: {_middle(noticed.threads)}, at most {max(noticed.threads, default=0)}",
    ]


def _late(seen: Sequence[tuple[int, float]], ruled_at: dict[int, float], began: float) -> list[float]:
    """Seconds from each ruling of this phase until it was seen."""
    return [at - ruled_at[number] for number, at in seen if ruled_at.get(number, 0.0) >= began]


def spread(seconds: Sequence[float]) -> str:
    """Median, 95th percentile and longest of some times, with their count."""
    if not seconds:
        return "never"
    ordered = sorted(seconds)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms, worst {1000 * ordered[-1]:.0f} ms ({len(ordered)})"


def _middle(values: Sequence[float]) -> str:
    return f"{sorted(values)[len(values) // 2]:.0f}" if values else "unknown"


async def _ask(served: Served, noticed: Noticed) -> None:
    """The kiosk's page, again and again, each time over a new connection."""
    while True:
        began_s = time.monotonic()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await _page(served)
            noticed.waits_s.append(time.monotonic() - began_s)
        except (OSError, TimeoutError):
            noticed.unanswered += 1
        await asyncio.sleep(_EVERY_S)


async def _page(served: Served) -> None:
    """OSError: it was refused."""
    reader, writer = await connect(KIOSK, served.port)
    try:
        writer.write(b"GET /kiosk HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        if not (await reader.read()).startswith(b"HTTP/1.1 200"):
            raise ConnectionError
    finally:
        writer.transport.abort()


async def _watch(served: Served, address: str, seen: list[tuple[int, float]], fps: list[int]) -> None:
    """The stream, opened again when it ends."""
    while True:
        try:
            reader, writer = await connect(address, served.port)
            try:
                writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await _read(reader, seen, fps)
            finally:
                writer.transport.abort()
        except OSError:
            pass
        await asyncio.sleep(_EVERY_S)


async def _read(reader: asyncio.StreamReader, seen: list[tuple[int, float]], fps: list[int]) -> None:
    """Note when each ruling is first seen; the stream's first event shows an old one."""
    newest: int | None = None
    while line := await reader.readline():
        if line.startswith(b"data: "):
            shown = msgspec.json.decode(line.removeprefix(b"data: "), type=_Seen)
            number = shown.ruling.seq if shown.ruling else 0
            if newest is not None and number != newest:
                seen.append((number, time.time()))
            newest = number
            fps.append(shown.health.fps)


async def _weigh(served: Served, noticed: Noticed) -> None:
    while True:
        noticed.resident_mb.append(served.resident_mb)
        noticed.threads.append(served.threads)
        await asyncio.sleep(_EVERY_S)
