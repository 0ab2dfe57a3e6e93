"""The two trays of Coin Wars: each counts as its coins first fell, whatever happens to them before the other falls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import Face
from tablecoin.journal.export import record_of
from tablecoin.referee.commands import Act, CommandError, Correct, Start, Undo
from tablecoin.referee.events import BadCoin, Event, Fell, read_event, write_event
from tablecoin.referee.referee import Referee
from tests.referee.table import Table, act_of, seen

CREATE: dict[str, object] = {"do": "create", "name": "Ann", "power": {"name": "luck"},
          "ratings": {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}}  # fmt: skip
WITHOUT_POWER = {key: value for key, value in CREATE.items() if key != "power"}
BEFORE_THE_TOSS: tuple[dict[str, object], ...] = (
    CREATE,
    {"do": "scene", "name": "Ann", "components": {"bodiness": 3}},
    {"do": "ready", "name": "Ann"},
    {"do": "draw", "order": [0]},
)
TRAYS = {"hero": "character", "scene": "scene"}  # zone -> the field of the toss
Faces = tuple[str, str, str]
ALL_HEADS, ALL_TAILS = ("penny:heads",) * 3, ("penny:tails",) * 3
faces = st.tuples(*[st.sampled_from(("penny:heads", "penny:tails"))] * 3)


@pytest.fixture
def events() -> list[Event]:
    """What the journal holds."""
    return []


@pytest.fixture
def referee(events: list[Event]) -> Referee:
    return begun(events)


def begun(events: list[Event], bad_coin: BadCoin = "alone") -> Referee:
    """An adventure for one before its first toss: three pennies in each tray. `events` grows as the journal does."""
    referee = Referee(events.extend)
    begin(referee, bad_coin=bad_coin)
    return referee


def begin(referee: Referee, *acts: Mapping[str, object], bad_coin: BadCoin = "alone") -> None:
    """Begin an adventure for one, with `acts` up to its first toss or those of most tests."""
    referee.command(Start("coin-wars", {"players": ["Ann"]}, bad_coin=bad_coin), None)
    for act in acts or BEFORE_THE_TOSS:
        assert referee.command(Act(dict(act)), None) == (True, None)
    referee.see(Table().look())


def restarted(events: list[Event], table: Table) -> Referee:
    """A new referee, from the journal as JSON gives it back, with the table as it lies."""
    referee = Referee(events.extend)
    referee.restore([read_event(write_event(event)) for event in events], len(events))
    referee.see(table.look())
    return referee


def look(referee: Referee, table: Table) -> None:
    """A hand was over the table, and is gone."""
    referee.see(table.hand())
    referee.see(table.look())


def turn_one(table: Table, zone: str) -> None:
    """Turn one coin over where it lies."""
    at = next(number for number, coin in enumerate(table.coins) if coin.zone == zone)
    coin = table.coins[at]
    other = "penny:tails" if coin.face is Face.HEADS else "penny:heads"
    table.coins[at] = seen(other, zone, coin.place_mm[0] if coin.place_mm else 0.0)


def counted(referee: Referee) -> dict[str, Counter[str]]:
    """What the toss that was ruled on showed, tray by tray."""
    act = act_of(referee.snapshot())
    assert act["do"] == "flip"
    return {zone: Counter(act[field]) for zone, field in TRAYS.items()}


@given(
    first=st.sampled_from(("hero", "scene")),
    throws=st.lists(faces, min_size=1, max_size=4),
    turned=st.booleans(),
    last=faces,
    restarts=st.booleans(),
)
def test_no_later_fall_of_a_tray_counts(
    first: str, throws: list[Faces], turned: bool, last: Faces, restarts: bool
) -> None:
    events = list[Event]()
    referee, table = begun(events), Table()
    second = "scene" if first == "hero" else "hero"
    for thrown in throws:
        table.toss(*thrown, zone=first)
        look(referee, table)
        referee = restarted(events, table) if restarts else referee
    if turned:
        turn_one(table, first)
        look(referee, table)
    table.toss(*last, zone=second)
    look(referee, table)
    assert counted(referee) == {first: Counter(throws[0]), second: Counter(last)}


def test_people_are_told_that_it_counts_and_what_is_still_due(referee: Referee) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero")
    look(referee, table)
    assert set(referee.snapshot().table.flips) == {"scene"}
    look(referee, table.toss(*ALL_HEADS, zone="hero"))
    assert "counts as it first fell" in referee.snapshot().prompt.text
    look(referee, table.clear("hero"))
    look(referee, table.toss(*ALL_HEADS, zone="scene"))
    assert counted(referee) == {"hero": Counter(ALL_TAILS), "scene": Counter(ALL_HEADS)}


def test_a_tray_with_a_coin_missing_was_not_read_yet(referee: Referee) -> None:
    table = Table().toss("penny:tails", "penny:tails", zone="hero")
    look(referee, table)
    for zone in TRAYS:
        table.toss(*ALL_HEADS, zone=zone)
    look(referee, table)
    assert counted(referee) == {key: Counter(ALL_HEADS) for key in TRAYS}


def test_a_coin_corrected_before_the_other_tray_falls_counts_as_corrected(referee: Referee) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero")
    look(referee, table)
    referee.command(Correct(0, face=Face.HEADS), None)
    look(referee, table.clear("hero"))
    look(referee, table.toss(*ALL_HEADS, zone="scene"))
    assert counted(referee)["hero"] == Counter({"penny:tails": 2, "penny:heads": 1})


def test_a_toss_that_was_taken_back_is_thrown_anew(referee: Referee) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero").toss(*ALL_TAILS, zone="scene")
    look(referee, table)
    assert counted(referee) == {key: Counter(ALL_TAILS) for key in TRAYS}
    referee.command(Undo(), None)
    look(referee, table)
    assert set(referee.snapshot().table.flips) == set(TRAYS)
    for zone in TRAYS:
        look(referee, table.toss(*ALL_HEADS, zone=zone))
    assert counted(referee) == {key: Counter(ALL_HEADS) for key in TRAYS}


def test_a_restart_gives_nobody_a_second_throw(referee: Referee, events: list[Event]) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero")
    look(referee, table)
    referee = restarted(events, table.clear("hero"))  # meanwhile the coins were taken out
    shown = referee.snapshot()
    assert set(shown.table.flips) == {"scene"}
    assert "counts as it first fell" in shown.prompt.text
    look(referee, table.toss(*ALL_HEADS, zone="scene"))
    assert counted(referee) == {"hero": Counter(ALL_TAILS), "scene": Counter(ALL_HEADS)}


def test_a_corrected_coin_counts_as_corrected_after_a_restart(referee: Referee, events: list[Event]) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero")
    look(referee, table)
    referee.command(Correct(0, face=Face.HEADS), None)
    look(referee, table)
    referee = restarted(events, table.clear("hero"))
    look(referee, table.toss(*ALL_HEADS, zone="scene"))
    assert counted(referee)["hero"] == Counter({"penny:tails": 2, "penny:heads": 1})


def test_after_a_restart_a_toss_that_was_taken_back_is_thrown_anew(referee: Referee, events: list[Event]) -> None:
    table = Table()
    for zone in TRAYS:
        look(referee, table.toss(*ALL_TAILS, zone=zone))
    referee.command(Undo(), None)
    referee = restarted(events, table)
    assert set(referee.snapshot().table.flips) == set(TRAYS)
    for zone in TRAYS:
        look(referee, table.toss(*ALL_HEADS, zone=zone))
    assert counted(referee) == {key: Counter(ALL_HEADS) for key in TRAYS}


def test_where_a_bad_coin_means_that_all_are_tossed_again_no_tray_is_kept() -> None:
    events = list[Event]()
    referee, table = begun(events, bad_coin="all"), Table().toss(*ALL_TAILS, zone="hero")
    look(referee, table)
    table.toss(*ALL_HEADS, zone="scene")
    table.coins[-1] = seen("penny:heads", "scene", (table.coins[-2].place_mm or (0.0, 0.0))[0] + 3)  # on another
    look(referee, table)
    assert [event.zone for event in events if isinstance(event, Fell) and not event.coins] == ["hero"]
    assert set(restarted(events, table).snapshot().table.flips) == set(TRAYS)


def test_the_record_tells_how_a_tray_fell(referee: Referee, events: list[Event]) -> None:
    look(referee, Table().toss(*ALL_TAILS, zone="hero"))
    *_, told, _ = record_of(("", event) for event in events).entries
    assert (told.event, told.extra["zone"]) == ("fell", "hero")
    assert [coin["nature"] for coin in told.extra["coins"]] == [{"denomination": "penny", "face": "tails"}] * 3


def test_a_tray_is_recorded_once_however_often_it_is_seen(referee: Referee, events: list[Event]) -> None:
    table = Table().toss(*ALL_TAILS, zone="hero")
    for _ in range(3):
        look(referee, table)
    assert [event.zone for event in events if isinstance(event, Fell)] == ["hero"]


@pytest.mark.parametrize("fallen", [("hero",), ("hero", "scene")])
def test_the_coins_of_one_game_decide_nothing_in_the_next(referee: Referee, fallen: tuple[str, ...]) -> None:
    table = Table()
    for zone in fallen:
        look(referee, table.toss(*ALL_TAILS, zone=zone))
    begin(referee)
    look(referee, Table())
    assert set(referee.snapshot().table.flips) == set(TRAYS)
    assert act_of(referee.snapshot())["do"] == "draw"
    table = Table()
    for zone in TRAYS:
        look(referee, table.toss(*ALL_HEADS, zone=zone))
    assert counted(referee) == {key: Counter(ALL_HEADS) for key in TRAYS}


@pytest.mark.parametrize("doubtful", [True, False], ids=["not read yet", "read"])
def test_a_corrected_coin_of_the_next_exchange_leaves_the_one_before_as_it_was(doubtful: bool) -> None:
    referee, table = Referee(lambda _: None), Table()
    two = {"do": "scene", "name": "Ann", "components": {"bodiness": 3, "braininess": 3}}
    begin(referee, {"strong": "personality"} | WITHOUT_POWER, two, *BEFORE_THE_TOSS[2:])
    look(referee, table.toss(*ALL_HEADS, zone="hero").toss("penny:heads", *["penny:tails"] * 2, zone="scene"))
    before = counted(referee)
    thrown = table.clear("hero").put("hero", *ALL_TAILS[1:]).put("hero", "penny", heads=0.4 if doubtful else 0.001)
    look(referee, thrown)
    hero = next(coin.i for coin in reversed(referee.snapshot().table.coins) if coin.zone == "hero")
    referee.command(Correct(hero, face=Face.HEADS), "Ann")
    assert counted(referee) == before
    assert act_of(referee.snapshot())["component"] == "bodiness"


def test_once_a_tray_fell_nobody_changes_what_is_tossed() -> None:
    """A component met with another trait asks for other coins, which would be a second throw."""
    referee, table = Referee(lambda _: None), Table()
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 1, "misc": 3}
    trap = {"do": "scene", "name": "Ann", "components": {"misc": 3}, "misc_name": "Trap"}
    begin(referee, CREATE | {"ratings": ratings}, trap, *BEFORE_THE_TOSS[2:])
    look(referee, table.toss(*ALL_TAILS, zone="hero"))
    with pytest.raises(CommandError, match="Coins are thrown for this exchange already"):
        referee.command(Act({"do": "answer", "name": "Ann", "trait": "coolness"}), None)
    look(referee, table.toss(*ALL_HEADS, zone="scene"))
    assert counted(referee)["hero"] == Counter(ALL_TAILS)


def test_once_a_tray_fell_the_others_are_asked_before_an_act_is_taken_back() -> None:
    referee, table = Referee(lambda _: None), Table()
    referee.command(Start("coin-wars", {"players": ["Ann", "Bo"]}), None)
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 1, "misc": 3}
    trap = {"do": "scene", "name": "Bo", "components": {"misc": 3}, "misc_name": "Trap"}
    for act in (
        CREATE | {"ratings": ratings},
        CREATE | {"name": "Bo"},
        trap,
        {"do": "scene", "name": "Ann", "components": {"bodiness": 3}},
        {"do": "draw", "order": [0, 1]},
        {"do": "answer", "name": "Ann", "trait": "coolness"},
    ):
        assert referee.command(Act(act), None) == (True, None)
    referee.see(table.look())
    assert referee.snapshot().undo_asks == ("Ann",)
    look(referee, table.toss("penny:heads", zone="hero"))
    assert referee.snapshot().undo_asks == ("Ann", "Bo")
    referee.command(Undo(), "Ann")
    assert [choice.seat for choice in referee.snapshot().prompt.choices if choice.does == "agree"] == ["Bo"]
