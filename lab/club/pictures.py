"""A tournament played through pictures: simulated people at virtual tables, a real broker, a real club beside them.

Every table has a camera's pictures, reader, referee, journal and publisher of its own, and a clock that runs as fast as
pictures can be read; the tables take turns. The people know what really happened, so each ruling is compared with it.
The organiser only pairs and publishes. Results are what the tables' records tell, and the standings are counted anew.
"""

from __future__ import annotations

import http.client
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from lab.club.evening import Broker, ClubProcess
from lab.club.tables import StillTable
from lab.refereeing.people import People
from lab.refereeing.seated import Ruler, Stage, Story
from lab.refereeing.stage import PictureStage, Restless
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.club.database import FILE
from tablecoin.journal.journal import Journal
from tablecoin.mqtt.messages import Assignment
from tablecoin.mqtt.options import MqttOptions
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.standing import shown
from tablecoin.referee.commands import read_command
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.virtual.table import TableError
from tablecoin.virtual.view import View
from web.assigned import start_of

Json = dict[str, Any]
MakeStage = Callable[[str, int, Ruler], Stage]  # a mat, a seed and who rules there
WIN, DRAW = 2, 1  # half points
NAMES = ("Ann", "Ben", "Cleo", "Dev", "Elif", "Finn", "Gus", "Hana")
_MISHAPS = 0.05  # share of actions that are done wrongly first, before which a coin falls, or in which hands pause
_PATIENCE_S = 120.0  # for the club to tell or to hear


class Found(msgspec.Struct, frozen=True):
    """What one tournament showed."""

    players: int
    tables: int
    rounds: int
    games: int
    stuck: int  # games that could not be played to their end: the organiser called them drawn
    turns: int
    rulings: int  # events of all journals
    wrong: int  # rulings that led to another state than what happened, or refused what was lawful
    questions: int
    corrections: int  # coins that people put right, or laid anew
    mistakes: int  # done on purpose...
    refused: int  # ...and refused with their clause
    held: int  # rulings that the club holds
    lost: int
    other: int  # that the club has and no table made
    by_tables: int  # results that came from the tables by themselves
    wrong_standings: int  # players whose points or tie-breaks differ from those counted anew
    minutes: float
    tables_core_s: float  # of everything but the club and the broker


class ClubAway(RuntimeError):
    """The club does not answer; `str()` says what was asked."""


def through_pictures(mat: str, seed: int, referee: Ruler) -> Stage:
    """A table under a camera that stands a little askew."""
    view = View.over(mats.load(mat), size_px=(1280, 960), tilt_deg=seed % 8, towards_deg=45 * seed, roll_deg=seed % 4)
    return PictureStage(mat, seed, view=view, referee=referee)


class SeenTable:
    """One table: what its referee records, the publisher tells."""

    def __init__(self, name: str, folder: Path, broker: str, seed: int, stage: MakeStage, mat: str) -> None:
        self.name, self._seed = name, seed
        self.journal = Journal(folder / name / "journal.sqlite")
        self._told, self._referee = StillTable(), Referee(self._record)
        self._stage = stage(mat, seed, self._referee)
        options = MqttOptions(broker=broker, table=name, name=name, home_assistant="off")
        self.publisher = Publisher(options, folder / name, self.journal, self._told)
        self.stories: list[Story] = []

    def stop(self) -> None:
        self.publisher.stop()
        self.journal.close()

    def play(self, task: Assignment) -> Mapping[str, int] | None:
        """Play what the club offers, to its end: half points by name; None where it could not be ended."""
        game = rules.load(task.game)
        self._referee.command(read_command("start", start_of(task) | {"undo": "free"}), None)
        people = People(game, self._stage, self._seed + 1000 * len(self.stories), _MISHAPS, _MISHAPS, _MISHAPS)
        self.stories.append(people.story)
        try:
            people.play()
        except (Restless, TableError) as error:
            people.story.stuck = str(error)
        self._tell()
        match = self._referee.match
        if people.story.stuck or match is None or match.outcome is None:
            return None
        won = [task.names[seat] for seat in match.outcome.winners] or list(task.names.values())
        points = WIN if len(won) == 1 else DRAW
        return {name: points if name in won else 0 for name in task.names.values()}

    def _record(self, events: Sequence[Event]) -> None:
        self.journal.append(events)
        self._tell()

    def _tell(self) -> None:
        self._told.now = shown(self._referee.snapshot())
        self._told.ring()


