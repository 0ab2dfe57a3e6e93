"""Games played by chance into a journal, and a table without a camera to go with it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tablecoin.journal.journal import Journal
from tablecoin.publishing.standing import Shown
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


class StillTable:
    """A table at which nothing is seen; `now` is what it shows."""

    def __init__(self) -> None:
        self.now = Shown()
        self.light: float | None = None
        self.dims = False
        self.jpeg: tuple[int, bytes] | None = None
        self._heard: Callable[[], None] = lambda: None

    def shown(self) -> Shown:
        return self.now

    def listen(self, heard: Callable[[], None]) -> Callable[[], None]:
        self._heard = heard
        return lambda: None

    def ring(self) -> None:
        self._heard()

    def picture(self, after: int) -> tuple[int, bytes] | None:
        return self.jpeg if self.jpeg and self.jpeg[0] > after else None

    def shine(self, share: float | None) -> None:
        self.light = 1.0 if share is None else share
