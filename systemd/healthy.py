"""Ask the running service whether it is well: `healthy.py SETTINGS frames|page|now|address`.

`page`: its page answers. `frames`: also, frames of the camera are counted. One sentence says what was found. The exit
status is 0 when it is well, 1 when nothing answers, and 3 when the page answers but no frame comes. `now`: whether it
answers this moment, without a word. `address`: say where it is to answer, such as 127.0.0.1:8000, and ask nothing.
It uses nothing but Python's own library, because it also judges releases that cannot be imported.
"""

from __future__ import annotations

import ipaddress
import json
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

ANSWER_S = 45.0  # how long the page may take: a cold start of a Pi 4 is some 10 s, and a slow card takes longer
FRAMES_S = {"frames": 30.0, "page": 8.0}  # how long the frames may take after that
FRAMES = 5  # so many must be counted, because one may come from a camera that then stops
_PAUSE_S = 0.5

WELL, SILENT, NO_FRAMES = 0, 1, 3

Ask = Callable[[], dict[str, Any]]  # what /healthz answers; OSError or ValueError when it does not


def address(settings: Path) -> str:
    """Where /healthz is, by `[web]` of the settings file. The defaults hold for a file that is missing or damaged."""
    try:
        web = tomllib.loads(settings.read_text("utf-8")).get("web", {})
    except (OSError, ValueError):
        web = {}
    host, port = web.get("host", "127.0.0.1"), web.get("port", 8000)
    try:
        if ipaddress.ip_address(host).is_unspecified:  # all addresses: also this machine's own
            host = "127.0.0.1"
    except ValueError:
        pass  # a name
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/healthz"


def asking(url: str) -> Ask:
    """A call of `url`, past any proxy."""
    opener = build_opener(ProxyHandler({}))

    def ask() -> dict[str, Any]:
        with opener.open(url, timeout=5) as answer:
            told = json.load(answer)
        if not isinstance(told, dict) or not isinstance(told.get("frames"), int):
            raise ValueError(f"{url} is answered by another program")
        return told

    return ask


def judge(
    ask: Ask,
    wanted: str,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[int, str]:
    """(exit status, one sentence). `wanted`: "frames" or "page"."""
    end = clock() + ANSWER_S
    first: dict[str, Any] | None = None  # the first answer since the program's newest start
    counted, why = 0, ""
    while clock() < end and counted < FRAMES:
        try:
            newest = ask()
        except (OSError, ValueError) as error:
            first, why = None, str(error)
        else:
            if first is None or newest["frames"] < first["frames"]:
                first, end = newest, clock() + FRAMES_S[wanted]
            counted = newest["frames"] - first["frames"]
        if counted < FRAMES:
            sleep(_PAUSE_S)
    if first is None:
        return SILENT, f"The page did not answer within {ANSWER_S:.0f} s ({why})."
    named = f"Version {first['version']}" if "version" in first else "The page"
    if counted >= FRAMES:
        return WELL, f"{named} answers, and frames are counted."
    if wanted == "page":
        return WELL, f"{named} answers; no frame has come from the camera yet."
    return NO_FRAMES, f"The page answers, but no frame came from the camera within {FRAMES_S[wanted]:.0f} s."


def answers(ask: Ask) -> bool:
    """Whether the page answers this moment."""
    try:
        ask()
    except (OSError, ValueError):
        return False
    return True


def main(settings: Path, wanted: str) -> int:
    """The exit status."""
    url = address(settings)
    if wanted == "address":
        print(url.removeprefix("http://").removesuffix("/healthz"))
        return WELL
    if wanted == "now":
        return WELL if answers(asking(url)) else SILENT
    status, said = judge(asking(url), wanted)
    print(f"   {said}")
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
