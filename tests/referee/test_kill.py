"""Killed at any moment, the game goes on to its right end: from the journal, and from what lies on the table.

The games are those of games/*.txt. In one pass the program dies right after each thing it stored, in another right
before; in the long one a real process is killed (SIGKILL) again and again at moments drawn by chance.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from lab.refereeing.told import ToldStage
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.referee.referee import Referee
from tablecoin.virtual.table import VirtualCoin
from tests.referee.test_games import GAMES, play

FILES = sorted(GAMES.glob("*.txt"))
_MOST_DEATHS = 20  # in one line


class Killed(BaseException):
    """The program died here."""


class Mortal:
    """A stage whose referee keeps its events in a journal and dies at each thing stored: right before, or after."""

    def __init__(self, mat: str, journal: Journal, dies: Literal["before", "after", "never"]) -> None:
        self.eyes, self.journal, self.dies, self.deaths = ToldStage(mat, seed=0), journal, dies, 0
        self._died_before = -1
        self.thrown = False  # coins were laid into the zones of a toss, and the referee has not looked since
        self._spared = True
        self.begin()

    def begin(self) -> None:
        """Start the program: the referee takes up the journal's newest game, and looks at the table."""
        self.eyes.referee = Referee(self._store)
        self.eyes.referee.restore([event for _, event in self.journal.newest_game()], self.journal.count())

    def _store(self, events: Sequence[Event]) -> None:
        count = self.journal.count()
        if self.dies == "before" and self._died_before != count:
            self._died_before = count
            raise Killed
        self.journal.append(events)
        self._spared = not self._spared
        if self.dies == "after" and not self._spared:  # every other time, or a refusal told again would never end
            raise Killed

    def play(self, what: str, rest: str) -> None:
        """One line of a game, whatever happens: people look at the page afterwards and do what was not done."""
        before = self.journal.count()
        for _ in range(_MOST_DEATHS):
            try:
                play(self.eyes, what, rest)
                self.thrown = what == "+" and (self.thrown or self._lies_in_a_toss(rest))
                return
            except Killed:
                self.deaths += 1
                self.begin()
            self.look_again(before)
            if what == "look" or (what == "!" and self._was_done(rest, before)):
                return
        raise AssertionError(f"never got past {what} {rest}")

    def look_again(self, before: int) -> None:
        """After a restart, the journal having held `before` events when people last saw it work."""
        for _ in range(_MOST_DEATHS):
            try:
                self.eyes.settle()
                if self.thrown and not self._was_counted(before):
                    self._toss_again()
                return
            except Killed:
                self.deaths += 1
                self.begin()
        raise AssertionError("it dies at every look")

    def _lies_in_a_toss(self, rest: str) -> bool:
        match = self.eyes.referee.match
        _, x, y = rest.split()
        due = match.game.tosses_due(match.state) if match else {}
        return self.eyes.table.mat.zone_at(float(x), float(y)) in due

    def _was_counted(self, before: int) -> bool:
        """Whether the toss is in the journal; people see so by the ruling the new program shows."""
        events = self._since(before)
        return any(isinstance(event, Acted) and event.action["do"] == "flip" for event in events)

    def _toss_again(self) -> None:
        """After a restart nobody knows whether the coins in a tray were tossed; people toss again (the same falls)."""
        match = self.eyes.referee.match
        due = match.game.tosses_due(match.state) if match else {}
        coins = self.eyes.table.scene.coins
        thrown = [coin for coin in coins if self.eyes.table.mat.zone_at(coin.x_mm, coin.y_mm) in due]
        if not thrown:
            return
        moved = [_nudged(coin, 2.0) if coin in thrown else coin for coin in coins]
        self.eyes.table.put(moved)
        self.eyes.settle()
        self.eyes.table.put(coins)
        self.eyes.settle()

    def _since(self, before: int) -> list[Event]:
        """The events the journal holds beyond its first `before`."""
        new = self.journal.count() - before
        return [event for _, event in self.journal.newest_game()][-new:] if new else []

    def _was_done(self, rest: str, before: int) -> bool:
        """Whether the command of this line is in the journal."""
        ((kind, body),) = json.loads(rest).items()
        if self.journal.count() == before:
            return False
        new = self._since(before)
        if kind == "start":
            return isinstance(new[-1], Started)
        acts = [event for event in new if isinstance(event, Acted)]
        if kind == "act":
            return any(event.action == body for event in acts)
        return any(event.by == "button" for event in acts) or not acts


