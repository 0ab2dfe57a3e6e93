"""Each game in one minute: the pictures show what can lie on the game's mat, and the example turn keeps the rules."""

from __future__ import annotations

import pytest

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.coins import Coin, Denomination
from tablecoin.lessons.primer import Picture, Primer, primer
from tablecoin.replay.places import places


def pictures(told: Primer) -> list[Picture]:
    return [each.picture for each in (*told.minute, *told.example) if each.picture]


@pytest.mark.parametrize("game", rules.NAMES)
def test_it_is_told_in_five_or_six_sentences_with_two_or_three_pictures(game: str) -> None:
    told = primer(game)
    assert 5 <= len(told.minute) <= 6
    assert 2 <= len([each for each in told.minute if each.picture]) <= 3


@pytest.mark.parametrize("game", rules.NAMES)
def test_every_coin_of_a_picture_lies_in_its_zone(game: str) -> None:
    mat = mats.load(primer(game).mat)
    for picture in pictures(primer(game)):
        for zone in (*picture.show, *picture.lit):
            assert mat.zone(zone)
        for zone, coins in picture.coins.items():
            kinds = [Denomination(coin.partition(":")[0]) for coin in coins]
            assert all(coin.endswith(":any") or Coin(coin) for coin in coins)
            spots = places(mat.zone(zone), len(coins))
            assert len(kinds) == len(spots)
            assert [spot for spot in spots if not mat.zone(zone).area.holds(*spot)] == []


def test_the_pictures_of_an_example_follow_from_its_acts() -> None:
    shown = [each.picture.coins for each in primer("steal").example if each.picture]
    assert [coins.get("row.heads", ()) for coins in shown] == [("penny:any",) * 5, ("nickel:any",), (), ()]
    assert shown[2]["tray"] == ("nickel:heads", "penny:tails")
