"""The order of a row: while the camera sees a row out of order, people are reminded, and play goes on (ruling S6)."""

from __future__ import annotations

import pytest

from tablecoin.referee.commands import Act, Press, Start
from tablecoin.referee.referee import Referee
from tests.referee.table import NO_CAMERA, Table, game_of

IN_ORDER, OUT_OF_ORDER = ("nickel", "penny", "penny"), ("penny", "nickel", "penny")


def laid(row: tuple[str, ...], **options: object) -> tuple[Referee, Table]:
    """Tails is to move. Heads has a nickel and two pennies, and laid them so from left to right."""
    referee = Referee(lambda events: None)
    referee.command(Start("exact", {"starter": "heads", **options}), None)
    referee.lose_camera(NO_CAMERA)
    give = {"do": "convert", "give": {"penny": 5}, "take": "nickel"}
    placed = {"do": "place", "coin": "penny"}
    for act in ({"do": "flip", "coins": ["penny:heads"] * 5}, give, placed, {"do": "done"}, placed, {"do": "done"},
                placed, {"do": "done"}):  # fmt: skip
        assert referee.command(Act(act), None) == (True, None)
    table = Table().put("row.heads", *row).put("row.tails", "penny")
    referee.see(table.look())
    return referee, table


def reminded(referee: Referee) -> list[str]:
    shown = referee.snapshot()
    return [said.texts["en"] for said in shown.health.said if said.code == "referee.order"]


@pytest.mark.parametrize(
    ("row", "options", "reminder"),
    [
        (IN_ORDER, {}, []),
        (OUT_OF_ORDER, {}, ["Heads' row is out of order: please slot in 1 penny where it fits by value. "
                            "Play goes on as it is."]),
        (OUT_OF_ORDER, {"strict_order": "off"}, []),
    ],
)  # fmt: skip
def test_a_row_out_of_order_is_said(row: tuple[str, ...], options: dict[str, object], reminder: list[str]) -> None:
    referee, _ = laid(row, **options)
    assert (referee.snapshot().prompt.kind, reminded(referee)) == ("turn", reminder)


def test_it_refuses_nothing_and_goes_when_the_coin_is_slotted_in() -> None:
    referee, table = laid(OUT_OF_ORDER)
    table.put("row.tails", "penny")
    referee.see(table.hand())
    assert reminded(referee) == []  # nobody is told while hands are over the table
    referee.see(table.look())
    assert reminded(referee)
    assert game_of(referee.snapshot())["totals"] == {"heads": 7, "tails": 2}
    assert referee.command(Press("tails.done"), None) == (True, None)
    table.clear("row.heads").put("row.heads", *IN_ORDER)
    referee.see(table.hand())
    referee.see(table.look())
    assert reminded(referee) == []
