"""What Goes Around: every vector, every refusal, elimination and end; a second settlement; and no leak of a choice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import Heap
from tablecoin.rules.game import IllegalAction, InputError, Pile
from tablecoin.rules.goes_around.game import GAME, Commit, GoesAroundState, Reveal
from tablecoin.rules.goes_around.round import Choice, GoesAroundOptions, settle
from tablecoin.rules.rulebook import sentence

X, P = ("pass",), ("protect",)


def steal(target: int, amount: int) -> tuple[str, str, int]:
    return "steal", str(target), amount


def play_round(state: GoesAroundState, *choices: Sequence[Any]) -> GoesAroundState:
    """Seats 1, 2, 3… choose in turn; then all is revealed."""
    for seat, choice in enumerate(choices, 1):
        state = GAME.apply(state, Commit(str(seat), *choice))
    return GAME.apply(state, Reveal())


def table(*banks: int, **options: Any) -> GoesAroundState:
    """A fresh game whose printed state a person has given these banks."""
    state = GAME.start(GAME.read_options({"players": len(banks), **options}))
    written = GAME.write_state(state) | {"banks": {str(k): bank for k, bank in enumerate(banks, 1)}}
    return GAME.read_state(json.loads(json.dumps(written)))


# name, banks, choices, banks after, seats out, left the game; seats are numbered in the order the vector names them
VECTORS = [
    ("1 a steal succeeds: goes-around.result.success", (10, 10), [steal(2, 4), X], (14, 6), "", 0),
    ("2 protected: goes-around.result.protected", (10, 10), [steal(2, 4), P], (6, 10), "", 4),
    ("3 wiped out by two: goes-around.out.wiped", (10, 10, 10), [steal(2, 4), X, steal(2, 6)], (14, 0, 16), "2", 0),
    ("4 not enough: goes-around.result.enough", (10, 10, 10), [steal(2, 6), X, steal(2, 6)], (4, 10, 4), "", 12),
    ("5 cannot pay: goes-around.out.penalty", (10, 10, 10), [steal(2, 4), P, steal(1, 7)], (0, 10, 17), "1", 3),
    ("6 exactly nothing stays: goes-around.out.zero", (10, 10, 10), [steal(2, 3), P, steal(1, 7)], (0, 10, 17), "", 3),
    ("7 all in a ring", (10, 10, 10), [steal(2, 10), steal(3, 10), steal(1, 10)], (10, 10, 10), "", 0),
    ("8 the whole bank as penalty", (10, 10), [steal(2, 10), P], (0, 10), "", 10),
    ("9 a stake beyond the bank: goes-around.out.money", (3, 10), [steal(2, 8), P], (0, 10), "1", 3),
    (
        "10 income does not pay thieves",
        (10, 10, 10, 10),
        [steal(2, 5), X, steal(1, 6), steal(1, 6)],
        (15, 5, 4, 4),
        "",
        12,
    ),
    (
        "11 payout before penalty: goes-around.result.penalty",
        (10, 10, 10, 10),
        [steal(2, 6), steal(3, 5), P, steal(2, 4)],
        (16, 0, 10, 14),
        "2",
        0,
    ),
    (
        "12 both ways",
        (10, 10, 10, 10),
        [steal(2, 6), steal(1, 7), steal(1, 4), X],
        (16, 0, 6, 10),
        "2",
        8,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "banks", "choices", "after", "out", "left"), VECTORS, ids=[v[0][:20] for v in VECTORS]
)
def test_vectors(name: str, banks: Any, choices: Any, after: Any, out: str, left: int) -> None:
    written = GAME.write_state(play_round(table(*banks), *choices))
    assert tuple(written["banks"].values()) == after
    assert [seat for seat in written["banks"] if seat not in written["alive"]] == list(out)
    assert written["left_game"] == left


HOUSE = [
    (
        "strict wipeout: all out",
        {"strict_wipeout": True},
        (10,) * 3,
        [steal(2, 10), steal(3, 10), steal(1, 10)],
        "123",
        30,
    ),
    ("zero is out", {"zero_is_out": True}, (10, 10), [steal(2, 10), P], "1", 10),
    ("a zero kept from before chooses on", {}, (0, 10, 5), [X, X, X], "", 0),
    ("zero is out by a penalty, not by passing", {"zero_is_out": True}, (0, 10, 5), [X, X, X], "", 0),
]


@pytest.mark.parametrize(("name", "options", "banks", "choices", "out", "left"), HOUSE, ids=[h[0] for h in HOUSE])
def test_house_rules_of_elimination(name: str, options: Any, banks: Any, choices: Any, out: str, left: int) -> None:
    written = GAME.write_state(play_round(table(*banks, **options), *choices))
    assert [seat for seat in written["banks"] if seat not in written["alive"]] == list(out)
    assert written["left_game"] == left


def test_results_are_told_in_the_words_of_the_table() -> None:
    last = GAME.write_state(play_round(table(10, 10, 10), steal(2, 4), P, X))["last"]
    assert last["1"] | {"action": "steal", "target": "2", "amount": 4, "result": "protected"} == last["1"]
    assert [last["2"][key] for key in ("action", "target", "amount", "result")] == ["protect", None, None, None]
    assert GAME.write_state(play_round(table(10, 10), steal(2, 4), X))["last"]["1"]["result"] == "success"
    assert (
        GAME.write_state(play_round(table(10, 3, 9), steal(2, 3), X, steal(2, 1)))["last"]["3"]["result"]
        == "not enough"
    )


def test_a_reveal_tells_every_transfer() -> None:
    state = table(10, 10)
    for seat, choice in (("1", steal(2, 4)), ("2", X)):
        state = GAME.apply(state, Commit(seat, *choice))
    assert sentence(GAME.tell(state, Reveal())) == "Round 1. Seat 2 pays 4 to seat 1. Seat 2 passed."


# -- refusals ---------------------------------------------------------------------------------------------------------

USED_UP = {"steal": 3, "protect": 3, "pass": 3}
REFUSED = [
    ("goes-around.commit.once", {}, [Commit("1", "pass"), Commit("1", "protect")]),
    ("goes-around.commit.alive", {"alive": ["2", "3"], "banks": {"1": 0, "2": 9, "3": 9}}, [Commit("1", "pass")]),
    ("goes-around.commit.uses", {"used": {"1": {"protect": 3}}}, [Commit("1", "protect")]),
    ("goes-around.commit.uses", {"used": {"1": {"pass": 3}}}, [Commit("1", "pass")]),
    ("goes-around.commit.uses", {"used": {"1": {"steal": 3}}}, [Commit("1", "steal", "2", 1)]),
    ("goes-around.commit.plain", {}, [Commit("1", "protect", "2")]),
    ("goes-around.commit.plain", {}, [Commit("1", "pass", None, 3)]),
    ("goes-around.steal.self", {}, [Commit("1", "steal", "1", 1)]),
    (
        "goes-around.steal.alive",
        {"alive": ["1", "3"], "banks": {"1": 9, "2": 0, "3": 9}},
        [Commit("1", "steal", "2", 1)],
    ),
    ("goes-around.steal.amount", {}, [Commit("1", "steal", "2", 11)]),
    ("goes-around.steal.amount", {}, [Commit("1", "steal", "2", 0)]),
    ("goes-around.steal.amount", {}, [Commit("1", "steal", "2", -(10**30))]),
    ("goes-around.steal.amount", {}, [Commit("1", "steal", "2", 10**30)]),
    ("goes-around.reveal.all", {}, [Commit("1", "pass"), Reveal()]),
    ("input", {}, [Commit("4", "pass")]),
    ("input", {}, [Commit("x", "pass")]),
    ("input", {}, [Commit("1", "steal", "0", 1)]),
    ("input", {}, [Commit("1", "steal")]),
    ("over", {"finished": True}, [Commit("1", "pass")]),
]


@pytest.mark.parametrize(("clause", "edit", "actions"), REFUSED)
def test_refusals(clause: str, edit: dict[str, Any], actions: list[Any]) -> None:
    state = GAME.read_state(GAME.write_state(table(10, 10, 10)) | edit)
    for action in actions[:-1]:
        state = GAME.apply(state, action)
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, actions[-1])
    assert refused.value.clause == clause
    assert sentence(refused.value.message, "zh")


def test_stake_cap_is_a_house_rule() -> None:
    """goes-around.steal.stake: without it, more than one's own bank may be staked (and 8b punishes it)."""
    GAME.apply(table(3, 10), Commit("1", "steal", "2", 8))
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(table(3, 10, stake_cap=True), Commit("1", "steal", "2", 4))
    assert refused.value.clause == "goes-around.steal.stake"
    GAME.apply(table(3, 10, stake_cap=True), Commit("1", "steal", "2", 3))


