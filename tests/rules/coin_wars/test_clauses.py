"""Every clause of Coin Wars that can be broken, broken."""

from __future__ import annotations

import pytest

from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.game import IllegalAction
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
)

COOL: Json = {"name": "super-trait", "trait": "coolness"}
COOL_SHEET: Json = SHEET | {"powers": {"offensive": {"coolness": 3}}}

BROKEN: list[tuple[str, tuple[Json, ...], Json, Json]] = [
    # clause, what went before, the act that breaks it, house rules
    ("coin-wars.create.when", DUEL, create("Bob"), {}),
    ("coin-wars.create.name", (), create(" "), {}),
    ("coin-wars.create.name", (), create("table"), {}),
    ("coin-wars.create.once", (create(),), create(), {}),
    ("coin-wars.create.seat", (), create("Eve"), {"players": ["Ann", "Bob"]}),
    ("coin-wars.create.room", tuple(create(f"P{k}") for k in range(20)), create(), {}),
    ("coin-wars.player", (), scene(bodiness=3), {}),
    ("coin-wars.create.points", (), create(points="3 3 2 2 1"), {}),
    ("coin-wars.create.points", (), create(points="3 3 3 2 2"), {}),
    ("coin-wars.create.rating", (), create(points="8 3 2 -1 0"), {}),
    ("coin-wars.create.misc", (), create() | {"misc_name": "Coolness"}, {}),
    ("coin-wars.create.misc", (), create() | {"misc_name": " badassness"}, {}),
    ("coin-wars.create.misc", (), {"do": "create", "name": "Ann", "sheet": SHEET | {"misc_name": "Badassness"}}, {}),
    ("coin-wars.create.misc", (), create() | {"misc_name": "酷劲"}, {}),
    ("coin-wars.create.misc", (create(),), scene(misc=3, misc_name="Badassness"), {}),
    ("coin-wars.create.misc", (create(),), scene(misc=3) | {"title": "Coolness"}, {}),
    ("coin-wars.create.strong", (), create(strong=None), {}),
    ("coin-wars.create.strong.misc", (), create(strong="misc"), {}),
    ("coin-wars.create.power", (), create(power={"name": "luck"}), {}),
    ("coin-wars.create.power.fast-learner", (), create(strong=None, power={"name": "fast-learner"}), {}),
    ("coin-wars.create.sheet", (), {"do": "create", "name": "Ann", "sheet": SHEET | {"career": 4}}, {}),
    ("coin-wars.create.sheet.alone", (), create(sheet=SHEET), {}),
    ("coin-wars.power.allowed", (), create(strong=None, power={"name": "luck"}), {"powers": "none"}),
    ("coin-wars.power.allowed", (), {"do": "create", "name": "Ann", "sheet": SHEET}, {"powers": "none"}),
    ("coin-wars.power.link", (), create(strong=None, power={"name": "offensive"}), {}),
    ("coin-wars.power.link", (), create(strong=None, power={"name": "luck", "trait": "misc"}), {}),
    ("coin-wars.power.link.coolness", (), create(strong=None, power=COOL), {"misc_by": "misc"}),
    ("coin-wars.power.link.coolness", (), {"do": "create", "name": "Ann", "sheet": COOL_SHEET}, {"misc_by": "misc"}),
    ("coin-wars.experience.allowed", (), {"do": "create", "name": "Ann", "sheet": SHEET}, {"experience": "none"}),
    ("coin-wars.experience.allowed", (create(),), spend(coin="misc"), {"experience": "none"}),
    ("coin-wars.scene.when", DUEL, scene(bodiness=3), {}),
    ("coin-wars.scene.components", (create(),), scene(), {}),
    ("coin-wars.scene.components", (create(),), scene(bodiness=4, braininess=-1), {}),
    ("coin-wars.scene.coolness", (create(),), scene(coolness=3), {}),
    ("coin-wars.scene.class", (create(),), scene(bodiness=5), {}),
    ("coin-wars.scene.room", (create(), *(200 * [scene(bodiness=3)])), scene(bodiness=3), {"scene_points": 1000}),
    ("coin-wars.scene.class", (create(),), scene(misc=5), {}),
    ("coin-wars.scene.class", (create(),), scene(misc=6), {"misc_cost": "inside"}),
    ("coin-wars.scene.misc", (create(),), scene(bodiness=3, misc_name="Trap"), {}),
    ("coin-wars.scene.misc.name", (create(),), scene(misc=3) | {"title": " "}, {}),
    ("coin-wars.scene.budget", (create(), *[scene(bodiness=9)] * 6), scene(braininess=8), {}),
    ("coin-wars.scene.budget", (create(),), scene(misc=9), {"scene_points": 9}),
    ("coin-wars.scene.tear", (create(), scene(bodiness=3)), {"do": "tear", "name": "Ann", "scene": 1}, {}),
    ("coin-wars.draw.when", DUEL, draw(0), {}),
    ("coin-wars.draw.nobody", (), draw(0), {}),
    ("coin-wars.draw.players", (create(), scene(bodiness=3)), draw(0), {"players": ["Ann", "Bob"]}),
    ("coin-wars.draw.budget", (create(), *[scene(bodiness=9)] * 4, create("Bob")), draw(0), {}),
    ("coin-wars.draw.order", (create(), scene(bodiness=3)), draw(), {}),
    ("coin-wars.draw.order", (create(), scene(bodiness=3)), draw(0, 0), {}),
    ("coin-wars.draw.order", (create(), scene(bodiness=3)), draw(1), {}),
    ("coin-wars.draw.mix", (create(), scene(bodiness=3)), draw(0), {"force_mix": "require"}),
    ("coin-wars.flip.when", (create(),), flip("bodiness", "3NH", "4PT"), {}),
    ("coin-wars.flip.when", HURT, flip("bodiness", "3NH", "4PT"), {}),
    ("coin-wars.exchange.order", DUEL, flip("bodiness", "3NH", "4PT", "Bob"), {}),
    ("coin-wars.exchange.component", DUEL, flip("braininess", "3PH", "4PT"), {}),
    ("coin-wars.exchange.beaten", (*TRAP, flip("bodiness", "3NH", "3PT")), flip("bodiness", "3NH", ""), {}),
    ("coin-wars.exchange.coins", DUEL, flip("bodiness", "3PH", "4PT"), {}),
    ("coin-wars.exchange.coins", DUEL, flip("bodiness", "4NH", "4PT"), {}),
    ("coin-wars.exchange.scene-coins", DUEL, flip("bodiness", "3NH", "3PT"), {}),
    ("coin-wars.choice.when", DUEL, choose("burn"), {}),
    ("coin-wars.choice.turn", HURT, choose("burn", "Bob"), {}),
    ("coin-wars.choice.burn", (*HURT, choose("burn"), flip("bodiness", "3PT", "4PH")), choose("burn"), {}),
    ("coin-wars.choice.coolness", (*HURT, choose("coolness"), flip("bodiness", "", "4PH")), choose("coolness"), {}),
    ("coin-wars.assist.when", (create(),), assist("bodiness", "coolness", "bodiness"), {}),
    ("coin-wars.assist.when", HURT, assist("bodiness", "coolness", "bodiness"), {}),
    ("coin-wars.exchange.order", DUEL, assist("bodiness", "coolness", "bodiness", "Bob"), {}),
    ("coin-wars.assist.burn", DUEL, assist("misc", "coolness", "bodiness"), {}),
    ("coin-wars.assist.add", DUEL, assist("bodiness", "braininess", "bodiness"), {}),
    ("coin-wars.assist.twice", TRAP, assist("bodiness", "misc", "misc"), {}),
    ("coin-wars.assist.empty", (create(points="4 4 4 0 0"), *DUEL[1:]), assist("bodiness", "misc", "bodiness"), {}),
    ("coin-wars.exchange.component", DUEL, assist("bodiness", "coolness", "braininess"), {}),
    ("coin-wars.answer", DUEL[:2], {"do": "answer", "name": "Ann", "trait": "coolness"}, {}),
    ("coin-wars.answer", TRAP, {"do": "answer", "name": "Ann", "trait": "misc"}, {}),
    ("coin-wars.answer", TRAP, {"do": "answer", "name": "Ann", "trait": "bodiness"}, {}),
    ("coin-wars.answer", TRAP, {"do": "answer", "name": "Ann", "trait": "coolness"}, {"misc_by": "misc"}),
    ("coin-wars.exchange.component", DUEL, {"do": "answer", "name": "Ann", "trait": "coolness"}, {}),
    ("coin-wars.ready", (create(), {"do": "ready", "name": "Ann"}), {"do": "ready", "name": "Ann"}, {}),
    ("coin-wars.ready", HURT, {"do": "ready", "name": "Ann"}, {}),
    ("coin-wars.ready", (*DUEL, {"do": "ready", "name": "Ann"}), assist("bodiness", "coolness", "bodiness"), {}),
    ("coin-wars.ready", (create(points="4 4 4 0 0"), *DUEL[1:]), {"do": "ready", "name": "Ann"}, {}),
    ("coin-wars.narrate", DUEL, tell(), {}),
    ("coin-wars.narrate", WON, tell("Bob"), {}),
    ("over", (*WON, tell()), tell(), {}),
    ("coin-wars.spend.when", DUEL, spend(coin="bodiness"), {"customization": 3}),
    ("coin-wars.spend.one", (create(),), spend(), {"customization": 3}),
    ("coin-wars.spend.one", (create(),), spend(coin="misc", rating="misc"), {"customization": 3}),
    ("coin-wars.spend.points", (create(),), spend(coin="misc"), {}),
    ("coin-wars.spend.points", (create(),), spend(power="fast-learner"), {"customization": 2}),
    ("coin-wars.spend.coin", (create(), *[spend(coin="misc")] * 3), spend(coin="misc"), {"customization": 7}),
    ("coin-wars.spend.fast-learner", (create(), spend(power="fast-learner")), spend(power="fast-learner"),
     {"customization": 7}),
    ("coin-wars.power.passive", DUEL, {"do": "power", "name": "Ann", "power": "fast-learner"}, {}),
    ("coin-wars.power.when", DUEL, {"do": "power", "name": "Ann", "power": "luck", "coin": "penny:heads"}, {}),
    ("coin-wars.power.accept", DUEL, {"do": "accept", "name": "Ann"}, {}),
    ("coin-wars.power.held", DUEL, {"do": "power", "name": "Ann", "power": "so-cool", "component": "bodiness"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "before", "act", "rules"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_clauses(clause: str, before: tuple[Json, ...], act: Json, rules: Json) -> None:
    state = play(*before, **rules)
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, GAME.read_action(act))
    assert refused.value.clause == clause
    for language in ("en", "zh"):
        assert "{" not in refused.value.why(language)


def test_a_miscellaneous_trait_of_blanks_has_no_name() -> None:
    """A sentence about it would name nothing."""
    state = play(create() | {"misc_name": "  "}, scene(bodiness=3), draw(0))
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, GAME.read_action(assist("misc", "coolness", "bodiness")))
    assert refused.value.why() == "Miscellaneous tosses pennies, which cannot be burnt."


def test_ratings_stop_somewhere() -> None:
    """coin-wars.spend.highest"""
    traits = {**SHEET["traits"], "bodiness": {"rating": 999, "coin": "penny"}}
    sheet = {"traits": traits, "experience": 1, "career": 996}
    state = play({"do": "create", "name": "Ann", "sheet": sheet})
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, GAME.read_action(spend(rating="bodiness")))
    assert refused.value.clause == "coin-wars.spend.highest"
