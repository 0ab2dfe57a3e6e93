"""The arithmetic of exchanges, as tables: the worked examples of the rules through `tablecoin judge`.

From the start where a new character can play the example, else from a state in a file as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.coins import Coin
from tablecoin.rules.coin_wars.exchange import Exchange
from tablecoin.rules.coin_wars.traits import TraitName, negatives, positives
from tests.rules.coin_wars.coin_wars_acts import Json, coins


def lines(arguments: list[str], *actions: Json) -> list[Json]:
    """What `tablecoin judge coin-wars` prints after the start for these actions."""
    result = CliRunner().invoke(main, ["judge", "coin-wars", *arguments], input="\n".join(map(json.dumps, actions)))
    assert result.exit_code == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()][1:]
    assert len(told) == len(actions)
    return told


def given(folder: Path, state: Json) -> list[str]:
    """The arguments that begin with this state."""
    (folder / "state.json").write_text(json.dumps(state))
    return ["--from", str(folder / "state.json")]


def created(ratings: str, strong: str | None, components: Json, **more: Any) -> list[Json]:
    """Ann with `ratings` (body, brain, personality, coolness, misc), one scene drawn."""
    names = ("bodiness", "braininess", "personality", "coolness", "misc")
    points = dict(zip(names, map(int, ratings.split()), strict=True))
    return [
        {"do": "create", "name": "Ann", "ratings": points, "misc_name": "Wealth", "strong": strong, **more},
        {"do": "scene", "name": "Ann", "title": "A", "text": "", "components": components},
        {"do": "draw", "order": [0]},
    ]


def flip(component: str, character: str, scene: str) -> Json:
    return {
        "do": "flip",
        "name": "Ann",
        "component": component,
        "character": coins(character),
        "scene": coins(scene),
    }  # fmt: skip


def last(*actions: Json, **options: Any) -> Json:
    """The state after these actions from the start, all accepted."""
    said = lines(["--options", json.dumps(options)], *actions)
    assert [line.get("why") for line in said if not line["ok"]] == []
    state: Json = said[-1]["state"]
    return state


def results(state: Json) -> tuple[int, int, int]:
    exchange = state["last"]
    return exchange["character_result"], exchange["scene_result"], exchange["difference"]


@pytest.mark.parametrize(
    ("kind", "heads", "tails"), [("penny", 1, 1), ("nickel", 2, 2), ("dime", 3, 2), ("quarter", 4, 2)]
)
def test_what_faces_are_worth(kind: str, heads: int, tails: int) -> None:
    """coin-wars.exchange.value"""
    assert positives([Coin(f"{kind}:heads")] * 2 + [Coin(f"{kind}:tails")]) == 2 * heads
    assert negatives([Coin(f"{kind}:heads")] * 2 + [Coin(f"{kind}:tails")]) == tails


def test_v1_two_heads_and_a_tail_of_dimes() -> None:
    thrown = [Coin(text) for text in coins("2DH 1DT")]
    assert (positives(thrown), negatives(thrown)) == (6, 2)
    alone = Exchange("Ann", TraitName.BRAININESS, TraitName.BRAININESS, tuple(thrown))
    assert alone.difference == 4


@pytest.mark.parametrize(
    ("character", "scene", "expected"),
    [
        ("3NT", "3PH", (0, 9, -9)),  # V2
        ("2PH 1PT", "3PH 1PT", (3, 4, -1)),  # V3
        ("2PH 1PT", "2PT", (4, 1, 3)),  # V4
        ("2PH", "2PH 2PT", (4, 2, 2)),  # V5
        ("3DH 1DT", "3PH 3PT", (12, 5, 7)),  # V6
        ("", "1PH 1PT", (1, 1, 0)),  # nothing thrown: the scene's own tails count for the character
        ("1QH 1QT", "1PT", (5, 2, 3)),
    ],
)
def test_results_cross(character: str, scene: str, expected: tuple[int, int, int]) -> None:
    """coin-wars.exchange.result"""
    own, other = (tuple(Coin(text) for text in coins(side)) for side in (character, scene))
    exchange = Exchange("Ann", TraitName.BODINESS, TraitName.BODINESS, own, other)
    assert (exchange.character_result, exchange.scene_result, exchange.difference) == expected


V2 = [*created("1 3 1 5 2", "braininess", {"braininess": 3}), flip("braininess", "3NT", "3PH")]


def test_v2_nine_against_three_nickels_of_brains_with_coolness() -> None:
    hurt = last(*V2)
    assert results(hurt) == (0, 9, -9)
    assert hurt["phase"] == "choice"
    assert hurt["to_act"] == ["Ann"]
    assert hurt["choice_due"] == {"name": "Ann", "trait": "braininess", "options": ["burn", "coolness", "sit-out"]}
    after = last(*V2, {"do": "choose", "name": "Ann", "option": "coolness"})["characters"]["Ann"]
    assert after["traits"]["braininess"]["now"] == 0
    assert after["traits"]["coolness"]["now"] == 0  # five of the overflow of six; the sixth is forgotten
    assert not after["sitting_out"]


def test_v2_with_a_burn() -> None:
    after = last(*V2, {"do": "choose", "name": "Ann", "option": "burn"})["characters"]["Ann"]
    assert after["traits"]["braininess"] == {"rating": 3, "now": 3, "coin": "penny", "burnt": 1}
    assert after["traits"]["coolness"]["now"] == 5


def test_v2_sitting_out() -> None:
    state = last(*V2, {"do": "choose", "name": "Ann", "option": "sit-out"})
    assert state["characters"]["Ann"]["sitting_out"]
    assert state["characters"]["Ann"]["traits"]["braininess"]["now"] == 0
    assert state["phase"] == "narrate"


BRIGANDS = created("3 3 2 2 2", "personality", {"bodiness": 4, "braininess": 2})


def test_v3_v4_v5_the_brigands() -> None:
    """coin-wars.exchange.effect"""
    first = last(*BRIGANDS, flip("bodiness", "2PH 1PT", "3PH 1PT"))
    assert results(first) == (3, 4, -1)
    assert first["characters"]["Ann"]["traits"]["bodiness"]["now"] == 2
    assert first["facing"] == {"Ann": {"bodiness": 4, "braininess": 2}}

    second = last(*BRIGANDS, flip("bodiness", "2PH 1PT", "3PH 1PT"), flip("braininess", "2PH 1PT", "2PT"))
    assert results(second) == (4, 1, 3)
    assert second["facing"] == {"Ann": {"bodiness": 4, "braininess": 0}}

    third = last(
        *BRIGANDS,
        flip("bodiness", "2PH 1PT", "3PH 1PT"),
        flip("braininess", "2PH 1PT", "2PT"),
        flip("bodiness", "2PH", "2PH 2PT"),
    )
    assert results(third) == (4, 2, 2)
    assert third["facing"] == {"Ann": {"bodiness": 2, "braininess": 0}}


def king_beaten(state: Json) -> None:
    """Four dimes of Personality, three heads: 9 positives and 3 tails make 12 against 3 + 2, and the scene falls."""
    assert results(state) == (12, 5, 7)
    assert state["facing"] == {"Ann": {"personality": 0}}
    assert state["characters"]["Ann"]["twelfths"] == 6
    assert state["fights"]["Ann"]["margin"] == 1


KING = flip("personality", "3DH 1DT", "3PH 3PT")


def test_v6_the_king_from_the_start() -> None:
    """A Strong Personality tosses nickels; a customization point makes them dimes before the draw."""
    create, scene, draw = created("2 2 4 2 2", "personality", {"personality": 6})
    dimes = {"do": "spend", "name": "Ann", "on": {"coin": "personality"}}
    king_beaten(last(create, dimes, scene, draw, KING, customization=3))


def test_v6_the_king_from_a_given_state(tmp_path: Path) -> None:
    state = last(*created("2 2 4 2 2", "bodiness", {"personality": 6}))
    state["characters"]["Ann"]["traits"]["personality"]["coin"] = "dime"
    (said,) = lines(given(tmp_path, state), KING)
    assert said["ok"]
    king_beaten(said["state"])


def test_v7_two_moderate_scenes_from_the_start() -> None:
    """coin-wars.experience: twice a half is one whole, of the ten that make an experience point."""
    create, scene, draw = created("4 2 2 2 2", "bodiness", {"bodiness": 6})
    win = [flip("bodiness", "4NH", "6PT"), {"do": "narrate", "name": "Ann", "text": "Easy."}]
    state = last(create, scene, scene, draw | {"order": [0, 1]}, *win, *win)
    assert (state["characters"]["Ann"]["twelfths"], state["characters"]["Ann"]["experience"]) == (12, 0)
    assert state["outcome"]["winners"] == ["Ann"]


@pytest.mark.parametrize(
    ("before", "scenes", "twelfths", "experience"),
    [
        (0, ["6", "6"], 12, 0),  # V7: two moderate scenes are one whole point of the ten
        (0, ["9", "3"], 12, 0),
        (117, ["3"], 0, 1),  # the fortieth Easy scene
        (118, ["9"], 7, 1),  # the rest is kept
    ],
)
def test_v7_experience(tmp_path: Path, before: int, scenes: list[str], twelfths: int, experience: int) -> None:
    """coin-wars.experience"""
    play = created("4 2 2 2 2", "bodiness", {"bodiness": int(scenes[0])})
    state = last(*play)
    state["characters"]["Ann"]["traits"]["bodiness"].update(rating=5, now=5, coin="quarter")
    state["characters"]["Ann"]["twelfths"] = before
    state["scenes"] = [{**state["scenes"][0], "components": {"bodiness": int(points)}} for points in scenes]
    actions: list[Json] = []
    for points in scenes:
        actions += [flip("bodiness", "5QH", f"{points}PT"), {"do": "narrate", "name": "Ann", "text": "Easy."}]
    said = lines(given(tmp_path, state), *actions)
    assert all(line["ok"] for line in said)
    ann = said[-1]["state"]["characters"]["Ann"]
    assert (ann["twelfths"], ann["experience"]) == (twelfths, experience)
    assert said[-1]["state"]["outcome"]["winners"] == ["Ann"]


def test_v8_recovery_scene_by_scene(tmp_path: Path) -> None:
    """coin-wars.recovery: 0, two scene starts: 2; hurt by 1: 1; next start: 2."""
    state = last(*created("3 3 2 2 2", "personality", {"personality": 3}))
    card = state["scenes"][0]
    body = {**card, "components": {"bodiness": 3}}
    state["scenes"] = [card, card, body, card]
    state["characters"]["Ann"]["traits"]["bodiness"]["now"] = 0
    win = [flip("personality", "2NH", "3PT"), {"do": "narrate", "name": "Ann", "text": ""}]
    said = lines(
        given(tmp_path, state),
        *win,
        *win,
        flip("bodiness", "1PH 1PT", "2PH 1PT"),
        flip("bodiness", "1PH", "3PT"),
        {"do": "narrate", "name": "Ann", "text": ""},
    )  # fmt: skip
    assert all(line["ok"] for line in said)
    values = [line["state"]["characters"]["Ann"]["traits"]["bodiness"]["now"] for line in said]
    assert values == [0, 1, 1, 2, 1, 1, 2]
