"""Whether the broker passes on what the table sends, told by the table's own summary that must come back.

A broker whose access list forbids a topic acknowledges every message there all the same, and passes none on.
"""

from __future__ import annotations

_PATIENCE_S = 20.0  # a slow broker needs some


class Echo:
    """Times are in seconds, of one monotonic clock. For any thread: its one field is replaced as a whole."""

    def __init__(self) -> None:
        self._sent_s: float | None = None  # when the first was sent since one came back

    def sent(self, now_s: float) -> None:
        """A summary was sent."""
        if self._sent_s is None:
            self._sent_s = now_s

    def heard(self) -> None:
        """One came back, or the connection is another now."""
        self._sent_s = None

    def is_missing(self, now_s: float) -> bool:
        """Whether one should have come back by now."""
        sent_s = self._sent_s
        return sent_s is not None and now_s - sent_s > _PATIENCE_S