def test_with_nobody_to_rob_and_only_stealing_left_one_passes_uncounted() -> None:
    """goes-around.commit.void"""
    used = {"1": {"protect": 3, "pass": 3}}
    state = GAME.read_state(GAME.write_state(table(10, 0, 0)) | {"used": used})
    assert list(GAME.choices(state, "1")) == [Commit("1", "pass")]
    after = play_round(state, X, X, X)
    assert GAME.write_state(after)["used"]["1"] == {"steal": 0, "protect": 3, "pass": 3}
    robbable = GAME.read_state(GAME.write_state(table(10, 1, 0)) | {"used": used})
    assert list(GAME.choices(robbable, "1")) == [Commit("1", "steal", "2", 1)]


@pytest.mark.parametrize(
    ("used", "chosen"),
    [
        ({}, Commit("1", "pass")),
        ({"pass": 3}, Commit("1", "protect")),
        ({"pass": 3, "protect": 3}, Commit("1", "steal", "2", 1)),
    ],
)
def test_whoever_is_late_gets_a_choice(used: dict[str, int], chosen: Commit) -> None:
    """goes-around.commit.time"""
    state = GAME.read_state(GAME.write_state(table(10, 10)) | {"used": {"1": used}})
    assert GAME.on_timeout(state, "1") == chosen


