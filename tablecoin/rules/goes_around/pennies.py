"""The payments of the ring: what a round's deeds owe, and how people pay it wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tablecoin.coins import Heap
from tablecoin.rules.game import IllegalAction, Layout, Pile
from tablecoin.rules.goes_around.round import Deed
from tablecoin.rules.rulebook import Message
from tablecoin.rules.zones import ZoneKind, parse_zone

Counts = Mapping[str, int]  # zone -> pennies
SINK = "sink"
_TOO_MANY = 3  # the most pennies that somebody overpays by mistake


class Payment(NamedTuple):
    """Pennies owed from one zone to another, and what is said to whoever pays them otherwise."""

    giver: str
    taker: str
    amount: int
    broken: IllegalAction


def payments(was: Layout, deeds: Sequence[Deed | None]) -> Iterator[Payment]:
    """What the deeds of a round, by seat, owe: thieves are paid, penalties go to the sink, and what is left of whoever
    is out (clauses goes-around.result.success, result.penalty, out.money)."""
    for k, deed in enumerate(deeds, 1):
        if deed is None:
            continue
        seat, bank = str(k), f"bank.{k}"
        if deed.gained:
            facts = {"seat": seat, "target": deed.target, "amount": deed.gained}
            broken = IllegalAction("goes-around.result.success", **facts)
            yield Payment(f"bank.{deed.target}", bank, deed.gained, broken)
        if deed.penalty:
            broken = IllegalAction("goes-around.result.penalty", seat=seat, penalty=deed.penalty)
            yield Payment(bank, SINK, deed.penalty, broken)
        left = len(was[bank].heap) - deed.paid + deed.gained - deed.penalty
        if deed.out and left:
            yield Payment(bank, SINK, left, IllegalAction("goes-around.out.money", seat=seat))


def paid_wrongly(was: Layout, deeds: Sequence[Deed | None]) -> Iterator[tuple[Counts, IllegalAction]]:
    """The tables people leave who make one payment of a round wrongly and the others rightly.

    Too few or too many pennies, the wrong way, to somebody else, from somebody else's bank.
    """
    owed = list(payments(was, deeds))
    for k, wrong in enumerate(owed):
        rest = dict.fromkeys(was, 0)
        for zone in was:
            rest[zone] = len(was[zone].heap)
        for right in (*owed[:k], *owed[k + 1 :]):
            rest[right.giver] -= right.amount
            rest[right.taker] += right.amount
        banks = [zone for zone in was if zone != SINK]
        tried = [(wrong.giver, wrong.taker, many) for many in range(wrong.amount + _TOO_MANY + 1)]
        tried.append((wrong.taker, wrong.giver, wrong.amount))
        tried += [(wrong.giver, zone, wrong.amount) for zone in was]
        tried += [(zone, wrong.taker, wrong.amount) for zone in banks]
        for giver, taker, amount in tried:
            if giver != taker and (giver, taker, amount) != wrong[:3] and rest[giver] >= amount:
                yield {**rest, giver: rest[giver] - amount, taker: rest[taker] + amount}, wrong.broken


def misplaced(was: Layout, due: Layout, seen: Mapping[str, Heap], deeds: Sequence[Deed | None]) -> IllegalAction | None:
    """What is wrong where a zone holds more or fewer pennies than on any way from `was` to `due`; None on such a way.

    `was` is the last layout that the table showed correctly, `due` what it must show now, `deeds` the last round's.
    A payment made wrongly is named by its clause. Pennies that left one bank and lie nowhere else: `bank.taken`.
    Pennies that left several banks at once: None, for they may be in several hands. Anything else: pennies move only
    as a reveal tells (goes-around.pennies).
    """
    there = {zone: len(seen.get(zone, Heap())) for zone in due}
    short, over = dict[str, int](), dict[str, int]()
    for zone, lies in there.items():
        low, high = sorted((len(was[zone].heap), len(due[zone].heap)))
        short |= {zone: low - lies} if lies < low else {}
        over |= {zone: lies - high} if lies > high else {}
    if not short and not over:
        return None
    if was != due:
        for counts, broken in paid_wrongly(was, deeds):
            if counts == there:
                return broken
    if over or sum(there.values()) >= sum(len(pile.heap) for pile in due.values()):
        zone, count = next(iter((over or short).items()))
        return IllegalAction("goes-around.pennies", coins=Heap(penny=count), zone=_name(zone))
    if len(short) != 1:
        return None
    ((zone, count),) = short.items()
    return IllegalAction("bank.taken", coins=Heap(penny=count), bank=_name(zone))


def as_layout(counts: Counts) -> Layout:
    return {zone: Pile(Heap(penny=count)) for zone, count in counts.items()}


def _name(zone: str) -> Message:
    """A bank by its seat, or the sink, as a fact for sentences."""
    kind, seat = parse_zone(zone)
    if kind is ZoneKind.BANK:
        return Message("zone.bank.of", {"which": Message("seat", {"number": int(seat)})})
    return Message(f"zone.{kind}")
