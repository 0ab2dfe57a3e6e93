"""The soak test: short games, its log, its table and its curve. Long runs are in lab/log/."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from lab.front import main
from lab.refereeing import light_curve, soak
from lab.refereeing.killing import Way

SHORT: dict[str, dict[str, Any]] = {
    "steal": {"goal": 10},
    "exact": {"goal": 10},
    "goes-around": {"players": 2, "start": 3},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["steal", "exact", "goes-around", "coin-wars"])
def test_a_game_through_pictures_ends_rightly(name: str) -> None:
    one = soak.play(name, 4711, "good", None, SHORT.get(name))
    assert one.stuck is None
    assert one.wrong == []
    assert one.over


@pytest.mark.slow
@pytest.mark.parametrize("light", ["dim", "blurred"])
def test_in_worse_light_no_ruling_is_wrong(light: str) -> None:
    one = soak.play("steal", 4712, light, None, {"goal": 10})
    assert one.wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), [("coin-wars", "thrown-away"), ("exact", "thrown-away"), ("exact", "killed")])
def test_a_game_ends_rightly_although_the_program_dies_again_and_again(name: str, way: Way) -> None:
    one = soak.play(name, 4713, "good", way, SHORT.get(name))
    assert one.stuck is None
    assert one.wrong == []
    assert one.over
    assert one.restarts


def game(**other: Any) -> soak.Game:
    plain: dict[str, Any] = {
        "game": "steal",
        "seed": 1,
        "light": "good",
        "kill": "no",
        "network": "0123abcd",
        "options": {},
        "over": True,
        "stuck": None,
        "wrong": [],
        "counts": {"turns": 20, "questions": 1, "mistakes": 2, "mistake: refused": 2},
        "restarts": 0,
        "seconds": 5.0,
        "ruled_ms": [1.0, 2.0],
    }
    return soak.Game(**(plain | other))


def test_a_truncated_log_is_read_to_its_last_whole_line(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    whole = [msgspec.json.encode(game(seed=seed)) for seed in (1, 2)]
    log.write_bytes(b"\n".join([*whole, whole[0][:50]]))
    assert [one.seed for one in soak.read_log(log)] == [1, 2]
    assert soak.read_log(tmp_path / "none.jsonl") == []


def test_a_game_in_the_log_is_not_played_again(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    log.write_bytes(msgspec.json.encode(game(network=soak.network())) + b"\n")
    again = CliRunner().invoke(main, ["play", "steal", "--games", "1", "--seed", "1", "--log", str(log)])
    assert len(soak.read_log(log)) == 1
    assert "| steal | good | no |" in again.stdout


def test_the_table_adds_up_the_games() -> None:
    games = [game(), game(seed=2, wrong=["no!"], over=False), game(seed=3, light="dim")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in soak.table(games).splitlines()]
    head, _, dim, good = rows
    told = dict(zip(head, good, strict=True))
    assert dim[1] == "dim"
    assert (told["games"], told["right end"], told["turns"], told["wrong rulings"]) == ("2", "1", "40", "1")
    assert told["asked in ten turns"] == "0.50"
    assert told["refused by clause"] == told["mistakes"] == "4"


def test_the_curve_shows_every_light_and_marks_wrong_rulings() -> None:
    games = [
        game(seed=1),
        game(seed=2, light="blurred", counts={"turns": 10, "questions": 3, "corrections": 1}),
        game(seed=3, light="blurred", counts={"turns": 10}, wrong=["no!"]),
        game(seed=4, light="very-blurred", over=False, counts={"not refereed": 1}),
        game(seed=5, light="blurred", kill="killed", wrong=["not of the light"]),
    ]
    points = light_curve.gathered(games)
    blurred = points["steal", "blurred"]
    assert (blurred.games, blurred.in_ten_turns, blurred.wrong, blurred.refused) == (2, 2.0, 1, 0)
    drawn = light_curve.curve(games, soak.LIGHTS)
    tree = ElementTree.fromstring(drawn)
    words = ["".join(text.itertext()) for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"2 · 1 · 0", "1 · 0 · 1", "steal"} <= set(words)
    assert "exact" not in words, "nobody played it"
    rings = [dot for dot in tree.iter("{http://www.w3.org/2000/svg}circle") if dot.get("stroke")]
    assert len(rings) == 1
