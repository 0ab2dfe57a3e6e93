"""Reading a toss: are the coins due there, complete, flat and newly tossed; and which results may they show.

A coin is written "penny:heads" where the reader is sure, "penny:heads? 0.6" where its face has 60 %, and
"penny|dime 0.4" where it may be a dime with 40 %.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.events import Acted, Started
from tablecoin.referee.explain import CERTAIN
from tablecoin.referee.match import Match
from tablecoin.referee.toss import (
    fallen_badly,
    lacking,
    other_coins,
    results,
    untouched,
    wrong_coins,
)
from tablecoin.referee.voice import zone_name
from tablecoin.rules.dollar_prize.rows import Toss
from tablecoin.rules.game import Action
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.frame import Disc, SeenCoin, whichever
from tablecoin.vision.place.edges import across_edges

MAT = mats.load("two-row")
TRAY = MAT.zone("tray").area.bounds_mm  # left, top, right, bottom
MIDDLE = MAT.zone("tray").area.center_mm
STEAL = Match.begin(Started(1, "steal", {"starter": "heads"}, {}))
FIVE = {"tray": Heap(penny=5)}  # due at the beginning of Steal
H, T = "penny:heads", "penny:tails"


def coin(text: str, x_mm: float, y_mm: float) -> SeenCoin:
    """A coin at a place on the mat; one pixel is one millimetre."""
    what, _, doubt = text.partition("? ")
    likeliest, _, other = what.partition("|")
    kind, _, face = likeliest.partition(":")
    second, _, share = other.partition(" ")
    p = float(share or 0)
    kinds = dict.fromkeys(BY_VALUE, 0.0)
    if kind != "washer":
        kinds[Denomination(kind)] = 1 - p
    if second:
        kinds[Denomination(second)] = p
    looks = float(doubt or 0.999)
    heads = 1 - looks if face == "tails" else looks
    radius = Denomination(kind).diameter_mm / 2 if kind != "washer" else 11.0
    sure = not other and not doubt and kind != "washer"
    penny, nickel, dime, quarter = kinds.values()
    disc, zone = Disc(x_mm, y_mm, radius), MAT.zone_at(x_mm, y_mm)
    return SeenCoin(disc, (penny, nickel, dime, quarter), whichever(heads), sure, (x_mm, y_mm), zone)


def thrown(*texts: str) -> list[SeenCoin]:
    """Coins in the tray, side by side."""
    return [coin(text, TRAY[0] + 15 + 25 * (k % 4), TRAY[1] + 15 + 30 * (k // 4)) for k, text in enumerate(texts)]


def shown(action: Action) -> tuple[Coin, ...]:
    """The coins of a toss."""
    assert isinstance(action, Toss)
    return action.coins


def key(message: Message | None) -> str | None:
    return message.key if message else None


# -- are exactly the coins due there? ---------------------------------------------------------------------------------

LACKING: list[tuple[str, list[str], str | None, Heap | None]] = [
    ("the five pennies due", [H, H, H, T, T], None, None),
    ("one is still in the hand", [H, H, T, T], "referee.toss.more", Heap(penny=1)),
    ("nothing was thrown yet", [], "referee.toss.more", Heap(penny=5)),
    ("one too many", [H, H, H, T, T, T], "referee.toss.less", Heap(penny=1)),
    ("a dime in place of a penny: take it out first", [H, H, H, T, "dime:heads"], "referee.toss.less", Heap(dime=1)),
    ("a penny that may be a dime counts as the penny due", [H, H, H, T, "penny|dime 0.4"], None, None),
    ("so does a dime that may be a penny", [H, H, H, T, "dime|penny 0.1"], None, None),
    ("a washer for a penny, which may still be one", [H, H, H, T, "washer"], None, None),
    ("two washers: they are named", [H, H, "washer", "washer"], "referee.toss.foreign", None),
    ("a doubted face is no lack", [H, H, H, T, "penny:heads? 0.6"], None, None),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "said", "which"), LACKING, ids=[row[0] for row in LACKING])
def test_what_is_lacking_is_said(what: str, coins: list[str], said: str | None, which: Heap | None) -> None:
    message = lacking(FIVE, TableBelief(thrown(*coins)))
    assert key(message) == said
    assert (message.facts.get("coins") if message else None) == which


WRONG: list[tuple[str, list[str], str | None]] = [
    ("a dime in place of a penny", [H, H, H, T, "dime:heads"], "steal.flip.coins"),
    ("a dime alone", ["dime:heads"], "steal.flip.coins"),
    ("six pennies", [H, H, H, T, T, T], "steal.flip.coins"),
    ("four pennies may yet be five", [H, H, T, T], None),
    ("a penny that may be a dime is no mistake", ["penny|dime 0.4"], None),
]


@pytest.mark.parametrize(("what", "coins", "clause"), WRONG, ids=[row[0] for row in WRONG])
def test_other_coins_than_those_due_are_refused_by_their_clause(
    what: str, coins: list[str], clause: str | None
) -> None:
    refused = wrong_coins(STEAL, TableBelief(thrown(*coins)), FIVE)
    assert (refused[1].clause if refused else None) == clause


# -- did every coin fall flat, apart and inside? ----------------------------------------------------------------------

left, top, right, _ = TRAY
BADLY: list[tuple[str, list[SeenCoin], str | None, Heap | None]] = [
    ("flat, apart and inside", thrown(H, T, T, H, H), None, None),
    ("close to the edge, but inside", [coin(H, left + 0.1, top + 40)], None, None),
    ("across the edge, its centre outside", [coin(H, left - 1, top + 40)], "referee.toss.edge", Heap(penny=1)),
    ("just touching the edge from outside: lies beside the tray", [coin(H, left - 8, top + 40)], None, None),
    ("across the edge of a zone where nothing is due", [coin(H, MAT.zone("bank").area.bounds_mm[0] - 1, top + 40)],
     None, None),
    ("two touch", [coin(H, left + 30, top + 40), coin(T, left + 49.1, top + 40)], None, None),
    ("two overlap by less than the circles are exact", [coin(H, left + 30, top + 40), coin(T, left + 47.5, top + 40)],
     None, None),
    ("one lies on another", [coin(H, left + 30, top + 40), coin("dime:heads", left + 40, top + 40)],
     "referee.toss.overlap", Heap(penny=1, dime=1)),
    ("two overlap in a row: that is no toss", [coin(H, MIDDLE[0], 250), coin(T, MIDDLE[0] + 5, 250)], None, None),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "said", "which"), BADLY, ids=[row[0] for row in BADLY])
@pytest.mark.parametrize("again", ["alone", "all"])
def test_a_coin_that_fell_badly_is_thrown_again(
    what: str, coins: list[SeenCoin], said: str | None, which: Heap | None, again: str
) -> None:
    message = fallen_badly(coins, FIVE, MAT, again)
    assert key(message) == said
    assert (message.facts if message else None) == (
        {"coins": which, "again": Message(f"referee.toss.again.{again}")} if said else None
    )


def test_the_house_rule_says_what_is_thrown_again() -> None:
    across = [coin(H, left - 1, top + 40)]
    alone, every = (fallen_badly(across, FIVE, MAT, again) for again in ("alone", "all"))
    assert alone is not None
    assert every is not None
    assert sentence(alone) != sentence(every)


def test_a_coin_across_an_edge_is_named_with_its_zone() -> None:
    over, inside, beside = coin(H, left - 1, top + 40), coin(T, left + 30, top + 40), coin(T, left - 8, top + 80)
    assert across_edges([over, inside, beside], MAT) == [(over, "tray")]


# -- was it tossed at all? --------------------------------------------------------------------------------------------

BEFORE = coin(H, *MIDDLE)
LAY: list[tuple[str, SeenCoin, bool]] = [
    ("just as it lay", BEFORE, True),
    ("nudged by 1.4 mm", coin(H, MIDDLE[0] + 1.4, MIDDLE[1]), True),
    ("1.6 mm away: another throw", coin(H, MIDDLE[0] + 1.6, MIDDLE[1]), False),
    ("the same place, the other face", coin(T, *MIDDLE), False),
    ("the same place, another coin", coin("dime:heads", *MIDDLE), False),
]


@pytest.mark.parametrize(("what", "now", "same"), LAY, ids=[row[0] for row in LAY])
def test_a_coin_that_lies_as_it_lay_was_not_tossed(what: str, now: SeenCoin, same: bool) -> None:
    assert untouched([now], [BEFORE]) == ((now,) if same else ())


# -- how did it fall? -------------------------------------------------------------------------------------------------

RESULTS: list[tuple[str, list[str], dict[int, float]]] = [
    # pennies that show heads -> share of the probability
    ("three heads, two tails, all clear", [H, H, H, T, T], {3: 1.0}),
    ("one face looks like heads with 60 %: the rest is tails", [H, H, H, T, "penny:heads? 0.6"], {4: 0.585, 3: 0.415}),
    ("a face seen with 92 % is asked about", [H, H, H, H, "penny:heads? 0.92"], {5: 0.857, 4: 0.143}),
    ("two doubted faces", [H, H, H, "penny:heads? 0.5", "penny:tails? 0.5"], {4: 0.5, 5: 0.25, 3: 0.25}),
    ("a penny that may be a dime is taken for the penny due", [H, H, H, T, "penny|dime 0.4"], {4: 0.960}),
    ("even one that looks more like a dime", [H, H, H, T, "dime|penny 0.1"], {4: 0.736}),
    ("the five pennies are not among what these may be", [H, H, "dime:heads", T, T], {}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "shares"), RESULTS, ids=[row[0] for row in RESULTS])
def test_every_result_has_its_share(what: str, coins: list[str], shares: dict[int, float]) -> None:
    found = results(STEAL, TableBelief(thrown(*coins)), FIVE)
    told = {sum(one.face is Face.HEADS for one in shown(action)): share for action, share in found if share > 0.01}
    assert told == pytest.approx(shares, abs=0.02)
    assert [share for _, share in found] == sorted((share for _, share in found), reverse=True)


OTHERS: list[tuple[str, list[str], list[str] | None]] = [
    ("a coin that looks like a dime: four pennies and a dime", [H, H, H, T, "dime|penny 0.1"],
     [H, H, H, T, "dime:heads"]),
    ("a doubted penny may be a dime", [H, H, H, T, "penny|dime 0.4"], [H, H, H, T, "dime:heads"]),
    ("a washer may be no coin: then one only lacks", [H, H, H, T, "washer"], None),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "other"), OTHERS, ids=[row[0] for row in OTHERS])
def test_the_likeliest_toss_of_other_coins_is_offered_as_an_answer(
    what: str, coins: list[str], other: list[str] | None
) -> None:
    found = other_coins(STEAL, TableBelief(thrown(*coins)), FIVE)
    assert (sorted(shown(found[0])) if found else None) == (sorted(map(Coin, other)) if other else None)
    assert (found[1].clause if found else None) == ("steal.flip.coins" if other else None)


# -- tosses in two zones at once: Coin Wars ---------------------------------------------------------------------------


def adventure() -> Match:
    """A scene of Coin Wars that stands before its toss: three coins of the hero, four of the scene."""
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    acts: tuple[dict[str, object], ...] = (
        {"do": "create", "name": "Ann", "ratings": ratings, "misc_name": "Luck", "strong": "bodiness"},
        {"do": "scene", "name": "Ann", "components": {"braininess": 4}},
        {"do": "draw", "order": [0]},
    )
    match = Match.begin(Started(1, "coin-wars", {}, {}))
    for group, act in enumerate(acts, 2):
        match = match.take(Acted(group, act, "Ann", "phone"))
    return match


ADVENTURE = adventure()
BOTH = ADVENTURE.game.tosses_due(ADVENTURE.state)


def on_both_sides(hero: list[str], scene: list[str]) -> TableBelief:
    """The hero's coins and the scene's, each in its zone."""
    return TableBelief(
        [replace(one, zone="hero") for one in thrown(*hero)] + [replace(one, zone="scene") for one in thrown(*scene)]
    )


def test_the_zone_that_lacks_a_coin_is_named() -> None:
    assert {"hero": Heap(penny=3), "scene": Heap(penny=4)} == BOTH
    message = lacking(BOTH, on_both_sides([H, H, T], [H, H, T]))
    assert key(message) == "referee.toss.more"
    assert message is not None
    assert (message.facts["coins"], message.facts["zone"]) == (Heap(penny=1), zone_name("scene"))


def test_a_result_has_the_share_of_both_zones_together() -> None:
    belief = on_both_sides([H, H, "penny:heads? 0.6"], [T, T, T, "penny:tails? 0.8"])
    shares = [share for _, share in results(ADVENTURE, belief, BOTH) if share > 0.01]
    assert shares == pytest.approx([0.585 * 0.755, 0.415 * 0.755, 0.585 * 0.245, 0.415 * 0.245], abs=0.01)


def test_a_wrong_coin_in_one_zone_is_offered_though_the_other_is_right() -> None:
    found = other_coins(ADVENTURE, on_both_sides([H, H, "penny|dime 0.4"], [T, T, T, T]), BOTH)
    assert found is not None
    assert found[1].clause == "coin-wars.exchange.coins"


# -- what holds for any toss ------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5), st.randoms(use_true_random=False))
def test_shares_are_at_most_one_and_the_order_of_the_coins_does_not_matter(looks: list[float], dice: Random) -> None:
    coins = thrown(*(f"penny:heads? {p}" for p in looks))
    found = dict(results(STEAL, TableBelief(coins), FIVE))
    assert 0.9 < sum(found.values()) <= 1.0 + 1e-9  # other coins have the rest: a reader may doubt the kind too
    again = dict(results(STEAL, TableBelief(dice.sample(coins, 5)), FIVE))
    assert {shown(action): share for action, share in again.items()} == pytest.approx(
        {shown(action): share for action, share in found.items()}, abs=1e-3
    )


@given(st.lists(st.sampled_from([H, T]), min_size=5, max_size=5))
def test_a_clear_toss_is_certain(faces: list[str]) -> None:
    action, share = results(STEAL, TableBelief(thrown(*faces)), FIVE)[0]
    assert sorted(shown(action)) == sorted(map(Coin, faces))
    assert share >= CERTAIN
