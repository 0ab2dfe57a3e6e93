"""What is no regular file, in the place of each file of a data folder, at a table and at a club.

`python -m tests.saved.odd_data` prints a line for each: the seconds until the program was there or had said why not,
those of its slowest answer, and what it said of the file.
"""

from __future__ import annotations

import json
import logging
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from flask.testing import FlaskClient

from tablecoin import settings
from tablecoin.appliance import Appliance, CannotStart
from tablecoin.club.database import DatabaseError
from tablecoin.club.ledger import Ledger
from tablecoin.publishing.identity import Kept
from tests.cli.odd_paths import KINDS, apart
from tests.saved.test_saved import EXPECTED, SAVED
from web.access.gate import Gate
from web.club.app import create_app
from web.club.roles import least_role
from web.club.shown import ClubShown

DEEP = "deep JSON"
_LATER = {  # that the program makes, and the saved folder lacks
    "data": ("mqtt.json", "assigned.json", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite-journal"),
    "club": ("access.json", "sessions.json", "club.db-wal", "club.db-shm", "club.db-journal"),
}
_CALLS: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/access/sign-in", {"pin": EXPECTED["pin"]}),
    *(("GET", path, None) for path in (
        "/api/state", "/api/games", "/api/flips", "/api/history", "/api/history/players", "/api/history/7",
        "/api/history/7/record", "/api/history/7/analysis", "/api/history/7/game.html", "/api/evidence/2",
        "/api/evidence/2/after.jpg", "/api/evidence/2/clip", "/api/lobby", "/api/access", "/api/access/table",
        "/api/settings", "/api/known", "/api/calibrate", "/api/assigned", "/api/virtual",
        "/mat/coin-age:isle-of-change.svg",
    )),
    ("PUT", "/api/virtual", {"coins": []}),
    ("PUT", "/api/lobby", {"game": "steal"}),
    ("POST", "/api/settings", {"language": "en"}),
    ("POST", "/api/known/learn", {"learn": "on"}),
    ("POST", "/api/access/trust", {"trusted": False}),
    ("PUT", "/api/assigned", {"assignment": None}),
    ("POST", "/api/games", {"game": "coin-age", "options": {"map": "isle-of-change"}}),
)  # fmt: skip
_CLUB_CALLS = tuple(("GET", path, None) for path in ("/api/players", "/api/tournaments/1", "/api/access", "/"))


class Tried(NamedTuple):
    """A file of the folder `data` or `club`, what stood in its place, and what came of it.

    `status`: 0 the program ran, 2 it said why it does not start, None it hung. `broken`: calls with a status of 500 and
    above, other than 503, which is a refusal in a sentence.
    """

    file: str
    kind: str
    status: int | None
    started_s: float
    slowest_s: float
    broken: tuple[str, ...]
    said: str


def files(which: str) -> Iterator[str]:
    """Every file of the folder, by its path in it; of those in a folder within it one, and that folder itself."""
    top = sorted(path for path in (SAVED / which).iterdir() if path.suffix != ".toml" or which == "data")
    for path in top:
        yield path.name
        if path.is_dir():
            yield from (f"{path.name}/{each}" for each in _inside(path))
    yield from _LATER[which]


def kinds(file: str) -> tuple[str, ...]:
    """What may stand in the place of this file."""
    return (*KINDS, DEEP) if file.endswith(".json") else tuple(KINDS)


def tried(which: str, file: str, kind: str) -> Tried:
    with TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copytree(SAVED, folder / "table", dirs_exist_ok=True)
        odd = folder / "table" / which / file
        if odd.is_dir():
            shutil.rmtree(odd)
        odd.unlink(missing_ok=True)
        if kind == DEEP:
            odd.write_bytes(b'{"a": ' + 4_000 * b"[")
        else:
            KINDS[kind](odd)
        ran = apart(_table if which == "data" else _club, folder)
    lines = list(filter(None, ran.said.splitlines()))
    told = json.loads(lines.pop()) if ran.status == 0 else {}
    return Tried(
        f"{which}/{file}",
        kind,
        ran.status,
        told.get("started_s", ran.seconds),
        told.get("slowest_s", 0.0),
        tuple(told.get("broken", ())),
        next((line for line in lines if Path(file).name in line), "".join(lines[-1:])),
    )


def _inside(folder: Path) -> list[str]:
    """One file of each kind: those of the game and the ruling that are asked for."""
    wanted = {"analyses": ["7.json"], "maps": ["isle-of-change.toml", "isle-of-change.png"]}
    of_evidence = {path.suffix: path.name for path in sorted(folder.iterdir())}
    return wanted.get(folder.name) or sorted(of_evidence.values())


def _table() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(message)s", force=True)
    began_s = time.monotonic()
    try:
        appliance = Appliance(settings.at_start(Path("table/tablecoin.toml"), data="table/data", port=0))
        appliance.live.restore()
        Kept(Path("table/data"))  # that which a publisher reads when it begins
        print(appliance.service.calibration_said)
        print(*appliance.live.snapshot().health.warnings, sep="\n")
    except (CannotStart, settings.SettingsError) as error:
        print(error)
        sys.exit(2)
    _ask(appliance.app.test_client(), _CALLS, time.monotonic() - began_s, appliance.service.close)


def _club() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(message)s", force=True)
    began_s = time.monotonic()
    try:
        ledger = Ledger(Path("table/club"), "Coin club")
    except DatabaseError as error:
        print(error)
        sys.exit(2)
    app = create_app(ledger, ClubShown(ledger.hall), Gate.of(Path("table/club"), (), least_role), name="Coin club")
    _ask(app.test_client(), _CLUB_CALLS, time.monotonic() - began_s, ledger.close)


def _ask(
    client: FlaskClient, calls: tuple[tuple[str, str, Any], ...], started_s: float, close: Callable[[], None]
) -> None:
    took: Mapping[str, float] = {}
    broken = []
    for method, path, body in calls:
        began_s = time.monotonic()
        answer = client.open(path, method=method, json=body)
        took = {**took, path: time.monotonic() - began_s}
        if answer.status_code >= 500 and answer.status_code != 503:
            broken.append(f"{method} {path}")
    close()
    print(json.dumps({"started_s": started_s, "slowest_s": max(took.values()), "broken": broken}), flush=True)


if __name__ == "__main__":
    found = []
    for which in ("data", "club"):
        for file in files(which):
            for kind in kinds(file):
                found.append(each := tried(which, file, kind))
                print(
                    f"{each.started_s:5.1f} s {each.slowest_s:5.1f} s  {each.status}  {each.file}, {kind}: "
                    f"{' '.join(each.broken)} {each.said}",
                    flush=True,
                )
    hung = sum(each.status is None for each in found)
    sys.exit(f"{len(found)} tried, {hung} hung, {sum(bool(each.broken) for each in found)} with broken calls")
