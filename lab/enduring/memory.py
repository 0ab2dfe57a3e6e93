"""Does memory stay flat over hundreds of lessons begun, photos scored and replays opened?"""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path

import cv2
import msgspec

from lab.enduring.served import ANSWER_S, Served
from lab.reading import phone
from lab.refereeing.past import write_games
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.lessons.lesson import taught
from tablecoin.rules.coin_age import maps
from tablecoin.storage import mapfiles

WARM = 20  # calls after which memory must be flat
MOST_MB = 40.0  # that it may grow by from then on
_GAMES = 25  # in the journal
_PHOTOS = 8  # different ones, of all sizes
_BOUNDARY = "tablecoin-photo"
_BUSY = (429, 503)  # asked too often: asked again
_BUSY_S = 1.0


class Grown(msgspec.Struct, frozen=True, tag="grown"):
    """Resident memory over many calls of one kind, in MiB."""

    kind: str
    calls: int
    refused: int
    start_mb: float
    warm_mb: float  # after WARM calls, the most until then
    most_mb: float  # from then on
    end_mb: float

    @property
    def is_flat(self) -> bool:
        return self.most_mb - self.warm_mb <= MOST_MB


def grown(data: Path, count: int, kinds: tuple[str, ...] = ()) -> Iterator[Grown]:
    """`count` calls of each kind at one program. `kinds`: of KINDS; () for all. Raises NotServed."""
    data.mkdir(parents=True, exist_ok=True)
    write_games(data / "journal.sqlite", _GAMES)
    served = Served(data)
    try:
        for kind in kinds or KINDS:
            yield _grown(served, kind, count)
    finally:
        served.stop()


def _grown(served: Served, kind: str, count: int) -> Grown:
    call, used_mb, refused = KINDS[kind](served.url), [served.resident_mb()], 0
    for number in range(count):
        refused += not call(number)
        used_mb.append(served.resident_mb())
    warm = min(WARM, count // 2)
    return Grown(kind, count, refused, used_mb[0], max(used_mb[: warm + 1]), max(used_mb[warm + 1 :]), used_mb[-1])


Call = Callable[[int], bool]  # the n-th call, and whether it was accepted


def _lessons(url: str) -> Call:
    """Two children begin the lessons of all games in turn, which changes the mat each time."""
    games = cycle(game for game in rules.NAMES if taught(game))

    def begin(number: int) -> bool:
        asked = {"learner": f"child000{number % 2}", "do": "begin"}
        head = {"Content-Type": "application/json"}
        return _asked(url + f"api/learn/{next(games)}", json.dumps(asked).encode(), head)

    return begin


def _photos(url: str) -> Call:
    """Photos of maps by hand, of several sizes."""
    sent = cycle([_form(photo) for photo in _taken()])
    head = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    return lambda number: _asked(url + "api/score", next(sent), head)


def _replays(url: str) -> Call:
    """A game is opened, with what its page loads, and its file or its picture."""

    def opened(number: int) -> bool:
        game, more = 1 + number % (_GAMES - 1), ("game.html", "picture.png", "record")[number % 3]
        paths = (f"history/{game}", f"api/history/{game}", f"api/history/{game}/{more}")
        return all(_asked(url + path) for path in paths)

    return opened


KINDS: Mapping[str, Callable[[str], Call]] = {"lessons": _lessons, "photos": _photos, "replays": _replays}


def _taken() -> Iterator[bytes]:
    """JPEGs of dealt positions on the maps."""
    names = mapfiles.shipped()
    for seed in range(_PHOTOS):
        name = names[seed % len(names)]
        table = mats.load(f"coin-age:{name}")
        position = phone.deal(maps.load(name), random.Random(seed))
        image = phone.photo(phone.lay(position, table, seed), table, seed)
        yield cv2.imencode(".jpg", image)[1].tobytes()


def _form(photo: bytes) -> bytes:
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
    return f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + photo + f"\r\n--{_BOUNDARY}--\r\n".encode()


def _asked(url: str, body: bytes | None = None, head: Mapping[str, str] | None = None) -> bool:
    """Whether the call was answered well. One that came too soon is made again."""
    while True:
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, body, dict(head or {})), timeout=ANSWER_S
            ) as answer:
                answer.read()
                return True
        except urllib.error.HTTPError as error:
            if error.code not in _BUSY:
                return False
            time.sleep(_BUSY_S)
