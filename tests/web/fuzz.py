"""Made-up calls (schemathesis, from the OpenAPI file) against the running application: `python -m tests.web.fuzz`.

It starts a real referee at a virtual table on a temporary folder, and prints how often each call was answered how. It
fails when an answer is a 5xx or breaks the OpenAPI file, and when a call was never made.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from flask import Flask, Response, request

from calibration.teach.teach import Teacher
from calibration.wizard import LiveEyes, Wizard
from tablecoin import settings
from tablecoin.checks.health import LiveHealth
from tablecoin.checks.owning import Owning
from tablecoin.coins import Heap
from tablecoin.live.service import Service
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.publishing.desk import Desk
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tests.pace import Pace
from web.app import create_app
from web.openapi import CALLS, document
from web.security import Rates
from web.server import Server

SEED = 20261122
SECONDS = 60
UNLIMITED = Rates(look=(1e6, 1e6), act=(1e6, 1e6), drag=(1e6, 1e6), score=(1e6, 1e6))
ENDLESS = ["/api/stream"]  # never ends by itself; tests/web/test_stream.py reads it
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

Counts = Counter[tuple[str, str, int]]  # method, route as Flask writes it, status


def counted(app: Flask, live: LiveTable) -> Counts:
    """How often each route of `app` gives each status, from now on.

    A camera that a call froze is let go at once: each look at a frozen one takes its 12 s time limit.
    """
    counts: Counts = Counter()

    @app.after_request
    def count(answer: Response) -> Response:
        if live.virtual is not None and request.method == "PUT":
            live.virtual.put_json({"faults": {"camera_frozen": False}})
        if request.url_rule is not None and request.method != "OPTIONS":
            counts[request.method, request.url_rule.rule, answer.status_code] += 1
        return answer

    return counts


def made_up_calls(url: str, file: Path, examples: int | None) -> int:
    """Let schemathesis call everything in `file` this often, or for a minute with all that it has; its exit status."""
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [program, "run", str(file), "--url", url, "--checks", CHECKS, "--seed", str(SEED)]
    limits = ["--max-time", str(SECONDS), "--max-examples", "40"]
    if examples is not None:
        limits = ["--phases", "fuzzing", "--max-examples", str(examples)]
    left_out = [part for path in ENDLESS for part in ("--exclude-path", path)]
    quiet = ["--continue-on-failure", "--no-color", "--warnings", "off", "--generation-database", "none"]
    return subprocess.run([*command, "--request-timeout", "60", *limits, *left_out, *quiet], check=False).returncode


def shown(counts: Counts) -> Iterator[str]:
    """A line for each call: how often it was answered 2xx, 4xx and 5xx."""
    yield f"{'call':60}{'2xx':>7}{'4xx':>7}{'5xx':>7}"
    for rule, method in sorted({(rule, method) for method, rule, _ in counts}):
        times = Counter[int]()
        for (each, path, status), n in counts.items():
            if (each, path) == (method, rule):
                times[status // 100] += n
        yield f"{f'{method} {rule}':60}{times[2]:7}{times[4]:7}{times[5]:7}"


def play_a_little(live: LiveTable) -> None:
    """One ruling with its pictures, so that there is evidence to ask for."""
    table = live.virtual
    assert table is not None
    live.command({"start": {"game": "steal"}}, None)
    _wait(live, lambda shown: shown.table.settled)
    table.toss(Heap(penny=5), "tray")
    _wait(live, lambda shown: bool(shown.ruling and shown.ruling.evidence))


def _wait(live: LiveTable, wanted: Callable[[Snapshot], bool]) -> None:
    """Until a snapshot is as wanted, or nothing has changed for 20 s."""
    news = threading.Event()
    stop_listening = live.snapshots.listen(news.set)
    while not wanted(live.snapshot()) and news.wait(20.0):
        news.clear()
    stop_listening()


class StaysOn(Owning):
    """Settings are kept and told; neither the program ends nor is this computer switched off."""

    def may_switch_off(self) -> bool:
        return True

    def switch_off(self) -> Message | None:
        return None


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--examples", type=int, help="of each call; without it: as many as a minute holds")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = settings.with_flags(settings.load(None), camera="virtual", panel="none", data=folder)
        pace = Pace()
        service = Service(chosen, Watchdog(), seed=SEED, simulation=pace.simulation)
        pace.follow(service.live)
        wizard = Wizard(LiveEyes(service.live), service.calibration_file, chosen.table.mat)
        teacher = Teacher(chosen.maps_dir)
        health = LiveHealth(service.live, service.panel, chosen)
        desk = Desk(chosen.data_dir, service.journal)
        app = create_app(
            service.live,
            wizard=wizard,
            teacher=teacher,
            kept=service.live.kept,
            health=health,
            desk=desk,
            brought=desk,
            owner=StaysOn(chosen, lambda: None, lambda: (), supervised=True),
            rates=UNLIMITED,
        )
        counts = counted(app, service.live)
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(document()), "utf-8")
        with service, Server(app, service.live, "127.0.0.1", 0) as server:
            play_a_little(service.live)
            failed = made_up_calls(f"http://127.0.0.1:{server.port}", file, given.examples)
    print("\n".join(shown(counts)))
    print(f"{counts.total()} calls, seed {SEED}")
    called = {(method, re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule)) for method, rule, _ in counts}
    missed = {(call.method.upper(), call.path) for call in CALLS if call.path not in ENDLESS} - called
    print(f"never called: {sorted(missed)}" if missed else "every call was made")
    return failed or bool(missed) or any(status >= 500 for _, _, status in counts)


if __name__ == "__main__":
    sys.exit(main())
