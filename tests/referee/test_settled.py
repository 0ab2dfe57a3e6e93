"""What the referee calls settled about the coins on the table: a label only people or the rules gave."""

from __future__ import annotations

import pytest

from tablecoin.coins import Denomination, Face
from tablecoin.referee.commands import Answer, Correct, Undo
from tablecoin.referee.settled import SettledCoin
from tests.referee.test_referee import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig().setup(3)


def at(rig: Rig, zone: str) -> list[SettledCoin]:
    return [one for one in rig.referee.settled_coins if one.seen.zone == zone]


def names(rig: Rig, zone: str) -> list[tuple[Denomination, Face | None, str]]:
    return [(one.kind, one.face, one.by) for one in at(rig, zone)]


def test_a_lawful_act_settles_a_doubtful_coin(rig: Rig) -> None:
    rig.table.put("row.heads", "penny", also={"nickel": 0.2})
    rig.see()
    doubtful = next(one for one in at(rig, "row.heads") if not one.seen.sure)
    assert (doubtful.kind, doubtful.by) == (Denomination.PENNY, "ruling")


def test_nothing_is_settled_under_a_hand_or_while_the_table_differs_from_the_state(rig: Rig) -> None:
    assert rig.referee.settled_coins
    rig.table.put("row.heads", "quarter")
    rig.see()
    assert rig.prompt.kind in ("refused", "paused")
    assert rig.referee.settled_coins == ()
    rig.table.take("row.heads", "quarter")
    rig.referee.see(rig.table.hand())
    assert rig.referee.settled_coins == ()


def test_nothing_is_settled_after_an_undo_until_the_table_shows_the_state_again(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.referee.command(Undo(), None)
    rig.see()
    assert rig.referee.settled_coins == ()
    rig.table.take("row.heads", "penny")
    rig.see()
    assert len(at(rig, "row.heads")) == 3


def test_a_correction_settles_its_coin_whatever_the_table_shows(rig: Rig) -> None:
    rig.table.put("row.heads", "quarter")
    rig.see()
    number = next(coin.i for coin in rig.state.table.coins if coin.denomination == "quarter")
    rig.referee.command(Correct(number, Denomination.NICKEL, Face.TAILS), None)
    assert (Denomination.NICKEL, Face.TAILS, "correction") in names(rig, "row.heads")


def test_an_answer_settles_the_coins_of_a_toss() -> None:
    rig = Rig()
    rig.see()
    rig.table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny", heads=0.6, also={"dime": 0.2})
    asked = rig.see().prompt
    assert (asked.kind, rig.referee.settled_coins) == ("question", ())
    rig.referee.command(Answer(0), None)
    assert sorted(names(rig, "tray")) == [(Denomination.PENNY, Face.HEADS, "answer")] * 4 + [
        (Denomination.PENNY, Face.TAILS, "answer")
    ]


def test_a_toss_ruled_on_without_a_question_settles_only_coins_the_reader_was_sure_of() -> None:
    rig = Rig()
    rig.see()
    rig.table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny:tails", also={"nickel": 0.15})
    assert rig.see().prompt.kind == "arrange"
    assert sorted(names(rig, "tray")) == [(Denomination.PENNY, Face.HEADS, "ruling")] * 3 + [
        (Denomination.PENNY, Face.TAILS, "ruling")
    ]


def test_two_coins_of_a_zone_that_may_be_the_other_way_round_are_not_settled() -> None:
    """An answer says that three showed heads and two tails, but not which of two equally doubtful ones."""
    rig = Rig()
    rig.see()
    rig.table.put("tray", "penny:heads", "penny:heads", "penny:tails")
    rig.table.put("tray", "penny", "penny", heads=0.55, also={"nickel": 0.1})
    rig.see()
    rig.referee.command(Answer(0), None)  # the likeliest: one of the two showed heads
    assert len(at(rig, "tray")) == 3
    assert all(one.seen.heads != 0.55 for one in at(rig, "tray"))
