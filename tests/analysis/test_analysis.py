"""Luck and skill of whole games, against a small game solved exactly and against made-up values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from tablecoin.analysis.analysis import Judged, analyse
from tablecoin.analysis.line import line_of
from tablecoin.analysis.report import points, report, signed_points
from tablecoin.journal.record import Entry, Record, RecordError
from tablecoin.opponents.value import Estimate
from tablecoin.rules.rulebook import sentence
from tests.analysis.games import random_record, written
from tests.analysis.small_steal import OPTIONS, solved

SETUP = {"do": "flip", "coins": ["penny:heads"] * 4 + ["penny:tails"]}
PENNY, DONE = {"do": "place", "coin": "penny"}, {"do": "done"}
CONVERT = {"do": "convert", "give": {"penny": 5}, "take": "nickel"}


def steal(*entries: Mapping[str, Any] | str) -> Record:
    """A record of Steal to twelve cents; a text is an event."""
    told = [Entry(event=entry) if isinstance(entry, str) else Entry(action=entry) for entry in entries]
    return Record("steal", OPTIONS, told)


@pytest.mark.parametrize("seed", range(8))
def test_a_result_is_luck_and_skill(seed: int) -> None:
    analysis = analyse(random_record("steal", seed, OPTIONS), valuer=solved)
    heads, tails = analysis.players["heads"], analysis.players["tails"]
    assert analysis.exact
    assert analysis.end["heads"] in (0.0, 0.5, 1.0)
    assert analysis.end["heads"] - analysis.start["heads"] == pytest.approx(
        heads.luck - heads.lost + tails.lost, abs=1e-9
    )
    assert [heads.luck, heads.others, tails.others] == pytest.approx([-tails.luck, tails.lost, heads.lost], abs=1e-9)
    assert [heads.rest, tails.rest] == pytest.approx([0, 0], abs=1e-9)
    assert heads.adjusted == pytest.approx(analysis.start["heads"] - heads.lost + tails.lost, abs=1e-9)


def test_the_luck_of_a_toss_has_the_mean_nothing() -> None:
    setups = [(heads, [1, 5, 10, 10, 5, 1][heads] / 32) for heads in range(6)]
    coins = [["penny:heads"] * heads + ["penny:tails"] * (5 - heads) for heads, _ in setups]
    found = [analyse(steal({"do": "flip", "coins": each}), valuer=solved).players["heads"].luck for each in coins]
    assert max(found) > 0.01
    assert sum(luck * chance for luck, (_, chance) in zip(found, setups, strict=True)) == pytest.approx(0, abs=1e-12)


def test_the_dearest_decision_and_what_was_better() -> None:
    """Heads has five pennies, ends the turn, and could have made a nickel."""
    record = steal(SETUP, PENNY, DONE, PENNY, DONE)
    analysis = analyse(record, valuer=blind_to_all_but_nickels)
    assert analysis.players["heads"].worst == (4,)
    assert analysis.events[2].best == CONVERT
    assert analysis.events[2].cost == pytest.approx(0.4)
    assert analysis.turning_point == 4
    said = [sentence(message) for message in report(line_of(record), analysis)]
    assert "Line 4 cost Heads 40.0 points: “Heads is done.” Better: “Heads converted 5 pennies into a nickel.”" in said
    assert "The turning point was line 4: “Heads is done.”" in said
    chinese = [sentence(message, "zh") for message in report(line_of(record), analysis)]
    assert "第4行使正面方损失40.0个百分点：“正面方完成了回合。”更好的是：“正面方用5枚一分换了一枚五分。”" in chinese


def blind_to_all_but_nickels(state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Heads is likely to win with a nickel, or while it can still make one from four pennies and a fifth."""
    row = state.rows.heads
    heads = 0.9 if row.nickel or (row.penny >= 4 and state.mover == "heads") else 0.5
    heads = 0.7 if state.phase == "setup" else heads
    return Estimate({"heads": heads, "tails": 1 - heads})


def test_with_one_legal_action_nothing_is_decided() -> None:
    placed, done, tails_placed = analyse(steal(SETUP, PENNY, DONE, PENNY), valuer=solved).events[1:]
    assert placed.cost is None  # four pennies: nothing but a penny may be placed
    assert done.cost is not None  # or the five pennies are converted
    assert tails_placed.cost is None


def test_what_was_taken_back_is_not_judged() -> None:
    plain = analyse(steal(SETUP, PENNY, CONVERT, DONE), valuer=solved)
    taken_back = analyse(steal(SETUP, PENNY, DONE, "undo", CONVERT, DONE), valuer=solved)
    assert [event.n for event in plain.events] == [2, 3, 4, 5]
    assert [event.n for event in taken_back.events] == [2, 3, 6, 7]
    assert [without_line(event) for event in plain.events] == [without_line(event) for event in taken_back.events]


