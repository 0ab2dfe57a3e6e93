"""Dollar Prize *Exact*: be worth exactly a dollar at the end of a round, and never more.

The rules are in `rulebook/exact.toml`. A round ends with swaps: a player who holds as many coins of one denomination as
the other holds of another may exchange them all. Each player has one chance a round, in the order of the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Heap
from tablecoin.rules.dollar_prize.prize import DollarPrize
from tablecoin.rules.dollar_prize.rows import (
    SIDES,
    Add,
    Convert,
    Done,
    Place,
    PrizeOptions,
    PrizeState,
    Rows,
    Side,
    Take,
    Toss,
    Turn,
)
from tablecoin.rules.game import Action, IllegalAction
from tablecoin.rules.rulebook import Message

FEWEST_SWAPPED = 2  # least number of coins of each kind in a swap (clause 5.4)


class ExactOptions(PrizeOptions, frozen=True):
    """The house rules of Exact."""

    swap_any: Annotated[bool, Meta(description="Also swaps that do not gain the player who asks for them.")] = False
    swap_order: Annotated[
        Literal["round", "reverse"],
        Meta(description="Who may swap first when a round ends: who played first in it, or who played last."),
    ] = "round"
    round_order: Annotated[
        Literal["same", "alternate"],
        Meta(description="Who begins the rounds: the same player always, or both in turn, which is fairer."),
    ] = "same"
    swap_consent: Annotated[bool, Meta(description="A swap happens only if the other player agrees.")] = False


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A swap asked for: all of `by`'s coins of kind `give`, `count` of them, for all the other's of kind `take`."""

    by: Side
    give: Denomination
    take: Denomination
    count: Annotated[int, Meta(ge=0, le=100_000)] = 0

    @classmethod
    def of(cls, rows: Rows, by: Side, give: Denomination, take: Denomination) -> Exchange:
        """The swap of these kinds that `by` asks for while the rows lie so."""
        return cls(by, give, take, rows[by][give])


class ExactState(PrizeState, frozen=True, kw_only=True):
    """Where a game of Exact stands. `swapped` is the swap made in this round, `proposal` one that waits for consent."""

    phase: Literal["setup", "turn", "swap", "consent", "over"]
    swapped: Exchange | None = None
    proposal: Exchange | None = None
    options: ExactOptions = ExactOptions()


class Swap(Action, frozen=True, tag="swap"):
    """All coins of one kind in the player's row for all coins of another kind in the other row."""

    give: Denomination
    take: Denomination


class Skip(Action, frozen=True, tag="skip"):
    """The player makes no swap in this round."""

    ends_turn = True


class Agree(Action, frozen=True, tag="agree"):
    """Consent to the swap the other player asks for (house rule)."""

    ends_turn = True


class Refuse(Action, frozen=True, tag="refuse"):
    """Refusal of that swap (house rule)."""

    ends_turn = True


ExactAction = Toss | Place | Convert | Done | Swap | Skip | Agree | Refuse | Add | Take


def rows_before(rows: Rows, made: Exchange) -> Rows:
    """The rows as they lay before the swap `made`. Raises ValueError when its coins are not there."""
    given, taken = Heap.of([made.give] * made.count), Heap.of([made.take] * made.count)
    mine, theirs = rows[made.by], rows[made.by.other]
    return rows.put(made.by, mine - taken + given).put(made.by.other, theirs - given + taken)


def exchanged(rows: Rows, exchange: Exchange) -> Rows:
    """The rows after all coins of the two kinds have changed sides."""
    mine, theirs = rows[exchange.by], rows[exchange.by.other]
    given = Heap.of([exchange.give] * mine[exchange.give])
    taken = Heap.of([exchange.take] * theirs[exchange.take])
    return rows.put(exchange.by, mine - given + taken).put(exchange.by.other, theirs - taken + given)


def _lies(rows: Rows, made: Exchange) -> bool:
    """Whether the coins of the swap `made` lie where it put them."""
    return rows[made.by][made.take] >= made.count <= rows[made.by.other][made.give]


