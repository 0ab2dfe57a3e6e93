"""How soon a phone's photo is answered while other addresses ask for games of history again and again."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path

import cv2

from lab.reading.phone import deal, lay, photo
from lab.refereeing.past import write_games
from lab.siege.attackers import asked, connect, form
from lab.siege.served import serving
from lab.siege.siege import spread
from tablecoin import mat
from tablecoin.rules.coin_age import maps
from web.access.house import FILE, House

GAMES = 20  # more than the server remembers
_PARTS = ("", "/record", "/game.html", "/picture.png?lang=en", "/picture.png?lang=zh")
_PHONE = "127.0.1.1"
_EVERY_S = 2.5  # how often the phone sends a photo; one address may send a photo every 2 s
_AGAIN_S = 0.02  # after which an address that was answered or refused asks again
_PIN = "rosebud 1941"


@dataclass
class Answered:
    """How often each status came, and after how many seconds the calls with status 200 were answered."""

    statuses: Counter[int] = field(default_factory=Counter)
    waits_s: list[float] = field(default_factory=list)

    async def ask(self, address: str, port: int, head: bytes, body: bytes = b"") -> None:
        """Make one call and count its answer."""
        began_s = time.monotonic()
        reader, writer = await connect(address, port)
        try:
            status = int((await asked(reader, writer, head, body)).split(b" ", 2)[1])
        finally:
            writer.transport.abort()
        self.statuses[status] += 1
        if status == 200:
            self.waits_s.append(time.monotonic() - began_s)


@dataclass
class Noticed:
    """The answers to the photos of one phone, and to the addresses that scrub."""

    photos: Answered = field(default_factory=Answered)
    replays: Answered = field(default_factory=Answered)

    def lines(self) -> Iterator[str]:
        """The figures, with their counts."""
        for name, answered in (("photos", self.photos), ("replays", self.replays)):
            counts = ", ".join(f"{count} answered {status}" for status, count in sorted(answered.statuses.items()))
            yield f"{name}: {counts}; {spread(answered.waits_s)}"


def scrubbed(folder: Path, program: Sequence[str], seconds: float, addresses: int, windows: int) -> Noticed:
    """Let `addresses` with so many windows each scrub random games of `program` while one phone sends photos.

    RuntimeError: the program does not start.
    """
    (folder / "data").mkdir()
    write_games(folder / "data" / "journal.sqlite", GAMES)
    House(folder / "data" / FILE).open(_PIN, trusted=True)  # so that a phone may send photos without a code
    with serving(folder, program) as served:
        return asyncio.run(_phase(served.port, seconds, addresses, windows))


async def _phase(port: int, seconds: float, addresses: int, windows: int) -> Noticed:
    noticed = Noticed()
    scrubbers = [f"127.0.0.{k + 2}" for k in range(addresses)] * windows
    tasks = [asyncio.create_task(_scrub(noticed.replays, each, port, seed)) for seed, each in enumerate(scrubbers)]
    await asyncio.sleep(1.0)
    head, body = form(_picture())
    ask, end_s = partial(noticed.photos.ask, _PHONE, port, head, body), time.monotonic() + seconds
    while time.monotonic() < end_s:
        await asyncio.gather(ask(), asyncio.sleep(_EVERY_S))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return noticed


async def _scrub(answered: Answered, address: str, port: int, seed: int) -> None:
    chance = random.Random(seed)
    for part in cycle(_PARTS):
        number = chance.randint(1, GAMES)
        await answered.ask(address, port, f"GET /api/history/{number}{part} HTTP/1.1\r\n".encode())
        await asyncio.sleep(_AGAIN_S)


def _picture() -> bytes:
    """The photo of a Coin Age map, as a phone takes it: JPEG."""
    board, table = maps.load("classic"), mat.load("coin-age:classic")
    image = photo(lay(deal(board, random.Random(1)), table, 1), table, 1)
    return cv2.imencode(".jpg", image)[1].tobytes()