class Organiser:
    """Who holds the tournament, at the club's own machine."""

    def __init__(self, port: int) -> None:
        self._port, self._path = port, ""

    def begin(self, plan: Json) -> None:
        """Make the tournament, once the club answers. Raises ClubAway."""
        until(lambda: self._asked("GET", "/api/state"), "its state")
        self._path = f"/api/tournaments/{self._call('POST', '/api/tournaments', plan)['number']}"

    def act(self, **body: object) -> Json:
        """Pair, publish and so on. Raises ClubAway."""
        return self._call("POST", f"{self._path}/act", body)

    def look(self) -> Json:
        """The tournament as it stands. Raises ClubAway."""
        return self._call("GET", self._path)

    def rulings(self) -> int:
        """How many rulings the club holds. Raises ClubAway."""
        return int(self._call("GET", "/api/state")["rulings"])

    def wait_for_results(self) -> Json:
        """The tournament once every match has a result. Raises ClubAway."""
        until(lambda: all(match["halves"] for match in self.look()["rounds"][-1]["matches"]), "the results of a round")
        return self.look()

    def _call(self, method: str, path: str, body: object = None) -> Json:
        told: Json = until(lambda: self._asked(method, path, body), f"{method} {path}")
        return told

    def _asked(self, method: str, path: str, body: object = None) -> Json | None:
        """What the club answers; None where it does not answer, or refuses."""
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)) as link:
                head = {"Content-Type": "application/json"} if body is not None else {}
                link.request(method, path, None if body is None else json.dumps(body), head)
                answer = link.getresponse()
                told: Json = json.loads(answer.read())
                return told if answer.status == 200 else None
        except (OSError, http.client.HTTPException, ValueError):
            return None


def tournament(
    folder: Path, players: int, tables: int, game: str, options: Json, seed: int, stage: MakeStage = through_pictures
) -> Found:
    """A Swiss tournament to its end; in its second round the club is killed. RuntimeError: it cannot be run."""
    loaded = rules.load(game)
    mat = loaded.mat(loaded.read_options(options))
    names = [f"{NAMES[i % len(NAMES)]} {i // len(NAMES) + 1}" for i in range(players)]
    began_s, core_s = time.monotonic(), time.process_time()
    broker = Broker(folder)
    club = ClubProcess(folder, broker.port)
    broker.start()
    club.start()
    address = f"127.0.0.1:{broker.port}"
    playing = [SeenTable(f"t{i}", folder, address, 100 * seed + i, stage, mat) for i in range(1, tables + 1)]
    organiser = Organiser(club.port)
    points: list[Mapping[str, int]] = []  # of each game, by name
    try:
        for table in playing:
            table.publisher.start()
        organiser.begin(
            {"name": "Pictures", "system": "swiss", "game": game, "options": options, "players": names,
             "tables": [table.name for table in playing]}
        )  # fmt: skip
        told = organiser.act(do="pair")
        while True:
            told = organiser.act(do="publish")
            points += _play_round(playing, organiser, club)
            told = organiser.wait_for_results()
            if not told["may_pair"]:
                break
            organiser.act(do="pair")
        made = {(table.name, n) for table in playing for n in range(1, table.journal.count() + 1)}
        until(lambda: organiser.rulings() >= len(made), "every ruling")
        minutes, core_s = (time.monotonic() - began_s) / 60, time.process_time() - core_s
    finally:
        for table in playing:
            table.stop()
        club.stop()
        broker.kill()
    held = _held(club.folder)
    counts = Counter[str]()
    for story in (story for table in playing for story in table.stories):
        counts.update(story.counts)
        counts["stuck"] += story.stuck is not None
        counts["games"] += 1
        counts["wrong, told"] += len(story.wrong)
    matches = [match for each in told["rounds"] for match in each["matches"]]
    return Found(
        players=players, tables=tables, rounds=len(told["rounds"]), games=counts["games"], stuck=counts["stuck"],
        turns=counts["turns"], rulings=len(made), wrong=counts["wrong, told"], questions=counts["questions"],
        corrections=counts["corrections"] + counts["laid anew"], mistakes=counts["mistakes"],
        refused=counts["mistake: refused"], held=len(held), lost=len(made - held), other=len(held - made),
        by_tables=sum(match["by"] == "table" for match in matches), wrong_standings=len(differing(told, points)),
        minutes=minutes, tables_core_s=core_s,
    )  # fmt: skip


