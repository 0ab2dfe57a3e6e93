"""Why a table is not ruled on: every reason in one list, so that the page never keeps silent about one.

no picture comes, or none that is clear    what the camera, the mat or the reader says
the table does not come to rest            what keeps it moving
it lies still with something over it       COVERED
it lies still and has not been read        UNREAD
it was read                                none: it was judged, and the prompt says what came of it
"""

from __future__ import annotations

from tablecoin.referee.desk import Blind, Desk
from tablecoin.rules.rulebook import Message

COVERED, UNREAD = Message("referee.unruled.covered"), Message("referee.unruled.unread")


def why_unruled(desk: Desk) -> Message | None:
    """Why nothing is ruled on now; None while something is, while things move as in play, and before any picture."""
    if isinstance(desk.view, Blind):
        return desk.view.why
    look = desk.view.look
    if look.restless:
        return look.restless
    if desk.match is None or desk.settled or not look.is_overdue:
        return None
    return COVERED if look.hand else UNREAD
