"""Each power with its own table: what it does, when it may be used, and how often."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablecoin.coins import Heap
from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.coin_wars.character import Character, Powers, Trait, Traits, Used
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import Points
from tablecoin.rules.game import IllegalAction
from tests.rules.coin_wars.coin_wars_acts import Json, coins


def table(
    powers: Powers, traits: str = "3P 3P 3P 3P 3P", scenes: str = "4", component: str = "bodiness", **rules: Any
) -> CoinWarsState:
    """Ann with these powers and traits (points and coin: body, brain, personality, coolness, misc) in a fight.

    `scenes` are scenes of one `component` with those points.
    """
    kinds = {"P": "penny", "N": "nickel", "D": "dime", "Q": "quarter"}
    held = [
        msgspec.convert({"rating": int(t[:-1]), "now": int(t[:-1]), "coin": kinds[t[-1]]}, Trait)
        for t in traits.split()
    ]
    cards = tuple(Scene(Points(**{component: int(points)}), "Ann", "A scene") for points in scenes.split())
    return CoinWarsState(
        CoinWarsOptions(**rules),
        (Character("Ann", Traits(*held), "Wealth", powers),),
        cards,
        0,
        (Fighter("Ann", cards[0].components),),
    )


def act(state: CoinWarsState, *actions: Json) -> CoinWarsState:
    for action in actions:
        state = GAME.apply(state, GAME.read_action({"name": "Ann", **action}))
    return state


def flip(character: str, scene: str, component: str = "bodiness") -> Json:
    return {"do": "flip", "component": component, "character": coins(character), "scene": coins(scene)}


def power(name: str, **fields: Any) -> Json:
    return {"do": "power", "power": name, **fields}


def refused(state: CoinWarsState, action: Json) -> str:
    with pytest.raises(IllegalAction) as why:
        act(state, action)
    return why.value.clause


def now(state: CoinWarsState, trait: str = "bodiness") -> int:
    character = state.character("Ann")
    assert character
    return int(getattr(character.traits, trait).now)


def difference(state: CoinWarsState) -> int:
    assert state.last
    return state.last.difference


ACCEPT = {"do": "accept"}
TELL = {"do": "narrate"}


# -- Luck -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lands", "expected", "left"), [("1PH", 3, 1), ("1PT", 1, 3)])
def test_luck_throws_one_own_coin_again(lands: str, expected: int, left: int) -> None:
    """coin-wars.power.luck"""
    thrown = act(table(Powers(luck=1)), flip("2PH 1PT", "2PH 2PT"), power("luck", coin="penny:tails"))
    assert GAME.phase(thrown) == "flip"
    assert GAME.to_act(thrown) == ("table",)
    assert GAME.tosses_due(thrown) == {"hero": Heap(penny=1)}
    after = act(thrown, flip(lands, ""))
    assert difference(after) == expected
    assert after.facing[0].left.bodiness == left


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        (power("luck", coin="nickel:heads"), "coin-wars.power.coin"),
        (power("luck", coin="penny:heads", side="scene"), "coin-wars.power.luck"),
        (power("luck"), "coin-wars.power.fields"),
        (power("luck", coin="penny:tails", into="dime"), "coin-wars.power.fields"),
        (power("super-cool"), "coin-wars.power.passive"),
        (power("grabby-hands", take=["penny:heads"], give=["penny:tails"]), "coin-wars.power.held"),
        (power("offensive"), "coin-wars.power.linked"),
        (flip("1PH", ""), "coin-wars.flip.when"),
        ({**power("luck", coin="penny:heads"), "name": "Bob"}, "coin-wars.power.when"),
        ({**ACCEPT, "name": "Bob"}, "coin-wars.power.accept"),
    ],
)
def test_luck_and_the_window_refuse(action: Json, clause: str) -> None:
    assert refused(act(table(Powers(luck=1)), flip("2PH 1PT", "2PH 2PT")), action) == clause


def test_luck_once_a_scene_and_once_a_rank() -> None:
    """coin-wars.power.once, coin-wars.power.used-up"""
    first = act(table(Powers(luck=2), scenes="3 3 3"), flip("3PT", "3PT"), power("luck", coin="penny:tails"))
    again = act(first, flip("1PH", ""))
    assert GAME.phase(again) == "flip"  # two tails and a head against three tails: 4 - 2; settled without a window
    twice = msgspec.structs.replace(again, last=first.last, open=True)
    assert refused(twice, power("luck", coin="penny:tails")) == "coin-wars.power.once"
    second = act(
        again,
        flip("3PH", "1PH"),
        TELL,
        flip("2PH 1PT", "3PT"),
        power("luck", coin="penny:tails"),
        flip("1PH", ""),
        TELL,
    )
    assert second.characters[0].used == Used(luck=2)
    third = act(second, flip("2PH 1PT", "1PH 2PT"))
    assert not third.open  # both ranks are spent
    forced = msgspec.structs.replace(second, last=first.last, open=True)
    assert refused(forced, power("luck", coin="penny:tails")) == "coin-wars.power.used-up"


def test_luck_may_throw_the_scenes_coins_as_a_house_rule() -> None:
    start = table(Powers(luck=1), luck_any=True)
    thrown = act(start, flip("2PH 1PT", "3PH 1PT"), power("luck", coin="penny:heads", side="scene"))
    assert GAME.tosses_due(thrown) == {"scene": Heap(penny=1)}
    assert refused(thrown, flip("1PT", "")) == "coin-wars.power.reflip"
    assert difference(act(thrown, flip("", "1PT"))) == 1


# -- So Cool ----------------------------------------------------------------------------------------------------------


def test_so_cool_adds_coolness_and_burns_nothing() -> None:
    """coin-wars.power.so-cool"""
    start = table(Powers(so_cool=1), "3P 3P 3P 2D 1P")
    cool = act(start, power("so-cool", component="bodiness"))
    assert GAME.tosses_due(cool)["hero"] == Heap(penny=3, dime=2)
    assert cool.characters[0].traits == start.characters[0].traits
    assert cool.facing[0].used_coolness
    assert refused(cool, power("so-cool", component="bodiness")) == "coin-wars.power.used-up"


def test_so_cool_once_a_scene_and_only_before_an_exchange() -> None:
    cool = act(table(Powers(so_cool=2, luck=1)), power("so-cool", component="bodiness"))
    assert refused(cool, power("so-cool", component="bodiness")) == "coin-wars.power.once"
    thrown = act(cool, flip("6PH", "1PH 3PT"))
    assert refused(thrown, power("so-cool", component="bodiness")) == "coin-wars.power.so-cool"


# -- Offensive and Defensive ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("character", "scene", "left", "body"),
    [
        ("2PH 1PT", "2PH 2PT", 0, 2),  # 4 + 3 : 3, beats four; one damage all the same
        ("1PH 2PT", "2PH 2PT", 2, 2),  # 3 + 3 : 4, two off the scene, one off the trait
        ("3PT", "1PH 3PT", 2, 2),  # 3 + 3 : 4
        ("3PT", "4PH", 4, 0),  # 0 + 3 : 7, four damage and one
    ],
)
def test_offensive_adds_its_rank_and_costs_one(character: str, scene: str, left: int, body: int) -> None:
    """coin-wars.power.offensive"""
    state = act(table(Powers(offensive=Points(bodiness=3))), flip(character, scene), power("offensive"))
    assert state.facing[0].left.bodiness == left
    assert now(state) == body


def test_when_both_fall_together_the_scene_falls_first() -> None:
    start = table(Powers(offensive=Points(bodiness=4)), "1P 3P 3P 3P 3P")
    state = act(start, flip("1PH", "4PT"), power("offensive"))
    assert now(state) == 0
    assert state.choice is None
    assert state.facing[0].beaten
    assert state.characters[0].twelfths == 4


@pytest.mark.parametrize(
    ("rank", "character", "scene", "recompute", "results", "damage"),
    [
        (4, "2PT", "3PH 2PT", False, (2, 7), 1),  # the printed example: 2 : 5 becomes 2 : 7, less 4
        (4, "2PT", "3PH 2PT", True, (0, 7), 3),  # as a house rule the tails no longer count
        (4, "2PT", "4PH 1PT", False, (1, 7), 2),  # one tail only: one is turned
        (4, "2PT", "5PH", False, (0, 7), 3),  # none to turn
        (9, "2PT", "3PH 2PT", False, (2, 7), 0),
    ],
)
def test_defensive_turns_tails_and_takes_less(
    rank: int, character: str, scene: str, recompute: bool, results: tuple[int, int], damage: int
) -> None:
    """coin-wars.power.defensive"""
    start = table(Powers(defensive=Points(bodiness=rank)), "5P 3P 3P 3P 3P", "9", defensive_recompute=recompute)
    fighter = msgspec.structs.replace(start.facing[0], left=Points(bodiness=5))
    body = msgspec.structs.replace(start.characters[0].traits.bodiness, now=2)
    traits = msgspec.structs.replace(start.characters[0].traits, bodiness=body)
    hurt = start.put(fighter, msgspec.structs.replace(start.characters[0], traits=traits))
    state = act(hurt, flip(character, scene), power("defensive"))
    assert state.last
    assert (state.last.character_result, state.last.scene_result) == results
    assert state.last.damage == damage
    assert now(state) == max(0, 2 - damage)


def test_nothing_moves_after_defensive_and_nothing_twice() -> None:
    """coin-wars.power.defensive.last, coin-wars.power.twice"""
    both = Powers(luck=1, offensive=Points(bodiness=1), defensive=Points(bodiness=1))
    state = act(table(both), flip("2PH 1PT", "2PH 2PT"), power("defensive"))
    assert refused(state, power("luck", coin="penny:tails")) == "coin-wars.power.defensive.last"
    assert refused(state, power("defensive")) == "coin-wars.power.twice"
    done = act(state, power("offensive"))
    assert not done.open  # nothing is left to use, so it is settled


def test_offensive_is_for_its_own_trait() -> None:
    start = table(Powers(offensive=Points(braininess=3)))
    assert not act(start, flip("2PH 1PT", "2PH 2PT")).open


def test_powers_for_coolness_work_where_it_meets_a_component() -> None:
    """coin-wars.power.link.coolness: Coolness answers for a Miscellaneous component, with its own Offensive."""
    cool = Points(coolness=2)
    start = table(Powers(offensive=cool, defensive=cool), component="misc")
    answered = act(start, {"do": "answer", "trait": "coolness"}, flip("2PH 1PT", "2PH 2PT", "misc"))
    state = act(answered, power("offensive"), power("defensive"))
    assert state.last
    assert (state.last.boost, state.last.shield) == (2, 2)
    plain = act(start, flip("2PH 1PT", "2PH 2PT", "misc"))
    assert not plain.open  # one's own Miscellaneous has neither power


# -- Flamebait --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lands", "expected"), [("1DH", 4), ("1DT", -1)])
def test_flamebait_throws_the_coin_that_was_burnt(lands: str, expected: int) -> None:
    """coin-wars.power.flamebait: a dime of Braininess is burnt for Coolness, and replaces a penny."""
    start = table(Powers(flamebait=3), "3P 3D 3P 1P 1P")
    burnt = act(start, {"do": "assist", "burn": "braininess", "add": "coolness", "component": "bodiness"})
    assert burnt.characters[0].traits.braininess.coin == "nickel"
    thrown = act(burnt, flip("2PH 2PT", "2PH 2PT"))
    assert refused(thrown, power("flamebait", coin="penny:tails", into="nickel")) == "coin-wars.power.flamebait"
    air = act(thrown, power("flamebait", coin="penny:tails", into="dime"))
    assert GAME.tosses_due(air) == {"hero": Heap(dime=1)}
    assert refused(air, flip("1PH", "")) == "coin-wars.power.reflip"
    assert difference(act(air, flip(lands, ""))) == expected


def test_each_burn_leaves_a_spark_and_its_player_chooses_which_to_use() -> None:
    """coin-wars.power.flamebait: a nickel was burnt first, a quarter then; the one rank may use either."""
    start = table(Powers(flamebait=1), "2N 3Q 3P 1P 1P")
    burnt = act(start, flip("2NT", "4PH"), {"do": "choose", "option": "burn"})
    assert burnt.facing[0].sparks == ("nickel",)
    more = act(burnt, {"do": "assist", "burn": "braininess", "add": "coolness", "component": "bodiness"})
    assert more.facing[0].sparks == ("nickel", "quarter")
    thrown = act(more, flip("3PT", "2PH 2PT"))
    landed = act(thrown, power("flamebait", coin="penny:tails", into="quarter"), flip("1QH", ""))
    assert difference(landed) == (4 + 2) - (2 + 2)
    assert not landed.open, "the rank is used up"


def test_without_flamebait_a_burn_leaves_nothing() -> None:
    start = table(Powers(), "3P 3D 3P 1P 1P")
    burnt = act(start, {"do": "assist", "burn": "braininess", "add": "coolness", "component": "bodiness"})
    assert burnt.facing[0].sparks == ()


def test_a_refusal_says_so_where_there_are_no_coins() -> None:
    thrown = act(table(Powers(luck=1, flamebait=1), "0P 3P 3P 3P 3P", luck_any=True), flip("", "4PH"))
    for action, why in (
        (power("luck", coin="penny:tails"), "the character's are nothing, the scene's penny heads"),
        (power("luck", coin="penny:tails", side="scene"), "the character's are nothing"),
    ):
        with pytest.raises(IllegalAction, match=why):
            act(thrown, action)
    spark = act(table(Powers(flamebait=1), "3P 3D 3P 3P 3P"), flip("1PH 2PT", "4PH"))
    assert not spark.open, "with nothing burnt Flamebait changes nothing"
    lucky = act(table(Powers(luck=1, flamebait=1)), flip("1PH 2PT", "4PH"))
    with pytest.raises(IllegalAction, match="there is: nothing"):
        act(lucky, power("flamebait", coin="penny:heads", into="dime"))


# -- Grabby Hands -----------------------------------------------------------------------------------------------------


def test_grabby_hands_swap_coins_for_this_exchange() -> None:
    """coin-wars.power.grabby-hands"""
    thrown = act(table(Powers(grabby_hands=3), "3N 3P 3P 3P 3P"), flip("1NH 2NT", "3PH 1PT"))
    assert difference(thrown) == 2 + 1 - (3 + 4)
    swapped = act(thrown, power("grabby-hands", take=coins("2PH"), give=coins("2NT")))
    assert difference(swapped) == (2 + 2) + (1 + 4) - (1 + 0)  # the nickels keep their faces and count for Ann
    assert refused(swapped, power("grabby-hands", take=coins("2PH"), give=coins("2NT"))) == "coin-wars.power.used-up"
    assert act(swapped, ACCEPT).facing[0].beaten
    assert act(swapped, ACCEPT).characters[0].used == Used(grabby_hands=2)


@pytest.mark.parametrize(
    ("take", "give", "clause"),
    [
        ("2PH", "1NT", "coin-wars.power.grabby-hands"),
        ("1PH", "1QT", "coin-wars.power.coin"),
        ("3PH 1PT", "1NH 2NT", "coin-wars.power.used-up"),
        ("", "", "coin-wars.power.fields"),
    ],
)
def test_grabby_hands_refuse(take: str, give: str, clause: str) -> None:
    thrown = act(table(Powers(grabby_hands=3), "3N 3P 3P 3P 3P"), flip("1NH 2NT", "3PH 1PT"))
    assert refused(thrown, power("grabby-hands", take=coins(take), give=coins(give))) == clause


def test_grabby_hands_swap_all_three_coins() -> None:
    thrown = act(table(Powers(grabby_hands=3), "3N 3P 3P 3P 3P"), flip("1NH 2NT", "3PH 1PT"))
    swapped = act(thrown, power("grabby-hands", take=coins("3PH"), give=coins("1NH 2NT")))
    assert swapped.characters[0].used == Used(grabby_hands=3)


# -- powers that work by themselves -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("powers", "used", "coolness", "body"),
    [
        (Powers(), False, 2, 2),
        (Powers(super_cool=2), False, 4, 2),
        (Powers(super_cool=2), True, 1, 2),  # used in the scene before: nothing comes back
        (Powers(super_cool=9), False, 5, 2),  # never above the rating
        (Powers(super_trait=Points(bodiness=3)), False, 2, 5),
        (Powers(super_trait=Points(coolness=1)), False, 3, 2),
        (Powers(super_trait=Points(coolness=1), super_cool=2), False, 5, 2),
    ],
)
def test_super_cool_and_super_trait_recover_faster(powers: Powers, used: bool, coolness: int, body: int) -> None:
    """coin-wars.power.passive"""
    start = table(powers, "5N 3P 3P 5P 3P", "3 3")
    hurt = start.characters[0].traits
    for name in ("bodiness", "coolness"):
        hurt = msgspec.structs.replace(hurt, **{name: msgspec.structs.replace(getattr(hurt, name), now=1)})
    wounded = start.put(
        msgspec.structs.replace(start.characters[0], traits=hurt),
        msgspec.structs.replace(start.facing[0], used_coolness=used),
    )
    state = act(wounded, flip("1NH", "3PT"), TELL)
    assert (now(state, "coolness"), now(state)) == (coolness, body)


@pytest.mark.parametrize(("points", "plain", "fast"), [(3, 3, 4), (4, 4, 6), (6, 6, 8), (8, 8, 9), (9, 9, 12)])
def test_fast_learner_is_rewarded_one_class_higher(points: int, plain: int, fast: int) -> None:
    for powers, reward in ((Powers(), plain), (Powers(fast_learner=1), fast)):
        state = act(table(powers, "5Q 3P 3P 3P 3P", str(points)), flip("5QH", f"{points}PT"))
        assert state.characters[0].twelfths == reward
