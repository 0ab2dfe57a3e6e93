"""What the referee does: tables of what is expected of the table, what the table shows, and what follows.

Every game is Steal with Heads to move: four pennies in Heads' row and one in Tails' row. A move is "+ row.heads penny"
or "- row.heads penny penny". The coin "penny|dime" looks like a penny, and nearly as much like a dime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tablecoin.referee.commands import Act, Answer, Press, Start, Undo
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import PromptKind, Ruling
from tablecoin.rules.rulebook import Message, sentence
from tests.referee.table import NO_CAMERA, Table

TOSS: Mapping[str, object] = {"do": "flip", "coins": ["penny:heads"] * 4 + ["penny:tails"]}
PLACE: Mapping[str, object] = {"do": "place", "coin": "penny"}
DOUBT = 0.45  # the probability of the second coin in "penny|dime"
ON_EDGE_MM = (120.0, 204.0)  # Heads' row begins at 208 mm, and a penny reaches 9.5 mm

Moves = tuple[str, ...]
Result = tuple[PromptKind, str | None]  # the prompt, and the new ruling: the act accepted, the clause that refused it


class Game:
    """A referee, the table it watches, and the last ruling that is not news any more."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.referee, self.table = Referee(self.events.extend), Table()
        self.referee.command(Start("steal", {"starter": "heads"}), None)
        self.look()
        self.known: Ruling | None = self.referee.snapshot().ruling

    def move(self, *moves: str) -> None:
        """Hands move coins, and are still over the table."""
        for move in moves:
            sign, zone, *coins = move.split(" ")
            for coin in coins:
                kind, _, other = coin.partition("|")
                if sign == "+":
                    self.table.put(zone, kind, also={other: DOUBT} if other else None)
                else:
                    self.table.take(zone, kind)
        self.referee.see(self.table.hand())

    def look(self) -> None:
        """The hands leave, and the table comes to rest."""
        self.referee.see(self.table.look())

    def follow(self) -> None:
        """The table is set as the state wants it, and seen."""
        self.table.coins = []
        for zone, heap in self.referee.snapshot().table.wanted.items():
            self.table.put(zone, *heap)
        self.look()

    def act(self, *acts: Mapping[str, object]) -> None:
        """Acts entered by hand; the table does not follow."""
        for act in acts:
            assert self.referee.command(Act(act), None) == (True, None), act

    def result(self) -> Result:
        """The prompt's kind, and what was ruled since `settle`."""
        shown = self.referee.snapshot()
        if shown.ruling == self.known or shown.ruling is None:
            return shown.prompt.kind, None
        action = shown.ruling.action
        return shown.prompt.kind, shown.ruling.clause or (str(action["do"]) if action else "taken back")

    def settle(self) -> None:
        """What was ruled so far is no news."""
        self.known = self.referee.snapshot().ruling


def tossing() -> Game:
    """The five pennies of the setup are to be tossed."""
    return Game()


def following() -> Game:
    """The table shows the state."""
    game = Game()
    game.act(TOSS)
    game.follow()
    game.settle()
    return game


def arranging() -> Game:
    """The setup was tossed: the pennies still lie in the tray, and must go into the rows."""
    game = Game()
    game.move("+ tray penny penny penny penny penny:tails")
    game.look()
    game.settle()
    return game


def restoring() -> Game:
    """The placing of a penny was taken back, and the penny still lies in the row."""
    game = following()
    game.move("+ row.heads penny")
    game.look()
    game.referee.command(Undo(), None)
    game.settle()
    return game


FOLLOWING: dict[str, tuple[Moves, Result]] = {
    "nothing moved": ((), ("turn", None)),
    "one lawful act": (("+ row.heads penny",), ("turn", "place")),
    "two lawful acts": (("- row.heads penny penny penny penny", "+ row.heads nickel"), ("turn", "convert")),
    "a mistake people make": (("+ row.heads quarter",), ("refused", "steal.place.limit")),
    "a coin in the other's row": (("+ row.tails penny",), ("refused", "steal.row.add")),
    "two things fit": (("+ row.heads penny|dime",), ("question", None)),
    "nothing fits": (("- row.heads penny penny penny", "- row.tails penny"), ("paused", None)),
}

