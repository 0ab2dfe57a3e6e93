"""The companion: legal, blind to others' cards, exact in its odds, and better for thinking."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.opponents import Level, load
from tablecoin.opponents.coin_wars.odds import beats, differences
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
    ("points", "coin", "along", "pennies", "expected"),
    [
        (1, "penny", Heap(), 1, 0.5),  # the same on both sides
        (3, "penny", Heap(), 0, 1.0),
        (0, "penny", Heap(), 1, 0.5),  # nothing thrown: the scene's one penny decides
    ],
)
def test_chances_of_a_fight(points: int, coin: str, along: Heap, pennies: int, expected: float) -> None:
    assert beats(points, Denomination(coin), along, pennies) == pytest.approx(expected)


def test_better_coins_more_coins_and_help_are_worth_more() -> None:
    fair = beats(3, Denomination.PENNY, Heap(), 3)
    assert fair == pytest.approx(0.5)
    assert fair < beats(3, Denomination.DIME, Heap(), 3) < beats(3, Denomination.QUARTER, Heap(), 3)
    assert fair < beats(4, Denomination.PENNY, Heap(), 3)
    assert fair < beats(3, Denomination.PENNY, Heap(dime=1), 3)


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


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Bob", "Cat")])
def test_companions_play_whole_adventures(level: Level, names: tuple[str, ...]) -> None:
    for seed in range(3):
        state = adventure(level, seed, names, customization=3)
        assert {scene.author for scene in state.scenes} == set(names)
        assert len(state.story) >= len(names)


@pytest.mark.slow
def test_thinking_earns_more() -> None:
    """Adventures for two, the same cards and luck: twelfths earned, and last scenes beaten."""
    earned, won = {}, {}
    for level in Level:
        ends = [adventure(level, seed, ("Ann", "Bob")) for seed in range(25)]
        earned[level] = sum(each.twelfths for end in ends for each in end.characters)
        won[level] = sum(bool(outcome and outcome.winners) for outcome in map(GAME.outcome, ends))
    assert earned[Level.STRONG] > earned[Level.EASY]
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


def test_it_is_not_asked_out_of_turn() -> None:
    state = fight(Powers(), Trait(3, 3), Trait(2, 2), 3)
    for seat in ("Bob", TABLE):
        with pytest.raises(ValueError, match="nothing to do"):
            choose(state, seat, Level.STRONG, 0)
