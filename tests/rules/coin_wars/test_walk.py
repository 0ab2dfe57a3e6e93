"""Every state of a small adventure, random adventures of all kinds, and one adventure told from start to end."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import Denomination
from tablecoin.rules.coin_wars import GAME
from tablecoin.rules.coin_wars.actions import Accept, Choose, Ready, Toss
from tablecoin.rules.coin_wars.character import FULL, Character, Trait, Traits
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import CLASSES, Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import TRAITS, Points, PowerName, TraitName
from tablecoin.rules.game import Action, IllegalAction
from tablecoin.rules.rulebook import sentence
from tablecoin.rules.toss import chance, possible_results
from tests.rules.coin_wars.coin_wars_acts import create, draw, play, scene

LIMITED = (PowerName.LUCK, PowerName.SO_COOL, PowerName.FLAMEBAIT, PowerName.GRABBY_HANDS)

# -- every state of a small adventure ---------------------------------------------------------------------------------

SMALL = CoinWarsState(
    CoinWarsOptions(),
    (
        Character(
            "Ann",
            Traits(Trait(2, 2, Denomination.NICKEL), Trait(0, 0), Trait(0, 0), Trait(1, 1), Trait(1, 1)),
        ),
    ),
    (Scene(Points(bodiness=3), "Ann"),),
    0,
    (Fighter("Ann", Points(bodiness=3)),),
)


def bare(state: CoinWarsState) -> CoinWarsState:
    """The state without the coins of the last exchange, where they no longer matter."""
    return state if state.open else msgspec.structs.replace(state, last=None)


def reachable(start: CoinWarsState) -> dict[CoinWarsState, list[tuple[Action, CoinWarsState]]]:
    graph: dict[CoinWarsState, list[tuple[Action, CoinWarsState]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        graph[state] = [(action, bare(GAME.apply(state, action))) for action in GAME.legal_actions(state)]
        waiting += [after for _, after in graph[state]]
    return graph


def test_every_state_of_one_easy_scene() -> None:
    graph = reachable(SMALL)
    ends = [state for state, moves in graph.items() if not moves]
    assert 50 < len(graph) < 5000
    outcomes = [GAME.outcome(end) for end in ends]
    assert {len(outcome.winners) for outcome in outcomes if outcome} == {0, 1}
    for state, moves in graph.items():
        assert (not moves) == (GAME.outcome(state) is not None)
        assert GAME.read_state(json.loads(json.dumps(GAME.write_state(state)))) == state
        lawful(state)
        tossed: dict[TraitName, float] = defaultdict(float)
        for action, _ in moves:
            if isinstance(action, Toss):
                tossed[action.component] += chance(action.character) * chance(action.scene)
        assert all(total == pytest.approx(1) for total in tossed.values())
    ending = set(ends)
    while more := {state for state, moves in graph.items() if any(after in ending for _, after in moves)} - ending:
        ending |= more
    assert ending == set(graph), "from some state there is no way to the end"


def plain_odds(points: int, worth: tuple[int, int], pennies: int) -> float:
    """A second, plain implementation: the chance to beat a component with one kind of coin and no options."""
    if pennies <= 0:
        return 1.0
    if points <= 0:
        return 0.0
    draw = won = 0.0
    for heads in range(points + 1):
        for scene_heads in range(pennies + 1):
            weight = comb(points, heads) * comb(pennies, scene_heads) / 2 ** (points + pennies)
            own = worth[0] * heads + (pennies - scene_heads)
            other = scene_heads + worth[1] * (points - heads)
            if own == other:
                draw += weight
            elif own > other:
                won += weight * plain_odds(points, worth, pennies - (own - other))
            else:
                won += weight * plain_odds(points - (other - own), worth, pennies)
    return won / (1 - draw)


@pytest.mark.parametrize(
    ("points", "coin", "worth"),
    [(2, "nickel", (2, 2)), (3, "penny", (1, 1)), (2, "dime", (3, 2)), (1, "quarter", (4, 2))],
)
def test_the_chance_to_win_agrees_with_a_plain_count(points: int, coin: str, worth: tuple[int, int]) -> None:
    """Playing on through `apply` without help, sitting out when hurt, wins exactly as often as plain counting says."""
    body = SMALL.characters[0].put(TRAITS[0], Trait(points, points, Denomination(coin)))
    odds: dict[CoinWarsState, float] = {}

    def won(state: CoinWarsState) -> float:
        if state.facing[0].done:
            return float(state.facing[0].beaten)
        if state not in odds:
            draw = total = 0.0
            for action in GAME.legal_actions(state):
                if isinstance(action, Choose) and action.option == "sit-out":
                    total += won(bare(GAME.apply(state, action)))
                elif isinstance(action, Toss):
                    weight = chance(action.character) * chance(action.scene)
                    after = bare(GAME.apply(state, action))
                    if after == state:
                        draw += weight
                    else:
                        total += weight * won(after)
            odds[state] = total / (1 - draw)
        return odds[state]

    assert won(SMALL.put(body)) == pytest.approx(plain_odds(points, worth, 3))


# -- random adventures ------------------------------------------------------------------------------------------------


def lawful(state: CoinWarsState) -> None:
    """What holds in every state."""
    for each in state.characters:
        for name in TRAITS:
            assert 0 <= each.traits[name].now <= each.traits[name].rating
            assert each.traits[name].own_coin in Denomination
        assert 0 <= each.twelfths < FULL
        assert 0 <= each.experience <= each.career
        assert all(each.used.count(power) <= each.powers.rank(power) for power in LIMITED)
    for fighter in state.facing:
        for name in TRAITS:
            assert 0 <= fighter.left[name] <= state.current.components[name]
    assert all(scene.points(state.options) in CLASSES for scene in state.scenes)


def earned(state: CoinWarsState) -> int:
    return sum(each.career * FULL + each.twelfths for each in state.characters)


# With powers and experience allowed, or each left out together with the rules that mean nothing without it.
WITH_POWERS = st.fixed_dictionaries({}, optional={"luck_any": st.just(True), "defensive_recompute": st.just(True)})
WITH_EXPERIENCE = st.fixed_dictionaries(
    {}, optional={"customization": st.sampled_from([3, 7]), "harder_scenes": st.just("off")}
)
OPTIONAL_RULES = st.tuples(
    st.one_of(WITH_POWERS, st.just({"powers": "none"})), st.one_of(WITH_EXPERIENCE, st.just({"experience": "none"}))
)
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "players": st.sampled_from([["Ann"], ["Ann", "Bob"]]),
        "misc_cost": st.just("inside"),
        "burn_recovery": st.sampled_from(["scene", "adventure"]),
        "burn_restore": st.sampled_from(["one", "full"]),
        "zero_fails_scene": st.just(True),
        "assist_span": st.just("exchange"),
        "cool_recovery": st.just("always"),
        "all_out": st.just("skips"),
        "narration": st.just("skipped"),
    },
)
RULES = st.builds(lambda optional, house: optional[0] | optional[1] | house, OPTIONAL_RULES, HOUSE_RULES)


def varied(state: CoinWarsState, dice: Random) -> Any:
    """A legal action: first its kind by chance, so that rare kinds come up too."""
    kinds: dict[type, list[Any]] = defaultdict(list)
    for action in GAME.legal_actions(state):
        kinds[type(action)].append(action)
    return dice.choice(kinds[dice.choice(list(kinds))])


@given(seed=st.integers(0, 2**32), rules=RULES)
def test_random_adventures_keep_the_laws_and_end(seed: int, rules: dict[str, Any]) -> None:
    dice, states = Random(seed), [GAME.start(GAME.read_options(rules))]
    while GAME.outcome(states[-1]) is None and len(states) <= 3000:
        action = varied(states[-1], dice)
        assert GAME.actor(states[-1], action) in GAME.may_act(states[-1])
        states.append(GAME.apply(states[-1], action))
        lawful(states[-1])
    assert GAME.outcome(states[-1]) is not None
    for state, after in [(one, other) for one, other in pairwise(states) if one.scene in (None, other.scene)]:
        gained = brought(state, after) if state.scene is None else rewarded(state, after)
        assert earned(after) - earned(state) == gained, "twelfths are conserved"


def brought(state: CoinWarsState, after: CoinWarsState) -> int:
    """The twelfths that characters brought along who joined between two states."""
    return sum(c.career * FULL + c.twelfths for c in after.characters if not state.character(c.name))


def rewarded(state: CoinWarsState, after: CoinWarsState) -> int:
    """The twelfths for those who beat the scene between two states of it."""
    newly = [f for f in after.facing if f.beaten and not (state.fighter(f.name) or f).beaten]
    owners = [after.character(f.name) for f in newly]
    rewards = [
        state.current.reward(state.options, fast_learner=bool(owner and owner.powers.fast_learner)) for owner in owners
    ]
    return sum(rewards) if state.options.experience == "allowed" else 0


def test_no_component_has_a_second_exchange_before_each_had_one() -> None:
    """coin-wars.exchange.each: a second toss is tried wherever it would be too early."""
    start = play(
        *(create(), create("Bob")),
        *(scene(bodiness=4, braininess=2), scene("Bob", bodiness=2, braininess=2, personality=2)),
        *(scene(misc=2, personality=2), scene(bodiness=3, personality=3, braininess=3)),
        draw(0, 1, 2, 3),
        narration="skipped",
        all_out="skips",
    )
    tried = 0
    for seed in range(40):
        dice, state = Random(seed), start
        while GAME.outcome(state) is None:
            state = GAME.apply(state, varied(state, dice))
            due = GAME.phase(state) == "flip" and not state.reflip
            for fighter in state.fighting()[:1] if due else ():
                listed = {action.component for action in GAME.legal_actions(state) if isinstance(action, Toss)}
                assert listed == set(fighter.waiting)
                for component in set(fighter.left.present) - listed:
                    coins = (next(possible_results(heap)) for heap in state.heaps(fighter, component))
                    with pytest.raises(IllegalAction) as refused:
                        GAME.apply(state, Toss(fighter.name, component, *coins))
                    assert refused.value.clause == "coin-wars.exchange.each"
                    tried += 1
    assert tried > 250


@pytest.mark.long
def test_many_random_adventures_end() -> None:
    for seed in range(300):
        dice, state = Random(seed), GAME.start(GAME.read_options({}))
        while GAME.outcome(state) is None:
            state = GAME.apply(state, varied(state, dice))
            lawful(state)


@settings(max_examples=settings().max_examples // 2)
@given(seed=st.integers(0, 2**32))
def test_after_the_draw_what_is_not_listed_is_refused(seed: int) -> None:
    """`legal_actions` is complete from the draw on: an action of another moment applies only where it is listed."""
    dice, state = Random(seed), GAME.start(GAME.read_options({"players": ["Ann", "Bob"]}))
    seen: list[Any] = []
    for _ in range(60):
        if GAME.outcome(state):
            break
        legal = {msgspec.json.encode(action) for action in GAME.legal_actions(state)}
        tried = dice.sample(seen, min(15, len(seen))) if state.scene is not None else []
        for action in [each for each in tried if msgspec.json.encode(each) not in legal]:
            with pytest.raises(IllegalAction):
                GAME.apply(state, action)
        action = varied(state, dice)
        seen.append(action)
        state = GAME.apply(state, action)


# -- one adventure, told ----------------------------------------------------------------------------------------------

STORY = """
create Ann 3 3 2 2 2 bodiness                    | Ann joins.
create Bob 2 2 3 3 2 -                           | Bob joins.
scene Ann bodiness=4 braininess=2                | Ann writes a scene for 6 points (Moderate).
scene Bob personality=3                          | Bob writes a scene for 3 points (Easy).
draw 0 1                                         | Scenes drawn: 2. The adventure begins.
assist Ann bodiness coolness braininess          | Ann burns a coin of Bodiness to add Coolness to Braininess.
flip Ann braininess 4PH+1PT 2PT                  | Ann, Braininess: 6 against 1.
flip Ann bodiness 2PH+1PT 3PH+1PT                | Ann, Bodiness: 3 against 4.
flip Ann bodiness 2PH 2PH+2PT                    | Ann, Bodiness: 4 against 2.
flip Ann bodiness 1PH+1PT 2PH                    | Ann, Bodiness: 1 against 3.
choose Ann sit-out                               | Ann sits out.
narrate Ann                                      | Ann has told the story.
flip Bob braininess 1PH+1PT 1PH+1PT              | Bob, Braininess: 2 against 2.
power Bob luck penny:tails                       | Bob uses Luck: 1 penny is tossed in place of the penny tails.
reflip Bob braininess 1PH                        | Bob tosses again: penny heads.
flip Bob bodiness 2PT 2PH+2PT                    | Bob, Bodiness: 2 against 4.
choose Bob coolness                              | Bob takes it with Coolness.
flip Bob bodiness - 4PT                          | Bob, Bodiness: 4 against 0.
narrate Bob                                      | Bob has told the story.
flip Bob personality 3PH 3PT                     | Bob, Personality: 6 against 0.
narrate Bob                                      | Bob has told the story.
"""


def read(line: str) -> dict[str, Any]:
    """A line of the story as the JSON of its action."""
    kinds, faces = {"P": "penny", "N": "nickel"}, {"H": "heads", "T": "tails"}

    def coins(text: str) -> list[str]:
        found = []
        for part in text.split("+") if text != "-" else ():
            found += [f"{kinds[part[-2]]}:{faces[part[-1]]}"] * int(part[:-2])
        return found

    do, *words = line.split()
    match do:
        case "create":
            first = {"strong": words[6]} if words[6] != "-" else {"strong": None, "power": {"name": "luck"}}
            ratings = dict(zip(map(str, TRAITS), map(int, words[1:6]), strict=True))
            return {"do": do, "name": words[0], "ratings": ratings, "misc_name": "Wealth", **first}
        case "scene":
            parts = dict(word.split("=") for word in words[1:])
            return {"do": do, "name": words[0], "components": {key: int(value) for key, value in parts.items()}}
        case "draw":
            return {"do": do, "order": [int(word) for word in words]}
        case "assist":
            return {"do": do} | dict(zip(("name", "burn", "add", "component"), words, strict=True))
        case "flip" | "reflip":
            thrown = {"character": coins(words[2]), "scene": coins(words[3]) if do == "flip" else []}
            return {"do": "flip", "name": words[0], "component": words[1], **thrown}
        case "choose":
            return {"do": do, "name": words[0], "option": words[1]}
        case "power":
            return {"do": do, "name": words[0], "power": words[1], "coin": words[2]}
        case _:
            return {"do": do, "name": words[0]}


def test_an_adventure_from_start_to_end() -> None:
    state = GAME.start(GAME.read_options({}))
    for line in STORY.strip().splitlines():
        text, told = (part.strip() for part in line.split("|"))
        action = GAME.read_action(read(text))
        assert sentence(GAME.tell(state, action)) == told, text
        state = GAME.apply(state, action)
    outcome = GAME.outcome(state)
    assert outcome
    assert sentence(outcome.reason) == "Bob came through the last scene."
    ann, bob = state.characters
    assert (ann.twelfths, bob.twelfths) == (0, 9)
    assert ann.traits.bodiness.coin is Denomination.NICKEL  # burnt for help, back at the second scene
    assert bob.traits.coolness.now == 2  # it took one, and a scene that used it brings none back


def test_ready_lets_the_table_throw() -> None:
    assert GAME.to_act(SMALL) == ("table",)
    assert GAME.may_act(SMALL) == ("table", "Ann")
    assert GAME.may_act(GAME.apply(SMALL, Ready("Ann"))) == ("table",)
    with pytest.raises(IllegalAction):
        GAME.apply(SMALL, Accept("Ann"))
