"""Games that were begun before a journey starts: it then plays only what it is about, for example the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tablecoin import rules
from tablecoin.journal.journal import Journal
from tablecoin.live.service import JOURNAL
from tablecoin.referee.events import Acted, Started
from tablecoin.rules.game import TABLE
from tablecoin.rules.random_play import random_action
from tests.journeys.evening import haste
from tests.journeys.running import Json

MOST = 200  # actions


def begin(
    data: Path,
    name: str,
    enough: Callable[[Json], bool],
    options: Mapping[str, Any],
    seats: Mapping[str, str] | None = None,
    seed: int = 1,
) -> Json:
    """Write a game of people in a hurry into the journal of `data`, up to the first state that is `enough`.

    Returns that state. The seed decides the tosses.
    """
    game, dice = rules.load(name), Random(seed)
    state = game.start(game.read_options(options))
    people = seats or dict.fromkeys(game.seats(game.read_options(options)), "person")
    events: list[Started | Acted] = [Started(1, name, options, msgspec.convert(people, dict))]
    for number in range(2, MOST):
        if enough(game.write_state(state)):
            journal = Journal(data / JOURNAL)
            journal.append(events)
            journal.close()
            return game.write_state(state)
        if game.outcome(state) is not None:
            break
        if game.tosses_due(state):
            action = random_action(game, state, dice)
        else:
            action = min(game.legal_actions(state), key=lambda each: haste(game.write_action(each)))
        seat = game.actor(state, action)
        events.append(Acted(number, game.write_action(action), TABLE if seat == TABLE else seat, "camera"))
        state = game.apply(state, action)
    raise AssertionError(f"{name} never had such a state: choose another seed")
