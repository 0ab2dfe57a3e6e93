"""Hints: who may ask, what they rest on, and that they are recorded and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.coins import Heap
from tablecoin.journal.export import record_of
from tablecoin.journal.record import read_record, replay, write_record
from tablecoin.referee import commands
from tablecoin.referee.belief import Difference
from tablecoin.referee.commands import CommandError, NotYourSeat, Start, read_command
from tablecoin.referee.events import Acted, Event, Hinted, Hints, Player, Started, read_event
from tablecoin.referee.hinting import asker, may_ask, moves, open_state, view_of
from tablecoin.referee.match import Match
from tablecoin.referee.recall import last_ruling
from tablecoin.referee.referee import Referee
from tests.referee.table import Table

NOTHING = Heap()


def steal(hints: Hints, tails: Player) -> Match:
    """Heads' turn after the first toss."""
    match = Match.begin(Started(1, "steal", {"starter": "heads"}, {"heads": "person", "tails": tails}, hints=hints))
    state = match.game.apply(match.state, match.game.read_action({"do": "flip", "coins": ["penny:heads"] * 5}))
    return Match(match.game, match.started, state)


def ring(*choices: dict[str, Any]) -> Match:
    match = Match.begin(Started(1, "goes-around", {"players": 3}, {}, hints="always"))
    state = match.state
    for choice in choices:
        state = match.game.apply(state, match.game.read_action(choice))
    return Match(match.game, match.started, state)


