"""A command is meant for one moment: the table may change between a press and the referee's answer."""

from __future__ import annotations

import pytest

from tablecoin.coins import Denomination, Face
from tablecoin.referee.commands import Act, Answer, CommandError, Correct, Press, Start, Undo
from tablecoin.referee.events import Acted, Corrected, Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Prompt
from tablecoin.rules.rulebook import sentence
from tests.referee.table import NO_CAMERA, Table, act_of, game_of, ruling_of

FOUR = ("penny", "nickel", "dime", "quarter")


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def referee(events: list[Event]) -> Referee:
    return Referee(events.extend)


def toss(referee: Referee, *coins: str) -> None:
    referee.command(Act({"do": "flip", "coins": list(coins)}), None)


def begin_steal(referee: Referee) -> None:
    """Three pennies for Heads, who is on the move, and two for Tails."""
    referee.command(Start("steal", {"starter": "heads"}), None)
    toss(referee, *["penny:heads"] * 3, *["penny:tails"] * 2)


def doubtful_toss(referee: Referee, table: Table) -> Prompt:
    """The prompt after a setup toss with one penny that can hardly be read: a question."""
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.hand())
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, "penny:tails").put("tray", "penny", heads=0.6, also={"dime": 0.2})
    referee.see(table.hand())
    referee.see(table.look())
    prompt = referee.snapshot().prompt
    assert prompt.kind == "question"
    return prompt


def test_done_pressed_under_a_hand_does_not_end_a_later_turn(referee: Referee) -> None:
    table = Table()
    referee.command(Start("coin-age"), None)
    referee.lose_camera(NO_CAMERA)
    toss(referee, *[f"{kind}:heads" for kind in FOUR])
    referee.see(table.hand())
    referee.command(Press("heads.done"), None)  # waits for the hand to go
    referee.lose_camera(NO_CAMERA)
    referee.command(Press("heads.done"), None)  # so it is pressed again, and the turn goes on
    toss(referee, *[f"{kind}:tails" for kind in FOUR])
    referee.command(Press("tails.done"), None)
    toss(referee, *[f"{kind}:heads" for kind in FOUR])
    referee.see(table.look())
    assert game_of(referee.snapshot())["to_act"] == ["heads"]


def test_done_during_a_question_waits_for_the_answer(referee: Referee) -> None:
    table = Table()
    begin_steal(referee)
    table.put("row.heads", *["penny"] * 3).put("row.tails", "penny", "penny")
    referee.see(table.look())
    table.put("row.heads", "penny", also={"penny": 0.5, "dime": 0.45})
    table.take("row.heads", "penny").put("row.heads", "dime", also={"penny": 0.5})
    referee.see(table.hand())
    referee.see(table.look())
    assert referee.snapshot().prompt.kind == "question"
    referee.command(Press("referee"), None)
    answers = referee.snapshot().prompt.choices
    referee.command(Answer(0, answers[0].text), None)
    assert referee.snapshot().prompt.kind != "question"


def test_the_same_answer_from_two_phones_counts_once(referee: Referee) -> None:
    prompt = doubtful_toss(referee, Table())
    answer = Answer(0, prompt.choices[0].text)
    assert referee.command(answer, None) == (True, None)
    standing = referee.match
    with pytest.raises(CommandError, match="Look at the newest question"):
        referee.command(answer, None)
    assert referee.match is standing


def test_an_answer_by_phone_keeps_the_pictures_of_the_question(referee: Referee, events: list[Event]) -> None:
    doubtful_toss(referee, Table())
    referee.command(Answer(0), None)
    assert ruling_of(referee.snapshot()).evidence is not None
    answer, toss = events[-2:]
    assert isinstance(answer, Corrected)
    assert isinstance(toss, Acted)


def test_a_correction_names_its_coin_by_number_and_place(referee: Referee) -> None:
    table = Table()
    begin_steal(referee)
    table.put("row.heads", *["penny"] * 3).put("row.tails", "penny", "penny")
    referee.see(table.look())
    first, *_, last = referee.snapshot().table.coins
    with pytest.raises(CommandError, match="does not lie there any more"):
        referee.command(Correct(first.i, Denomination.DIME, Face.HEADS, last.center_mm), None)
    referee.command(Correct(first.i, Denomination.DIME, Face.HEADS, first.center_mm), None)
    assert referee.snapshot().table.coins[first.i].denomination is Denomination.DIME


def test_undoing_a_reveal_makes_everybody_choose_again(referee: Referee) -> None:
    """Otherwise the last to choose could see the others' choices and choose again."""
    referee.lose_camera(NO_CAMERA)
    referee.command(Start("goes-around", {"players": 2}), None)
    before = referee.match
    assert before
    for act in (
        {"do": "commit", "seat": "2", "action": "steal", "target": "1", "amount": 5},
        {"do": "commit", "seat": "1", "action": "pass"},
        {"do": "reveal"},
    ):
        assert referee.command(Act(act), None) == (True, None)
    standing = referee.match
    referee.command(Undo(), "1")
    assert referee.match is standing  # the other chose too, so it is asked
    referee.command(Answer(0), "2")
    assert referee.match
    assert referee.match.state == before.state


def test_before_the_reveal_a_seat_takes_back_only_its_own_choice(referee: Referee) -> None:
    referee.lose_camera(NO_CAMERA)
    referee.command(Start("goes-around", {"players": 2}), None)
    for act in (
        {"do": "commit", "seat": "2", "action": "steal", "target": "1", "amount": 5},
        {"do": "commit", "seat": "1", "action": "pass"},
    ):
        referee.command(Act(act), None)
    referee.command(Undo(), "1")
    assert game_of(referee.snapshot())["committed"] == ["2"]


