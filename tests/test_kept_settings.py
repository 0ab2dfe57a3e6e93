"""Whatever is sent to the page's settings, the next start answers on its port."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import cv2
import msgspec
import numpy as np
import pytest

from tablecoin.appliance import Appliance
from tablecoin.live import service
from tablecoin.settings import at_start
from tests.web.fuzz import UNLIMITED
from web.bodies import SettingsBody

STARTS = 50
CONFIG = '[camera]\nsource = "virtual"\n[panel]\nkind = "screen"\n[web]\nport = 0\n'
JUNK: tuple[Any, ...] = (
    None, True, False, 0, 50, -1, 0.5, 1e308, 10**18, "", "on", "off", "zh", "auto", "pi", "virtual", "usb:0", "usb:-1",
    "none", "\x7f", "\0", '"\\\n\u2028', "币😀", 1000 * "x", 200_000 * "x", [], ["turn"], 5_000 * ["turn"], [None],
    [[["turn"]]], {}, {"a": 1}, {"en": {"a": []}},
)  # fmt: skip
SOURCES = (
    "file:", "file:/", "file:/etc/passwd", "file:/dev/zero", "file:/dev/tty", "file:nowhere", "file:" + 300 * "x",
    "file:pipe.mp4", "file:folder", "file:p.png", "file:p.mp4", "usb:" + 5000 * "9", "http://192.0.2.7:99999/\x7f",
    "http://[::1", "rtsp://a/[",
)  # fmt: skip
RAW = (
    b"",
    b"{",
    b"[]",
    b'{"source": "\\ud800"}',
    b'{"still_s": NaN}',
    b'{"still_s": 1e999}',
    b'{"a": ' + 90_000 * b"[",
)
OTHERS = ("/api/known/learn", "/api/access/trust", "/api/access/open", "/api/lobby", "/api/virtual", "/api/assigned")
KEYS = [field.name for field in msgspec.structs.fields(SettingsBody)]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Appliance]:
    """Starts the program as the service does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(service, "_ANSWER_S", 0.1)  # how long `auto` waits for a camera
    Path("tablecoin.toml").write_text(CONFIG)
    lay_out()
    return lambda: Appliance(at_start(None, data="data"), rates=UNLIMITED)


def lay_out() -> None:
    """Files that a camera may be."""
    os.mkfifo("pipe.mp4")
    Path("folder").mkdir()
    Path("p.mp4").write_text("no film")
    cv2.imwrite("p.png", np.full((240, 320, 3), 90, np.uint8))


def ask(appliance: Appliance, path: str, body: bytes | None = None, method: str | None = None) -> int:
    """What the running program answers: a status."""
    head = {"Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(appliance.url + path[1:], body, head, method=method), timeout=60
        ) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def sent() -> Iterator[list[bytes]]:
    """What is sent to the settings before each start: one kind of junk for every key, and each camera by itself."""
    yield list(RAW)
    yield from ([json.dumps({key: junk}).encode() for key in KEYS] for junk in JUNK)
    yield from ([json.dumps({"source": source}).encode()] for source in SOURCES)
    yield from ([json.dumps(dict.fromkeys(KEYS)).encode()] for _ in count())


@pytest.mark.long
def test_whatever_is_sent_to_the_settings_the_next_start_answers(start: Callable[[], Appliance]) -> None:
    posts = sent()
    answered, kept = 0, 0
    for number in range(STARTS):
        with start() as appliance:
            assert [ask(appliance, path) for path in ("/healthz", "/", "/api/settings", "/settings")] == [200] * 4
            answered += 1
            told = [ask(appliance, "/api/settings", body) for body in next(posts)]
            told += [ask(appliance, path, RAW[number % len(RAW)], "POST") for path in OTHERS]
            assert not [status for status in told if status >= 500], (number, told)
            kept += told.count(200)
    assert answered == STARTS
    assert kept >= 25, "little of it was junk that is kept"


def gone(picture: Path) -> None:
    picture.unlink()


def a_pipe(picture: Path) -> None:
    picture.unlink()
    os.mkfifo(picture)


def a_folder(picture: Path) -> None:
    picture.unlink()
    picture.mkdir()


def damaged(picture: Path) -> None:
    picture.write_bytes(picture.read_bytes()[:50])


@pytest.mark.long
@pytest.mark.parametrize("become", [gone, a_pipe, a_folder, damaged])
def test_a_camera_s_file_may_become_anything_later(
    start: Callable[[], Appliance], become: Callable[[Path], None]
) -> None:
    with start() as appliance:
        assert ask(appliance, "/api/settings", b'{"source": "file:p.png"}') == 200
    become(Path("p.png"))
    with start() as appliance:
        assert [ask(appliance, path) for path in ("/healthz", "/api/settings")] == [200] * 2
        assert ask(appliance, "/api/settings", b'{"source": "virtual"}') == 200
    with start() as appliance:
        assert ask(appliance, "/api/virtual") == 200
