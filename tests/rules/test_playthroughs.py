"""Random games kept as text: a change of the rules shows as a diff somebody reads.

Each file is one game: every action, what it did and what changed, and now and then a mistake and why it was refused.
Its first line says which game, house rules and seed. To write the files anew after a change that is meant, or after
putting a new file there with a first line alone: `TABLECOIN_REGENERATE=1 pytest tests/rules/test_playthroughs.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tablecoin.rules import NAMES, load
from tablecoin.rules.game import Action, Game, IllegalAction, State
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import sentence

FOLDER = Path(__file__).parent / "playthroughs"
HEADER = re.compile(r"# (?P<game>[a-z-]+), random game (?P<seed>\d+), options (?P<options>\{.*\})")
LONGEST = 300  # lines: what somebody reads
SLIP = 0.2  # how often a mistake is shown


def playthrough(header: str) -> Iterator[str]:
    """The lines of one random game. Needs nothing but the rules, so it is the same on every machine."""
    told = HEADER.fullmatch(header)
    assert told, "a playthrough begins with: # GAME, random game SEED, options {...}"
    game, dice = load(told["game"]), Random(int(told["seed"]))
    state = game.start(game.read_options(json.loads(told["options"])))
    yield header
    yield from changes({}, game.write_state(state))
    while game.outcome(state) is None:
        if dice.random() < SLIP:
            yield from mistake(game, state, dice)
        action = random_action(game, state, dice)
        after = game.apply(state, action)
        yield f"{game.actor(state, action)}: {json.dumps(game.write_action(action), ensure_ascii=False)}"
        yield f"    {sentence(game.tell(state, action))}"
        yield from changes(game.write_state(state), game.write_state(after))
        state = after


def mistake(game: Game[Any, Any, Any], state: State, dice: Random) -> Iterator[str]:
    """One act people might do by mistake here, when it is one, and why it is refused."""
    action: Action = dice.choice(list(game.imaginable_actions(state)))
    try:
        game.apply(state, action)
    except IllegalAction as refused:
        yield f"  not {json.dumps(game.write_action(action), ensure_ascii=False)}"
        yield f"    {refused.clause}: {refused.why()}"


def changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """What is new, in one line: `turn.placed = true; totals.heads = 4`."""
    if new := "; ".join(differences(before, after)):
        yield f"    {new}"


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from (f"{key}.{inner}" for inner in differences(old, new))
        elif key not in after:
            yield f"{key} is gone"
        elif key not in before or old != new:
            yield f"{key} = {json.dumps(new, ensure_ascii=False)}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_plays_as_it_did(path: Path) -> None:
    kept = path.read_text("utf-8").splitlines()
    lines = list(playthrough(kept[0]))
    if os.environ.get("TABLECOIN_REGENERATE"):
        path.write_text("\n".join(lines) + "\n", "utf-8")
        kept = path.read_text("utf-8").splitlines()
    for number, (line, was) in enumerate(zip(lines, kept, strict=False), 1):
        assert line == was, f"{path.name} departs at line {number}"
    assert len(lines) == len(kept) <= LONGEST


def test_every_game_has_playthroughs() -> None:
    told = [HEADER.fullmatch(path.read_text("utf-8").splitlines()[0]) for path in FOLDER.glob("*.txt")]
    assert {match["game"] for match in told if match} == set(NAMES)
