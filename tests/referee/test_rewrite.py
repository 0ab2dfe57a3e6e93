"""A toss that was read wrongly is corrected later, and what followed is judged again."""

from __future__ import annotations

import pytest

from tablecoin.coins import Coin
from tablecoin.referee.commands import Act, CommandError, Reread, Start, read_command
from tablecoin.referee.events import Event, TakenBack
from tablecoin.referee.match import replay
from tablecoin.referee.recall import taken_back
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import GameState, Snapshot
from tablecoin.rules import load
from tests.referee.table import NO_CAMERA, Table, game_of, ruling_of

TWO = ("penny:heads", "nickel:heads", "dime:tails", "quarter:tails")


class Played:
    """Coin Age by hand; the numbers of the rulings are kept."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.referee = Referee(self.events.extend)
        self.referee.command(Start("coin-age", undo="free"), None)
        self.referee.lose_camera(NO_CAMERA)
        self.toss = self.act(do="flip", coins=TWO)  # the number of its ruling

    def act(self, **action: object) -> int:
        assert self.referee.command(Act(action), None) == (True, None)
        return ruling_of(self.referee.snapshot()).seq

    @property
    def state(self) -> GameState:
        return game_of(self.referee.snapshot())


@pytest.fixture
def played() -> Played:
    played = Played()
    played.act(do="place", coin="penny", space="M1")
    played.act(do="place", coin="nickel", space="M2")
    played.act(do="done")
    return played


def reread(played: Played, ruling: int, *coins: str) -> Snapshot:
    played.referee.command(read_command("correct", {"ruling": ruling, "coins": list(coins)}), None)
    return played.referee.snapshot()


def test_acts_that_are_still_legal_stand(played: Played) -> None:
    after = reread(played, played.toss, "penny:heads", "nickel:heads", "dime:heads", "quarter:tails")
    assert ruling_of(after).accepted
    assert "still stands" in ruling_of(after).text
    assert game_of(after)["spaces"]["M2"] == ["nickel:heads"]
    assert game_of(after)["to_act"] == ["table"]
    assert game_of(after)["mover"] == "tails"


def test_from_the_first_act_no_longer_legal_everything_is_taken_back_and_named(played: Played) -> None:
    after = reread(played, played.toss, "penny:heads", "nickel:tails", "dime:tails", "quarter:tails")
    assert game_of(after)["spaces"]["M1"] == ["penny:heads"]
    assert game_of(after)["spaces"]["M2"] == []
    assert game_of(after)["to_act"] == ["heads"]
    assert "nickel" in ruling_of(after).text


def test_nothing_is_erased_and_a_restart_finds_the_same(played: Played) -> None:
    events = list(played.events)
    reread(played, played.toss, "penny:heads", "nickel:tails", "dime:tails", "quarter:tails")
    assert played.events[: len(events)] == events
    assert sum(isinstance(event, TakenBack) for event in played.events) == 4
    again = Referee(lambda events: None)
    again.restore(played.events, len(played.events))
    assert again.snapshot().game == played.state
    match = replay(played.events)
    assert match
    assert match.game.write_state(match.state) == played.state


def test_it_can_be_corrected_again_after_a_restart_by_the_number_of_the_new_ruling(played: Played) -> None:
    reread(played, played.toss, "penny:heads", "nickel:heads", "dime:heads", "quarter:tails")
    again = Referee(lambda events: None)
    again.restore(played.events, len(played.events))
    number = next(
        k
        for k, event in reversed(list(enumerate(played.events, 1)))
        if getattr(event, "action", {}).get("do") == "flip"
    )
    again.command(Reread(number, tuple(map(Coin, TWO))), None)
    assert game_of(again.snapshot())["matches"] is None
    assert game_of(again.snapshot())["spaces"]["M2"] == ["nickel:heads"]


@pytest.mark.parametrize("power_cut", [False, True])
def test_nothing_is_ruled_until_the_table_shows_what_a_correction_left(power_cut: bool) -> None:
    """The nickel did not match, so both placed coins are taken back; the penny that still lies there is no new act."""
    played = Played()
    played.act(do="place", coin="nickel", space="M2")
    played.act(do="place", coin="penny", space="M1")
    reread(played, played.toss, "penny:heads", "nickel:tails", "dime:tails", "quarter:tails")
    referee = after_power_cut(played) if power_cut else played.referee
    table = laid(played.state)
    table.take("tray", "penny").put("space.M1", "penny:heads")
    referee.see(table.look())
    assert (referee.snapshot().prompt.kind, game_of(referee.snapshot())["spaces"]["M1"]) == ("arrange", [])
    table.take("space.M1", "penny").put("tray", "penny:heads")
    referee.see(table.look())
    assert referee.snapshot().prompt.kind == "turn"
    table.take("tray", "penny").put("space.M1", "penny:heads")
    referee.see(table.look())
    assert game_of(referee.snapshot())["spaces"]["M1"] == ["penny:heads"]


def test_what_is_done_after_a_correction_is_no_part_of_it(played: Played) -> None:
    assert not taken_back(played.events)
    reread(played, played.toss, "penny:heads", "nickel:tails", "dime:tails", "quarter:tails")
    assert taken_back(played.events), "the penny was placed again, the nickel and DONE were not"
    played.act(do="done")
    assert not taken_back(played.events)


def test_a_correction_after_which_everything_stands_may_still_change_the_table(played: Played) -> None:
    reread(played, played.toss, "penny:heads", "nickel:heads", "dime:heads", "quarter:tails")
    assert taken_back(played.events)
    played.act(do="flip", coins=TWO)
    assert not taken_back(played.events)


def after_power_cut(played: Played) -> Referee:
    referee = Referee(played.events.extend)
    referee.restore(played.events, len(played.events))
    return referee


def laid(state: GameState) -> Table:
    """A table that shows the state."""
    table, game = Table(), load("coin-age")
    for zone, pile in game.layout(game.read_state(state)).items():
        table.put(zone, *pile.listed())
    return table


@pytest.mark.parametrize(
    ("ruling", "coins", "why"),
    [(99, TWO, "No ruling"), (3, TWO, "not a toss"), (2, TWO[:2], "toss"), (2, (*TWO[:3], "dime:heads"), "toss")],
)
def test_what_cannot_be_corrected_is_one_sentence_and_changes_nothing(
    played: Played, ruling: int, coins: tuple[str, ...], why: str
) -> None:
    before, count = played.state, len(played.events)
    with pytest.raises(CommandError, match=why):
        reread(played, ruling, *coins)
    assert (played.state, len(played.events)) == (before, count)


NONSENSE = [
    {"ruling": 0, "coins": []},
    {"ruling": 1},
    {"ruling": 1, "coins": ["euro:heads"]},
    {"ruling": "1", "coins": []},
    {"ruling": 1, "coins": [], "face": "heads"},
]


@pytest.mark.parametrize("body", NONSENSE)
def test_nonsense_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(CommandError):
        read_command("correct", body)
