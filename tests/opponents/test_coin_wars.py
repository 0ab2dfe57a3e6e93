"""The companion: legal, blind to others' cards, exact in its odds, and better for thinking."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.opponents import Level, load
from tablecoin.opponents.coin_wars.campaign import Fight, Hero, exact_chance
from tablecoin.opponents.coin_wars.campaign import fight as imagined_fight
from tablecoin.opponents.coin_wars.odds import differences, stands
from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.coin_wars.actions import Draw
from tablecoin.rules.coin_wars.character import Character, Powers, Trait, Traits
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import Points
from tablecoin.rules.game import TABLE

choose = load("coin-wars")


@pytest.mark.parametrize(
    ("own", "pennies", "expected"),
    [
        (Heap(penny=1), 1, {2: 0.25, 0: 0.5, -2: 0.25}),
        (Heap(dime=1), 0, {3: 0.5, -2: 0.5}),
        (Heap(quarter=1, nickel=1), 0, {6: 0.25, 2: 0.25, 0: 0.25, -4: 0.25}),
        (Heap(), 2, {2: 0.25, 0: 0.5, -2: 0.25}),
    ],
)
def test_chances_of_a_throw(own: Heap, pennies: int, expected: dict[int, float]) -> None:
    assert differences(own, pennies) == expected


@pytest.mark.parametrize(
    ("points", "step", "coolness", "pennies", "expected"),
    [
        (1, 0, 0, 1, 0.5),  # the same on both sides
        (3, 0, 0, 0, 1.0),
        (0, 0, 0, 1, 0.5),  # nothing thrown: the scene's one penny decides
        (0, 0, 1, 1, 0.75),  # Coolness gives it a second try
        (0, 1, 1, 1, 0.875),  # and a coin to burn a third
    ],
)
def test_chances_of_a_fight(points: int, step: int, coolness: int, pennies: int, expected: float) -> None:
    assert stands(points, 3, step, coolness, pennies, CoinWarsOptions()) == pytest.approx(expected)


def test_better_coins_more_coins_and_coolness_are_worth_more() -> None:
    def chance(points: int, step: int, coolness: int) -> float:
        return stands(points, 4, step, coolness, 3, CoinWarsOptions())

    fair = chance(3, 0, 0)
    assert fair == pytest.approx(0.5)
    assert fair < chance(3, 2, 0) < chance(3, 3, 0)
    assert fair < chance(4, 0, 0)
    assert fair < chance(3, 0, 1) < chance(3, 0, 2)


def test_imagined_fights_are_won_as_often_as_the_exact_chance_says() -> None:
    """2,000 fights of a trait with a nickel and some Coolness: the standard error is 0.011."""
    hero = Hero([3, 0, 0, 2, 0], (3, 0, 0, 2, 0), [1, 0, 0, 0, 0], [0] * 5, (0,) * 5, [0] * 5)
    against = Fight(((0, (), 6),))
    chance = exact_chance(hero, against, CoinWarsOptions())
    assert chance is not None
    won = sum(imagined_fight(hero.copy(), against, CoinWarsOptions(), Random(seed)) for seed in range(2000))
    assert won / 2000 == pytest.approx(chance, abs=0.04)


def adventure(level: Level, seed: int, names: tuple[str, ...] = ("Ann",), **rules: object) -> CoinWarsState:
    """A whole adventure of companions; the table tosses fair coins and shuffles the cards."""
    dice = Random(seed)
    state = GAME.start(GAME.read_options({"players": list(names), **rules}))
    for turn in range(3000):
        seats = [seat for seat in GAME.may_act(state) if seat != TABLE]
        if GAME.outcome(state):
            return state
        if seats:
            action = choose(state, seats[0], level, turn)
            assert action == choose(state, seats[0], level, turn)
            assert GAME.actor(state, action) == seats[0]
        elif due := GAME.tosses_due(state):
            seen = {zone: tuple(Coin.of(kind, dice.choice(list(Face))) for kind in due[zone]) for zone in due}
            action = GAME.toss_action(state, seen)
        else:
            action = Draw(tuple(dice.sample(range(len(state.scenes)), len(state.scenes))))
        state = GAME.apply(state, action)
    raise AssertionError("the adventure did not end")


@pytest.mark.parametrize(
    ("level", "names"),
    [
        *((level, ("Ann",)) for level in Level),
        *((level, ("Ann", "Bob")) for level in (Level.EASY, Level.MIDDLE)),
        pytest.param(Level.STRONG, ("Ann", "Bob"), marks=pytest.mark.long),
    ],
)
def test_companions_play_whole_adventures(level: Level, names: tuple[str, ...]) -> None:
    state = adventure(level, 3, names, customization=3)
    assert {scene.author for scene in state.scenes} == set(names)
    assert len(state.story) >= len(names)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        pytest.param(1, {}, id="60 points alone"),
        pytest.param(6, {}, id="10 each of 60"),
        pytest.param(2, {"scene_points": 8}, id="8 each"),
        pytest.param(2, {"scene_points": 11}, id="11 each: an Easy and a Hard one"),
    ],
)
def test_companions_write_cards_that_may_be_drawn_where_both_classes_are_required(
    players: int, rules: dict[str, object]
) -> None:
    """Each had written an Easy one first, and with 10 points no Hard one after it: nobody could draw."""
    names = tuple(f"Player {k}" for k in range(players))
    end = adventure(Level.EASY, 1, names, force_mix="require", **rules)
    written = {scene.components.total for scene in end.scenes}
    assert {3, 8} <= written


@pytest.mark.long
def test_strong_companions_beat_the_last_scene_more_often() -> None:
    """The same cards for both. Of 120 in 60 adventures strong wins 30, easy 18; alone, 9 and 11 of 60."""
    won = {}
    for level in (Level.EASY, Level.STRONG):
        ends = (GAME.outcome(adventure(level, seed, ("Ann", "Bob"))) for seed in range(30))
        won[level] = sum(len(outcome.winners) for outcome in ends if outcome)
    assert won[Level.STRONG] > won[Level.EASY]


def test_it_never_looks_at_the_cards_of_others() -> None:
    state = GAME.start(GAME.read_options({"players": ["Ann", "Bob"]}))
    for action in (
        {"do": "create", "name": "Ann", "ratings": {"bodiness": 12}, "strong": "bodiness"},
        {"do": "scene", "name": "Ann", "components": {"bodiness": 9}, "title": "A wall"},
        {"do": "create", "name": "Bob", "ratings": {"bodiness": 12}, "strong": "bodiness"},
    ):
        state = GAME.apply(state, GAME.read_action(action))
    other = msgspec.structs.replace(state, scenes=(Scene(Points(personality=3), "Ann", "A chat"),))
    for seed in range(10):
        assert choose(state, "Bob", Level.STRONG, seed) == choose(other, "Bob", Level.STRONG, seed)


def fight(powers: Powers, body: Trait, coolness: Trait, pennies: int, cards: int = 1) -> CoinWarsState:
    plain = Trait(1, 1)
    ann = Character("Ann", Traits(body, plain, plain, coolness, Trait(1, 1, Denomination.NICKEL)), "Wealth", powers)
    scenes = (Scene(Points(bodiness=pennies), "Ann"),) * cards
    return CoinWarsState(CoinWarsOptions(), (ann,), scenes, 0, (Fighter("Ann", Points(bodiness=pennies)),))


def do(state: CoinWarsState, **action: object) -> CoinWarsState:
    return GAME.apply(state, GAME.read_action({"name": "Ann", **action}))


def test_it_calls_help_where_help_decides_and_not_where_it_does_not() -> None:
    weak = fight(Powers(so_cool=1), Trait(2, 2), Trait(5, 5, Denomination.DIME), 8)
    assert GAME.write_action(choose(weak, "Ann", Level.STRONG, 0))["do"] in ("power", "assist")
    strong = fight(Powers(so_cool=1), Trait(9, 9, Denomination.QUARTER), Trait(5, 5, Denomination.DIME), 3)
    assert GAME.write_action(choose(strong, "Ann", Level.STRONG, 0))["do"] == "ready"
    assert GAME.write_action(choose(weak, "Ann", Level.EASY, 0))["do"] == "ready"


@pytest.mark.parametrize(("body", "coolness"), [(4, 1), (3, 2)])
def test_luck_in_what_it_imagines_does_not_make_it_call_help(body: int, coolness: int) -> None:
    """By 3,000 imagined adventures no help gains anything here; by 120 it often seemed to."""
    even = fight(Powers(), Trait(body, body), Trait(coolness, coolness), 8, cards=4)
    chosen = {GAME.write_action(choose(even, "Ann", Level.STRONG, seed))["do"] for seed in range(12)}
    assert chosen == {"ready"}


@pytest.mark.parametrize(
    ("own", "scene", "expected"),
    [
        ("H T T", "T T T T", "luck"),  # 5 : 2 leaves one penny, a head more leaves none
        ("H H H", "T T T T", "accept"),  # beaten already
    ],
)
def test_it_throws_a_bad_coin_again_and_keeps_a_good_throw(own: str, scene: str, expected: str) -> None:
    faces = {"H": "penny:heads", "T": "penny:tails"}
    sides = {"character": [faces[face] for face in own.split()], "scene": [faces[face] for face in scene.split()]}
    thrown = do(fight(Powers(luck=1), Trait(3, 3), Trait(0, 0), 4), do="flip", component="bodiness", **sides)
    answer = GAME.write_action(choose(thrown, "Ann", Level.STRONG, 0))
    assert (answer.get("power"), answer["do"]) == (("luck", "power") if expected == "luck" else (None, "accept"))
    assert answer.get("coin") in (None, "penny:tails")


def test_alone_it_does_not_give_up_while_something_can_be_burnt() -> None:
    hurt = fight(Powers(), Trait(3, 1, Denomination.DIME), Trait(2, 2), 3, cards=2)
    hurt = do(hurt, do="flip", component="bodiness", character=["dime:tails"], scene=["penny:heads"] * 3)
    assert GAME.phase(hurt) == "choice"
    assert GAME.write_action(choose(hurt, "Ann", Level.STRONG, 0))["option"] in ("burn", "coolness")


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.STRONG])
@pytest.mark.parametrize("narration", ["required", "skipped"])
def test_it_is_not_the_last_to_sit_out_while_it_can_fight_on(level: Level, narration: str) -> None:
    """The others sit out already: with it the adventure would end. Chances to beat the last scene: .30, and none."""
    options = GAME.read_options({"players": ["Ann", "Bob"], "narration": narration})
    plain = Trait(3, 3)
    traits = Traits(plain, plain, Trait(2, 2, Denomination.NICKEL), plain, Trait(1, 1))
    easy = Scene(Points(bodiness=3), "Ann")
    state = CoinWarsState(
        options,
        (Character("Ann", traits), Character("Bob", traits, sitting_out=True)),
        (easy, easy, Scene(Points(personality=3), "Ann")),
        0,
        (Fighter("Ann", easy.components), Fighter("Bob", easy.components, lost=True)),
    )
    hurt = do(state, do="flip", component="bodiness", character=["penny:tails"] * 3, scene=["penny:heads"] * 3)
    assert GAME.phase(hurt) == "choice"
    for seed in range(4):
        assert GAME.write_action(choose(hurt, "Ann", level, seed))["option"] == "coolness"


def test_it_is_not_asked_out_of_turn() -> None:
    state = fight(Powers(), Trait(3, 3), Trait(2, 2), 3)
    for seat in ("Bob", TABLE):
        with pytest.raises(ValueError, match="nothing to do"):
            choose(state, seat, Level.STRONG, 0)


BODY, COOL = 0, 3  # by the order of the traits


@pytest.mark.parametrize(
    ("parts", "coolness", "followed"),
    [
        (((BODY, (), 6),), 2, True),
        (((BODY, (1,), 6),), 2, False),  # another trait is tossed along
        (((COOL, (), 6),), 2, False),  # met with Coolness itself
        (((BODY, (), 6), (1, (), 2)), 2, False),  # both would use the one Coolness
        (((BODY, (), 6), (1, (), 2)), 0, True),
        (((BODY, (), 6), (COOL, (), 0)), 2, True),  # beaten already
    ],
)
def test_only_components_that_are_met_apart_have_an_exact_chance(
    parts: tuple[tuple[int, tuple[int, ...], int], ...], coolness: int, followed: bool
) -> None:
    now = (3, 2, 0, coolness, 0)
    hero = Hero([*now], now, [1, 0, 0, 0, 0], [0] * 5, (0,) * 5, [0] * 5)
    chance = exact_chance(hero, Fight(parts), CoinWarsOptions())
    assert (chance is not None) == followed


def test_two_components_are_beaten_with_the_product_of_their_chances() -> None:
    now = (3, 2, 0, 0, 0)
    hero = Hero([*now], now, [1, 0, 0, 0, 0], [0] * 5, (0,) * 5, [0] * 5)
    parts = (BODY, (), 6), (1, (), 2)
    chance, one, other = (exact_chance(hero, Fight(each), CoinWarsOptions()) for each in (parts, parts[:1], parts[1:]))
    assert one
    assert other
    assert chance == pytest.approx(one * other)