# -- the end ----------------------------------------------------------------------------------------------------------

LAST = {"rounds": 1}
ENDS = [
    ("goes-around.end.one", (3, 10), {}, [steal(2, 8), P], ["2"]),
    ("goes-around.end.one: nobody", (10, 10), {"strict_wipeout": True}, [steal(2, 10), steal(1, 10)], []),
    ("goes-around.end.rounds", (10, 10, 10), LAST, [steal(2, 1), X, X], ["1"]),
    ("goes-around.end.rounds: shared", (10, 10, 9), LAST, [X, X, X], ["1", "2"]),
    ("goes-around.end.rounds: nobody", (10, 10, 9), {**LAST, "tie": "nobody"}, [X, X, X], []),
    ("the game goes on", (10, 10), {}, [X, X], None),
]


@pytest.mark.parametrize(("name", "banks", "options", "choices", "winners"), ENDS, ids=[e[0] for e in ENDS])
def test_ends(name: str, banks: Any, options: Any, choices: Any, winners: list[str] | None) -> None:
    written = GAME.write_state(play_round(table(*banks, **options), *choices))
    assert (written["outcome"] and written["outcome"]["winners"]) == winners
    assert (written["phase"] == "over") is (winners is not None)
    assert (written["to_act"] == []) is (winners is not None)
    assert written["round"] == (2 if winners is None else 1)


def test_a_whole_game_has_nine_rounds_with_each_action_three_times() -> None:
    """goes-around.setup.banks: nine equal banks."""
    state = GAME.start(GoesAroundOptions())
    assert GAME.write_state(state)["banks"] == {str(k): 10 for k in range(1, 10)}
    for number, act in enumerate([X, P, steal(9, 1)] * 3, 1):
        assert GAME.write_state(state)["round"] == number
        state = play_round(state, *[act] * 8, steal(1, 1) if act[0] == "steal" else act)
    written = GAME.write_state(state)
    assert written["phase"] == "over"
    assert all(used == USED_UP for used in written["used"].values())


