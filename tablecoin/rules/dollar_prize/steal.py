"""Dollar Prize *Steal*: build a row worth a dollar, and keep it through the steal that ends every round.

The rules are in `rulebook/steal.toml`. A round ends with a steal: one coin of each denomination, up to the highest in
either row, is tossed. The most valuable one that shows heads decides: whoever has more of that denomination gives one
coin of it to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.change import ONE_STEP, breaks, without
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
from tablecoin.rules.game import TABLE, Action, IllegalAction
from tablecoin.rules.rulebook import Message

STEAL_FROM_CENTS = 5  # while no row is worth this much, a round ends without a steal


class StealOptions(PrizeOptions, frozen=True):
    """The house rules of Steal."""

    break_one_step: Annotated[
        bool, Meta(description="A stolen coin breaks only one step down: quarter to 2 dimes and a nickel, and so on.")
    ] = False
    tie_flips: Annotated[
        Literal[0, 1, "until"],
        Meta(description="Extra steals when both reach the goal with equal totals: none, one, or until they differ."),
    ] = 1


class Theft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The coin that changed hands in a steal, from `giver` to `receiver` (JSON: `from`, `to`)."""

    coin: Denomination
    giver: Side = msgspec.field(name="from")
    receiver: Side = msgspec.field(name="to")


class StealState(PrizeState, frozen=True, kw_only=True):
    """Where a game of Steal stands. `steal` is the theft decided in this round; `extra` counts its tie-break steals."""

    phase: Literal["setup", "turn", "steal", "break", "over"]
    steal: Theft | None = None
    extra: Annotated[int, Meta(ge=0, le=100_000)] = 0
    options: StealOptions = StealOptions()


class Break(Action, frozen=True, tag="break"):
    """The receiver changes the stolen coin into lower ones of equal value."""

    into: Heap


class Keep(Action, frozen=True, tag="keep"):
    """The receiver leaves the stolen coin whole."""

    ends_turn = True


StealAction = Toss | Place | Convert | Done | Break | Keep | Add | Take


def thief(rows: Rows, coins: tuple[Coin, ...]) -> tuple[Denomination | None, Theft | None]:
    """What a steal's toss decides: the deciding denomination (None: all tails), and the theft it causes, if any."""
    decisive = max((c.denomination for c in coins if c.face is Face.HEADS), key=lambda kind: kind.cents, default=None)
    if decisive is None or rows.heads[decisive] == rows.tails[decisive]:
        return decisive, None
    giver = max(SIDES, key=lambda side: rows[side][decisive])
    return decisive, Theft(decisive, giver, giver.other)