def without_line(event: Judged) -> Judged:
    return msgspec.structs.replace(event, n=0)


def test_a_toss_corrected_later_counts_once_as_it_was() -> None:
    other = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
    corrected = analyse(steal(other, PENNY, "undo", "undo", SETUP, PENNY), valuer=solved)
    assert corrected.players == analyse(steal(SETUP, PENNY), valuer=solved).players


def test_refusals_and_other_events_change_nothing() -> None:
    refused = Entry(action={"do": "place", "coin": "dime"}, ok=False, clause="steal.place.limit")
    entries = [Entry(action=SETUP), refused, Entry(event="note"), Entry(action=PENNY)]
    analysis = analyse(Record("steal", OPTIONS, entries), valuer=solved)
    assert [event.n for event in analysis.events] == [2, 5]


def test_a_record_that_departs_from_the_rules_is_refused() -> None:
    with pytest.raises(RecordError, match="line"):
        analyse(written("steal", OPTIONS, [DONE]), valuer=solved)


def test_a_record_without_actions_has_chances_and_no_turning_point() -> None:
    analysis = analyse(written("steal", OPTIONS, []), valuer=solved)
    assert analysis.start == analysis.end
    assert analysis.turning_point is None


# -- ended by people --------------------------------------------------------------------------------------------------


def ended(how: str, seat: str | None, *winners: str) -> Record:
    """Heads has five pennies and may make them a nickel, when people end the game."""
    told = {"how": how, "seat": seat, "winners": list(winners)}
    played = steal(SETUP, PENNY)
    return msgspec.structs.replace(
        played, entries=[*played.entries, Entry(event="note"), Entry(event="ended", extra=told)]
    )


def test_who_resigns_loses_the_chance_that_it_had() -> None:
    record = ended("resigned", "heads", "tails")
    before, analysis = analyse(steal(SETUP, PENNY), valuer=solved), analyse(record, valuer=solved)
    had = before.end["heads"]
    assert had > 0.4
    assert analysis.end == {"heads": 0.0, "tails": 1.0}
    heads, tails = analysis.players["heads"], analysis.players["tails"]
    assert (heads.lost, heads.decisions) == pytest.approx((before.players["heads"].lost + had, 1))
    assert tails.others == pytest.approx(before.players["tails"].others + had)
    assert [heads.rest, tails.rest] == pytest.approx([0, 0], abs=1e-9)
    assert analysis.events[-1].n == analysis.turning_point == 5
    said = [sentence(message) for message in report(line_of(record), analysis)]
    assert f"Line 5 cost Heads {points(had)} points: “Heads resigned: Tails won.”" in said
    assert "The turning point was line 5: “Heads resigned: Tails won.”" in said


@pytest.mark.parametrize(
    ("record", "heads_end", "told"),
    [
        pytest.param(ended("draw", "tails", "heads", "tails"), 0.5, "A draw, as both sides agreed.", id="draw"),
        pytest.param(ended("time", "heads", "tails"), 0.0, "Heads' time is over: Tails won.", id="time"),
        pytest.param(ended("resigned", None, "heads"), 1.0, "resigned: Heads won.", id="resigned by whom is not known"),
    ],
)
def test_an_end_that_is_no_decision_of_one_seat_is_told_apart(record: Record, heads_end: float, told: str) -> None:
    before, analysis = analyse(steal(SETUP, PENNY), valuer=solved), analyse(record, valuer=solved)
    assert analysis.end == {"heads": heads_end, "tails": 1 - heads_end}
    for seat, player in analysis.players.items():
        gave = analysis.end[seat] - before.end[seat]
        assert (player.luck, player.lost, player.others) == pytest.approx(
            (before.players[seat].luck, before.players[seat].lost, before.players[seat].others)
        )
        assert player.rest == pytest.approx(gave)
    said = [sentence(message) for message in report(line_of(record), analysis)]
    (line,) = (each for each in said if each.startswith("Line 5 ended the game"))
    assert told in line
    assert f"Heads {signed_points(heads_end - before.end['heads'])}" in line


def test_a_line_that_does_not_tell_how_it_ended_changes_nothing() -> None:
    assert analyse(ended("nobody knows", "heads"), valuer=solved) == analyse(steal(SETUP, PENNY), valuer=solved)


# -- sealed choices ---------------------------------------------------------------------------------------------------

RING = {"players": 3, "start": 10}


