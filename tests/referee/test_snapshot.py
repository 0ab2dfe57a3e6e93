"""The JSON of a snapshot keeps its shape: pages, players' own programs and the acceptance checks read it.

`snapshot_shape.json` was recorded from the referee before its snapshot had types: 675 snapshots of the games in
`games/`, of the lobby and of a question.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from lab.refereeing.told import ToldStage
from tablecoin import rules
from tablecoin.referee.commands import Act, Answer, Dispute, Pause, Start
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import PromptKind, Snapshot
from tests.referee.snapshot_shape import shape_of
from tests.referee.table import NO_CAMERA, Table
from tests.referee.test_games import GAMES, play

# A part of each game, in which every prompt comes up; and all of them.
PART = {"steal-2": None, "exact-1": 20, "goes-around-1": 90, "coin-wars-4": 30, "coin-age-2": 15}  # lines
WHOLE = dict.fromkeys(file.stem for file in GAMES.glob("*.txt"))

RECORDED: dict[str, list[str]] = json.loads(Path(__file__).with_name("snapshot_shape.json").read_text("utf-8"))


def written(snapshot: Snapshot) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(msgspec.json.encode(snapshot))
    return body


def replayed(name: str, most: int | None) -> list[dict[str, Any]]:
    """The snapshots of so many lines of a recorded game: one after each look and each command."""
    first, *lines = (GAMES / f"{name}.txt").read_text("utf-8").splitlines()[:most]
    stage = ToldStage(json.loads(first.removeprefix("mat ")), seed=0)
    shown = [written(stage.referee.snapshot())]
    for line in lines:
        what, _, rest = line.partition(" ")
        play(stage, what, rest)
        if what in ("look", "!"):
            shown.append(written(stage.referee.snapshot()))
    return shown


def asking() -> list[dict[str, Any]]:
    """A question, for one coin of a toss can hardly be read; and the same when the camera is gone."""
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}, {"heads": "person", "tails": "person"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny", heads=0.6, also={"dime": 0.2})
    referee.see(table.look())
    asked = written(referee.snapshot())
    referee.lose_camera(NO_CAMERA)
    return [asked, written(referee.snapshot())]


def interrupted() -> list[dict[str, Any]]:
    """A dispute, a request to the other seat, and a break."""
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    referee.command(Dispute(), "heads")
    shown = [written(referee.snapshot())]
    for command, seat in ((Answer(1), "heads"), (Answer(1), "tails"), (Answer(0), "heads"), (Pause(), "tails")):
        referee.command(command, seat)
        shown.append(written(referee.snapshot()))
    return shown


@pytest.mark.parametrize(
    "games", [pytest.param(PART, id="part"), pytest.param(WHOLE, id="whole", marks=pytest.mark.long)]
)
def test_the_json_has_the_shape_that_was_recorded(games: dict[str, int | None]) -> None:
    snapshots = [each for name, most in games.items() for each in replayed(name, most)] + asking() + interrupted()
    assert {shown["prompt"]["kind"] for shown in snapshots} == set(get_args(PromptKind)), "every prompt is compared"
    assert {shown["game"]["game"] for shown in snapshots if shown["game"]} == set(rules.NAMES)
    shape = shape_of(snapshots)
    assert {path: shape.get(path) for path in RECORDED} == RECORDED  # more may stand beside it, nothing less


def test_a_json_schema_can_be_written() -> None:
    (schema,), parts = msgspec.json.schema_components([Snapshot])
    assert schema == {"$ref": "#/$defs/Snapshot"}
    assert parts["Snapshot"]["required"] == list(Snapshot.__struct_fields__)
