"""The virtual table keeps its coins over restarts; with a broken file it starts empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablecoin import mat as mats
from tablecoin.coins import Coin, Heap
from tablecoin.virtual.memory import keep
from tablecoin.virtual.table import TableError, VirtualTable


def test_coins_keep_their_places(tmp_path: Path) -> None:
    file = tmp_path / "data" / "virtual.json"
    table = VirtualTable(mats.load("two-row"), seed=1)
    keep(table, file)
    table.lay(mats.load("coin-wars"))
    table.place(Coin.DIME_TAILS, "hero")
    again = VirtualTable(mats.load("two-row"), seed=2)
    keep(again, file)
    assert again.mat.name == "coin-wars"
    assert again.scene.coins == table.scene.coins


BROKEN = {
    "empty": "",
    "cut off": "{",
    "a list": "[]",
    "an unknown mat": '{"mat": "moon", "coins": []}',
    "no coins": '{"mat": "two-row", "coins": 3}',
    "deep brackets": "[" * 500_000,
    "deep brackets as a mat": '{"mat": %s, "coins": []}' % ("[" * 800 + "]" * 800),
    "no UTF-8": "{\udcff",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_an_empty_table_and_said_in_one_line(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "virtual.json"
    file.write_text(content, "utf-8", "surrogateescape")
    table = VirtualTable(mats.load("two-row"), seed=1)
    keep(table, file)
    assert table.scene.coins == ()
    (said,) = caplog.messages
    assert "the table starts empty" in said
    assert "\n" not in said


def test_an_endless_file_is_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "virtual.json").symlink_to("/dev/zero")
    table = VirtualTable(mats.load("two-row"), seed=1)
    keep(table, tmp_path / "virtual.json")
    assert table.scene.coins == ()


def test_a_toss_without_room_changes_neither_table_nor_file(tmp_path: Path) -> None:
    file = tmp_path / "virtual.json"
    table = VirtualTable(mats.load("two-row"), seed=1)
    keep(table, file)
    table.place(Coin.DIME_TAILS, "tray")
    with pytest.raises(TableError):
        table.toss(Heap(quarter=90), "tray")
    again = VirtualTable(mats.load("two-row"), seed=2)
    keep(again, file)
    assert again.scene.coins == table.scene.coins
    assert len(table.scene.coins) == 1