# -- secrecy ----------------------------------------------------------------------------------------------------------


def test_no_view_tells_one_choice_from_another() -> None:
    """goes-around.commit.secret: whatever seat 1 chose, everything anybody else can get is the same."""
    state = table(10, 10, 10)
    seen = set()
    for choice in GAME.choices(state, "1"):
        after = GAME.apply(state, choice)
        views = [GAME.write_state(after), *(GAME.public(after, seat) for seat in ("2", "3", None))]
        words = [sentence(GAME.tell(state, choice)), sentence(GAME.prompt(after)), repr(GAME.tell(state, choice))]
        seen.add(json.dumps([views, words, [repr(a) for a in GAME.legal_actions(after)], repr(GAME.layout(after))]))
        assert GAME.public(after, "1")["yours"]["action"] == choice.action
    assert len(seen) == 1
    assert json.loads(seen.pop())[0][0]["committed"] == ["1"]


def test_from_a_printed_state_everybody_chooses_again() -> None:
    before = table(10, 10)
    state = GAME.apply(before, Commit("1", "steal", "2", 4))
    assert GAME.read_state(GAME.write_state(state)) == before


def test_hidden_history_shows_everybody_only_their_own() -> None:
    state = play_round(table(10, 10, hide_history=True), steal(2, 4), X)
    assert set(GAME.public(state, "1")["last"]) == set(GAME.public(state, "1")["used"]) == {"1"}
    assert GAME.public(state, None)["last"] == {}
    assert set(GAME.public(play_round(table(10, 10), steal(2, 4), X), None)["last"]) == {"1", "2"}


# -- the table --------------------------------------------------------------------------------------------------------


def test_layout_is_every_bank_and_the_sink() -> None:
    state = play_round(table(10, 10), steal(2, 4), P)
    assert GAME.layout(state) == {
        "bank.1": Pile(Heap(penny=6)), "bank.2": Pile(Heap(penny=10)), "sink": Pile(Heap(penny=4))
    }  # fmt: skip


# -- written states ---------------------------------------------------------------------------------------------------

IMPOSSIBLE = [
    ({"banks": {"1": 10}}, "must name the seats 1 to 3"),
    ({"banks": {"1": 10, "2": -1, "3": 1}}, "banks"),
    ({"alive": ["1", "7"]}, "'7', which is no seat here"),
    ({"alive": ["1", "2"]}, "seat 3 is out, so its bank must be 0"),
    ({"used": {"1": {"pass": 4}}}, "used"),
    ({"round": 10}, "beyond the 9 rounds"),
    ({"round": 0}, "round"),
    ({"options": {"players": 1}}, "players"),
]


