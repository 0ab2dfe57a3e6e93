"""A game of Steal refereed from a phone's stream: another program sends the pictures, dies and comes back."""

from __future__ import annotations

import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.live.service import Service
from tablecoin.live.watchdog import Watchdog
from tablecoin.referee.snapshot import Snapshot
from tablecoin.settings import load, with_flags
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import Scene, VirtualTable
from tests.live.looking import heard, settled

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
LOOKED_S = 4.0  # where nothing is new for so long after an act, the hands try again
GAME = rules.load("steal")
GOAL = {"goal": 15}  # cents: some rounds


class Phone:
    """The other program. `table` is what its camera sees: every change of it is sent there."""

    def __init__(self) -> None:
        self.table = VirtualTable(mats.load("two-row"), seed=5)
        self.port = 0
        self.plug_in()
        self.table.on_change = self._show

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def plug_in(self) -> None:
        command = [sys.executable, "-m", "tests.live.phone", str(self.port)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.port = int(self._process.stdout.readline())
        self._show(self.table.scene)

    def unplug(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _show(self, scene: Scene) -> None:
        body = msgspec.json.encode({"coins": scene.coins})
        url = f"http://127.0.0.1:{self.port}/table"
        urllib.request.urlopen(urllib.request.Request(url, body, method="PUT"), timeout=20).close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    yield phone
    phone.unplug()


def test_a_game_goes_on_after_the_phone_was_unplugged_and_came_back(phone: Phone, tmp_path: Path) -> None:
    settings = with_flags(load(None), camera=phone.url, panel="none", data=str(tmp_path), port=0)
    with ExitStack() as stack:
        service = stack.enter_context(Service(settings, Watchdog()))
        live = service.live
        seats = {"heads": "computer", "tails": "computer"}
        live.command({"start": {"game": "steal", "options": GOAL, "seats": seats}}, None)
        heard(live, settled)
        play(service, phone, lambda shown: len(ruled(service)) >= 8)

        before = ruled(service)
        phone.unplug()
        away = heard(live, lambda shown: any("network camera" in said for said in shown.health.warnings))
        assert not away.table.settled
        assert ruled(service) == before, "nothing is ruled without pictures"
        phone.plug_in()
        heard(live, seen_again)
        assert ruled(service)[: len(before)] == before, "no ruling is lost"

        over = play(service, phone, lambda shown: shown.prompt.kind == "over")
        assert ruled(service)[: len(before)] == before
        assert over.game
        assert max(over.game["totals"].values()) >= GOAL["goal"]
        outcome = GAME.outcome(GAME.read_state(over.game))
        assert outcome
        assert outcome.winners


def ruled(service: Service) -> list[str]:
    """The record's lines but the last, which tells how the game stands."""
    return service.live.record().splitlines()[:-1]


def seen_again(shown: Snapshot) -> bool:
    return settled(shown) and not shown.health.warnings


def play(service: Service, phone: Phone, enough: Callable[[Snapshot], bool]) -> Snapshot:
    """Do what the referee asks, until it is `enough`."""
    news = threading.Event()
    stop_listening = service.live.snapshots.listen(news.set)
    shown = service.live.snapshot()
    while not enough(shown):
        if shown.prompt.kind == "flip":
            for zone, coins in shown.table.flips.items():
                phone.table.toss(coins, zone)
        elif shown.prompt.kind == "question":
            service.live.command({"answer": {"choice": 0}}, None)
        elif shown.prompt.kind != "turn" and shown.game:
            state = GAME.read_state(shown.game)
            arrange(phone.table, GAME.layout(state), GAME.stacks(state), "tray")
        before = shown.prompt.text
        while shown.prompt.text == before and news.wait(LOOKED_S):  # else the hands try again
            news.clear()
            shown = service.live.snapshot()
    stop_listening()
    return shown
