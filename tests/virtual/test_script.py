"""Scripts: every line is carried out, the same seed gives the same table, and a bad line says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablecoin import mat
from tablecoin.coins import Denomination
from tablecoin.virtual.script import ScriptError, play, read
from tablecoin.virtual.table import Scene, VirtualTable

PLAY = """
# a little of everything
place penny heads row.heads
place dime tails 210 40
move penny row.heads row.tails
flip penny row.tails
toss tray quarter nickel nickel
take nickel tray
hand on tray
fault glare on   # the lamp
wait 0.5
hand off
press heads.done
"""


def played(text: str, seed: int = 1) -> tuple[Scene, list[object]]:
    table = VirtualTable(mat.load("two-row"), seed=seed, clock=lambda: 0.0)
    heard: list[object] = []
    play(text, table, press=heard.append, wait=heard.append)
    return table.scene, heard


def test_every_line_is_carried_out_in_order() -> None:
    scene, heard = played(PLAY)
    assert heard == [0.5, "heads.done"]
    assert sorted(str(coin.coin.denomination) for coin in scene.coins) == ["dime", "nickel", "penny", "quarter"]
    penny = next(coin for coin in scene.coins if coin.denomination is Denomination.PENNY)
    assert penny.face == "tails"
    assert mat.load("two-row").zone_at(penny.x_mm, penny.y_mm) == "row.tails"
    assert scene.faults.glare
    assert not scene.hand


def test_a_table_is_cleared_by_zone_or_whole() -> None:
    laid = "place penny heads row.heads\nplace dime tails tray\n"
    scene, _ = played(laid + "clear tray")
    assert [coin.denomination for coin in scene.coins] == [Denomination.PENNY]
    assert not played(laid + "clear")[0].coins


def test_the_same_seed_gives_the_same_table() -> None:
    assert played(PLAY, seed=4) == played(PLAY, seed=4)
    assert played(PLAY, seed=4) != played(PLAY, seed=5)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("juggle penny", "is no action"),
        ("flip penny", "takes 2 words"),
        ("clear nowhere", "no zone 'nowhere'"),
        ("place euro heads tray", "no coin"),
        ("place penny edge tray", "no side"),
        ("place penny heads nowhere", "no zone 'nowhere'"),
        ("place penny heads ten 20", "not a number"),
        ("move dime bank tray", "no dime in bank"),
        ("fault gremlins on", "gremlins"),
        ("fault glare maybe", "on or off"),
        ("wait long", "not a number"),
        ("wait inf", "not a number"),
        ("wait 1e12", "86400 seconds at most"),
        ("place penny heads nan 20", "not a number"),
        ("place penny heads 20 -inf", "not a number"),
        ("place penny heads 20 1e308", "from -1000 to 2000"),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_number(line: str, said: str) -> None:
    with pytest.raises(ScriptError, match=f"line 2: .*{said}"):
        played(f"# a play\n{line}\n")


def test_a_file_is_read_if_it_is_text(tmp_path: Path) -> None:
    file = tmp_path / "play.txt"
    file.write_text(PLAY)
    assert read(file) == PLAY
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScriptError, match="it is not text"):
        read(file)
