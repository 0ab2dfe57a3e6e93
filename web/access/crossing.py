"""People who swap their seats for the next game take their phones with them."""

from __future__ import annotations

from web.access.sessions import Sessions
from web.source import LiveTable


def follow(live: LiveTable, sessions: Sessions) -> None:
    """Whenever a game begins with its two seats swapped, the phones that sit there swap as well.

    A game begins without secrets, so nobody sees what is the other's before the phones have swapped.
    """

    def look() -> None:
        ruling, seats = live.snapshot().crossed, live.game_seats()
        if ruling is not None and seats:
            one, other = seats  # a game of more seats is never begun with them swapped
            sessions.cross(ruling, (one, other))

    live.snapshots.listen(look)  # the first one, at the table's start, may tell of a game begun before the power went
