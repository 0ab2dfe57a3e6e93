"""How the referee explains a table: positions and coins go in, a verdict comes out (ARCHITECTURE.md, "How the referee
decides").

A row sets up a position by acts, moves coins as hands do, and names the verdict. `+` puts coins down, `-` takes them
away; a coin written "penny|dime 0.4" looks like a penny with 60 % and like a dime with 40 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.referee import belief
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.events import Acted, Started
from tablecoin.referee.explain import (
    FITS,
    Accepted,
    Ask,
    Explanation,
    Refused,
    Unchanged,
    Unexplained,
    Unfinished,
    Verdict,
    explain,
)
from tablecoin.referee.match import Match
from tablecoin.vision.frame import Disc, SeenCoin, whichever

Act = dict[str, Any]
Moves = list[str]  # "+ row.heads penny dime", "- row.tails penny"

_numbers = count()


def coin(text: str, zone: str) -> SeenCoin:
    """The coin of "penny", "dime:tails" (the reader is sure) or "penny|dime 0.4" (it is not)."""
    likeliest, _, other = text.partition("|")
    kind, _, face = likeliest.partition(":")
    second, _, share = other.partition(" ")
    p = float(share or 0)
    penny, nickel, dime, quarter = (1 - p if k == kind else p if k == second else 0.0 for k in BY_VALUE)
    heads = 0.001 if face == "tails" else 0.999
    place = float(next(_numbers)), 0.0
    return SeenCoin(Disc(*place, 9.0), (penny, nickel, dime, quarter), whichever(heads), not other, place, zone)


def position(game: str, options: Act, *acts: Act) -> Match:
    """A game brought to a position by acts."""
    match = Match.begin(Started(1, game, options, {}))
    for group, act in enumerate(acts, 2):
        match = match.take(Acted(group, act, "", "button"))
    return match


def laid(match: Match) -> list[SeenCoin]:
    """The coins of the position, as they should lie."""
    coins = []
    for zone, pile in match.game.layout(match.state).items():
        up = list(pile.heap if pile.heads is None else pile.heads)
        down = [] if pile.heads is None else list(pile.heap - pile.heads)
        coins += [coin(f"{kind}:heads", zone) for kind in up] + [coin(f"{kind}:tails", zone) for kind in down]
    return coins


def moved(coins: list[SeenCoin], moves: Moves) -> list[SeenCoin]:
    """The coins after hands moved some of them."""
    left = list(coins)
    for move in moves:
        sign, zone, *texts = move.replace("| ", "|").split(" ", 2)
        for text in texts[0].split(", "):
            if sign == "+":
                left.append(coin(text, zone))
            else:
                left.remove(next(c for c in left if c.zone == zone and c.denomination == Denomination(text)))
    return left


def ruled(match: Match, moves: Moves, *, finished: bool = False) -> str:
    """The verdict on the position after the moves, in words."""
    seen = TableBelief(moved(laid(match), moves))
    return told(explain(match.game, match.turn_states(), seen, finished=finished))


def told(verdict: Verdict) -> str:
    match verdict:
        case Accepted(best):
            return f"accepted: {_acts(best)}"
        case Refused(best):
            return f"refused: {_acts(best)}"
        case Ask(candidates):
            return f"ask: {' or '.join(map(_acts, candidates))}"
        case Unchanged() | Unfinished() | Unexplained():
            return type(verdict).__name__.lower()


def _acts(explanation: Explanation) -> str:
    """The acts in words: "take back 1, place penny". An act against the rules is named by its clause."""
    back = [f"take back {explanation.source}"] if explanation.source else []
    acts = [" ".join(map(str, (a.__struct_config__.tag, *msgspec.structs.astuple(a)))) for a in explanation.actions]
    if explanation.broken:
        acts[-1] = explanation.broken.clause
    return ", ".join(back + acts) or "nothing"


P, N, D, Q = "penny", "nickel", "dime", "quarter"
PLACE_PENNY, DONE = {"do": "place", "coin": P}, {"do": "done"}


def toss(heads: int) -> Act:
    """Five pennies tossed, `heads` of which show heads."""
    return {"do": "flip", "coins": ["penny:heads"] * heads + ["penny:tails"] * (5 - heads)}


def steal(*acts: Act, heads: int = 4, **options: Any) -> Match:
    """A game of Steal after the first toss: four pennies in Heads' row, one in Tails', Heads to move."""
    return position("steal", {"starter": "heads"} | options, toss(heads), *acts)


def coin_age(*acts: Act, heads: int = 2) -> Match:
    """A game of Coin Age after the first toss: Heads may place the penny and the nickel, or more of them match."""
    tossed = [f"{kind}:{'heads' if k < heads else 'tails'}" for k, kind in enumerate((P, N, D, Q))]
    return position("coin-age", {}, {"do": "flip", "coins": tossed}, *acts)


TURN = steal()  # rows of four pennies and one; Heads to place
FIVE = steal(heads=5)  # five pennies may be converted to a nickel
PLACED = steal(PLACE_PENNY)  # Heads placed a fifth penny and has not said done
COUNTED = steal(bank="counted", bank_coins={P: 7, N: 2, D: 1, Q: 2}, goal=20)  # coins come out of a bank on the mat
BESIDE = steal(bank="counted")  # ...out of one too large for the mat
TOSSED, FOUR_MATCH = coin_age(), coin_age(heads=4)
NICKEL_ON_M1 = coin_age({"do": "place", "coin": N, "space": "M1"})
RING = position("goes-around", {"players": 2, "start": 3})


def steal_from(state: Act, *acts: Act) -> Match:
    """A game of Steal from a written state on."""
    begun = position("steal", {"starter": "heads"})
    match = replace(begun, beginning=begun.game.read_state(state))
    for group, act in enumerate(acts, 2):
        match = match.take(Acted(group, act, "heads", "button"))
    return match


THEFT = {"coin": D, "from": "tails", "to": "heads"}
STOLEN = steal_from(  # Heads was given a dime in the steal and may break it; then Heads begins the next round
    {"phase": "break", "rows": {"heads": {D: 1}, "tails": {N: 1}}, "first": "heads", "mover": "heads", "steal": THEFT}
)
NICKEL_ROW = steal_from(  # a nickel and four pennies, and Heads placed a fifth
    {"phase": "turn", "rows": {"heads": {P: 4, N: 1}, "tails": {P: 1}}, "first": "heads", "mover": "heads"}, PLACE_PENNY
)

SECOND_ROUND = position(  # Tails ended the first round with a penny, and begins the second
    "exact", {"starter": "heads", "round_order": "alternate"}, toss(4), PLACE_PENNY, DONE, PLACE_PENNY, DONE
)

Row = tuple[str, Match, Moves, str]

LAWFUL: list[Row] = [
    ("nothing moved", TURN, [], "unchanged"),
    ("a coin was picked up and laid back", TURN, ["- row.heads penny", "+ row.heads penny"], "unchanged"),
    ("a penny was placed", TURN, ["+ row.heads penny"], "accepted: place penny"),
    ("five pennies were exchanged for a nickel", FIVE, ["- row.heads penny, penny, penny, penny, penny",
     "+ row.heads nickel"], "accepted: convert 5 pennies nickel"),
    ("converted and placed in one go", FIVE, ["- row.heads penny, penny, penny, penny, penny",
     "+ row.heads nickel, nickel"], "accepted: convert 5 pennies nickel, place nickel"),
    ("the penny placed was taken back", PLACED, ["- row.heads penny"], "accepted: take back 1"),
    ("a coin was placed from a counted bank", COUNTED, ["- bank penny", "+ row.heads penny"], "accepted: place penny"),
    ("a coin was placed from a counted bank beside the mat", BESIDE, ["+ row.heads penny"], "accepted: place penny"),
    ("a tossed penny was placed on a space", TOSSED, ["- tray penny", "+ space.M1 penny:heads"],
     "accepted: place penny M1"),
    ("a penny was laid on the nickel: only the top coin is seen", NICKEL_ON_M1,
     ["- tray penny", "- space.M1 nickel", "+ space.M1 penny:heads"], "accepted: place penny M1"),
    ("another space was chosen for the nickel", NICKEL_ON_M1, ["- space.M1 nickel", "+ space.M2 nickel:heads"],
     "accepted: take back 1, place nickel M2"),
    ("the stolen dime was broken", STOLEN, ["- row.heads dime", "+ row.heads nickel, nickel"],
     "accepted: break 2 nickels"),
    ("two coins were laid down together, whichever was first", TOSSED, ["- tray penny, nickel",
     "+ space.M1 nickel:heads", "+ space.M2 penny:heads"], "accepted: place penny M2, place nickel M1"),
    ("two of four matching coins were stacked: the dime hides the quarter", FOUR_MATCH, ["- tray quarter, dime",
     "+ space.M1 dime:heads"], "accepted: place quarter M1, place dime M1"),
]  # fmt: skip

BROKEN: list[Row] = [
    ("too high a coin", TURN, ["+ row.heads dime"], "refused: steal.place.limit"),
    ("two pennies at once: the second breaks the rule", TURN, ["+ row.heads penny, penny"],
     "refused: place penny, steal.place.twice"),
    ("a second coin in one turn", PLACED, ["+ row.heads penny"], "refused: steal.place.twice"),
    ("the penny placed was exchanged for a dime", PLACED, ["- row.heads penny", "+ row.heads dime"],
     "refused: take back 1, steal.place.limit"),
    ("a coin laid in the other row", TURN, ["+ row.tails penny"], "refused: steal.row.add"),
    ("a coin taken from the other row", TURN, ["- row.tails penny"], "refused: steal.row.take"),
    ("placed wrong side up", TOSSED, ["- tray penny", "+ space.M1 penny:tails"], "refused: coin-age.place.own"),
    ("the dime was broken and the next turn begun: that is one nickel too many", STOLEN,
     ["- row.heads dime", "+ row.heads nickel, nickel, nickel"], "refused: steal.break.equal"),
    ("five pennies for a dime", FIVE, ["- row.heads penny, penny, penny, penny, penny", "+ row.heads dime"],
     "refused: convert 5 pennies nickel, steal.convert.twice"),
    ("a coin of the turn before was taken back, by whoever ended a round and begins the next", SECOND_ROUND,
     ["- row.tails penny"], "refused: exact.row.take"),
    ("placed a coin that did not match", TOSSED, ["- tray dime", "+ space.M1 dime:heads"],
     "refused: coin-age.coin.matching"),
]  # fmt: skip

LOOK_ALIKES: list[Row] = [
    ("four pennies for a nickel: a penny placed, then five converted, leaves the same", TURN,
     ["- row.heads penny, penny, penny, penny", "+ row.heads nickel"],
     "accepted: place penny, convert 5 pennies nickel"),
    ("five pennies for a nickel after placing: lawful", PLACED,
     ["- row.heads penny, penny, penny, penny, penny", "+ row.heads nickel"], "accepted: convert 5 pennies nickel"),
    ("a penny laid down may be placed, or one put back in vain: the fewest acts count", PLACED, [], "unchanged"),
]  # fmt: skip

BETWEEN: list[Row] = [
    ("five pennies are in the hand", FIVE, ["- row.heads penny, penny, penny, penny, penny"], "unfinished"),
    ("two of them are", FIVE, ["- row.heads penny, penny"], "unfinished"),
    ("the nickel is down, one penny is still to go", PLACED,
     ["- row.heads penny, penny, penny, penny", "+ row.heads nickel"], "unfinished"),
    ("a nickel is down and a penny gone: on the way to a conversion, not another coin placed", NICKEL_ROW,
     ["- row.heads penny", "+ row.heads nickel"], "unfinished"),
    ("the coin is out of the bank, not in the row", COUNTED, ["- bank penny"], "unfinished"),
    ("a tossed coin is in the hand", TOSSED, ["- tray penny"], "unfinished"),
]  # fmt: skip

STRANGE: list[Row] = [
    ("two pennies are gone that cannot be converted", TURN, ["- row.heads penny, penny"], "unexplained"),
    ("quarters everywhere", TURN, ["+ row.heads quarter", "+ row.tails quarter, quarter"], "unexplained"),
    ("a coin in the tray though no toss is due", TURN, ["+ tray dime"], "unexplained"),
    ("pennies moved before the reveal: no act of this game moves coins", RING,
     ["- bank.1 penny", "+ bank.2 penny"], "unexplained"),
]  # fmt: skip

EVERY = [*LAWFUL, *BROKEN, *LOOK_ALIKES, *BETWEEN, *STRANGE]


@pytest.mark.parametrize(("what", "match", "moves", "verdict"), EVERY, ids=[row[0] for row in EVERY])
def test_a_table_is_explained(what: str, match: Match, moves: Moves, verdict: str) -> None:
    assert ruled(match, moves) == verdict


FINISHED: list[Row] = [
    ("what was done counts as ever", TURN, ["+ row.heads penny"], "accepted: place penny"),
    ("a mistake that looked half done is a mistake now", PLACED,
     ["- row.heads penny, penny, penny, penny", "+ row.heads nickel"], "refused: steal.convert.recipe"),
    ("half done, and no mistake explains it", FIVE, ["- row.heads penny, penny"], "unfinished"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "match", "moves", "verdict"), FINISHED, ids=[row[0] for row in FINISHED])
def test_done_was_pressed(what: str, match: Match, moves: Moves, verdict: str) -> None:
    assert ruled(match, moves, finished=True) == verdict


# -- unsure coins: the thresholds, at their edges ---------------------------------------------------------------------


@pytest.fixture
def as_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the reader's numbers as they are, so that a row names exact probabilities."""
    monkeypatch.setattr(belief, "weighed", lambda coin: coin)


