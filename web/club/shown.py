"""The club as the server streams it."""

from __future__ import annotations

import threading

from tablecoin.club.hall import Hall, HallNow
from tablecoin.live.bell import Bell


class ClubShown:
    """What web.server streams: the hall in place of a table's snapshot. For any thread."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.stopping = threading.Event()
        self.snapshots, self.pictures = Bell(), Bell()
        hall.changed = self.snapshots.ring

    @property
    def picture_number(self) -> int:
        """The hall's pictures are told of in its snapshots; nobody waits for one."""
        return -1

    @property
    def changed_number(self) -> int:
        """As picture_number."""
        return -1

    def snapshot(self, seat: str | None = None) -> HallNow:
        """The hall now: everybody may see all of it."""
        return self._hall.now()
