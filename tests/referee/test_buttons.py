"""Five buttons are enough: CHOOSE highlights the next choice, DONE takes it or ends the turn."""

from __future__ import annotations

from random import Random

import pytest

from lab.refereeing.told import ToldStage
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.referee.commands import Act, Command, Press, Start
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Choice
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.arrange import arrange
from tests.referee.table import NO_CAMERA, Table, game_of, ruling_of

BY_BUTTONS = ("steal", "exact", "coin-age")


class ButtonsOnly(Referee):
    """A referee that takes buttons only."""

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        assert isinstance(command, Press), f"no button does {command}"
        return super().command(command, seat)


def highlighted(referee: Referee) -> Choice | None:
    return next((c for c in referee.snapshot().prompt.choices if c.highlighted), None)


def choose(referee: Referee, side: str, wanted: object, key: str) -> None:
    """Press CHOOSE until the choice with that game or action is highlighted, then DONE."""
    for _ in range(8):
        chosen = highlighted(referee)
        if chosen and getattr(chosen, key) == wanted:
            referee.command(Press(f"{side}.done"), None)  # type: ignore[arg-type]
            return
        referee.command(Press(f"{side}.choose"), None)  # type: ignore[arg-type]
    raise AssertionError(f"{wanted} is not among the choices")


@pytest.mark.parametrize("name", BY_BUTTONS)
def test_a_whole_game_from_the_lobby_to_the_end(name: str) -> None:
    """Coins are moved by hand; acts that move no coin are pressed or chosen."""
    stage = ToldStage("two-row", seed=6)
    stage.referee = ButtonsOnly(lambda events: None)
    referee, dice = stage.referee, Random(5)
    stage.settle()
    choose(referee, "tails", name, "game")
    match = referee.match
    assert match
    game, truth = match.game, match.state
    stage.table.lay(mats.load(match.mat))
    for _ in range(400):
        arrange(stage.table, game.layout(truth))
        stage.settle()
        assert referee.match
        assert referee.match.state == truth, referee.snapshot().prompt.text
        if game.outcome(truth):
            break
        if due := game.tosses_due(truth):
            shown = {zone: stage.table.toss(heap, zone) for zone, heap in due.items()}
            truth = game.apply(truth, game.toss_action(truth, shown))
            stage.settle()
        else:
            action, side = random_action(game, truth, dice), game.to_act(truth)[0]
            truth = game.apply(truth, action)
            if action.ends_turn:
                referee.command(Press(f"{side}.done"), None)  # type: ignore[arg-type]
    assert referee.snapshot().prompt.kind == "over"


def test_the_lobby_offers_the_games_that_buttons_can_play() -> None:
    prompt = Referee(lambda events: None).snapshot().prompt
    assert [choice.game for choice in prompt.choices] == [name for name in rules.NAMES if name in BY_BUTTONS]
    assert prompt.choices[0].highlighted
    assert all(set(choice.texts) == {"en", "zh"} for choice in prompt.choices)


def test_a_swap_is_highlighted_by_choose_and_taken_by_done() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("exact", {"starter": "heads", "goal": 30}), None)
    referee.lose_camera(NO_CAMERA)
    game, dice = rules.load("exact"), Random(0)
    for _ in range(5000):  # play on, by hand, until a swap is offered
        match = referee.match
        assert match
        if game.phase(match.state) == "swap":
            break
        if game.outcome(match.state):
            referee.command(Start("exact", {"starter": "heads", "goal": 30}), None)
        else:
            referee.command(Act(game.write_action(random_action(game, match.state, dice))), None)
    offered = referee.snapshot().prompt.choices
    swap = next(choice.action for choice in offered if choice.action and choice.action["do"] == "swap")
    assert match
    (side,) = game.to_act(match.state)
    assert highlighted(referee) is None
    choose(referee, side, swap, "action")
    assert referee.match
    assert referee.match.plies[-1].action == game.read_action(swap)
    assert referee.match.plies[-1].by == "button"


def test_done_alone_ends_the_turn_also_after_a_choice() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    choose(referee, "heads", {"do": "place", "coin": "penny"}, "action")
    assert game_of(referee.snapshot())["turn"]["placed"]
    assert highlighted(referee) is None
    referee.command(Press("heads.done"), None)
    assert game_of(referee.snapshot())["to_act"] == ["tails"]


def test_a_highlighted_choice_stays_when_the_same_table_is_seen_again() -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    table.put("row.heads", *["penny"] * 3).put("row.tails", *["penny"] * 2)
    referee.see(table.look())
    referee.command(Press("heads.choose"), None)
    before = highlighted(referee)
    referee.see(table.hand())
    referee.see(table.look())
    assert before is not None
    assert highlighted(referee) == before


def test_the_other_side_cannot_take_what_is_highlighted() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    referee.command(Press("heads.choose"), None)
    assert referee.command(Press("tails.done"), None)[0] is False
    assert ruling_of(referee.snapshot()).clause == "turn"


def test_done_after_the_end_begins_nothing_until_a_game_is_chosen() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads", "goal": 10}), None)
    referee.lose_camera(NO_CAMERA)
    game, dice = rules.load("steal"), Random(1)
    while referee.match and not game.outcome(referee.match.state):
        referee.command(Act(game.write_action(random_action(game, referee.match.state, dice))), None)
    over = referee.match
    referee.command(Press("heads.done"), None)
    assert referee.match is over
    choose(referee, "heads", "coin-age", "game")
    assert referee.match
    assert referee.match.game.name == "coin-age"
