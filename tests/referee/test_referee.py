"""The referee at the table: what it rules, refuses, asks and waits for. Steal is played; no pixels are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablecoin.coins import Denomination, Heap
from tablecoin.referee.commands import Act, Answer, Button, Correct, NotYourSeat, Press, Start, Undo
from tablecoin.referee.events import Acted, Event, Rejected, Started
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Prompt, Snapshot
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.rest.clearness import DARK
from tests.referee.table import NO_CAMERA, Table, act_of, game_of, ruling_of, seen


class Rig:
    """A referee, its journal and a table."""

    def __init__(self, **options: object) -> None:
        self.events: list[Event] = []
        self.referee = Referee(self.events.extend)
        self.table = Table()
        self.referee.command(Start("steal", {"starter": "heads"} | options), None)

    def see(self) -> Snapshot:
        self.referee.see(self.table.hand())
        self.referee.see(self.table.look())
        return self.state

    @property
    def state(self) -> Snapshot:
        return self.referee.snapshot()

    @property
    def prompt(self) -> Prompt:
        return self.state.prompt

    def press(self, button: Button) -> tuple[bool, Message | None]:
        return self.referee.command(Press(button), None)

    def done(self, side: str) -> tuple[bool, Message | None]:
        """The player on that side presses DONE."""
        return self.press("heads.done" if side == "heads" else "tails.done")

    def setup(self, heads: int) -> Rig:
        """Toss the five pennies so that `heads` of them show heads, and put them into the rows."""
        self.see()
        self.table.toss(*["penny:heads"] * heads, *["penny:tails"] * (5 - heads))
        self.see()
        self.table.clear("tray")
        self.table.put("row.heads", *["penny"] * heads).put("row.tails", *["penny"] * (5 - heads))
        self.see()
        return self


@pytest.fixture
def rig() -> Rig:
    return Rig().setup(3)


def rows(rig: Rig) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = game_of(rig.state)["rows"]
    return found


def test_the_setup_toss_is_read_from_the_tray_and_the_pennies_go_into_the_rows() -> None:
    rig = Rig()
    assert rig.see().prompt.kind == "flip"
    rig.table.toss(*["penny:heads"] * 2, *["penny:tails"] * 3)
    after = rig.see()
    assert game_of(after)["rows"] == {"heads": {"penny": 2}, "tails": {"penny": 3}}
    assert after.prompt.kind == "arrange"
    assert "2 pennies" in after.prompt.text
    rig.table.clear("tray").put("row.heads", "penny", "penny").put("row.tails", "penny", "penny", "penny")
    assert rig.see().prompt.kind == "turn"


def test_a_toss_waits_for_all_its_coins_and_says_which_are_missing() -> None:
    rig = Rig()
    rig.see()
    rig.table.toss("penny:heads", "penny:tails", "penny:tails")
    assert "2 pennies" in rig.see().prompt.text
    assert rig.prompt.kind == "flip"


def test_coins_that_lay_in_the_tray_already_must_be_tossed() -> None:
    rig = Rig.__new__(Rig)
    rig.events, rig.table = [], Table()
    rig.referee = Referee(rig.events.extend)
    rig.table.toss(*["penny:heads"] * 5)
    rig.see()
    rig.referee.command(Start("steal"), None)
    assert rig.see().prompt.kind == "flip"
    rig.table.toss(*["penny:heads"] * 5)
    assert game_of(rig.see())["rows"]["heads"] == {"penny": 5}


def test_a_placed_coin_is_seen_and_done_ends_the_turn(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    after = rig.see()
    assert ruling_of(after).accepted
    assert ruling_of(after).action == {"do": "place", "coin": "penny"}
    assert rig.press("heads.done") == (True, None)
    assert game_of(rig.state)["to_act"] == ["tails"]


def test_too_high_a_coin_is_refused_by_its_clause_and_a_lower_one_accepted(rig: Rig) -> None:
    rig.table.put("row.heads", "quarter")
    after = rig.see()
    assert not ruling_of(after).accepted
    assert ruling_of(after).clause == "steal.place.limit"
    assert after.prompt.kind == "refused"
    assert "1 quarter" in after.prompt.text
    rig.table.take("row.heads", "quarter").put("row.heads", "penny")
    assert ruling_of(rig.see()).accepted


def test_a_refusal_is_recorded_once_while_the_table_stays_as_it_is(rig: Rig) -> None:
    rig.table.put("row.heads", "dime")
    rig.see()
    rig.see()
    rig.see()
    assert sum(isinstance(event, Rejected) for event in rig.events) == 1


def test_done_without_placing_is_refused(rig: Rig) -> None:
    accepted, why = rig.press("heads.done")
    assert not accepted
    assert why
    assert ruling_of(rig.state).clause == "steal.done.unplaced"


def test_done_by_the_other_side_is_refused(rig: Rig) -> None:
    rig.press("tails.done")
    assert ruling_of(rig.state).clause == "turn"


def test_done_while_a_hand_is_over_the_table_waits(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.referee.see(rig.table.hand())
    assert rig.press("heads.done") == (True, None)
    assert game_of(rig.state)["to_act"] == ["heads"]
    rig.referee.see(rig.table.look())
    assert game_of(rig.state)["to_act"] == ["tails"]


def test_within_a_turn_people_may_change_their_mind(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.table.take("row.heads", "penny")
    assert game_of(rig.see())["rows"]["heads"] == {"penny": 3}
    assert rig.prompt.kind == "turn"


def test_the_referee_waits_while_a_conversion_is_half_done() -> None:
    rig = Rig().setup(5)
    rig.table.take("row.heads", *["penny"] * 5)
    assert rig.see().prompt.kind == "unfinished"
    rig.press("heads.done")
    assert ruling_of(rig.state).clause == "unfinished"
    rig.table.put("row.heads", "nickel")
    after = rig.see()
    assert act_of(after)["do"] == "convert"
    assert game_of(after)["rows"]["heads"] == {"nickel": 1}


def test_converting_and_placing_in_one_go_is_one_ruling() -> None:
    rig = Rig().setup(5)
    rig.table.take("row.heads", *["penny"] * 5).put("row.heads", "nickel", "nickel")
    after = rig.see()
    assert game_of(after)["rows"]["heads"] == {"nickel": 2}
    assert game_of(after)["turn"] == {"placed": True, "converted": True}
    rig.referee.command(Undo(), None)
    assert rows(rig)["heads"] == {"penny": 5}


def test_an_unsure_coin_is_settled_by_what_is_possible(rig: Rig) -> None:
    rig.table.put("row.heads", "dime", also={"penny": 0.45})
    after = rig.see()  # a dime is not allowed, a penny is: the referee asks rather than guess
    assert after.prompt.kind in ("question", "turn")
    if after.prompt.kind == "question":
        rig.referee.command(Answer(0), None)
    assert rows(rig)["heads"] == {"penny": 4}


def test_a_coin_that_may_be_either_of_two_legal_ones_is_asked_about() -> None:
    rig = Rig().setup(5)
    rig.table.take("row.heads", *["penny"] * 5).put("row.heads", "nickel")
    rig.see()
    rig.table.put("row.heads", "penny", also={"nickel": 0.45})
    after = rig.see()
    assert after.prompt.kind == "question"
    texts = [choice.text for choice in after.prompt.choices]
    assert len(texts) >= 2
    rig.press("heads.choose")  # the second answer
    rig.press("heads.done")
    assert rows(rig)["heads"] == {"nickel": 2}


def test_undo_waits_until_the_table_shows_the_state(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.referee.command(Undo(), None)
    assert rig.prompt.kind == "arrange"
    rig.see()  # the penny still lies there: it is not ruled on again
    assert rows(rig)["heads"] == {"penny": 3}
    rig.table.take("row.heads", "penny")
    assert rig.see().prompt.kind == "turn"


def test_a_coin_placed_and_converted_between_two_looks_counts_as_both(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.press("heads.done")
    rig.table.put("row.tails", "penny")
    rig.see()
    rig.press("tails.done")
    assert rows(rig)["heads"] == {"penny": 4}
    rig.table.clear("row.heads").put("row.heads", "nickel")
    after = rig.see()
    assert ruling_of(after).accepted
    assert rows(rig)["heads"] == {"nickel": 1}


def test_a_corrected_coin_is_ruled_on_again(rig: Rig) -> None:
    rig.table.put("row.heads", "quarter")
    after = rig.see()
    assert not ruling_of(after).accepted
    wrong = next(c.i for c in after.table.coins if c.denomination == "quarter")
    rig.referee.command(Correct(wrong, Denomination.PENNY), None)
    assert ruling_of(rig.state).accepted
    assert rows(rig)["heads"] == {"penny": 4}


def test_a_correction_does_not_pass_to_another_coin_in_the_same_place(rig: Rig) -> None:
    rig.table.put("row.heads", "quarter")
    corrected = rig.see()
    wrong = next(c.i for c in corrected.table.coins if c.denomination == "quarter")
    rig.referee.command(Correct(wrong, Denomination.PENNY), None)
    place = next(coin.place_mm for coin in rig.table.coins if coin.denomination == "quarter")
    rig.table.take("row.heads", "quarter")
    assert place
    rig.table.coins.append(replace(seen("dime", "row.heads", place[0]), place_mm=place))
    after = rig.see()
    assert "dime" in [c.denomination for c in after.table.coins]
    assert not ruling_of(after).accepted


def test_a_correction_ends_when_its_coin_is_taken_away(rig: Rig) -> None:
    rig.table.put("row.heads", "quarter")
    wrong = next(c.i for c in rig.see().table.coins if c.denomination == "quarter")
    rig.referee.command(Correct(wrong, Denomination.PENNY), None)
    assert ruling_of(rig.state).accepted
    corrected = rig.table.coins.pop()
    rig.see()
    rig.table.coins.append(corrected)  # a quarter in the same place, which nobody has corrected
    assert [c.denomination for c in rig.see().table.coins].count(Denomination.QUARTER) == 1


def test_nothing_fits_pauses_and_shows_the_difference(rig: Rig) -> None:
    rig.table.take("row.heads", "penny", "penny").put("row.tails", "quarter", "dime", "dime")
    after = rig.see()
    assert after.prompt.kind == "paused"
    zones = {d.zone: d for d in after.table.differences}
    assert zones["row.heads"].missing == Heap(penny=2)
    assert zones["row.tails"].extra == Heap(dime=2, quarter=1)


def test_an_action_by_phone_is_judged_and_the_table_follows(rig: Rig) -> None:
    rig.referee.command(Act({"do": "place", "coin": "penny"}), "heads")
    assert rows(rig)["heads"] == {"penny": 4}
    assert rig.prompt.kind == "arrange"
    accepted, why = rig.referee.command(Act({"do": "place", "coin": "dime"}), "heads")
    assert not accepted
    assert why


def test_a_whole_round_with_a_steal(rig: Rig) -> None:
    for side in ("heads", "tails"):
        rig.table.put(f"row.{side}", "penny")
        rig.see()
        rig.done(side)
    for _ in range(4):  # pennies until a row is worth a nickel
        if game_of(rig.state)["to_act"] == ["table"]:
            break
        side = game_of(rig.state)["to_act"][0]
        rig.table.put(f"row.{side}", "penny")
        rig.see()
        rig.done(side)
    assert rig.prompt.kind == "flip"
    before = rows(rig)
    rig.table.toss("penny:heads")
    after = rig.see()
    assert game_of(after)["rows"]["heads"]["penny"] == before["heads"]["penny"] - 1
    assert game_of(after)["rows"]["tails"]["penny"] == before["tails"]["penny"] + 1
    assert after.prompt.kind == "arrange"


def test_a_toss_undone_after_a_restart_is_not_read_from_the_coins_that_still_lie_there(rig: Rig) -> None:
    """No picture shows that they were picked up."""
    rig.table.clear("row.heads").clear("row.tails").put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    rig.referee = Referee(rig.events.extend)
    rig.referee.restore(tuple(rig.events), len(rig.events))
    rig.referee.command(Undo(), None)
    rig.done("heads")
    rig.done("tails")  # both agree that the toss is taken back
    assert "not tossed" in rig.see().prompt.text
    assert game_of(rig.state)["phase"] == "setup"


def test_the_computer_says_what_to_move_and_waits_for_it() -> None:
    rig = Rig()
    rig.referee.command(Start("steal", {"starter": "tails"}, {"heads": "person", "tails": "computer"}, "easy"), None)
    rig.setup(3)
    after = rig.state
    assert after.prompt.kind == "arrange"
    assert game_of(after)["to_act"] == ["heads"]
    missing = {d.zone: d.missing for d in after.table.differences}
    assert missing == {"row.tails": Heap(penny=1)}
    rig.table.put("row.tails", "penny")
    assert rig.see().prompt.kind == "turn"


def test_the_state_is_restored_from_the_journal(rig: Rig) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.press("heads.done")
    other = Referee(lambda events: None)
    other.restore(rig.events, len(rig.events))
    assert other.snapshot().game == rig.state.game


def test_without_a_camera_play_goes_on_by_hand(rig: Rig) -> None:
    rig.referee.lose_camera(NO_CAMERA)
    rig.referee.command(Act({"do": "place", "coin": "penny"}), None)
    rig.press("heads.done")
    assert game_of(rig.state)["to_act"] == ["tails"]


def test_a_random_map_is_recorded_so_that_the_game_starts_the_same_again() -> None:
    events: list[Event] = []
    referee = Referee(events.extend)
    referee.command(Start("coin-age", {"map": "random"}), None)
    (started,) = (event for event in events if isinstance(event, Started))
    assert isinstance(started.options["seed"], int)
    again = Referee(lambda _: None)
    again.restore(events, len(events))
    assert again.match
    assert referee.match
    assert (again.match.state, again.match.mat) == (referee.match.state, referee.match.mat)


def test_a_phone_presses_the_buttons_of_its_own_seat_only(rig: Rig) -> None:
    with pytest.raises(NotYourSeat, match="the button of Tails"):
        rig.referee.command(Press("tails.done"), "heads")
    rig.table.put("row.heads", "penny")
    rig.see()
    assert rig.referee.command(Press("heads.done"), "heads") == (True, None)


def test_only_its_own_phone_says_what_a_seat_did(rig: Rig) -> None:
    """Somebody at the table (no seat) may answer for anybody."""
    rig.table.put("row.heads", "penny", also={"penny": 0.5, "dime": 0.45})
    rig.table.take("row.heads", "penny").put("row.heads", "dime", also={"penny": 0.5})
    asked = rig.see()
    assert asked.prompt.kind == "question"
    assert asked.prompt.seat == "heads"
    for command in (Answer(0), Press("tails.done")):
        with pytest.raises(NotYourSeat, match="Only Heads may answer this"):
            rig.referee.command(command, "tails")
    assert rig.state.prompt.kind == "question"
    rig.referee.command(Answer(0), "heads")
    assert rig.state.prompt.kind != "question"


def test_only_its_own_phone_may_choose_an_act_offered_to_a_seat(rig: Rig) -> None:
    rig.referee.command(Act({"do": "place", "coin": "penny"}), "heads")
    rig.table.put("row.heads", "penny")
    offered = rig.see().prompt.choices
    k = next(k for k, choice in enumerate(offered) if choice.action == {"do": "done"})
    with pytest.raises(NotYourSeat):
        rig.referee.command(Answer(k), "tails")
    rig.referee.command(Answer(k), "heads")
    assert game_of(rig.state)["to_act"] == ["tails"]


def test_any_phone_may_say_how_a_toss_fell() -> None:
    rig = Rig()
    rig.see()
    rig.table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny", heads=0.6, also={"dime": 0.2})
    assert rig.see().prompt.kind == "question"
    rig.referee.command(Answer(0), "tails")
    assert game_of(rig.state)["phase"] == "turn"


def test_the_other_seat_takes_back_what_a_computer_did() -> None:
    """Its own act before it goes too: the computer would do the same again at once."""
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}, {"tails": "computer"}), None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    assert referee.snapshot().undo_seat is None  # a toss is anybody's to take back
    for act in ({"do": "place", "coin": "penny"}, {"do": "done"}):
        referee.command(Act(act), "heads")
    assert referee.match
    assert referee.match.plies[-1].by == "computer"
    assert referee.snapshot().undo_seat == "heads"  # whose DONE goes with it
    assert referee.command(Undo(), "heads") == (True, None)
    assert [ply.seat for ply in referee.match.plies] == ["table", "heads"]
    assert game_of(referee.snapshot())["to_act"] == ["heads"]


def test_among_computers_an_undo_takes_back_one_act() -> None:
    seats = ("1", "2", "3")
    match = Match.begin(Started(0, "goes-around", {"players": 3}, dict.fromkeys(seats, "computer")))
    for group, seat in enumerate(seats, 1):
        match = match.take(Acted(group, {"do": "commit", "seat": seat, "action": "pass"}, seat, "computer"))
    assert match.undoable() == match.plies[-1:]
    assert match.undo_seat() is None


def test_a_reveal_is_taken_back_though_computers_chose_again_at_once() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("goes-around", {"players": 3}, {"2": "computer", "3": "computer"}), None)
    referee.lose_camera(NO_CAMERA)
    for act in ({"do": "commit", "seat": "1", "action": "pass"}, {"do": "reveal"}):
        referee.command(Act(act), None)
    assert game_of(referee.snapshot())["committed"] == ["2", "3"]
    referee.command(Undo(), "1")
    assert (game_of(referee.snapshot())["round"], game_of(referee.snapshot())["committed"]) == (1, ["2", "3"])


def test_on_a_picture_that_is_not_clear_nothing_is_ruled() -> None:
    """Too blurred or too dark: the referee says so, and rules again on the next clear picture."""
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    look = table.look()
    assert look.sighting
    assert look.reading
    blurred = replace(look.reading, unclear=DARK)
    before = referee.match and referee.match.state
    referee.see(replace(look, reading=blurred, sighting=replace(look.sighting, reading=blurred)))
    assert referee.match
    assert referee.match.state == before
    assert referee.snapshot().health.warnings == (sentence(DARK),)
    assert not referee.snapshot().table.settled
    referee.see(table.clear("tray").look())
    referee.see(table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2).look())
    assert referee.match.state != before
    assert referee.snapshot().health.warnings == ()


def as_it_stands(referee: Referee, table: Table, *acts: dict[str, Any]) -> None:
    """Do `acts` on the phone; after each people lay the rows as it says."""
    for act in ({}, *acts):
        if act:
            assert referee.command(Act(act), None) == (True, None), act
        for side, coins in game_of(referee.snapshot())["rows"].items():
            table.clear(f"row.{side}").put(f"row.{side}", *(kind for kind, n in coins.items() for _ in range(n)))
        referee.see(table.clear("tray").hand())
        referee.see(table.look())


def tossed(referee: Referee, table: Table, *coins: str) -> None:
    table.toss(*coins)
    referee.see(table.hand())
    referee.see(table.look())
    as_it_stands(referee, table)


PLACE, DONE = {"do": "place", "coin": "penny"}, {"do": "done"}
NICKEL = {"do": "convert", "give": {"penny": 5}, "take": "nickel"}


def test_done_after_a_stolen_coin_was_broken_does_not_end_the_turn_that_begins() -> None:
    """Whoever broke it presses DONE while the hand is still there; then the turn is theirs."""
    rig = Rig(starter="tails").setup(3)
    referee, table = rig.referee, rig.table
    as_it_stands(referee, table, PLACE, DONE, PLACE, DONE, PLACE, DONE, PLACE, NICKEL, DONE)
    tossed(referee, table, "penny:tails", "nickel:heads")
    assert (game_of(rig.state)["phase"], game_of(rig.state)["to_act"]) == ("break", ["tails"])
    table.take("row.tails", "nickel").put("row.tails", *["penny"] * 5)
    referee.see(table.hand())
    rig.done("tails")
    referee.see(table.look())
    assert (ruling_of(rig.state).accepted, act_of(rig.state)["do"]) == (True, "break")
    assert (rig.prompt.kind, game_of(rig.state)["to_act"]) == ("turn", ["tails"])


def test_done_after_a_swap_does_not_end_the_turn_that_begins() -> None:
    rules = {"starter": "heads", "swap_order": "reverse", "swap_any": True, "goal": 30}
    referee, table = Referee(lambda _: None), Table()
    referee.command(Start("exact", rules), None)
    referee.see(table.look())
    tossed(referee, table, *["penny:heads"] * 5)
    as_it_stands(referee, table, NICKEL, PLACE | {"coin": "nickel"}, DONE, PLACE, DONE, PLACE, DONE, PLACE, DONE)
    as_it_stands(referee, table, {"do": "skip"})
    assert (game_of(referee.snapshot())["phase"], game_of(referee.snapshot())["to_act"]) == ("swap", ["heads"])
    for side, old, new in (("heads", "nickel", "penny"), ("tails", "penny", "nickel")):
        table.take(f"row.{side}", old, old).put(f"row.{side}", new, new)
    referee.see(table.hand())
    referee.command(Press("heads.done"), None)
    referee.see(table.look())
    assert (ruling_of(referee.snapshot()).accepted, act_of(referee.snapshot())["do"]) == (True, "swap")


@pytest.mark.parametrize("restarts", [False, True])
def test_what_was_taken_back_must_leave_the_table_also_after_a_restart(rig: Rig, restarts: bool) -> None:
    rig.table.put("row.heads", "penny")
    rig.see()
    rig.referee.command(Undo(), None)
    if restarts:
        rig.referee = Referee(rig.events.extend)
        rig.referee.restore(list(rig.events), len(rig.events))
    assert "take away 1 penny" in rig.see().prompt.text
    assert game_of(rig.state)["turn"]["placed"] is False
