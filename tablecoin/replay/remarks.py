"""What people said beside the game, for a replay: breaks, disputes, and what the others were asked to agree to."""

from __future__ import annotations

from typing import Any

import msgspec

from tablecoin.journal.record import Entry
from tablecoin.referee.events import Consent, Disputed, Paused
from tablecoin.rules.rulebook import Message


def remark(entry: Entry) -> Message | None:
    """The sentence for a line of a record that tells a break, a dispute or a request; None for any other line."""
    told: dict[str, Any] = {"event": entry.event, "group": 0, **entry.extra}
    try:
        event: Consent | Disputed | Paused = msgspec.convert(told, Consent | Disputed | Paused)
    except msgspec.ValidationError:
        return None
    if isinstance(event, Consent) and event.step == "asked":
        return Message(f"replay.consent.asked.{event.what}")
    return Message(f"replay.{entry.event}.{event.step}")