def _play_round(playing: Sequence[SeenTable], organiser: Organiser, club: ClubProcess) -> list[Mapping[str, int]]:
    """Play every match of the round that is published. In the second round the club is killed after half of them."""
    newest = organiser.look()["rounds"][-1]
    left, points, done = len(newest["matches"]), list[Mapping[str, int]](), set[str]()
    kill_at = left // 2 if newest["number"] == 2 else None
    while left:
        if left == kill_at:
            club.kill()
            club.start()
            kill_at = None
        task = until(lambda: _offered(playing, done), "a match at a table")
        table = next(each for each in playing if each.name == task.table)
        done.add(task.id)
        ended = table.play(task)
        if ended is None:  # the organiser's word
            match = task.id.partition("-")[2].partition("-")[2]
            ended = dict.fromkeys(task.names.values(), DRAW)
            organiser.act(do="result", match=match, winners=_players(organiser.look(), task))
        points.append(ended)
        left -= 1
    return points


def _offered(playing: Sequence[SeenTable], done: set[str]) -> Assignment | None:
    """A match that waits at a table: first at that which has played least."""
    waiting = [each for each in playing if each.publisher.assigned and each.publisher.assigned.id not in done]
    return min(waiting, key=lambda each: len(each.stories)).publisher.assigned if waiting else None


def _players(told: Json, task: Assignment) -> list[str]:
    return [player for player, name in told["players"].items() if name in task.names.values()]


def differing(told: Json, games: Sequence[Mapping[str, int]]) -> list[str]:
    """The players whose line of the standings is not what the games make of it, by name.

    Counted anew, from the games alone: points; Buchholz, the points of everybody whom one met; Sonneborn-Berger, each
    of these times one's own points against them (FIDE Handbook C.07, 2024). There are no byes here.
    """
    points = Counter(dict.fromkeys(told["players"].values(), 0))
    for game in games:
        points.update(game)
    wrong = []
    for line in told["standings"]:
        name = told["players"][line["player"]]
        own = [game for game in games if name in game]
        met = [(game[name], points[other]) for game in own for other in game if other != name]
        counted = points[name], sum(their for _, their in met), sum(mine * their for mine, their in met)
        if counted != (line["halves"], line["buchholz"], line["sonneborn"]):
            wrong.append(name)
    return wrong


def _held(folder: Path) -> set[tuple[str, int]]:
    """Every ruling that the club holds, once it has stopped: table and number."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        return set(db.execute("select tab, number from ruling"))


def until(look: Callable[[], Any], what: str) -> Any:
    """The first that `look` finds. Raises ClubAway after two minutes."""
    end_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end_s:
        if found := look():
            return found
        time.sleep(0.1)
    raise ClubAway(f"the club did not tell {what} within {_PATIENCE_S:.0f} s")
