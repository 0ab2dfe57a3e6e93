"""Evenings: one owner plays three games at one table with the same coins, and the table learns them meanwhile.

The coins of a game lie there when the next one begins, and are used first. A coin that the page advises to play without
is put aside for the rest of the evening. People and pictures are those of the soak. Each evening is played twice, with
learning and without, with the same seeds; it is one line of a log, so that a long run may be stopped at any moment and
goes on from there.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable
from random import Random
from typing import Any, Literal

import msgspec

from lab.reading.purses import Purse
from lab.refereeing.aside import Aside
from lab.refereeing.attentive import Attentive, Memory
from lab.refereeing.people import People
from lab.refereeing.soak import ACCIDENTS, MISTAKES, PAUSES, network
from lab.refereeing.stage import PictureStage, Restless
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.live.learning import Learner
from tablecoin.referee.referee import Referee
from tablecoin.virtual.table import TableError
from tablecoin.virtual.view import View

GAMES = 3  # of an evening
FOLDS = 3  # the purse of an evening is of fold `number` modulo this, so games change every so many evenings
OPTIONS: dict[str, dict[str, Any]] = {  # short games
    "steal": {"goal": 15},
    "exact": {"goal": 15},
    "goes-around": {"players": 2, "start": 3},
    "coin-age": {},
    "coin-wars": {},
}
Learning = Literal["on", "off"]


class Played(msgspec.Struct, frozen=True):
    """One game of an evening."""

    over: bool
    stuck: str | None
    wrong: list[str]  # one sentence for each wrong ruling
    counts: dict[str, int]
    remembered: int  # coins, when it ended

    @property
    def asked(self) -> int:
        """Questions, corrections, and coins laid anew because they were not seen."""
        return sum(self.counts.get(what, 0) for what in ("questions", "corrections", "laid anew"))


class Evening(msgspec.Struct, frozen=True):
    """One evening as the log keeps it."""

    number: int
    learning: Learning
    game: str
    coins: str
    owner: str | None
    network: str
    games: list[Played]
    seconds: float

    @property
    def key(self) -> tuple[int, Learning, str, str]:
        return self.number, self.learning, self.coins, self.network


def play(number: int, learning: Learning, purse: Purse) -> Evening:
    """Play the evening with this number. Whatever goes wrong in a game, exceptions included, is told in it."""
    name = rules.NAMES[number // FOLDS % len(rules.NAMES)]
    dice = Random(f"evening {number}")
    game = rules.load(name)
    mat = game.mat(game.read_options(OPTIONS[name]))
    view = View.over(
        mats.load(mat),
        size_px=(1280, 960),
        tilt_deg=dice.uniform(0, 8),
        towards_deg=dice.uniform(0, 360),
        roll_deg=dice.uniform(-4, 4),
    )
    memory = Memory(purse, Learner) if learning == "on" else None
    aside = Aside(purse.skin)
    began_s = time.thread_time()
    referee = Attentive(Referee(memory.recorded), memory) if memory else None
    stage = PictureStage(mat, number, view=view, referee=referee, purse=purse)
    if memory:
        memory.begin(stage)
    played = []
    for k in range(GAMES):
        people = People(game, stage, GAMES * number + k, MISTAKES, ACCIDENTS, PAUSES)
        people.sit_down(aside)
        stuck: str | None = None
        try:
            people.play(OPTIONS[name])
        except (Restless, TableError) as error:  # the table never came to rest, or has no room for so many coins
            stuck = str(error)
        except Exception:
            stuck = traceback.format_exc()
        story = people.story
        over = story.over and not story.stuck and stuck is None
        known = len(memory.remembered) if memory else 0
        played.append(Played(over, story.stuck or stuck, story.wrong, dict(story.counts), known))
    took_s = round(time.thread_time() - began_s, 2)
    return Evening(number, learning, name, purse.coins, purse.owner, network(purse.networks), played, took_s)


def line(one: Evening) -> str:
    """One evening for people: what was asked in each game, and each fault on a line of its own."""
    asked = ", ".join(f"{game.asked} ({game.remembered} known)" for game in one.games)
    faults = [fault for game in one.games for fault in (*game.wrong, *([game.stuck] if game.stuck else []))]
    head = f"{one.number} {one.game}, {one.owner or one.coins}, learning {one.learning}: asked {asked}"
    return "\n    ".join([f"{head}; {one.seconds:.0f} s", *faults])


def table(evenings: Iterable[Evening]) -> str:
    """The evenings as a Markdown table: a line for each game of the evening, with learning and without."""
    lines = [
        "| coins | network | learning | game | evenings | right end | turns | questions | coins put right "
        "| asked in ten turns | evenings without any | wrong rulings | coins known |",
        "|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    groups: dict[tuple[str, str, str], list[Evening]] = {}
    for one in evenings:
        groups.setdefault((one.coins, one.network, one.learning), []).append(one)
    for key, some in sorted(groups.items()):
        for k in range(GAMES):
            games = [one.games[k] for one in some]
            turns = sum(game.counts.get("turns", 0) for game in games)
            questions, asked = sum(game.counts.get("questions", 0) for game in games), sum(game.asked for game in games)
            cells = [
                *(*key, k + 1, len(games), sum(game.over for game in games), turns, questions, asked - questions),
                f"{10 * asked / max(1, turns):.2f}",
                *(sum(not game.asked for game in games), sum(len(game.wrong) for game in games)),
                f"{sum(game.remembered for game in games) / len(games):.0f}",
            ]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)
