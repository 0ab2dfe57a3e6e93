"""Putting an earlier ruling right: a toss read wrongly is replaced, and everything after it judged again."""

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
    """The match put right, the events that make it so, and what no longer fits and was taken back for good."""

    match: Match
    events: tuple[Event, ...]
    said: Message
    dropped: tuple[Message, ...]


def rewrite(
    match: Match, group: int, coins: Sequence[Coin] | Mapping[str, Sequence[Coin]], new_group: int
) -> Rewritten:
    """`match` with the toss of ruling `group` showing `coins`.

    What was done afterwards is done again in order, up to the first act the rules do not allow after the other toss;
    from there on it is taken back. Raises NoToss: no such ruling stands, it was no toss, or not these coins.
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
                raise NoToss(Message("command.rules", {"said": str(error)})) from None
        dropped.append(match.game.tell(ply.before, ply.action))
    return Rewritten(after, (*events, *done), said, tuple(dropped))
