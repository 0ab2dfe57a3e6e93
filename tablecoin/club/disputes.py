"""The disputes at the tables, in whatever order their messages come. An open one calls the organiser.

While a ruling is disputed nothing is ruled on at its table, so a table has one open dispute at most: the newest of its
messages about disputes says whether it is open. A new game ends the dispute of the game before.
"""

from __future__ import annotations

from collections.abc import Iterable

from tablecoin.mqtt.messages import Ruling

KINDS = ("dispute", "settled", "start")  # the kinds of rulings that open or end a dispute


class Disputes:
    """For one thread."""

    def __init__(self, rulings: Iterable[Ruling] = ()) -> None:
        """`rulings`: those that were heard before."""
        self._newest: dict[tuple[str, str], Ruling] = {}  # by table and journal
        for ruling in rulings:
            self.take(ruling)

    @property
    def open(self) -> tuple[Ruling, ...]:
        """What opened each dispute that is not settled."""
        return tuple(ruling for ruling in self._newest.values() if ruling.kind == "dispute")

    def take(self, ruling: Ruling) -> bool:
        """Take in a ruling; whether its table's dispute was opened or ended by it."""
        key = ruling.table, ruling.journal
        before = self._newest.get(key)
        if ruling.kind not in KINDS or (before and before.number >= ruling.number):
            return False
        self._newest[key] = ruling
        return ruling.kind == "dispute" or (before is not None and before.kind == "dispute")
