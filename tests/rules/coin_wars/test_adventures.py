"""The adventures of the book: what stands in them, how they are taken, and what is refused."""

from __future__ import annotations

import pytest

from tablecoin.rules.coin_wars import GAME, adventures, tale
from tablecoin.rules.coin_wars.actions import Create, Draw, Ready, TakeBook, Write
from tablecoin.rules.coin_wars.character import START_POINTS, new_character
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import check_scene
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import Points, TraitName
from tablecoin.rules.game import IllegalAction, InputError
from tablecoin.rules.rulebook import LANGUAGES, sentence, texts

BOOK = [
    *adventures.shipped(),
    *(adventures.made_name("fair", players, number) for players in (1, 2, 3, 4) for number in range(6)),
]
ANN = {"name": "Ann", "ratings": Points(3, 3, 2, 2, 2), "strong": TraitName.BODINESS}


def at_the_start(adventure: str = adventures.NONE, **options: object) -> CoinWarsState:
    return GAME.start(GAME.read_options({"adventure": adventure, **options}))


def test_there_is_one_for_one_for_two_and_for_four() -> None:
    assert [adventures.load(name).players for name in adventures.shipped()] == [1, 2, 4]


@pytest.mark.parametrize("misc_cost", ["added", "inside"])
def test_heroes_and_scenes_follow_the_rules(misc_cost: str) -> None:
    options = CoinWarsOptions(misc_cost=misc_cost)  # type: ignore[arg-type]
    for name in BOOK:
        adventure = adventures.load(name)
        assert len(adventure.heroes) == adventure.players, name
        heroes = {(hero.ratings.bodiness, hero.ratings, hero.strong) for hero in adventure.heroes}
        assert len(heroes) == adventure.players, name
        for hero in adventure.heroes:
            assert hero.ratings.total == START_POINTS, name
            new_character("Ann", hero.ratings, hero.misc.get("en", ""), hero.strong, None, options)
        for scene in tale.scenes(name):
            check_scene(scene, options)
        assert sum(scene.cost() for scene in tale.scenes(name)) <= 60, name


def test_every_word_stands_in_every_language() -> None:
    for name in BOOK:
        adventure = adventures.load(name)
        words = [adventure.title, adventure.blurb, *(hero.title for hero in adventure.heroes)]
        for card in adventure.scenes:
            words += [card.title, card.text, card.won, card.lost]
            words += [card.misc] if card.components.misc else []
        for each in words:
            assert set(each) == set(LANGUAGES), f"{name}: {each}"
            assert all(text.strip() == text and text for text in each.values()), f"{name}: {each}"
            assert "{" not in "".join(each.values()), f"{name}: {each}"


def test_an_adventure_chosen_at_the_start_is_played_in_its_order() -> None:
    state = at_the_start("gull-rock", players=["Ann"])
    assert sentence(GAME.prompt(state), "zh") == "《鸥岩的灯》：请选好角色，然后开始。"
    hero = adventures.load("gull-rock").heroes[0]
    state = GAME.apply(state, Create("Ann", hero.ratings, "", hero.strong))
    assert tale.free_heroes(state) == ()
    for order in ((1, 0, 2), (0, 1)):
        with pytest.raises(IllegalAction) as refused:
            GAME.apply(state, Draw(order))
        assert refused.value.clause == "coin-wars.take.whole"
    state = GAME.apply(state, Draw((0, 1, 2)))
    assert [each.title for each in state.scenes] == ["The landing", "The door with four rings", "The light must turn"]
    assert GAME.derived(state)["warnings"] == []


def test_with_everybody_ready_and_no_scene_the_referee_says_what_to_do() -> None:
    state = GAME.apply(at_the_start(), Create(**ANN))  # type: ignore[arg-type]
    state = GAME.apply(state, Ready("Ann"))
    assert "take an adventure of the book" in sentence(GAME.prompt(state))
    offered = [action for action in GAME.legal_actions(state) if isinstance(action, TakeBook)]
    assert [action.adventure for action in offered] == list(adventures.shipped())
    state = GAME.apply(state, TakeBook("bridge-of-hours"))
    assert GAME.to_act(state) == ("table",)
    assert GAME.apply(state, Draw(tuple(range(5)))).scene == 0


def test_none_is_taken_after_the_draw() -> None:
    state = GAME.apply(at_the_start("gull-rock"), Create(**ANN))  # type: ignore[arg-type]
    state = GAME.apply(state, Draw((0, 1, 2)))
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, TakeBook("walking-orchard"))
    assert refused.value.clause == "coin-wars.take.when"
    assert not any(isinstance(action, TakeBook) for action in GAME.legal_actions(state))


def test_it_can_be_changed_for_another_and_put_back() -> None:
    state = GAME.apply(at_the_start("gull-rock"), TakeBook("walking-orchard"))
    assert len(state.scenes) == 5
    state = GAME.apply(state, TakeBook("none"))
    assert (state.scenes, tale.played(state)) == ((), None)


@pytest.mark.parametrize(
    ("adventure", "action", "clause"),
    [
        ("gull-rock", Write("Ann", Points(bodiness=3)), "coin-wars.scene.book"),
        ("gull-rock", TakeBook("moon"), "coin-wars.take.known"),
        ("none", TakeBook("made-fair-7-1"), "coin-wars.take.known"),
    ],
)
def test_what_is_refused(adventure: str, action: Write | TakeBook, clause: str) -> None:
    state = GAME.apply(at_the_start(adventure), Create(**ANN))  # type: ignore[arg-type]
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, action)
    assert refused.value.clause == clause


def test_cards_that_somebody_wrote_come_back_with_it_and_stay_secret() -> None:
    """coin-wars.take.cards"""
    state = GAME.apply(at_the_start(), Create(**ANN))  # type: ignore[arg-type]
    written = GAME.apply(state, Write("Ann", Points(bodiness=3), "The locked gate"))
    taken = GAME.apply(written, TakeBook("gull-rock"))
    assert "locked gate" in str(GAME.public(taken, "Ann"))
    assert "locked gate" not in str(GAME.public(taken, "Bob"))
    assert GAME.apply(GAME.apply(taken, TakeBook("walking-orchard")), TakeBook("none")) == written
    assert GAME.apply(taken, Draw((0, 1, 2))).aside == ()


def test_an_unknown_one_cannot_be_started() -> None:
    with pytest.raises(InputError, match="no adventure of the book"):
        at_the_start("moon")


def test_sentences_name_its_scenes_in_the_readers_language() -> None:
    state = at_the_start("bridge-of-hours")
    state = GAME.apply(GAME.apply(state, Create(**ANN)), Draw(tuple(range(5))))  # type: ignore[arg-type]
    scene = tale.card(state)
    assert scene is not None
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, GAME.read_action({"do": "flip", "name": "Ann", "component": "misc"}))
    said = texts(refused.value.message)
    assert scene.title["en"] in said["en"]
    assert scene.title["zh"] in said["zh"]


def test_a_state_goes_to_json_and_back() -> None:
    state = GAME.apply(at_the_start("made-fair-2-7"), Create(**ANN))  # type: ignore[arg-type]
    assert GAME.read_state(GAME.write_state(state)) == state
