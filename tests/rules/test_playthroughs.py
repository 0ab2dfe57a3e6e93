"""Random games kept as text: a change of the rules shows as a diff somebody reads.

Each file is one game: every action and what it did, and now and then a mistake and why it was refused. To write the
files anew after a change that is meant: `TABLECOIN_REGENERATE=1 pytest tests/rules/test_playthroughs.py`.
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

from tablecoin.rules import load
from tablecoin.rules.game import Action, Game, IllegalAction, State
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import sentence

FOLDER = Path(__file__).parent / "playthroughs"
LONGEST = 400  # actions


def playthrough(name: str, seed: int) -> Iterator[str]:
    """The lines of one random game. Needs nothing but the rules, so it is the same on every machine."""
    game, dice = load(name), Random(seed)
    state = game.start(game.read_options({}))
    yield f"# {name}, random game {seed}"
    yield from changes({}, game.write_state(state))
    for _ in range(LONGEST):
        if game.outcome(state) is not None:
            return
        yield from mistake(game, state, dice)
        action = random_action(game, state, dice)
        after = game.apply(state, action)
        yield ""
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
    for key, value in after.items():
        if before.get(key, ...) != value:
            yield f"    {key} = {json.dumps(value, ensure_ascii=False)}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_plays_as_it_did(path: Path) -> None:
    matched = re.fullmatch(r"(.+)-(\d+)", path.stem)
    assert matched, "a playthrough is named GAME-SEED.txt"
    lines = list(playthrough(matched[1], int(matched[2])))
    if os.environ.get("TABLECOIN_REGENERATE"):
        path.write_text("\n".join(lines) + "\n", "utf-8")
    kept = path.read_text("utf-8").splitlines()
    for number, (line, was) in enumerate(zip(lines, kept, strict=False), 1):
        assert line == was, f"{path.name} departs at line {number}"
    assert len(lines) == len(kept)
