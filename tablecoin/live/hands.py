"""The computer's hands: on the virtual table they carry coins to where the game wants them, before everybody's eyes.

They move virtual coins and nothing else. The referee learns of it as of any hands: from the picture.
"""

from __future__ import annotations

import logging

from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import PromptKind
from tablecoin.rules.game import Layout
from tablecoin.virtual.arrange import Stacks, moves
from tablecoin.virtual.table import TableError, VirtualTable

log = logging.getLogger(__name__)

_EACH_S = 0.6  # a coin is on its way so long
_ALL_S = 6.0  # many coins are carried faster: all of them in this time
_PAUSE_S = 1.0  # after a change by people, before the hands begin: who has begun to set the table may end it

Setting = tuple[Layout, Stacks, str | None]


class Hands:
    """The hands over one virtual table. Only the referee's thread calls them."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    def heed(self, kind: PromptKind, match: Match | None) -> None:
        """Begin to set the table if the referee waits for that, and nobody is about to do it."""
        table = self._table
        if match is None or kind != "arrange" or table.untouched_s() < _PAUSE_S:
            return
        scene = table.scene
        if not scene.sets_itself or scene.hand:
            return
        try:
            planned = moves(table, *setting(match, table))
        except TableError as error:  # people are still asked to do it
            log.warning("the computer's hands cannot set the table: %s", error)
            return
        if planned:
            table.carry(planned, min(_EACH_S, _ALL_S / len(planned)))


def setting(match: Match, table: VirtualTable) -> Setting:
    """What the table must show for the state of a match: layout, stacks, and the zone from which tossed coins come."""
    layout = match.game.layout(match.state)
    trays = (zone.name for zone in table.mat.zones if zone.name == "tray" and zone.name not in layout)
    return layout, match.game.stacks(match.state), next(trays, None)
