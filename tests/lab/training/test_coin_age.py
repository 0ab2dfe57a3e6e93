"""Learning Coin Age: the arrays play by the rules' scores, and a little training already tells who is winning."""

from __future__ import annotations

import numpy as np
import pytest

from lab.training.coin_age import contest, fitted, material, packed
from lab.training.coin_age_games import Field, games_of, plain, played, tops_of
from tablecoin.opponents.coin_age.bare import bare_board, bare_node
from tablecoin.opponents.coin_age.search import value
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.random_play import random_game
from tablecoin.storage import arrays


def test_positions_in_arrays_are_worth_what_the_search_says() -> None:
    for _, state in random_game(GAME, 3):
        node, board = bare_node(state), bare_board(state.board)
        games = games_of(node, 1)
        (worth,) = plain(Field(board), tops_of(games.codes), games.own, games.other)
        assert worth == pytest.approx(value(board, node), abs=1e-3)


def test_every_game_is_played_to_its_end_and_told_to_both_sides() -> None:
    state = GAME.start(GAME.read_options({}))
    share, between = played(Field(bare_board(state.board)), bare_node(state), 40, (plain, plain), 1)
    assert set(share) <= {0, 0.5, 1}
    assert set(between.share) == {0, 0.5, 1} & set(between.share)
    assert np.array_equal(np.sign(between.lead), np.sign(between.share - 0.5)) or (between.lead == 0).any()


@pytest.mark.long
def test_a_little_training_plays_nearly_as_well_as_the_plain_estimate() -> None:
    weights, entropy = fitted([material(None, 600, 1)], 1)
    assert entropy < 0.65, "a guess has 0.69"
    share, error = contest(weights, 200, 2)
    assert share > 0.35
    assert 0 < error < 0.06
    assert set(arrays.unpacked(packed(weights), 1 << 20)) == set(weights.__struct_fields__)
