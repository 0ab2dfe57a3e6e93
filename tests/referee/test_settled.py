"""What the referee calls settled about the coins on the table: a label only people or the rules gave."""

from __future__ import annotations

import pytest

from tablecoin.coins import Denomination, Face
from tablecoin.referee.commands import Answer, Correct, Undo
from tablecoin.referee.settled import SettledCoin
from tests.referee.test_doubt import read_as
from tests.referee.test_mistakes import TOSS_3_2, Seated
from tests.referee.test_referee import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig().setup(3)


def at(rig: Rig | Seated, zone: str) -> list[SettledCoin]:
    return [one for one in rig.referee.settled_coins if one.seen.zone == zone]


def names(rig: Rig, zone: str) -> list[tuple[Denomination, Face | None, str]]:
    return [(one.kind, one.face, one.by) for one in at(rig, zone)]


def test_a_lawful_act_settles_a_doubtful_coin() -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_3_2)
    seated.table.coins += [read_as("row.heads", 10, penny=0.95, dime=0.04)]
    assert seated.see().prompt.kind == "turn"
    (doubtful,) = [one for one in at(seated, "row.heads") if not one.seen.sure]
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


TOSSED = "penny:heads", "penny:heads", "penny:tails"
ANSWERED = [
    ("it is clear which of two doubtful coins showed heads", (0.91, 0.3), 5),
    ("they may as well be the other way round", (0.6, 0.6), 3),
]


@pytest.mark.parametrize(("why", "heads", "settled"), ANSWERED, ids=[case[0] for case in ANSWERED])
def test_an_answer_settles_the_coins_of_a_toss(why: str, heads: tuple[float, float], settled: int) -> None:
    """It says that three showed heads and two tails."""
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", *TOSSED)
    seated.table.coins += [read_as("tray", x, heads=h, penny=0.999) for x, h in zip((10, 60), heads, strict=True)]
    asked = seated.see().prompt
    assert asked.choices[0].text == "The pennies fell: 3 for Heads, 2 for Tails."
    assert seated.referee.settled_coins == ()
    seated.referee.command(Answer(0), None)
    assert [one.by for one in at(seated, "tray")] == ["answer"] * settled


def test_a_toss_ruled_on_without_a_question_settles_only_coins_the_reader_was_sure_of() -> None:
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", *TOSSED, "penny:tails")
    seated.table.coins += [read_as("tray", 10, penny=0.95, dime=0.04)]
    assert seated.see().prompt.kind == "arrange"
    assert [(one.by, one.seen.sure) for one in at(seated, "tray")] == [("ruling", True)] * 4