ANN = {"do": "create", "name": "Ann", "power": {"name": "luck"},
       "ratings": {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}}  # fmt: skip


def test_a_player_no_longer_ready_keeps_the_cards_that_all_have_written(referee: Referee, events: list[Event]) -> None:
    """Only the draw reveals the cards. A card is taken back by itself, also after a restart."""
    referee.lose_camera(NO_CAMERA)
    referee.command(Start("coin-wars", {"players": ["Ann", "Bo"]}), None)
    for act in (
        ANN,
        ANN | {"name": "Bo"},
        {"do": "scene", "name": "Bo", "components": {"bodiness": 4}},
        {"do": "scene", "name": "Ann", "components": {"braininess": 3}},
        {"do": "ready", "name": "Ann"},
    ):
        assert referee.command(Act(act), None) == (True, None)
    referee.command(Undo(), "Ann")
    game = game_of(referee.snapshot())
    assert not game["ready"]
    assert [card["author"] for card in game["scenes"]] == ["Bo", "Ann"]
    referee.command(Undo(), "Ann")
    assert [card["author"] for card in game_of(referee.snapshot())["scenes"]] == ["Bo"]
    again = Referee(lambda events: None)
    again.restore(events, len(events))
    assert ruling_of(again.snapshot()).text == ruling_of(referee.snapshot()).text


def test_coins_left_in_the_trays_while_the_camera_was_away_were_not_tossed(referee: Referee) -> None:
    """Three against three changes nothing: the same coins are due again, and they still lie there."""
    table = Table()
    referee.command(Start("coin-wars", {"players": ["Ann"]}), None)
    scene = {"do": "scene", "name": "Ann", "components": {"bodiness": 3}}
    for act in (ANN, scene, {"do": "ready", "name": "Ann"}, {"do": "draw", "order": [0]}):
        assert referee.command(Act(act), None) == (True, None)
    referee.see(table.look())
    for zone in ("hero", "scene"):
        table.toss("penny:heads", "penny:heads", "penny:tails", zone=zone)
    referee.see(table.hand())
    referee.see(table.look())
    referee.lose_camera(NO_CAMERA)
    referee.command(Act({"do": "accept", "name": "Ann"}), "Ann")
    referee.see(table.look())
    assert act_of(referee.snapshot())["do"] == "accept"
    assert "not tossed" in referee.snapshot().prompt.text
    for zone in ("hero", "scene"):
        table.toss("penny:heads", "penny:heads", "penny:tails", zone=zone)
    referee.see(table.hand())
    referee.see(table.look())
    assert act_of(referee.snapshot())["do"] == "flip"


def test_no_toss_is_asked_for_before_the_table_is_restored(referee: Referee) -> None:
    """The toss is taken back while hands already carry its coins to the rows. Asked to toss now, people would tap a
    button that goes away as soon as the hands do."""
    table = Table()
    referee.command(Start("steal", {"starter": "heads"}, undo="free"), None)
    referee.see(table.look())
    table.toss(*["penny:heads"] * 3, *["penny:tails"] * 2)
    referee.see(table.look())
    table.take("tray", "penny").put("row.heads", "penny")
    referee.see(table.hand())
    referee.command(Undo(), None)
    assert referee.snapshot().prompt.kind == "arrange"
    referee.see(table.look())
    assert referee.snapshot().prompt.kind == "arrange"
    table.take("row.heads", "penny")
    referee.see(table.hand())
    referee.see(table.look())
    assert referee.snapshot().prompt.kind == "flip"


def test_a_done_button_does_nothing_in_a_game_without_done(referee: Referee, events: list[Event]) -> None:
    referee.command(Start("coin-wars", {"players": ["heads", "Bo"]}), None)
    rated = {"bodiness": 12}
    referee.command(Act({"do": "create", "name": "heads", "ratings": rated, "strong": "bodiness"}), None)
    said, count = ruling_of(referee.snapshot()).text, len(events)
    referee.lose_camera(NO_CAMERA)
    referee.command(Press("heads.done"), None)
    assert (ruling_of(referee.snapshot()).text, len(events)) == (said, count)


def test_done_on_a_table_that_does_not_match_says_what_is_wrong(referee: Referee) -> None:
    table = Table()
    begin_steal(referee)
    table.put("row.heads", *["penny"] * 3).put("row.tails", "penny", "penny")
    referee.see(table.look())
    table.take("row.tails", "penny")
    referee.see(table.hand())
    referee.see(table.look())
    accepted, why = referee.command(Press("heads.done"), None)
    assert not accepted
    assert why
    assert "1 penny" in sentence(why)


def test_a_refused_answer_cancels_the_done_that_waited_for_it(referee: Referee) -> None:
    """As after any refusal, the player presses DONE again."""
    table = Table()
    begin_steal(referee)
    table.put("row.heads", *["penny"] * 3).put("row.tails", "penny", "penny")
    referee.see(table.look())
    table.put("row.heads", "dime", also={"penny": 0.45})
    referee.see(table.hand())
    referee.command(Press("heads.done"), None)
    referee.see(table.look())
    choices = referee.snapshot().prompt.choices
    wrong = next(k for k, choice in enumerate(choices) if choice.text == "It is a dime")
    referee.command(Answer(wrong), None)
    assert ruling_of(referee.snapshot()).clause == "steal.place.limit"
    table.take("row.heads", "dime").put("row.heads", "penny")
    referee.see(table.hand())
    referee.see(table.look())
    assert game_of(referee.snapshot())["turn"]["placed"]
    assert game_of(referee.snapshot())["to_act"] == ["heads"]