class Steal(DollarPrize[StealState, StealAction, StealOptions]):
    """The game behind the contract."""

    name = "steal"
    title: ClassVar[Mapping[str, str]] = {"en": "Dollar Prize: Steal", "zh": "一元大奖：偷币"}
    options_type = StealOptions
    state_type = StealState
    action_types = (Toss, Place, Convert, Done, Break, Keep, Add, Take)
    seated_phases = ("turn",)
    reserve = Heap(1, 1, 1, 1)

    def to_act(self, state: StealState) -> tuple[str, ...]:
        if state.phase == "steal":
            return (TABLE,)
        if state.phase == "break" and state.steal:
            return (state.steal.receiver.value,)
        return super().to_act(state)

    def toss_due(self, state: StealState) -> Heap | None:
        if state.phase != "steal":
            return super().toss_due(state)
        rows = state.rows.heads + state.rows.tails
        return Heap.of(BY_VALUE[: BY_VALUE.index(rows.highest) + 1]) if rows.highest else None

    def nearest_goal(self, goal: int, bank: Heap) -> int:
        return min(goal, bank.cents)

    def end_of_round(self, state: StealState) -> StealState:
        if state.rows.richest_cents < STEAL_FROM_CENTS:
            return self.next_round(state)
        return self._to_steal(state)

    def next_round(self, state: StealState) -> StealState:
        return super().next_round(replace(state, steal=None, extra=0))

    def candidates(self, state: StealState) -> Iterator[StealAction]:
        yield from super().candidates(state)
        if state.phase == "break" and state.steal:
            yield from map(Break, breaks(state.steal.coin))
            yield Keep()

    def refusal(self, state: StealState, action: StealAction) -> IllegalAction | None:
        if not isinstance(action, Break | Keep) or state.phase == "over":
            return super().refusal(state, action)
        if due := self.toss_due(state):
            return self.illegal("flip.first", coins=due)
        if state.phase != "break" or state.steal is None:
            return self.illegal("break.none")
        return self._refuse_break(state, state.steal.coin, action.into) if isinstance(action, Break) else None

    def _refuse_break(self, state: StealState, coin: Denomination, into: Heap) -> IllegalAction | None:
        if into not in breaks(coin):
            return self.illegal("break.equal", coin=coin, into=into)
        if state.options.break_one_step and into != ONE_STEP[coin]:
            return self.illegal("break.step", coin=coin, step=ONE_STEP[coin])
        return None if self.bank_has(state, into) else self.illegal("break.bank", into=into)

    def not_now(self, state: StealState) -> IllegalAction:
        assert state.steal is not None
        return self.illegal("break.first", seat=state.steal.receiver.value, coin=state.steal.coin)

    def after(self, state: StealState, action: StealAction) -> StealState:
        match action:
            case Toss() if state.phase == "steal":
                return self._steal(state, action)
            case Break():
                return self._settle(replace(state, rows=self.moved(state, action)))
            case Keep():
                return self._settle(state)
        return super().after(state, action)

    def moved(self, state: StealState, action: StealAction) -> Rows:
        if not isinstance(action, Break):
            return super().moved(state, action)
        side = state.steal.receiver if state.steal else state.mover
        coin = state.steal.coin if state.steal else next((k for k in BY_VALUE if k.cents == action.into.cents), None)
        if side is None or coin is None:
            return state.rows
        return state.rows.put(side, without(state.rows[side], Heap.of([coin])) + action.into)

    def _to_steal(self, state: StealState) -> StealState:
        return replace(state, phase="steal", mover=None, turn=Turn(), steal=None)

    def _steal(self, state: StealState, toss: Toss) -> StealState:
        _, theft = thief(state.rows, toss.coins)
        if theft is None:
            return self._settle(replace(state, steal=None))
        coin, rows = Heap.of([theft.coin]), state.rows
        rows = rows.put(theft.giver, rows[theft.giver] - coin)
        state = replace(state, rows=rows.put(theft.receiver, rows[theft.receiver] + coin), steal=theft)
        breakable = any(self._refuse_break(state, theft.coin, into) is None for into in breaks(theft.coin))
        return replace(state, phase="break") if breakable else self._settle(state)

    def _settle(self, state: StealState) -> StealState:
        """The end of a round: has somebody won, is an extra steal due, or does play go on?"""
        if not self.reached(state):
            return self.next_round(state)
        level, extra_steals = state.rows.heads.cents == state.rows.tails.cents, state.options.tie_flips
        if (
            not level
            or state.extra == extra_steals
            or (extra_steals == "until" and state.rows.heads == state.rows.tails)
        ):
            return self.over(state)  # equal rows stay equal in every steal, so "until" would never end
        return self._to_steal(replace(state, extra=state.extra + 1))

    def imaginable_actions(self, state: StealState) -> Iterator[StealAction]:
        """Also: breaking a coin in one's turn, and breaking a stolen one into a coin too many or too few."""
        yield from super().imaginable_actions(state)
        if state.phase == "break" and state.steal:
            right = breaks(state.steal.coin)
            wrong = dict.fromkeys(heap for into in right for heap in _one_coin_off(into) if heap not in right)
            yield from map(Break, wrong)
        elif state.phase == "turn" and state.mover:
            yield from (Break(into) for coin, into in ONE_STEP.items() if coin in state.rows[state.mover])

    def prompt(self, state: StealState) -> Message:
        if state.phase == "break" and state.steal:
            steal = state.steal
            return self.message("prompt.break", seat=steal.receiver.value, giver=steal.giver.value, coin=steal.coin)
        if state.phase == "steal":
            due = self.toss_due(state)
            alone = "prompt.steal.one" if due and len(due) == 1 else "prompt.steal"
            return self.message("prompt.tie" if state.extra else alone, coins=due)
        return super().prompt(state)

    def tell(self, state: StealState, action: StealAction) -> Message:
        if not isinstance(action, Toss) or state.phase != "steal":
            return super().tell(state, action)
        decisive, theft = thief(state.rows, action.coins)
        if decisive is None:
            return self.message("did.flip.tails")
        if theft is None:
            return self.message("did.flip.level", coin=decisive)
        facts = {"coin": theft.coin, "giver": theft.giver.value, "receiver": theft.receiver.value}
        return self.message("did.flip.steal", **facts)

    def impossible(self, state: StealState) -> str | None:
        theft = state.steal
        if theft and theft.giver is theft.receiver:
            return "a steal goes from one side to the other"
        if state.phase == "break":
            if theft is None or theft.coin is Denomination.PENNY or theft.coin not in state.rows[theft.receiver]:
                return "in phase break, steal must name a coin above a penny that lies in the receiver's row"
        elif theft and state.phase in ("setup", "turn"):
            return f"no steal is decided before the end of a round, so steal must be null in phase {state.phase}"
        if state.phase == "steal" and state.rows.richest_cents < STEAL_FROM_CENTS:
            return f"no steal is due while no row is worth {STEAL_FROM_CENTS} cents"
        return super().impossible(state)


def _one_coin_off(heap: Heap) -> Iterator[Heap]:
    for kind in BY_VALUE:
        if kind in heap:
            yield heap - Heap.of([kind])
            yield heap + Heap.of([kind])


GAME = Steal()
