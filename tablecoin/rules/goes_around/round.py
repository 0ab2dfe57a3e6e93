"""One round of What Goes Around: what a player may choose, and what comes of everybody's choices at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from tablecoin.rules.game import Options, Seat

Act = Literal["steal", "protect", "pass"]
Result = Literal["success", "not enough", "protected"]
USES = 3  # of each action in a game: exactly the nine rounds
ACTS: tuple[Act, ...] = ("steal", "protect", "pass")


class GoesAroundOptions(Options, frozen=True):
    """House rules of What Goes Around."""

    players: Annotated[int, msgspec.Meta(ge=2, le=9, description="How many play, two to nine.")] = 9
    start: Annotated[int, msgspec.Meta(ge=1, le=10_000, description="Pennies in every bank at the start.")] = 10
    rounds: Annotated[int, msgspec.Meta(ge=1, le=9, description="Rounds in a game; fewer make it short.")] = 9
    strict_wipeout: Annotated[
        bool, msgspec.Meta(description="Losing the whole bank to thieves puts you out even if you stole that round.")
    ] = False
    zero_is_out: Annotated[bool, msgspec.Meta(description="A bank left empty by a penalty puts its player out.")] = (
        False
    )
    stake_cap: Annotated[bool, msgspec.Meta(description="Nobody may try to steal more than their own bank.")] = False
    hide_history: Annotated[
        bool, msgspec.Meta(description="Players see only their own past actions and counts; banks stay open.")
    ] = False
    tie: Annotated[
        Literal["share", "nobody"],
        msgspec.Meta(description="Equal biggest banks at the end: share the win, or nobody."),
    ] = "share"
    timeout: Annotated[
        int,
        msgspec.Meta(
            ge=0, le=3600, description="Seconds to choose before the referee chooses for you; 0 for no limit."
        ),
    ] = 0


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player will do this round, secret until the reveal. Only a steal has a target and an amount."""

    action: Act
    target: Seat | None = None
    amount: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Deed(msgspec.Struct, frozen=True):
    """What a player did in the last round and what came of it, in pennies."""

    action: Act
    target: Seat | None = None
    amount: int | None = None
    result: Result | None = None
    gained: int = 0
    paid: int = 0
    penalty: int = 0  # what really left the game: less than the amount when the player could not pay it all
    out: Literal["wiped", "penalty", "zero"] | None = None


class Used(msgspec.Struct, frozen=True, rename={"passed": "pass"}, forbid_unknown_fields=True):
    """How often a player has used each action."""

    steal: Annotated[int, msgspec.Meta(ge=0, le=USES)] = 0
    protect: Annotated[int, msgspec.Meta(ge=0, le=USES)] = 0
    passed: Annotated[int, msgspec.Meta(ge=0, le=USES)] = 0

    def left(self, act: Act) -> int:
        return USES - (self.passed if act == "pass" else getattr(self, act))

    def plus(self, act: Act) -> Used:
        """One more use of `act`; a void pass (see clause commit.void) is not counted."""
        if not self.left(act):
            return self
        return Used(self.steal + (act == "steal"), self.protect + (act == "protect"), self.passed + (act == "pass"))


def settle(
    banks: Sequence[int], choices: Sequence[Choice | None], options: GoesAroundOptions
) -> tuple[Deed | None, ...]:
    """What comes of one round's choices, all from the banks at its start (clauses result.* and out.*).

    `choices[k]` is None for a player who is out. Payouts come before penalties: a bank never pays out more than it
    holds, so they are always honoured; income of the same round helps to pay a penalty, never to pay a thief.
    """
    wanted = [0] * len(banks)
    for choice in choices:
        if choice and choice.action == "steal":
            wanted[_index(choice)] += choice.amount or 0
    result: list[Result | None] = [None] * len(banks)
    paid = [0] * len(banks)
    for k, choice in enumerate(choices):
        if choice and choice.action == "steal":
            target = _index(choice)
            protecting = choices[target]
            if protecting and protecting.action == "protect":
                result[k] = "protected"
            elif wanted[target] > banks[target]:
                result[k] = "not enough"
            else:
                result[k] = "success"
                paid[target] = wanted[target]
    return tuple(
        None if choice is None else _deed(choice, result[k], bank=banks[k], paid=paid[k], options=options)
        for k, choice in enumerate(choices)
    )


def _deed(choice: Choice, result: Result | None, *, bank: int, paid: int, options: GoesAroundOptions) -> Deed:
    """One player's own account of the round."""
    amount = choice.amount or 0
    gained = amount if result == "success" else 0
    owed = amount if result in ("not enough", "protected") else 0
    cash = bank - paid + gained
    out: Literal["wiped", "penalty", "zero"] | None = None
    if owed > cash:
        out = "penalty"
    elif paid and paid == bank and (gained == 0 or options.strict_wipeout):
        out = "wiped"
    elif options.zero_is_out and 0 < owed == cash:
        out = "zero"
    target, stake = (choice.target, choice.amount) if choice.action == "steal" else (None, None)
    return Deed(choice.action, target, stake, result, gained, paid, min(owed, cash), out)


def _index(choice: Choice) -> int:
    return int(choice.target or 0) - 1