class Exact(DollarPrize[ExactState, ExactAction, ExactOptions]):
    """The game behind the contract."""

    name = "exact"
    title: ClassVar[Mapping[str, str]] = {"en": "Dollar Prize: Exact", "zh": "一元大奖：恰好一元"}
    options_type = ExactOptions
    state_type = ExactState
    action_types = (Toss, Place, Convert, Done, Swap, Skip, Agree, Refuse, Add, Take)
    seated_phases = ("turn", "swap")
    reserve = EMPTY  # no toss after the setup

    def to_act(self, state: ExactState) -> tuple[str, ...]:
        if state.phase == "consent" and state.proposal:
            return (state.proposal.by.other.value,)
        return super().to_act(state)

    def nearest_goal(self, goal: int, bank: Heap) -> int:
        totals = {0}  # of rows, up to the goal
        for kind in BY_VALUE:
            values = [number * kind.cents for number in range(min(bank[kind], goal // kind.cents) + 1)]
            totals = {total + value for total in totals for value in values if total + value <= goal}
        return max(totals)

    def too_much(self, state: ExactState, coin: Denomination) -> IllegalAction | None:
        total = state.rows[state.mover].cents + coin.cents if state.mover else 0
        if total <= state.options.goal:
            return None
        return self.illegal("place.cap", coin=coin, total=total, goal=state.options.goal)

    def swaps(self, state: ExactState, side: Side) -> Iterator[Exchange]:
        """The swaps `side` may ask for at the end of this round."""
        for give, take in permutations(BY_VALUE, 2):
            exchange = Exchange.of(state.rows, side, give, take)
            if self._refuse_swap(state, exchange) is None:
                yield exchange

    # -- play ---------------------------------------------------------------------------------------------------------

    def end_of_round(self, state: ExactState) -> ExactState:
        return self._offer(replace(state, mover=None, turn=Turn(), swapped=None), self._order(state))

    def next_round(self, state: ExactState) -> ExactState:
        first = state.first
        if first and state.options.round_order == "alternate":
            first = first.other
        return super().next_round(replace(state, swapped=None, first=first))

    def candidates(self, state: ExactState) -> Iterator[ExactAction]:
        yield from super().candidates(state)
        if state.phase == "swap":
            yield from (Swap(give, take) for give, take in permutations(BY_VALUE, 2))
            yield Skip()
        elif state.phase == "consent":
            yield from (Agree(), Refuse())

    def refusal(self, state: ExactState, action: ExactAction) -> IllegalAction | None:
        if not isinstance(action, Swap | Skip | Agree | Refuse) or state.phase == "over":
            return super().refusal(state, action)
        if due := self.toss_due(state):
            return self.illegal("flip.first", coins=due)
        if isinstance(action, Agree | Refuse):
            return None if state.phase == "consent" else self.illegal("swap.unasked")
        if state.phase == "turn":
            return self.illegal("swap.round")
        if state.phase == "consent" or state.mover is None:
            return self.not_now(state)
        if isinstance(action, Skip):
            return None
        return self._refuse_swap(state, Exchange.of(state.rows, state.mover, action.give, action.take))

    def not_now(self, state: ExactState) -> IllegalAction:
        seat = self.to_act(state)[0]
        return self.illegal("swap.consent" if state.phase == "consent" else "swap.first", seat=seat)

    def after(self, state: ExactState, action: ExactAction) -> ExactState:
        match action:
            case Swap(give, take) if state.mover:
                exchange = Exchange.of(state.rows, state.mover, give, take)
                if state.options.swap_consent:
                    return replace(state, phase="consent", mover=None, proposal=exchange)
                return self._swap(state, exchange)
            case Skip() if state.mover:
                return self._offer(state, self._order(state, after=state.mover))
            case Agree() if state.proposal:
                return self._swap(state, state.proposal)
            case Refuse() if state.proposal:
                return self._offer(state, self._order(state, after=state.proposal.by))
        return super().after(state, action)

    def _refuse_swap(self, state: ExactState, swap: Exchange) -> IllegalAction | None:
        mine, theirs = state.rows[swap.by][swap.give], state.rows[swap.by.other][swap.take]
        facts = {"give": swap.give, "take": swap.take}
        if swap.give is swap.take:
            return self.illegal("swap.same", give=swap.give)
        if mine != theirs:
            heaps = {"mine": Heap.of([swap.give] * mine), "theirs": Heap.of([swap.take] * theirs)}
            return self.illegal("swap.count", **heaps)
        if mine < FEWEST_SWAPPED:
            return self.illegal("swap.few", count=mine, **facts)
        if not state.options.swap_any and swap.take.cents < swap.give.cents:
            return self.illegal("swap.gain", **facts)
        if state.swapped and exchanged(state.rows, swap) == rows_before(state.rows, state.swapped):
            return self.illegal("swap.back", **facts)
        if (total := exchanged(state.rows, swap).richest_cents) > state.options.goal:
            return self.illegal("swap.cap", total=total, goal=state.options.goal)
        return None

    def _swap(self, state: ExactState, swap: Exchange) -> ExactState:
        swapped = replace(state, rows=exchanged(state.rows, swap), swapped=swap)
        return self._offer(swapped, self._order(state, after=swap.by))

    def _order(self, state: ExactState, after: Side | None = None) -> tuple[Side, ...]:
        """The sides that may swap in this round, in order: all, or those that come `after` one."""
        assert state.first is not None
        begins = state.first.other if state.options.swap_order == "reverse" else state.first
        order = (begins, begins.other)
        return order[order.index(after) + 1 :] if after else order

    def _offer(self, state: ExactState, sides: tuple[Side, ...]) -> ExactState:
        """Ask the first of `sides` that can swap; settle the round when none can."""
        for side in sides:
            if any(True for _ in self.swaps(state, side)):
                return replace(state, phase="swap", mover=side, proposal=None)
        state = replace(state, mover=None, proposal=None)
        return self.over(state) if self.reached(state) else self.next_round(state)

    # -- the table ----------------------------------------------------------------------------------------------------

    def moved(self, state: ExactState, action: ExactAction) -> Rows:
        match action:
            case Swap(give, take) if state.mover:
                return exchanged(state.rows, Exchange.of(state.rows, state.mover, give, take))
            case Agree() if state.proposal:
                return exchanged(state.rows, state.proposal)
        return super().moved(state, action)

    def imaginable_actions(self, state: ExactState) -> Iterator[ExactAction]:
        """Also: swaps in the middle of a round, of unequal numbers, of too few coins, or that gain nothing."""
        yield from (action for action in super().imaginable_actions(state) if not isinstance(action, Swap))
        if (me := state.mover) is None:
            return
        for give, take in permutations(BY_VALUE, 2):
            mine, theirs = state.rows[me][give], state.rows[me.other][take]
            if mine and theirs and (state.phase == "swap" or mine == theirs >= FEWEST_SWAPPED):
                yield Swap(give, take)

    # -- words --------------------------------------------------------------------------------------------------------

    def prompt(self, state: ExactState) -> Message:
        match state.phase, state.proposal:
            case "swap", _:
                assert state.mover is not None
                return self.message("prompt.swap", seat=state.mover.value)
            case "consent", Exchange() as asked:
                return self.message("prompt.consent", seat=asked.by.other.value, **self._swap_facts(state, asked))
        return super().prompt(state)

    def tell(self, state: ExactState, action: ExactAction) -> Message:
        match action:
            case Swap(give, take) if state.mover:
                key = "did.propose" if state.options.swap_consent else "did.swap"
                return self.message(key, **self._swap_facts(state, Exchange.of(state.rows, state.mover, give, take)))
            case Agree() if state.proposal:
                return self.message("did.swap", **self._swap_facts(state, state.proposal))
        return super().tell(state, action)

    def _swap_facts(self, state: ExactState, swap: Exchange) -> dict[str, object]:
        given = Heap.of([swap.give] * state.rows[swap.by][swap.give])
        taken = Heap.of([swap.take] * state.rows[swap.by.other][swap.take])
        return {"by": swap.by.value, "given": given, "taken": taken}

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def derived(self, state: ExactState) -> Mapping[str, object]:
        on_offer = self.swaps(state, state.mover) if state.phase == "swap" and state.mover else ()
        swaps = [{"give": s.give, "take": s.take, "count": state.rows[s.by][s.give]} for s in on_offer]
        return {**super().derived(state), "steal": None, "swaps": swaps}

    def impossible(self, state: ExactState) -> str | None:
        for side in SIDES:
            if (total := state.rows[side].cents) > state.options.goal:
                return f"the row of {side} is worth {total} cents, and may not exceed {state.options.goal}"
        if problem := super().impossible(state):
            return problem
        if state.phase == "swap" and state.mover and not any(True for _ in self.swaps(state, state.mover)):
            return f"{state.mover} has no swap to choose in phase swap"
        if (state.phase == "consent") != (state.proposal is not None):
            return "there is a proposal exactly in phase consent"
        if state.proposal and self._refuse_swap(state, state.proposal):
            return "the proposal is not a swap these rows allow"
        if state.swapped and state.phase in ("setup", "turn"):
            return f"nothing is swapped before the end of a round, so swapped must be null in phase {state.phase}"
        if state.swapped and not _lies(state.rows, state.swapped):
            return "swapped names coins that the rows do not hold"
        return None


GAME = Exact()
