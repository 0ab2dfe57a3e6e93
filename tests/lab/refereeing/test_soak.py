"""The soak test: short games, its log, its table and its curve. Long runs are in lab/log/."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from lab import held_out
from lab.front import main
from lab.reading.causes import Cause
from lab.reading.cutouts import Side
from lab.reading.purses import LEAST, Pockets
from lab.refereeing import light_curve, soak
from lab.refereeing import log as logs
from lab.refereeing.killing import Way
from lab.training.folds import FOLDS
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.art import designs, draw_coin
from tablecoin.vision.coins.network import Networks

SHORT: dict[str, dict[str, Any]] = {
    "steal": {"goal": 10},
    "exact": {"goal": 10},
    "goes-around": {"players": 2, "start": 3},
}


@pytest.mark.parametrize(
    ("name", "light"),
    [
        *((name, soak.TOLD) for name in SHORT),
        pytest.param("coin-wars", soak.TOLD, marks=pytest.mark.long),
        *(pytest.param(name, "good", marks=pytest.mark.long) for name in (*SHORT, "coin-wars")),
    ],
)
def test_a_game_ends_rightly(name: str, light: str) -> None:
    """With no light the referee is told which coins lie on the table."""
    one = soak.play(name, 4711, light, None, SHORT.get(name))
    assert one.stuck is None
    assert one.wrong == []
    assert one.over


@pytest.mark.long
@pytest.mark.parametrize("light", ["dim", "blurred"])
def test_in_worse_light_no_ruling_is_wrong(light: str) -> None:
    one = soak.play("steal", 4712, light, None, {"goal": 10})
    assert one.wrong == []


@pytest.mark.parametrize(
    ("name", "light", "way"),
    [
        ("exact", soak.TOLD, "thrown-away"),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                ("coin-wars", "good", "thrown-away"),
                ("exact", "good", "thrown-away"),
                ("exact", "good", "killed"),
            )
        ),
    ],
)
def test_a_game_ends_rightly_although_the_program_dies_again_and_again(name: str, light: str, way: Way) -> None:
    one = soak.play(name, 4713, light, way, SHORT.get(name))
    assert one.stuck is None
    assert one.wrong == []
    assert one.over
    assert one.restarts


@pytest.fixture
def pockets(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pockets:
    """Drawn coins stand in for the cut-outs of one photographer in each fold, the pennies worn smooth.

    The parameter is the blur of a worn penny, in hundredths of its diameter. The network that ships reads them.
    """
    blur = getattr(request, "param", 5)
    monkeypatch.setattr(held_out, "networks", lambda fold: Networks.shipped())
    sides = []
    for owner in (fold[0] for fold in FOLDS):
        for kind in BY_VALUE:
            for face in Face:
                for k in range(LEAST):
                    side = Side(kind, face, owner, tmp_path / f"{kind}_{face}_{owner}_{k:04}.png")
                    coin = draw_coin(kind, face, k % designs(kind, face), 100)
                    worn = cv2.GaussianBlur(coin, (0, 0), blur if kind is Denomination.PENNY else 0.3)
                    cv2.imwrite(str(side.picture), worn)
                    sides.append(side)
    return Pockets("owner", sides)


@pytest.mark.long
@pytest.mark.parametrize("pockets", [8], indirect=True)
def test_a_game_with_an_owner_s_coins_keeps_whose_they_are_and_each_cause(pockets: Pockets) -> None:
    one = soak.play("steal", 4711, "good", None, {"goal": 10}, pockets.purse(4711))
    assert (one.coins, one.fold, one.owner, one.network) == ("owner", 4711 % 3, FOLDS[4711 % 3][0], held_out.name())
    assert one.memory == "game"
    told = Counter(cause.what.removesuffix(" about a coin") for cause in one.causes)
    for what, counted in (("question", "questions"), ("correction", "corrections"), ("wrong ruling", "wrong")):
        assert told[what] == one.counts.get(counted, 0)
    (coin,) = next(cause.coins for cause in one.causes if cause.what in ("question about a coin", "correction"))
    assert coin.truth
    assert coin.truth.startswith("penny"), "only they are worn"
    assert coin.picture
    assert f"_{one.owner}_" in coin.picture


@pytest.mark.long
@pytest.mark.parametrize(
    ("pockets", "seed"),
    [*[(5, 4711), (5, 4712), (5, 4716), (5, 4717)], *[(8, 4711), (8, 4712), (8, 4713), (8, 4717)]],
    indirect=["pockets"],
)
def test_pennies_worn_smooth_are_asked_about_and_do_not_decide_a_toss(pockets: Pockets, seed: int) -> None:
    """They look alike whichever side lies up. Where sure ones of the picture voted on the others, the first four games
    went wrong; the last four did where a penny that the table remembered decided the faces of all others.
    """
    one = soak.play("steal", seed, "good", None, {"goal": 10}, pockets.purse(seed))
    assert (one.wrong, one.over) == ([], True)


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
    assert [one.seed for one in logs.read(log, soak.Game)] == [1, 2]
    assert logs.read(tmp_path / "none.jsonl", soak.Game) == []


def test_a_game_in_the_log_is_not_played_again(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    log.write_bytes(msgspec.json.encode(game(network=soak.network(), memory="game")) + b"\n")
    again = CliRunner().invoke(main, ["play", "steal", "--games", "1", "--seed", "1", "--log", str(log)])
    assert len(logs.read(log, soak.Game)) == 1
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


def test_games_with_real_coins_stand_in_a_line_of_their_own() -> None:
    games = [game(), game(coins="owner", owner="somebody", seed=2), game(coins="owner", owner="else", seed=3)]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in soak.table(games).splitlines()]
    assert [(row[3], row[6]) for row in rows] == [("coins", "games"), ("---", "--:"), ("drawn", "1"), ("owner", "2")]


def test_a_line_of_the_log_without_a_memory_is_a_game_without_any_and_stands_in_a_line_of_its_own(
    tmp_path: Path,
) -> None:
    log = tmp_path / "soak.jsonl"
    old = {name: value for name, value in msgspec.to_builtins(game()).items() if name != "memory"}
    log.write_bytes(msgspec.json.encode(old) + b"\n")
    logs.add(log, game(memory="game"))
    played = logs.read(log, soak.Game)
    assert [one.memory for one in played] == ["none", "game"]
    assert len({one.key for one in played}) == 2
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in soak.table(played).splitlines()]
    assert [(row[5], row[6]) for row in rows] == [("memory", "games"), ("---", "--:"), ("game", "1"), ("none", "1")]


@pytest.mark.parametrize(
    ("asked", "light", "kill", "played"),
    [
        ("game", "good", None, "game"),
        ("none", "good", None, "none"),
        ("game", "good", "killed", "none"),
        ("game", soak.TOLD, None, "none"),
    ],
)
def test_a_program_that_dies_and_one_without_pictures_play_without_memory(
    asked: soak.Lasts, light: str, kill: Way | None, played: soak.Lasts
) -> None:
    assert soak.lasting(asked, light, kill) == played


def test_the_log_of_a_game_tells_its_memory(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    short = ["--games", "1", "--light", soak.TOLD, "--options", '{"goal": 10}', "--log", str(log)]
    CliRunner().invoke(main, ["play", "steal", *short], catch_exceptions=False)
    (one,) = logs.read(log, soak.Game)
    assert (one.light, one.memory) == (soak.TOLD, "none")


def test_the_report_tells_the_causes(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    logs.add(log, game(causes=[Cause("question", (), "What was it?")]))
    told = CliRunner().invoke(main, ["report", str(log), "--causes"]).stdout
    assert "| 1 | question | every coin was read rightly and surely | steal 1: – | What was it? |" in told


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