NICKEL_FIRST = ["- row.heads penny, penny, penny, penny, penny", "+ row.heads nickel"]
BOTH = "convert 5 pennies nickel, place penny or convert 5 pennies nickel, place nickel"

EDGES: list[Row] = [
    # Between lawful acts: 97 % of the weight is enough. Penny and nickel may both be placed after the nickel.
    ("a penny with 97 %: ruled", FIVE, [*NICKEL_FIRST, "+ row.heads penny|nickel 0.0299"],
     "accepted: convert 5 pennies nickel, place penny"),
    ("a penny with just less: asked", FIVE, [*NICKEL_FIRST, "+ row.heads penny|nickel 0.0301"], f"ask: {BOTH}"),
    ("half and half: asked", FIVE, [*NICKEL_FIRST, "+ row.heads penny|nickel 0.499"], f"ask: {BOTH}"),
    # Between a lawful act and a mistake: the mistake counts a twentieth. With a dime of probability d, the penny's
    # share (1 - d) / (1 - d + d / 20) is 97 % at d = 0.3822.
    ("a penny that is a dime with 38 %: ruled", TURN, ["+ row.heads penny|dime 0.3821"], "accepted: place penny"),
    ("and with a little more: asked", TURN, ["+ row.heads penny|dime 0.3823"],
     "ask: place penny or steal.place.limit"),
    # The twentieth itself: the two are level where 1 - d = d / 20, at d = 20/21.
    ("a dime with 95.2 %: the penny is offered first", TURN, ["+ row.heads dime|penny 0.0477"],
     "ask: place penny or steal.place.limit"),
    ("a dime with 95.3 %: the mistake is", TURN, ["+ row.heads dime|penny 0.0475"],
     "ask: steal.place.limit or place penny"),
    # A layout less than 2 % as probable as the likeliest explains nothing: (1 - d) / d at d = 0.98039.
    ("a dime with 98 %: a penny still explains it", TURN, ["+ row.heads dime|penny 0.0197"],
     "ask: steal.place.limit or place penny"),
    ("a dime with a little more: nobody asks, it is refused", TURN, ["+ row.heads dime|penny 0.0196"],
     "refused: steal.place.limit"),
    ("a dime or a quarter: too high either way", TURN, ["+ row.heads dime|quarter 0.4"], "refused: steal.place.limit"),
    ("two coins laid wrongly, each of which may be no coin: most likely nothing happened", TURN,
     ["+ row.heads dime|none 0.5", "+ row.tails dime|none 0.5"],
     "ask: nothing or steal.place.limit or steal.row.add"),
    # Each act needed costs 30 %: with a penny of probability p, "placed" is level with "nothing" at 0.7 p = 1 - p.
    ("maybe no coin, with 41.1 %: most likely it was placed", TURN, ["+ row.heads penny|none 0.411"],
     "ask: place penny or nothing"),
    ("maybe no coin, with 41.3 %: most likely nothing was", TURN, ["+ row.heads penny|none 0.413"],
     "ask: nothing or place penny"),
    # Of a mistake too: a dime laid beside a penny of probability p, or in its place, where p is level with 0.7 (1 - p).
    ("a dime beside the penny placed, with 41.2 %", PLACED, ["- row.heads penny", "+ row.heads penny|none 0.588, dime"],
     "ask: steal.place.twice or take back 1, steal.place.limit"),
    ("a dime in its place, with 58.9 %", PLACED, ["- row.heads penny", "+ row.heads penny|none 0.589, dime"],
     "ask: take back 1, steal.place.limit or steal.place.twice"),
]  # fmt: skip


