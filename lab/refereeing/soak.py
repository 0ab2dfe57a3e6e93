"""Soak test of the referee: whole random games through pictures, every ruling compared with the true state.

Simulated people who know the rules play on the virtual table; the referee sees nothing but its rendered pictures. One
action in twenty is done wrongly first; hands reach in from any side, leave in the middle of an action, come back, and
leave something lying on a marker. In the light `told` there are no pictures: a quick test of the referee alone.
Each game is one line of a log, so that a long run may be stopped at any moment and goes on from there. A game's key is
its name, seed, light, way of dying, coins, network and memory. Real coins come from a purse that follows from the seed.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
import numpy as np

from lab import held_out
from lab.reading.causes import Cause
from lab.reading.purses import DRAWN, Purse
from lab.refereeing.attentive import Attentive, Memory
from lab.refereeing.killing import Mortal, Way
from lab.refereeing.people import People
from lab.refereeing.seated import Ruler
from lab.refereeing.stage import PictureStage, Restless
from lab.refereeing.told import ToldStage
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.live.learning import GameLearner
from tablecoin.referee.commands import Command
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.render import Light
from tablecoin.virtual.table import TableError
from tablecoin.virtual.view import View
from tablecoin.vision.coins.network import Networks
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.settle import Look

MISTAKES = ACCIDENTS = PAUSES = 0.05
LIGHTS: Mapping[str, Light] = {
    "good": Light(),
    "soft": Light(blur_px=1.2),
    "blurred": Light(blur_px=2.0),
    "very-blurred": Light(blur_px=3.0),
    "grainy": Light(noise=12.0),
    "dim": Light(brightness=0.45, noise=4.0),
    "dusk": Light(brightness=0.35, noise=5.0),
    "dark": Light(brightness=0.25, noise=6.0),
    "darker": Light(brightness=0.14, noise=6.0),
    "dim-blurred": Light(brightness=0.45, noise=4.0, blur_px=2.0),
}
TOLD = "told"  # in place of a light: no pictures, the referee is told which coins lie where
Lasts = Literal["game", "none"]  # how long the table remembers coins; until its owner answers, for the game


class Game(msgspec.Struct, frozen=True):
    """One game as the log keeps it."""

    game: str
    seed: int
    light: str
    kill: str  # a Way, or "no"
    network: str  # the name of the networks: the shipped or the held-out ones
    options: dict[str, Any]
    over: bool  # it ended as the people's own copy of the state says
    stuck: str | None
    wrong: list[str]  # one sentence for each wrong ruling
    counts: dict[str, int]
    restarts: int
    seconds: float
    ruled_ms: list[float]  # CPU time of each ruling on a table at rest, search included
    shown_ms: list[float] = []  # CPU time from the picture of a table at rest to the snapshot as sent to a page
    coins: str = "drawn"  # or of one owner, or mixed
    fold: int | None = None  # of the photographers whose coins these are
    owner: str | None = None
    causes: list[Cause] = []  # of wrong rulings, questions and corrections
    memory: Lasts = "none"

    @property
    def name(self) -> str:
        return f"{self.game} {self.seed}"

    @property
    def key(self) -> tuple[str, int, str, str, str, str, str]:
        return self.game, self.seed, self.light, self.kill, self.coins, self.network, self.memory


class _Timed(Referee):
    """A referee whose rulings on a table at rest are timed, and how long the table waits for its snapshot."""

    def __init__(self, record: Callable[[Sequence[Event]], None]) -> None:
        self.ruled_ms: list[float] = []
        self.shown_ms: list[float] = []
        self.pictured_s: float | None = None  # CPU time when the newest picture was taken; None: there are no pictures
        super().__init__(record)

    def see(self, look: Look) -> None:
        began_s = time.thread_time()
        super().see(look)
        if look.sighting:
            self.ruled_ms.append(_ms_since(began_s))
            if self.pictured_s is not None:
                msgspec.json.encode(self.snapshot())
                self.shown_ms.append(_ms_since(self.pictured_s))

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        began_s = time.thread_time()
        answer = super().command(command, seat)
        self.ruled_ms.append(_ms_since(began_s))
        return answer


def _ms_since(began_s: float) -> float:
    return round(1000 * (time.thread_time() - began_s), 2)


class _TimedStage(PictureStage):
    """A stage that tells `timed` when each picture was taken."""

    def __init__(
        self, timed: _Timed, mat: str, seed: int, light: Light, view: View, referee: Ruler, purse: Purse
    ) -> None:
        super().__init__(mat, seed, light, view, referee=referee, purse=purse)
        self._timed = timed

    def see(self, frame: Frame) -> Look:
        self._timed.pictured_s = time.thread_time()
        return super().see(frame)


def network(held: Networks | None = None) -> str:
    """The name of the shipped networks; with networks that were held out the common name of all of those."""
    return Networks.shipped().name if held is None else held_out.name()


def lasting(memory: Lasts, light: str, kill: Way | None) -> Lasts:
    """How long the table remembers coins in such a game: without pictures none are learned, nor where it dies."""
    return "none" if light == TOLD or kill else memory


def random_options(name: str, dice: Random) -> dict[str, Any]:
    """Random options: Dollar Prize to a dollar one time in four, else shorter; at most 30 pennies in the ring, which
    one box of the mat can hold.
    """
    if name in ("steal", "exact"):
        return {"goal": dice.choice((15, 20, 30, 100))}
    if name == "goes-around":
        players = dice.randint(2, 6)
        return {"players": players, "start": dice.randint(2, min(8, 30 // players))}
    return {}


def play(
    name: str,
    seed: int,
    light: str,
    kill: Way | None,
    given: Mapping[str, Any] | None = None,
    purse: Purse = DRAWN,
    memory: Lasts = "game",
) -> Game:
    """Play one whole game. Whatever goes wrong in it, exceptions included, is told in the Game that is returned."""
    memory = lasting(memory, light, kill)
    dice = Random(f"{name} {seed}")
    options = random_options(name, dice) | dict(given or {})
    game = rules.load(name)
    mat = game.mat(game.read_options(options))
    view = View.over(
        mats.load(mat),
        size_px=(1280, 960),
        tilt_deg=dice.uniform(0, 8),
        towards_deg=dice.uniform(0, 360),
        roll_deg=dice.uniform(-4, 4),
    )
    began_s = time.thread_time()
    stuck: str | None = None
    with tempfile.TemporaryDirectory() as folder:
        coins = Memory(purse, GameLearner) if memory == "game" else None
        timed = _Timed(coins.recorded if coins else lambda events: None)
        mortal = Mortal(Path(folder) / "journal.sqlite", dice, kill) if kill else None
        ruler: Ruler = mortal or (Attentive(timed, coins) if coins else timed)
        stage: PictureStage | ToldStage
        if light == TOLD:
            stage = ToldStage(mat, seed, ruler)
        else:
            stage = _TimedStage(timed, mat, seed, LIGHTS[light], view, ruler, purse)
            if coins:
                coins.begin(stage)
        if mortal:
            mortal.born(lambda look_again: _reborn(stage, look_again))
        people = People(game, stage, seed, MISTAKES, ACCIDENTS, PAUSES)
        try:
            people.play(options)
        except (Restless, TableError) as error:  # the table never came to rest, or has no room for so many coins
            stuck = str(error)
        except Exception:
            stuck = traceback.format_exc()
        if mortal:
            mortal.end()
    story = people.story
    return Game(
        name,
        seed,
        light,
        kill or "no",
        network(purse.networks),
        options,
        story.over and not story.stuck and stuck is None,
        story.stuck or stuck,
        story.wrong,
        dict(story.counts),
        stage.restarts,
        round(time.thread_time() - began_s, 2),
        timed.ruled_ms,
        timed.shown_ms,
        purse.coins,
        purse.fold,
        purse.owner,
        story.causes,
        memory,
    )


def _reborn(stage: PictureStage | ToldStage, look_again: bool) -> None:
    stage.start_again()
    if look_again:
        stage.rest()


def line(one: Game) -> str:
    """One game for people: its seconds and counts, and each fault on a line of its own."""
    counts = ", ".join(f"{what} {n}" for what, n in sorted(one.counts.items()))
    whose = one.coins + (f" {one.owner}" if one.owner else "")
    faults = [*one.wrong, *([one.stuck] if one.stuck else [])]
    return "\n    ".join([f"{one.game} {one.seed} {one.light} {whose}: {one.seconds:.1f} s, {counts}", *faults])


def table(games: Iterable[Game]) -> str:
    """The games as a Markdown table: a line for each game, light, way of dying, coins, network and memory."""
    lines = [
        "| game | light | killed | coins | network | memory | games | right end | turns | mistakes | refused by clause "
        "| wrong rulings | questions | coins put right | asked in ten turns | deaths "
        "| ms a ruling, p99 | ms to the page, p95 |",
        "|---|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    groups: dict[tuple[str, ...], list[Game]] = {}
    for one in games:
        groups.setdefault((one.game, one.light, one.kill, one.coins, one.network, one.memory), []).append(one)
    for key, some in sorted(groups.items()):
        total = Counter[str]()
        for one in some:
            total.update(one.counts)
        helped = total["corrections"] + total["laid anew"]
        asked = total["questions"] + helped
        ruled = [ms for one in some for ms in one.ruled_ms]
        shown = [ms for one in some for ms in one.shown_ms]
        cells = [
            *(*key, len(some), sum(one.over for one in some), total["turns"], total["mistakes"]),
            *(total["mistake: refused"], sum(len(one.wrong) for one in some), total["questions"]),
            *(helped, f"{10 * asked / max(1, total['turns']):.2f}", sum(one.restarts for one in some)),
            f"{np.percentile(ruled, 99):.1f}" if ruled else "–",
            f"{np.percentile(shown, 95):.0f}" if shown else "–",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)
