"""The referee at the table: what it rules, refuses, asks and waits for. Steal is played; no pixels are needed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import Table, seen

from tablecoin.coins import Denomination
from tablecoin.referee.commands import Act, Answer, Correct, NotYourSeat, Press, Start, Undo
from tablecoin.referee.events import Event, Rejected, Started
from tablecoin.referee.match import Match, Ply
from tablecoin.referee.referee import Referee


class House:
    """A referee, its journal and a table."""

    def __init__(self, **options: object) -> None:
        self.events: list[Event] = []
        self.referee = Referee(self.events.extend)
        self.table = Table()
        self.referee.command(Start("steal", {"starter": "heads"} | options), None)

    def see(self) -> dict:
        self.referee.see(self.table.hand())
        self.referee.see(self.table.look())
        return self.state

    @property
    def state(self) -> dict:
        return self.referee.snapshot()

    @property
    def prompt(self) -> dict:
        return self.state["prompt"]

    def press(self, button: str) -> tuple[bool, str | None]:
        return self.referee.command(Press(button), None)

    def setup(self, heads: int) -> House:
        """Throw the five pennies so that `heads` of them show heads, and hand them out."""
        self.see()
        self.table.toss(*["penny:heads"] * heads, *["penny:tails"] * (5 - heads))
        self.see()
        self.table.clear("tray")
        self.table.put("row.heads", *["penny"] * heads).put("row.tails", *["penny"] * (5 - heads))
        self.see()
        return self


@pytest.fixture
def house() -> House:
    return House().setup(3)


def rows(house: House) -> dict:
    return house.state["game"]["rows"]


def test_the_setup_flip_is_read_from_the_tray_and_the_pennies_are_handed_out() -> None:
    house = House()
    assert house.see()["prompt"]["kind"] == "flip"
    house.table.toss(*["penny:heads"] * 2, *["penny:tails"] * 3)
    after = house.see()
    assert after["game"]["rows"] == {"heads": {"penny": 2}, "tails": {"penny": 3}}
    assert after["prompt"]["kind"] == "arrange"
    assert "2 pennies" in after["prompt"]["text"]
    house.table.clear("tray").put("row.heads", "penny", "penny").put("row.tails", "penny", "penny", "penny")
    assert house.see()["prompt"]["kind"] == "turn"


def test_a_flip_waits_for_all_its_coins_and_says_which_are_missing() -> None:
    house = House()
    house.see()
    house.table.toss("penny:heads", "penny:tails", "penny:tails")
    assert "2 pennies" in house.see()["prompt"]["text"]
    assert house.prompt["kind"] == "flip"


def test_coins_that_lay_in_the_tray_already_must_be_tossed() -> None:
    house = House.__new__(House)
    house.events, house.table = [], Table()
    house.referee = Referee(house.events.extend)
    house.table.toss(*["penny:heads"] * 5)
    house.see()
    house.referee.command(Start("steal"), None)
    assert house.see()["prompt"]["kind"] == "flip"
    house.table.toss(*["penny:heads"] * 5)
    assert house.see()["game"]["rows"]["heads"] == {"penny": 5}


def test_a_placed_coin_is_seen_and_done_ends_the_turn(house: House) -> None:
    house.table.put("row.heads", "penny")
    after = house.see()
    assert after["ruling"]["accepted"]
    assert after["ruling"]["action"] == {"do": "place", "coin": "penny"}
    assert house.press("heads.done") == (True, None)
    assert house.state["game"]["to_act"] == ["tails"]


def test_too_high_a_coin_is_refused_by_its_clause_and_accepted_once_put_right(house: House) -> None:
    house.table.put("row.heads", "quarter")
    after = house.see()
    assert not after["ruling"]["accepted"]
    assert after["ruling"]["clause"] == "steal.place.limit"
    assert after["prompt"]["kind"] == "refused"
    assert "1 quarter" in after["prompt"]["text"]
    house.table.take("row.heads", "quarter").put("row.heads", "penny")
    assert house.see()["ruling"]["accepted"]


def test_a_refusal_is_recorded_once_while_the_table_stays_as_it_is(house: House) -> None:
    house.table.put("row.heads", "dime")
    house.see()
    house.see()
    house.see()
    assert sum(isinstance(event, Rejected) for event in house.events) == 1


def test_done_without_placing_is_refused(house: House) -> None:
    accepted, why = house.press("heads.done")
    assert not accepted
    assert why
    assert house.state["ruling"]["clause"] == "steal.done.unplaced"


def test_done_by_the_other_side_is_refused(house: House) -> None:
    house.press("tails.done")
    assert house.state["ruling"]["clause"] == "turn"


def test_done_while_a_hand_is_over_the_table_waits(house: House) -> None:
    house.table.put("row.heads", "penny")
    house.referee.see(house.table.hand())
    assert house.press("heads.done") == (True, None)
    assert house.state["game"]["to_act"] == ["heads"]
    house.referee.see(house.table.look())
    assert house.state["game"]["to_act"] == ["tails"]


def test_within_a_turn_people_may_change_their_mind(house: House) -> None:
    house.table.put("row.heads", "penny")
    house.see()
    house.table.take("row.heads", "penny")
    assert house.see()["game"]["rows"]["heads"] == {"penny": 3}
    assert house.prompt["kind"] == "turn"


def test_a_conversion_half_done_is_waited_for() -> None:
    house = House().setup(5)
    house.table.take("row.heads", *["penny"] * 5)
    assert house.see()["prompt"]["kind"] == "unfinished"
    house.press("heads.done")
    assert house.state["ruling"]["clause"] == "unfinished"
    house.table.put("row.heads", "nickel")
    after = house.see()
    assert after["ruling"]["action"]["do"] == "convert"
    assert after["game"]["rows"]["heads"] == {"nickel": 1}


def test_converting_and_placing_in_one_go_is_one_ruling() -> None:
    house = House().setup(5)
    house.table.take("row.heads", *["penny"] * 5).put("row.heads", "nickel", "nickel")
    after = house.see()
    assert after["game"]["rows"]["heads"] == {"nickel": 2}
    assert after["game"]["turn"] == {"placed": True, "converted": True}
    house.referee.command(Undo(), None)
    assert rows(house)["heads"] == {"penny": 5}


def test_an_unsure_coin_is_settled_by_what_is_possible(house: House) -> None:
    house.table.put("row.heads", "dime", also={"penny": 0.45})
    after = house.see()  # a dime is not allowed, a penny is: the referee asks rather than guess
    assert after["prompt"]["kind"] in ("question", "turn")
    if after["prompt"]["kind"] == "question":
        house.referee.command(Answer(0), None)
    assert rows(house)["heads"] == {"penny": 4}


def test_between_two_legal_coins_it_asks() -> None:
    house = House().setup(5)
    house.table.take("row.heads", *["penny"] * 5).put("row.heads", "nickel")
    house.see()
    house.table.put("row.heads", "penny", also={"nickel": 0.45})
    after = house.see()
    assert after["prompt"]["kind"] == "question"
    texts = [choice["text"] for choice in after["prompt"]["choices"]]
    assert len(texts) >= 2
    house.press("heads.choose")  # the second answer
    house.press("heads.done")
    assert rows(house)["heads"] == {"nickel": 2}


def test_undo_waits_until_the_table_shows_the_state(house: House) -> None:
    house.table.put("row.heads", "penny")
    house.see()
    house.referee.command(Undo(), None)
    assert house.prompt["kind"] == "arrange"
    house.see()  # the penny still lies there: it is not ruled on again
    assert rows(house)["heads"] == {"penny": 3}
    house.table.take("row.heads", "penny")
    assert house.see()["prompt"]["kind"] == "turn"


def test_a_coin_placed_and_used_up_in_a_conversion_before_anybody_looked_is_seen_for_both(house: House) -> None:
    house.table.put("row.heads", "penny")
    house.see()
    house.press("heads.done")
    house.table.put("row.tails", "penny")
    house.see()
    house.press("tails.done")
    assert rows(house)["heads"] == {"penny": 4}
    house.table.clear("row.heads").put("row.heads", "nickel")
    after = house.see()
    assert after["ruling"]["accepted"]
    assert rows(house)["heads"] == {"nickel": 1}


def test_a_correction_puts_a_reading_right_and_the_ruling_with_it(house: House) -> None:
    house.table.put("row.heads", "quarter")
    after = house.see()
    assert not after["ruling"]["accepted"]
    wrong = next(c["i"] for c in after["table"]["coins"] if c["denomination"] == "quarter")
    house.referee.command(Correct(wrong, Denomination.PENNY), None)
    assert house.state["ruling"]["accepted"]
    assert rows(house)["heads"] == {"penny": 4}


def test_a_correction_does_not_pass_to_another_coin_in_the_same_place(house: House) -> None:
    house.table.put("row.heads", "quarter")
    corrected = house.see()
    wrong = next(c["i"] for c in corrected["table"]["coins"] if c["denomination"] == "quarter")
    house.referee.command(Correct(wrong, Denomination.PENNY), None)
    place = next(coin.place_mm for coin in house.table.coins if coin.denomination == "quarter")
    house.table.take("row.heads", "quarter")
    assert place
    house.table.coins.append(replace(seen("dime", "row.heads", place[0]), place_mm=place))
    after = house.see()
    assert "dime" in [c["denomination"] for c in after["table"]["coins"]]
    assert not after["ruling"]["accepted"]


def test_nothing_fits_pauses_and_shows_the_difference(house: House) -> None:
    house.table.take("row.heads", "penny", "penny").put("row.tails", "quarter", "dime", "dime")
    after = house.see()
    assert after["prompt"]["kind"] == "paused"
    zones = {d["zone"]: d for d in after["table"]["differences"]}
    assert zones["row.heads"]["missing"] == {"penny": 2}
    assert zones["row.tails"]["extra"] == {"dime": 2, "quarter": 1}


def test_an_action_by_phone_is_judged_and_the_table_follows(house: House) -> None:
    house.referee.command(Act({"do": "place", "coin": "penny"}), "heads")
    assert rows(house)["heads"] == {"penny": 4}
    assert house.prompt["kind"] == "arrange"
    accepted, why = house.referee.command(Act({"do": "place", "coin": "dime"}), "heads")
    assert not accepted
    assert why


def test_a_whole_round_with_a_steal(house: House) -> None:
    for side in ("heads", "tails"):
        house.table.put(f"row.{side}", "penny")
        house.see()
        house.press(f"{side}.done")
    for _ in range(4):  # pennies until a row is worth a nickel
        if house.state["game"]["to_act"] == ["table"]:
            break
        side = house.state["game"]["to_act"][0]
        house.table.put(f"row.{side}", "penny")
        house.see()
        house.press(f"{side}.done")
    assert house.prompt["kind"] == "flip"
    before = rows(house)
    house.table.toss("penny:heads")
    after = house.see()
    assert after["game"]["rows"]["heads"]["penny"] == before["heads"]["penny"] - 1
    assert after["game"]["rows"]["tails"]["penny"] == before["tails"]["penny"] + 1
    assert after["prompt"]["kind"] == "arrange"


def test_a_toss_taken_back_after_a_restart_is_not_read_off_the_coins_still_lying_there(house: House) -> None:
    """Nobody looked since, so nobody knows that they were picked up."""
    house.table.clear("row.heads").clear("row.tails").put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    house.referee = Referee(house.events.extend)
    house.referee.restore(tuple(house.events), len(house.events))
    house.referee.command(Undo(), None)
    assert "not tossed" in house.see()["prompt"]["text"]
    assert house.state["game"]["phase"] == "setup"


def test_the_computer_says_what_to_move_and_waits_for_it() -> None:
    house = House()
    house.referee.command(Start("steal", {"starter": "tails"}, {"heads": "person", "tails": "computer"}, "easy"), None)
    house.setup(3)
    after = house.state
    assert after["prompt"]["kind"] == "arrange"
    assert after["game"]["to_act"] == ["heads"]
    missing = {d["zone"]: d["missing"] for d in after["table"]["differences"]}
    assert missing == {"row.tails": {"penny": 1}}
    house.table.put("row.tails", "penny")
    assert house.see()["prompt"]["kind"] == "turn"


def test_the_journal_brings_everything_back(house: House) -> None:
    house.table.put("row.heads", "penny")
    house.see()
    house.press("heads.done")
    other = Referee(lambda events: None)
    other.restore(house.events, len(house.events))
    assert other.snapshot()["game"] == house.state["game"]


def test_without_a_camera_play_goes_on_by_hand(house: House) -> None:
    house.referee.lose_camera("unplugged")
    house.referee.command(Act({"do": "place", "coin": "penny"}), None)
    house.press("heads.done")
    assert house.state["game"]["to_act"] == ["tails"]


def test_lots_drawn_for_a_game_are_recorded_so_that_it_starts_the_same_again() -> None:
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


def test_a_phone_presses_the_buttons_of_its_own_seat_only(house: House) -> None:
    with pytest.raises(NotYourSeat, match="the button of Tails"):
        house.referee.command(Press("tails.done"), "heads")
    house.table.put("row.heads", "penny")
    house.see()
    assert house.referee.command(Press("heads.done"), "heads") == (True, None)


def test_what_a_seat_did_its_own_phone_says(house: House) -> None:
    """Somebody at the table (no seat) may answer for anybody."""
    house.table.put("row.heads", "penny", also={"penny": 0.5, "dime": 0.45})
    house.table.take("row.heads", "penny").put("row.heads", "dime", also={"penny": 0.5})
    asked = house.see()
    assert asked["prompt"]["kind"] == "question"
    assert asked["prompt"]["seat"] == "heads"
    for command in (Answer(0), Press("tails.done")):
        with pytest.raises(NotYourSeat, match="this is for Heads to say"):
            house.referee.command(command, "tails")
    assert house.state["prompt"]["kind"] == "question"
    house.referee.command(Answer(0), "heads")
    assert house.state["prompt"]["kind"] != "question"


def test_an_offered_act_is_its_own_seats_to_choose(house: House) -> None:
    house.referee.command(Act({"do": "place", "coin": "penny"}), "heads")
    house.table.put("row.heads", "penny")
    offered = house.see()["prompt"]["choices"]
    k = next(k for k, choice in enumerate(offered) if choice["action"] == {"do": "done"})
    with pytest.raises(NotYourSeat):
        house.referee.command(Answer(k), "tails")
    house.referee.command(Answer(k), "heads")
    assert house.state["game"]["to_act"] == ["tails"]


def test_how_a_toss_fell_any_phone_says() -> None:
    house = House()
    house.see()
    house.table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny", heads=0.6, also={"dime": 0.2})
    assert house.see()["prompt"]["kind"] == "question"
    house.referee.command(Answer(0), "tails")
    assert house.state["game"]["phase"] == "turn"


def test_a_phone_takes_back_its_own_act_and_a_toss_only(house: House) -> None:
    house.referee.command(Act({"do": "place", "coin": "penny"}), None)
    for command in (Undo(), Press("referee.hold")):
        with pytest.raises(NotYourSeat, match="done by Heads"):
            house.referee.command(command, "tails")
    assert house.referee.command(Undo(), "heads") == (True, None)
    assert house.referee.command(Undo(), "tails") == (True, None)  # the toss before it
    assert house.state["game"]["phase"] == "setup"


def test_what_a_computer_did_the_other_seat_takes_back() -> None:
    """And with it what it answered: left to move again, it would do the same at once."""
    referee = Referee(lambda events: None)
    referee.command(Start("steal", {"starter": "heads"}, {"tails": "computer"}), None)
    referee.lose_camera("played by hand")
    referee.command(Act({"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}), None)
    assert referee.snapshot()["undo_seat"] is None  # a toss is anybody's to take back
    for act in ({"do": "place", "coin": "penny"}, {"do": "done"}):
        referee.command(Act(act), "heads")
    assert referee.match
    assert referee.match.plies[-1].by == "computer"
    assert referee.snapshot()["undo_seat"] == "heads"  # whose DONE goes with it
    assert referee.command(Undo(), "heads") == (True, None)
    assert [ply.seat for ply in referee.match.plies] == ["table", "heads"]
    assert referee.snapshot()["game"]["to_act"] == ["heads"]


def test_where_all_are_computers_an_undo_ends_no_game() -> None:
    act = {"do": "pass"}
    plies = tuple(Ply(None, act, None, seat, group, "computer") for group, seat in enumerate(("1", "2", "3")))
    started = Started(0, "goes-around", {}, dict.fromkeys(("1", "2", "3"), "computer"))
    match = replace(Match.begin(started), plies=plies)
    assert match.undoable() == plies[-1:]
    assert match.undo_seat() is None


def test_a_reveal_is_taken_back_though_computers_chose_again_at_once() -> None:
    referee = Referee(lambda events: None)
    referee.command(Start("goes-around", {"players": 3}, {"2": "computer", "3": "computer"}), None)
    referee.lose_camera("played by hand")
    for act in ({"do": "commit", "seat": "1", "action": "pass"}, {"do": "reveal"}):
        referee.command(Act(act), None)
    assert referee.snapshot()["game"]["committed"] == ["2", "3"]
    referee.command(Undo(), "1")
    assert (referee.snapshot()["game"]["round"], referee.snapshot()["game"]["committed"]) == (1, ["2", "3"])


def test_on_a_picture_that_is_not_clear_nothing_is_ruled() -> None:
    """Too blurred or too dark: the referee says so in place of guessing, and rules when it sees again."""
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    look = table.look()
    assert look.sighting
    assert look.reading
    blurred = replace(look.reading, unclear="It is too dark to referee.")
    before = referee.match and referee.match.state
    referee.see(replace(look, reading=blurred, sighting=replace(look.sighting, reading=blurred)))
    assert referee.match
    assert referee.match.state == before
    assert referee.snapshot()["health"]["warnings"] == ["It is too dark to referee."]
    assert not referee.snapshot()["table"]["settled"]
    referee.see(table.clear("tray").look())
    referee.see(table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2).look())
    assert referee.match.state != before
    assert referee.snapshot()["health"]["warnings"] == []


def test_once_more_is_with_the_same_rules_and_seats() -> None:
    house = House(goal=10)
    house.referee.command(Start("steal", {"goal": 10}, {"tails": "computer"}, "easy", "all"), None)
    house.referee.lose_camera("no camera")
    begun = house.referee.match
    assert begun
    for _ in range(200):
        state = house.state["game"]
        if state["outcome"]:
            break
        if state["to_act"] == ["table"]:
            due = [coin for coin, count in state["flip_due"].items() for _ in range(count)]
            house.referee.command(Act({"do": "flip", "coins": [f"{coin}:heads" for coin in due]}), None)
        else:
            choices = begun.game.legal_actions(house.referee.match.state)
            house.referee.command(Act(begun.game.write_action(list(choices)[-1])), None)
    choices = house.prompt["choices"]
    assert choices[0]["text"] == "Dollar Prize: Steal once more"
    assert len({choice["game"] for choice in choices}) == len(choices)
    house.referee.command(Answer(0, choices[0]["text"]), None)
    again = house.referee.match
    assert again
    assert again.plies == ()
    assert (again.started.options, again.started.seats) == (begun.started.options, begun.started.seats)
    assert (again.started.level, again.started.bad_coin) == ("easy", "all")