@pytest.mark.usefixtures("as_read")
@pytest.mark.parametrize(("what", "match", "moves", "verdict"), EDGES, ids=[row[0] for row in EDGES])
def test_the_thresholds(what: str, match: Match, moves: Moves, verdict: str) -> None:
    assert ruled(match, moves) == verdict


@pytest.mark.usefixtures("as_read")
def test_no_more_than_six_explanations_are_put_to_people() -> None:
    """The tossed penny may still lie in the tray, or on any of seven spaces."""
    places = ["tray", *(f"space.{space}" for space in ("M1", "M2", "M3", "M4", "F1", "F2", "F3"))]
    seen = TableBelief(moved(laid(TOSSED), ["- tray penny", *(f"+ {place} penny|none 0.5" for place in places)]))
    verdict = explain(TOSSED.game, TOSSED.turn_states(), seen, finished=False)
    assert isinstance(verdict, Ask)
    weights = [one.weight for one in verdict.candidates]
    assert len(weights) == 6
    assert weights == sorted(weights, reverse=True)


# -- what holds for any table -----------------------------------------------------------------------------------------

coins = st.tuples(st.sampled_from(["row.heads", "row.tails", "tray"]), st.sampled_from([*BY_VALUE]), st.booleans())


@given(st.lists(coins, max_size=6))
def test_a_verdict_never_follows_an_act_against_the_rules(there: list[tuple[str, Denomination, bool]]) -> None:
    """Whatever lies on the table, what is accepted can be played from the state it starts from."""
    seen = TableBelief([coin(kind if sure else f"{kind}|dime 0.3", zone) for zone, kind, sure in there])
    verdict = explain(FIVE.game, FIVE.turn_states(), seen, finished=False)
    for one in _candidates(verdict):
        state = FIVE.turn_states()[one.source]
        for action in one.actions if one.broken is None else one.actions[:-1]:
            state = FIVE.game.apply(state, action)
        assert state == one.state
        assert seen.ratio(one.layout) >= FITS


def _candidates(verdict: Verdict) -> Sequence[Explanation]:
    match verdict:
        case Accepted(best) | Refused(best):
            return [best]
        case Ask(candidates):
            return candidates
        case _:
            return []
