"""People's mistakes, game by game: each is refused by its clause with what to put back, and the state stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tablecoin.coins import EMPTY, Heap
from tablecoin.journal.export import record_of
from tablecoin.journal.record import read_record, replay, write_record
from tablecoin.referee.commands import Act, Answer, Press, Start
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import sentence
from tests.referee.table import NO_CAMERA, Table, game_of, ruling_of

TOSS_3_2 = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
TOSS_4_1 = {"do": "flip", "coins": ["penny:heads"] * 4 + ["penny:tails"]}
TOSS_5_0 = {"do": "flip", "coins": ["penny:heads"] * 5}


class Seated:
    """A game brought to a position by acts entered by hand, and a table that shows it."""

    def __init__(self, game: str, options: dict[str, Any], *acts: dict[str, Any]) -> None:
        self.events: list[Event] = []
        self.full = False  # the disk
        self.referee = Referee(self.keep)
        self.referee.command(Start(game, options), None)
        self.referee.lose_camera(NO_CAMERA)
        self.table = Table()
        for act in acts:
            assert self.referee.command(Act(act), None) == (True, None), act
        match = self.referee.match
        assert match
        for zone, pile in match.game.layout(match.state).items():
            for kind in set(pile.heap):
                up = pile.heads[kind] if pile.heads is not None else pile.heap[kind]
                self.table.put(zone, *[f"{kind}:heads"] * up, *[f"{kind}:tails"] * (pile.heap[kind] - up))
        self.before = match.state
        self.see()

    def keep(self, events: Sequence[Event]) -> None:
        if self.full:
            raise OSError("no room")
        self.events.extend(events)

    def see(self) -> Snapshot:
        self.referee.see(self.table.hand())
        self.referee.see(self.table.look())
        return self.referee.snapshot()

    def does(self, *moves: tuple[str, ...]) -> Snapshot:
        """`("+", zone, coins…)` puts coins down, `("-", zone, coins…)` takes them away; then the hands leave."""
        for sign, zone, *coins in moves:
            (self.table.put if sign == "+" else self.table.take)(zone, *coins)
        return self.see()


def refused(seated: Seated, clause: str, snapshot: Snapshot) -> None:
    assert (snapshot.prompt.kind, ruling_of(snapshot).clause) == ("refused", clause)
    assert seated.referee.match
    assert seated.referee.match.state == seated.before
    assert snapshot.table.differences, "nothing to put back is shown"
    *_, last = replay(read_record(write_record(record_of(("", event) for event in seated.events))))
    assert last.state == seated.before, "the record of it does not play again"


P, N, D, Q = "penny", "nickel", "dime", "quarter"
HEADS, TAILS = "row.heads", "row.tails"


def steal(*acts: dict[str, Any], **options: Any) -> Seated:
    return Seated("steal", {"starter": "heads"} | options, TOSS_4_1, *acts)


STEAL = [
    ("too high a coin", [("+", HEADS, D)], "steal.place.limit"),
    ("two coins at once", [("+", HEADS, P, P)], "steal.place.twice"),
    ("on the wrong side", [("+", TAILS, P)], "steal.row.add"),
    ("taken from the other's row", [("-", TAILS, P)], "steal.row.take"),
    ("fallen to the floor, or slid out by a sleeve", [("-", HEADS, P)], "steal.row.take"),
]


@pytest.mark.parametrize(("what", "moves", "clause"), STEAL, ids=[case[0] for case in STEAL])
def test_steal(what: str, moves: list[tuple[str, ...]], clause: str) -> None:
    seated = steal()
    refused(seated, clause, seated.does(*moves))


@pytest.mark.parametrize("game", ["steal", "exact"])
def test_four_pennies_for_a_nickel_are_lawful_while_a_penny_may_still_be_placed(game: str) -> None:
    """The end of a turn is what counts: a penny placed, then five converted, leaves the same table.

    Once a penny was placed it is a mistake, though a fifth penny may still be taken until the player says done.
    """
    seated = Seated(game, {"starter": "heads"}, TOSS_4_1)
    after = seated.does(("-", HEADS, P, P, P, P), ("+", HEADS, N))
    assert ruling_of(after).accepted
    assert after.prompt.kind == "turn"
    placed = Seated(game, {"starter": "heads"}, TOSS_4_1, {"do": "place", "coin": P})
    assert placed.does(("-", HEADS, P, P, P, P), ("+", HEADS, N)).prompt.kind == "unfinished"
    placed.referee.command(Press("heads.done"), None)
    refused(placed, f"{game}.convert.recipe", placed.referee.snapshot())


EXACT = [
    ("too high a coin", [("+", HEADS, N)], "exact.place.limit"),
    ("two coins at once", [("+", HEADS, P, P)], "exact.place.twice"),
    ("on the wrong side", [("+", TAILS, P)], "exact.row.add"),
    ("fallen to the floor", [("-", HEADS, P)], "exact.row.take"),
]


@pytest.mark.parametrize(("what", "moves", "clause"), EXACT, ids=[case[0] for case in EXACT])
def test_exact(what: str, moves: list[tuple[str, ...]], clause: str) -> None:
    seated = Seated("exact", {"starter": "heads"}, TOSS_4_1)
    refused(seated, clause, seated.does(*moves))


def test_exact_beyond_the_goal() -> None:
    place, done = {"do": "place", "coin": P}, {"do": "done"}
    convert = {"do": "convert", "give": {P: 5}, "take": N}
    options = {"starter": "heads", "goal": 10}
    seated = Seated("exact", options, TOSS_5_0, place, done, place, done, convert)
    assert game_of(seated.referee.snapshot())["totals"]["heads"] == 6
    refused(seated, "exact.place.cap", seated.does(("+", HEADS, N)))


@pytest.mark.parametrize("game", ["steal", "exact"])
def test_a_coin_is_missing_from_a_counted_bank(game: str) -> None:
    bank = {"bank": "counted", "bank_coins": {P: 7, N: 2, D: 1, Q: 2}, "goal": 20}
    seated = Seated(game, {"starter": "heads"} | bank, TOSS_3_2)
    refused(seated, "bank.taken", seated.does(("-", "bank", Q)))


TOSSED = {"do": "flip", "coins": ["penny:heads", "nickel:heads", "dime:tails", "quarter:tails"]}
NONE = {"do": "flip", "coins": [f"{kind}:tails" for kind in (P, N, D, Q)]}


def coin_age(*acts: dict[str, Any]) -> Seated:
    return Seated("coin-age", {}, *acts)


ONE = [TOSSED, {"do": "place", "coin": P, "space": "M1"}, {"do": "done"}]
TAILS_ALL = {"do": "flip", "coins": [f"{kind}:tails" for kind in (P, N, D, Q)]}
TAILS_TURN = [*ONE, {"do": "flip", "coins": ["penny:heads", "nickel:heads", "dime:heads", "quarter:heads"]}]
COIN_AGE = [
    ("covered a smaller coin", [*ONE, TAILS_ALL],
     [("-", "tray", N), ("-", "space.M1", P), ("+", "space.M1", "nickel:tails")], "coin-age.place.cover"),
    ("wrong side up", [TOSSED], [("-", "tray", P), ("+", "space.M1", "penny:tails")], "coin-age.place.own"),
    ("a coin that did not match", [TOSSED], [("-", "tray", D), ("+", "space.M1", "dime:heads")],
     "coin-age.coin.matching"),
    ("moved to a space not adjacent", TAILS_TURN, [("-", "space.M1", P), ("+", "space.C1", "penny:heads")],
     "coin-age.move.adjacent"),
    ("captured though coins matched", [*ONE, TAILS_ALL], [("-", "space.M1", P), ("+", "bank.tails", P)],
     "coin-age.capture.allowed"),
    ("moved though many matched", [*ONE, TAILS_ALL], [("-", "space.M1", P), ("+", "space.M2", "penny:heads")],
     "coin-age.move.allowed"),
    ("paid though not four matched", [TOSSED], [("-", "tray", P), ("+", "bank.tails", P)], "coin-age.pay.four"),
    ("took from the other's bank", [TOSSED], [("-", "bank.tails", D)], "bank.taken"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "acts", "moves", "clause"), COIN_AGE, ids=[case[0] for case in COIN_AGE])
def test_coin_age(what: str, acts: list[dict[str, Any]], moves: list[tuple[str, ...]], clause: str) -> None:
    seated = coin_age(*acts)
    refused(seated, clause, seated.does(*moves))


def test_three_coins_placed_when_two_are_allowed() -> None:
    three = {"do": "flip", "coins": ["penny:heads", "nickel:heads", "dime:heads", "quarter:tails"]}
    seated = coin_age(three)
    moves = [(sign, *rest) for coin, space in ((P, "M1"), (N, "M2"), (D, "M3"))
             for sign, *rest in (("-", "tray", coin), ("+", f"space.{space}", f"{coin}:heads"))]  # fmt: skip
    refused(seated, "coin-age.place.count", seated.does(*moves))


def test_a_third_coin_before_one_is_paid_is_named() -> None:
    four = {"do": "flip", "coins": ["penny:heads", "nickel:heads", "dime:heads", "quarter:heads"]}
    seated = coin_age(four)
    moves = [(sign, *rest) for coin, space in ((P, "M1"), (N, "M2"), (D, "M3"))
             for sign, *rest in (("-", "tray", coin), ("+", f"space.{space}", f"{coin}:heads"))]  # fmt: skip
    seated.does(*moves[:4])
    prompt = seated.does(*moves[4:]).prompt
    assert prompt.kind == "unfinished"
    assert "pay a matching coin into the other bank before the third" in prompt.text
    assert prompt.text.endswith("Do that, or take the coin back.")


# what is set down in Heads' row of three pennies -> the sentence, and what to take away
TOO_MANY = [
    (("penny", "penny"), "One coin a turn: the penny is one too many.", "take away 1 penny."),
    (("quarter",), "A quarter is too high", "take away 1 quarter."),
    (("penny", "nickel"), "too", "take away 1 nickel."),
]


@pytest.mark.parametrize(("coins", "why", "step"), TOO_MANY, ids=[" and ".join(case[0]) for case in TOO_MANY])
def test_of_two_coins_set_down_only_the_one_too_many_is_taken_away(coins: tuple[str, ...], why: str, step: str) -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_3_2)
    shown = seated.does(("+", HEADS, *coins))
    refused_for = ruling_of(shown).text
    assert (shown.prompt.kind, why in refused_for, step in shown.prompt.text) == ("refused", True, True), refused_for
    assert [mark.do for mark in shown.table.marks] == ["take"]
    after = seated.does(("-", HEADS, coins[-1]))
    assert after.prompt.kind == "turn"
    assert game_of(after)["rows"]["heads"] == {"penny": 2 + len(coins)}


def test_a_conversion_half_done_is_told_how_to_finish() -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_5_0)
    prompt = seated.does(("-", HEADS, *["penny"] * 5)).prompt
    assert prompt.kind == "unfinished"
    assert "Heads' row: put 1 nickel." in prompt.text


def test_pennies_moved_before_the_reveal() -> None:
    seated = Seated("goes-around", {"players": 3, "start": 4})
    moved = seated.does(("-", "bank.1", P, P), ("+", "bank.2", P, P))
    refused(seated, "goes-around.pennies", moved)
    assert {d.zone: (d.missing, d.extra) for d in moved.table.differences} == {
        "bank.1": (Heap(penny=2), EMPTY), "bank.2": (EMPTY, Heap(penny=2)),
    }  # fmt: skip


STEALS: list[dict[str, Any]] = [
    {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 2},
    {"do": "commit", "seat": "2", "action": "pass"},
    {"do": "commit", "seat": "3", "action": "steal", "target": "4", "amount": 1},
    {"do": "commit", "seat": "4", "action": "protect"},
]
PAID = [("-", "bank.2", P, P), ("+", "bank.1", P, P), ("-", "bank.3", P), ("+", "sink", P)]
RING = [
    ("paid the wrong way", [("-", "bank.1", P, P), ("+", "bank.2", P, P), *PAID[2:]], "goes-around.result.success"),
    ("a penny too many", [("-", "bank.2", P), ("+", "bank.1", P), *PAID], "goes-around.result.success"),
    ("paid to somebody else", [PAID[0], ("+", "bank.4", P, P), *PAID[2:]], "goes-around.result.success"),
    ("the penalty not into the sink", [*PAID[:3], ("+", "bank.4", P)], "goes-around.result.penalty"),
    ("a penny into a pocket", [*PAID, ("-", "bank.4", P)], "bank.taken"),
]


def ring() -> Seated:
    """Four seats, four pennies each, right after a reveal: seat 2 pays 2 to seat 1, seat 3 pays 1 into the sink."""
    seated = Seated("goes-around", {"players": 4, "start": 4}, *STEALS)
    assert seated.referee.command(Act({"do": "reveal"}), None) == (True, None)
    assert seated.referee.match
    seated.before = seated.referee.match.state
    return seated


@pytest.mark.parametrize(("what", "moves", "clause"), RING, ids=[case[0] for case in RING])
def test_pennies_paid_wrongly_after_a_reveal(what: str, moves: list[tuple[str, ...]], clause: str) -> None:
    seated = ring()
    refused(seated, clause, seated.does(*moves))


def test_pennies_not_paid_yet_are_refused_only_at_the_next_reveal() -> None:
    seated = ring()
    assert seated.does(*PAID[:2]).prompt.kind == "arrange"
    for choice in STEALS:
        assert seated.referee.command(Act(choice), None) == (True, None)
    assert not seated.referee.command(Act({"do": "reveal"}), None)[0]
    assert ruling_of(seated.referee.snapshot()).clause == "unfinished"
    assert seated.does(*PAID[2:]).prompt.kind == "turn"
    assert seated.referee.command(Act({"do": "reveal"}), None) == (True, None)


def test_a_reveal_before_all_have_chosen() -> None:
    seated = Seated("goes-around", {"players": 3, "start": 4})
    accepted, why = seated.referee.command(Act({"do": "reveal"}), None)
    assert why
    assert (accepted, sentence(why)) == (False, "Still to choose: 1, 2, 3.")
    assert ruling_of(seated.referee.snapshot()).clause == "goes-around.reveal.all"


TOSSES = [
    ("a coin too many", [P, P, P, P, P, P], "refused", "steal.flip.coins"),
    ("another coin", [P, P, P, P, N], "refused", "steal.flip.coins"),
    ("one still in the hand", [P, P, P, P], "flip", None),
]


@pytest.mark.parametrize(("what", "coins", "kind", "clause"), TOSSES, ids=[case[0] for case in TOSSES])
def test_the_wrong_coins_are_tossed(what: str, coins: list[str], kind: str, clause: str | None) -> None:
    seated = Seated("steal", {})
    snapshot = seated.does(("+", "tray", *coins))
    assert (snapshot.prompt.kind, ruling_of(snapshot).clause) == (kind, clause)
    assert seated.referee.match
    assert seated.referee.match.state == seated.before
    seated.table.clear("tray").put("tray", *[f"{P}:heads"] * 2, *[f"{P}:tails"] * 3)
    assert ruling_of(seated.see()).accepted


def test_a_doubtful_coin_is_not_refused() -> None:
    paying = ring()
    paying.table.put("bank.4", P)
    paying.table.coins[-1] = replace(paying.table.coins[-1], denominations=(0.4, 0.05, 0.05, 0.0), sure=False)
    assert paying.does(*PAID[:2]).prompt.kind == "arrange"  # a shadow; a penny too many would be refused
    plain = (0.999, 0.0, 0.0, 0.0)
    paying.table.coins = [c if c.sure else replace(c, denominations=plain, sure=True) for c in paying.table.coins]
    assert paying.see().prompt.kind == "refused"
    tossing = Seated("steal", {})
    tossing.table.put("tray", P, P, P).put("tray", N, also={P: 0.45})
    assert tossing.see().prompt.kind == "flip"  # one may still be in the hand


def tossing_perhaps_a_nickel(nickel: float) -> Seated:
    """Four of the five pennies due, and a coin that is a nickel with this probability."""
    tossing = Seated("steal", {})
    tossing.table.put("tray", P, P, f"{P}:tails", f"{P}:tails").put("tray", N, also={P: 0.999 - nickel})
    return tossing


def test_a_doubtful_coin_in_the_tray_is_the_one_due_unless_it_looks_much_more_like_another() -> None:
    assert ruling_of(tossing_perhaps_a_nickel(0.1).see()).accepted
    snapshot = tossing_perhaps_a_nickel(0.8).see()
    assert snapshot.prompt.kind == "question"
    assert [choice.text for choice in snapshot.prompt.choices] == ["It is a penny", "It is a nickel", "Look again"]


def test_people_say_that_a_doubtful_coin_in_the_tray_is_the_one_due() -> None:
    tossing = tossing_perhaps_a_nickel(0.8)
    tossing.see()
    tossing.referee.command(Answer(0), None)
    assert game_of(tossing.referee.snapshot())["rows"] == {"heads": {P: 3}, "tails": {P: 2}}


def test_people_say_that_a_doubtful_coin_in_the_tray_is_another_one() -> None:
    tossing = tossing_perhaps_a_nickel(0.8)
    tossing.see()
    tossing.referee.command(Answer(1), None)
    snapshot = tossing.referee.snapshot()
    assert (snapshot.prompt.kind, ruling_of(snapshot).clause) == ("refused", "steal.flip.coins")
    assert "take away 1 nickel" in snapshot.prompt.text
    assert tossing.referee.match
    assert tossing.referee.match.state == tossing.before
    tossing.table.clear("tray").put("tray", *[P] * 5)
    assert game_of(tossing.see())["rows"]["heads"] == {P: 5}


def test_coins_left_in_the_tray_are_not_a_wrong_toss() -> None:
    seated = Seated("coin-wars", {})
    seated.table.put("hero", Q)
    seated.see()
    act = {"do": "create", "name": "Ann", "misc_name": "Luck", "strong": "bodiness",
           "ratings": {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}}  # fmt: skip
    for one in (act, {"do": "scene", "name": "Ann", "components": {"braininess": 4}}, {"do": "draw", "order": [0]}):
        assert seated.referee.command(Act(one), None) == (True, None)
    assert seated.see().prompt.kind == "flip"


def test_a_penny_gone_from_a_bank_of_goes_around() -> None:
    seated = Seated("goes-around", {"players": 3, "start": 4})
    refused(seated, "bank.taken", seated.does(("-", "bank.3", P)))


def test_coins_swept_off_pause_the_game_and_are_told_zone_by_zone() -> None:
    seated = steal()
    paused = seated.does(("-", HEADS, P, P, P), ("-", TAILS, P))
    assert paused.prompt.kind == "paused"
    assert {d.zone: d.missing for d in paused.table.differences} == {HEADS: Heap(penny=3), TAILS: Heap(penny=1)}
    seated.table.put(HEADS, P, P, P).put(TAILS, P)
    assert seated.see().prompt.kind == "turn"


def test_a_refusal_that_could_not_be_recorded_is_made_when_the_disk_has_room() -> None:
    seated = steal()
    seated.full = True
    with pytest.raises(OSError, match="no room"):
        seated.does(("+", HEADS, D))
    seated.full = False
    refused(seated, "steal.place.limit", seated.see())


def test_a_coin_moved_within_its_row_changes_nothing() -> None:
    seated = steal()
    ruled = seated.referee.snapshot().ruling
    seated.table.take(HEADS, P).put(HEADS, P)
    after = seated.see()
    assert (after.prompt.kind, after.ruling) == ("turn", ruled)


def test_nothing_is_ruled_while_a_hand_is_over_the_table() -> None:
    seated = steal()
    seated.table.put(HEADS, Q)
    seated.referee.see(seated.table.hand())
    assert ruling_of(seated.referee.snapshot()).accepted
    assert seated.referee.snapshot().table.hand
