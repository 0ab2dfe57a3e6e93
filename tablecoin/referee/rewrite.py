"""Correcting an earlier toss that was read wrongly: everything after it is judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablecoin.coins import Coin
from tablecoin.referee.commands import CommandError
from tablecoin.referee.events import Acted, Event, TakenBack
from tablecoin.referee.match import Match
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import Action, IllegalAction, RulesError
from tablecoin.rules.rulebook import Message


class NoToss(CommandError):
    """That ruling cannot be corrected in this way."""


@dataclass(frozen=True)
class Rewritten:
    """The corrected match, the events that lead to it, and the acts that are no longer legal and were taken back."""

    match: Match
    events: tuple[Event, ...]
    said: Message
    dropped: tuple[Message, ...]


def rewrite(
    match: Match, group: int, coins: Sequence[Coin] | Mapping[str, Sequence[Coin]], new_group: int
) -> Rewritten:
    """`match` with the toss of ruling `group` showing `coins`.

    The acts after it are done again in order, up to the first that is not legal any more; from there on they are taken
    back. Raises NoToss: no such ruling stands, it was not a toss, or not of these coins.
    """
    first = next((k for k, ply in enumerate(match.plies) if ply.group == group), None)
    if first is None:
        raise NoToss(Message("reread.no_ruling"))
    before = match.plies[first].before
    due = match.game.tosses_due(before)
    if not due:
        raise NoToss(Message("reread.no_toss"))
    zones = coins if isinstance(coins, Mapping) else dict.fromkeys(due, tuple(coins))
    if set(zones) != set(due):
        raise NoToss(Message("reread.zones", {"zones": [zone_name(zone) for zone in due]}))
    toss: Action = match.game.toss_action(before, {zone: tuple(shown) for zone, shown in zones.items()})
    events: list[Event] = [TakenBack(new_group, "phone")] * (len(match.plies) - first)
    after, done, dropped = match, list[Event](), list[Message]()
    for event in events:
        after = after.take(event)
    said = match.game.tell(before, toss)
    for ply in match.plies[first:]:
        again = ply.action if ply is not match.plies[first] else toss
        acted = Acted(new_group + len(done), match.game.write_action(again), ply.seat, ply.by)
        if not dropped:
            try:
                after = after.take(acted)
                done.append(acted)
                continue
            except IllegalAction as broken:
                if again is toss:
                    raise NoToss(broken.message) from None
            except RulesError as error:
                raise NoToss(error.message) from None
        dropped.append(match.game.tell(ply.before, ply.action))
    return Rewritten(after, (*events, *done), said, tuple(dropped))
