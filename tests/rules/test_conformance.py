"""The laws every game keeps, whatever its rules. A game is walked at random; each law is tried at every state met.

A new game takes part as soon as its module exists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import tablecoin.rules
from tablecoin import mat
from tablecoin.rules import NAMES, load
from tablecoin.rules.game import TABLE, Action, Game, IllegalAction, InputError, Layout, Pile, State
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import LANGUAGES, Clause, Message, clauses, sentence
from tablecoin.rules.toss import possible_results

AnyGame = Game[Any, Any, Any]
STANDING = [name for name in NAMES if find_spec(tablecoin.rules._HOMES[name])]
ENOUGH = 45  # states looked at closely in one game
TRIED = 40  # legal or imaginable actions tried in one state: some games know thousands

pytestmark = pytest.mark.parametrize("name", STANDING)


@cache
def walk(name: str, seed: int = 1) -> tuple[tuple[State, ...], tuple[Action, ...]]:
    """A random game, to its end or its 2000th action: the states, and the action that led from each to the next."""
    game, dice = load(name), Random(seed)
    states: list[State] = [game.start(game.read_options({}))]
    actions: list[Action] = []
    while game.outcome(states[-1]) is None and len(actions) < 2000:
        actions.append(random_action(game, states[-1], dice))
        states.append(game.apply(states[-1], actions[-1]))
    return tuple(states), tuple(actions)


def sampled(name: str) -> Iterator[State]:
    """States of three random games, evenly spaced, starts and ends among them."""
    for seed in (1, 2, 3):
        states, _ = walk(name, seed)
        step = max(1, len(states) * 3 // ENOUGH)
        yield from states[::step]
        yield states[-1]


def test_stacks_show_the_coin_that_the_layout_names(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        layout = game.layout(state)
        for zone, stack in game.stacks(state).items():
            assert layout[zone] == Pile.of(stack[-1:])


def test_the_coins_of_a_toss_lie_where_the_layout_leaves_room_for_them(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        open_zones = game.untossed(state)
        assert not open_zones.keys() & game.layout(state).keys()
        assert all(
            any(due in pile.heap for pile in open_zones.values()) for due in game.tosses_due(state).values()
        ) or (not open_zones)


def imagined(game: AnyGame, state: State) -> list[Action]:
    """Imaginable actions of `state`, thinned out evenly where there are many."""
    actions = list(game.imaginable_actions(state))
    return actions[:: max(1, len(actions) // TRIED)]


def refusal(game: AnyGame, state: State, action: Action) -> IllegalAction | None:
    try:
        game.apply(state, action)
    except IllegalAction as refused:
        return refused
    return None


def as_json(value: object) -> Any:
    """Through text and back: what a file, a socket or another program sees."""
    return json.loads(json.dumps(value))


def say(message: Message) -> None:
    """Every language can say it, and nothing is left unfilled."""
    for language in LANGUAGES:
        said = sentence(message, language)
        assert said.strip()
        assert "{" not in said, f"{message.key} in {language}: {said}"
        assert "}" not in said, f"{message.key} in {language}: {said}"


def cited(name: str) -> dict[str, Clause]:
    """The clauses a game's refusals may name."""
    return {clause.id: clause for book in ("common", name) for clause in clauses(book)}


def well_formed(game: AnyGame, state: State, layout: Layout) -> None:
    options = getattr(state, "options", None) or game.read_options({})
    zones = mat.load(game.mat(options))
    names = {zone.name for zone in zones.zones}
    for zone, pile in layout.items():
        assert zone in names, f"{zone} is not on the mat {zones.name}"
        assert isinstance(pile, Pile)
        assert all(count >= 0 for count in pile.heap.counts)
        assert pile.heads is None or pile.heads in pile.heap


# -- the state says where it stands -----------------------------------------------------------------------------------


def test_an_action_that_ends_a_turn_has_no_fields(name: str) -> None:
    """DONE is a button without a choice: `kind()` must be the whole action."""
    assert all(kind.ends_turn is (not kind.__struct_fields__) for kind in load(name).action_types)