STEAL_FROM_2 = {"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 3}


@pytest.mark.parametrize(
    ("hints", "opponent", "allowed"),
    [
        ("never", "person", False),
        ("never", "computer", False),
        ("practice", "person", False),
        ("practice", "computer", True),
        ("always", "person", True),
        ("always", "computer", True),
    ],
)
def test_the_house_rule_says_who_may_ask(hints: Hints, opponent: Player, allowed: bool) -> None:
    match = steal(hints, opponent)
    assert may_ask(match, "heads") is allowed
    assert may_ask(match, "tails") is (allowed and opponent == "person")


def test_a_hint_is_for_the_seat_that_is_to_act() -> None:
    match = steal("always", "person")
    assert asker(match, "heads") == "heads"
    assert asker(match, None) == "heads"  # somebody at the table
    with pytest.raises(NotYourSeat, match="Tails is not to act now"):
        asker(match, "tails")


def test_of_several_seats_one_must_be_named() -> None:
    assert asker(ring(), "2") == "2"
    with pytest.raises(CommandError, match="Several seats are to act"):
        asker(ring(), None)


def test_nobody_is_advised_while_a_toss_is_due() -> None:
    match = Match.begin(Started(1, "steal", {"starter": "heads"}, {}, hints="always"))
    with pytest.raises(CommandError, match="Nobody is to act now"):
        asker(match, "heads")


def test_a_hint_rests_on_what_its_seat_may_see() -> None:
    """The sealed choice of seat 1 is in no view but its own; seat 2 is advised as if it had not been made."""
    assert view_of(ring(STEAL_FROM_2), "2") == view_of(ring(), "2")


def test_the_newest_open_state_is_the_one_before_the_first_sealed_choice() -> None:
    start = ring()
    sealed = start.game.apply(start.state, start.game.read_action(STEAL_FROM_2))
    match = Match.begin(start.started)
    for event in ({"event": "act", "group": 2, "action": STEAL_FROM_2, "seat": "1", "by": "phone"},):
        match = match.take(read_event(event))
    assert match.state == sealed
    assert open_state(match) is match.beginning


def played(options: dict[str, Any], *actions: dict[str, Any]) -> Match:
    match = Match.begin(Started(1, "goes-around", options, {}))
    for group, action in enumerate(actions, 2):
        match = match.take(Acted(group, action, action.get("seat", "table"), "phone"))
    return match


@pytest.mark.parametrize("hidden", [True, False])
def test_where_the_past_is_hidden_no_state_after_a_reveal_is_open_but_the_end(hidden: bool) -> None:
    """The chances of the start say nothing once a round was played; what the end is worth everybody may see."""
    waits = [{"do": "commit", "seat": seat, "action": "pass"} for seat in "123"]
    options = {"players": 3, "rounds": 2, "hide_history": hidden}
    assert open_state(played(options, *waits)) is not None
    revealed = played(options, *waits, {"do": "reveal"})
    assert open_state(revealed) is (None if hidden else revealed.state)
    sealed = played(options, *waits, {"do": "reveal"}, *waits)
    assert open_state(sealed) == (None if hidden else revealed.state)
    over = played(options, *waits, {"do": "reveal"}, *waits, {"do": "reveal"})
    assert over.outcome is not None
    assert open_state(over) is over.state


@pytest.mark.parametrize(
    ("action", "wanted"),
    [
        ({"do": "place", "coin": "penny"}, (Difference("row.heads", Heap(penny=1), NOTHING, NOTHING),)),
        (
            {"do": "convert", "give": {"penny": 5}, "take": "nickel"},
            (Difference("row.heads", Heap(nickel=1), Heap(penny=5), NOTHING),),
        ),
    ],
)
def test_a_hint_shows_the_coins_to_move(action: dict[str, Any], wanted: tuple[Difference, ...]) -> None:
    match = steal("always", "person")
    assert moves(match, match.state, match.game.read_action(action)) == wanted


def test_the_end_of_a_turn_moves_no_coin() -> None:
    match = steal("always", "person")
    placed = match.game.apply(match.state, match.game.read_action({"do": "place", "coin": "penny"}))
    assert moves(match, placed, match.game.read_action({"do": "done"})) == ()


# -- the record -------------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded() -> list[Event]:
    return []


@pytest.fixture
def referee(recorded: list[Event]) -> Referee:
    """A game whose first toss was just seen; a hint may be asked."""
    made, table = Referee(recorded.extend), Table()
    made.command(Start("steal", {"starter": "heads"}, {"heads": "person", "tails": "person"}, hints="always"), None)
    made.see(table.look())
    made.see(table.toss(*["penny:heads"] * 5).look())
    return made


def hint(referee: Referee) -> commands.Hint:
    match = referee.match
    assert match is not None
    return commands.Hint("heads", view_of(match, "heads"), match.game.read_action({"do": "done"}))


def test_a_hint_is_recorded_and_changes_nothing(referee: Referee, recorded: list[Event]) -> None:
    before = referee.snapshot()
    assert referee.command(hint(referee), "heads") == (True, None)
    assert recorded[-1] == Hinted(recorded[-1].group, "heads", {"do": "done"})
    assert referee.snapshot() == before


def test_a_record_with_a_hint_is_replayed(referee: Referee, recorded: list[Event]) -> None:
    referee.command(hint(referee), "heads")
    lines = list(write_record(record_of(("", event) for event in recorded)))
    assert any('"event":"hint","seat":"heads"' in line for line in lines)
    match = referee.match
    assert match is not None
    assert list(replay(read_record(lines)))[-1].state == match.state


def test_after_a_restart_the_last_ruling_is_the_one_before_the_hint(referee: Referee, recorded: list[Event]) -> None:
    before = last_ruling(recorded, len(recorded))
    referee.command(hint(referee), "heads")
    assert last_ruling(recorded, len(recorded)) == before


def test_a_hint_that_comes_after_the_next_ruling_is_not_given(referee: Referee, recorded: list[Event]) -> None:
    late, count = hint(referee), len(recorded)
    referee.command(commands.Act({"do": "place", "coin": "penny"}), "heads")
    with pytest.raises(CommandError, match="The game went on"):
        referee.command(late, "heads")
    assert [event for event in recorded[count:] if isinstance(event, Hinted)] == []


def test_no_json_records_a_hint() -> None:
    with pytest.raises(KeyError):
        read_command("hint", {})


def test_house_rules_of_older_records_are_the_defaults() -> None:
    event = read_event({"event": "start", "group": 1, "game": "steal", "options": {}, "seats": {}})
    assert isinstance(event, Started)
    assert (event.odds, event.hints) == ("after", "practice")


def test_a_rematch_keeps_the_house_rules(recorded: list[Event]) -> None:
    referee = Referee(recorded.extend)
    referee.command(Start("steal", odds="always", hints="never"), None)
    began = recorded[-1]
    assert isinstance(began, Started)
    assert (began.odds, began.hints) == ("always", "never")
