"""Undo by consent, disputes and breaks: whose word it takes, who may give it, and what becomes of the game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import Coin, Denomination, Face
from tablecoin.referee.clock import AnswerClock
from tablecoin.referee.commands import (
    BUTTONS,
    Act,
    Answer,
    Command,
    CommandError,
    Correct,
    Dispute,
    NotYourSeat,
    Pause,
    Press,
    Reread,
    Start,
    Undo,
)
from tablecoin.referee.events import Consent, Disputed, Event, Paused, Player, TakeBack
from tablecoin.referee.referee import Referee
from tablecoin.rules.game import Seat
from tests.referee.table import NO_CAMERA, Table, game_of, ruling_of
from tests.referee.test_falls import CREATE

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
PLACE: dict[str, Any] = {"do": "place", "coin": "penny"}
DONE: dict[str, Any] = {"do": "done"}


def steal(
    *acts: dict[str, Any], undo: TakeBack = "asked", tails: Player = "person", heads: Player = "person"
) -> tuple[Referee, list[Event]]:
    """Steal by hand, begun by Heads, after the first toss and `acts`."""
    events: list[Event] = []
    referee = Referee(events.extend)
    referee.command(Start("steal", {"starter": "heads"}, {"heads": heads, "tails": tails}, undo=undo), None)
    referee.lose_camera(NO_CAMERA)
    for act in (TOSS, *acts):
        assert referee.command(Act(act), None) == (True, None)
    return referee, events


def plies(referee: Referee) -> int:
    assert referee.match
    return len(referee.match.plies)


Acts = list[dict[str, Any]]
# what was done after the toss, the house rule, who asks -> whose word it takes
ASKED: list[tuple[str, Acts, TakeBack, Seat | None, list[Seat]]] = [
    ("a toss, by one of two: the other", [], "asked", "heads", ["tails"]),
    ("a toss, at the table: both", [], "asked", None, ["heads", "tails"]),
    ("one's own act", [PLACE], "asked", "heads", []),
    ("an act of the other", [PLACE], "asked", "tails", ["heads"]),
    ("an act of one person, at the table", [PLACE], "asked", None, []),
    ("a toss among friends", [], "free", "heads", []),
    ("an act of the other among friends", [PLACE], "free", "tails", []),
]


@pytest.mark.parametrize(("acts", "rule", "by", "asked"), [case[1:] for case in ASKED], ids=[case[0] for case in ASKED])
def test_whose_word_an_undo_takes(acts: Acts, rule: TakeBack, by: Seat | None, asked: list[Seat]) -> None:
    referee, _ = steal(*acts, undo=rule)
    before = plies(referee)
    assert referee.command(Undo(), by) == (True, None)
    prompt = referee.snapshot().prompt
    assert [choice.seat for choice in prompt.choices if choice.does == "agree"] == asked
    assert (prompt.kind == "consent", plies(referee) == before) == (bool(asked), bool(asked))
    for seat in asked:
        agree = next(k for k, choice in enumerate(referee.snapshot().prompt.choices) if choice.seat == seat)
        referee.command(Answer(agree), seat)
    assert plies(referee) == before - 1


def test_against_a_computer_alone_nobody_is_asked() -> None:
    referee, _ = steal(tails="computer")
    referee.command(Undo(), "heads")
    assert plies(referee) == 0


NO: dict[str, Callable[[Referee], object]] = {
    "on the phone": lambda referee: referee.command(Answer(1), "tails"),
    "with CHOOSE at the table": lambda referee: referee.command(Press("tails.choose"), None),
    "on the page at the table": lambda referee: referee.command(Answer(1), None),
    "nobody in time": lambda referee: referee.lapse(),
}


@pytest.mark.parametrize("no", NO.values(), ids=NO)
def test_what_is_not_agreed_stays_and_is_not_asked_for_again(no: Callable[[Referee], object]) -> None:
    referee, events = steal()
    referee.command(Undo(), "heads")
    no(referee)
    shown = referee.snapshot()
    assert plies(referee) == 1
    assert shown.prompt.kind == "turn"
    assert "it stays as it is" in ruling_of(shown).text
    assert isinstance(events[-1], Consent)
    assert events[-1].step in ("refused", "lapsed")
    with pytest.raises(CommandError, match="refused just now"):
        referee.command(Undo(), "heads")
    referee.command(Act(PLACE), "heads")
    referee.command(Undo(), "heads")
    assert plies(referee) == 1


def test_nobody_agrees_for_another_seat() -> None:
    referee, _ = steal()
    referee.command(Undo(), "heads")
    with pytest.raises(NotYourSeat):
        referee.command(Answer(0), "heads")
    referee.command(Press("heads.done"), "heads")
    assert plies(referee) == 1
    referee.command(Press("tails.done"), None)  # the button in the table
    assert plies(referee) == 0


def test_the_time_to_agree_is_twenty_seconds_of_the_given_clock() -> None:
    referee, _ = steal()
    now = [0.0]
    clock = AnswerClock(referee, lambda: now[0])
    clock.mind()
    referee.command(Undo(), "heads")
    for at, kind in ((0.0, "consent"), (19.9, "consent"), (20.0, "turn")):
        now[0] = at
        clock.mind()
        assert referee.snapshot().prompt.kind == kind


def test_while_people_are_asked_nothing_is_ruled_on_and_nothing_else_is_done() -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    referee.see(table.look())
    table.clear("tray").put("row.heads", *["penny"] * 3).put("row.tails", *["penny"] * 2)
    referee.see(table.look())
    referee.command(Undo(), "heads")
    table.put("row.heads", "penny")
    referee.see(table.hand())
    referee.see(table.look())
    assert plies(referee) == 1
    for command in (Act(PLACE), Undo(), Pause()):
        with pytest.raises(CommandError, match="Not now"):
            referee.command(command, "heads")
    referee.command(Answer(1), "tails")
    assert game_of(referee.snapshot())["turn"]["placed"]  # seen once the question was settled


def test_a_corrected_coin_of_a_read_toss_is_asked_about() -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    referee.see(table.look())
    for seat in ("heads", None):
        referee.command(Correct(0, Denomination.PENNY, Face.TAILS), seat)
        assert referee.snapshot().prompt.kind == "consent"
        referee.lapse()
        assert game_of(referee.snapshot())["rows"]["heads"] == {"penny": 3}
    referee.command(Correct(0, Denomination.PENNY, Face.TAILS), "tails")
    referee.command(Press("heads.done"), None)
    assert game_of(referee.snapshot())["rows"]["heads"] == {"penny": 2}


# -- one seat alone ---------------------------------------------------------------------------------------------------

ALONE: list[Command] = [
    Undo(),
    Pause(),
    *(Press(button) for button in BUTTONS),
    *(Answer(choice) for choice in range(3)),
    *(Dispute(number) for number in (None, 2, 3)),
    *(Correct(coin, Denomination.PENNY, Face.TAILS) for coin in range(3)),
    *(Reread(number, (Coin.PENNY_TAILS,) * 5) for number in (2, 3)),
    *(Act(act) for act in (TOSS, PLACE, DONE, {"do": "convert", "give": {"penny": 5}, "take": "nickel"})),
]


@settings(max_examples=2 * settings().max_examples)
@given(steps=st.lists(st.sampled_from([*ALONE, "look", "lapse"]), max_size=8), seat=st.sampled_from(["heads", "tails"]))
def test_no_sequence_of_commands_of_one_seat_changes_a_read_toss(steps: list[Command | str], seat: Seat) -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    referee.see(table.look())
    match = referee.match
    assert match
    (read,) = match.plies
    for step in steps:
        match step:
            case "look":
                referee.see(table.look())
            case "lapse":
                referee.lapse()
            case _:
                with suppress(CommandError):
                    referee.command(step, seat)  # type: ignore[arg-type]
        assert referee.match
        assert referee.match.plies[0] is read


# -- disputes ---------------------------------------------------------------------------------------------------------


def steps_of(events: list[Event]) -> list[str]:
    return [event.step for event in events if isinstance(event, Disputed | Paused)]


def test_a_dispute_about_a_toss_is_let_stand_by_who_opened_it() -> None:
    referee, events = steal()
    referee.command(Dispute(), "heads")
    assert referee.snapshot().prompt.kind == "dispute"
    with pytest.raises(NotYourSeat):
        referee.command(Answer(0), "tails")
    referee.command(Answer(0), "heads")
    assert referee.snapshot().prompt.kind == "turn"
    assert steps_of(events) == ["opened", "stands"]


def test_play_goes_on_from_before_a_disputed_ruling_once_the_other_agrees() -> None:
    referee, events = steal(PLACE, DONE)
    referee.command(Dispute(2), "tails")  # the toss, the first ruling after the start
    referee.command(Answer(1), "tails")
    assert referee.snapshot().prompt.kind == "consent"
    referee.command(Answer(1), "heads")  # no: the dispute goes on
    assert referee.snapshot().prompt.kind == "dispute"
    referee.command(Press("tails.choose"), None)
    with pytest.raises(CommandError, match="refused just now"):
        referee.command(Press("tails.done"), None)
    referee.command(Answer(0), None)
    assert plies(referee) == 3
    referee.command(Dispute(2), "heads")
    referee.command(Answer(1), "heads")
    referee.command(Answer(0), "tails")
    assert plies(referee) == 0
    assert steps_of(events) == ["opened", "stands", "opened", "replayed"]


def test_a_disputed_toss_is_corrected_once_the_other_agrees() -> None:
    referee, events = steal(PLACE)
    referee.command(Dispute(2), "heads")
    referee.command(Reread(2, tuple(map(Coin, ["penny:heads"] * 2 + ["penny:tails"] * 3))), "heads")
    referee.command(Answer(0), "tails")
    assert game_of(referee.snapshot())["rows"]["tails"] == {"penny": 3}
    assert steps_of(events) == ["opened", "corrected"]
    assert referee.snapshot().prompt.kind != "dispute"


def test_referee_held_disputes_what_was_refused_and_else_takes_back() -> None:
    referee, _ = steal()
    assert referee.snapshot().buttons["referee.hold"].does == "undo"
    referee.command(Act({"do": "place", "coin": "quarter"}), "heads")
    assert referee.snapshot().buttons["referee.hold"].does == "dispute"
    referee.command(Press("referee.hold"), None)
    shown = referee.snapshot()
    assert shown.prompt.kind == "dispute"
    assert [choice.does for choice in shown.prompt.choices] == ["stand", "look"]
    assert shown.buttons["referee.hold"].does == "stand"
    referee.command(Press("referee.hold"), None)
    assert referee.snapshot().prompt.kind == "turn"


def test_a_refusal_by_the_camera_is_looked_at_again_and_takes_nothing_back() -> None:
    referee, table = Referee(lambda events: None), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2)
    referee.see(table.look())
    table.clear("tray").put("row.heads", *["penny"] * 3, "quarter").put("row.tails", *["penny"] * 2)
    referee.see(table.look())
    table.take("row.heads", "quarter")
    referee.see(table.look())
    table.put("row.heads", "quarter")
    referee.see(table.look())
    referee.command(Dispute(), "tails")
    assert [choice.does for choice in referee.snapshot().prompt.choices] == ["stand", "look"]
    looks = referee.looks
    referee.command(Answer(1), "heads")
    assert referee.looks == looks + 1
    assert referee.snapshot().prompt.kind == "refused"
    table.take("row.heads", "quarter")
    referee.see(table.look())
    assert (ruling_of(referee.snapshot()).righted, plies(referee)) == (True, 1)


def test_a_dispute_and_a_break_outlast_a_restart() -> None:
    for command, kind in ((Dispute(), "dispute"), (Pause(), "break")):
        referee, events = steal(PLACE)
        referee.command(command, "heads")
        again = Referee(lambda events: None)
        again.restore(events, len(events))
        assert again.snapshot().prompt.kind == kind
        again.command(Answer(0), "heads")
        assert again.snapshot().prompt.kind == "turn"


def test_anybody_goes_on_after_a_break() -> None:
    for go_on in (Press("tails.done"), Press("referee"), Answer(0)):
        referee, events = steal(PLACE)
        referee.command(Pause(), "heads")
        assert referee.snapshot().prompt.kind == "break"
        referee.command(go_on, None)
        assert referee.snapshot().prompt.kind == "turn"
        assert steps_of(events) == ["begun", "ended"]


@pytest.mark.parametrize("disputed", [None, 3], ids=["the reveal", "a choice before it"])
def test_after_a_disputed_reveal_everybody_chooses_again(disputed: int | None) -> None:
    """Choices that stayed would be known to whoever chooses anew."""
    referee = Referee(lambda _: None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Start("goes-around", {"players": 3}), None)
    passes = {"do": "commit", "action": "pass"}
    steals = passes | {"action": "steal", "target": "3", "amount": 5}
    for act in (passes | {"seat": "1"}, steals | {"seat": "2"}, passes | {"seat": "3"}, {"do": "reveal"}):
        assert referee.command(Act(act), None) == (True, None)
    referee.command(Dispute(disputed), "3")
    referee.command(Answer(1), "3")
    while referee.snapshot().prompt.kind == "consent":
        referee.command(Answer(0), referee.snapshot().prompt.choices[0].seat)
    assert plies(referee) == 0
    assert game_of(referee.snapshot())["committed"] == []


def test_a_draw_that_is_taken_back_leaves_the_scenes_as_they_were_written() -> None:
    referee = Referee(lambda _: None)
    referee.lose_camera(NO_CAMERA)
    referee.command(Start("coin-wars", {"players": ["Ann", "Bo"]}, undo="free"), None)
    for act in (
        CREATE,
        CREATE | {"name": "Bo"},
        {"do": "scene", "name": "Bo", "components": {"bodiness": 4}, "text": "A long story."},
        {"do": "scene", "name": "Ann", "components": {"braininess": 3}},
        {"do": "draw", "order": [0, 1]},
    ):
        assert referee.command(Act(act), None) == (True, None)
    referee.command(Undo(), "Ann")
    assert [scene["author"] for scene in game_of(referee.snapshot())["scenes"]] == ["Bo", "Ann"]
