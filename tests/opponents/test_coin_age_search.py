"""The bare search against the rules: the same scores, the same ends of a turn, the same ends of the game."""

from __future__ import annotations

from random import Random

import pytest

from tablecoin.coins import Face
from tablecoin.opponents.coin_age.bare import as_action, bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.search import (
    WON,
    Node,
    distinct,
    ended,
    margin,
    result,
    tossed,
    turn_ends,
)
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import CoinAgeState, Done, Toss


def states(games: int, phase: str, name: str = "classic") -> list[CoinAgeState]:
    """The states of random games that are in a phase."""
    dice, found = Random(7), []
    for _ in range(games):
        state = GAME.start(GAME.read_options({"map": name}))
        while GAME.to_act(state):
            if GAME.phase(state) == phase:
                found.append(state)
            state = GAME.apply(state, dice.choice(list(GAME.legal_actions(state))))
        if phase == "over":
            found.append(state)
    return found


Position = tuple[object, object, object]


def position(node: Node) -> Position:
    return node.stacks, node.heads, node.tails


def by_the_rules(state: CoinAgeState) -> set[Position]:
    """Every position the turn may end in, found by playing all of it with the game itself."""
    seen, todo, ends = {state}, [state], set()
    while todo:
        here = todo.pop()
        ends.add(position(bare_node(here)))
        for action in GAME.legal_actions(here):
            if isinstance(action, Done):
                continue
            after = GAME.apply(here, action)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return ends


@pytest.mark.parametrize("name", ["classic", "volcano"])
def test_the_search_reaches_exactly_the_ends_the_rules_allow(name: str) -> None:
    """Also where the game ends half-way through the turn, so that the order of placings matters."""
    found = [state for state in states(12, "turn", name) if state.matches != 4 and not state.turn.placed]
    late = [state for state in found if sum(map(bool, state.stacks)) >= 8]
    assert late
    for state in found[::25] + late[::10]:
        side = 1 if state.mover is Face.HEADS else -1
        reached = turn_ends(bare_board(state.board), bare_node(state), side)
        over = {position(bare_node(state))} if GAME.outcome(state) else set()
        assert {position(node) for node in reached} | over == by_the_rules(state)


def test_the_first_step_of_every_plan_is_legal() -> None:
    for state in states(3, "turn")[::10]:
        side = 1 if state.mover is Face.HEADS else -1
        legal = set(GAME.legal_actions(state))
        plans = turn_ends(bare_board(state.board), bare_node(state), side)
        assert {as_action(state.board, step) for step in plans.values()} <= legal


def test_scores_and_ends_are_those_of_the_rules() -> None:
    for state in states(5, "turn") + states(20, "over"):
        node, board = bare_node(state), bare_board(state.board)
        assert margin(board, node) == state.tally.score[Face.HEADS] - state.tally.score[Face.TAILS]
        assert ended(node) is (GAME.phase(state) == "over")


def test_the_result_of_an_ended_game_is_its_winner_by_the_rules() -> None:
    for state in states(20, "over"):
        winner, final = state.tally.winner, result(bare_board(state.board), bare_node(state))
        assert (final > WON / 2, final < -WON / 2) == (winner is Face.HEADS, winner is Face.TAILS)


def test_a_toss_is_every_face_of_every_kind_once() -> None:
    for state in states(2, "flip")[::3]:
        side = 1 if state.mover is Face.HEADS else -1
        ready = sorted(node.ready for node in tossed(bare_node(state), side))
        flips = [action for action in GAME.legal_actions(state) if isinstance(action, Toss)]
        assert ready == sorted(bare_node(GAME.apply(state, flip)).ready for flip in flips)


def test_ends_that_differ_only_in_what_was_left_undone_count_once() -> None:
    (state, *_) = states(1, "turn")
    ends = list(turn_ends(bare_board(state.board), bare_node(state), side_of(state)))
    kept = distinct(ends)
    assert len({position(end) for end in kept}) == len(kept)
    assert {position(end) for end in kept} == {position(end) for end in ends}
