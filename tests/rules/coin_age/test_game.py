"""Coin Age: what a toss allows, every refusal, ends, the table, written states, and an endgame walked whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import (
    ALL_COINS,
    Capture,
    CoinAgeAction,
    CoinAgeState,
    Done,
    Move,
    Pay,
    Place,
    PlaceTurned,
    Split,
    Toss,
)
from tablecoin.rules.game import IllegalAction, InputError, Pile
from tablecoin.rules.rulebook import sentence

LETTERS = {"D": "dime", "P": "penny", "N": "nickel", "Q": "quarter", "h": "heads", "t": "tails"}
D, P, N, Q = (Denomination(LETTERS[letter]) for letter in "DPNQ")


def coins(text: str) -> tuple[Coin, ...]:
    """`Ph Dt` as coins."""
    return tuple(Coin(f"{LETTERS[coin[0]]}:{LETTERS[coin[1]]}") for coin in text.split())


def position(on: str = "", heads: str = "DDDDPPPNNQ", tails: str = "DDDDPPPNNQ", **more: Any) -> CoinAgeState:
    """A start state a person has edited. `on`: `M2 Qt Nh, M1 Ph`, each stack bottom to top."""
    spaces = {item.split()[0]: list(coins(" ".join(item.split()[1:]))) for item in on.split(",") if item.strip()}
    banks = {side: {LETTERS[k]: text.count(k) for k in "DPNQ"} for side, text in (("heads", heads), ("tails", tails))}
    written = GAME.write_state(GAME.start(GAME.read_options(more.pop("options", {}))))
    return GAME.read_state(json.loads(json.dumps(written | {"spaces": spaces, "banks": banks} | more)))


def play(state: CoinAgeState, *actions: CoinAgeAction | str) -> CoinAgeState:
    """Actions in turn; text is a toss."""
    for action in actions:
        state = GAME.apply(state, Toss(coins(action)) if isinstance(action, str) else action)
    return state


def allowed(state: CoinAgeState) -> tuple[int, ...]:
    return tuple(GAME.write_state(state)["allowed"].values())


# -- the start and the toss -------------------------------------------------------------------------------------------


def test_the_start() -> None:
    """coin-age.setup.banks"""
    written = GAME.write_state(GAME.start(GAME.read_options({})))
    each = {"dime": 4, "penny": 3, "nickel": 2, "quarter": 1}
    assert written["banks"] == {"heads": each, "tails": each}
    assert all(stack == [] for stack in written["spaces"].values())
    assert (written["phase"], written["to_act"], written["flip"], written["matches"]) == ("flip", ["table"], None, None)
    assert written["score"] == {"heads": 10, "tails": 10}
    assert written["allowed"] == {"place": 0, "pay": 0, "move": 0, "capture": 0}


TOSSES = [
    # coin-age.turn.matches: the toss, then place, pay, move, capture
    ("Ph Nh Dh Qh", (2, 1, 0, 0)),
    ("Ph Nh Dh Qt", (2, 0, 0, 0)),
    ("Ph Nh Dt Qt", (2, 0, 0, 0)),
    ("Pt Nt Dh Qt", (1, 0, 1, 0)),
    ("Pt Nt Dt Qt", (0, 0, 1, 1)),
]


@pytest.mark.parametrize(("toss", "may"), TOSSES)
def test_what_a_toss_allows(toss: str, may: tuple[int, ...]) -> None:
    state = play(position(), toss)
    assert allowed(state) == may
    assert GAME.write_state(state)["matches"] == toss.count("h")
    assert state == play(position(), " ".join(reversed(toss.split()))), "the order in which coins fall does not matter"


def test_fewer_kinds_count_their_matches_all_the_same() -> None:
    assert allowed(play(position(heads="D"), "Dh")) == (1, 0, 1, 0)
    assert allowed(play(position(heads="DPN"), "Dh Ph Nh")) == (2, 0, 0, 0)
    assert [len(action.coins) for action in GAME.legal_actions(position(heads="DDP")) if isinstance(action, Toss)] == [
        2
    ] * 4


def test_paying_allows_a_third_placing_with_the_other_three_coins() -> None:
    state = play(position(), "Ph Nh Dh Qh", Place(Q, "M1"), Pay(P))
    assert allowed(state) == (2, 0, 0, 0)
    state = play(state, Place(N, "M1"), Place(D, "M1"))
    assert GAME.write_state(state)["spaces"]["M1"] == ["quarter:heads", "nickel:heads", "dime:heads"]
    assert (state.banks[0], state.banks[1]) == (Heap(2, 1, 3, 0), Heap(4, 2, 4, 1))


def test_a_turn_may_end_at_any_time_and_the_unused_coins_go_home() -> None:
    """coin-age.turn.return"""
    state = play(position(), "Ph Nh Dh Qh", Place(Q, "M1"), Done())
    assert state.banks == (Heap(3, 2, 4, 0), Heap(3, 2, 4, 1))
    assert (GAME.write_state(state)["flip"], state.mover, state.turn.placed) == (None, "tails", ())


def test_a_captured_coin_is_simply_the_captors() -> None:
    state = play(position("M1 Qt Dt", tails="DDDPPPNN"), "Pt Nt Dt Qt", Capture("M1"), Move("M1", "M2"), Done())
    assert state.bank(Face.HEADS) == Heap(penny=3, nickel=2, dime=5, quarter=1)
    assert GAME.write_state(state)["spaces"]["M2"] == ["quarter:tails"]


def test_a_coin_may_be_placed_and_moved_or_moved_away_to_make_room() -> None:
    one = play(position("M1 Ph", "DDDDPPNNQ"), "Ph Nt Dt Qt", Move("M1", "M2"), Place(P, "M1"))
    other = play(position("M1 Ph", "DDDDPPNNQ"), "Ph Nt Dt Qt", Place(P, "F1"), Move("F1", "F2"))
    assert (set(one.tops), set(other.tops)) == ({"M1", "M2"}, {"M1", "F2"})


# -- refusals ---------------------------------------------------------------------------------------------------------

FOUR, TWO, ONE, NONE = "Ph Nh Dh Qh", "Ph Nh Dt Qt", "Ph Nt Dt Qt", "Pt Nt Dt Qt"
BOARD = "M1 Qt Nh, M2 Dt, F1 Ph"
REFUSED = [
    ("coin-age.flip.first", [Place(D, "M3")]),
    ("coin-age.flip.first", [Done()]),
    ("coin-age.flip.coins", ["Ph Nh Dh"]),
    ("coin-age.flip.coins", ["Ph Nh Dh Qh Qh"]),
    ("coin-age.flip.coins", ["Ph Nh Dh Dh"]),
    ("coin-age.flip.once", [ONE, ONE]),
    ("coin-age.coin.matching", [TWO, Place(D, "M3")]),
    ("coin-age.coin.matching", [NONE, Place(D, "M3")]),
    ("coin-age.coin.used", [TWO, Place(P, "M3"), Place(P, "M4")]),
    ("coin-age.coin.used", [FOUR, Place(P, "M3"), Pay(P)]),
    ("coin-age.coin.used", [FOUR, Pay(P), Place(P, "M3")]),
    ("coin-age.place.count", [FOUR, Place(D, "M3"), Place(P, "M4"), Place(N, "C1")]),
    ("coin-age.place.cover", [TWO, Place(P, "M2")]),
    ("coin-age.place.cover", [TWO, Place(N, "M1")]),
    ("coin-age.place.cover", [TWO, Place(P, "F1")]),
    ("coin-age.place.own", [TWO, PlaceTurned(P, "M3")]),
    ("coin-age.pay.four", [TWO, Pay(P)]),
    ("coin-age.pay.once", [FOUR, Pay(P), Pay(N)]),
    ("coin-age.move.allowed", [TWO, Move("M1", "M4")]),
    ("coin-age.move.once", [ONE, Move("M1", "M4"), Move("M4", "M1")]),
    ("coin-age.move.something", [ONE, Move("M3", "F2")]),
    ("coin-age.move.adjacent", [ONE, Move("M1", "M3")]),
    ("coin-age.move.adjacent", [ONE, Move("M1", "M1")]),
    ("coin-age.move.empty", [ONE, Move("M1", "M2")]),
    ("coin-age.move.whole", [ONE, Split("M1", "M4")]),
    ("coin-age.capture.allowed", [ONE, Capture("M1")]),
    ("coin-age.capture.once", [NONE, Capture("M1"), Capture("M1")]),
    ("coin-age.capture.something", [NONE, Capture("M3")]),
    ("input", [ONE, Place(P, "Z9")]),
    ("input", [ONE, Move("M1", "")]),
    ("input", [NONE, Capture("m1")]),
]


@pytest.mark.parametrize(("clause", "actions"), REFUSED)
def test_refusals(clause: str, actions: list[CoinAgeAction | str]) -> None:
    before = play(position(BOARD, tails="DDDPPN"), *actions[:-1])
    with pytest.raises(IllegalAction) as refused:
        play(before, actions[-1])
    assert refused.value.clause == clause
    assert all(sentence(refused.value.message, language) for language in ("en", "zh"))


def test_a_kind_the_bank_has_run_out_of_was_not_tossed() -> None:
    with pytest.raises(IllegalAction) as refused:
        play(position(heads="DDP"), "Dh Ph", Place(Q, "M1"))
    assert refused.value.clause == "coin-age.coin.tossed"


def test_a_finished_game_takes_nothing() -> None:
    for action in (Toss(coins("Dh")), Done(), Place(D, "M1")):
        with pytest.raises(IllegalAction) as refused:
            GAME.apply(position(heads=""), action)
        assert refused.value.clause == "over"


# -- the end ----------------------------------------------------------------------------------------------------------

NINE = "M1 Ph, M2 Qt Nh Dt, M3 Nt, M4 Dh, F1 Nh Pt, F2 Dt, F3 Ph, L1 Dh, L2 Pt Dh"


def test_vector_1_a_full_board() -> None:
    written = GAME.write_state(position(NINE + ", C1 Qh", "DP", "DDPN"))
    assert written["score"] == {"heads": 19, "tails": 14}
    assert {key: region["bonus"] for key, region in written["regions"].items()} == {
        "M": None, "F": "tails", "L": "heads", "C": "heads"
    }  # fmt: skip
    assert (written["phase"], written["to_act"], written["outcome"]["winners"]) == ("over", [], ["heads"])


def test_vector_1_reached_by_the_last_placing() -> None:
    """coin-age.end.cause: at once, although another coin could still be placed."""
    state = play(position(NINE, "DPQ", "DDPN"), "Dh Ph Qh", Place(Q, "C1"))
    assert GAME.outcome(state) is not None
    assert GAME.write_state(state)["score"] == {"heads": 19, "tails": 14}


def test_vector_2_a_running_game() -> None:
    on = "M1 Ph, M2 Pt, C1 Qh, F1 Nt, F2 Dh, L2 Dt"
    written = GAME.write_state(position(on, "DDDPPNN", "DDDPPNQ"))
    assert written["score"] == {"heads": 18, "tails": 14}
    assert written["outcome"] is None
    level = GAME.write_state(position(on, "DDDPPNN", ""))
    assert level["outcome"]["winners"] == ["heads"]


def test_the_last_coin_of_the_bank_ends_the_game_at_once() -> None:
    state = play(position(heads="DP"), "Dh Ph", Place(D, "M1"))
    assert GAME.outcome(state) is None
    state = play(state, Place(P, "M2"))
    assert GAME.phase(state) == "over"
    assert list(GAME.legal_actions(state)) == []


def test_with_finish_turn_the_turn_is_played_out() -> None:
    state = play(position(heads="D", options={"finish_turn": True}), "Dh", Place(D, "M1"))
    assert (GAME.phase(state), allowed(state)) == ("turn", (0, 0, 1, 0))
    state = play(state, Move("M1", "M2"), Done())
    assert GAME.phase(state) == "over"


ENDS = [
    # heads' bank is empty, so the game is over; coin-age.score.tie
    ("M1 Dh", "", "D", ["heads"]),
    ("M1 Ph", "", "PP", ["heads"]),
    ("F1 Dh, F2 Dt", "", "", ["heads", "tails"]),
    ("F1 Ph, F2 Dt", "", "Q", ["tails"]),
]


@pytest.mark.parametrize(("on", "heads", "tails", "winners"), ENDS)
def test_who_wins(on: str, heads: str, tails: str, winners: list[str]) -> None:
    outcome = GAME.outcome(position(on, heads, tails))
    assert outcome is not None
    assert list(outcome.winners) == winners
    assert sentence(outcome.reason, "zh")


# -- the table --------------------------------------------------------------------------------------------------------


def test_before_the_toss_the_movers_bank_and_the_tray_are_left_alone() -> None:
    layout = GAME.layout(position("M1 Qt Nh", tails="DDDDPPPN"))
    assert layout["space.M1"] == Pile.of(coins("Nh"))
    assert layout["space.M2"].heap == Heap()
    assert layout["bank.tails"] == Pile(Heap(dime=4, penny=3, nickel=1))
    assert "bank.heads" not in layout
    assert "tray" not in layout
    assert GAME.tosses_due(position()) == {"tray": Heap(1, 1, 1, 1)}
    assert GAME.toss_action(position(), {"tray": coins(ONE)}) == Toss(coins(ONE))


def test_tossed_coins_lie_in_the_tray_until_they_are_used() -> None:
    state = play(position(), TWO)
    assert GAME.layout(state)["tray"] == Pile.of(coins(TWO))
    assert GAME.layout(state)["bank.heads"] == Pile(Heap(dime=3, penny=2, nickel=1))
    state = play(state, Place(P, "M1"))
    assert GAME.layout(state)["tray"] == Pile.of(coins("Nh Dt Qt"))
    assert GAME.layout(state)["bank.heads"] == Pile(Heap(dime=3, penny=2, nickel=1))


@pytest.mark.parametrize(
    ("action", "zones"),
    [
        (Place(D, "M3"), {"space.M3": "Dh", "tray": "Ph Nt Qt"}),  # an unmatched coin, turned over
        (PlaceTurned(P, "M3"), {"space.M3": "Pt", "tray": "Nt Dt Qt"}),
        (Move("M1", "M2"), {"space.M1": "", "space.M2": "Nh"}),  # onto another coin
        (Move("M1", "L2"), {"space.M1": "", "space.L2": "Nh"}),  # too far
        (Split("M1", "M4"), {"space.M1": "Qt", "space.M4": "Nh"}),
        (Capture("M1"), {"space.M1": "Qt"}),
        (Place(P, "M2"), {"space.M2": "Ph", "tray": "Nt Dt Qt"}),  # onto a smaller coin
    ],
)
def test_mistakes_are_imagined_and_look_as_they_would(action: CoinAgeAction, zones: dict[str, str]) -> None:
    state = play(position(BOARD, tails="DDDPPN"), ONE)
    assert action in list(GAME.imaginable_actions(state))
    layout = GAME.imagined_layout(state, action)
    assert {zone: layout[zone] for zone in zones} == {zone: Pile.of(coins(text)) for zone, text in zones.items()}
    with pytest.raises(IllegalAction):
        GAME.apply(state, action)


def test_the_mat_is_the_maps_own() -> None:
    assert GAME.mat(GAME.read_options({})) == "coin-age:classic"
    assert GAME.mat(GAME.read_options({"map": "random", "seed": 3})) == f"coin-age:{maps.pick(3)}"


# -- options and written states ---------------------------------------------------------------------------------------


def test_random_is_settled_when_the_options_are_read() -> None:
    options = GAME.read_options({"map": "random"})
    assert options.seed is not None
    assert GAME.start(options) == GAME.start(options)
    with pytest.raises(InputError, match="there is no map 'atlantis'"):
        GAME.read_options({"map": "atlantis"})


def test_how_sides_are_taken_is_said_at_the_start() -> None:
    said = {
        key: sentence(GAME.prompt(GAME.start(GAME.read_options({"sides": key})))) for key in ("toss", "loser-picks")
    }
    assert said["toss"].startswith("Heads begins")
    assert said["loser-picks"].startswith("The loser")


TOSSED = {"flip": ["penny:heads", "nickel:tails", "dime:tails", "quarter:tails"]}
IMPOSSIBLE = [
    ({"spaces": {"Z9": []}}, "'Z9', which is not on the map classic"),
    ({"spaces": {"M1": ["dime:heads", "penny:tails"]}}, "on space M1 a penny lies on a dime"),
    ({"spaces": {"M1": ["dime:heads", "dime:tails"]}}, "on space M1 a dime lies on a dime"),
    ({"spaces": {"M1": ["dime:heads"]}}, "9 dimes; the game has 8"),
    ({"spaces": {"M1": ["euro:heads"]}}, "euro"),
    ({"spaces": [1]}, "spaces"),
    ({"banks": {"heads": {"dime": -1}}}, "dime"),
    ({"banks": {"edge": {}}}, "edge"),
    ({"game": "steal"}, "game"),
    ({"mover": "table"}, "mover"),
    ({"flip": ["penny:heads"]}, "one coin of each kind in the bank of heads"),
    ({"turn": {"moved": True}}, "`flip` is null"),
    ({**TOSSED, "turn": {"placed": ["dime"]}}, "did not match"),
    ({**TOSSED, "turn": {"placed": ["penny", "penny"]}}, "did not match"),
    ({**TOSSED, "turn": {"paid": "penny"}}, "more than 1 matches allow"),
    ({**TOSSED, "turn": {"captured": "penny"}}, "more than 1 matches allow"),
    ({"options": {"map": "atlantis"}}, "there is no map"),
]


@pytest.mark.parametrize(("edit", "said"), IMPOSSIBLE)
def test_impossible_states_are_refused_in_a_sentence(edit: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        GAME.read_state(GAME.write_state(position()) | edit)


def test_a_position_with_coins_missing_can_be_set_up() -> None:
    assert GAME.phase(position("M1 Qh", "D", "D")) == "flip"


def random_games(count: int, **options: Any) -> Iterator[CoinAgeState]:
    dice = Random(1)
    for _ in range(count):
        state = GAME.start(GAME.read_options(options))
        while GAME.to_act(state):
            yield state
            state = GAME.apply(state, dice.choice(list(GAME.legal_actions(state))))
        yield state


@pytest.mark.parametrize("options", [{}, {"map": "volcano", "finish_turn": True}])
def test_no_coin_is_ever_lost_and_stacks_always_rise_to_smaller_coins(options: dict[str, Any]) -> None:
    for state in random_games(4, **options):
        on_map = Heap.of(coin.denomination for stack in state.stacks for coin in stack)
        assert on_map + state.banks[0] + state.banks[1] == ALL_COINS
        assert GAME.read_state(GAME.write_state(state)) == state
        for stack in state.stacks:
            sizes = [coin.denomination.diameter_mm for coin in stack]
            assert sizes == sorted(set(sizes), reverse=True)


@pytest.mark.parametrize(
    "spaces",
    [
        pytest.param("M1 Dh, M2 Dt, M3 Dt, M4 Dh, F1 Dh, F2 Dt, F3 Ph, L1 Ph", id="dimes, not to be covered"),
        pytest.param(
            "M1 Ph, M2 Nt, M3 Nt, M4 Dh, F1 Nh, F2 Dt, F3 Ph, L1 Qh", id="all kinds of coins", marks=pytest.mark.long
        ),
    ],
)
def test_every_way_a_small_endgame_can_go(spaces: str) -> None:
    """Walked whole for two turns: each has a dime, two spaces are left.

    Whatever happens, no coin is lost, a game without legal actions is over, and only a placing ends it.
    """
    start = position(spaces, "D", "D")
    total = Heap.of(coin.denomination for stack in start.stacks for coin in stack) + start.banks[0] + start.banks[1]
    seen, todo, ends = {start}, [(start, 0)], 0
    while todo:
        state, turns = todo.pop()
        legal = list(GAME.legal_actions(state))
        assert bool(legal) is (GAME.outcome(state) is None)
        for action in legal:
            after = GAME.apply(state, action)
            on_map = Heap.of(coin.denomination for stack in after.stacks for coin in stack)
            assert on_map + after.banks[0] + after.banks[1] == total
            over = GAME.outcome(after) is not None
            assert isinstance(action, Place) or not over
            ends += over and after not in seen
            if after not in seen and turns + isinstance(action, Done) < 2:
                todo.append((after, turns + isinstance(action, Done)))
            seen.add(after)
    assert ends > 50
    assert any(state.mover is Face.TAILS and GAME.outcome(state) for state in seen)


def test_a_second_coin_paid_by_mistake_can_be_imagined() -> None:
    state = GAME.apply(GAME.start(GAME.read_options({})), Toss(coins("Ph Nh Dh Qh")))
    for act in (Place(D, "M1"), Place(P, "F2"), Pay(Q)):
        state = GAME.apply(state, act)
    with pytest.raises(IllegalAction):
        GAME.apply(state, Pay(N))
    layout = GAME.imagined_layout(state, Pay(N))
    assert layout["tray"] == Pile.of(())
    assert layout["bank.tails"].heap == Heap.of([*[D] * 4, *[P] * 3, *[N] * 3, *[Q] * 2])
