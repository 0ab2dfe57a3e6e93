"""People put a coin aside when the page advises it, and no coin otherwise."""

from __future__ import annotations

import pytest

from lab.refereeing.aside import Aside
from tablecoin.coins import Denomination, Face
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin

DESIGNS = Skin().designs(Denomination.PENNY, Face.TAILS)


def question(advises: bool) -> str:
    asked = Message("referee.coin.side", {"zone": "The tray", "coin": Denomination.PENNY})
    return sentence(Message("referee.coin.hard", {"asked": asked, "coin": Denomination.PENNY}) if advises else asked)


def penny(design: int, face: Face = Face.TAILS) -> VirtualCoin:
    return VirtualCoin(Denomination.PENNY, face, 0, 0, design=design)


def test_coins_of_a_toss_are_put_aside_too() -> None:
    aside = Aside(Skin())
    aside.heed(sentence(Message("referee.ask.toss.hard", {"asked": Message("referee.ask.toss")})), penny(1))
    assert aside.holds(Denomination.PENNY, 1)


@pytest.mark.parametrize("advises", [True, False])
def test_a_coin_is_put_aside_on_the_page_s_advice_alone(advises: bool) -> None:
    """The virtual table shows the same cut-outs again where it has more coins than there are."""
    aside = Aside(Skin())
    aside.heed(question(advises), penny(2))
    assert aside.holds(Denomination.PENNY, 2) is advises
    assert aside.holds(Denomination.PENNY, 2 + DESIGNS) is advises
    assert not aside.holds(Denomination.PENNY, 1)
    assert not aside.holds(Denomination.DIME, 2)


def test_half_of_the_coins_stay_in_play() -> None:
    aside = Aside(Skin())
    for design in range(DESIGNS):
        aside.heed(question(True), penny(design))
    assert sum(aside.holds(Denomination.PENNY, design) for design in range(DESIGNS)) == DESIGNS // 2