def _nudged(coin: VirtualCoin, by_mm: float) -> VirtualCoin:
    return msgspec.structs.replace(coin, x_mm=coin.x_mm + by_mm)


def lines(file: Path, most: int | None = None) -> Iterator[tuple[str, str]]:
    for line in file.read_text("utf-8").splitlines()[:most]:
        what, _, rest = line.partition(" ")
        yield what, rest


def state_of(eyes: ToldStage) -> dict[str, Any]:
    match = eyes.referee.match
    assert match
    return match.game.write_state(match.state)


@cache
def undisturbed(file: Path, most: int | None) -> dict[str, Any]:
    """The state after so many lines where nothing dies."""
    (_, mat), *rest = lines(file, most)
    eyes = ToldStage(json.loads(mat), seed=0)
    for what, told in rest:
        play(eyes, what, told)
    return state_of(eyes)


@pytest.mark.parametrize("dies", ["before", "after"])
@pytest.mark.parametrize(
    ("file", "most"),
    [
        *(pytest.param(file, 90, id=file.stem) for file in FILES if file.stem.endswith(("-1", "-2"))),
        *(pytest.param(file, None, id=f"{file.stem} whole", marks=pytest.mark.long) for file in FILES),
    ],
)
def test_dying_at_every_single_write(
    file: Path, most: int | None, dies: Literal["before", "after"], tmp_path: Path
) -> None:
    """`most`: how many lines of the game are played."""
    (_, mat), *rest = lines(file, most)
    journal = Journal(tmp_path / "journal.sqlite")
    mortal = Mortal(json.loads(mat), journal, dies)
    for what, told in rest:
        if what in ("+", "-", "!", "look"):
            mortal.play(what, told)
    assert state_of(mortal.eyes) == undisturbed(file, most)
    assert mortal.deaths > 3
    journal.close()


PROGRAM = """
import json, sys
from pathlib import Path
from tests.referee.test_kill import Mortal, lines
from tablecoin.journal.journal import Journal

file, journal, first = Path(sys.argv[1]), Journal(Path(sys.argv[2])), int(sys.argv[3])
every = list(lines(file))
mortal = Mortal(json.loads(every[0][1]), journal, "never")
for number, (what, rest) in enumerate(every):
    if what in "+-" and number < first:
        mortal.eyes  # what lay there lies there still
        mortal.play(what, rest)
        continue
    if number < first and what == "look":
        mortal.thrown = False
    if number < first or what not in ("+", "-", "!", "look"):
        continue
    if number == first:
        mortal.look_again(int(sys.argv[4]))
        if what == "!" and mortal._was_done(rest, int(sys.argv[4])):
            continue
    print(number, journal.count(), flush=True)
    mortal.play(what, rest)
match = mortal.eyes.referee.match
print("end", json.dumps(match.game.write_state(match.state)), flush=True)
"""


def goes_on_though_killed(file: Path, journal: Path, dice: random.Random, kills: int) -> int:
    """Play the game in processes of which the first `kills` are killed after a while; how many really were."""
    first, count, done = 0, 0, 0
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    for _ in range(kills + 1):
        command = [sys.executable, "-c", PROGRAM, str(file), str(journal), str(first), str(count)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
            assert child.stdout
            stop = first + dice.randint(1, 60) if done < kills else None
            for line in child.stdout:
                if line.startswith("end "):
                    wanted = next(rest for what, rest in lines(file) if what == "end")
                    assert json.loads(line.removeprefix("end ")) == json.loads(wanted)
                    return done
                first, count = map(int, line.split())
                if stop is not None and first >= stop:
                    os.kill(child.pid, signal.SIGKILL)
                    done += 1
                    break
        assert child.wait() in (0, -signal.SIGKILL), f"the program fell over near line {first + 1}"
    raise AssertionError("the game did not come to its end")


@pytest.mark.long
@pytest.mark.parametrize("file", FILES[::3], ids=lambda file: file.stem)
def test_a_process_killed_again_and_again_comes_to_the_right_end(file: Path, tmp_path: Path) -> None:
    assert goes_on_though_killed(file, tmp_path / "journal.sqlite", random.Random(file.stem), kills=3) >= 1