@pytest.mark.parametrize(("edit", "said"), IMPOSSIBLE)
def test_impossible_states_are_refused_in_a_sentence(edit: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        GAME.read_state(GAME.write_state(table(10, 10, 10)) | edit)


# -- a second settlement, written the slow way from the rules ---------------------------------------------------------


def plain_round(
    banks: list[int], choices: list[Choice | None], options: GoesAroundOptions
) -> tuple[list[int], list[bool], int]:
    """(banks after, out, money that left): one coin purse a player, one event after another."""
    thieves: dict[int, list[int]] = {}
    for k, choice in enumerate(choices):
        if choice is not None and choice.action == "steal":
            thieves.setdefault(int(str(choice.target)) - 1, []).append(k)
    purse, fines, won, lost = list(banks), dict[int, int](), dict[int, int](), dict[int, int]()
    for victim, gang in thieves.items():
        sums = [choices[k].amount for k in gang]  # type: ignore[union-attr]
        guarded = choices[victim] is not None and choices[victim].action == "protect"  # type: ignore[union-attr]
        for k, amount in zip(gang, sums, strict=True):
            assert amount is not None
            if guarded or sum(s or 0 for s in sums) > banks[victim]:
                fines[k] = amount
            else:
                purse[victim] -= amount
                purse[k] += amount
                won[k] = amount
                lost[victim] = lost.get(victim, 0) + amount
    out, gone = [False] * len(banks), 0
    for k, choice in enumerate(choices):
        if choice is None:
            out[k] = True
            continue
        fine = fines.get(k, 0)
        if fine > purse[k]:
            out[k] = True
        else:
            purse[k] -= fine
            gone += fine
        robbed_bare = lost.get(k, 0) == banks[k] > 0
        if robbed_bare and (k not in won or options.strict_wipeout):
            out[k] = True
        if options.zero_is_out and fine and purse[k] == 0:
            out[k] = True
        if out[k]:
            gone += purse[k]
            purse[k] = 0
    return purse, out, gone


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[int], list[Choice | None], GoesAroundOptions]:
    """Any table of two to six seats and any legal choices."""
    options = GoesAroundOptions(strict_wipeout=draw(st.booleans()), zero_is_out=draw(st.booleans()))
    alive = draw(st.lists(st.booleans(), min_size=2, max_size=6))
    banks = [draw(st.integers(0, 6)) if lives else 0 for lives in alive]
    choices: list[Choice | None] = []
    for k, lives in enumerate(alive):
        targets = [t for t in range(len(alive)) if t != k and alive[t] and banks[t]]
        act = draw(st.sampled_from(["pass", "protect", "steal"] if targets else ["pass", "protect"]))
        if not lives:
            choices.append(None)
        elif act == "steal":
            target = draw(st.sampled_from(targets))
            choices.append(Choice("steal", str(target + 1), draw(st.integers(1, banks[target]))))
        else:
            choices.append(Choice("pass" if act == "pass" else "protect"))
    return banks, choices, options


@settings(max_examples=4 * settings().max_examples)  # each takes a fraction of a millisecond
@given(rounds())
def test_two_settlements_agree_and_no_penny_is_lost(
    case: tuple[list[int], list[Choice | None], GoesAroundOptions],
) -> None:
    banks, choices, options = case
    deeds = settle(banks, choices, options)
    cash = [bank - d.paid + d.gained - d.penalty if d else 0 for bank, d in zip(banks, deeds, strict=True)]
    after = [0 if d is None or d.out else left for d, left in zip(deeds, cash, strict=True)]
    gone = sum(d.penalty + (left if d.out else 0) for d, left in zip(deeds, cash, strict=True) if d)
    assert (after, [d is None or d.out is not None for d in deeds], gone) == plain_round(banks, choices, options)
    assert sum(after) + gone == sum(banks)
    assert all(left >= 0 for left in cash)


def test_every_game_of_two_players_with_two_pennies_and_two_rounds() -> None:
    """Walked whole: money is conserved, uses add up, every end has an outcome, every state survives JSON."""

    def below(state: GoesAroundState) -> Iterator[GoesAroundState]:
        yield state
        for action in GAME.legal_actions(state):
            yield from below(GAME.apply(state, action))

    one_round = list(below(GAME.start(GoesAroundOptions(players=2, start=2, rounds=1))))
    assert len(one_round) == 1 + 2 * 4 + 2 * 4 * 4 + 2 * 4 * 4  # the start, one has chosen, both, and the settlements
    states = list(below(GAME.start(GoesAroundOptions(players=2, start=2, rounds=2))))
    for state in set(states):
        written = GAME.write_state(state)
        assert sum(written["banks"].values()) + written["left_game"] == 4
        assert GAME.read_state(written).players == tuple(msgspec.structs.replace(p, choice=None) for p in state.players)
        assert (written["outcome"] is not None) is (written["to_act"] == []) is (not list(GAME.legal_actions(state)))
        for seat in written["alive"]:
            assert sum(written["used"][seat].values()) == written["round"] - (not written["finished"])
