"""Whole games kept as text: what hands did to the virtual table, mistakes included, and what the referee said to it.

Each line is one thing: `+ coin x y` sets a coin down and `- coin x y` takes one away (millimetres on the mat),
`! {command}` presses a button or a phone, `look` lets the hands leave so that the referee sees the table, and `= kind`
is the prompt that must follow, with the clause that was broken or the act that was accepted. The second line tells what
went wrong and how often, the last the state in the end. The files were written by `python -m tests.referee.test_games`,
from games whose every ruling was held against the truth; a change of any ruling shows as a difference in them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lab.refereeing.people import People
from lab.refereeing.seated import Ruler
from lab.refereeing.told import ToldStage
from tablecoin import rules
from tablecoin.coins import Coin
from tablecoin.referee.commands import Command, read_command
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.table import VirtualCoin
from tests.referee.table import ruling_of
from tests.referee.test_people import FEW

GAMES = Path(__file__).parent / "games"
OPTIONS: dict[str, dict[str, Any]] = {"steal": {"goal": 12}, "exact": {"goal": 12}, **FEW}
SEEDS = {"steal": (2, 3), "exact": (1, 4), "coin-age": (2, 5), "goes-around": (1, 3), "coin-wars": (4, 5)}
MISTAKES, ACCIDENTS = 0.15, 0.06


# coin-age-2 is heavy: the one whole game of Coin Age at the table in `make test`; it has the most imaginable acts.
MARKS = {"coin-age-2": [pytest.mark.heavy], "coin-age-5": [pytest.mark.long]}


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, id=file.stem, marks=MARKS.get(file.stem, ())) for file in sorted(GAMES.glob("*.txt"))],
)
def test_the_rulings_are_those_written_down(file: Path) -> None:
    first, *lines = file.read_text("utf-8").splitlines()
    stage = ToldStage(json.loads(first.removeprefix("mat ")), seed=0)
    for number, line in enumerate(lines, 2):
        what, _, rest = line.partition(" ")
        play(stage, what, rest)
        heard = said(stage.referee) if what == "=" else rest
        assert heard == rest, f"line {number}"
    assert what == "end"
    assert stage.referee.match
    match = stage.referee.match
    assert json.loads(json.dumps(match.game.write_state(match.state))) == json.loads(rest)


def test_every_game_is_there_twice_with_mistakes_in_it() -> None:
    files = list(GAMES.glob("*.txt"))
    assert Counter(file.stem.rpartition("-")[0] for file in files) == dict.fromkeys(rules.NAMES, 2)
    for file in files:
        told = json.loads(file.read_text("utf-8").splitlines()[1].removeprefix("# "))
        assert sum(told.get(word, 0) for word in ("mistakes", "accidents", "bad tosses")) >= 1, file.stem


def play(stage: ToldStage, what: str, rest: str) -> None:
    """Do what one line says of hands, buttons and looks."""
    match what:
        case "+":
            coin, x, y = rest.split()
            kind = Coin(coin)
            stage.table.add(VirtualCoin(kind.denomination, kind.face, float(x), float(y)))
        case "-":
            stage.table.put(_without(stage.table.scene.coins, rest))
        case "!":
            ((kind_of, body),) = json.loads(rest).items()
            stage.referee.command(read_command(kind_of, body), None)
        case "look":
            stage.settle()


def said(referee: Ruler) -> str:
    """The prompt's kind, and the clause broken or the act accepted last."""
    snapshot = referee.snapshot()
    ruling = ruling_of(snapshot)
    return f"{snapshot.prompt.kind} {ruling.clause or json.dumps(ruling.action)}"


def _without(coins: tuple[VirtualCoin, ...], rest: str) -> Iterator[VirtualCoin]:
    """`coins` but the topmost that is `coin x y`."""
    gone = next(coin for coin in reversed(coins) if _written(coin) == rest)
    return (coin for coin in coins if coin is not gone)


def _written(coin: VirtualCoin) -> str:
    return f"{coin.coin} {coin.x_mm} {coin.y_mm}"


# -- how the files were written ---------------------------------------------------------------------------------------


class Written(Referee):
    """A referee that writes down what it is asked."""

    def __init__(self, lines: list[str]) -> None:
        self.events: list[Event] = []
        super().__init__(self.events.extend)
        self.lines = lines

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        body = {k: v for k, v in msgspec.to_builtins(command).items() if k != "type"}
        kind = str(type(command).__struct_config__.tag)
        plain = {"press": "button", "act": "action"}
        shown = body[plain[kind]] if kind in plain else body
        self.lines.append(f"! {json.dumps({kind: shown})}")
        return super().command(command, seat)


class WritingEyes(ToldStage):
    """Perfect eyes that write down what changed on the table, and what the referee said of it."""

    def __init__(self, mat: str, seed: int) -> None:
        super().__init__(mat, seed)
        self.lines = [f"mat {json.dumps(mat)}"]
        self.referee = Written(self.lines)
        self._before: tuple[VirtualCoin, ...] = ()

    def settle(self) -> None:
        now = self.table.scene.coins
        same = 0  # what lies at the bottom and was not touched; above it the order matters, for coins are stacked
        while same < min(len(now), len(self._before)) and now[same] == self._before[same]:
            same += 1
        gone = [coin for coin in self._before[same:] if coin not in now] if _in_order(self._before, now) else None
        lifted = self._before[same:] if gone is None else gone
        kept = [coin for coin in self._before if coin not in lifted]
        self.lines += [f"- {_written(coin)}" for coin in reversed(lifted)]
        self.lines += [f"+ {_written(coin)}" for coin in now if coin not in kept]
        self._before = now
        super().settle()
        self.lines += ["look", f"= {said(self.referee)}"]


def _in_order(before: tuple[VirtualCoin, ...], now: tuple[VirtualCoin, ...]) -> bool:
    """Whether the coins that stayed lie beneath all new ones, in the order they lay."""
    stayed = [coin for coin in before if coin in now]
    return list(now[: len(stayed)]) == stayed


def write(name: str, seed: int) -> None:
    """Have people play, hold every ruling against the truth, and keep the game if it is worth keeping."""
    game = rules.load(name)
    eyes = WritingEyes(game.mat(game.read_options(OPTIONS.get(name, {}))), seed)
    story = People(game, eyes, seed, MISTAKES, ACCIDENTS).play(OPTIONS.get(name))
    assert story.wrong == [], story.wrong
    assert story.stuck is None
    match = eyes.referee.match
    assert match
    eyes.lines.append(f"end {json.dumps(match.game.write_state(match.state))}")
    eyes.lines.insert(1, f"# {json.dumps(story.counts)}")
    GAMES.mkdir(exist_ok=True)
    (GAMES / f"{name}-{seed}.txt").write_text("\n".join(eyes.lines) + "\n", "utf-8")
    print(name, seed, len(eyes.lines), dict(story.counts), file=sys.stderr)


if __name__ == "__main__":
    for each, seeds in SEEDS.items():
        for one in seeds:
            write(each, one)