SET: Moves = ("- tray penny penny penny penny penny", "+ row.heads penny penny penny penny", "+ row.tails penny")

ARRANGING: dict[str, tuple[Moves, Result]] = {
    "nothing moved yet": ((), ("arrange", None)),
    "half of it is set": (("- tray penny penny", "+ row.heads penny penny"), ("arrange", None)),
    "all of it is set": (SET, ("turn", None)),
    "a doubtful coin may be the right one": (
        (*SET, "- row.tails penny", "+ row.tails penny|dime"),
        ("turn", None),
    ),
    "it is set, and the player acts at once": ((*SET, "+ row.heads penny"), ("turn", "place")),
    "a wrong coin is no mistake yet": ((*SET, "+ row.heads quarter"), ("arrange", None)),
}

RESTORING: dict[str, tuple[Moves, Result]] = {
    "nothing moved yet": ((), ("arrange", None)),
    "the table is restored": (("- row.heads penny",), ("turn", None)),
    "a lawful act is not ruled on": (
        ("- row.heads penny penny penny penny penny", "+ row.heads nickel"),
        ("arrange", None),
    ),
    "nor is a mistake": (("+ row.heads quarter",), ("arrange", None)),
}

TOSSING: dict[str, tuple[Moves, Result]] = {
    "nothing in the tray": ((), ("flip", None)),
    "the coins due": (("+ tray penny penny penny penny penny:tails",), ("arrange", "flip")),
    "one is missing": (("+ tray penny penny penny penny",), ("flip", None)),
    "another coin instead": (("+ tray penny penny penny penny dime",), ("refused", "steal.flip.coins")),
    "one too many": (("+ tray penny penny penny penny penny penny",), ("refused", "steal.flip.coins")),
    "one that can hardly be read": (
        ("+ tray penny penny penny penny", "+ tray penny|dime"),
        ("question", None),
    ),
}


@pytest.mark.parametrize(("moves", "result"), FOLLOWING.values(), ids=FOLLOWING.keys())
def test_while_people_act_what_the_table_shows_is_ruled_on(moves: Moves, result: Result) -> None:
    game = following()
    game.move(*moves)
    game.look()
    assert game.result() == result


@pytest.mark.parametrize(("moves", "result"), ARRANGING.values(), ids=ARRANGING.keys())
def test_while_the_table_is_arranged_only_lawful_acts_count(moves: Moves, result: Result) -> None:
    game = arranging()
    game.move(*moves)
    game.look()
    assert game.result() == result


@pytest.mark.parametrize(("moves", "result"), RESTORING.values(), ids=RESTORING.keys())
def test_after_an_undo_nothing_is_ruled_until_the_table_is_restored(moves: Moves, result: Result) -> None:
    game = restoring()
    game.move(*moves)
    game.look()
    assert game.result() == result


@pytest.mark.parametrize(("moves", "result"), TOSSING.values(), ids=TOSSING.keys())
def test_a_toss_counts_when_exactly_the_coins_due_lie_in_the_tray(moves: Moves, result: Result) -> None:
    game = tossing()
    game.move(*moves)
    game.look()
    assert game.result() == result


Acts = tuple[Mapping[str, object], ...]

# What stands, what hands do, what follows from a DONE on the still table, and from one while a hand is over it.
DONE: dict[str, tuple[Acts, Moves, Result, Result]] = {
    "after placing": ((PLACE,), (), ("turn", "done"), ("turn", "done")),
    "without placing": ((), (), ("turn", "steal.done.unplaced"), ("turn", "steal.done.unplaced")),
    "in one go with placing": ((), ("+ row.heads penny",), ("turn", "done"), ("turn", "done")),
    "on a mistake": ((), ("+ row.heads quarter",), ("refused", "unfinished"), ("refused", "steal.place.limit")),
    "between two positions": (
        (PLACE,),
        ("- row.heads penny penny penny",),
        ("unfinished", "unfinished"),
        ("unfinished", "unfinished"),
    ),
    "where nothing fits": (
        (PLACE,),
        ("- row.heads penny penny penny", "- row.tails penny"),
        ("paused", "unfinished"),
        ("paused", "unfinished"),
    ),
}


