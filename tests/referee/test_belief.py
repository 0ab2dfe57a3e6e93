"""Belief: from the reader's probabilities for each coin to the probabilities of whole piles in each zone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Coin, Denomination, Heap
from tablecoin.referee.belief import Difference, TableBelief, ZoneBelief, weighed
from tablecoin.referee.explain import FITS
from tablecoin.rules.game import Layout, Pile
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Disc, SeenCoin, whichever

Kinds = tuple[float, float, float, float]  # the reader's probabilities of penny, nickel, dime, quarter

PENNY: Kinds = (1.0, 0.0, 0.0, 0.0)
NICKEL: Kinds = (0.0, 1.0, 0.0, 0.0)
DIME: Kinds = (0.0, 0.0, 1.0, 0.0)
QUARTER: Kinds = (0.0, 0.0, 0.0, 1.0)
UP, DOWN = 0.999, 0.001  # heads up and tails up, seen clearly


def sure(kinds: Kinds, heads: float = UP, zone: str | None = "row.heads") -> SeenCoin:
    """A coin the reader is sure of."""
    return SeenCoin(Disc(0.0, 0.0, 9.0), kinds, whichever(heads), True, (0.0, 0.0), zone)


def unsure(kinds: Kinds, heads: float = UP, zone: str | None = "row.heads") -> SeenCoin:
    """A coin the reader is not sure of."""
    return SeenCoin(Disc(0.0, 0.0, 9.0), kinds, whichever(heads), False, (0.0, 0.0), zone)


def heap(text: str) -> Heap:
    """The heap of "penny penny dime"."""
    return Heap.of(Denomination(word) for word in text.split())


def pile(text: str) -> Pile:
    """The pile of "penny:heads dime:tails", where faces count, or of "penny dime", where they do not."""
    return Pile.of(Coin(word) for word in text.split()) if ":" in text else Pile(heap(text))


# -- one coin: how far the referee trusts the reader ------------------------------------------------------------------

WEIGHED: list[tuple[str, SeenCoin, Kinds, float]] = [
    ("a sure coin seen clearly keeps its numbers", sure(PENNY, UP), PENNY, UP),
    ("a sure coin counts at least 99.5 %; the rest shrinks", sure((0.98, 0.012, 0.008, 0.0)),
     (0.995, 0.003, 0.002, 0.0), UP),
    ("a sure face counts at least 99.5 % too, heads", sure(PENNY, 0.94), PENNY, 0.995),
    ("and tails", sure(PENNY, 0.06), PENNY, 0.005),
    ("an unsure kind: 15 % is spread over four coins and nothing", unsure((0.6, 0.0, 0.4, 0.0)),
     (0.54 / 0.976, 0.03 / 0.976, 0.37 / 0.976, 0.03 / 0.976), UP),
    ("an unsure face: 15 % is spread over heads and tails", unsure(PENNY, 0.8), PENNY, 0.755),
    ("both numbers are high, yet two looks disagreed: both are spread", unsure(PENNY, 1.0),
     (0.88 / 0.976, 0.03 / 0.976, 0.03 / 0.976, 0.03 / 0.976), 0.925),
    ("a disc that looks like no coin of ours: that counts a fifth", unsure((0.0, 0.0, 0.0, 0.0)),
     (0.03 / 0.296, 0.03 / 0.296, 0.03 / 0.296, 0.03 / 0.296), UP),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coin", "kinds", "heads"), WEIGHED, ids=[row[0] for row in WEIGHED])
def test_the_reader_is_trusted_as_far_as_it_was_measured(what: str, coin: SeenCoin, kinds: Kinds, heads: float) -> None:
    assert weighed(coin).denominations == pytest.approx(kinds)
    assert weighed(coin).heads == pytest.approx(heads)


def test_each_denomination_has_its_own_face() -> None:
    """A coin that is a penny and tails, or a dime and heads, is no heads penny."""
    zone = ZoneBelief([replace(unsure((0.6, 0.0, 0.4, 0.0)), heads_if=(0.01, 0.5, 0.99, 0.5))], weigh=lambda coin: coin)
    assert zone.fit(pile("penny:tails")) == pytest.approx(0.6 * 0.99)
    assert zone.fit(pile("dime:heads")) == pytest.approx(0.4 * 0.99)
    assert zone.fit(pile("penny:heads")) == pytest.approx(0.6 * 0.01)


# -- one zone: how well a pile fits -----------------------------------------------------------------------------------

PENNY_OR_DIME = unsure((0.6, 0.0, 0.4, 0.0))
NO_COIN = unsure((0.0, 0.0, 0.0, 0.0))
FACE_UNSURE = unsure(PENNY, 0.6)
LIKELIEST, RULED_OUT = 1.0, 0.0

RATIOS: list[tuple[str, list[SeenCoin], str, float]] = [
    ("an empty zone is empty", [], "", LIKELIEST),
    ("an empty zone holds no penny", [], "penny", RULED_OUT),
    ("two sure pennies are two pennies", [sure(PENNY)] * 2, "penny penny", LIKELIEST),
    ("they are not one penny", [sure(PENNY)] * 2, "penny", RULED_OUT),
    ("nor three", [sure(PENNY)] * 2, "penny penny penny", RULED_OUT),
    ("where faces do not count, tails are as good as heads", [sure(PENNY, DOWN)], "penny", LIKELIEST),
    ("where faces count, a penny on tails is just that", [sure(PENNY, DOWN)], "penny:tails", LIKELIEST),
    ("and hardly a penny on heads", [sure(PENNY, DOWN)], "penny:heads", 0.001 / 0.999),
    ("a penny that may be a dime is most likely a penny", [PENNY_OR_DIME], "penny", LIKELIEST),
    ("and may be a dime", [PENNY_OR_DIME], "dime", 0.37 / 0.54),
    ("an unsure coin may even be what the reader excludes", [PENNY_OR_DIME], "quarter", 0.03 / 0.54),
    ("or no coin, at a fifth of that", [PENNY_OR_DIME], "", 0.006 / 0.54),
    ("two such coins: a penny and a dime, either way round", [PENNY_OR_DIME] * 2, "penny dime", LIKELIEST),
    ("two such coins: two pennies", [PENNY_OR_DIME] * 2, "penny penny", 0.54 / (2 * 0.37)),
    ("an unsure coin leaves its sure neighbour alone", [sure(NICKEL), PENNY_OR_DIME], "nickel dime", 0.37 / 0.54),
    ("a foreign disc is most likely no coin", [NO_COIN], "", LIKELIEST),
    ("but it may still be a coin: the reader is not blind to that", [NO_COIN], "penny", 0.03 / 0.176),
    ("an unsure face, lying as it looks", [FACE_UNSURE], "penny:heads", LIKELIEST),
    ("an unsure face, lying the other way", [FACE_UNSURE], "penny:tails", 0.415 / 0.585),
    ("an unsure face is no doubt where faces do not count", [FACE_UNSURE], "penny", LIKELIEST),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "there", "ratio"), RATIOS, ids=[row[0] for row in RATIOS])
def test_a_pile_is_weighed_beside_the_likeliest_contents(
    what: str, coins: list[SeenCoin], there: str, ratio: float
) -> None:
    assert ZoneBelief(coins).ratio(pile(there)) == pytest.approx(ratio, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(
    ("what", "coins", "share", "piles"),
    [
        ("of a sure coin nothing else is likely", [sure(DIME)], 0.02, ["dime"]),
        ("a doubted coin may be any coin", [PENNY_OR_DIME], 0.02, ["penny", "dime", "nickel", "quarter"]),
        ("a higher share leaves the two that it looks like", [PENNY_OR_DIME], 0.5, ["penny", "dime"]),
        ("a share of one leaves the likeliest", [PENNY_OR_DIME], 1.0, ["penny"]),
        ("an empty zone is likely empty", [], 0.02, [""]),
    ],
)  # fmt: skip
def test_what_is_likely(what: str, coins: list[SeenCoin], share: float, piles: list[str]) -> None:
    assert set(ZoneBelief(coins).likely(share)) == {heap(text) for text in piles}, what


def test_of_very_many_doubted_coins_the_likeliest_piles_are_carried_on() -> None:
    """Twelve such coins may be 1,820 piles; 256 are kept."""
    zone = ZoneBelief([PENNY_OR_DIME] * 12)
    assert zone.likeliest == Heap(penny=7, dime=5)
    assert len(zone.heaps) == 256
    assert sum(zone.heaps.values()) > 0.95


# -- the table: ratios and differences --------------------------------------------------------------------------------

TABLE: list[tuple[str, list[SeenCoin], dict[str, str], list[tuple[str, str, str, str]]]] = [
    # what happened, coins seen, the layout wanted, differences as (zone, missing, extra, turned)
    ("all lies as it should", [sure(PENNY), sure(DIME, zone="tray")], {"row.heads": "penny", "tray": "dime"}, []),
    ("a coin is missing", [sure(PENNY)], {"row.heads": "penny penny"}, [("row.heads", "penny", "", "")]),
    ("a coin too many", [sure(PENNY), sure(DIME)], {"row.heads": "penny"}, [("row.heads", "", "dime", "")]),
    ("a dime in a penny's place", [sure(DIME)], {"row.heads": "penny"}, [("row.heads", "penny", "dime", "")]),
    ("a coin in another row", [sure(PENNY, zone="row.tails")], {"row.heads": "penny", "row.tails": ""},
     [("row.heads", "penny", "", ""), ("row.tails", "", "penny", "")]),
    ("a coin wrong side up", [sure(PENNY, DOWN, "space.M1")], {"space.M1": "penny:heads"},
     [("space.M1", "", "", "penny")]),
    ("two coins, each showing the other's face", [sure(PENNY, DOWN), sure(DIME, UP)],
     {"row.heads": "penny:heads dime:tails"}, [("row.heads", "", "", "penny dime")]),
    ("another coin, wrong side up besides: only the coin is named", [sure(DIME, DOWN, "space.M1")],
     {"space.M1": "penny:heads"}, [("space.M1", "penny", "dime", "")]),
    ("an unsure coin counts as its likeliest kind", [PENNY_OR_DIME], {"row.heads": "dime"},
     [("row.heads", "dime", "penny", "")]),
    ("something that is most likely no coin is not counted", [NO_COIN], {"row.heads": ""}, []),
    ("coins in a zone the layout does not name are not judged", [sure(QUARTER, zone="bank")], {"row.heads": ""}, []),
    ("coins between the zones are not judged", [sure(QUARTER, zone=None)], {"row.heads": "", "tray": ""}, []),
]  # fmt: skip


@pytest.mark.parametrize(("what", "coins", "wanted", "apart"), TABLE, ids=[row[0] for row in TABLE])
def test_differences_name_what_to_put_right(
    what: str, coins: list[SeenCoin], wanted: dict[str, str], apart: list[tuple[str, str, str, str]]
) -> None:
    belief, layout = TableBelief(coins), {zone: pile(text) for zone, text in wanted.items()}
    expected = [Difference(zone, heap(less), heap(more), heap(turned)) for zone, less, more, turned in apart]
    assert list(belief.differences(layout)) == expected
    assert (belief.ratio(layout) >= FITS) == (not apart or PENNY_OR_DIME in coins)


def test_a_layout_weighs_the_product_of_its_zones() -> None:
    doubts = [unsure((0.6, 0.0, 0.4, 0.0), zone=zone) for zone in ("row.heads", "row.tails", "bank")]
    layout = {"row.heads": pile("dime"), "row.tails": pile("dime"), "tray": pile("")}
    assert TableBelief(doubts).ratio(layout) == pytest.approx((0.37 / 0.54) ** 2)  # the bank is not named


# -- what holds for any coins -----------------------------------------------------------------------------------------


@st.composite
def seen_coins(draw: st.DrawFn) -> SeenCoin:
    """Any coin a reader may report: of a coin it is sure of, kind and face have at least the sureness thresholds."""
    zone = draw(st.sampled_from(("row.heads", "row.tails")))
    if draw(st.booleans()):
        rest, face = draw(st.floats(0.0, 1 - KIND_SURE)), draw(st.floats(FACE_SURE, 1.0))
        kinds = draw(st.permutations((1 - rest, rest / 2, rest / 4, 0.0)))
        return sure((kinds[0], kinds[1], kinds[2], kinds[3]), draw(st.sampled_from((face, 1 - face))), zone)
    parts = draw(st.tuples(*[st.floats(0.0, 1.0)] * 5).filter(lambda five: sum(five) > 0.1))
    penny, nickel, dime, quarter, _ = (part / sum(parts) for part in parts)
    return unsure((penny, nickel, dime, quarter), draw(st.floats(0.0, 1.0)), zone)


some_coins = st.lists(seen_coins(), max_size=3)
heaps = st.builds(Heap, *[st.integers(0, 2)] * len(BY_VALUE))
layouts = st.dictionaries(st.sampled_from(("row.heads", "row.tails", "tray")), st.builds(Pile, heaps), min_size=1)


@given(some_coins, layouts)
def test_a_ratio_is_a_share_of_the_likeliest(coins: list[SeenCoin], layout: Layout) -> None:
    assert 0.0 <= TableBelief(coins).ratio(layout) <= 1.0


@given(some_coins)
def test_the_likeliest_piles_are_the_measure_of_all_others(coins: list[SeenCoin]) -> None:
    belief = TableBelief(coins)
    layout = {zone: Pile(belief[zone].likeliest) for zone in ("row.heads", "row.tails", "tray")}
    assert belief.ratio(layout) == 1.0
    assert belief.differences(layout) == ()


@given(some_coins, st.randoms(use_true_random=False))
def test_the_order_of_the_coins_does_not_matter(coins: list[SeenCoin], dice: Random) -> None:
    one, other = ZoneBelief(coins), ZoneBelief(dice.sample(coins, len(coins)))
    for (contents,), p in one.heaps.items():
        assert other.fit(Pile(contents)) == pytest.approx(p, abs=1e-3)


@given(some_coins)
def test_probabilities_of_a_zone_add_up_to_one(coins: list[SeenCoin]) -> None:
    """Less what is dropped because it is too unlikely."""
    zone = ZoneBelief(coins)
    for belief in (zone.heaps, zone.piles):
        assert sum(belief.values()) == pytest.approx(1.0, abs=1e-3)