def richest(state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Made-up chances: a part of all the money. A sealed steal of a known amount counts half of it as had."""
    money = [
        player.bank + (player.choice.amount or 0) / 2 if player.choice else player.bank for player in state.players
    ]
    return Estimate({seat: part / 30 for seat, part in zip(state.seats, money, strict=True)})


def commit(seat: str, action: str, target: str | None = None, amount: int | None = None) -> dict[str, Any]:
    told = {"do": "commit", "seat": seat, "action": action}
    return told if target is None else {**told, "target": target, "amount": amount}


def test_a_sealed_choice_is_judged_alone_and_the_reveal_is_luck() -> None:
    choices = [commit("1", "steal", "2", 4), commit("2", "pass"), commit("3", "steal", "2", 10), {"do": "reveal"}]
    analysis = analyse(written("goes-around", RING, choices), valuer=richest)
    first, second, third, reveal = analysis.events
    assert [event.kind for event in analysis.events] == ["act", "act", "act", "toss"]
    assert first.chance == analysis.start  # nobody knows yet
    assert [first.cost, second.cost, third.cost] == pytest.approx([-2 / 30, 0, -5 / 30])
    assert first.best == commit("1", "steal", "2", 10)
    assert first.missed == pytest.approx(3 / 30)
    assert reveal.luck == pytest.approx({"1": -4 / 30 - 2 / 30, "2": 0, "3": -10 / 30 - 5 / 30})
    assert [analysis.players[seat].rest for seat in "123"] == pytest.approx([0, 0, 0])


def test_a_sealed_choice_is_told_whole_after_the_game() -> None:
    record = written("goes-around", RING, [commit("1", "steal", "2", 4), commit("2", "pass"), commit("3", "protect")])
    said = [sentence(message) for message in report(line_of(record), analyse(record, valuer=richest))]
    better = "Better: “Seat 1 chose to steal 10 from seat 2.”"
    assert f"Line 2 cost Seat 1 10.0 points: “Seat 1 chose to steal 4 from seat 2.” {better}" in said


# -- Coin Wars --------------------------------------------------------------------------------------------------------


def bold(state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Made-up chances: the fewer pennies the scenes have left, the better for everybody."""
    left = sum(sum(each.left[trait] for trait in each.left.present) for each in state.facing)
    return Estimate(dict.fromkeys(state.names, 1 / (1 + left)))


@pytest.mark.parametrize("seed", range(3))
def test_an_adventure_is_judged_from_its_draw_on(seed: int) -> None:
    record = random_record("coin-wars", seed, {})
    drawn = next(n for n, entry in enumerate(record.entries, 2) if entry.action and entry.action["do"] == "draw")
    analysis = analyse(record, valuer=bold)
    assert analysis.events[0].n == drawn + 1
    assert {event.seat for event in analysis.events} <= {"table", *analysis.players}
    assert any(event.luck for event in analysis.events)


def test_a_toss_is_not_charged_to_somebody_who_has_a_story_to_tell() -> None:
    """Ann has beaten the scene and may tell it any time. Bob wanted no help, so nothing is left to decide."""
    traits = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    heroes = [{"do": "create", "name": name, "ratings": traits, "strong": "braininess"} for name in ("Ann", "Bob")]
    card = {"do": "scene", "name": "Ann", "title": "A wall", "components": {"bodiness": 3}}

    def toss(name: str, own: str, scene: str) -> dict[str, Any]:
        sides = {"character": [f"penny:{own}"] * 3, "scene": [f"penny:{scene}"] * 3}
        return {"do": "flip", "name": name, "component": "bodiness", **sides}

    acts = [toss("Ann", "heads", "tails"), {"do": "ready", "name": "Bob"}, toss("Bob", "heads", "heads")]
    record = written("coin-wars", {"players": ["Ann", "Bob"]}, [*heroes, card, {"do": "draw", "order": [0]}, *acts])
    analysis = analyse(record, valuer=bold)
    assert [(event.kind, event.seat) for event in analysis.events] == [
        ("toss", "Ann"),
        ("act", "Bob"),
        ("toss", "table"),
    ]
    assert analysis.events[-1].cost is None
    assert analysis.players["Ann"].decisions == 1


def test_an_adventure_that_was_never_drawn_has_no_chances() -> None:
    record = written("coin-wars", {}, [])
    analysis = analyse(record, valuer=bold)
    assert (analysis.start, analysis.players, analysis.turning_point) == ({}, {}, None)
    assert [sentence(m) for m in report(line_of(record), analysis)] == [
        "No scene was drawn, so there are no chances to tell."
    ]


@pytest.mark.parametrize(
    ("chance", "plain", "signed"),
    [
        (0.1234, "12.3", "+12.3"),
        (-0.05, "−5.0", "−5.0"),
        (0.0, "0.0", "0.0"),
        (-0.00001, "0.0", "0.0"),
        (1, "100.0", "+100.0"),
    ],
)
def test_points_have_one_decimal(chance: float, plain: str, signed: str) -> None:
    assert (points(chance), signed_points(chance)) == (plain, signed)
