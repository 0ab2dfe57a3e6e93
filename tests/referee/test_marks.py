"""Which coin to take away, move, turn over or put, and where: what a drawn table marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tablecoin.referee.commands import Act, Start
from tablecoin.referee.marks import MOST_PUT
from tablecoin.referee.referee import Referee
from tests.referee.table import NO_CAMERA, Table

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


def in_turn() -> tuple[Referee, Table]:
    """Steal after the first toss: three pennies lie in Heads' row, two in Tails'. It is Heads' turn."""
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act(TOSS), None)
    table.put("row.heads", *["penny"] * 3).put("row.tails", *["penny"] * 2)
    referee.see(table.look())
    return referee, table


# What is done to the table -> each mark as (do, coin's number, coin, zone)
CASES: dict[str, tuple[Callable[[Table], object], list[tuple[str, int | None, str | None, str]]]] = {
    "nothing wrong": (lambda table: None, []),
    "a quarter is too high: it goes": (
        lambda table: table.put("row.heads", "quarter"),
        [("take", 5, "quarter", "row.heads")],
    ),
    "of pennies alike the new one goes": (
        lambda table: table.put("row.tails", "penny"),
        [("take", 5, "penny", "row.tails")],
    ),
    "a penny in the wrong row is moved": (
        lambda table: table.take("row.heads", "penny").put("row.tails", "penny"),
        [("move", 4, "penny", "row.heads")],
    ),
    "a penny that is gone is put back": (
        lambda table: table.take("row.tails", "penny"),
        [("put", None, "penny", "row.tails")],
    ),
    "a coin that is none of ours goes": (
        lambda table: table.put("row.tails", "penny").put("row.heads", "token"),
        [("take", 6, None, "row.heads"), ("take", 5, "penny", "row.tails")],
    ),
}


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES)
def test_what_hands_have_to_do(
    change: Callable[[Table], object], expected: list[tuple[str, int | None, str | None, str]]
) -> None:
    referee, table = in_turn()
    change(table)
    referee.see(table.hand())
    referee.see(table.look())
    marks = referee.snapshot().table.marks
    assert [(mark.do, mark.coin, mark.denomination, mark.zone) for mark in marks] == expected


def test_a_coin_that_lay_there_is_put_back_where_it_lay() -> None:
    referee, table = in_turn()
    gone = table.coins[-1]
    table.take("row.tails", "penny").take("row.tails", "penny")
    referee.see(table.hand())
    referee.see(table.look())
    assert gone.place_mm in [mark.to_mm for mark in referee.snapshot().table.marks]


def test_places_are_given_to_a_tenth_of_a_millimetre() -> None:
    referee, table = in_turn()
    table.coins[-1] = replace(table.coins[-1], place_mm=(200.04, 0.26))
    referee.see(table.hand())
    referee.see(table.look())
    table.coins.pop()
    referee.see(table.hand())
    referee.see(table.look())
    assert [mark.to_mm for mark in referee.snapshot().table.marks] == [(200.0, 0.3)]


def test_too_many_coins_in_a_toss_are_marked_and_those_lacking_are_not() -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 6)
    referee.see(table.look())
    assert [mark.do for mark in referee.snapshot().table.marks] == ["take"]
    table.toss("penny:heads")
    referee.see(table.look())
    assert referee.snapshot().table.marks == ()


def test_a_coin_wrong_side_up_is_turned() -> None:
    """Coin Age after an undo: the dime on the space must show tails again."""
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("coin-age", {}), None)
    referee.lose_camera(NO_CAMERA)
    for act in ({"do": "flip", "coins": ["penny:heads", "nickel:tails", "dime:tails", "quarter:tails"]},
                {"do": "place", "coin": "penny", "space": "M1"}):  # fmt: skip
        referee.command(Act(act), None)
    match = referee.match
    assert match
    for zone, pile in match.game.layout(match.state).items():
        faces = ["heads"] * len(pile.heads or ()) + ["tails"] * (len(pile.heap) - len(pile.heads or ()))
        table.put(zone, *(f"{kind}:{face}" for kind, face in zip(pile.heap, faces, strict=True)))
    table.clear("space.M1").put("space.M1", "penny:tails")
    referee.see(table.look())
    (mark,) = referee.snapshot().table.marks
    assert (mark.do, mark.denomination, mark.face, mark.zone) == ("turn", "penny", "heads", "space.M1")


def test_no_more_coins_are_marked_than_a_zone_has_room_for() -> None:
    """A house rule may ask for ten thousand pennies in every bank: a picture of that is drawn for ever."""
    referee = Referee(lambda events: None)
    referee.command(Start("goes-around", {"players": 2, "start": 10_000}), None)
    referee.see(Table().look())
    shown = referee.snapshot().table
    assert [each.missing.penny for each in shown.differences] == [10_000, 10_000]
    assert len(shown.marks) == 2 * MOST_PUT