def placed(acts: Acts, moves: Moves) -> Game:
    """After `acts`, which the table followed, hands make `moves`."""
    game = following()
    game.act(*acts)
    game.follow()
    game.settle()
    game.move(*moves)
    return game


@pytest.mark.parametrize(("acts", "moves", "result", "_"), DONE.values(), ids=DONE.keys())
def test_done_on_a_still_table(acts: Acts, moves: Moves, result: Result, _: Result) -> None:
    game = placed(acts, moves)
    game.look()
    game.referee.command(Press("heads.done"), None)
    assert game.result() == result


@pytest.mark.parametrize(("acts", "moves", "_", "result"), DONE.values(), ids=DONE.keys())
def test_done_under_a_hand_waits_until_the_table_is_still(acts: Acts, moves: Moves, _: Result, result: Result) -> None:
    game = placed(acts, moves)
    game.referee.command(Press("heads.done"), None)
    assert game.result() == ("turn", None)
    assert game.referee.snapshot().prompt.text == sentence(Message("referee.hold_still"))
    game.look()
    assert game.result() == result


def test_done_that_waited_counts_later_where_it_could_not_be_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(events: Sequence[Event]) -> None:
        raise OSError("the disk is full")

    game = placed((), ("+ row.heads penny",))
    game.referee.command(Press("heads.done"), None)
    with monkeypatch.context() as disk:
        disk.setattr(game.referee._scribe, "_record", refuse)
        with pytest.raises(OSError, match="full"):
            game.look()
    game.look()
    assert game.result() == ("turn", "done")


def test_done_of_the_other_side_is_refused() -> None:
    game = following()
    game.referee.command(Press("tails.done"), None)
    assert game.result() == ("turn", "turn")


def test_done_before_the_table_is_restored_is_refused_as_unfinished() -> None:
    game = restoring()
    game.look()
    game.referee.command(Press("heads.done"), None)
    assert game.result() == ("arrange", "unfinished")


def test_done_under_a_hand_waits_for_the_answer_to_a_question_too() -> None:
    game = following()
    game.move("+ row.heads penny|dime")
    game.referee.command(Press("heads.done"), None)
    game.look()
    assert game.result() == ("question", None)
    game.referee.command(Answer(0), "heads")
    assert game.result() == ("turn", "done")
    assert game.referee.snapshot().prompt.seat == "tails"


def test_done_at_a_question_takes_the_highlighted_answer() -> None:
    game = following()
    game.move("+ row.heads penny|dime")
    game.look()
    game.referee.command(Press("heads.done"), None)
    assert game.result() == ("turn", "place")


def test_without_a_camera_done_is_judged_by_the_rules_alone() -> None:
    game = following()
    game.act(PLACE)
    game.settle()
    game.referee.lose_camera(NO_CAMERA)
    game.referee.command(Press("heads.done"), None)
    assert game.result() == ("turn", "done")


def test_done_after_an_answer_that_was_refused_looks_at_the_table_again() -> None:
    """The menu went with the question: no answer is highlighted any more that DONE could take."""
    game = following()
    game.move("+ row.heads dime|penny")
    game.look()
    choices = game.referee.snapshot().prompt.choices
    wrong = next(k for k, choice in enumerate(choices) if choice.text == "It is a dime")
    game.referee.command(Answer(wrong), "heads")
    assert game.result() == ("refused", "steal.place.limit")
    game.referee.command(Press("heads.done"), None)
    assert game.result() == ("refused", "unfinished")


def test_a_coin_across_an_edge_stops_everything_until_it_lies_clearly() -> None:
    game = following()
    lying = game.table.coins
    game.table.coins = [replace(lying[0], place_mm=ON_EDGE_MM, zone=None), *lying[1:]]
    game.look()
    assert game.result() == ("paused", None)
    assert "across the edge" in game.referee.snapshot().prompt.text
    game.table.coins = lying
    game.look()
    assert game.result() == ("turn", None)


def test_coins_that_lay_in_the_tray_before_were_not_tossed() -> None:
    game = Game()
    game.table.put("tray", *["penny"] * 5)
    again = Referee(lambda events: None)  # it starts with the coins in the tray, and did not see them fall
    again.restore(game.events, len(game.events))
    again.see(game.table.look())
    assert "not tossed" in again.snapshot().prompt.text
    assert again.match
    assert not again.match.plies
