"""Games played by chance into a journal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Started
from tablecoin.referee.match import Match

NAMES = {"heads": "Ann", "tails": "Ben"}


def play(
    journal: Journal, game: str = "steal", seed: int = 0, names: Mapping[str, str] = NAMES, **options: Any
) -> Iterator[Match]:
    """A game to its end, an event a step; each is in the journal when it is yielded."""
    chance = random.Random(seed)
    started = Started(1, game, options, dict.fromkeys(names, "person"), names=names)
    match = Match.begin(started)
    journal.append([started])
    yield match
    group = 1
    while match.game.outcome(match.state) is None:
        action = chance.choice(list(match.game.legal_actions(match.state)))
        group += 1
        acted = Acted(group, match.game.write_action(action), match.game.actor(match.state, action), "camera")
        match = match.take(acted)
        journal.append([acted])
        yield match