def test_phase_actors_and_outcome_agree(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        over = game.outcome(state) is not None
        assert (game.phase(state) == "over") is over
        assert (game.to_act(state) == ()) is over
        assert len(set(game.may_act(state))) == len(game.may_act(state))
        assert set(game.to_act(state)) <= set(game.may_act(state))
        assert TABLE not in game.to_act(state) or game.to_act(state) == (TABLE,)


def test_a_toss_is_due_from_the_table_alone(name: str) -> None:
    game = load(name)
    for state in [state for state in sampled(name) if game.tosses_due(state)]:
        assert game.to_act(state) == (TABLE,)
        assert all(len(heap) for heap in game.tosses_due(state).values())


def test_a_random_game_ends_and_an_ended_game_takes_no_action(name: str) -> None:
    game = load(name)
    states, actions = walk(name)
    end = states[-1]
    outcome = game.outcome(end)
    assert outcome is not None, "2000 random actions, and no end"
    say(outcome.reason)
    assert list(game.legal_actions(end)) == []
    for action in actions[:50]:
        with pytest.raises(IllegalAction) as refused:
            game.apply(end, action)
        assert refused.value.clause == "over"


def test_written_states_have_the_keys_every_game_shares(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        written = as_json(game.write_state(state))
        assert written["game"] == name
        assert written["phase"] == game.phase(state)
        assert written["to_act"] == list(game.to_act(state))
        assert written["outcome"] is None or (written["outcome"]["winners"] is not None and written["outcome"]["why"])


# -- actions ----------------------------------------------------------------------------------------------------------


def test_legal_actions_apply_and_change_nothing_else(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        before = msgspec.json.encode(state)
        legal = list(game.legal_actions(state))
        assert legal or game.outcome(state), f"nothing is legal in phase {game.phase(state)}"
        assert len({msgspec.json.encode(a) for a in legal}) == len(legal), "an action is listed twice"
        assert legal == list(game.legal_actions(state)), "the order is not fixed"
        for action in legal[:: max(1, len(legal) // TRIED)]:
            assert isinstance(action, game.action_types)
            assert game.actor(state, action) in game.may_act(state)
            assert isinstance(game.apply(state, action), game.state_type)
            assert game.apply(state, action) == game.apply(state, action)
        assert msgspec.json.encode(state) == before


def test_imaginable_actions_hold_the_legal_ones(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        imaginable = {msgspec.json.encode(action) for action in game.imaginable_actions(state)}
        for action in game.legal_actions(state):
            assert msgspec.json.encode(action) in imaginable, f"{action} is legal, but nobody imagined it"


def test_refusals_name_a_clause_and_change_nothing(name: str) -> None:
    game, book = load(name), cited(name)
    for state in sampled(name):
        before = msgspec.json.encode(state)
        legal = {msgspec.json.encode(action) for action in game.legal_actions(state)}
        refusals = [(action, refused) for action in imagined(game, state) if (refused := refusal(game, state, action))]
        for action, refused in refusals:
            assert msgspec.json.encode(action) not in legal
            assert refused.clause in book, f"{refused.clause} is in no rulebook"
            assert book[refused.clause].why, f"{refused.clause} cannot say why"
            say(refused.message)
        assert msgspec.json.encode(state) == before


def test_every_toss_of_the_coins_due_is_an_action(name: str) -> None:
    game, dice = load(name), Random(5)
    tosses_due = [(state, due) for state in sampled(name) if (due := game.tosses_due(state))]
    for state, due in tosses_due:
        for _ in range(3):
            seen = {zone: dice.choice(list(possible_results(heap))) for zone, heap in due.items()}
            game.apply(state, game.toss_action(state, seen))


def test_taking_back_is_forgetting(name: str) -> None:
    """Nothing outside the state matters: playing on from any earlier state leads to the same game again."""
    game = load(name)
    states, actions = walk(name, 2)
    for before, action, after in zip(reversed(states[:-1]), reversed(actions), reversed(states[1:]), strict=True):
        assert game.apply(before, action) == after


# -- JSON -------------------------------------------------------------------------------------------------------------


def test_actions_go_to_json_and_back(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        for action in imagined(game, state):
            written = as_json(game.write_action(action))
            assert isinstance(written["do"], str)
            assert game.read_action(written) == action


def test_states_go_to_json_and_back(name: str) -> None:
    game = load(name)
    # What is sealed is not in the JSON: from there everybody chooses again, which the game's own tests show.
    states = [state for state in sampled(name) if not game.write_state(state).get("committed")]
    assert len(states) > 3
    for state in states:
        again = game.read_state(as_json(game.write_state(state)))
        assert again == state
        assert game.write_state(again) == game.write_state(state)


NO_ACTIONS: tuple[object, ...] = (None, 1, "x", [], {}, {"do": "fly"}, {"do": 1}, {"do": None}, {"do": {"do": "done"}})
SPOILT: tuple[object, ...] = (None, 1, "x", [], {"x": 1}, -1, 10**30, 1.5, True)


def test_what_is_no_action_is_refused_in_a_sentence(name: str) -> None:
    said = {}
    for raw in NO_ACTIONS:
        try:
            load(name).read_action(raw)
        except InputError as refused:
            said[repr(raw)] = str(refused)
    assert said.keys() == {repr(raw) for raw in NO_ACTIONS}, "the others were read"
    assert [raw for raw, sentence in said.items() if len(sentence) <= 10] == []


def test_a_state_with_any_key_spoilt_reads_or_is_refused_in_a_sentence(name: str) -> None:
    """Any other error fails the test: its traceback has the key and the value."""
    game = load(name)
    for state in list(sampled(name))[::45]:
        written = as_json(game.write_state(state))
        for key, wrong in product(written, SPOILT):
            with suppress(InputError):
                game.write_state(game.read_state({**written, key: wrong}))


def test_what_is_no_state_is_refused(name: str) -> None:
    game = load(name)
    other = next(n for n in NAMES if n != name)
    nonsense: tuple[object, ...] = (None, 1, "x", [], {"game": other})
    for raw in nonsense:
        with pytest.raises(InputError):
            game.read_state(raw)


def test_options_have_defaults_and_sentences_and_refuse_nonsense(name: str) -> None:
    game = load(name)
    schema = msgspec.json.schema(game.options_type)["$defs"][game.options_type.__name__]
    assert as_json(msgspec.to_builtins(game.read_options({}))) is not None
    for key, field in schema.get("properties", {}).items():
        assert "default" in field, f"{key} has no default"
        assert field.get("description", "").endswith("."), f"{key} is not described in a sentence"
    nonsense: tuple[object, ...] = (3, "x", [], {"no such rule": 1})
    for wrong in nonsense:
        with pytest.raises(InputError):
            game.read_options(wrong)


# -- what may be seen -------------------------------------------------------------------------------------------------


def test_public_views_are_json_with_the_shared_keys(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        for seat in (None, *game.may_act(state)):
            view = as_json(game.public(state, None if seat == TABLE else seat))
            assert {"game", "phase", "to_act", "outcome"} <= view.keys()


def test_simultaneous_choices_cannot_be_told_apart_by_others(name: str) -> None:
    """Where several seats choose at once, another seat sees that one has chosen, never what (goes-around)."""
    game = load(name)
    if name != "goes-around":
        pytest.skip("this game seals no choices")
    several = [(state, seats) for state in sampled(name) if len(seats := game.to_act(state)) >= 2]
    assert several
    for state, seats in several:
        mine = [action for action in game.legal_actions(state) if game.actor(state, action) == seats[0]][::7]
        for onlooker in (seats[1], None):
            views = {json.dumps(game.public(game.apply(state, action), onlooker)) for action in mine}
            assert len(views) == 1


# -- the table --------------------------------------------------------------------------------------------------------


def test_layouts_name_zones_of_the_mat(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        well_formed(game, state, game.layout(state))
        well_formed(game, state, {zone: Pile(heap) for zone, heap in game.tosses_due(state).items()})
        for action in imagined(game, state)[:TRIED]:
            well_formed(game, state, game.imagined_layout(state, action))


def test_a_legal_action_imagined_looks_as_it_does_when_applied(name: str) -> None:
    game = load(name)
    for state in sampled(name):
        for action in list(game.legal_actions(state))[:TRIED]:
            assert game.imagined_layout(state, action) == game.layout(game.apply(state, action))


# -- words ------------------------------------------------------------------------------------------------------------


def test_everything_can_be_said_in_every_language(name: str) -> None:
    game = load(name)
    assert set(game.title) >= set(LANGUAGES)
    for state in sampled(name):
        say(game.prompt(state))
        for action in list(game.legal_actions(state))[:TRIED]:
            say(game.tell(state, action))


def test_every_clause_is_cited_by_a_test_or_left_to_people(name: str) -> None:
    tests = "".join(
        path.read_text("utf-8") for path in Path(__file__).parent.glob("**/*") if path.suffix in (".py", ".txt")
    )
    uncited = [c.id for c in clauses(name) if c.refereeable and not re.search(rf"{re.escape(c.id)}(?![\w.])", tests)]
    assert uncited == []
