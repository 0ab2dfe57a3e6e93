"""What the referee says about the table: zones and differences as messages of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.referee.belief import Difference
from tablecoin.referee.commands import NotYourSeat
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message
from tablecoin.rules.zones import ZoneKind, parse_zone, zone_kind


def seat_name(seat: str) -> Message | str:
    """A seat as a fact for sentences: a number is `Seat 1`, a name is itself."""
    return Message("seat", {"number": int(seat)}) if seat.isdecimal() else seat


def not_yours(what: str, seat: Seat, *others: Seat) -> NotYourSeat:
    """The error that somebody at `seat` wants to do, press, say or undo what is only for `others`."""
    facts = {"seat": seat_name(seat), "others": [seat_name(other) for other in others]}
    return NotYourSeat(Message(f"seat.not_yours.{what}", facts))


def zone_name(zone: str) -> Message:
    """`row.heads` → "Heads' row", `bank.1` → "Seat 1's bank", `space.M1` → "Space M1", `tray` → "The tray"."""
    kind, which = parse_zone(zone)
    if kind is ZoneKind.BANK and which:
        return Message("zone.bank.of", {"which": seat_name(which)})
    return Message(f"zone.{kind}", {"which": which}) if which else Message(f"zone.{zone}")


def steps(differences: Sequence[Difference]) -> tuple[Message, ...]:
    """What to do so that the table matches, zone by zone."""
    found = []
    for difference in differences:
        zone = zone_name(difference.zone)
        if zone_kind(difference.zone) is ZoneKind.SPACE and difference.extra and difference.missing:
            # Only the top of a stack is seen: the coin that should be there may well lie beneath.
            facts = {"zone": zone, "coins": difference.extra, "wanted": difference.missing}
            found.append(Message("referee.step.top", facts))
            continue
        if difference.extra:
            found.append(Message("referee.step.take", {"zone": zone, "coins": difference.extra}))
        if difference.missing:
            found.append(Message("referee.step.add", {"zone": zone, "coins": difference.missing}))
        if difference.turned:
            found.append(Message("referee.step.turn", {"zone": zone, "coins": difference.turned}))
    return tuple(found)
