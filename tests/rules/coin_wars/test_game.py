"""Coin Wars as its rulebook reads: before the draw, the course of scenes, help and recovery, experience."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin.coins import Heap
from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.coin_wars.actions import Toss
from tablecoin.rules.coin_wars.traits import TraitName
from tablecoin.rules.game import IllegalAction, InputError
from tablecoin.rules.rulebook import sentence
from tablecoin.rules.toss import possible_results
from tests.rules.coin_wars.coin_wars_acts import (
    DUEL,
    HURT,
    SHEET,
    TRAP,
    WON,
    Json,
    assist,
    choose,
    create,
    draw,
    flip,
    play,
    scene,
    spend,
    tell,
    trait,
)

# -- before the draw --------------------------------------------------------------------------------------------------


def test_players_that_are_expected_share_the_points_already() -> None:
    state = play(create("Ann"), players=["Ann", "Bob", "Cat", "Dan"])
    assert GAME.derived(state)["scene_points"] == {"Ann": 15}


@pytest.mark.parametrize(
    ("players", "points"), [(1, 60), (2, 30), (3, 20), (4, 15), (5, 12), (6, 10), (7, 10), (20, 10)]
)
def test_sixty_points_are_shared(players: int, points: int) -> None:
    state = play(*(create(f"P{k}") for k in range(players)))
    assert GAME.write_state(state)["scene_points"] == {f"P{k}": points for k in range(players)}


@pytest.mark.parametrize(
    ("career", "rules", "points"),
    [
        (4, {}, 60),
        (5, {}, 63),
        (9, {}, 63),
        (10, {}, 66),
        (10, {"harder_scenes": "off"}, 60),
        (5, {"scene_points": 12}, 15),
    ],
)
def test_scenes_grow_with_experience(career: int, rules: Json, points: int) -> None:
    sheet = SHEET | {"career": career, "experience": career - 4}
    state = play({"do": "create", "name": "Ann", "sheet": sheet}, **rules)
    assert GAME.write_state(state)["scene_points"] == {"Ann": points}


@pytest.mark.parametrize(
    ("components", "rules", "cost", "class_"),
    [
        ({"bodiness": 3}, {}, 3, "easy"),
        ({"bodiness": 2, "personality": 2}, {}, 4, "mild"),
        ({"bodiness": 4, "braininess": 2}, {}, 6, "moderate"),
        ({"misc": 6}, {}, 7, "moderate"),
        ({"misc": 5}, {"misc_cost": "inside"}, 6, "moderate"),
        ({"braininess": 8}, {}, 8, "hard"),
        ({"misc": 1, "personality": 8}, {}, 10, "very-hard"),
    ],
)
def test_what_scenes_cost(components: dict[str, int], rules: Json, cost: int, class_: str) -> None:
    (card,) = GAME.write_state(play(create(), scene() | {"components": components}, **rules))["scenes"]
    assert (card["cost"], card["class"]) == (cost, class_)


def test_cards_are_secret_until_drawn() -> None:
    """coin-wars.scene.secret"""
    state = play(create(), create("Bob"), scene(bodiness=4))
    for seat in ("Bob", None):
        assert GAME.public(state, seat)["scenes"] == [{"author": "Ann", "cost": 4, "hidden": True}]
    assert GAME.public(state, "Ann")["scenes"][0]["title"] == "A scene"
    drawn = GAME.apply(state, GAME.read_action(draw(0)))
    assert GAME.public(drawn, "Bob")["scenes"][0]["title"] == "A scene"


def test_a_card_taken_back_gives_its_points_back() -> None:
    state = play(create(), scene(bodiness=9), scene(bodiness=3), {"do": "tear", "name": "Ann", "scene": 0})
    assert GAME.write_state(state)["scene_points"] == {"Ann": 57}


def test_the_draw_orders_the_scenes_and_warns() -> None:
    cards = (scene(bodiness=3), scene(braininess=8), scene(personality=4))
    drawn = GAME.write_state(play(create(), *cards, draw(2, 0)))
    assert [card["components"] for card in drawn["scenes"]] == [{"personality": 4}, {"bodiness": 3}]
    assert [said["en"] for said in drawn["warnings"]] == ["This adventure has no Hard scene."]
    assert GAME.write_state(play(create(), *cards, draw(0, 1)))["warnings"] == []


def test_who_is_waited_for_before_the_draw() -> None:
    ready = {"do": "ready", "name": "Ann"}
    assert GAME.to_act(play()) == ("anyone",)
    assert GAME.to_act(play(create())) == ("anyone", "Ann")
    assert GAME.to_act(play(create(), scene(bodiness=3))) == ("anyone", "Ann")
    assert GAME.may_act(play(create(), scene(bodiness=3))) == ("anyone", "Ann", "table")
    assert GAME.to_act(play(create(), scene(bodiness=3), ready)) == ("table",)
    assert GAME.may_act(play(create(), scene(bodiness=3), ready)) == ("anyone", "table")
    assert GAME.to_act(play(players=["Ann", "Bob"])) == ("Ann", "Bob")
    assert GAME.to_act(play(create(), scene(bodiness=3), ready, players=["Ann"])) == ("table",)


# -- scenes -----------------------------------------------------------------------------------------------------------


def test_the_least_cool_goes_first_then_who_joined_first() -> None:
    """coin-wars.exchange.order"""
    cool, uncool = create("Cool", "2 2 2 4 2"), create("Uncool", "2 2 4 2 2")
    state = play(cool, uncool, create("Third", "2 2 4 2 2"), scene("Cool", bodiness=3), draw(0))
    assert [fighter.name for fighter in state.fighting()] == ["Uncool", "Third", "Cool"]
    assert "Third tosses 3 pennies" in sentence(GAME.prompt(state))


def test_the_trays_due_are_one_component_at_a_time() -> None:
    state = play(create(), scene(bodiness=4, braininess=2), draw(0))
    assert GAME.tosses_due(state) == {"hero": Heap(nickel=3), "scene": Heap(penny=4)}
    seen = {"hero": tuple(GAME.read_action(flip("bodiness", "3NH", "4PT")).character), "scene": ()}
    with pytest.raises(IllegalAction, match="scene tray"):
        GAME.apply(state, GAME.toss_action(state, seen))
    beaten = GAME.apply(state, GAME.read_action(flip("bodiness", "3NH", "4PT")))
    assert GAME.tosses_due(beaten) == {"hero": Heap(penny=3), "scene": Heap(penny=2)}


def test_every_component_has_its_exchange_before_any_has_another() -> None:
    state = play(create(), scene(bodiness=4, braininess=2, personality=2), draw(0))
    for component, own, other in (
        ("bodiness", "1NH 2NT", "1PH 3PT"),  # 5 : 5
        ("braininess", "1PH 2PT", "2PT"),  # 3 : 2, one penny left
        ("personality", "1PH 1PT", "1PH 1PT"),
        ("bodiness", "3NH", "4PT"),  # beaten
        ("braininess", "3PH", "1PT"),  # beaten
        ("personality", "1PH 1PT", "1PH 1PT"),
        ("personality", "1PH 1PT", "1PH 1PT"),
    ):
        due = GAME.derived(state)["due"]
        assert isinstance(due, dict)
        assert due["component"] == component
        assert GAME.read_state(GAME.write_state(state)) == state  # whose turn it is among them is not forgotten
        state = GAME.apply(state, GAME.read_action(flip(component, own, other)))


TRIPLE = (create(), scene(bodiness=4, braininess=2, personality=2), draw(0))
BODY_DRAWN = flip("bodiness", "1NH 2NT", "1PH 3PT")  # 5 : 5, nothing lost
BRAIN_DRAWN = flip("braininess", "1PH 2PT", "1PH 1PT")  # 2 : 3, one point lost
SOCIAL_DRAWN = flip("personality", "1PH 1PT", "1PH 1PT")


@pytest.mark.parametrize(
    ("before", "tossed", "refused"),
    [
        ((), ("bodiness", "braininess", "personality"), ()),
        ((BODY_DRAWN,), ("braininess", "personality"), ("bodiness",)),
        ((SOCIAL_DRAWN,), ("bodiness", "braininess"), ("personality",)),  # in any order
        ((SOCIAL_DRAWN, BODY_DRAWN), ("braininess",), ("bodiness", "personality")),
        ((SOCIAL_DRAWN, BODY_DRAWN, BRAIN_DRAWN), ("bodiness", "braininess", "personality"), ()),  # all once more
        ((flip("bodiness", "3NH", "4PT"),), ("braininess", "personality"), ()),  # beaten: never again
    ],
)
def test_which_components_may_be_tossed_for(
    before: tuple[Json, ...], tossed: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    """coin-wars.exchange.each: also for tosses entered by hand."""
    state = play(*TRIPLE, *before)
    listed = {str(action.component) for action in GAME.legal_actions(state) if isinstance(action, Toss)}
    assert listed == set(tossed)
    for component in refused:
        own, other = state.heaps(state.facing[0], TraitName(component))
        again = Toss("Ann", TraitName(component), next(possible_results(own)), next(possible_results(other)))
        with pytest.raises(IllegalAction) as why:
            GAME.apply(state, again)
        assert why.value.clause == "coin-wars.exchange.each"


def test_what_is_said_to_a_second_toss_too_early() -> None:
    state = play(create(), scene(misc=3, bodiness=3, misc_name="Trap"), draw(0), flip("misc", "1PH 1PT", "1PH 2PT"))
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, GAME.read_action(flip("misc", "1PH 1PT", "1PH 2PT")))
    assert str(refused.value) == "Trap has had its exchange; first toss for Bodiness."


def test_help_and_choices_come_between_exchanges() -> None:
    """coin-wars.exchange.each: after one component's exchange and before the next component's."""
    helped = play(*TRIPLE, BODY_DRAWN, assist("bodiness", "coolness", "braininess"))
    assert GAME.tosses_due(helped)["hero"] == Heap(penny=5)
    hurt = play(*TRIPLE, flip("bodiness", "3NT", "4PH"))
    assert GAME.phase(hurt) == "choice"
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(hurt, GAME.read_action(BRAIN_DRAWN))
    assert refused.value.clause == "coin-wars.flip.when"


def test_everybody_faces_a_copy_and_the_reward_waits_for_nobody() -> None:
    """coin-wars.exchange.reward"""
    state = play(create(), create("Bob"), scene(bodiness=3), draw(0), flip("bodiness", "3NH", "3PT"))
    assert GAME.write_state(state)["facing"] == {"Ann": {"bodiness": 0}, "Bob": {"bodiness": 3}}
    assert state.characters[0].twelfths == 3
    assert GAME.tosses_due(state)["hero"] == Heap(nickel=3)
    with pytest.raises(IllegalAction, match="Bob is next"):
        GAME.apply(state, GAME.read_action(flip("bodiness", "3NH", "")))


@pytest.mark.parametrize(
    ("option", "rules", "body", "coolness", "lost"),
    [
        ("burn", {}, (3, "penny"), 2, False),
        ("burn", {"burn_restore": "one"}, (1, "penny"), 2, False),
        ("burn", {"burn_restore": "full"}, (3, "penny"), 2, False),
        ("burn", {"zero_fails_scene": True}, (3, "penny"), 2, True),
        ("coolness", {}, (0, "nickel"), 0, False),
        ("coolness", {"zero_fails_scene": True}, (0, "nickel"), 0, True),
        ("sit-out", {}, (0, "nickel"), 2, True),
    ],
)
def test_a_trait_brought_to_nothing(option: str, rules: Json, body: tuple[int, str], coolness: int, lost: bool) -> None:
    """coin-wars.choice.stay, coin-wars.choice.sit-out"""
    state = play(*HURT, choose(option), **rules)
    assert trait(state, "bodiness") == body
    assert trait(state, "coolness")[0] == coolness
    assert state.facing[0].lost is lost
    assert state.characters[0].sitting_out is (option == "sit-out")


def test_exactly_nothing_costs_one_coolness() -> None:
    """coin-wars.choice.coolness"""
    state = play(create(strong="braininess"), *DUEL[1:], flip("bodiness", "1PH 2PT", "3PH 1PT"), choose("coolness"))
    assert (trait(state, "bodiness"), trait(state, "coolness")) == ((0, "penny"), (1, "penny"))


def test_with_nothing_left_the_scene_may_still_beat_itself() -> None:
    hurt = (*HURT, choose("coolness"))
    assert GAME.tosses_due(play(*hurt)) == {"scene": Heap(penny=4)}
    assert play(*hurt, flip("bodiness", "", "4PT")).facing[0].beaten
    assert play(*hurt, flip("bodiness", "", "2PH 2PT")).last is not None
    assert play(*hurt, flip("bodiness", "", "3PH 1PT")).choice is not None


def test_sitting_out_misses_one_scene_and_comes_back() -> None:
    cards = [scene(bodiness=3)] * 3
    start = (create(), create("Bob", "3 3 1 3 2"), *cards, draw(0, 1, 2))
    out = (*start, flip("bodiness", "3NT", "3PH"), choose("sit-out"), flip("bodiness", "3NH", "3PT", "Bob"))
    missed = play(*out, tell(), tell("Bob"))
    assert [fighter.name for fighter in missed.facing] == ["Bob"]
    assert missed.characters[0].sitting_out
    assert trait(missed, "bodiness") == (1, "nickel")  # recovering while away
    back = play(*out, tell(), tell("Bob"), flip("bodiness", "3NH", "3PT", "Bob"), tell("Bob"))
    assert [fighter.name for fighter in back.facing] == ["Ann", "Bob"]
    assert not back.characters[0].sitting_out


@pytest.mark.parametrize(
    ("rules", "scenes", "clause"),
    [
        ({}, 2, "coin-wars.outcome.nobody-left"),  # coin-wars.end.nobody
        ({}, 1, "coin-wars.outcome.lost"),
        ({"all_out": "skips"}, 2, "coin-wars.outcome.lost"),
        ({"all_out": "skips"}, 3, None),
    ],
)
def test_when_nobody_is_left(rules: Json, scenes: int, clause: str | None) -> None:
    cards = [scene(bodiness=4)] * scenes
    state = play(create(), *cards, draw(*range(scenes)), *HURT[3:], choose("sit-out"), tell(), **rules)
    outcome = GAME.outcome(state)
    assert (outcome and outcome.reason.key) == clause
    assert outcome is None or outcome.winners == ()


def test_those_who_beat_the_last_scene_win_together() -> None:
    """coin-wars.end"""
    start = (create(), create("Bob"), create("Cat"), scene(bodiness=3), draw(0))
    win = [flip("bodiness", "3NH", "3PT"), flip("bodiness", "3NH", "3PT", "Bob")]
    lose = [flip("bodiness", "3NT", "3PH", "Cat"), choose("sit-out", "Cat")]
    state = play(*start, *win, *lose, tell(), tell("Bob"), tell("Cat"))
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.winners == ("Ann", "Bob")
    assert [chapter.name for chapter in state.story] == ["Ann", "Bob", "Cat"]


def test_stories_may_be_skipped() -> None:
    assert GAME.phase(play(*WON)) == "narrate"
    assert GAME.phase(play(*WON, narration="skipped")) == "over"


# -- help and recovery ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "after"),
    [({}, "nickel"), ({"burn_recovery": "adventure"}, "penny"), ({"burn_recovery": "scene"}, "nickel")],
)
def test_burns_for_help_end_with_the_scene(rules: Json, after: str) -> None:
    start = (create(), scene(braininess=3), scene(bodiness=3), draw(0, 1))
    helped = (*start, assist("bodiness", "coolness", "braininess"))
    assert trait(play(*helped, **rules), "bodiness") == (3, "penny")
    assert GAME.tosses_due(play(*helped, **rules))["hero"] == Heap(penny=5)
    again = (*helped, flip("braininess", "3PH 2PT", "2PH 1PT"))  # 4 : 4, nothing happens
    assert GAME.tosses_due(play(*again, **rules))["hero"] == Heap(penny=5)
    assert trait(play(*again, flip("braininess", "5PH", "3PT"), tell(), **rules), "bodiness") == (3, after)


def test_help_for_one_exchange_as_a_house_rule() -> None:
    start = (create(), scene(braininess=3), draw(0), assist("bodiness", "coolness", "braininess"))
    again = (*start, flip("braininess", "3PH 2PT", "2PH 1PT"))
    assert GAME.tosses_due(play(*again, assist_span="exchange"))["hero"] == Heap(penny=3)


def test_help_throws_each_trait_in_its_own_coin_and_wounds_the_one_asked_for() -> None:
    bought = [spend(coin="coolness"), spend(coin="coolness"), spend(coin="misc")]
    start = (create(), *bought, scene(braininess=4), draw(0), assist("bodiness", "coolness", "braininess"))
    both = (*start, assist("coolness", "misc", "braininess"))  # the dime of Coolness drops to a nickel
    state = play(*both, customization=3)
    assert GAME.tosses_due(state)["hero"] == Heap(penny=3, nickel=4)
    hurt = play(*both, flip("braininess", "3PH 2NH 2NT", "4PH"), customization=3)  # 7 : 8
    assert trait(hurt, "braininess")[0] == 2


def test_damage_burns_last_until_the_adventure_ends() -> None:
    start = (create(), scene(bodiness=3), scene(bodiness=3), draw(0, 1))
    burnt = (*start, flip("bodiness", "3NT", "3PH"), choose("burn"), flip("bodiness", "3PH", "3PT"), tell())
    assert trait(play(*burnt), "bodiness") == (3, "penny")
    assert GAME.write_state(play(*burnt))["sheets"]["Ann"]["traits"]["bodiness"]["coin"] == "nickel"
    assert trait(play(*burnt, burn_recovery="scene"), "bodiness") == (3, "nickel")


@pytest.mark.parametrize(("rules", "coolness"), [({}, 1), ({"cool_recovery": "always"}, 2)])
def test_coolness_recovers_only_if_unused(rules: Json, coolness: int) -> None:
    start = (create(), scene(bodiness=3), scene(bodiness=3), draw(0, 1))
    used = (*start, flip("bodiness", "2NT 1NH", "2PH 1PT"), choose("coolness"), flip("bodiness", "", "3PT"), tell())
    assert trait(play(*used, **rules), "coolness")[0] == coolness


def test_coolness_may_meet_a_miscellaneous_component() -> None:
    answer = {"do": "answer", "name": "Ann", "trait": "coolness"}
    state = play(*TRAP, answer, flip("misc", "2PT", "3PH"))
    assert state.last
    assert (str(state.last.trait), state.choice and str(state.choice.trait)) == ("coolness", "coolness")
    assert GAME.write_state(state)["choice_due"]["options"] == ("sit-out",)
    assert state.facing[0].used_coolness


def test_a_component_without_its_own_name_is_called_as_its_card() -> None:
    """coin-wars.scene.misc.name"""
    state = play(create(), scene(misc=3) | {"title": "The safe"}, draw(0))
    assert sentence(GAME.prompt(state)).startswith("The safe: ")


# -- experience -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "key", "expected"),
    [
        ({"coin": "bodiness"}, "bodiness", (3, "dime")),
        ({"rating": "braininess"}, "braininess", (4, "penny")),
        ({"coin": "misc"}, "misc", (2, "nickel")),
    ],
)
def test_what_experience_buys(on: dict[str, str], key: str, expected: tuple[int, str]) -> None:
    state = play(create(), spend(**on), customization=3)
    assert trait(state, key) == expected
    assert state.characters[0].experience == 2


def test_powers_are_bought_rank_by_rank() -> None:
    bought = [spend(power="luck")] * 2 + [spend(power="offensive", trait="misc"), spend(power="fast-learner")]
    state = GAME.write_state(play(create(), *bought, customization=7))
    assert state["characters"]["Ann"]["powers"] == {"luck": 2, "offensive": {"misc": 1}, "fast-learner": 1}
    assert state["characters"]["Ann"]["experience"] == 1


def test_experience_and_powers_may_be_left_out() -> None:
    """coin-wars.experience.allowed: scenes are beaten for the story alone; the first prompt says what is played."""
    assert sentence(GAME.prompt(play())).endswith("Powers: on. Experience: on.")
    assert sentence(GAME.prompt(play(powers="none", experience="none"))).endswith("Powers: off. Experience: off.")
    assert "experience" not in sentence(GAME.prompt(play(create(), experience="none")))
    for rules, twelfths in (({}, 4), ({"experience": "none"}, 0)):
        assert play(*WON, **rules).characters[0].twelfths == twelfths


def test_experience_may_be_spent_before_a_very_hard_last_scene() -> None:
    """coin-wars.spend.when"""
    start = (create(), scene(bodiness=3), scene(bodiness=9), draw(0, 1))
    before = (*start, flip("bodiness", "3NH", "3PT"), tell())
    waiting = play(*before, customization=1)
    assert (GAME.phase(waiting), GAME.to_act(waiting)) == ("spend", ("Ann",))
    assert GAME.tosses_due(play(*before, spend(coin="bodiness"), customization=1))["hero"] == Heap(dime=3)
    ready = {"do": "ready", "name": "Ann"}
    assert GAME.tosses_due(play(*before, ready, customization=1))["hero"] == Heap(nickel=3)
    assert GAME.phase(play(*before)) == "flip"  # nothing to spend, nothing to wait for


def test_a_sheet_goes_to_the_next_adventure() -> None:
    ended = GAME.write_state(play(*WON, tell()))
    sheet = ended["sheets"]["Ann"]
    again = play({"do": "create", "name": "Ann", "sheet": sheet})
    assert again.characters[0].twelfths == 4
    assert GAME.write_state(again)["sheets"]["Ann"] == sheet
    veteran = play({"do": "create", "name": "Vera", "sheet": SHEET})
    assert veteran.characters[0].experience == 1
    assert trait(veteran, "bodiness", "Vera") == (4, "nickel")


# -- input ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        {"players": ["Ann", "Ann"]},
        {"players": ["table"]},
        {"players": [" "]},
        {"customization": -1},
        {"powers": "some"},
    ],
)
def test_wrong_house_rules(rules: Json) -> None:
    with pytest.raises(InputError):
        GAME.read_options(rules)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("characters", "Ann", "traits", "bodiness", "now"), 4),
        (("characters", "Ann", "traits", "bodiness", "coin"), "euro"),
        (("characters", "Ann", "twelfths"), 120),
        (("scene",), 1),
        (("scene",), None),
        (("facing", "Ann", "bodiness"), 5),
        (("facing", "Eve"), {"bodiness": 4}),
        (("fights", "Ann", "answer"), "bodiness"),
        (("open",), True),
        (("choice",), {"name": "Eve", "trait": "bodiness", "before": 1, "damage": 1}),
        (("scenes", 0, "components", "bodiness"), 5),
        (("game",), "steal"),
        (("characters",), []),
    ],
)
def test_states_that_contradict_themselves(path: tuple[Any, ...], value: object) -> None:
    written = GAME.write_state(play(*DUEL))
    place = written
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(InputError, match="not a state of coin-wars"):
        GAME.read_state(written)
